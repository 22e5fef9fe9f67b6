"""What a report is made of: sections of texts, tables, plots and pictures; report_html writes them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Curve:
    """One curve of a plot, and the band it lies in where that is known."""

    name: str
    x: object  # (n,)
    y: object  # (n,)
    low: object = None  # (n,) lower and upper bound
    high: object = None
    dots: bool = False  # whether its points are marked
    wide: bool = False  # so that another one on it leaves it to be seen


@dataclass(frozen=True)
class Plot:
    """Curves over one axis."""

    title: str
    x: str  # label with unit
    y: str
    curves: tuple[Curve, ...]
    log_x: bool = False
    log_y: bool = False
    limits: tuple[tuple[str, float], ...] = ()  # horizontal lines
    stretches: tuple[tuple[str, float, float], ...] = ()  # of the track, over x: kind, start, end


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str
    look: str = ""  # "lead": the answer; "warn": what the reader must not miss


@dataclass(frozen=True)
class Table:
    """Rows of texts under a head."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Listing:
    """A file's text, to be copied or saved under its name."""

    name: str
    text: str


@dataclass(frozen=True)
class ReportPicture:
    """Content of a PNG file."""

    caption: str
    png: bytes


@dataclass(frozen=True)
class MovingPage:
    """An HTML page of its own: its text, and its address where the whole of it lies beside the report."""

    caption: str
    text: str
    address: str
    beside: str = ""  # caption of the address


@dataclass(frozen=True)
class Drawing:
    """A vehicle from the side: what stands in its file, in metres, x along running and z up."""

    caption: str
    boxes: tuple[tuple[str, float, float, float, float], ...]  # body: name, lower and upper x, lower and upper z
    wheels: tuple[tuple[str, float, float], ...]  # wheelset: name, x, radius
    elements: tuple[tuple[float, float, float, float], ...]  # force elements: x and z of both ends


@dataclass(frozen=True)
class ReportSection:
    """A chapter of the report."""

    title: str
    blocks: tuple
    name: str = ""  # in the `order` of a template
    appendix: bool = False


@dataclass(frozen=True)
class Report:
    """Everything in it, in order."""

    title: str
    lines: tuple[str, ...]  # under the title: vehicle, speed, date, version
    sections: tuple[ReportSection, ...]


def require(module):
    """The module of an optional library.

    Raises
    ------
    FlexwheelError      where it is not installed, in one line
    """
    import importlib.util

    from flexwheel.base.errors import FlexwheelError

    if importlib.util.find_spec(module) is None:
        raise FlexwheelError(f"{module} is not installed: pip install 'flexwheel[report]'")
