"""The frame of the checks: verdicts, errors, the table."""

import json

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.face.cli import main
from flexwheel.verification import check_registry as registry
from flexwheel.verification import norms, self_test
from flexwheel.verification.check_registry import (
    Ground,
    GroundKind,
    Judgement,
    bound,
    check,
    claim,
    distance,
    exact,
    floor,
    information,
    load_checks,
    row,
    run_check,
)
from flexwheel.verification.checks_report import BEGIN, END, markdown, plain, update_table
from tests import rooms

THEORY = exact("theory")


@pytest.fixture
def own_list(monkeypatch):
    monkeypatch.setattr(registry, "CHECKS", {})
    monkeypatch.setattr(registry, "load_checks", lambda: list(registry.CHECKS.values()))


def test_levels_miss_no_band_of_the_reference():
    """A band that is no number, or nothing, in the measured alone fails; the reference decides which bands exist."""
    reference = np.array([np.nan, 1.0, 2.0, 1e-4])  # the last is 86 dB below the highest
    for measured, passes in (
        ([3.0, 1.05, 2.0, 1.0], True),
        ([3.0, 1.07, 2.0, 1e-4], False),
        ([3.0, 1.0, np.nan, 1e-4], False),
        ([3.0, 0.0, 2.0, 1e-4], False),
    ):
        assert distance("f", np.array(measured), reference, 0.5, "dB", "", norms.levels).passed is passes
    assert distance("f", reference, np.full(4, np.nan), 0.5, "dB", "", norms.levels).passed is False


def test_rows_pass_and_fail():
    assert row("f", 1.004, 1.0, relative=0.005).passed is True
    assert row("f", 1.006, 1.0, relative=0.005).passed is False
    assert row("f", -3.0, -3.1, absolute=0.2).passed is True
    assert row("f", 5.0, 4.0).passed is None
    assert bound("x", 0.1, 0.2).passed and not bound("x", 0.3, 0.2).passed
    assert floor("x", 0.3, 0.2).passed and not floor("x", 0.1, 0.2).passed
    assert information("x", 3.0).passed is None


def test_errors_and_nan_are_failures(own_list):
    @check("raises", subject="Finite elements")
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
    @check("good", subject="Reduction", ground=THEORY)
    def good():
        return [row("f", 10.0, 10.01, "Hz", relative=0.01, source="theory")]

    table = tmp_path / "verification.md"
    table.write_text(f"# Mine\n\nprose\n\n{BEGIN}\nold\n{END}\nafter\n")
    main_ends(0, "verify", "--table", str(table))
    text = table.read_text()
    assert (
        "prose" in text and "after" in text and "old" not in text and "| f | 10 | 10.01 | Hz | +- 1 % | pass |" in text
    )

    @check("bad", ground=THEORY)
    def bad():
        return [bound("x", 2.0, 1.0)]

    capsys.readouterr()
    main_ends(1, "verify", "--json")
    told = capsys.readouterr()
    assert [item["passed"] for item in json.loads(told.out)] == [True, False]
    assert "good ... pass; about 1 s left" in told.err and "bad ... FAIL" in told.err
    main_ends(0, "verify", "--only", "good")
    mesh = tmp_path / "box.inp"
    mesh.write_text("*NODE\n")
    for other in (mesh, tmp_path):
        main_ends(2, "verify", "--table", str(other))
    assert mesh.read_text() == "*NODE\n"


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
    @check("early (first)", subject="Finite elements", ground=THEORY)
    def early():
        return [row("f", 10.0, 10.01, "Hz", relative=0.01, source="theory")]

    @check("late", ground=THEORY)
    def late():
        return [bound("x", 2.0, 1.0)]

    first, second = (run_check(item) for item in registry.load_checks())
    both = update_table(update_table("", [second]), [first])
    assert "1 of 2 checks pass" in both
    assert both.index("## Finite elements") < both.index("### early (first) (") < both.index("## Further checks")
    again = update_table(both, [first])
    assert again.count("###") == 2 and again == both


def test_shipped_checks_load_and_have_names():
    checks = load_checks()
    assert len({item.name for item in checks}) == len(checks) >= 3
    assert all(item.function.__doc__ for item in checks)


