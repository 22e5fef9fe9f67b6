"""docs/architecture.md says what the code is: its diagram and walks name files and what stands in them."""

import re

import pytest

from tests import house
from tests.rooms import WHOLE

PAGE = (house.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = {"Stiffness of a rail pad": (6, 3), "Friction": (6, 1), "Normal force": (6, 1)}
"""Beginning of a walk -> files and, of the quantity, names that it may have at most."""
NAMED = re.compile(r"(?<![\w/])(?:tests|benchmarks)/[\w/]+\.py")
NAMELESS = {"results/recording.py", "contact/fastsim.py"}
"""Files of a walk without a name of the quantity: every variable is copied there, and the bound of a traction kept."""


def text_of(file):
    path = house.PACKAGE / file
    assert path.is_file(), f"docs/architecture.md names {file}, which is not there"
    return path.read_text(encoding="utf-8")


def walk(start):
    """Heading of a walk and its (file, words) rows."""
    head, block = PAGE.partition(f"\n{start}")[2].split("\n\n")[:2]
    return head, re.findall(r"^\| `([a-z_/0-9]+\.py)` \| (.*) \|$", block, flags=re.M)


@pytest.mark.parametrize("start", WALKS)
def test_a_walk_is_short_and_right(start):
    """Counts of the heading are those of the rows; each file has one of the names, whole or behind `patch_`."""
    head, rows = walk(start)
    names = re.findall(r"`(\w+)`", head)
    assert re.search(rf"\({len(rows)} files, {len(names)} names?: ", head), head
    assert 2 < len(rows) <= WALKS[start][0] and 0 < len(names) <= WALKS[start][1]
    used = set()
    for file, words in rows:
        text, told = text_of(file), re.findall(r"`([^`]+)`", words)
        found = [name for name in told if re.search(rf"\b{re.escape(name.split('.')[-1].split(' ')[0])}\b", text)]
        assert found, f"{file}: none of {told} is there"
        here = {name for name in names if re.search(rf"\b(patch_)?{name}\b", text) and name in words}
        assert here or file in NAMELESS, f"{file} has none of {names}"
        used |= here
    assert used == set(names)


def test_the_diagram_names_what_is_there():
    diagram = PAGE.partition("```\n")[2].partition("```")[0]
    rows = re.findall(r"([a-z_/0-9]+\.py) +([a-z_]+)(?:, ([a-z_]+))?", diagram)
    assert len(rows) > 15
    files = {path.name: path.relative_to(house.PACKAGE).as_posix() for path in house.python_files()}
    for file, *names in rows:
        text = text_of(file if "/" in file else files[file])
        for name in filter(None, names):
            assert re.search(rf"\b{name}\b", text), f"{file} has no {name}"


def test_rooms_say_what_they_are():
    """The first page of a room: what goes in, what comes out, where to begin; some ten lines."""
    for room in {house.room_of(path) for path in house.python_files()} - {None}:
        page = text_of(f"{room}/__init__.py")
        assert page.startswith(f'"""{room}: ') and re.search(r"Begin\s+with", page), room


@pytest.mark.skipif(not (house.ROOT / WHOLE).is_dir(), reason="a copy without some rooms")
def test_files_that_are_named_are_there():
    """Tests and benchmarks that docstrings and pages name."""
    pages = [house.ROOT / "README.md", *house.ROOT.glob("docs/**/*.md"), *house.python_files()]
    found = [(page, name) for page in pages for name in NAMED.findall(page.read_text(encoding="utf-8"))]
    assert len(found) > 200
    gone = {f"{page.relative_to(house.ROOT)}: {name}" for page, name in found if not (house.ROOT / name).is_file()}
    assert not gone
