"""A report as PDF to print: the same blocks, figures by matplotlib, pages by fpdf2."""

import io
from pathlib import Path

import numpy as np

from flexwheel.assess.figures.report_blocks import Listing, Picture, Plot, Table, Text, require
from flexwheel.assess.figures.style import COLOURS, envelope, label, names_are_no_formulas, new_figure, shade
from flexwheel.base.output_files import write_whole

MARGIN, WIDTH = 15.0, 180.0  # [mm] of an A4 page
LARGE, SMALL = 10.0, 6.5  # [pt] of text; of tables and listings


def write_pdf(report, path):
    """Write a Report as PDF, whole or not at all.

    Raises
    ------
    FlexwheelError      where fpdf2 is not installed
    """
    require("fpdf")
    import fpdf
    import matplotlib

    class Pages(fpdf.FPDF):
        def footer(self):
            self.set_y(-10.0)
            self.set_font("page", "", SMALL)
            self.cell(0.0, 4.0, f"{report.title}, page {self.page_no()} of {{nb}}", align="R")

    pages = Pages(format="A4")
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for style, name in (("", "DejaVuSans.ttf"), ("B", "DejaVuSans-Bold.ttf")):
        pages.add_font("page", style, fonts / name)
    pages.set_margin(MARGIN)
    pages.set_auto_page_break(True, MARGIN)
    pages.set_title(report.title)
    pages.add_page()
    _words(pages, report.title, 16.0, "B")
    for line in report.lines:
        _words(pages, line)
    for section in report.sections:
        pages.ln(4.0)
        _words(pages, section.title, 13.0, "B")
        for block in section.blocks:
            _block(pages, block)
    write_whole(path, lambda part: pages.output(str(part)))


def _words(pages, text, size=LARGE, style=""):
    if style and pages.will_page_break(25.0):  # no heading by itself at the foot of a page
        pages.add_page()
    pages.set_font("page", style, size)
    pages.multi_cell(0.0, 0.5 * size, text, align="L", new_x="LMARGIN", new_y="NEXT")
    pages.ln(0.1 * size)


def _block(pages, block):
    """One block at the place the pages have come to."""
    if isinstance(block, Text):
        _words(pages, block.text)
    elif isinstance(block, Listing):
        _words(pages, block.name, style="B")
        _words(pages, block.text, SMALL)
    elif isinstance(block, Picture):
        pages.image(str(block.path), w=WIDTH)
        _words(pages, block.caption, SMALL)
        pages.ln(3.0)
    elif isinstance(block, Table):
        _table(pages, block)
    else:
        stream = io.BytesIO()
        drawn(block).savefig(stream, dpi=110)
        pages.image(stream, w=WIDTH)
        pages.ln(4.0)


def _table(pages, block):
    """A table whose columns are as wide as their longest words ask for."""
    if block.caption:
        _words(pages, block.caption, style="B")
    pages.set_font("page", "", SMALL)
    columns = zip(block.head, *block.rows, strict=True)
    widths = [min(40, 4 + max(map(len, column))) for column in columns]
    with pages.table(col_widths=widths, line_height=3.4, text_align="LEFT", borders_layout="HORIZONTAL_LINES") as table:
        for cells in (block.head, *block.rows):
            row = table.row()
            for cell in cells:
                row.cell(cell)
    pages.ln(3.0)


def drawn(plot: Plot):
    """Figure of a Plot."""
    figure, (axis,) = new_figure(1, plot.title, height=4.2)
    for k, curve in enumerate(plot.curves):
        colour = COLOURS[k % len(COLOURS)]
        pen = dict(linewidth=2.4 if curve.wide else 0.9, color=colour, label=curve.name)
        axis.plot(*envelope(curve.x, curve.y), "o-" if curve.dots else "-", markersize=3, **pen)
        if curve.low is not None:
            axis.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.25, linewidth=0.0)
    for text, value in plot.limits:
        axis.axhline(value, color="black", linestyle="--", linewidth=1.0, label=text)
    if plot.log_x:
        axis.set_xscale("log")
    if plot.log_y and any(np.any(np.asarray(curve.y) > 0.0) for curve in plot.curves):
        axis.set_yscale("log")
    shade([axis], plot.stretches)
    label(axis, plot.x, plot.y)
    names_are_no_formulas(figure)
    return figure
