"""Nastran bulk data split into cards: small, large and free fields, continuations, replication, numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.id_ranges import range_list
from flexwheel.extensions.formats.mesh_text import MeshText, parse_id

_EXPONENT = re.compile(r"([0-9.])([+-]\d+)$")
_FREE_TEXT = {"DEQATN", "DTI", "PARAM"}
MOST_REPLICAS = 1_000_000
"""Of all cards of a file together."""

_SMALL = [slice(8 * k, 8 * k + 8) for k in range(1, 9)]
_LARGE = [slice(16 * k - 8, 16 * k + 8) for k in range(1, 5)]


@dataclass
class BulkCard:
    """One card with its data fields (the name left out), each physical line filled up with blanks."""

    name: str
    fields: list[str]
    line: int  # row in the text
    text: MeshText
    lines: int = 1

    def at(self) -> str:
        """`file:line` of the card."""
        return self.text.at(self.line)

    def field(self, number: int) -> str:
        return self.fields[number] if number < len(self.fields) else ""


def bulk_cards(text: MeshText, lines: list[tuple[int, str]]) -> Iterator[BulkCard]:
    """Cards of bulk data lines (row, text without comment); continuations follow their card, replicas are written out.

    Raises
    ------
    MeshError    a continuation or a replica out of place
    """
    card: BulkCard | None = None
    template: list[str] = []  # fields of the last replica as written
    expected, written = "", 0
    for number, line in lines:
        name, fields, mark, following, more = _split(line)
        if more and (name if name.isalnum() else card and card.name) not in _FREE_TEXT:
            raise MeshError(f"{text.at(number)}: more than {len(fields)} data fields; continue on the next line")
        if name == "" or name[0] in "+*":
            if mark and mark != expected:
                wanted = f"'{expected}'" if expected else "none"
                raise MeshError(f"{text.at(number)}: continuation '{mark}' where {wanted} was expected")
            if card is None:
                raise MeshError(f"{text.at(number)}: a continuation without a card before it")
            if template:
                raise MeshError(f"{text.at(number)}: a replica that continues is not read: write the card out")
            card.fields += fields
            card.lines += 1
            expected = following
            continue
        if card is not None:
            yield card
        if name[0] != "=":
            card, template, expected = BulkCard(name, fields, number, text), [], following
            continue
        count = _replica_count(text, number, name)
        if card is None or card.lines > 1:
            what = "no card is there to be" if card is None else f"{card.name} of {card.lines} lines is"
            raise MeshError(f"{text.at(number)}: {what} replicated: write the card out")
        if name == "=":
            template = fields
        elif not template:
            raise MeshError(f"{text.at(number)}: '{name}' repeats a replica, but there is none before it")
        written += count
        if written > MOST_REPLICAS:
            raise MeshError(f"{text.at(number)}: over {MOST_REPLICAS} replicas")
        for k in range(count):
            card = BulkCard(card.name, _replica(text, number, card.fields, template), number, text)
            if k < count - 1:
                yield card
        expected = ""
    if card is not None:
        yield card


def _replica_count(text, number, name):
    """Replicas that the first field asks for: 1 of `=`, n of `=(n)` and `=n`."""
    found = re.fullmatch(r"=(?:\((\d{1,9})\)|(\d{1,7}))?", name)
    count = int(found.group(1) or found.group(2) or 1) if found else 0
    if not count:
        raise MeshError(f"{text.at(number)}: '{name}' is no replication, expected =, =(n) or =n")
    return count


def _replica(text, number, fields, template):
    """Fields of the card with `=` and `*(x)` of the template put in.

    Source: MSC Nastran quick reference guide, bulk data section, replication.
    """
    out = []
    for k, word in enumerate(template):
        old = fields[k] if k < len(fields) else ""
        if word == "==":
            return out + fields[k:]
        if word == "=":
            out.append(old)
        elif word.startswith("*"):
            out.append(_stepped(text, number, old, word[1:].strip().strip("()")))
        elif word.startswith("="):
            raise MeshError(f"{text.at(number)}: '{word}' in a replica, expected =, == or *(x)")
        else:
            out.append(word)
    return out


def _stepped(text, number, old, step):
    """The field of the card before, increased."""
    try:
        try:
            return str(parse_id(old) + parse_id(step))
        except ValueError:
            return repr(to_real(old) + to_real(step))
    except ValueError:
        raise MeshError(f"{text.at(number)}: '*({step})' cannot be added to '{old}' of the card before") from None


def to_real(word: str) -> float:
    """Real as Nastran writes it: E of an exponent left out (7.85-9), or D for it; ValueError on anything else."""
    if "_" in word:
        raise ValueError(word)
    try:
        return float(word)
    except ValueError:
        return float(_EXPONENT.sub(r"\1e\2", re.sub("[dD]", "e", word)))


def real(card: BulkCard, number: int, default: float = 0.0) -> float:
    """Field as a real."""
    text = card.field(number).strip()
    if not text:
        return default
    try:
        return to_real(text)
    except ValueError:
        raise MeshError(f"{card.at()}: {card.name} field {number + 2}: '{text}' is not a number") from None


def integer(card: BulkCard, number: int, default: int | None = None) -> int:
    """Field as an integer."""
    text = card.field(number).strip()
    if not text and default is not None:
        return default
    try:
        return parse_id(text)
    except ValueError as error:
        raise MeshError(f"{card.at()}: {card.name} field {number + 2}: {error}") from None


def id_list(card: BulkCard, first: int) -> list:
    """Ids and IdRanges from field `first` on, with `a THRU b EXCEPT c`."""
    words = [f.strip().upper() for f in card.fields[first:] if f.strip()]
    try:
        return range_list(words, parse_id)
    except ValueError as error:
        raise MeshError(f"{card.at()}: {card.name}: {error}") from None


def _split(line: str) -> tuple[str, list[str], str, str, bool]:
    """Name (without *; '', + or * continues), 8 fields or 4 large ones, own and next mark, whether more follows."""
    more = False
    if "," in line:
        parts = [part.strip() for part in line.split(",")]
        name = parts[0].upper()
        width = 4 if "*" in name and name[:1] != "=" else 8
        fields, last = parts[1 : width + 1], "".join(parts[width + 1 : width + 2])
        fields += [""] * (width - len(fields))
        more = any(parts[width + 2 :]) or last.isdigit()
    else:
        line = line.expandtabs(8) if "\t" in line else line
        name = line[:8].strip().upper()
        width, columns = (4, _LARGE) if "*" in name and name[:1] != "=" else (8, _SMALL)
        fields, last = [line[column].strip() for column in columns], line[72:80].strip()
    following = last.lstrip("+*").strip().upper() if last else ""
    if name and name[0] in "+*":
        return name[0], fields, name[1:].strip(), following, more
    return name if name[:1] == "=" else name.rstrip("*").strip(), fields, "", following, more


def include_name(lines: list[str]) -> tuple[str, int]:
    """File that an INCLUDE names, in quotes or not, over several lines if its quotes are; and the lines it takes."""
    rest = lines[0].strip()[len("INCLUDE") :].strip()
    if rest[:1] not in ("'", '"'):
        return rest.partition("$")[0].strip(), 1
    quote, name, used = rest[0], rest[1:], 1
    while quote not in name and used < len(lines):
        name, used = name + lines[used].strip(), used + 1
    return name.partition(quote)[0].strip(), used
