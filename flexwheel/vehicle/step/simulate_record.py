"""Samples of a time loop: what the table of variables names is copied, bit by bit, source by source, into rows.

What needs steps before and after its own (LATE) comes `delay` steps later into a row that waits for it.
"""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from flexwheel.base.variables import vehicle_variables
from flexwheel.numerics.kernels import Each, kernel
from flexwheel.vehicle.step.load_rates import form_rates, hold_loads

HISTORY = {"state.history.0.0": "coordinates", "state.history.0.1": "velocities", "state.history.0.2": "accelerations"}
"""Names of sources whose path says nothing; the others have the last word of their path."""
LATE = ("load_rate", "interface_rate", "patch_rate")
"""Names of sources that hold what was `delay` steps ago."""
NO_END = 2**62


class Copy(NamedTuple):
    """One source and the rows that take what it holds."""

    source: np.ndarray  # (n,) int64: view of an array that stays where it is while its contents move
    rows: np.ndarray  # (R, n) int64
    late: bool  # whether it is one of LATE


class Sampling(NamedTuple):
    """What is copied, where to, and at which steps; kernels take its handle."""

    copies: Each  # of Copy
    count: int  # of them
    stride: int  # steps between samples
    start: int  # step of the first one; 0 is the start of the run
    delay: int = 0  # steps by which LATE are late
    last: int = NO_END  # no step after it is a sample

    @property
    def rows(self):
        """Rows of all copies."""
        return [copy.rows for copy in self.copies]


@kernel
def record(sampling, row, late=0):
    """Copy what the sources hold, with `late` = 1 only those of LATE, into one row of each."""
    for i in range(sampling.count):
        source, rows = sampling.copies[i].source, sampling.copies[i].rows
        for k in range(source.shape[0] if sampling.copies[i].late >= late else 0):
            rows[row, k] = source[k]


@kernel
def due(sampling, step):
    """Whether a step of that number, from 0 for the start of the run, is a sample."""
    return sampling.start <= step <= sampling.last and (step - sampling.start) % sampling.stride == 0


@kernel
def waiting(sampling, step):
    """Samples that wait for what is late, after a step."""
    return _until(sampling, step) - _until(sampling, step - sampling.delay)


@kernel
def _until(sampling, step):
    """Samples until a step, its own included."""
    return max(0, (min(step, sampling.last) - sampling.start) // sampling.stride + 1)


@kernel
def sample(sampling, loads, step, count):
    """What a step of that number, just taken, adds to the samples; count[0]: rows that are whole."""
    if due(sampling, step):
        record(sampling, count[0] + waiting(sampling, step - 1))
    if due(sampling, step - sampling.delay):
        if sampling.delay > 0:
            form_rates(loads)
            record(sampling, count[0], 1)
        count[0] += 1


@kernel
def sample_held(sampling, loads, step, steps, count):
    """Make the rows that wait whole as if the loads stood still after a step; `steps` of the delay were taken."""
    for i in range(steps, sampling.delay):
        hold_loads(loads)
        sample(sampling, loads, step + i + 1, count)


def source_arrays(state, work, coupled=None, watch=None):
    """Arrays of what is recorded, each once, name -> array; of a coupled system, of what is watched where there is."""
    roots = {"state": state, "work": work, "coupled": None if coupled is None else coupled.moving, "watch": watch}
    found = {}
    for path in dict.fromkeys(("state.time", *(variable.source for variable in vehicle_variables()))):
        root, *parts = path.split(".")
        array = roots[root]
        if array is None:
            continue
        for part in parts:
            array = array[int(part)] if part.isdigit() else getattr(array, part)
        found[HISTORY.get(path, path.rpartition(".")[2])] = array
    return found


def make_sampling(arrays, rows, stride, start, delay=0):
    """Sampling of arrays of eight-byte numbers, contiguous, with so many rows that are whole and those that wait."""
    views = [array.reshape(-1).view(np.int64) for array in arrays.values()]
    rows += -(-delay // stride) if rows else 0
    kept = [np.zeros((rows, view.size), dtype=np.int64) for view in views]
    copies = Each(map(Copy, views, kept, (name in LATE for name in arrays)))
    return Sampling(copies, len(copies), stride, start, delay)


def unpacked(arrays, rows):
    """Records: name -> (T, ...) of the sources, views of the rows (T, n) of each; `arrays` are these."""
    found = {
        name: kept.view(array.dtype).reshape(len(kept), *array.shape)
        for (name, array), kept in zip(arrays.items(), rows, strict=True)
    }
    found["time"] = found["time"][:, 0]
    return SimpleNamespace(**found)
