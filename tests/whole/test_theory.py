"""docs/theory.md is what the marks in the code say, and no numbered equation of a paper is passed over."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
SPEC = importlib.util.spec_from_file_location("theory", DOCS / "theory.py")
theory = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(theory)

LAST = {"000": 43, "001": 0, "002": 11, "003": 24, "004": 24}


def test_page_is_current_and_every_equation_has_a_mark_or_a_reason():
    assert (DOCS / "theory.md").read_text(encoding="utf-8") == theory.page(), "python docs/theory.py --write"


def test_every_number_is_listed():
    for paper, content in theory.equations().items():
        numbers = [int(e) for e in content["equations"] if e.isdigit()]
        assert numbers == list(range(1, LAST[paper] + 1)), paper


def test_mark_that_no_paper_has_is_an_error(monkeypatch):
    monkeypatch.setattr(theory, "marks", lambda: {("000", "44"): ["here"]})
    with pytest.raises(ValueError, match=r"mark 000 \(44\): here"):
        theory.page()


def test_ranges_and_lists_of_a_mark():
    assert list(theory.named("(3), (5)-(7)")) == ["3", "5", "6", "7"]
    match = theory.MARK.search("x = 1  # 001 (knife edge), turned")
    assert match.group(1) == "001" and list(theory.named(match.group(2))) == ["knife edge"]
