"""flexwheel verify --list as lines and as JSON."""

import json

from flexwheel.face.cli import main


def test_checks_are_listed_as_lines_and_as_json(capsys):
    printed = []
    for words in (["verify", "--list"], ["verify", "--list", "--json"]):
        main(words)
        printed.append(capsys.readouterr().out)
    listed = json.loads(printed[1])
    assert len(listed) == len(printed[0].splitlines()) > 50
    assert all(set(item) == {"check", "subject", "slow"} and item["check"] in printed[0] for item in listed)
