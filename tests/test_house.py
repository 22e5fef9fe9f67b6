"""The house: imports point strictly down (docs/architecture.md), heavy libraries stay in their rooms."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "flexwheel"
FLOORS = {
    "errors": -1,
    "input_files": 0,
    "output_files": 1,
    "capacity": 1,
    "disagreements": 1,
    "far_call": 0,
    "handles": 0,
    "kernel": 0,
    "kernel_cache": 0,
    "shipped": 0,
    "stability": 0,
    "integration": 1,
    "profiles": 1,
    "fe": 2,
    "contact": 2,
    "track": 2,
    "symbolic": 2,
    "train": 2,
    "bodies": 3,
    "dynamics": 4,
    "realtime": 4,
    "reduced": 4,
    "vehicles": 5,
    "post": 6,
    "io": 7,
    "view": 7,
    "builders": 8,
    "run": 9,
    "verification": 10,
    "commands": 11,
    "cli": 12,
}
"""Floor of every room; the door (8 and above in the architecture) is itself in four steps."""
ONLY_IN = {"meshio": {"io"}, "pyvista": {"view"}, "vtk": {"view"}, "dask": {"run", "commands"}}
"""Libraries that stay in their rooms."""
LONGEST_FILE = 400


def python_files():
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def room_of(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0] if parts[0] != "__init__" else None


def imported_modules(path):
    """Dotted names of all modules that a file imports, at any depth of its code."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield node.lineno, "." * node.level + (node.module or "")
            elif node.module == "flexwheel":
                for alias in node.names:
                    yield node.lineno, f"flexwheel.{alias.name}"
            else:
                yield node.lineno, node.module


@pytest.mark.parametrize("path", python_files(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path):
    room = room_of(path)
    if room is None:
        return
    assert room in FLOORS, f"{path}: room {room!r} has no floor; name it in docs/architecture.md and here"
    for line, module in imported_modules(path):
        assert not module.startswith("."), f"{path}:{line}: relative import {module}; write it in full"
        parts = module.split(".")
        if parts[0] != "flexwheel" or len(parts) == 1:
            continue
        other = parts[1]
        if other in (room, "__version__"):
            continue
        assert other in FLOORS, f"{path}:{line}: imports {module}, a room without a floor"
        assert FLOORS[other] < FLOORS[room], (
            f"{path}:{line}: {room} (floor {FLOORS[room]}) imports {module} (floor {FLOORS[other]})"
        )


@pytest.mark.parametrize("path", python_files(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_heavy_libraries_stay_in_their_rooms(path):
    for line, module in imported_modules(path):
        top = module.split(".")[0]
        if top.startswith("vtk"):
            top = "vtk"
        if top in ONLY_IN:
            assert room_of(path) in ONLY_IN[top], f"{path}:{line}: {top} belongs in {sorted(ONLY_IN[top])}"


def test_files_stay_short():
    long = {p: n for p in python_files() if (n := len(p.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE}
    assert not long, f"more than {LONGEST_FILE} lines is usually two ideas: {long}"


def test_every_room_is_in_the_architecture():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in FLOORS:
        assert f"`{room}`" in text, f"docs/architecture.md does not name {room}"


def test_upward_import_is_seen(tmp_path):
    """The check itself: an upward import inside a function is found."""
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    from flexwheel.io import results\n    import meshio\n")
    assert [name for _, name in imported_modules(bad)] == ["flexwheel.io", "meshio"]
