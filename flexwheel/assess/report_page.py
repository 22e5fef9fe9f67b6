"""The page of a run in its report: within it, whole or with few samples; where it is not whole, beside it as well."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from flexwheel.assess.figures.report_blocks import MovingPage, ReportSection
from flexwheel.base.kind import PAGES, ViewOptions
from flexwheel.base.output_files import write_whole
from flexwheel.results.files import read_results

MOST = 3e6  # [byte] of a whole page within a report; a report is to be sent by mail
MOST_SMALL = 6e6  # [byte] of one with few samples, which then is all that moves in the report
SAMPLES = 2000  # of it: 14 s at 7 ms


def with_page(report, folder, target, say):
    """(Report with the page of a run as its second section, files written beside `target`).

    folder : of the run; target : Path of the report; say : callable(str)
    """
    results = read_results(folder)
    text, small, beside = _page(results, say), "", target.with_name(f"{target.stem}_run.html")
    whole = len(text.encode()) <= MOST
    if not whole:
        write_whole(beside, lambda part: part.write_text(text, encoding="utf-8"))
        found = _page(results, say, SAMPLES)
        small = found if len(found.encode()) <= MOST_SMALL else ""
    within = text if whole else small
    block = MovingPage(_words(within or text), within, "" if whole else beside.name, _words(text))
    section = ReportSection("The run, moving", (block,), "page")
    first, *others = report.sections
    return replace(report, sections=(first, section, *others)), [] if whole else [beside]


def _page(results, say, samples=None):
    """Text of a run's page."""
    with TemporaryDirectory() as name:
        file = Path(name) / "run.html"
        PAGES.require("web", "report --web").make((results,), file, say, ViewOptions(samples=samples))
        return file.read_text(encoding="utf-8")


def _words(text):
    return f"{len(text.encode()) / 1e6:.1f} MB"
