"""The house measured: rooms, files, imports, circles, functions, names. `python -m tests.house` prints the figures."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "flexwheel"
CORE = ("base", "numerics", "contact", "track", "body", "vehicle", "results", "run", "face")
OUTSIDE = ("extensions", "systems", "studies", "verification")
"""Rooms that the core does not know."""


class Function(NamedTuple):
    """One function or method."""

    name: str  # dotted, with its module
    lines: int
    parameters: int


@cache
def python_files():
    """Files of the package, sorted."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def module_of(path):
    """Dotted name of a file of the package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path):
    """Syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes_of(path):
    """Nodes of the syntax tree of a file."""
    return [*ast.walk(tree_of(path))]


@cache
def imported_modules(path):
    """(line, dotted name) of all that a file imports, at any depth of its code; of importlib, what is written out."""
    return [*_imported(path)]


def _imported(path):
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _callee(node.func) in ("import_module", "__import__") and node.args:
            name = node.args[0]
            yield node.lineno, name.value if isinstance(name, ast.Constant) else f"<{ast.unparse(name)}>"


def _callee(function):
    return getattr(function, "attr", getattr(function, "id", None))


def circles():
    """Groups of modules that import each other, directly or through others, at any depth of their code."""
    files = {module_of(path): path for path in python_files()}
    return circles_of({module: _targets(path, files) - {module} for module, path in files.items()})


def _targets(path, files):
    """Modules of the package that a file imports."""
    names = (name for _, name in imported_modules(path))
    return {name if name in files else name.rpartition(".")[0] for name in names} & set(files)


def circles_of(graph):
    """Strongly connected groups of more than one node (Tarjan), each sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in graph:
        if node not in index:
            visit(node)
    return found


@cache
def functions():
    """Every function and method of the package."""
    found = []
    for path in python_files():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                lines = node.end_lineno - node.lineno + 1
                found.append(Function(f"{module_of(path)}.{node.name}", lines, len(named)))
    return found


def line_counts():
    """Lines of every file of the package."""
    return {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files()}


def room_of(path):
    """First folder below the package; None for its own files."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else None


def core_lines():
    """Lines of the core."""
    return sum(count for path, count in line_counts().items() if room_of(path) in CORE)


def core_to_outside():
    """Imports from the core into systems, studies and verification, as `file:line imports module`."""
    return [
        f"{path}:{line} imports {module}"
        for path in python_files()
        if room_of(path) in (*CORE, None)
        for line, module in imported_modules(path)
        if module.split(".")[:1] == ["flexwheel"] and module.split(".")[1:2] and module.split(".")[1] in OUTSIDE
    ]


def names_of_several():
    """File names, and names of classes, that stand in more than one file: name -> places."""
    files, classes = {}, {}
    for path in python_files():
        if path.name != "__init__.py":
            files.setdefault(path.name, []).append(path.relative_to(ROOT).as_posix())
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes.setdefault(node.name, []).append(module_of(path))
    return tuple({name: places for name, places in found.items() if len(places) > 1} for found in (files, classes))


def documented():
    """Share of public modules, classes and functions with a docstring."""
    has = []
    for path in python_files():
        has.append(ast.get_docstring(tree_of(path)) is not None)
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                has.append(ast.get_docstring(node) is not None)
    return sum(has) / len(has)


def longest():
    """Rows (what, which, how much) of the longest file, function and folder, and of the arguments."""
    lines, folders = line_counts(), {}
    for path, count in lines.items():
        folder = path.parent.relative_to(ROOT).as_posix()
        folders[folder] = folders.get(folder, 0) + count
    file, folder = max(lines, key=lines.get), max(folders, key=folders.get)
    body, most = max(functions(), key=lambda f: f.lines), max(functions(), key=lambda f: f.parameters)
    many, over = ([f for f in functions() if f.parameters > limit] for limit in (8, 12))
    files, classes = names_of_several()
    return [
        ("rooms", "", f"{len({room_of(path) for path in python_files()} - {None})}"),
        ("core", ", ".join(CORE), f"{core_lines()} lines"),
        ("imports from the core", f"into {', '.join(OUTSIDE)}", f"{len(core_to_outside())}"),
        ("circles of imports", "", f"{len(circles())}"),
        ("longest file", f"`{file.relative_to(ROOT).as_posix()}`", f"{lines[file]} lines"),
        ("longest function", f"`{body.name}`", f"{body.lines} lines"),
        ("longest folder", f"`{folder}/`", f"{folders[folder]} lines"),
        ("all of `flexwheel/`", f"{len(lines)} files", f"{sum(lines.values())} lines"),
        ("most parameters", f"`{most.name}`", f"{most.parameters}"),
        ("functions with more than 8 parameters", f"of {len(functions())}", f"{len(many)}"),
        ("functions with more than 12", "", f"{len(over)}"),
        ("public names with a docstring", "", f"{100.0 * documented():.1f} %"),
        ("file names, class names of several files", "", f"{len(files)}, {len(classes)}"),
    ]


if __name__ == "__main__":
    print("| what | which | how much |\n|---|---|---|")
    for row in longest():
        print(f"| {' | '.join(row)} |")
