"""netCDF files of this process, used by one thread at a time: neither HDF5 nor the library of netCDF bears two.

Whatever is done with a file is done within LOCK: opening, reading, writing, closing. Its holder also holds the lock
under which xarray reads and writes files that a user has opened himself. Values that are read as they are asked for
therefore have to be read before LOCK is taken: a thread that reads them holds xarray's lock, which is not reentrant.
A file whose last user is gone is closed by whoever holds LOCK next, at once where it is free: the collector of garbage
may run in any thread, within any lock.

Verified in tests/results/test_threads.py.
"""

import threading
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path

import netCDF4
import xarray as xr

from flexwheel.base.errors import ScenarioError

try:
    from xarray.backends.locks import HDF5_LOCK as _OF_XARRAY
except ImportError:  # a version that keeps it elsewhere: files that the user opens are his own affair
    _OF_XARRAY = threading.Lock()


class _OneThread:
    """A lock of the whole process that its holder may take again."""

    def __init__(self):
        self._lock, self._depth, self._left = threading.RLock(), 0, deque()

    def acquire(self, blocking=True):
        """Whether it is held now."""
        if not self._lock.acquire(blocking):
            return False
        if self._depth == 0 and not _OF_XARRAY.acquire(blocking):
            self._lock.release()
            return False
        self._depth += 1
        return True

    def release(self):
        """The outermost holder closes what was left to be closed."""
        try:
            while self._depth == 1 and self._left:
                with suppress(OSError, RuntimeError, IndexError):
                    self._left.popleft()()
        finally:
            self._depth -= 1
            if self._depth == 0:
                _OF_XARRAY.release()
            self._lock.release()

    def leave(self, close):
        """Have a function called within the lock, by this thread at once or by the next one that holds it."""
        self._left.append(close)
        if self.acquire(blocking=False):
            self.release()

    def __enter__(self):
        self.acquire()
        return self

    def __exit__(self, *_):
        self.release()

    def __reduce__(self):
        return "LOCK"


LOCK = _OneThread()


def open_file(path, mode="r", **options):
    """An open netCDF4.Dataset; its methods and variables are called within LOCK, and its owner closes it.

    No subclass that closes itself: at the end of the interpreter its class may be gone before its last file is.
    """
    with LOCK:
        return netCDF4.Dataset(path, mode, **options)


@contextmanager
def new_file(path):
    """A file to be written, closed at the end of the block; LOCK is not held within."""
    file = open_file(path, "w")
    try:
        yield file
    finally:
        with LOCK:
            file.close()


_shared = {}  # path and state of a file -> [open file, number of its users]; within LOCK


class _Open(xr.backends.FileManager):
    """A file that is open, as xarray takes it; who opened it closes it."""

    def __init__(self, file):
        self._file = file

    def acquire(self, needs_lock=True):
        """The open file."""
        return self._file

    @contextmanager
    def acquire_context(self, needs_lock=True):
        """The open file."""
        yield self._file

    def close(self, needs_lock=True):
        """Nothing."""


class SharedFile(_Open):
    """A file that stays open as long as one of its users is there; pickled, it is the path of a file as it was.

    One that was open twice would end the process when it is closed once and opened again (text in it, netCDF4 1.7.5
    with HDF5 2.2).
    """

    def __init__(self, path, state=None):
        """state: of the file, where it must be that."""
        self._key = None
        self.path = Path(path).resolve()
        with LOCK:
            found = self.path.stat()
            self.state = found.st_mtime_ns, found.st_size
            if state is not None and state != self.state:
                raise ScenarioError(f"{self.path}: has changed since these results were opened; open them again")
            key = str(self.path), found.st_ino, *self.state
            entry = _shared.get(key)
            if entry is None or not entry[0].isopen():
                entry = _shared[key] = [open_file(self.path), 0]
            entry[1] += 1
            self._key = key
            super().__init__(entry[0])

    def close(self, needs_lock=True):
        """Leave the file; the last user closes it."""
        key, self._key = self._key, None
        if key is not None:
            LOCK.leave(lambda: _leave(key))

    def __del__(self):
        with suppress(Exception):  # at the end of the interpreter LOCK may be gone; then the file closes itself
            self.close()

    def __getstate__(self):
        return self.path, self.state

    def __setstate__(self, state):
        try:
            self.__init__(*state)
        except FileNotFoundError:
            raise ScenarioError(f"{state[0]}: no such file; the pickled results were read from it") from None


def _leave(key):
    """One user less of a shared file; within LOCK."""
    entry = _shared[key]
    entry[1] -= 1
    if entry[1] == 0:
        del _shared[key]
        entry[0].close()


def store_of(manager):
    """What xarray opens, of a SharedFile or another FileManager."""
    return xr.backends.NetCDF4DataStore(manager, lock=LOCK)


def in_memory(path, from_memory, first=lambda dataset: dataset):
    """Dataset of a file, in memory.

    Parameters
    ----------
    path : Path
    from_memory : bool                      read the file as a whole first, so that it may be open elsewhere
    first : function(Dataset) -> Dataset    applied before values are read
    """
    with LOCK:
        file = open_file(path.name, memory=path.read_bytes()) if from_memory else open_file(path)
        try:
            return first(xr.open_dataset(store_of(_Open(file)), engine="store")).load()
        finally:
            file.close()
