"""Progress of long work on a terminal, with an estimate of the time left."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager

QUIET_SECONDS = 2.0
PLAIN_SECONDS = 10.0


@contextmanager
def progress(title, enabled=True, stream=None):
    """Give a function report(fraction, note="") that shows how far the work is.

    Nothing is shown in the first two seconds. On a terminal one line is kept up to date; elsewhere a line is
    written every ten seconds, so that a log shows life.

    Parameters
    ----------
    title : str
    enabled : bool
    stream : file, standard error by default
    """
    stream = stream or sys.stderr
    shown = _Line(title, stream, enabled)
    try:
        yield shown.report
    finally:
        shown.close()


class _Line:
    """One line of progress."""

    def __init__(self, title, stream, enabled):
        self.title, self.stream, self.enabled = title, stream, enabled
        self.terminal = bool(getattr(stream, "isatty", lambda: False)())
        self.start = self.last = time.monotonic()
        self.phase = (self.start, 0.0)  # when the present kind of work began, and at what fraction
        self.width = 0

    def report(self, fraction, note=""):
        now = time.monotonic()
        if fraction <= self.phase[1]:
            self.phase = (now, fraction)
        interval = 0.2 if self.terminal else PLAIN_SECONDS
        if not self.enabled or now - self.start < QUIET_SECONDS or now - self.last < interval:
            return
        self.last = now
        self._write(_sentence(self.title, fraction, now - self.start, _time_left(fraction, now, self.phase), note))

    def _write(self, text):
        if self.terminal:
            self.stream.write("\r" + text.ljust(self.width))
            self.width = len(text)
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def close(self):
        if self.terminal and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()


def _time_left(fraction, now, phase):
    """Seconds left at the rate of the present phase; None while too little is done."""
    done = fraction - phase[1]
    return (1.0 - fraction) * (now - phase[0]) / done if done > 0.01 else None


def _sentence(title, fraction, elapsed, left, note):
    estimate = f"about {_clock(left)} left" if left is not None else "estimating"
    return f"{title}: {100.0 * fraction:3.0f} %, {_clock(elapsed)} gone, {estimate}{', ' + note if note else ''}"


def _clock(seconds):
    seconds = int(round(seconds))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min {seconds % 60:02d} s"
