"""Progress of long work on a terminal, with an estimate of the time left."""

import sys
import textwrap
import threading
import time
from contextlib import contextmanager

QUIET_SECONDS = 2.0
TERMINAL_SECONDS = 0.5
PLAIN_SECONDS = 10.0
_silences = []  # one entry for every `silent` that is open


@contextmanager
def silent():
    """No progress is shown that begins within."""
    _silences.append(None)
    try:
        yield
    finally:
        _silences.pop()


@contextmanager
def progress(title, enabled=True, stream=None, ticking=True):
    """Give a function report(fraction, note="") that shows how far the work is.

    Nothing is shown in the first two seconds. On a terminal one line with a bar is kept up to date, no wider than it;
    elsewhere a line is written every ten seconds, so that a log shows life. A stage that reports nothing (compilation,
    a factorization) is shown with its running time all the same.

    Parameters
    ----------
    title : str
    enabled : bool
    stream : file, standard error by default
    ticking : bool              keep the line alive between reports
    """
    enabled = enabled and not _silences
    shown = _Line(title, stream or sys.stderr, enabled)
    if enabled and ticking:
        shown.start_ticking()
    try:
        yield shown.report
    finally:
        shown.close()


class _Line:
    """One line of progress."""

    def __init__(self, title, stream, enabled):
        self.title, self.stream, self.enabled = title, stream, enabled
        self.terminal = bool(getattr(stream, "isatty", lambda: False)())
        self.interval = TERMINAL_SECONDS if self.terminal else PLAIN_SECONDS
        self.start = self.last = time.monotonic()
        self.phase = (self.start, 0.0)  # when the present kind of work began, and at what fraction
        self.state, self.moved = (0.0, ""), self.start  # fraction and note; when the fraction last changed
        self.bar = None
        self.lock = threading.Lock()
        self.done = threading.Event()
        self.ticker = None

    def start_ticking(self):
        """Show the last state again and again, from a thread that ends with the line."""
        self.ticker = threading.Thread(target=self._tick, daemon=True)
        self.ticker.start()

    def _tick(self):
        while not self.done.wait(self.interval):
            self._show()

    def report(self, fraction, note=""):
        """Take a new state; shown when the last line is old enough."""
        if fraction <= self.phase[1]:
            self.phase = (time.monotonic(), fraction)
        self.moved = time.monotonic() if fraction != self.state[0] else self.moved
        self.state = (fraction, note)
        self._show()

    def _show(self):
        with self.lock:
            now = time.monotonic()
            if not self.enabled or now - self.start < QUIET_SECONDS or now - self.last < 0.9 * self.interval:
                return
            self.last = now
            fraction, note = self.state
            text = _sentence(fraction, now - self.start, _time_left(fraction, now, self.moved, self.phase), note)
            if self.terminal:
                self.bar = self.bar or _bar(self.title, self.stream)
                text = textwrap.shorten(text, max(self.bar.console.width - len(self.title) - 18, 4), placeholder="…")
                self.bar.update(self.bar.task_ids[0], completed=min(fraction, 1.0), text=text, refresh=True)
            else:
                self.stream.write(f"{self.title}: {text}\n")
                self.stream.flush()

    def close(self):
        """End the thread and wipe the terminal's line."""
        self.done.set()
        if self.ticker is not None:
            self.ticker.join()
        if self.bar is not None:
            self.bar.stop()


def _bar(title, stream):
    """A line of rich: title, bar, text without the words that the terminal has no room for; wiped when it stops."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    words = TextColumn("{task.fields[text]}", table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1))
    columns = TextColumn("{task.description}", table_column=Column(no_wrap=True)), BarColumn(16), words
    bar = Progress(*columns, console=Console(file=stream), auto_refresh=False, transient=True, expand=True)
    bar.add_task(title, total=1.0, text="")
    bar.start()
    return bar


def _time_left(fraction, now, moved, phase):
    """Seconds left at the rate of the present phase up to the last change; None with too little done or none left."""
    done = fraction - phase[1]
    left = (1.0 - fraction) * (moved - phase[0]) / done - (now - moved) if done > 0.01 else 0.0
    return left if left > 0.0 else None


def _sentence(fraction, elapsed, left, note):
    more = f", {note}" if note else ""
    if fraction >= 1.0:  # what follows the last step has no estimate
        return f"{_clock(elapsed)} gone{more or ', finishing'}"
    estimate = f", about {_clock(left)} left" if left is not None else ", estimating" * (fraction > 0.0)
    share = f"{100.0 * fraction:3.0f} %, " * (fraction > 0.0)  # of a stage that tells no share, nothing
    return f"{share}{_clock(elapsed)} gone{estimate}{more}"


def _clock(seconds):
    seconds = int(round(seconds))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min {seconds % 60:02d} s"
