"""Forces, moments and stresses of an axle with outside journals after EN 13103-1.

Coordinates: y along the axle from the load plane of journal 1. Index 1 is the more heavily loaded side, towards which
the quasi-static lateral force acts. All factors and permissible stresses are REMEMBERED from EN 13103:2009, clauses 4
to 7, not read from it (confidence: forces and solid axle high, hollow axle and torsion of braking medium); `SOURCE` is
printed with every result. Forces of brakes on the axle other than torsion, and masses on it between the wheels, are
left out.
Verified in tests/verification/test_axle_standard.py by equilibrium; no published worked example was found.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.errors import ScenarioError

SOURCE = "EN 13103, factors and permissible stresses remembered, not read: check before use"
GRAVITY = 9.81
SECURITY = 1.2
PERMISSIBLE = {
    "EA1N": {"solid": {"body": 200e6, "seat": 120e6, "journal": 120e6},
             "hollow": {"body": 200e6, "seat": 110e6, "journal": 94e6, "bore": 80e6}},
}  # fmt: skip
"""Fatigue limits [Pa] by steel grade, kind of axle and zone, before the security coefficient: body (outside fits), seat
(under a wheel or disc pressed on), journal (under a bearing), bore."""


@dataclass(frozen=True)
class AxleLoads:
    """What the standard takes of the vehicle."""

    mass: float  # [kg] m1 on the journals, wheelset left out
    height: float  # [m] h1 of the centre of these masses above the axle's middle line
    journal_span: float  # [m] 2b between the load planes of the journals
    tread_span: float  # [m] 2s between the rolling circles
    wheel_radius: float  # [m]
    brake: float = 0.3  # torsion 0.3 P' R of a braked, guided axle: the share of P = m1 g / 2 at the wheel's radius

    def __post_init__(self):
        given = np.array([self.mass, self.height, self.wheel_radius, self.tread_span, self.journal_span])
        if not (np.all(np.isfinite(given) & (given > 0.0)) and self.tread_span < self.journal_span):
            raise ScenarioError(
                f"axle of m1 = {self.mass:g} kg, h1 = {self.height:g} m, 2b = {self.journal_span:g} m, 2s = "
                f"{self.tread_span:g} m, R = {self.wheel_radius:g} m: expected numbers above 0 and 2b above 2s"
            )


def axle_forces(loads):
    """Forces [N] of clause 4: P1, P2 on the journals, Q1, Q2 under the wheels, Y1, Y2 across, H = Y1 - Y2."""
    weight, b, s = loads.mass * GRAVITY, loads.journal_span / 2.0, loads.tread_span / 2.0
    p1 = (0.625 + 0.0875 * loads.height / b) * weight
    p2 = (0.625 - 0.0875 * loads.height / b) * weight
    y1, y2 = 0.30 * weight, 0.15 * weight
    q1 = (p1 * (b + s) - p2 * (b - s) + (y1 - y2) * loads.wheel_radius) / (2.0 * s)
    q2 = (p2 * (b + s) - p1 * (b - s) - (y1 - y2) * loads.wheel_radius) / (2.0 * s)
    return {"P1": p1, "P2": p2, "Q1": q1, "Q2": q2, "Y1": y1, "Y2": y2, "H": y1 - y2}


def axle_moments(loads, y):
    """Bending moment Mx, torsion My, resultant MR (n,) [N m] at places y (n,) [m] from the load plane of journal 1."""
    f, y = axle_forces(loads), np.asarray(y, dtype=float)
    if not np.all((y >= 0.0) & (y <= loads.journal_span)):
        raise ScenarioError(f"axle section at {y} m: expected a place from 0 to {loads.journal_span:g} m, the journals")
    arm = 0.5 * (loads.journal_span - loads.tread_span)
    first, second = arm, arm + loads.tread_span
    bending = f["P1"] * y
    bending = bending - np.where(y > first, f["Q1"] * (y - first) - f["Y1"] * loads.wheel_radius, 0.0)
    bending = bending - np.where(y > second, f["Q2"] * (y - second) + f["Y2"] * loads.wheel_radius, 0.0)
    between = (y > first) & (y < second)
    torsion = np.where(between, loads.brake * 0.5 * loads.mass * GRAVITY * loads.wheel_radius, 0.0)
    return bending, torsion, np.hypot(bending, torsion)


def nominal_stress(moment, diameter, bore=0.0, concentration=1.0):
    """Stress [Pa] at the surface of a section: K 32 M d / (pi (d^4 - d'^4))."""
    if not np.all((np.asarray(diameter) > bore) & (np.asarray(bore) >= 0.0)):
        raise ScenarioError(f"axle diameter {diameter} m with a bore of {bore} m: expected a bore below the diameter")
    return concentration * 32.0 * moment * diameter / (np.pi * (diameter**4 - bore**4))


def permissible_stress(grade, hollow, zone):
    """Permissible stress [Pa] of a zone, security coefficient included."""
    try:
        return PERMISSIBLE[grade]["hollow" if hollow else "solid"][zone] / SECURITY
    except KeyError:
        zones = ", ".join(PERMISSIBLE.get(grade, {}).get("hollow" if hollow else "solid", {}))
        raise ScenarioError(
            f"axle of {grade}, zone {zone!r}: expected grade {', '.join(PERMISSIBLE)}"
            + (f", zone {zones}" * bool(zones))
        ) from None
