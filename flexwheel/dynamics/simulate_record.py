"""Samples of a time loop: what the table of variables names is copied, bit by bit, into rows made once."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from flexwheel.kernels import kernel
from flexwheel.variables import VEHICLE

HISTORY = {"state.history.0.0": "coordinates", "state.history.0.1": "velocities", "state.history.0.2": "accelerations"}
"""Names of sources whose path says nothing; the others have the last word of their path."""
SOURCES = tuple(dict.fromkeys(("state.time", *(variable.source for variable in VEHICLE))))
"""Paths of what is recorded, each once."""


class Sampling(NamedTuple):
    """What is copied, where to, and at which steps."""

    sources: tuple  # of (n,) int64: views of arrays that stay where they are while their contents move
    rows: np.ndarray  # (R, sum of n) int64
    stride: int  # steps between samples
    start: int  # step of the first one; 0 is the start of the run


@kernel
def record(sampling, row):
    """Copy what the sources hold into one row."""
    out, at = sampling.rows[row], 0
    for source in sampling.sources:
        for k in range(source.shape[0]):
            out[at + k] = source[k]
        at += source.shape[0]


@kernel
def due(sampling, step):
    """Whether a step of that number, from 0 for the start of the run, is a sample."""
    return step >= sampling.start and (step - sampling.start) % sampling.stride == 0


def source_arrays(state, work, train=None):
    """Arrays behind SOURCES, name -> array; those of a train only where there is one."""
    roots = {"state": state, "work": work, "train": train}
    found = {}
    for path in SOURCES:
        root, *parts = path.split(".")
        array = roots[root]
        if array is None:
            continue
        for part in parts:
            array = array[int(part)] if part.isdigit() else getattr(array, part)
        found[HISTORY.get(path, path.rpartition(".")[2])] = array
    return found


def make_sampling(arrays, rows, stride, start):
    """Sampling of arrays of eight-byte numbers, contiguous, with so many rows."""
    views = tuple(array.reshape(-1).view(np.int64) for array in arrays.values())
    return Sampling(views, np.zeros((rows, sum(view.size for view in views)), dtype=np.int64), stride, start)


def unpacked(arrays, rows):
    """Records: name -> (T, ...) of the sources, views of rows (T, words); `arrays` are the sources themselves."""
    out, at = {}, 0
    for name, array in arrays.items():
        columns = rows[:, at : at + array.size]
        out[name] = columns.view(array.dtype).reshape(len(rows), *array.shape)
        at += array.size
    out["time"] = out["time"][:, 0]
    return SimpleNamespace(**out)
