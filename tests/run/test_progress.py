"""Progress: silent for two seconds, then a line with an estimate at the rate of the present phase."""

import io

from flexwheel.run import progress as module


class Clock:
    now = 100.0

    def monotonic(self):
        return self.now


def test_lines_and_estimates(monkeypatch):
    clock, stream = Clock(), io.StringIO()
    monkeypatch.setattr(module, "time", clock)
    with module.progress("run", stream=stream, ticking=False) as report:
        report(0.5)
        assert stream.getvalue() == ""  # nothing in the first two seconds
        clock.now += 60.0
        report(0.0, "compiling")  # a long first phase must not spoil the estimate
        for k in range(10):
            clock.now += 12.0
            report(0.04 * (k + 1))
        for _ in range(2):
            clock.now += 100.0
            report(0.4, "longer")  # the time left counts down until it is used up; it rose from line to line
    lines = stream.getvalue().splitlines()
    assert lines[-2:] == [
        "run:  40 %, 4 min 40 s gone, about 80 s left, longer",
        "run:  40 %, 6 min 20 s gone, estimating, longer",
    ]
    lines = lines[:-2]
    assert lines[0] == "run: 60 s gone, compiling"
    assert lines[1] == "run:   4 %, 72 s gone, about 4 min 48 s left"
    assert lines[-1] == "run:  40 %, 3 min 00 s gone, about 3 min 00 s left"


def test_nothing_when_disabled(monkeypatch):
    clock, stream = Clock(), io.StringIO()
    monkeypatch.setattr(module, "time", clock)
    with module.progress("run", enabled=False, stream=stream) as report:
        clock.now += 60.0
        report(0.5)
    assert stream.getvalue() == ""


def test_silent_work_is_shown_alive(monkeypatch):
    """A stage that reports nothing still gets its line; the thread ends with it."""
    import threading
    import time

    stream = io.StringIO()
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(module, "PLAIN_SECONDS", 0.02)
    before = threading.active_count()
    with module.progress("run", stream=stream) as report:
        report(0.0, "compiling")
        deadline = time.monotonic() + 10.0
        while stream.getvalue().count("compiling") < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert stream.getvalue().count("compiling") >= 3
    assert threading.active_count() == before
