"""Forces, moments and stresses of an axle with outside journals after EN 13103-1.

Coordinates: y along the axle from the load plane of journal 1, x along running. Index 1 is the more heavily loaded
side, towards which the quasi-static lateral force acts. The standard was not read: 0.625, 0.0875, Y1 = 0.35 m1 g, Y2 =
Y1 / 2, the brakes' moments with 0.3 P' R, and K of a fillet are those of two programs that write it out, named in
tests/assess/test_axle_standard_verified.py; `SOURCE` is printed. Limits: strength_grades. Of drives and brake blocks no
figure of the standard is known: their forces are the user's, and what they do to the axle is statics.
Verified in tests/assess/test_axle_standard_verified.py by statics and against those calculations;
FE stress of the shipped axle: benchmarks/axle_stress.py.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY

SOURCE = (
    "EN 13103: forces, moments and K as two public programs write them out (docs/standards.md), limits as of --grades"
)
MOST_MASS, MOST_LENGTH = 1e6, 10.0  # [kg, m] beyond any axle


@dataclass(frozen=True)
class AxleDisc:
    """A brake disc or other mass on the axle or on a wheel."""

    mass: float  # [kg]
    place: float  # [m] from the rolling circle of wheel 1, towards wheel 2
    friction: float = 0.0  # [N] of both pads together, at
    radius: float = 0.0  # [m]


@dataclass(frozen=True)
class AxleForce:
    """What a gear, coupling or brake block does to the axle; the journals bear its forces, the rails its torque."""

    place: float  # [m] as of AxleDisc
    upright: float = 0.0  # [N] upwards
    along: float = 0.0  # [N] forwards
    torque: float = 0.0  # [N m] about the axle, that drives it forwards
    drives: bool = False  # a drive: no 0.3 P' R of a braked axle comes with it


def block_force(place, normal, friction, angle, radius) -> AxleForce:
    """AxleForce of a brake block: normal force [N], its coefficient of friction, and where it lies on the tread.

    angle : [rad] upwards from the foremost point of the wheel; radius : [m]
    """
    c, s, grip = np.cos(angle), np.sin(angle), friction * normal
    return AxleForce(place, grip * c - normal * s, -normal * c - grip * s, -grip * radius)


@dataclass(frozen=True)
class AxleLoads:
    """What the standard takes of the vehicle."""

    mass: float  # [kg] m1 on the journals, wheelset left out
    height: float  # [m] h1 of the centre of these masses above the axle's middle line
    journal_span: float  # [m] 2b between the load planes of the journals
    tread_span: float  # [m] 2s between the rolling circles
    wheel_radius: float  # [m]
    brake: float = 0.3  # torsion 0.3 P' R of a braked, guided axle: the share of P = m1 g / 2 at the wheel's radius
    lateral: float = 0.35  # Y1 / (m1 g), Y2 is half of it
    discs: tuple[AxleDisc, ...] = ()
    forces: tuple[AxleForce, ...] = ()

    def __post_init__(self):
        given = np.array([self.mass, self.height, self.wheel_radius, self.tread_span, self.journal_span])
        most = np.array([MOST_MASS, *4 * (MOST_LENGTH,)])
        if not (np.all((given > 0.0) & (given <= most)) and self.tread_span < self.journal_span):
            raise ScenarioError(
                f"axle of m1 = {self.mass:g} kg, h1 = {self.height:g} m, 2b = {self.journal_span:g} m, 2s = "
                f"{self.tread_span:g} m, R = {self.wheel_radius:g} m: expected numbers above 0, 2b above 2s, at most "
                f"{MOST_MASS:g} kg and {MOST_LENGTH:g} m"
            )
        if not 0.0 <= self.lateral <= 1.0:
            raise ScenarioError(f"axle: lateral force Y1 must be 0 to 1 m1 g, got {self.lateral:g}")
        most = 10.0 * MOST_MASS
        for force in self.forces:
            given = np.abs([force.upright, force.along, force.torque / self.wheel_radius])
            if not (np.all(given <= most) and 0.0 <= force.place <= self.tread_span):
                raise ScenarioError(
                    f"force of {force.upright:g} and {force.along:g} N, {force.torque:g} N m at {force.place:g} m: "
                    f"expected at most {most:g} N (torque over R), its place within 2s = {self.tread_span:g} m"
                )
        for disc in self.discs:
            given = np.array([disc.mass, disc.friction, disc.radius])
            most = np.array([MOST_MASS, 10.0 * MOST_MASS, MOST_LENGTH])
            if not (np.all((given >= 0.0) & (given <= most)) and 0.0 <= disc.place <= self.tread_span):
                raise ScenarioError(
                    f"disc of {disc.mass:g} kg at {disc.place:g} m, {disc.friction:g} N at radius {disc.radius:g} m: "
                    f"expected 0 to {most[0]:g} kg, {most[1]:g} N and {most[2]:g} m, its place within 2s = "
                    f"{self.tread_span:g} m"
                )


def axle_forces(loads):
    """Forces [N] of clause 4: P1, P2 on the journals, Q1, Q2 under the wheels, Y1, Y2 across, H = Y1 - Y2.

    Weights of the discs stand on the side of Q, which raises the moment between the wheels.
    """
    weight, b, s = loads.mass * GRAVITY, loads.journal_span / 2.0, loads.tread_span / 2.0
    p1 = (0.625 + 0.0875 * loads.height / b) * weight
    p2 = (0.625 - 0.0875 * loads.height / b) * weight
    y1, y2 = loads.lateral * weight, 0.5 * loads.lateral * weight
    tilt = (y1 - y2) * loads.wheel_radius
    near = sum(d.mass * GRAVITY * (2.0 * s - d.place) for d in loads.discs)
    far = sum(d.mass * GRAVITY * d.place for d in loads.discs)
    q1 = (p1 * (b + s) - p2 * (b - s) + tilt - near) / (2.0 * s)
    q2 = (p2 * (b + s) - p1 * (b - s) - tilt - far) / (2.0 * s)
    return {"P1": p1, "P2": p2, "Q1": q1, "Q2": q2, "Y1": y1, "Y2": y2, "H": y1 - y2}


def axle_moments(loads, y):
    """Moments (n,) [N m] at places y (n,) [m] from the load plane of journal 1: {Mx, My, Mz, MR}.

    Mx bends the axle upright, My twists it, Mz bends it along the track as the grip of braked wheels does, MR is their
    resultant. The pads of a disc act upright. Forces of discs, drives and blocks are borne by the journals, their
    torques by the rails, half by each wheel. 0.3 P' R twists the axle unless a drive does.
    """
    f, y = axle_forces(loads), np.asarray(y, dtype=float)
    span, radius = loads.journal_span, loads.wheel_radius
    if not np.all((y >= 0.0) & (y <= span)):
        raise ScenarioError(f"an axle section must be at 0 to {span:g} m, the journals, got {y} m")
    first = 0.5 * (span - loads.tread_span)
    second = first + loads.tread_span
    upright = f["P1"] * y
    upright = upright - np.where(y > first, f["Q1"] * (y - first) - f["Y1"] * radius, 0.0)
    upright = upright - np.where(y > second, f["Q2"] * (y - second) + f["Y2"] * radius, 0.0)
    for disc in loads.discs:
        upright = upright - disc.mass * GRAVITY * np.maximum(y - first - disc.place, 0.0)
    pads = tuple(AxleForce(d.place, upright=d.friction, torque=-d.friction * d.radius) for d in loads.discs)
    grip = -sum(force.torque for force in (*loads.forces, *pads)) / (2.0 * radius)
    along = grip * np.minimum(np.minimum(y, span - y), first)
    for force in (*loads.forces, *pads):
        at = first + force.place
        lever = np.minimum(y * (span - at), at * (span - y)) / span
        upright, along = upright + force.upright * lever, along - force.along * lever
    twist = sum((force.torque * ((y > first + force.place) - 0.5) for force in loads.forces), np.zeros_like(y))
    braked = 0.0 if any(force.drives for force in loads.forces) else loads.brake * 0.5 * loads.mass * GRAVITY * radius
    twist = np.abs(twist) + braked
    twist = np.where((y > first) & (y < second), twist, 0.0)
    return {"Mx": upright, "My": twist, "Mz": along, "MR": np.sqrt(upright**2 + twist**2 + along**2)}


def fillet_concentration(diameter, larger, radius):
    """Stress concentration K >= 1 of a section of a diameter at its fillet to a larger diameter [all m]."""
    if not (0.0 < diameter <= larger <= 4.0 * diameter and radius >= 0.005 * diameter):
        raise ScenarioError(
            f"a fillet must have r >= 0.005 d and d <= D <= 4 d, got r = {radius:g}, d = {diameter:g}, D = {larger:g} m"
        )
    x, y = min(radius / diameter, 1.0), larger / diameter  # beyond 1 K is 1.001 at most
    return 1.0 + (4.0 - y) * (y - 1.0) / (5.0 * (10.0 * x) ** (2.5 * x + 1.5 - 0.5 * y))


def nominal_stress(moment, diameter, bore=0.0, concentration=1.0):
    """Stress [Pa] at the surface of a section: K 32 M d / (pi (d^4 - d'^4))."""
    if not np.all((np.asarray(diameter) > bore) & (np.asarray(bore) >= 0.0)):
        raise ScenarioError(f"the bore of an axle must be below its diameter {diameter:g} m, got {bore:g} m")
    return concentration * 32.0 * moment * diameter / (np.pi * (diameter**4 - bore**4))
