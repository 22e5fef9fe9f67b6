"""Running a locomotive against the wall clock, with inputs read and outputs sent at every step.

Each step has a deadline one time step after the one before. The runner sleeps until shortly before it and spins the
rest; a step that ends after its deadline is an overrun, counted and never hidden; the clock is not set back, so that a
late step is caught up. For hard limits give the process a real-time priority (SCHED_FIFO) and its own core; the
spikes that remain without it are the operating system's.
"""

import time
from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import FlexwheelError

MOST_STEPS = 50_000_000  # two times of 8 bytes are kept of each
SPIN = 2e-4  # seconds before a deadline in which the runner no longer sleeps


@dataclass(frozen=True)
class PaceReport:
    """Deadline statistics."""

    steps: int
    overruns: int
    computing: tuple  # (4,) [s] median, 99th and 99.9th percentile, largest time of a step
    latest: float  # [s] largest delay behind a deadline; negative: none was late

    def lines(self):
        """Text for a reader."""
        median, p99, p999, worst = (1e6 * x for x in self.computing)
        return (
            f"{self.steps} steps, {self.overruns} overruns, latest {1e6 * self.latest:+.0f} us against the deadline",
            f"computing: median {median:.1f}, 99 % {p99:.1f}, 99.9 % {p999:.1f}, largest {worst:.1f} us",
        )


def run_paced(locomotive, duration, inputs=None, outputs=None, pace=1.0, every=1) -> PaceReport:
    """Run in real time.

    Parameters
    ----------
    locomotive : RealtimeLocomotive
    duration : float [s]                 simulated
    inputs : function(time) -> dict      torques [N m] by name, read before every step; None: as they are
    outputs : function(dict)             gets `locomotive.outputs()`; None: nothing is sent
    every : int                          steps between outputs
    pace : float                         simulated seconds per second of wall clock

    Raises
    ------
    FlexwheelError                       when duration or pace is not positive; what `step` raises
    """
    if not (duration > 0.0 and 1e-6 <= pace <= 1e6):
        raise FlexwheelError(
            f"paced run: duration must be positive and pace 1e-6 to 1e6, got {duration!r} s at {pace!r}"
        )
    if not duration / locomotive.time_step <= MOST_STEPS:
        raise FlexwheelError(
            f"paced run: duration must be at most {MOST_STEPS} steps of {locomotive.time_step:g} s, got {duration!r} s"
        )
    steps = max(1, round(duration / locomotive.time_step))
    period = locomotive.time_step / pace
    computing, late = np.empty(steps), np.empty(steps)
    start = time.perf_counter()
    for k in range(steps):
        begun = time.perf_counter()
        if inputs is not None:
            for name, value in inputs(locomotive.time).items():
                locomotive.set_input(name, value)
        locomotive.step()
        if outputs is not None and (k + 1) % every == 0:
            outputs(locomotive.outputs())
        ended = time.perf_counter()
        deadline = start + (k + 1) * period
        computing[k], late[k] = ended - begun, ended - deadline
        _wait_until(deadline)
    return PaceReport(
        steps,
        int((late > 0.0).sum()),
        (float(np.median(computing)), *(float(x) for x in np.percentile(computing, [99.0, 99.9, 100.0]))),
        float(late.max()),
    )


def _wait_until(deadline):
    rest = deadline - time.perf_counter()
    if rest > SPIN:
        time.sleep(rest - SPIN)
    while time.perf_counter() < deadline:
        pass
