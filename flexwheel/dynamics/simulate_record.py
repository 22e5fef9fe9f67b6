"""Samples of a time loop: what the table of variables names is copied, bit by bit, source by source, into rows."""

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
    rows: tuple  # of (R, n) int64, one for each of them
    stride: int  # steps between samples
    start: int  # step of the first one; 0 is the start of the run


@kernel
def record(sampling, row):
    """Copy what the sources hold into one row of each."""
    for source, rows in zip(sampling.sources, sampling.rows):  # noqa: B905 (numba's zip has no `strict`)
        for k in range(source.shape[0]):
            rows[row, k] = source[k]


@kernel
def due(sampling, step):
    """Whether a step of that number, from 0 for the start of the run, is a sample."""
    return step >= sampling.start and (step - sampling.start) % sampling.stride == 0


def source_arrays(state, work, train=None, watch=None):
    """Arrays behind SOURCES, name -> array; those of a train and of what is watched only where there is one."""
    roots = {"state": state, "work": work, "train": train, "watch": watch}
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
    return Sampling(views, tuple(np.zeros((rows, view.size), dtype=np.int64) for view in views), stride, start)


def unpacked(arrays, rows):
    """Records: name -> (T, ...) of the sources, views of the rows (T, n) of each; `arrays` are these."""
    found = {
        name: kept.view(array.dtype).reshape(len(kept), *array.shape)
        for (name, array), kept in zip(arrays.items(), rows, strict=True)
    }
    found["time"] = found["time"][:, 0]
    return SimpleNamespace(**found)
