"""What a run that has to wait for the compiler tells of it."""

import time
from contextlib import contextmanager, suppress

from numba.core import event

from flexwheel.numerics.kernels.cache import writable_folder

KERNELS = 52  # of a first run; for the progress line


@contextmanager
def telling_of_compilation(say):
    """Within the block say(line) is told how far the compilation of kernels is, where there is one."""
    listener = _Compiled(say)
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


class _Compiled(event.Listener):
    """Tells, with every kernel compiled here, how many are kept by now, those of a second process with them."""

    def __init__(self, say):
        self._say, self._folder, self._begun = say, writable_folder(), time.time() - 1.0  # clocks of files are coarser

    def on_start(self, event):
        if self._folder is None:
            self._say("compiling, with no folder to keep it in: NUMBA_CACHE_DIR may name one")
        else:
            count = sum(self._is_new(file) for file in self._folder.rglob("*.nbi"))
            self._say(f"compiling ({count} of some {KERNELS}), the first time only")

    def _is_new(self, file):
        with suppress(OSError):  # gone, or another one in its place
            return file.stat().st_mtime >= self._begun
        return False

    def on_end(self, event):
        pass
