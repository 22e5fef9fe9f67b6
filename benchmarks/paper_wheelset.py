"""Which wheelset has a first frequency of 29.6 Hz, as table 1 of paper 004 gives it.

    python benchmarks/paper_wheelset.py

The shipped wheelset as a beam of Timoshenko with rigid wheels, and what has to change until its first frequency is
29.6 Hz: the axle's diameter, the wheels' inertia, masses on the journals, Young's modulus, how it is held. By
Rayleigh's quotient a frequency falls when any stiffness falls or any mass grows, so that each datum passes 29.6 Hz at
one value, and over a range of data the lowest frequency is that of the softest and heaviest corner.
"""

import itertools
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import brentq

PAPER_HZ = 29.6
SHEAR_FACTOR = 0.9  # Cowper's of a circle, nu = 0.3: 6 (1 + nu) / (7 + 6 nu) = 0.886
DENSITY, POISSON = 7850.0, 0.3
ENDS = np.array([0.0, 0.63, 0.6475, 0.75, 0.88, 0.9, 1.0075, 1.1])  # stations of half the shipped axle [m]
BODY, SEAT, ABUTMENT, JOURNAL = 0.16, 0.185, 0.16, 0.13  # diameters [m]


@dataclass(frozen=True)
class Wheelset:
    """Half of a wheelset and how it is held, lengths [m], masses [kg]."""

    body: float = BODY  # diameter between the seats
    scale: float = 1.0  # of all other diameters
    modulus: float = 2.1e11
    wheel_mass: float = 380.0
    wheel_spin: float = 45.8  # inertia about the axle [kg m2]
    box_mass: float = 0.0  # on each journal
    spring: float = 0.0  # across the axle at each journal [N/m]
    centre_spin: float = 0.0  # of a gear or disc in the middle [kg m2]
    seat_spin: float = 0.0  # of a gear beside the left wheel [kg m2]
    held: str = "free"  # | "pinned" journals | "ends" | "one end"


def mesh():
    """Stations [m] of the whole axle, at most 40 mm apart."""
    parts = [np.linspace(a, b, 1 + int(np.ceil((b - a) / 0.04))) for a, b in itertools.pairwise(ENDS)]
    half = np.unique(np.concatenate(parts))
    return np.concatenate([-half[:0:-1], half])


def diameters(wheelset, middles):
    """Diameter of the axle at places [m]."""
    steps = np.array([wheelset.body, *(wheelset.scale * np.array([SEAT, SEAT, SEAT, ABUTMENT, JOURNAL, JOURNAL]))])
    return steps[np.searchsorted(ENDS[1:], np.abs(middles))]


