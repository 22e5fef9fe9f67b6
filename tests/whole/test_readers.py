"""docs/readers_test.md shows the messages that the program prints, and what the reader does next."""

import re

from tests.readers import CASES, PAGE, page


def without_numbers(text):
    """A run that does not converge says how often; that may change with the step."""
    return re.sub(r"\d+", "0", text)


def test_every_message_is_as_the_page_shows_it():
    made = page()
    assert without_numbers(PAGE.read_text(encoding="utf-8")) == without_numbers(made), "python -m tests.readers --write"
    told = [line.split(" | ")[1] for line in made.splitlines() if line.startswith("| `flexwheel")]
    assert len(told) == len(CASES) >= 30
    for line in told:  # one line, that says what came and names no internals
        assert line.startswith("flexwheel: ") and "Traceback" not in line and line.count("flexwheel: ") == 1, line
