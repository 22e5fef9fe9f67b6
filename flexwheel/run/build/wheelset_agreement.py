"""Is the wheelset of a mesh the one its vehicle names? Mass, inertia, radius and place of the treads."""

import numpy as np

from flexwheel.base.disagreements import disagree
from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.tread import tread_radius

MASS = 0.03
"""Largest difference of mass, relative: the polygons of a coarse mesh of 24 sectors lack 1.1 % of their circles."""
INERTIA = 0.05
"""Of the moments of inertia: the same polygons lack 2.3 % of the polar moment."""
RADIUS = 1e-3
"""[m] of the rolling radius: either figure may be rounded to the millimetre."""
PLACE = 2e-3
"""[m] of the tread datum: the tolerance of the distance between flange backs in EN 13260."""
RADII = 0.25e-3
"""[m] left against right: wheels of one axle differ by at most 0.5 mm in diameter after reprofiling (EN 15313)."""


def tread_disagreements(name, body, accepted=(), error=MeshError) -> list[str]:
    """Warnings on what the two treads of a reduced body differ in; raises `error` unless accepted."""
    left, right = (tread_radius(t.profile, t.lateral) for t in body.treads)
    if abs(left - right) <= RADII:
        return []
    said = (
        f"wheelset {name}: the mesh rolls on {1e3 * left:.2f} mm at the left tread datum and {1e3 * right:.2f} mm at "
        f"the right one, expected equal to {1e3 * RADII:g} mm"
    )
    return [disagree("tread_radii", said, accepted, error)]


def wheelset_disagreements(name, body, table, wheel, wheel_y, accepted=()) -> list[str]:
    """Warnings on where the mesh of a wheelset and its vehicle differ.

    Parameters
    ----------
    name : str
    body : ReducedBody
    table : dict            the wheelset in the vehicle file: mass_kg, roll_inertia_kg_m2, spin_inertia_kg_m2
    wheel : dict            [wheel] of the vehicle file: radius_m
    wheel_y : float [m]     half distance of the profile origins by the vehicle's flange backs
    accepted : sequence of str

    Raises
    ------
    ScenarioError           with both figures, where they differ by more than the bounds of this file
    """
    lines = tread_disagreements(name, body, accepted, ScenarioError)
    if (apart := _apart(body.mass, table["mass_kg"])) > MASS:
        said = (
            f"wheelset {name}: the mesh weighs {body.mass:.1f} kg, the vehicle's wheelsets.{name}.mass_kg is "
            f"{table['mass_kg']:.1f} kg, {100 * apart:.1f} % apart, expected at most {100 * MASS:g} %"
        )
        lines.append(disagree("wheelset_mass", said, accepted))
    spin = body.inertia[1, 1], table["spin_inertia_kg_m2"]
    roll = 0.5 * (body.inertia[0, 0] + body.inertia[2, 2]), table["roll_inertia_kg_m2"]
    if max(_apart(*spin), _apart(*roll)) > INERTIA:
        said = (
            f"wheelset {name}: spin and roll inertia of the mesh are {spin[0]:.1f} and {roll[0]:.1f} kg m2, the "
            f"vehicle's wheelsets.{name}.spin_inertia_kg_m2 and roll_inertia_kg_m2 {spin[1]:.1f} and {roll[1]:.1f}, "
            f"{100 * _apart(*spin):.1f} and {100 * _apart(*roll):.1f} % apart, expected at most {100 * INERTIA:g} %"
        )
        lines.append(disagree("wheelset_inertia", said, accepted))
    radii = [tread_radius(t.profile, t.lateral) for t in body.treads]
    worst = radii[int(np.argmax([abs(r - wheel["radius_m"]) for r in radii]))]
    if abs(worst - wheel["radius_m"]) > RADIUS:
        said = (
            f"wheelset {name}: the mesh rolls on a radius of {1e3 * worst:.2f} mm, the vehicle's wheel.radius_m is "
            f"{1e3 * wheel['radius_m']:.2f} mm, expected equal to {1e3 * RADIUS:g} mm"
        )
        lines.append(disagree("tread_radius", said, accepted))
    places = [abs(t.lateral) for t in body.treads]
    worst = places[int(np.argmax([abs(y - wheel_y) for y in places]))]
    if abs(worst - wheel_y) > PLACE:
        said = (
            f"wheelset {name}: the mesh has its tread datum at y = {1e3 * worst:.1f} mm, the vehicle's "
            f"wheel.flange_back_m puts it at {1e3 * wheel_y:.1f} mm, expected equal to {1e3 * PLACE:g} mm; the "
            f"mesh's is taken 70 mm outside the innermost node of its rim unless wheelset.{name}.tread_datum_mm states "
            "it: give that, or correct wheel.flange_back_m"
        )
        lines.append(disagree("tread_place", said, accepted))
    return lines


def mesh_counts(name, body, table) -> str:
    """Line that says whose mass a run takes."""
    return (
        f"wheelset {name}: mass and inertia are those of its mesh, {body.mass:.2f} kg, spin {body.inertia[1, 1]:.2f}, "
        f"roll {body.inertia[0, 0]:.2f} kg m2; the vehicle's {table['mass_kg']:g} kg, {table['spin_inertia_kg_m2']:g} "
        f"and {table['roll_inertia_kg_m2']:g} kg m2 are not used"
    )


def _apart(a, b):
    return abs(a - b) / abs(b)
