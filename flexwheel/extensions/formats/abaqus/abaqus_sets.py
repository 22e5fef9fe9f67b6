"""Sets of an Abaqus file: ids, ranges and names of other sets, resolved once all nodes and elements are known."""

import re
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.abaqus.abaqus_assembly import Names
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, fields
from flexwheel.extensions.formats.id_ranges import IdRange, once, unfolded
from flexwheel.extensions.formats.mesh_text import parse_id, parse_ids

MOST_MEMBERS = 100_000_000
"""Of all sets of a file together: what names other sets repeats theirs."""
_WHOLE = re.compile(r"[+-]?[0-9]+$")


@dataclass
class SetMembers:
    """Members of a set: ids, ranges, and names of other sets."""

    name: str
    place: str
    items: list = field(default_factory=list)  # int | IdRange
    names: list[str] = field(default_factory=list)
    dropped: bool = False


def open_set(sets: dict[str, SetMembers], name: str, place: str) -> SetMembers:
    """The set of that name, made where there is none; one without a name is not kept."""
    return sets.setdefault(name.upper(), SetMembers(name, place)) if name else SetMembers("", place)


def add_members(members: SetMembers, card: Card, names: Names) -> None:
    """Members that the data lines of *NSET or *ELSET give; names: how words of the assembly are read."""
    if "GENERATE" not in card.parameters and not (names.instances or card.get("INSTANCE")):
        with suppress(ValueError):  # ids and nothing else, as most sets are
            members.items += [i + names.base for i in parse_ids([w for line in card.data for w in fields(line) if w])]
            return
    for line, row in zip(card.data, card.data_lines, strict=True):
        found = [names(entry, card, row, card.get("INSTANCE")) for entry in fields(line)]
        if "GENERATE" in card.parameters:
            members.items.append(_generated(card, row, [own for _, own in found], found[0][0].base if found else 0))
            continue
        for instance, entry in found:
            if _WHOLE.match(entry):
                try:
                    members.items.append(parse_id(entry) + instance.base)
                except ValueError as error:
                    raise MeshError(f"{card.at(row)}: {error}") from None
            elif entry and entry[0] in "+-":
                raise MeshError(f"{card.at(row)}: '{entry[:40]}' is neither an id nor the name of a set")
            elif entry:
                members.names.append(instance.name(entry.strip('"').upper()))


def _generated(card: Card, row: int, entries: list[str], base: int) -> IdRange:
    """Ids first, first + step, ... last of a GENERATE line."""
    try:
        first, last, step = ([parse_id(e) for e in entries] + [1])[:3]
    except ValueError as error:
        got = ", ".join(entries)[:60]
        raise MeshError(f"{card.at(row)}: GENERATE needs first, last[, step], got '{got}'") from error
    if step < 1 or last < first:
        raise MeshError(f"{card.at(row)}: GENERATE {first}, {last}, {step} makes no ids")
    return IdRange(first + base, last + base, step)


class SetResolver:
    """Ids of sets, those they name among them; each set is worked out once."""

    def __init__(self, sets: dict[str, SetMembers], known: np.ndarray):
        self._sets, self._known, self._found, self._total = sets, known, {}, 0

    def __call__(self, key: str, place: str) -> np.ndarray:
        """Ids of the set in file order, each once; `place` is where it is named."""
        key = key.upper()
        if key not in self._sets:
            raise MeshError(f"{place}: set '{key}' is named but not defined")
        within, path = {key}, [(key, iter(self._sets[key].names))]
        while path:  # without recursion: sets may name sets thousands deep
            current, names = path[-1]
            for name in names:
                if name in within:
                    raise MeshError(f"{self._sets[name].place}: set '{name}' contains itself")
                if name not in self._sets:
                    raise MeshError(f"{self._sets[current].place}: set '{name}' is named but not defined")
                if name not in self._found:
                    path.append((name, iter(self._sets[name].names)))
                    within.add(name)
                    break
            else:
                members = self._sets[current]
                own = unfolded(members.items, self._known)
                others = [self._found[name] for name in dict.fromkeys(members.names)]
                self._found[current] = once(np.concatenate([own, *others]))
                self._total += len(self._found[current])
                if self._total > MOST_MEMBERS:
                    raise MeshError(f"{members.place}: sets hold over {MOST_MEMBERS} members in all")
                within.discard(current)
                path.pop()
        return self._found[key]

    def all(self) -> dict[str, np.ndarray]:
        """Every set under its name as written that is not empty by having lost its members."""
        found = {members.name: (members, self(key, members.place)) for key, members in self._sets.items()}
        return {name: ids for name, (members, ids) in found.items() if len(ids) or not members.dropped}
