"""Results of the five papers beside this package's, a row for each figure and table of theirs.

The rows are in `data/papers.toml`. A figure of a row is a number of a check of `flexwheel verify`, recorded with the
distance by which it may move until somebody has to look at the row again.
"""

import tomllib
from math import inf
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from flexwheel.base.errors import FlexwheelError
from flexwheel.verification.checks_report import BEGIN, END, number

FILE = Path(__file__).parent / "data" / "papers.toml"
TITLES = {
    "000": "Symbolic real-time locomotive FEVE 3000",
    "001": "Weakly coupled real-time vehicle model, ML95",
    "002": "Longitudinal train dynamics inside multibody models",
    "003": "Detection of contact points, Manchester coach",
    "004": "Flexible wheelset, AS4 railcar on flexible track",
}


class PaperFigure(BaseModel):
    """A number of a row."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    quantity: str
    check: str  # of `flexwheel verify`
    of: str  # the quantity of that check
    paper: float | None = None  # the paper's number
    unit: str = ""
    recorded: float
    within: float  # [unit] of `recorded`
    least: float | None = None  # below it has moved as well, where `within` reaches to zero
    ground: str  # of `within` and `least`

    @model_validator(mode="after")
    def _two_sided(self):
        if self.least is None and 0.0 < self.recorded <= self.within:
            raise ValueError(f"{self.quantity}: within {self.within} of {self.recorded} a zero passes; give `least`")
        return self


class PaperRow(BaseModel):
    """A figure, table or statement of a paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    item: str
    kind: Literal["result", "sketch", "listing"]
    place: str = ""  # section and page of the paper
    shows: str
    ours: str = ""
    cause: Literal["", "none", "data", "method", "mesh", "misprint", "machine", "open"] = ""  # of the difference
    reason: str = ""
    evidence: str = ""  # page of the documents
    command: str = ""
    picture: tuple[str, ...] = ()  # of ours, by `flexwheel papers --pictures`, beside the page
    figure: tuple[PaperFigure, ...] = ()

    @model_validator(mode="after")
    def _whole(self):
        if self.kind == "result" and not all((self.place, self.ours, self.cause, self.evidence, self.command)):
            raise ValueError(f"paper {self.paper}, {self.item}: a result has place, ours, cause, evidence and command")
        if self.cause not in ("", "none") and not self.reason:
            raise ValueError(f"paper {self.paper}, {self.item}: a difference has a reason")
        return self


def paper_rows(path=FILE) -> list[PaperRow]:
    """Rows in the order of the file."""
    with Path(path).open("rb") as file:
        return [PaperRow.model_validate(found) for found in tomllib.load(file)["row"]]


def checks_of(rows) -> list[str]:
    """Names of the checks that the rows' figures stand on, each once."""
    return list(dict.fromkeys(figure.check for found in rows for figure in found.figure))


def drifts(rows, outcomes) -> list[str]:
    """What has moved, a line each: figures that are missing, or farther from their record than they may be.

    rows : list of PaperRow    outcomes : list of Outcome   of the checks that they stand on
    """
    values = {outcome.check.name: {row.quantity: row.value for row in outcome.rows} for outcome in outcomes}
    lines = [f"{outcome.check.name}: {outcome.error}" for outcome in outcomes if outcome.error]
    for found in rows:
        for figure in found.figure:
            at = f"paper {found.paper}, {found.item}, {figure.quantity}"
            value = values.get(figure.check, {}).get(figure.of)
            if value is None:
                lines.append(f"{at}: check {figure.check!r} gave no {figure.of!r}")
            elif not abs(value - figure.recorded) <= figure.within or value < (figure.least or -inf):
                least = "" if figure.least is None else f", at least {number(figure.least)}"
                lines.append(
                    f"{at}: {number(value)} {figure.unit}, recorded {number(figure.recorded)}, "
                    f"within {number(figure.within)}{least} ({figure.ground})"
                )
    return lines


def markdown(rows) -> str:
    """The rows as a page's text, a section for each paper."""
    lines = []
    for paper in dict.fromkeys(found.paper for found in rows):
        lines += [f"## Paper {paper}: {TITLES[paper]}", ""]
        own = [found for found in rows if found.paper == paper]
        lines += [line for found in own if found.kind == "result" for line in _section(found)]
        lines += ["Sketches and listings:", ""]
        for found in (found for found in own if found.kind != "result"):
            here = f" Here: {found.ours}." if found.ours else ""
            lines.append(f"- {found.item} ({found.kind}): {found.shows}.{here}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _section(found):
    page, _, place = found.evidence.partition(", ")
    cause = "none" if found.cause == "none" else f"{found.cause}: {found.reason}"
    lines = [
        f"### {found.item[0].upper()}{found.item[1:]}",
        "",
        f"- The paper ({found.place}): {found.shows}.",
        f"- Here: {found.ours}.",
        f"- Difference: {cause}.",
        f"- Where: [{page.removesuffix('.md')}]({page}){f', {place}' if place else ''}; `{found.command}`",
        "",
    ]
    for picture in found.picture:
        lines += [f"![{found.item}, here](images/{picture})", ""]
    if found.figure:
        lines += ["| quantity | paper | here | difference | unit |", "|---|---:|---:|---:|---|"]
        for figure in found.figure:
            lines.append(
                f"| {figure.quantity} | {number(figure.paper)} | {number(figure.recorded)} | {_difference(figure)} "
                f"| {figure.unit} |"
            )
        lines.append("")
    return lines


def _difference(figure):
    if not figure.paper:
        return ""
    return "0 %" if figure.recorded == figure.paper else f"{100.0 * (figure.recorded / figure.paper - 1.0):+.3g} %"


def page(before, rows) -> str:
    """Text of the page `before` with the rows between its marks.

    Raises
    ------
    FlexwheelError    the page has no marks
    """
    if BEGIN not in before or END not in before:
        raise FlexwheelError(f"a page of papers needs the marks {BEGIN} and {END}")
    head, _, rest = before.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{markdown(rows)}\n{END}{rest.partition(END)[2]}"
