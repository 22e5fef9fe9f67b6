"""Files and folders the package writes: whole or not at all, with one line where the disk is full."""

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.input_files import expanded, shown

try:
    import resource
except ImportError:  # no limits of a process on this system
    resource = None

LEAST_FREE = 2**16
"""[byte] A disk with less counts as full: a netCDF file of nothing has 6 kB."""


def output_file(path):
    """Path a file can be written to, where a link points; FlexwheelError: no name, a folder, device, pipe."""
    path = Path(path)
    if not path.name or "\0" in path.name:
        raise FlexwheelError(
            f"the name of a file must be given, got {shown(path) if str(path) != '.' else 'an empty name'}"
        )
    if os.path.lexists(path):
        path = Path(os.path.realpath(path))  # what a link points to is written, not the link
        if os.path.lexists(path) and not path.is_file():
            raise FlexwheelError(f"{shown(path)}: is no regular file; give the name of a file, or a new name")
    return path


def write_whole(path, write):
    """Write a file so that it appears whole or not at all.

    Parameters
    ----------
    path : Path
    write : callable(Path)      writes the file it is given; that file then takes the place of path

    Raises
    ------
    FlexwheelError  as `output_file`; when the folder cannot be written or the disk is full, path is then as it was
    """
    path = output_file(path)
    temporary = path.with_name(f".{path.stem[:40]}.{os.getpid()}.part{path.suffix}")
    try:
        write(temporary)
        _to_disk(temporary)
        os.replace(temporary, path)
    except (OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not str(error).startswith("NetCDF: "):
            raise
        reason = without_space(path.parent) or getattr(error, "strerror", None) or str(error)
        raise FlexwheelError(f"{shown(path)}: cannot be written: {reason}") from error
    finally:
        with suppress(OSError):  # a folder that cannot be written holds no part file either
            temporary.unlink(missing_ok=True)


def write_archive(path, words, arrays):
    """Write plain values and arrays by name to a .npz file, whole or not at all; errors as `write_whole`."""

    def write(part):
        with open(part, "wb") as stream:
            np.savez(stream, words=np.array(json.dumps(words)), **arrays)

    write_whole(path, write)


def read_archive(path):
    """(words, arrays by name) of what `write_archive` wrote, nothing unpickled; path: or a stream of it.

    A damaged one makes zip, zlib, json or numpy raise whatever they do.
    """
    with np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(str(arrays.pop("words"))), arrays


def without_space(folder):
    """Words on a disk that has no space left; "" where it has."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return ""
    return f"no space left on the disk ({free} bytes free)" if free < LEAST_FREE else ""


def require_space(folder, size, what):
    """ScenarioError where `size` bytes, an upper estimate, do not fit on the disk; `what` names the keys behind it."""
    free = float(shutil.disk_usage(folder).free)
    most = float("inf") if resource is None else resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if size > free:
        raise ScenarioError(f"{folder}: {free / 1e6:.0f} MB free on the disk; {what} need {size / 1e6:.0f} MB")
    if 0 <= most < size:  # the library of netCDF does not survive a file that may not grow (ulimit -f)
        raise ScenarioError(
            f"{folder}: the file size limit is {most / 1e6:.3g} MB; {what} need {size / 1e6:.3g} MB: raise `ulimit -f`"
        )


def output_folder(path):
    """Make the folder path and see that it can be written; returns it as Path.

    Raises
    ------
    ScenarioError   when it is a file, cannot be made or cannot be written, or is named as a file of results
    """
    if not str(path):
        raise ScenarioError("the name of the output folder must not be empty")
    path = expanded(path)
    if path.suffix == ".nc":  # where results are given, such a name is that of a file
        raise ScenarioError(
            f"{shown(path)} must be the name of a folder, in which files get their own names: without .nc"
        )
    try:
        if path.exists() and not path.is_dir():
            raise ScenarioError(f"{path} must be a folder for results, but is a file")
        path.mkdir(parents=True, exist_ok=True)
        handle, probe = tempfile.mkstemp(dir=path, prefix=".writable")
        os.close(handle)
        os.unlink(probe)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ScenarioError(f"{shown(path)} must be a writable folder: {reason}") from None
    return path


def file_stem(name):
    """A name of a scenario or mesh (a node, a body, a wheelset) as part of a file name.

    Letters, digits, `-`, `_` and inner dots stay; everything else, `/` among it, becomes `_`; at most 80 characters.
    """
    stem = "".join(c if c.isalnum() or c in "-_." else "_" for c in str(name))[:80]
    while len(stem.encode()) > 160:
        stem = stem[:-1]
    return stem.strip(".") or "_"


def _to_disk(path):
    """Wait until the file is on the disk: some file systems find out only now that they are full."""
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)  # Windows flushes what it may write
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