def torsion(wheelset):
    """Stiffness and mass (n, n) about the axle."""
    places = mesh()
    length, middle = np.diff(places), 0.5 * (places[1:] + places[:-1])
    polar = np.pi * diameters(wheelset, middle) ** 4 / 32
    shear = wheelset.modulus / (2 * (1 + POISSON))
    stiffness, mass = np.zeros((2, places.size, places.size))
    for i, (part, inertia) in enumerate(zip(length, polar, strict=True)):
        stiffness[i : i + 2, i : i + 2] += shear * inertia / part * np.array([[1, -1], [-1, 1]])
        mass[i : i + 2, i : i + 2] += DENSITY * inertia * part / 6 * np.array([[2, 1], [1, 2]])
    for row, spin in ((-0.75, wheelset.wheel_spin), (0.75, wheelset.wheel_spin + wheelset.seat_spin)):
        mass[_row(places, row), _row(places, row)] += spin
    mass[places.size // 2, places.size // 2] += wheelset.centre_spin
    held = {"ends": [0, places.size - 1], "one end": [0]}.get(wheelset.held, [])
    return _free(stiffness, mass, held)


def bending(wheelset):
    """Stiffness and mass (2 n, 2 n) across the axle: deflection and slope of each place."""
    places = mesh()
    length, middle = np.diff(places), 0.5 * (places[1:] + places[:-1])
    shear = wheelset.modulus / (2 * (1 + POISSON))
    stiffness, mass = np.zeros((2, 2 * places.size, 2 * places.size))
    for i, (l, d) in enumerate(zip(length, diameters(wheelset, middle), strict=True)):
        area, inertia = np.pi * d**2 / 4, np.pi * d**4 / 64
        soft = 12 * wheelset.modulus * inertia / (SHEAR_FACTOR * area * shear * l**2)
        at = slice(2 * i, 2 * i + 4)
        stiffness[at, at] += (wheelset.modulus * inertia / ((1 + soft) * l**3)) * np.array(
            [
                [12, 6 * l, -12, 6 * l],
                [6 * l, (4 + soft) * l**2, -6 * l, (2 - soft) * l**2],
                [-12, -6 * l, 12, -6 * l],
                [6 * l, (2 - soft) * l**2, -6 * l, (4 + soft) * l**2],
            ]
        )
        mass[at, at] += np.diag([0.5 * DENSITY * area * l, 0.5 * DENSITY * inertia * l] * 2)
    for side in (-1, 1):
        wheel, journal = 2 * _row(places, side * 0.75), 2 * _row(places, side * 1.0075)
        mass[wheel, wheel] += wheelset.wheel_mass
        mass[wheel + 1, wheel + 1] += 0.5 * wheelset.wheel_spin
        mass[journal, journal] += wheelset.box_mass
        stiffness[journal, journal] += wheelset.spring
    last = 2 * places.size - 2
    held = {
        "pinned": [2 * _row(places, side * 1.0075) for side in (-1, 1)],
        "ends": [0, 1, last, last + 1],
        "one end": [0, 1],
    }.get(wheelset.held, [])
    return _free(stiffness, mass, held)


def _row(places, place):
    return int(np.argmin(np.abs(places - place)))


def _free(stiffness, mass, held):
    kept = np.setdiff1d(np.arange(len(mass)), held)
    return stiffness[np.ix_(kept, kept)], mass[np.ix_(kept, kept)]


def frequencies(matrices):
    """[Hz] above 0.5 Hz, ascending."""
    found = np.sqrt(np.maximum(eigh(*matrices, eigvals_only=True), 0.0)) / (2 * np.pi)
    return found[found > 0.5]


def first(wheelset):
    """First frequency of torsion and of bending [Hz]."""
    return frequencies(torsion(wheelset))[0], frequencies(bending(wheelset))[0]


def passes(make, low, high):
    """The parameter in [low, high] at which the lower of the first frequencies is the paper's; None outside."""

    def off(value):
        return min(first(make(value))) - PAPER_HZ

    return brentq(off, low, high, xtol=1e-4 * high) if off(low) * off(high) < 0 else None


def main():
    base = Wheelset()
    print("first torsion and bending [Hz]")
    for name, wheelset in {
        "free": base,
        "free, 150 kg on each journal": replace(base, box_mass=150.0),
        "journals pinned": replace(base, held="pinned"),
        "both end faces held": replace(base, held="ends"),
        "one end face held": replace(base, held="one end"),
        "on springs of 1 MN/m a journal": replace(base, spring=1e6),
        "a gear of any inertia in the middle": replace(base, centre_spin=1e6),
        "a gear of any inertia beside a wheel": replace(base, seat_spin=1e6),
    }.items():
        print(f"  {name:40s} {first(wheelset)[0]:8.1f} {first(wheelset)[1]:8.1f}")
    print(f"what alone takes the first frequency to {PAPER_HZ} Hz, beside the shipped value")
    for name, shipped, make, low, high in (
        ("diameter of the body [m]", BODY, lambda v: replace(base, body=v), 0.05, BODY),
        ("all diameters, factor", 1.0, lambda v: replace(base, body=v * BODY, scale=v), 0.3, 1.0),
        ("Young's modulus [Pa]", 2.1e11, lambda v: replace(base, modulus=v), 1e10, 2.1e11),
        ("inertia of a wheel [kg m2]", base.wheel_spin, lambda v: replace(base, wheel_spin=v), 10.0, 1000.0),
        ("mass on each journal [kg]", 0.0, lambda v: replace(base, box_mass=v), 0.0, 1e5),
        ("spring at each journal [N/m]", 0.0, lambda v: replace(base, spring=v), 1e5, 1e9),
    ):
        found = passes(make, low, high)
        print(f"  {name:40s} {shipped:10.4g}  " + ("none" if found is None else f"{found:.4g}"))
    print(
        "diameter of the body [m] that gives it beside wheels of so many times the inertia, and bending stress of the"
    )
    print("body under the same wheel load over that of the shipped axle")
    for factor in (0.75, 1.0, 1.5, 2.0, 3.0, 4.0):
        spin = factor * base.wheel_spin
        body = passes(lambda v, spin=spin: replace(base, body=v, wheel_spin=spin), 0.05, 0.2)
        print(f"  {factor:6.2f} {body:8.4f} {(BODY / body) ** 3:8.2f}")


if __name__ == "__main__":
    main()
