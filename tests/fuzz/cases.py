"""Every door with its share, and the case of a number."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .doors import (
    caches,
    meshes,
    profiles,
    scenario_text,
    scenario_values,
    set_options,
    side_files,
    tables,
    vehicle_files,
    view,
)
from .evaluations import (
    beside_results,
    evaluations,
    exports,
    journals,
    resumed,
    roundness,
    strength,
    studies,
    wear_laws,
)
from .judge import Case
from .words import command_lines, names, signals, small_disk

DOORS = {
    scenario_values: 26,
    scenario_text: 6,
    set_options: 10,
    vehicle_files: 12,
    side_files: 12,
    profiles: 7,
    tables: 2,
    meshes: 12,
    view: 6,
    caches: 1,
    names: 5,
    command_lines: 12,
    small_disk: 2,
    signals: 2,
    evaluations: 10,
    resumed: 4,
    roundness: 4,
    strength: 4,
    studies: 4,
    exports: 3,
    wear_laws: 2,
    journals: 2,
    beside_results: 1,
}
"""Maker -> share of the cases."""
DAMAGED = {
    scenario_text: 3, side_files: 12, vehicle_files: 6, profiles: 10, tables: 2, meshes: 16, view: 8, caches: 6,
    evaluations: 8, resumed: 12, wear_laws: 3, journals: 8, beside_results: 6,
}  # fmt: skip
"""Those whose files are damaged, by share."""


def make_case(seed, number, folder: Path, doors=None) -> Case:
    """Case of a number in the run of a seed; the same for the same two and the same doors (default: DOORS)."""
    rng = np.random.default_rng([seed, number])
    doors = doors or DOORS
    makers = list(doors)
    shares = np.array([doors[m] for m in makers], dtype=float)
    maker = makers[int(rng.choice(len(makers), p=shares / shares.sum()))]
    return maker(rng, folder)
