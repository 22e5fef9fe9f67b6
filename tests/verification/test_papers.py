"""The page of the papers: whole rows, figures that exist, a drift that is seen."""

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from flexwheel.verification.check_registry import Check, Outcome, information, load_checks
from flexwheel.verification.paper_rows import PaperRow, checks_of, drifts, page, paper_rows

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
    places = [(row.paper, row.item) for row in rows]
    assert len(places) == len(set(places))


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


def _of(rows, outcome):
    return [figure for row in rows for figure in row.figure if figure.check == outcome.check.name]


def test_a_result_without_cause_is_refused():
    with pytest.raises(ValidationError, match="cause, evidence and command"):
        PaperRow(paper="000", item="x", kind="result", shows="y", ours="z")
    with pytest.raises(ValidationError, match="has a reason"):
        PaperRow(paper="000", item="x", kind="result", shows="y", ours="z", cause="data", evidence="a.md", command="b")
