"""What a user's own template of a report may say: order of the sections, logo, names, language, look."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from flexwheel.assess.collective import read_collective
from flexwheel.assess.evaluate.en14363_limits import ASSUMED, READ, read_limits
from flexwheel.assess.evaluate.en14363_quantities import NAMES
from flexwheel.assess.evaluate.strength_grades import read_grades, zone_limit
from flexwheel.assess.figures.report_language import language_of
from flexwheel.assess.nominal_stress import parse_zone
from flexwheel.base.errors import ScenarioError, of_place
from flexwheel.base.input_files import clipped, read_text, read_toml, regular_file

LARGEST_LOGO, LONGEST = 2_000_000, 500  # [byte, letters]
IMAGES = ((b"\x89PNG\r\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))
TEXTS = ("author", "client", "revision", "language", "limits", "grade", "grades", "logo", "page", "style", "collective")
LISTS = {"order": "sections", "zones": "zones"}


@dataclass(frozen=True)
class ReportTemplate:
    """A template as read; empty fields are those of the shipped one."""

    author: str = ""
    client: str = ""
    revision: str = ""
    limits: str = READ  # of EN 14363: file, or name of a shipped one
    grade: str = ""  # of steel, that the stress of control nodes is judged by
    table: object = None  # strength_grades.read_grades
    zones: tuple = ()  # (name, first, last [m]): where |y| is in which zone of the grade
    collective: object = None  # collective.Collective
    order: tuple[str, ...] = ()  # names of sections behind the first page; (): all
    logo: tuple[str, bytes] = ()  # kind of image, content
    page: str = ""  # jinja2 of the page
    style: str = ""  # CSS behind the shipped one
    phrases: object = None  # report_language.Phrases
    place: str = ""  # its file

    def chosen(self, parts, known):
        """Names of the sections to be made, in order.

        parts : names that the report has, known : that another one may have

        Raises
        ------
        ScenarioError       a name that no section has
        """
        names = [*parts, *known, "results", "comparison"]
        for name in self.order:
            if name not in names:
                close = difflib.get_close_matches(name, names, 1)
                hint = f"; did you mean {close[0]!r}?" if close else f": {', '.join(dict.fromkeys(names))}"
                raise ScenarioError(f"{self.place}: order: no section is called {clipped(repr(name))}{hint}")
        return [name for name in self.order if name in parts] if self.order else list(parts)


PLAIN = ReportTemplate()


def read_template(path):
    """ReportTemplate of a TOML file; files that it names lie beside it.

    Raises
    ------
    ScenarioError       naming file and key: unknown key, wrong type, missing file, no image, a wrong language
    """
    if path is None:
        return ReportTemplate(phrases=language_of("en"))
    data = read_toml(path, "a template of a report (TOML)")
    for key, value in data.items():
        if key not in (*TEXTS, *LISTS):
            raise ScenarioError(f"{path}: key {clipped(key)} must be one of {', '.join((*TEXTS, *LISTS))}")
        if key in LISTS:
            if not isinstance(value, list) or not all(isinstance(name, str) for name in value) or not value:
                got = clipped(repr(value))
                raise ScenarioError(f"{path}: {key} must be a list of names of {LISTS[key]}, got {got}")
            if len(set(value)) < len(value):
                raise ScenarioError(f"{path}: {key} names a {LISTS[key][:-1]} twice: {clipped(', '.join(value))}")
        elif not isinstance(value, str) or not value.isprintable() or not 0 < len(value.strip()) <= LONGEST:
            raise ScenarioError(
                f"{path}: {key} must be printable text of 1 to {LONGEST} letters, got {clipped(repr(value))}"
            )
    folder = Path(path).parent
    limits = data.get("limits", READ)
    if limits not in (READ, ASSUMED):
        limits = str(folder / limits)
        read_limits(limits, NAMES)
    if ("grade" in data) != ("grades" in data) or ("zones" in data and "grade" not in data):
        raise ScenarioError(f"{path}: grade must be given with grades (a file, or assumed), and zones with both")
    table = None
    if "grades" in data:
        table = read_grades(data["grades"] if data["grades"] == ASSUMED else folder / data["grades"])
        if data["grade"] not in (known := dict.fromkeys(grade for grade, _ in table)):
            raise ScenarioError(f"{path}: grade must be one of {', '.join(known)}, got {clipped(repr(data['grade']))}")
    beside = lambda key, what: read_text(folder / data[key], what) if key in data else ""  # noqa: E731
    return ReportTemplate(
        **{key: data.get(key, "") for key in ("author", "client", "grade", "revision")},
        limits=limits,
        table=table,
        zones=_zones(path, data.get("zones", ()), data.get("grade"), table),
        collective=read_collective(folder / data["collective"]) if "collective" in data else None,
        order=tuple(data.get("order", ())),
        logo=_logo(folder / data["logo"]) if "logo" in data else (),
        page=beside("page", f"a page in jinja2 ({path}: page)"),
        style=beside("style", f"a style sheet in CSS ({path}: style)"),
        phrases=language_of(data.get("language", "en"), folder),
        place=str(path),
    )


def _zones(path, texts, grade, table):
    """(name, first, last [m]) of zones that the grade has."""
    with of_place(f"{path}: zones"):
        found = tuple(map(parse_zone, texts))
        for name, *_ in found:
            zone_limit(table, grade, name)
    return found


def _logo(path):
    data = regular_file(path, "a logo (PNG, JPEG, GIF or SVG)").read_bytes()
    kinds = [kind for start, kind in IMAGES if data.startswith(start)]
    if not kinds and b"<svg" in data[:2000]:
        kinds = ["image/svg+xml"]
    if not kinds or len(data) > LARGEST_LOGO:
        got = f"{len(data) / 1e6:.1f} MB" if kinds else repr(data[:12])
        raise ScenarioError(f"{path}: logo must be a PNG, JPEG, GIF or SVG image of at most 2 MB, got {got}")
    return kinds[0], data
