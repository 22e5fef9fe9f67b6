"""Where compiled kernels are kept, and what makes them be compiled anew.

numba looks at the file of a kernel alone, not at those of the kernels and constants that it takes in. Here the stamp of
a file is a digest of its contents and those of every file of the package that it imports, directly or not.

The folder is `numba.config.CACHE_DIR` (NUMBA_CACHE_DIR) where that is given, else $XDG_CACHE_HOME/flexwheel/kernels,
else ~/.cache/flexwheel/kernels. In it every installation, with its Python and numba, has a folder of its own; those
unused longest are removed. Only kernels of this decorator are kept there: numba's settings, and where it keeps other
functions, stay as they are. What cannot be written is compiled in every process, what cannot be read is compiled anew.
So is what may be another user's (cache_root.py): numba unpickles what it finds, which can run code.
"""

import hashlib
import os
import re
import shutil
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numba
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.sigutils import normalize_signature

from flexwheel.base.cache_root import (
    NotOwnError,
    close_to_others,
    home_cache,
    own_folder,
    require_own_file,
    require_own_folder,
)
from flexwheel.base.child_python import safe_environment
from flexwheel.base.errors import KernelError

try:
    import fcntl
except ImportError:  # Windows: there two processes may compile the same kernel
    fcntl = None

KEPT = 5  # folders of other installations that are left when a new one comes
WAIT_SECONDS, LOOK_SECONDS = 60.0, 0.01  # for another process's kernel at most, and between two looks
PACKAGE = Path(__file__).resolve().parents[2]
_MADE_BY = f"{PACKAGE}\n{sys.implementation.cache_tag}\n{numba.__version__}"
_INSTALLATION = f"flexwheel-{hashlib.sha256(_MADE_BY.encode()).hexdigest()[:16]}"
_IMPORT = re.compile(rb"^(?:from|import) +flexwheel\.?([\w.]*)(?: +import +(\([^)]*\)|[^#\n]*))?", re.M)


def cache_folder():
    """Folder of this installation's kernels; it need not exist yet. None where there is no home folder either."""
    try:
        return Path(_given_folder() or home_cache() / "kernels", _INSTALLATION)
    except RuntimeError:
        return None


def _given_folder():
    """numba's setting; "" where it comes from a `.numba_config.yaml` of the working folder and points into that."""
    given = config.CACHE_DIR
    return given if os.path.isabs(given) or given == os.environ.get("NUMBA_CACHE_DIR") else ""


def child_environment():
    """Environment of a process that keeps its kernels where this one does, wherever that was set."""
    return safe_environment({**os.environ, "NUMBA_CACHE_DIR": _given_folder()})


def writable_folder():
    """`cache_folder`, made if it was not there; None where nothing can be kept."""
    folder = cache_folder()
    with suppress(OSError):
        if folder is not None:
            _make(folder)
            require_own_folder(folder)
            return folder if os.access(folder, os.W_OK) else None
    return None


@cache
def source_stamp(path):
    """Digest of a source file, str, and of all files of the package behind its imports, as they are at the first call.

    Raises
    ------
    OSError    a file cannot be read
    """
    seen, waiting = {path}, [path]
    while waiting:
        for other in _contents(waiting.pop())[1]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    digest = hashlib.sha256()
    for file in sorted(seen):
        digest.update(_contents(file)[0])
    return digest.hexdigest()


@cache
def _contents(path):
    """Digest of one file, and the files of the package that it imports as it is loaded."""
    with open(path, "rb") as stream:
        text = stream.read()
    found = set()
    for module, names in _IMPORT.findall(text):
        place = PACKAGE.joinpath(*module.decode().split(".")) if module else PACKAGE
        files = [place, *(place / name.decode() for name in re.findall(rb"\w+", names))]
        found.update(f"{file}.py" for file in files if os.path.isfile(f"{file}.py"))
        if os.path.isdir(place):
            found.add(str(place / "__init__.py"))
    return hashlib.sha256(text).digest(), found


def keep(dispatcher):
    """Have numba keep what it compiles for this kernel, where there is a file it was written in and a folder."""
    with suppress(OSError, TypeError, RuntimeError):
        dispatcher._cache = _KernelCache(dispatcher.py_func)


class _Holding(threading.local):
    lock = False  # whether this thread has one: two threads that wait for a second one might wait for each other


_holding = _Holding()


