"""Samples of a time loop, in arrays made once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexwheel.kernels import kernel
from flexwheel.variables import PATCH


class Records(NamedTuple):
    """Samples, T rows each."""

    time: np.ndarray  # (T,)
    coordinates: np.ndarray  # (T, N)
    velocities: np.ndarray  # (T, N)
    accelerations: np.ndarray  # (T, N)
    spin_reference: np.ndarray  # (T, W)
    wrench: np.ndarray  # (T, W, 2, 6) on the wheel about P, track axes
    interface_force: np.ndarray  # (T, W, 2, 6)
    patch_count: np.ndarray  # (T, W, 2)
    patches: np.ndarray  # (T, W, 2, patch, field) single precision
    rail: np.ndarray  # (T, W, 2, 3, 4)
    irregularity: np.ndarray  # (T, W, 2, 2)
    iterations: np.ndarray  # (T,)


def make_records(samples, assembly, patch_slots):
    """Arrays for `samples` samples."""
    n, w = assembly.coordinate_count, len(assembly.wheelset_specs)
    z = np.zeros
    return Records(
        z(samples),
        z((samples, n)),
        z((samples, n)),
        z((samples, n)),
        z((samples, w)),
        z((samples, w, 2, 6)),
        z((samples, w, 2, 6)),
        np.zeros((samples, w, 2), dtype=np.int64),
        np.zeros((samples, w, 2, patch_slots, len(PATCH)), dtype=np.float32),
        z((samples, w, 2, 3, 4)),
        z((samples, w, 2, 2)),
        np.zeros(samples, dtype=np.int64),
    )


@kernel
def record(state, work, iterations, row, records):
    """Copy the accepted step into one row."""
    records.time[row] = state.time[0]
    for k in range(work.q.shape[0]):
        records.coordinates[row, k] = state.history[0, 0, k]
        records.velocities[row, k] = state.history[0, 1, k]
        records.accelerations[row, k] = state.history[0, 2, k]
    records.iterations[row] = iterations
    for w in range(state.wrench.shape[0]):
        records.spin_reference[row, w] = state.spin_reference[w]
        for side in range(2):
            for c in range(6):
                records.wrench[row, w, side, c] = state.wrench[w, side, c]
                records.interface_force[row, w, side, c] = state.interface_force[w, side, c]
            records.patch_count[row, w, side] = work.patch_count[w, side]
            for p in range(min(work.patch_count[w, side], records.patches.shape[3])):
                for f in range(min(work.patches.shape[3], records.patches.shape[4])):
                    records.patches[row, w, side, p, f] = work.patches[w, side, p, f]
            for c in range(3):
                for e in range(4):
                    records.rail[row, w, side, c, e] = work.rail[w, side, c, e]
            records.irregularity[row, w, side, 0] = work.irregularity[w, side, 0]
            records.irregularity[row, w, side, 1] = work.irregularity[w, side, 1]
