"""What a run that has to wait for the compiler tells of it."""

from contextlib import contextmanager

from numba.core import event

from flexwheel.kernels.cache import writable_folder

KERNELS = 46  # of a first run; for the progress line


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
        self._say, self._folder = say, writable_folder()

    def on_start(self, event):
        if self._folder is None:
            self._say("compiling, with no folder to keep it in: NUMBA_CACHE_DIR may name one")
        else:
            count = sum(1 for _ in self._folder.rglob("*.nbi"))
            self._say(f"compiling, the first time only: {count} of about {KERNELS} kernels")

    def on_end(self, event):
        pass
