"""Elastic track bed from the mesh file of the [track.foundation] section."""

from functools import lru_cache
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.mesh_format import read_mesh
from flexwheel.track.bed import bed_matrices, check_bed

FAR = 0.05
"""Vertical compliance in the last bay, of that under the load, above which the mesh is too short."""


def bed_of_mesh(section, supports):
    """Compliance of the bed for a FlexibleTrack, and lines on it.

    Parameters
    ----------
    section : FoundationSection     with a mesh
    supports : FlexibleTrack        with sleeper, foundation and bay

    Returns
    -------
    compliance : (2 m + 1, 6, 6)    see flexwheel.track.bed
    notes : list of str
    """
    check_bed_keys(section, supports)
    path = Path(section.mesh)
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    seats = _seats(str(path), section.mesh_unit, supports.bay, changed)
    check_bed(seats.blocks, supports.foundation)
    stiffness, _ = bed_matrices(seats.blocks, supports.foundation)
    m, n = len(seats.blocks) // 2, len(stiffness) // 2
    left = f", {100.0 * seats.edge:.2g} % of it in the last bay, cut beyond" if m else ""
    if m and seats.edge > FAR:
        left += " (much: a mesh of more bays is needed)"
    notes = [
        f"track bed {path.name}: {len(seats.blocks)} bays of {supports.bay:g} m; a seat gives "
        f"{1e9 * np.mean(np.diag(seats.blocks[m])[:2]):.4g} nm/N vertically{left}",
        f"track bed {path.name}: static and massless; couples half sleepers "
        + (f"up to {n} bays apart" if n else "of one sleeper only, not those of neighbouring bays"),
    ]
    return seats.blocks, notes


def check_bed_keys(section, supports):
    """Refuse a bed beside supports that it cannot carry; arguments as `bed_of_mesh`."""
    where = f"track.foundation.mesh: {section.mesh}"
    if supports.foundation is None:
        raise ScenarioError(f"{where}: track.support must have half sleepers, which the bed carries")
    if supports.foundation.vertical.law is not None or supports.foundation.lateral.law is not None:
        raise ScenarioError(
            f"{where}: force laws and lift_off of the foundation springs are not available on an elastic bed"
        )


@lru_cache(maxsize=4)
def _seats(path, unit, bay, changed):
    """Compliance of a mesh file as it was at a time of change."""
    from flexwheel.body.seat_compliance import seat_compliance  # here, so that a check of a scenario starts without it

    mesh, _ = read_mesh(path, length_unit=unit)
    if not mesh.materials:
        raise MeshError(f"{path}: no material in the file; a track bed needs E, Poisson ratio and density there")
    return seat_compliance(mesh, bay, where=path)
