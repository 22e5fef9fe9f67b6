"""Folders: the data that ship with the package, and where results go."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import flexwheel
from flexwheel.errors import FlexwheelError, ScenarioError
from flexwheel.input_files import regular_file
from flexwheel.shipped import MESHES, TRACK

__all__ = ["PACKAGED_FOLDERS", "PACKAGE_FOLDER", "output_folder", "regular_file", "write_whole"]

PACKAGE_FOLDER = Path(flexwheel.__file__).resolve().parent
PACKAGED_FOLDERS = (MESHES, TRACK)


def output_folder(path):
    """Make the folder path and see that it can be written; returns it as Path.

    Raises
    ------
    ScenarioError   when it is a file, cannot be made or cannot be written
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise ScenarioError(f"{path}: is a file; expected a folder for results")
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle, probe = tempfile.mkstemp(dir=path, prefix=".writable")
        os.close(handle)
        os.unlink(probe)
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be written: {error.strerror}; expected a writable folder") from None
    return path


def write_whole(path, write):
    """Write a file so that it appears whole or not at all.

    Parameters
    ----------
    path : Path
    write : callable(Path)      writes the file it is given; that file then takes the place of path

    Raises
    ------
    FlexwheelError  when the folder cannot be written or the disk is full; path is then as it was
    """
    path = Path(path)
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        write(temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise FlexwheelError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)