def test_a_limit_has_a_ground(own_list):
    @check("groundless")
    def groundless():
        return [row("f", 1.0, 1.0, relative=0.1), bound("x", 0.0, 1.0, ground=claim("said so"))]

    outcome = run_check(registry.CHECKS["groundless"])
    assert not outcome.passed and outcome.error == "a limit without ground: f"
    with pytest.raises(ValueError, match="one line"):
        Ground(GroundKind.EXACT, "")


def outcome_of(own_list, *rows):
    registry.CHECKS.clear()
    check("c", ground=THEORY)(lambda: list(rows))
    return run_check(registry.CHECKS["c"])


def test_self_test_lets_honest_checks_pass(own_list):
    history = np.sin(np.linspace(0.0, 9.0, 200))
    good = outcome_of(
        own_list, row("f", 10.0, 10.01, "Hz", relative=0.01), bound("steps not converged", 0.0, 0.0),
        distance("y", history + 0.01, history, 5.0, "%", norm=norms.rms_relative, scale=100.0),
        distance("z", 1j * history, 1j * history, 0.01), information("t", 3.0),
    )  # fmt: skip
    assert good.passed and self_test.self_test([good]) == []


def test_self_test_lists_limits_that_cannot_fail(own_list):
    """A limit above the signal, a comparison that is blind, a count where zero is the answer of no model at all."""
    signal = 0.3 * np.cos(np.linspace(0.0, 30.0, 300))
    loose = outcome_of(own_list, distance("Y", 0.5 * signal, signal, 0.6, "kN", norm=norms.rms))
    assert loose.passed and ("Y", "zero") in [(u.quantity, u.wrong) for u in self_test.unnoticed(loose)]
    wide = outcome_of(own_list, row("Fx", 1.1, 1.4, "kN", absolute=1.5))
    assert ("Fx", "zero") in [(u.quantity, u.wrong) for u in self_test.unnoticed(wide)]
    blind = outcome_of(own_list, distance("Y", signal, signal, 0.1, norm=lambda a, b: 0.0))
    assert ("Y", "three tolerances off") in [(u.quantity, u.wrong) for u in self_test.unnoticed(blind)]
    counts = outcome_of(own_list, bound("lost", 0.0, 0.0))
    assert [(u.quantity, u.wrong) for u in self_test.unnoticed(counts)] == [("", "zero for every quantity")]
    nothing = outcome_of(own_list, information("x", 1.0))
    assert [u.wrong for u in self_test.unnoticed(nothing)] == ["it has no limit"]


def test_self_test_of_the_command(own_list, capsys):
    @check("good", ground=THEORY)
    def good():
        return [row("f", 10.0, 10.01, "Hz", relative=0.01)]

    main_ends(0, "verify", "--self-test")
    assert "1 limits of 1 checks asked: 0 wrong answers would pass" in capsys.readouterr().out

    @check("loose", ground=THEORY)
    def loose():
        return [row("f", 1.0, 1.1, "Hz", absolute=2.0)]

    main_ends(2, "verify", "--self-test")
    said = capsys.readouterr()
    assert "loose: f: passes with zero" in said.out and "would pass" in said.err
    main_ends(2, "verify", "--self-test", "--json")
    assert {"check": "loose", "quantity": "f", "wrong": "zero"} in json.loads(capsys.readouterr().out)["unnoticed"]


SIMPLIFIED = "Simplified model: knife-edge contact in closed form", "Simplified model: Klingel motion"


@pytest.mark.parametrize(
    "name",
    [
        "Pinned-pinned frequency",
        "FASTSIM against Kalker 1982 with three flexibilities",
        *rooms.left(dict.fromkeys(SIMPLIFIED), {"systems/reduced": SIMPLIFIED}),
    ],
)
def test_quick_checks_notice_wrong_answers(name):
    load_checks()
    outcome = run_check(registry.CHECKS[name])
    assert outcome.passed, outcome.error
    assert self_test.unnoticed(outcome) == []
    assert all(r.ground is not None for r in outcome.rows if r.kind is not Judgement.INFORMATION)
