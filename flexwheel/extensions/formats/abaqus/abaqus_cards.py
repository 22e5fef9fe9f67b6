"""Abaqus input split into keyword cards with their data lines and line numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.mesh_text import MeshText, parse_id, parse_ids, parse_real, plain_table
from flexwheel.extensions.formats.raw_mesh import carrying_cards

_PARAMETER = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9 _-]*(?:=|,|$)|$)")
_BLANKED = (
    "RIGID BODY,SOLID SECTION,SHELL SECTION,BEAM SECTION,END STEP,REF NODE,ROT NODE,TIE NSET,PIN NSET,"
    "POSITION TOLERANCE,CONSTRAINT NAME,CYCLIC SYMMETRY"
).split(",")
_BLANKLESS = {  # CalculiX reads keywords and options without their blanks
    name.replace(" ", ""): name for name in (*sum(carrying_cards("abaqus").values(), _BLANKED),) if " " in name
}
MOST_CONTINUED = 50  # lines of one keyword


@dataclass(frozen=True)
class Card:
    """One keyword with its parameters and data lines, comments removed."""

    keyword: str  # upper case, single blanks
    parameters: dict[str, str]  # upper-case name -> value as written, without quotes
    line: int  # row in the text
    data: list[str]
    data_lines: Sequence[int]  # row of each data line
    text: MeshText

    def at(self, row: int | None = None) -> str:
        """`file:line` of the card, or of a row of its data."""
        return self.text.at(self.line if row is None else row)

    def get(self, name: str, default: str = "") -> str:
        return self.parameters.get(name, default)


def include_name(lines: list[str]) -> tuple[str, int]:
    """File that an *INCLUDE line names, and the one line it takes."""
    _, parameters = _parameters(lines[0])
    return parameters.get("INPUT", ""), 1


def abaqus_cards(text: MeshText) -> Iterator[Card]:
    """Cards in the order of the file; rows count from 1."""
    lines = text.lines
    starts = [i for i, line in enumerate(lines) if line.lstrip().startswith("*")]
    comments = {i for i in starts if lines[i].lstrip().startswith("**")}
    heads = [i for i in starts if i not in comments]
    for head, following in zip(heads, [*heads, len(lines)][1:], strict=True):
        first, keyword_line = head + 1, lines[head]
        while keyword_line.rstrip().endswith(",") and first < following:
            if not _PARAMETER.match(lines[first]) or first - head > MOST_CONTINUED:
                raise MeshError(
                    f"{text.at(first + 1)}: the line before ends in a comma, but this is no further parameter"
                )
            keyword_line, first = keyword_line.rstrip() + lines[first], first + 1
        body = [i for i in range(first, following) if i not in comments and lines[i].strip()]
        name, parameters = _parameters(keyword_line)
        yield Card(name, parameters, head + 1, [lines[i] for i in body], [i + 1 for i in body], text)


def fields(line: str) -> list[str]:
    """Comma-separated fields, stripped, empty ones at the end removed."""
    parts = [part.strip() for part in line.split(",")]
    while parts and not parts[-1]:
        parts.pop()
    return parts


def element_records(card: Card, width: int) -> tuple[list[int], list[list[int]]]:
    """Ids and node ids of an *ELEMENT card, `width` nodes each; long records run over several lines."""
    table = plain_table(card.data, [("id", np.int64), ("nodes", np.int64, width)])
    if table is not None:
        return table["id"].tolist(), table["nodes"].tolist()
    ids, rows = [], []
    record: list[int] = []
    for line, number in zip(card.data, card.data_lines, strict=True):
        try:
            record += parse_ids(fields(line))
        except ValueError as error:
            raise MeshError(f"{card.at(number)}: element data '{line.strip()[:60]}': {error}") from None
        if not record:
            raise MeshError(f"{card.at(number)}: an empty line of element data")
        if len(record) == width + 1:
            ids.append(record[0])
            rows.append(record[1:])
            record = []
        elif len(record) > width + 1 or not (line.rstrip().endswith(",") or width > 8):
            raise MeshError(
                f"{card.at(number)}: element {record[0]} of TYPE={card.get('TYPE')} has {len(record) - 1} nodes, "
                f"expected {width}"
            )
    if record:
        raise MeshError(
            f"{card.at(card.data_lines[-1])}: element {record[0]} of TYPE={card.get('TYPE')} ends after "
            f"{len(record) - 1} of {width} nodes: is the file truncated?"
        )
    return ids, rows


def node_records(card: Card) -> tuple[list[int], list[list[float]]]:
    """Ids and coordinates of a *NODE card; coordinates left out are zero."""
    table = plain_table(card.data, [("id", np.int64), ("place", np.float64, 3)])
    if table is not None:
        return table["id"].tolist(), table["place"].tolist()
    ids, rows = [], []
    for line, number in zip(card.data, card.data_lines, strict=True):
        parts = line.split(",")
        try:
            ids.append(parse_id(parts[0]))
            xyz = [parse_real(part) for part in parts[1:4]]
        except ValueError as error:
            raise MeshError(
                f"{card.at(number)}: node data '{line.strip()[:60]}' are not a number and three reals: {error}"
            ) from None
        rows.append(xyz + [0.0] * (3 - len(xyz)))
    return ids, rows


def real_records(card: Card) -> list[list[float]]:
    """Data lines of reals."""
    try:
        return [[parse_real(part) for part in fields(line)] or [0.0] for line in card.data]
    except ValueError as error:
        raise MeshError(f"{card.at()}: *{card.keyword}: {error}") from None


def _parameters(line: str) -> tuple[str, dict[str, str]]:
    """Keyword and parameters of `*KEYWORD, NAME=value, FLAG`."""
    head, *rest = line.strip().lstrip("*").split(",")
    parameters = {}
    for part in rest:
        name, _, value = part.partition("=")
        if name.strip():
            name = " ".join(name.upper().split())
            parameters[_BLANKLESS.get(name, name)] = value.strip().strip('"')
    keyword = " ".join(head.upper().split())
    return _BLANKLESS.get(keyword, keyword), parameters
