"""Which samples of a run count: after settling, and where a filter or a mean has all the samples it takes.

A run starts at rest on the suspension with wheels that roll without creep: creep forces build up within some tenths of
a second, irregularity grows over its ramp, and the bodies need about a period on their springs to swing with it.
"""

import numpy as np

from flexwheel.base.errors import FlexwheelError

SETTLING_S = 1.0
"""[s] beyond the ramp of the irregularity: about one period of a body on its springs (bounce and sway at 1 to 2 Hz).
On smooth straight track the AS4 railcar's Y falls from 8 kN to within 0.5 % of its last value in 0.2 s."""


def default_settling(ramp_m, speed):
    """Time [s] over a ramp of irregularity [m] at a speed [m/s], and SETTLING_S."""
    return ramp_m / speed + SETTLING_S


def settling_of(results):
    """Time [s] at the start of a run that its statistics leave out; of the results, or SETTLING_S where not stated."""
    return float(results.attrs.get("settling_s", SETTLING_S))


def sample_step(results):
    """Time [s] between samples; 0 where there is one."""
    return float(np.diff(results.time[:2].values).sum())


def settled_rows(results):
    """(T,) bool: samples after settling."""
    return results.time.values > settling_of(results) + 1e-9 * sample_step(results)


def settled(results):
    """The Dataset after settling, a view of its samples.

    Raises
    ------
    FlexwheelError  when nothing of it is left
    """
    rows = settled_rows(results)
    if not np.any(rows):
        raise nothing_left(results)
    return results.isel(time=slice(int(np.argmax(rows)), None))


def nothing_left(results):
    """FlexwheelError of a run that ends before it has settled."""
    last = float(results.time[-1]) if results.sizes["time"] else 0.0
    return FlexwheelError(
        f"run too short: {last:g} s, of which {settling_of(results):.3g} s are settling; lengthen the run, "
        "or set run.settling_s"
    )
