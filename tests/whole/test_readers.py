"""docs/readers_test.md shows the messages that the program prints, answers of pages, and what the reader does next."""

import os
import re

import pytest

from tests.readers import CASES, PAGE, PAGES, page


def without_numbers(text):
    """A run that does not converge says how often; that may change with the step."""
    return re.sub(r"\d+", "0", text)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a message on rights that Windows does not tell")
def test_every_message_is_as_the_page_shows_it():
    made = page()
    assert without_numbers(PAGE.read_text(encoding="utf-8")) == without_numbers(made), "python -m tests.readers --write"
    told = [line.split(" | ")[1] for line in made.partition("## Pages")[0].splitlines() if line.startswith("| `")]
    assert len(told) == len(CASES) >= 30
    for line in told:  # one line, that says what came and names no internals
        assert "Traceback" not in line and line.count("flexwheel: ") == line.startswith("flexwheel: "), line


def test_every_answer_is_in_its_page():
    assert len(PAGES) >= 10
    for name, question, answer, _ in PAGES:
        text = " ".join((PAGE.parent / f"{name}.md").read_text(encoding="utf-8").split())
        quoted = re.findall(r"`(.+?)`(?=[ ,;.)]|$)", answer)
        assert quoted and question.endswith("?")
        for words in quoted:
            assert words in text, f"{name}: {words}"
