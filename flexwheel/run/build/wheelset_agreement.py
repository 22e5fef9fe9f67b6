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
JOURNAL = 10e-3
"""[m] of a journal's middle: 4 % of the usual arm of 0.25 m from journal to rail, which bends the axle."""
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
    table : dict            the wheelset in the vehicle file: mass_kg, roll and spin inertia, journal_y_m
    wheel : dict            [wheel] of the vehicle file: radius_m
    wheel_y : float [m]     half distance of the profile origins by the vehicle's flange backs
    accepted : sequence of str

    Raises
    ------
    ScenarioError           with both figures, where they differ by more than the bounds of this file
    """
    spin = body.inertia[1, 1], table["spin_inertia_kg_m2"]
    roll = 0.5 * (body.inertia[0, 0] + body.inertia[2, 2]), table["roll_inertia_kg_m2"]
    mass, spins, rolls = _apart(body.mass, table["mass_kg"]), _apart(*spin), _apart(*roll)
    radius, radius_off = _farthest([tread_radius(t.profile, t.lateral) for t in body.treads], wheel["radius_m"])
    place, place_off = _farthest([abs(t.lateral) for t in body.treads], wheel_y)
    expected = table["journal_y_m"]
    journal, journal_off = _farthest(np.abs(body.interface_position[:, 1]), expected)
    cases = {
        "wheelset_mass": mass > MASS
        and f"the mesh weighs {body.mass:.1f} kg, the vehicle's wheelsets.{name}.mass_kg is {table['mass_kg']:.1f} kg, "
        f"{100 * mass:.1f} % apart, expected at most {100 * MASS:g} %",
        "wheelset_inertia": max(spins, rolls) > INERTIA
        and f"spin and roll inertia of the mesh are {spin[0]:.1f} and {roll[0]:.1f} kg m2, the vehicle's "
        f"wheelsets.{name}.spin_inertia_kg_m2 and roll_inertia_kg_m2 {spin[1]:.1f} and {roll[1]:.1f}, "
        f"{100 * spins:.1f} and {100 * rolls:.1f} % apart, expected at most {100 * INERTIA:g} %",
        "tread_radius": radius_off > RADIUS
        and f"the mesh rolls on a radius of {1e3 * radius:.2f} mm, the vehicle's wheel.radius_m is "
        f"{1e3 * wheel['radius_m']:.2f} mm, expected equal to {1e3 * RADIUS:g} mm",
        "tread_place": place_off > PLACE
        and f"the mesh has its tread datum at y = {1e3 * place:.1f} mm, the vehicle's wheel.flange_back_m puts it at "
        f"{1e3 * wheel_y:.1f} mm, expected equal to {1e3 * PLACE:g} mm; the mesh's is taken 70 mm outside the "
        f"innermost node of its rim unless wheelset.{name}.tread_datum_mm states it: give that, or correct "
        "wheel.flange_back_m",
    }
    lines = tread_disagreements(name, body, accepted, ScenarioError)
    lines += [disagree(case, f"wheelset {name}: {said}", accepted) for case, said in cases.items() if said]
    if journal_off > JOURNAL:
        said = f"y = {1e3 * journal:.1f} mm, not at the vehicle's wheelsets.{name}.journal_y_m, {1e3 * expected:.1f} mm"
        lines.append(f"wheelset {name}: axle boxes and force elements act at the interfaces of its mesh, {said}")
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


def _farthest(values, expected):
    """The value farthest from the expected one, and how far it is."""
    worst = max(values, key=lambda value: abs(value - expected))
    return worst, abs(worst - expected)
