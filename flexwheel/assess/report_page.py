"""The page of a run in its report: within it where it is small, beside it where it is not."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from flexwheel.assess.figures.report_blocks import MovingPage, ReportSection
from flexwheel.base.kind import PAGES, ViewOptions
from flexwheel.base.output_files import write_whole
from flexwheel.results.files import read_results

MOST = 3e6  # [byte] of a page within a report; a report is to be sent by mail


def with_page(report, folder, target, say):
    """(Report with the page of a run as its second section, files written beside `target`).

    folder : of the run; target : Path of the report; say : callable(str)
    """
    make = PAGES.require("web", "report --web").make
    with TemporaryDirectory() as name:
        file = Path(name) / "run.html"
        make((read_results(folder),), file, say, ViewOptions())
        text = file.read_text(encoding="utf-8")
    size, beside = len(text.encode()), target.with_name(f"{target.stem}_run.html")
    if size > MOST:
        write_whole(beside, lambda part: part.write_text(text, encoding="utf-8"))
    block = MovingPage(f"{size / 1e6:.1f} MB", "" if size > MOST else text, beside.name if size > MOST else "")
    section = ReportSection("The run, moving", (block,), "page")
    first, *others = report.sections
    return replace(report, sections=(first, section, *others)), [beside] if size > MOST else []
