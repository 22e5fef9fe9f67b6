"""Parts and instances of an Abaqus assembly: where what a part holds comes to stand, and under which ids and names.

Ids of the first instance are those of its part. Those of the n-th get n - 1 times a power of ten added, and its names
get the instance's name before a dot. A file with one instance keeps both. Nodes of the assembly come behind all.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, real_records
from flexwheel.extensions.formats.id_ranges import IdRange

LARGEST_ID = 10**18
UNTURNED, UNMOVED = np.eye(3), np.zeros(3)


@dataclass(frozen=True)
class Instance:
    """What ids, names and places of a part become."""

    base: int = 0  # added to ids
    prefix: str = ""  # before names
    turn: np.ndarray = field(default_factory=lambda: UNTURNED)
    shift: np.ndarray = field(default_factory=lambda: UNMOVED)

    def name(self, name: str) -> str:
        return self.prefix + name

    def place(self, points) -> np.ndarray:
        """Points (P, 3) of the part where the instance stands."""
        return np.asarray(points, dtype=float).reshape(-1, 3) @ self.turn.T + self.shift


def placed_instance(card: Card, number: int, span: int, alone: bool) -> Instance:
    """Instance of an *INSTANCE card: moved by its first data line, then turned about the line of its second.

    Raises
    ------
    MeshError       data lines that are no move of 3 and turn of 7 numbers
    """
    lines = real_records(card)
    moved = [len(line) for line in lines]
    if len(lines) > 2 or moved[0:1] > [3] or moved[1:2] not in ([], [7]) or not np.isfinite(sum(lines, [])).all():
        raise MeshError(
            f"{card.at()}: *INSTANCE '{card.get('NAME')}' must have a line of 3 numbers that moves it and one of 7 "
            f"that turns it (two points, degrees), got lines of {', '.join(map(str, moved))} numbers"
        )
    shift, turn = np.array((lines[0] + [0.0] * 3)[:3]) if lines else np.zeros(3), np.eye(3)
    if len(lines) == 2:
        a, b, angle = np.array(lines[1][:3]), np.array(lines[1][3:6]), np.radians(lines[1][6])
        length = np.linalg.norm(b - a)
        if not length > 0.0:
            raise MeshError(
                f"{card.at(card.data_lines[1])}: *INSTANCE '{card.get('NAME')}' must turn about two different points"
            )
        x, y, z = (b - a) / length
        skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        turn = np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * (skew @ skew)
        shift = turn @ (shift - a) + a
    if (number + 2) * span >= LARGEST_ID:
        raise MeshError(f"{card.at()}: ids of the parts reach {span:.0e}, too large for instances of their own")
    prefix = "" if alone else card.get("NAME").upper() + "."
    return Instance(0 if alone else number * span, prefix, turn, shift)


def id_span(parts) -> int:
    """Power of ten above all node and element ids of parts."""
    largest = max((int(i) for part in parts for i in part.all_ids()), default=1)
    return 10 ** len(str(largest))


def moved_sets(sets: dict, instance: Instance) -> dict:
    """Sets of a part under the ids and names of an instance."""
    return {
        instance.name(key): replace(
            members,
            name=instance.name(members.name),
            items=[_moved(item, instance.base) for item in members.items],
            names=[instance.name(name) for name in members.names],
        )
        for key, members in sets.items()
    }


def _moved(item, base):
    return IdRange(item.first + base, item.last + base, item.step) if isinstance(item, IdRange) else item + base


@dataclass
class Names:
    """How ids and names are read that the assembly writes."""

    instances: dict[str, Instance] = field(default_factory=dict)
    base: int = 0  # of the assembly's own nodes

    def __call__(self, word: str, card: Card, row: int | None = None, default: str = "") -> tuple[Instance, str]:
        """The instance and the id or name that `INSTANCE.word`, or a word of the instance `default`, stands for."""
        own, dot, rest = word.rpartition(".")
        own = own.strip('"').upper() if dot and own.strip('"').upper() in self.instances else default.upper()
        if not own:
            return Instance(self.base), word
        if own not in self.instances:
            raise MeshError(f"{card.at(row)}: instance '{own}' is not in the assembly, expected one of "
                            f"{', '.join(self.instances)}")  # fmt: skip
        return self.instances[own], rest if dot and rest else word
