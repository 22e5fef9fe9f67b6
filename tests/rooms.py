"""What this copy of the package has: tests that walk over kinds, examples or commands take what is there.

Tests of a system or of a room outside the core stand in a folder of its name (`tests/systems/train`,
`tests/verification/train`, `tests/studies`), as the code does that stands on a system; those of pages, stories and
tutorials, which speak of all rooms, in `tests/whole`. Where a room is gone, its folders are not collected.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from flexwheel.base.coupled_system import COUPLED_SYSTEMS
from flexwheel.base.kind import KINDS, VEHICLE

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = (
    "systems", "systems/locomotive", "systems/reduced", "systems/symbolic", "systems/train", "studies", "verification",
)  # fmt: skip
"""Rooms, and systems, that a copy may be without."""
STANDS_ON = {"systems/symbolic": ("systems/locomotive", "systems/reduced")}
"""Systems that go with another: their equations are derived by it."""
WHOLE = "tests/whole"


def folders_of(rooms):
    """Folders, relative to the clone, that go with rooms: theirs, their tests', and what stands on a system."""
    if rooms:
        yield WHOLE
    with_them = [upper for room in rooms for upper in STANDS_ON.get(room, ())]
    for room in dict.fromkeys([*rooms, *with_them]):
        name = room.rpartition("/")[2]
        systems = ("locomotive", "reduced", "train") if room == "systems" else (name,) if room != name else ()
        yield from (f"{top}/{room}" for top in ("flexwheel", "tests"))
        yield from (f"{top}/{above}/{name}" for name in systems for top in ("flexwheel", "tests")
                    for above in ("studies", "verification"))  # fmt: skip


def there(room):
    """Whether the package has a room."""
    return (ROOT / "flexwheel" / room / "__init__.py").is_file()


def needs(*rooms):
    """Mark of a test, or of its file, that is of a room that stays and cannot be asked without these."""
    return pytest.mark.skipif(not all(map(there, rooms)), reason=f"this copy is without one of {', '.join(rooms)}")


def skip_without(*rooms):
    """Skip the test, or those that ask for the fixture, where one of the rooms is gone."""
    if not all(map(there, rooms)):
        pytest.skip(f"this copy is without one of {', '.join(rooms)}")


def left(cases, of_rooms):
    """Cases by name without those of rooms that are gone; `of_rooms` has the names by room."""
    gone = {name for room, names in of_rooms.items() if not there(room) for name in names}
    return {name: case for name, case in cases.items() if name not in gone}


def known(text):
    """Whether the kind of a scenario, and what it couples to a vehicle, are there; `text` is that of its file."""
    tree = tomllib.loads(text)
    kind = tree.get("kind", VEHICLE)
    return kind in KINDS and (kind != VEHICLE or "train" not in tree or "train" in COUPLED_SYSTEMS)


def known_line(line):
    """Whether the examples that a command line names are of kinds that are there."""
    names = re.findall(r"examples/(\w+)(?:\.toml)?", line)
    files = [ROOT / "examples" / f"{name}.toml" for name in names]
    return all(known(file.read_text(encoding="utf-8")) for file in files if file.is_file())


@cache
def examples(*names):
    """Paths of the shipped scenarios, or of those of these names, whose kinds are there."""
    paths = [path for path in sorted((ROOT / "examples").glob("*.toml")) if path.stem in names or not names]
    return [path for path in paths if known(path.read_text(encoding="utf-8"))]
