"""The page of the papers: whole rows, figures that exist, a drift that is seen."""

import os
import re
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from flexwheel.run.interrupts import Terminated, held_interrupt, termination_as_interrupt
from flexwheel.verification.check_registry import Check, Outcome, information, load_checks, run_check
from flexwheel.verification.paper_rows import PaperFigure, PaperRow, checks_of, drifts, page, paper_rows

DOCS = Path(__file__).parents[2] / "docs"


def _outcomes(rows):
    """Checks that give each figure as it is recorded."""
    for name in checks_of(rows):
        figures = [figure for row in rows for figure in row.figure if figure.check == name]
        found = tuple(information(figure.of, figure.recorded) for figure in figures)
        yield Outcome(Check(name, "", lambda: []), found, 0.0)


def test_the_page_holds_the_rows_as_they_are():
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    assert page(text, paper_rows()) == text


def test_rows_name_checks_pages_and_all_papers():
    rows = paper_rows()
    assert {row.paper for row in rows} == {"000", "001", "002", "003", "004"}
    assert set(checks_of(rows)) <= {item.name for item in load_checks()}
    assert all((DOCS / row.evidence.partition(", ")[0]).exists() for row in rows if row.evidence)
    assert all((DOCS / "images" / name).exists() for row in rows for name in row.picture)
    places = [(row.paper, row.item) for row in rows]
    assert len(places) == len(set(places))


def test_the_table_of_checks_has_every_check():
    text = (DOCS / "verification.md").read_text(encoding="utf-8")
    written = set(re.findall(r"^### (.*) \(\S+ s, [\d-]+\)$", text, re.MULTILINE))
    assert sorted({item.name for item in load_checks()} - written) == []


def test_a_figure_that_moved_or_is_missing_is_named():
    rows = paper_rows()
    outcomes = list(_outcomes(rows))
    assert drifts(rows, outcomes) == []
    first = outcomes[0].rows[0]
    figure = next(figure for row in rows for figure in row.figure if figure.of == first.quantity)
    for value in (
        figure.recorded + 1.01 * figure.within + 1e-9,
        figure.recorded - 1.01 * figure.within - 1e-9,
        float("nan"),
    ):
        moved = replace(outcomes[0], rows=(replace(first, measured=value), *outcomes[0].rows[1:]))
        (line,) = drifts(rows, [moved, *outcomes[1:]])
        assert figure.quantity in line
    assert len(drifts(rows, outcomes[1:])) == len(_of(rows, outcomes[0]))


def test_no_zero_passes_for_a_figure_that_is_none():
    rows = paper_rows()
    for outcome in _outcomes(rows):
        for i, found in enumerate(outcome.rows):
            recorded = {f.recorded for row in rows for f in row.figure if f.of == found.quantity}
            if recorded != {0.0}:
                zero = tuple(replace(r, measured=0.0) if k == i else r for k, r in enumerate(outcome.rows))
                moved = drifts(rows, [replace(outcome, rows=zero)])
                assert any(": 0 " in line for line in moved), found.quantity
    figure = next(f for row in rows for f in row.figure if f.least is not None)
    with pytest.raises(ValidationError, match="a zero passes"):
        PaperFigure(**{**figure.model_dump(), "least": None})


def test_an_end_asked_for_within_a_check_ends_it():
    def part_of_a_run():
        with held_interrupt() as release:
            os.kill(os.getpid(), signal.SIGTERM)
            with suppress(KeyboardInterrupt):
                release()  # as a run does, which then gives what it has
        return [][0]

    with termination_as_interrupt(), pytest.raises(Terminated, match="SIGTERM"):
        run_check(Check("cut off", "", part_of_a_run))


def _of(rows, outcome):
    return [figure for row in rows for figure in row.figure if figure.check == outcome.check.name]


def test_a_result_without_cause_is_refused():
    whole = dict(paper="000", item="x", kind="result", shows="y", ours="z", cause="none", evidence="a.md", command="b")
    PaperRow(**whole, place="page 1")
    for given in (whole, {"paper": "000", "item": "x", "kind": "result", "place": "page 1", "shows": "y", "ours": "z"}):
        with pytest.raises(ValidationError, match="place, ours, cause, evidence and command"):
            PaperRow(**given)
    with pytest.raises(ValidationError, match="has a reason"):
        PaperRow(**(whole | {"cause": "data", "place": "page 1"}))
