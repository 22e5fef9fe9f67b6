"""The frame of the checks: verdicts, errors, the table."""

import json

import pytest

from flexwheel.cli import main
from flexwheel.errors import MeshError
from flexwheel.verification import registry
from flexwheel.verification.registry import bound, check, floor, information, load_checks, row, run_check
from flexwheel.verification.report import BEGIN, END, markdown, plain, update_table


@pytest.fixture
def own_list(monkeypatch):
    monkeypatch.setattr(registry, "CHECKS", {})
    monkeypatch.setattr(registry, "load_checks", lambda: list(registry.CHECKS.values()))


def test_rows_pass_and_fail():
    assert row("f", 1.004, 1.0, relative=0.005).passed is True
    assert row("f", 1.006, 1.0, relative=0.005).passed is False
    assert row("f", -3.0, -3.1, absolute=0.2).passed is True
    assert row("f", 5.0, 4.0).passed is None
    assert bound("x", 0.1, 0.2).passed and not bound("x", 0.3, 0.2).passed
    assert floor("x", 0.3, 0.2).passed and not floor("x", 0.1, 0.2).passed
    assert information("x", 3.0).passed is None


def test_errors_and_nan_are_failures(own_list):
    @check("raises", point=2)
    def raises():
        raise MeshError("bad mesh")

    @check("nan")
    def nan():
        return [information("x", float("nan"))]

    @check("empty")
    def empty():
        return []

    outcomes = [run_check(item) for item in registry.load_checks()]
    assert [o.passed for o in outcomes] == [False, False, False]
    assert "MeshError: bad mesh" in outcomes[0].error and "not finite: x" in outcomes[1].error
    assert "bad mesh" in markdown(outcomes) and plain(outcomes)[0]["passed"] is False


def test_command_exit_codes_and_table(own_list, tmp_path, capsys):
    @check("good", point=3)
    def good():
        return [row("f", 10.0, 10.01, "Hz", relative=0.01, source="theory")]

    table = tmp_path / "verification.md"
    table.write_text(f"# Mine\n\nprose\n\n{BEGIN}\nold\n{END}\nafter\n")
    main_ends(0, "verify", "--table", str(table))
    text = table.read_text()
    assert (
        "prose" in text and "after" in text and "old" not in text and "| f | 10 | 10.01 | Hz | +- 1 % | pass |" in text
    )

    @check("bad")
    def bad():
        return [bound("x", 2.0, 1.0)]

    capsys.readouterr()
    main_ends(1, "verify", "--json")
    assert [item["passed"] for item in json.loads(capsys.readouterr().out)] == [True, False]
    main_ends(0, "verify", "--only", "good")


def main_ends(code, *arguments):
    ended = 0
    try:
        main(list(arguments))
    except SystemExit as stop:
        ended = stop.code or 0
    assert ended == code


def test_new_document_has_the_marks():
    assert BEGIN in update_table("", []) and END in update_table("", [])


def test_checks_not_run_keep_their_section(own_list):
    @check("early (first)", point=2)
    def early():
        return [row("f", 10.0, 10.01, "Hz", relative=0.01, source="theory")]

    @check("late")
    def late():
        return [bound("x", 2.0, 1.0)]

    first, second = (run_check(item) for item in registry.load_checks())
    both = update_table(update_table("", [second]), [first])
    assert "1 of 2 checks pass" in both
    assert both.index("## Point 2") < both.index("### early (first) (") < both.index("## Further checks")
    again = update_table(both, [first])
    assert again.count("###") == 2 and again == both


def test_shipped_checks_load_and_have_names():
    checks = load_checks()
    assert len({item.name for item in checks}) == len(checks) >= 3
    assert all(item.function.__doc__ for item in checks)