@contextmanager
def one_at_a_time(dispatcher):
    """Other processes that come to this kernel wait for the end of the block; then what it kept is there for them.

    Locks end with their process. Where there are none, and after WAIT_SECONDS, nothing waits.
    """
    stream = None
    if fcntl is not None and not _holding.lock and isinstance(dispatcher._cache, _KernelCache):
        with suppress(OSError):
            stream = dispatcher._cache.lock_file().open("w")
    if stream is None:
        yield
        return
    with stream:
        end = time.monotonic() + WAIT_SECONDS
        _holding.lock = True
        try:
            while time.monotonic() < end:
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(LOOK_SECONDS)
                except OSError:  # a file system without locks
                    break
            yield
        finally:
            _holding.lock = False


@cache
def _place_of(path, folder):
    """Folder for the kernels of a source file below that of the installation."""
    parent = Path(path).parent
    if parent.is_relative_to(PACKAGE):
        return folder / "flexwheel" / parent.relative_to(PACKAGE)
    return folder / f"{parent.name}-{hashlib.sha256(str(parent.resolve()).encode()).hexdigest()[:16]}"


class _Place(_CacheLocator):
    """Folder and stamp of one kernel, in the form numba asks for."""

    def __init__(self, function, path, folder):
        self._py_file, self.folder = path, folder
        self._stamp, self._line = source_stamp(path), function.__code__.co_firstlineno
        self._path, stem = _place_of(path, folder), os.path.splitext(os.path.basename(path))[0]
        self._name = f"{stem}.{function.__qualname__}".replace("<", "").replace(">", "")

    @classmethod
    def from_function(cls, py_func, py_file):
        folder = cache_folder()
        return None if folder is None else cls(py_func, py_file, folder)

    def get_cache_path(self):
        return str(self._path)

    def get_source_stamp(self):
        return self._stamp

    def get_disambiguator(self):
        return str(self._line)

    def ensure_cache_path(self):
        """Make the folder, and remove what was kept of this kernel when it stood in another line."""
        _make(self.folder)
        own_folder(self._path, named_by_us=True)
        for old in self._path.glob(f"{self._name}-*"):
            if not old.name.startswith(f"{self._name}-{self._line}."):
                old.unlink(missing_ok=True)


class _PlaceOfKernels(CompileResultCacheImpl):
    _locator_classes = [_Place]


class _KernelCache(FunctionCache):
    """numba's cache of one function, at its `_Place`; no trouble with the folder stops a run."""

    _impl_class = _PlaceOfKernels

    def lock_file(self):
        """File that stands for this kernel; its folder is made."""
        self._impl.locator.ensure_cache_path()
        return Path(self.cache_path) / f"{self._impl.filename_base}.lock"

    def load_overload(self, sig, target_context):
        _mark_used(Path(self.cache_path))
        try:
            self._require_own()
            found = self._load_overload(sig, target_context)  # numba's contexts are made ready where it compiles
            if found is not None and not self._is_of_this(found, sig):
                raise KernelError("what is kept is another kernel's")
            return found
        except NotOwnError:
            return None
        except Exception:  # whatever is wrong with a file that is kept, the kernel can be compiled
            with suppress(OSError):
                self.flush()
            return None

    def _is_of_this(self, found, sig):
        """Whether what was loaded is this kernel for these arguments: a file may have been put in another's place."""
        described, own = found.fndesc, self._py_func
        same = (described.modname, described.qualname) == (own.__module__, own.__qualname__)
        return same and tuple(found.signature.args) == tuple(normalize_signature(sig)[0])

    def save_overload(self, sig, data):
        with suppress(OSError):
            self._impl.locator.ensure_cache_path()
            try:
                self._require_own()  # saving reads the index
            except NotOwnError:
                self.flush()
            super().save_overload(sig, data)
            for file in self._files():
                close_to_others(file)

    def _files(self):
        """Paths of what is kept of this kernel."""
        start = f"{self._impl.filename_base}."
        with suppress(FileNotFoundError), os.scandir(self.cache_path) as entries:
            return [e.path for e in entries if e.name.startswith(start) and e.name.endswith((".nbi", ".nbc"))]
        return []

    def _require_own(self):
        """NotOwnError where another user may have written what is kept of this kernel, or may do so now.

        None can come between this look and numba's: the folders are this user's, and closed to others.
        """
        for folder in (self._impl.locator.folder, self.cache_path):
            with suppress(FileNotFoundError):
                require_own_folder(folder)
        for file in self._files():
            require_own_file(file)


@cache
def _make(folder):
    """Make the folder of this installation, in place of those unused longest."""
    new = not folder.is_dir()
    own_folder(folder, named_by_us=True)
    if new:
        others = [other for other in folder.parent.glob("flexwheel-*") if other != folder]
        for other in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(other, ignore_errors=True)


@cache
def _mark_used(place):
    """Set the time of the installation's folder above the place of a kernel to now."""
    with suppress(OSError, StopIteration):
        os.utime(next(folder for folder in place.parents if folder.name.startswith("flexwheel-")))
