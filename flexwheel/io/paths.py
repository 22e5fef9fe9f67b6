"""Folders: the data that ship with the package, and where results go."""

import os
import tempfile

from flexwheel.errors import ScenarioError
from flexwheel.input_files import expanded, regular_file, shown
from flexwheel.output_files import require_space, without_space, write_whole

__all__ = [
    "output_folder",
    "regular_file",
    "require_space",
    "without_space",
    "write_whole",
]


def output_folder(path):
    """Make the folder path and see that it can be written; returns it as Path.

    Raises
    ------
    ScenarioError   when it is a file, cannot be made or cannot be written
    """
    if not str(path):
        raise ScenarioError("the name of the output folder is empty; expected a folder for results")
    path = expanded(path)
    try:
        if path.exists() and not path.is_dir():
            raise ScenarioError(f"{path}: is a file; expected a folder for results")
        path.mkdir(parents=True, exist_ok=True)
        handle, probe = tempfile.mkstemp(dir=path, prefix=".writable")
        os.close(handle)
        os.unlink(probe)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ScenarioError(f"{shown(path)}: cannot be written: {reason}; expected a writable folder") from None
    return path


def file_stem(name):
    """A name of a scenario or mesh (a node, a body, a wheelset) as part of a file name.

    Letters, digits, `-`, `_` and inner dots stay; everything else, `/` among it, becomes `_`; at most 80 characters.
    """
    stem = "".join(c if c.isalnum() or c in "-_." else "_" for c in str(name))[:80]
    while len(stem.encode()) > 160:
        stem = stem[:-1]
    return stem.strip(".") or "_"
