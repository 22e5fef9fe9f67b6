"""Floating frame: conservation in free flight, the spinning wheelset, and a force fixed in space."""

from __future__ import annotations

import functools

import numpy as np

from flexwheel.bodies.fixed_force import fixed_force_response
from flexwheel.bodies.free_flight import free_flight
from flexwheel.bodies.linear_rotor import linearised_matrices, turning_generator, whirl_frequencies
from flexwheel.fe.reduce import ReductionOptions, reduce_wheelset
from flexwheel.fe.wheelset_section import REFINEMENTS, wheelset_mesh
from flexwheel.integration import newmark, park
from flexwheel.verification.registry import bound, check, information

RADIUS = 0.46


@functools.lru_cache(maxsize=2)
def wheelset(refinement, damping=0.0):
    """Reduced wheelset of one of the shipped refinements, without residual."""
    mesh = wheelset_mesh(refinement=REFINEMENTS[refinement])
    return reduce_wheelset(mesh, ReductionOptions(residual=False, damping_ratio=damping))


@check("Free flight of the spinning wheelset, 100 revolutions", point=4)
def conservation():
    """48.3 rad/s spin, 0.1 rad/s wobble, first bending 1 mm at the axle ends; coarse mesh, 35 modes."""
    rows = []
    for name, make in (("Newmark 1/4", newmark), ("Park", park)):
        found = {dt: free_flight(wheelset("coarse"), make(dt)).drifts() for dt in (8e-4, 4e-4)}
        limits = (1e-12, 1e-6, 1e-4)
        for k, what in enumerate(("linear momentum", "angular momentum", "energy")):
            make_row = (
                bound if name != "Park" or what == "linear momentum" else lambda q, v, _, u, s: information(q, v, u, s)
            )
            rows.append(make_row(f"{name}, 4e-4 s: drift of {what}", found[4e-4][k], limits[k], "", "conservation"))
        for k, what in ((1, "angular momentum"), (2, "energy")):
            order = np.log2(found[8e-4][k] / found[4e-4][k])
            rows.append(information(f"{name}: order at which the drift of {what} falls", order))
    return rows


@check("Spinning free wheelset", point=4)
def spinning():
    """First torsion with and without the prestress, and the split of the first bending pair, 200 km/h."""
    body, spin = wheelset("coarse"), 200.0 / 3.6 / RADIUS
    rows = []
    for choice in ("both", "paper"):
        frequency, direction, _ = whirl_frequencies(
            *linearised_matrices(body, spin, "non_rotating", choice), turning_generator(body.generator)
        )
        standing = frequency[np.abs(direction) < 0.1]
        shift = 100.0 * np.abs(standing / body.frequency_hz[0] - 1.0).min()
        text = (
            "first torsion against that at rest, " + {"both": "with prestress", "paper": "the paper's choice"}[choice]
        )
        rows.append(
            bound(text, shift, 0.2, "%", "exact: unchanged") if choice == "both" else information(text, shift, "%")
        )
        if choice == "both":
            for sign, word in ((1, "forward"), (-1, "backward")):
                first = frequency[(direction * sign > 0.5) & (frequency > 30.0)][0]
                rows.append(information(f"first bending, {word} whirl", first, "Hz"))
    return rows


@check("Force fixed in space on the spinning wheelset", point=7)
def fixed_force():
    """Steady displacement at a fixed point against the direct solution of the non-rotating equations."""
    body = wheelset("paper", 0.01)
    rows = []
    for variant in ("eulerian", "eulerian_interpolated", "lagrangian"):
        error = fixed_force_response(body, variant, newmark(1e-4)).error()
        rows.append(bound(f"{variant}, mesh step 2 degrees", 100.0 * error, 0.2, "%", "direct static solution"))
    return rows
