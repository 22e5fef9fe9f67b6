"""The programs of benchmarks/ are not run by the tests: what they import from this repository must exist."""

import ast
import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
OURS = {"flexwheel", "tests", *(path.stem for path in BENCHMARKS.glob("*.py"))}


def nodes(tree):
    """Nodes of a program and of those that it holds as text; none of `except ImportError`: names of old versions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ExceptHandler) and getattr(node.type, "id", "") == "ImportError":
            continue
        yield node
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "from flexwheel" in node.value:
            try:
                yield from nodes(ast.parse(node.value))
            except SyntaxError:  # prose
                continue
        yield from nodes(node)


def imported(module, name):
    """What `from module import name` gives, or None."""
    found = getattr(importlib.import_module(module), name, None)
    inner = f"{module}.{name}"
    return importlib.import_module(inner) if found is None and importlib.util.find_spec(inner) else found


def missing(tree):
    """Lines on what a program imports of ours, or takes of a module of ours, and that is not there."""
    found, taken = {}, []
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in OURS:
            for alias in node.names:
                try:
                    there = imported(node.module, alias.name)
                except ModuleNotFoundError as error:
                    there = None if str(error.name).partition(".")[0] in OURS else error  # a library that is no need
                if there is None:
                    yield f"line {node.lineno}: {node.module} has no {alias.name}"
                found[alias.asname or alias.name] = there
        elif isinstance(node, ast.Import):
            ours = (alias for alias in node.names if alias.name.partition(".")[0] in OURS)
            found |= {alias.asname or alias.name: importlib.import_module(alias.name) for alias in ours}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken.append(node)
    for node in taken:
        module = found.get(node.value.id)
        if isinstance(module, ModuleType) and not hasattr(module, node.attr):
            yield f"line {node.lineno}: {node.value.id} has no {node.attr}"


@pytest.mark.parametrize("path", sorted(BENCHMARKS.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_imports_is_there(path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    assert not [*missing(ast.parse(path.read_text(encoding="utf-8"), str(path)))]


def test_a_renamed_internal_is_noticed():
    program = (
        "from flexwheel.run import simulation\nfrom flexwheel.run.simulation import no_such\nsimulation.take_step()"
    )
    wanted = ["line 2: flexwheel.run.simulation has no no_such", "line 3: simulation has no take_step"]
    assert [*missing(ast.parse(program))] == wanted
