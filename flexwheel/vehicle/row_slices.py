"""Several sparse matrices of modes by modes at once, four rows in one register.

The rows are put in slices of four that have their entries in the same columns; a slice holds every column in which any
of its rows in any of the matrices has an entry, with the four values of each matrix side by side. A product then reads
values in the order in which they lie and no sum waits for another.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import lane, lanes_of

LANES = 4


class RowSlices(NamedTuple):
    """C matrices (H, H) as slices of four rows."""

    row: np.ndarray  # (S, 4) int64 rows of a slice; where there are fewer, the first again, with zeros
    start: np.ndarray  # (S + 1,) int64 first entry of a slice
    column: np.ndarray  # (E,) int64
    value: np.ndarray  # (E C 4,): of an entry, matrix by matrix, of its four rows


def slice_rows(matrices, threshold) -> RowSlices:
    """Slices of `matrices` (C, H, H); entries of magnitude `threshold` and below count as zero."""
    matrices = np.where(np.abs(matrices) > threshold, matrices, 0.0)
    filled = np.any(matrices != 0.0, axis=0)
    left = [i for i in range(len(filled)) if filled[i].any()]
    row, start, column, value = [], [0], [], []
    while left:
        rows = [left.pop(0)]
        union = filled[rows[0]].copy()
        while left and len(rows) < LANES:  # the row that adds fewest columns, then the one that shares most
            new, shared = (filled[left] & ~union).sum(axis=1), (filled[left] & union).sum(axis=1)
            best = left[int(np.argmin(new * len(union) - shared))]
            if not np.any(filled[best] & union):
                break
            left.remove(best)
            rows.append(best)
            union |= filled[best]
        columns = np.flatnonzero(union)
        block = np.zeros((len(columns), len(matrices), LANES))
        block[:, :, : len(rows)] = matrices[:, rows][:, :, columns].transpose(2, 0, 1)
        row.append(rows + rows[:1] * (LANES - len(rows)))
        start.append(start[-1] + len(columns))
        column.append(columns)
        value.append(block.ravel())
    return RowSlices(
        np.array(row, dtype=np.int64).reshape(-1, LANES),
        np.array(start, dtype=np.int64),
        np.concatenate([*column, np.zeros(0, dtype=np.int64)]),
        np.concatenate([*value, np.zeros(0)]),
    )


def stack_slices(parts) -> RowSlices:
    """Slices of several bodies in arrays with a first dimension over the bodies; a body's unused slices are empty."""
    fields = []
    for name in RowSlices._fields:
        arrays = [getattr(p, name) for p in parts]
        shape = np.max([a.shape for a in arrays], axis=0)
        out = np.zeros((len(arrays), *shape), dtype=arrays[0].dtype)
        for target, a in zip(out, arrays, strict=True):
            target[tuple(map(slice, a.shape))] = a
            if name == "start":
                target[len(a) :] = a[-1]
        fields.append(out)
    return RowSlices(*fields)


@kernel(forceinline=True)
def slices_of(stacked, i):
    """RowSlices of body i of `stack_slices`."""
    return RowSlices(stacked.row[i], stacked.start[i], stacked.column[i], stacked.value[i])


@kernel(forceinline=True)
def at_rows(values, row, s):
    """Values (H,) at the rows of slice s."""
    return lanes_of(values[row[s, 0]], values[row[s, 1]], values[row[s, 2]], values[row[s, 3]])


@kernel(forceinline=True)
def add_to_rows(x, row, s, values):
    """Add lanes x to values (H,) at the rows of slice s."""
    for i in range(4):
        values[row[s, i]] += lane(x, i)
