"""Pages that commands make are current."""

from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_page_of_keys_is_current():
    """Else: python docs/keys_document.py > docs/scenario.md"""
    from docs.keys_document import scenario_document

    assert (DOCS / "scenario.md").read_text(encoding="utf-8") == scenario_document()


def test_page_of_results_is_current():
    """Else: python docs/results_document.py > docs/results.md"""
    from docs.results_document import results_document

    assert (DOCS / "results.md").read_text(encoding="utf-8") == results_document()
