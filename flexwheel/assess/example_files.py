"""Examples of the package, scenarios and programs: their names, and copies with everything that they read."""

import ast
import difflib
import itertools
import re
import shutil
import tomllib
from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import output_folder
from flexwheel.base.shipped import EXAMPLES, ROOT

PLUGIN = "plugin"  # folder of a distribution of its own, which is copied as a whole (docs/plugins.md)


def example_titles() -> dict[str, str]:
    """Name of every example -> first sentence of its comment or docstring; programs keep their ending .py.

    Those of a folder within, stories and studies, come last, with its name.
    """
    paths = sorted(EXAMPLES.glob("*.[tp]*")) + sorted(EXAMPLES.glob("*/*.[tp]*"))
    found = (path for path in paths if path.suffix in (".toml", ".py") and path.parent.name != PLUGIN)
    return {path.relative_to(EXAMPLES).as_posix().removesuffix(".toml"): _title(path) for path in found}


def copy_example(name, folder) -> tuple[Path, list[Path]]:
    """Copy an example and every shipped file that it names, each at its place below a folder.

    Parameters
    ----------
    name : str              of example_titles, with or without .toml
    folder : str or Path    made where it is missing

    Returns
    -------
    example : Path, others : list of Path     what was copied

    Raises
    ------
    ScenarioError   no such example; a file there already differs; the folder cannot be written
    """
    known = example_titles()
    stem = str(name).removesuffix(".toml")
    if stem not in known:
        close = difflib.get_close_matches(stem, known, n=1)
        hint = f", did you mean {close[0]}?" if close else ""
        raise ScenarioError(f"no example {name!r}{hint} known: {', '.join(known)}")
    example = EXAMPLES / (stem if stem.endswith(".py") else f"{stem}.toml")
    folder = output_folder(folder)
    return _copy(example, folder), [_copy(path, folder) for path in _files_named_in(example)]


def _title(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        comment = ast.get_docstring(ast.parse(text)) or ""
    else:
        lines = itertools.takewhile(lambda line: line.startswith("#"), text.splitlines())
        comment = " ".join(line.lstrip("# ") for line in lines)
    return re.split(r"[.:;](?:\s|$)", comment, maxsplit=1)[0]


def _files_named_in(example):
    """Shipped files whose names are values of a scenario or constants of a program, and what they name in turn.

    Beside a mesh comes its coarse one, on which commands can be tried within a second.
    """
    root, found = ROOT.resolve(), {}
    for word in _words(example):
        path = (example.parent / word).resolve()
        if Path(word).suffix and path.is_file() and path.is_relative_to(root):
            coarse = path.with_stem(f"{path.stem}_coarse")
            found |= dict.fromkeys((path, coarse) if coarse.is_file() else (path,))
            if path.suffix == ".toml":
                found |= dict.fromkeys(_files_named_in(path))
    return list(found)


def _words(example):
    """Texts among the values of a scenario or the constants of a program."""
    text = example.read_text(encoding="utf-8")
    if example.suffix == ".py":
        constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
        return [value for value in constants if isinstance(value, str) and len(value) < 100]
    return _texts(tomllib.loads(text))


def _texts(value):
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def _copy(source, folder):
    target = folder / source.resolve().relative_to(ROOT.resolve())
    if target.exists():
        if target.read_bytes() != source.read_bytes():
            raise ScenarioError(f"{target} must not exist, or be the example itself, got another file")
        return target
    output_folder(target.parent)
    shutil.copyfile(source, target)
    return target
