"""The house: imports point strictly down, without circles; heavy libraries stay in their rooms; sizes within limits."""

import importlib

import pytest

from tests import house

FLOORS = {
    "base": 0,
    "numerics": 1,
    "contact": 2,
    "track": 2,
    "body": 3,
    "vehicle": 4,
    "results": 5,
    "run": 6,
    "extensions": 7,
    "assess": 8,
    "face": 9,
    "systems": 10,
    "studies": 11,
    "verification": 12,
}
"""Floor of every room. The core is base to run, and face: it knows nothing of extensions, systems, studies
and verification."""
ONLY_IN = {
    "meshio": {"extensions"},
    "h5py": {"extensions"},
    "numba": {"numerics"},
    "llvmlite": {"numerics", "systems"},
    "pyvista": {"assess"},
    "vtk": {"assess"},
    "matplotlib": {"assess", "systems", "studies"},
}
"""Libraries that stay in their rooms."""
COMPUTED = {"verification/check_registry.py"}
"""Files that import by a computed name: the modules of their own folder."""
CIRCLES = []
"""Modules that import each other; the list may only get shorter."""
LONGEST_FILE = 400
MOST_LINES_OF_THE_CORE = 47_000
MOST_PARAMETERS, MANY, SHARE_OF_MANY = 12, 8, 0.01
"""Parameters that a function has at most, and how many of all functions may have more than MANY."""


def room_of(path):
    """First folder or file below the package; None for the package's own __init__."""
    room = path.relative_to(house.PACKAGE).with_suffix("").parts[0]
    return None if room == "__init__" else room


def upward(path, room):
    """What is wrong with the imports of a file of a room."""
    for line, module in house.imported_modules(path):
        parts, where = module.split("."), f"{path}:{line}"
        if module.startswith("."):
            yield f"{where}: relative import {module}; write it in full"
        elif module.startswith("<") and path.relative_to(house.PACKAGE).as_posix() not in COMPUTED:
            yield f"{where}: imports a computed name {module}, which no rule can see"
        elif parts[0] == "flexwheel" and len(parts) > 1 and parts[1] not in (room, "__version__"):
            if FLOORS.get(parts[1], 99) >= FLOORS[room]:
                yield f"{where}: {room} (floor {FLOORS[room]}) imports {module} (floor {FLOORS.get(parts[1])})"


def out_of_room(path, room):
    """Heavy libraries that a file imports outside their rooms."""
    for line, module in house.imported_modules(path):
        library = "vtk" if module.startswith("vtk") else module.split(".")[0]
        if room not in ONLY_IN.get(library, {room}):
            yield f"{path}:{line}: {library} belongs in {sorted(ONLY_IN[library])}"


@pytest.mark.parametrize("rule", [upward, out_of_room])
def test_imports(rule):
    rooms = {path: room_of(path) for path in house.python_files()}
    homeless = sorted({room for room in rooms.values() if room and room not in FLOORS})
    assert not homeless, f"rooms without a floor: {homeless}; name them in docs/architecture.md and here"
    wrong = [text for path, room in rooms.items() if room for text in rule(path, room)]
    assert not wrong, "\n".join(wrong)


def test_no_circles():
    new = [group for group in house.circles() if group not in CIRCLES]
    assert not new, f"modules that import each other: {new}"


def test_the_core_is_small_and_knows_no_system():
    assert not house.core_to_outside()
    assert house.core_lines() <= MOST_LINES_OF_THE_CORE


def test_every_file_and_class_has_a_name_of_its_own():
    files, classes = house.names_of_several()
    assert not files and not classes


def test_sizes():
    long = {str(path): n for path, n in house.line_counts().items() if n > LONGEST_FILE}
    assert not long, f"more than {LONGEST_FILE} lines is usually two ideas: {long}"


def test_parameters():
    functions = house.functions()
    for limit, most in ((MOST_PARAMETERS, 0), (MANY, int(SHARE_OF_MANY * len(functions)))):
        many = [f"{f.name} ({f.parameters})" for f in functions if f.parameters > limit]
        assert len(many) <= most, f"{len(many)} functions with more than {limit} parameters, expected {most}: {many}"


def test_every_room_is_in_the_architecture():
    text = (house.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in FLOORS:
        assert f"`{room}`" in text, f"docs/architecture.md does not name {room}"


def test_the_rules_see_what_they_forbid(tmp_path, monkeypatch):
    """Imports inside functions, of submodules, by importlib; circles over three modules."""
    monkeypatch.setattr(house, "PACKAGE", tmp_path)
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import importlib\n"
        "def f():\n    from flexwheel.results import files\n    import meshio\n"
        "    import matplotlib.pyplot as plt\n    importlib.import_module('flexwheel.face.cli')\n"
        "    importlib.import_module(name)\n"
    )
    names = [name for _, name in house.imported_modules(bad)]
    assert names == [
        "importlib",
        "flexwheel.results.files",
        "meshio",
        "matplotlib.pyplot",
        "flexwheel.face.cli",
        "<name>",
    ]
    assert [text.split(": ")[1] for text in upward(bad, "body")] == [
        "body (floor 3) imports flexwheel.results.files (floor 5)",
        f"body (floor 3) imports flexwheel.face.cli (floor {FLOORS['face']})",
        "imports a computed name <name>, which no rule can see",
    ]
    assert len(list(out_of_room(bad, "run"))) == 2 and len(list(out_of_room(bad, "extensions"))) == 1
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}
    assert house.circles_of(graph) == [["a", "b", "c"]]


def test_every_module_is_imported():
    root = house.PACKAGE.parent
    parts = [path.relative_to(root).with_suffix("").parts for path in house.python_files()]
    for name in sorted(".".join(part).removesuffix(".__init__") for part in parts if part[-1] != "__main__"):
        importlib.import_module(name)
