"""Example scenarios of the package: their names, and copies with everything that they read."""

from __future__ import annotations

import difflib
import itertools
import re
import shutil
import tomllib
from pathlib import Path

from flexwheel.errors import ScenarioError
from flexwheel.io.paths import output_folder
from flexwheel.shipped import EXAMPLES, ROOT


def example_titles() -> dict[str, str]:
    """Name of every example scenario -> first sentence of its comment."""
    return {path.stem: _title(path) for path in sorted(EXAMPLES.glob("*.toml"))}


def copy_example(name, folder) -> tuple[Path, list[Path]]:
    """Copy an example and every shipped file that it names, each at its place below a folder.

    Parameters
    ----------
    name : str              of example_titles, with or without .toml
    folder : str or Path    made where it is missing

    Returns
    -------
    scenario : Path, others : list of Path     what was copied

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
    scenario = EXAMPLES / f"{stem}.toml"
    folder = output_folder(folder)
    return _copy(scenario, folder), [_copy(path, folder) for path in _files_named_in(scenario)]


def _title(path):
    lines = itertools.takewhile(lambda line: line.startswith("#"), path.read_text(encoding="utf-8").splitlines())
    comment = " ".join(line.lstrip("# ") for line in lines)
    return re.split(r"[.:;](?:\s|$)", comment, maxsplit=1)[0]


def _files_named_in(scenario):
    """Shipped files whose names are values of a scenario, in order, each once."""
    root, found = ROOT.resolve(), {}
    for word in _words(tomllib.loads(scenario.read_text(encoding="utf-8"))):
        path = (scenario.parent / word).resolve()
        if Path(word).suffix and path.is_file() and path.is_relative_to(root):
            found[path] = None
    return list(found)


def _words(value):
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value


def _copy(source, folder):
    target = folder / source.resolve().relative_to(ROOT.resolve())
    if target.exists():
        if target.read_bytes() != source.read_bytes():
            raise ScenarioError(f"{target}: there is another file already; expected an empty place, or the same file")
        return target
    output_folder(target.parent)
    shutil.copyfile(source, target)
    return target
