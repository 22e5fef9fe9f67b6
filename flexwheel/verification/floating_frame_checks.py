"""Floating frame: conservation in free flight, the spinning wheelset, and a force fixed in space."""

import functools

import numpy as np

from flexwheel.assess.linear.linear_rotor import linearised_matrices, turning_generator, whirl_frequencies
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.numerics.integration import newmark, park
from flexwheel.verification import norms
from flexwheel.verification.benches.fixed_force import fixed_force_response
from flexwheel.verification.benches.free_flight import free_flight
from flexwheel.verification.check_registry import check, conserved, distance, exact, information
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

RADIUS = 0.46


@functools.lru_cache(maxsize=2)
def wheelset(refinement, damping=0.0):
    """Reduced wheelset of one of the shipped refinements, without residual."""
    mesh = wheelset_mesh(refinement=REFINEMENTS[refinement])
    return reduce_wheelset(mesh, ReductionOptions(fixed_interface_modes=29, residual=False, damping_ratio=damping))


@check(
    "Free flight of the spinning wheelset, 100 revolutions", subject="Free flight",
    ground=conserved("linear momentum to rounding; angular momentum and energy to what Newmark 1/4 leaves at second "
                     "order, 1e-6 and 1e-4 asked for beforehand"),
)  # fmt: skip
def conservation():
    """48.3 rad/s spin, 0.1 rad/s wobble, first bending 1 mm at the axle ends; coarse mesh, 35 modes."""
    rows = []
    for name, make in (("Newmark 1/4", newmark), ("Park", park)):
        flights = {dt: free_flight(wheelset("coarse"), make(dt)) for dt in (8e-4, 4e-4)}
        found, flown = {dt: flight.drifts() for dt, flight in flights.items()}, flights[4e-4]
        limits = (1e-12, 1e-6, 1e-4)
        for k, what in enumerate(("linear momentum", "angular momentum", "energy")):
            text, series = f"{name}, 4e-4 s: drift of {what}", (flown.linear, flown.angular, flown.energy[:, None])[k]
            if name == "Park" and what != "linear momentum":  # it damps
                rows.append(information(text, found[4e-4][k], "", "conservation"))
            else:
                start = np.broadcast_to(series[0], series.shape)
                rows.append(distance(text, series, start, limits[k], "", "conservation", _drift))
        for k, what in ((1, "angular momentum"), (2, "energy")):
            order = np.log2(found[8e-4][k] / found[4e-4][k])
            rows.append(information(f"{name}: order at which the drift of {what} falls", order))
    return rows


def _drift(series, start):
    """Largest length of a change over the length at the start."""
    return np.linalg.norm(series - start, axis=1).max() / np.linalg.norm(start[0])


@check(
    "Spinning free wheelset", subject="Free flight",
    ground=exact("torsion of an axisymmetric body has no gyroscopic moment, and the prestress balances the centrifugal "
                 "softening; 0.2 % asked for beforehand"),
)  # fmt: skip
def spinning():
    """First torsion with and without the prestress, and the split of the first bending pair, 200 km/h."""
    body, spin = wheelset("coarse"), 200.0 / 3.6 / RADIUS
    rows = []
    for choice in ("both", "paper"):
        frequency, direction, _ = whirl_frequencies(
            *linearised_matrices(body, spin, "non_rotating", choice), turning_generator(body.generator)
        )
        standing = frequency[np.abs(direction) < 0.1]
        nearest = standing[np.argmin(np.abs(standing - body.frequency_hz[0]))]
        text = (
            "first torsion against that at rest, " + {"both": "with prestress", "paper": "the paper's choice"}[choice]
        )
        made = distance(text, nearest, body.frequency_hz[0], 0.2, "%", "exact: unchanged", norms.each, 100.0)
        rows.append(made if choice == "both" else information(text, made.value, "%"))
        if choice == "both":
            for sign, word in ((1, "forward"), (-1, "backward")):
                first = frequency[(direction * sign > 0.5) & (frequency > 30.0)][0]
                rows.append(information(f"first bending, {word} whirl", first, "Hz"))
    return rows


@check(
    "Force fixed in space on the spinning wheelset", subject="Turning mesh",
    ground=exact("static solution of the non-rotating equations, found without time stepping; 0.2 % set beforehand"),
)  # fmt: skip
def fixed_force():
    """Steady displacement at a fixed point against the direct solution of the non-rotating equations."""
    body = wheelset("paper", 0.01)
    rows = []
    for variant in ("eulerian", "eulerian_interpolated", "lagrangian"):
        found = fixed_force_response(body, variant, newmark(1e-4))
        text, pair = f"{variant}, mesh step 2 degrees", (found.mean[:3], found.direct[:3])
        rows.append(distance(text, *pair, 0.2, "%", "direct static solution", norms.final, 100.0))
    return rows
