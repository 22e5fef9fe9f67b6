"""Ctrl-C and the wish of the system that a process ends (SIGTERM, SIGHUP), handled alike and held back where something
must be finished whole."""

import _thread
import signal
import sys
import threading
from contextlib import contextmanager

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
AGAIN = 0.1  # [s] after which an interrupt that came in a callback is raised again


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP: goes wherever Ctrl-C goes; the message is the signal's name."""


@contextmanager
def termination_as_interrupt():
    """Within the block SIGTERM and SIGHUP raise Terminated; gives the list of those that came.

    A signal that is ignored (nohup) stays so. Outside the main thread nothing is changed.
    """
    came = []

    def take(number, frame):
        came.append(number)
        raise Terminated(signal.Signals(number).name)

    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {n: signal.signal(n, take) for n in ENDING if signal.getsignal(n) == signal.SIG_DFL}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def raised_again():
    """Within the block an interrupt that comes while compiled code calls Python, as the compiler does, is not lost.

    No exception passes through such a call: the interpreter prints it and goes on. Here the signal comes again
    after AGAIN instead. Gives the list of those exceptions; what they left half done may fail before.
    """
    lost, before = [], sys.unraisablehook
    timers = []

    def hook(unraisable):
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            return before(unraisable)
        lost.append(unraisable.exc_value)
        number = signal.Signals[str(unraisable.exc_value)] if unraisable.exc_type is Terminated else signal.SIGINT
        timers.append(threading.Timer(AGAIN, _thread.interrupt_main, (number,)))
        timers[-1].daemon = True
        timers[-1].start()

    sys.unraisablehook = hook
    try:
        yield lost
    finally:
        sys.unraisablehook = before
        for timer in timers:
            timer.cancel()


@contextmanager
def held_interrupt():
    """Hold Ctrl-C, and what `termination_as_interrupt` takes, back until the block is done; it is raised then.

    Gives a function that raises what came so far, for places within the block where it may. Outside the main thread
    nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came = []
    handlers = {n: signal.getsignal(n) for n in (signal.SIGINT, *ENDING)}
    held = {n: h for n, h in handlers.items() if callable(h) or n == signal.SIGINT}

    def release():
        if came:
            number = came.pop(0)
            if callable(held[number]):
                held[number](number, None)
            raise KeyboardInterrupt

    for number in held:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield release
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
    release()
