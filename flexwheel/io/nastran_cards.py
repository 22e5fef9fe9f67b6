"""Nastran bulk data split into cards: small, large and free fields, continuations, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flexwheel.errors import MeshError

_EXPONENT = re.compile(r"([0-9.])([+-]\d+)$")


_SMALL = [slice(8 * k, 8 * k + 8) for k in range(1, 9)]
_LARGE = [slice(16 * k - 8, 16 * k + 8) for k in range(1, 5)]


@dataclass
class BulkCard:
    """One card with its data fields (the name left out), each physical line filled up with blanks."""

    name: str
    fields: list[str]
    line: int

    def field(self, number: int) -> str:
        return self.fields[number] if number < len(self.fields) else ""


def bulk_cards(path: Path, lines: list[tuple[int, str]]) -> Iterator[BulkCard]:
    """Cards of bulk data lines (line number, text without comment); continuations follow their card."""
    card: BulkCard | None = None
    expected = ""
    for number, line in lines:
        name, fields, mark, following = _split(line)
        if name == "" or name[0] in "+*":
            if mark and expected and mark != expected:
                raise MeshError(f"{path}:{number}: continuation '{mark}' where '{expected}' was expected")
            if card is not None:
                card.fields += fields
            expected = following
            continue
        if card is not None:
            yield card
        card, expected = BulkCard(name, fields, number), following
    if card is not None:
        yield card


def real(path: Path, card: BulkCard, number: int, default: float = 0.0) -> float:
    """Field as a real; Nastran leaves out the E of an exponent (7.85-9) and writes D for it."""
    text = card.field(number).strip()
    if not text:
        return default
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return float(_EXPONENT.sub(r"\1e\2", re.sub("[dD]", "e", text)))
    except ValueError as error:
        raise MeshError(f"{path}:{card.line}: {card.name} field {number + 2}: '{text}' is not a number") from error


def integer(path: Path, card: BulkCard, number: int, default: int | None = None) -> int:
    """Field as an integer."""
    text = card.field(number).strip()
    if not text and default is not None:
        return default
    try:
        return int(text)
    except ValueError as error:
        raise MeshError(f"{path}:{card.line}: {card.name} field {number + 2}: '{text}' is not an integer") from error


def id_list(path: Path, card: BulkCard, first: int) -> list[int]:
    """Ids from field `first` on, with `a THRU b`."""
    words = [f.strip().upper() for f in card.fields[first:] if f.strip()]
    try:
        return expand_thru(words)
    except ValueError as error:
        raise MeshError(f"{path}:{card.line}: {card.name}: {error}") from error


def expand_thru(words: list[str]) -> list[int]:
    """Ids with runs `a THRU b [BY c]` written out; ValueError on anything else."""
    ids: list[int] = []
    k = 0
    while k < len(words):
        if words[k] == "THRU":
            if not ids or k + 1 >= len(words):
                raise ValueError("THRU without its two ends")
            last, step = int(words[k + 1]), 1
            k += 2
            if k + 1 < len(words) and words[k] == "BY":
                step = int(words[k + 1])
                k += 2
            ids += range(ids[-1] + step, last + 1, step)
        else:
            ids.append(int(words[k]))
            k += 1
    return ids


def _split(line: str) -> tuple[str, list[str], str, str]:
    """Name (without *; '', + or * continues), 8 fields or 4 large ones, own and following continuation mark."""
    if "," in line:
        parts = [part.strip() for part in line.split(",")]
        name = parts[0].upper()
        width = 4 if "*" in name else 8
        fields, last = parts[1 : width + 1], "".join(parts[width + 1 : width + 2])
        fields += [""] * (width - len(fields))
    else:
        line = line.expandtabs(8) if "\t" in line else line
        name = line[:8].strip().upper()
        width, columns = (4, _LARGE) if "*" in name else (8, _SMALL)
        fields, last = [line[column].strip() for column in columns], line[72:80].strip()
    following = last.lstrip("+*").strip().upper() if last else ""
    if name and name[0] in "+*":
        return name[0], fields, name[1:].strip(), following
    return name.rstrip("*").strip(), fields, "", following
