"""Smooth straight track: the ways to turn the mesh and to spread the contact force, against each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flexwheel.fe.wheelset_section import REFINEMENTS, wheelset_mesh
from flexwheel.io.mesh_writers import write_mesh
from flexwheel.io.scenario import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario
from flexwheel.verification.as4_runs import EXAMPLE
from flexwheel.verification.registry import bound, check, row

SECONDS, SETTLED = 1.5, 1.0  # [s]
TRACK = (
    f"run.duration_s={SECONDS}",
    'track.layout=[{kind="straight", length_m=200.0}]',
    'irregularity.spectrum="none"',
    'irregularity.roughness="none"',
)
MESHES = {2: "meshes/wheelset.inp", 15: "meshes/wheelset_coarse.inp"}  # by sector angle [deg]


def smooth_run(mesh, mode, distribution):
    """The last revolutions of the AS4 railcar on smooth straight track."""
    path = EXAMPLE.parents[1] / mesh
    keys = (
        f"wheelset.front.mesh={str(path)!r}",
        f"wheelset.front.mode={mode}",
        f"wheelset.front.force_distribution={distribution}",
    )
    scenario = read_scenario(EXAMPLE, (*TRACK, *keys))
    results = run_scenario(scenario, wheelsets=flexible_wheelsets(scenario))
    return results.isel(time=results.time.values > SETTLED)


def differences(results, reference):
    """Largest of the rms differences: wheel forces over the static load; displacement and stress over their rms."""
    load = float(np.mean(reference.attrs["static_wheel_load_n"]))
    force = np.sqrt(np.mean((results.wheel_force.values - reference.wheel_force.values) ** 2, axis=0)).max() / load
    parts = [force]
    for name in ("radial_displacement", "von_mises"):
        a, b = results[name].values, reference[name].values
        parts.append(np.sqrt(np.mean((a - b) ** 2, axis=0) / np.mean(b**2, axis=0)).max())
    return parts


def _rows(text, parts, *limits):
    names = ("wheel forces, over the static load", "radial displacement", "von Mises stress")
    return [bound(f"{text}: {name}", *pair, "-") for name, *pair in zip(names, parts, limits, strict=True)]


@check("Smooth straight track: turning of the mesh, spreading of the force", point=7, slow=True)
def smooth_straight():
    """Other variants against the Lagrangian run with shape functions, for three sector angles."""
    with TemporaryDirectory() as folder:
        fine = Path(folder) / "one_degree.inp"
        write_mesh(fine, wheelset_mesh(refinement=replace(REFINEMENTS["paper"], sectors=360)))
        return _compare({1: fine, **MESHES})


def _compare(meshes):
    rows, interpolated = [], {}
    for angle, mesh in meshes.items():
        reference = smooth_run(mesh, "lagrangian", "shape_functions")
        false = differences(smooth_run(mesh, "eulerian_interpolated", "shape_functions"), reference)
        interpolated[angle] = false
        if angle == 2:
            exact = differences(smooth_run(mesh, "eulerian", "shape_functions"), reference)
            rows += _rows("eulerian", exact, 1e-3, 1e-3, 1e-3)
            # its false creep force bends the wheel, in proportion to the sector angle: 1e-2 in displacement and stress
            # needs a sector of 1 degree
            rows += _rows("interpolated, sector of 2 degrees", false, 1e-2, 2e-2, 2e-2)
            spread = differences(smooth_run(mesh, "lagrangian", "inverse_distance"), reference)
            rows += _rows("inverse distance, sector of 2 degrees", spread, 1e-2, 1e-2, 1e-2)
        if angle == 1:
            rows += _rows("interpolated, sector of 1 degree", false, 1e-2, 1e-2, 1e-2)
    # each step loses lambda (1 - lambda)/2 (n phi)^2 with lambda = Omega dt/phi: Omega n^2 phi/2 in unit time
    power = np.log(interpolated[15][0] / interpolated[2][0]) / np.log(7.5)
    rows.append(row("interpolated: power of the sector angle in the forces", power, 1.0, "-", absolute=0.15))
    return rows
