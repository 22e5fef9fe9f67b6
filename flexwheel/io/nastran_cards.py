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


def bulk_cards(lines: list[tuple[int, str]]) -> Iterator[BulkCard]:
    """Cards of bulk data lines (line number, text without comment)."""
    card: BulkCard | None = None
    for number, line in lines:
        name, fields = _split(line)
        if name == "" or name[0] in "+*":
            if card is not None:
                card.fields += fields
            continue
        if card is not None:
            yield card
        card = BulkCard(name, fields, number)
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


def _split(line: str) -> tuple[str, list[str]]:
    """Card name (without *) and 8 fields, or 4 of a large-field line; a name of '', + or * continues."""
    if "," in line:
        parts = [part.strip() for part in line.split(",")]
        name = parts[0].upper()
        width = 4 if "*" in name else 8
        fields = parts[1 : width + 1]
    else:
        line = line.expandtabs(8) if "\t" in line else line
        name = line[:8].strip().upper()
        width, columns = (4, _LARGE) if "*" in name else (8, _SMALL)
        fields = [line[column].strip() for column in columns]
    fields += [""] * (width - len(fields))
    if name and name[0] in "+*":
        return name[0], fields
    return name.rstrip("*").strip(), fields
