"""Ctrl-C held back while something must be finished whole."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager


@contextmanager
def held_interrupt():
    """Hold Ctrl-C back until the block is done; it is raised then. Outside the main thread nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
