"""Where is kept what is dear to make: reduced bodies, trained detection, compiled programs and kernels.

What is kept is loaded where it is the user's own: file and folder belong to the user of this process, and nobody else
may write them. A folder made here is open to its owner alone. Windows tells no owner: there the home folder's own
rights decide.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path


class NotOwnError(OSError):
    """A file or folder of a cache that another user owns or may write."""


def home_cache():
    """$XDG_CACHE_HOME/flexwheel, else ~/.cache/flexwheel; RuntimeError where there is no home folder either."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "flexwheel"


def cache_root():
    """$FLEXWHEEL_CACHE, else `home_cache`; it need not exist yet. Kernels alone are where numba's setting says."""
    own = os.environ.get("FLEXWHEEL_CACHE")
    return Path(own).expanduser() if own else home_cache()


def open_private(path):
    """A file of a cache, open for reading (binary), that nobody but this user can have written.

    What is judged is the open file, not its name: none can take its place between the look and the reading.

    Raises
    ------
    NotOwnError         file or folder are another user's, or others may write them; a link, no plain file
    OSError             no such file
    """
    path = Path(path)
    require_own_folder(path.parent)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        if path.is_symlink():
            raise NotOwnError(f"{path} is a link") from None
        raise
    stream = os.fdopen(descriptor, "rb")
    try:
        _require(os.fstat(descriptor), stat.S_ISREG, path)
    except NotOwnError:
        stream.close()
        raise
    return stream


def require_own_folder(folder):
    """NotOwnError where a folder, or the link that leads there, is another user's or others may write in it."""
    if Path(folder).is_symlink() and hasattr(os, "getuid") and os.lstat(folder).st_uid != os.getuid():
        raise NotOwnError(f"{folder} is another user's link")
    _require(os.stat(folder), stat.S_ISDIR, folder)


def require_own_file(path):
    """NotOwnError where a file is another user's, a link, or one that others may write."""
    _require(os.lstat(path), stat.S_ISREG, path)


def own_folder(folder, named_by_us=False):
    """Make a folder of a cache, and those above it that are not there, for this user alone; returns it.

    named_by_us : bool      its name is the program's, as that of `home_cache`: one of this user that is open to others
                            (made under another umask) is closed to them

    Raises
    ------
    NotOwnError         it is there and another user's, or others may write in it
    OSError             it cannot be made
    """
    folder = Path(folder)
    for place in (*reversed(folder.parents), folder):
        if not place.is_dir():
            place.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (named_by_us or _is_home(folder)):
        status = os.lstat(folder)
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) & 0o077:
            with suppress(OSError):
                os.chmod(folder, 0o700)
    require_own_folder(folder)
    return folder


def close_to_others(path):
    """Take from all but the owner what a file made under another umask allows them."""
    if hasattr(os, "getuid"):
        os.chmod(path, 0o600)


def _is_home(folder):
    with suppress(RuntimeError):
        return folder == home_cache()
    return False


def _require(status, kind, path):
    """NotOwnError where what a status tells is of another kind, another owner or open to others."""
    if not kind(status.st_mode):
        raise NotOwnError(f"{path} is no plain {'folder' if kind is stat.S_ISDIR else 'file'}")
    if hasattr(os, "getuid"):
        if status.st_uid != os.getuid():
            raise NotOwnError(f"{path} belongs to another user")
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise NotOwnError(f"{path} may be written by other users (chmod go-w)")
