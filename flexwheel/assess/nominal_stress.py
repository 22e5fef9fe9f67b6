"""Sections of an axle that limits of nominal stress are for, and what the stress of a mesh is of the nominal one there.

The limits of EN 13103 are for K M / W: moment of the section by the statics of the axle, its section modulus, and a
factor K of the fillet that is nearer to 1 than the elastic peak. A mesh has that peak, beside a hub that is one piece
with the axle less than M / W, and at the hub's outer face what bending of the web brings in, without any moment of the
section. What is judged is therefore K M / W by statics of a run's own loads (section_moments). The mesh tells

    elastic factor = half the range of its stress at a place / (K M / W there), both as the wheelset turns,

under forces down on the journals, up and inwards on the treads, by which places that are none of the axle's surface and
notches without their K are refused. The stress is that of a run's control nodes, with submodels where it has them.
Verified in tests/verification/test_filleted_section_verified.py (Peterson's factor of a stepped shaft) and by
benchmarks/axle_stress.py (whole-mesh statics at other loads).
"""

from typing import NamedTuple

import numpy as np

from flexwheel.assess.evaluate.axle_standard import fillet_concentration, nominal_stress
from flexwheel.assess.evaluate.fatigue import critical_plane
from flexwheel.base.errors import ScenarioError
from flexwheel.results.evaluate.control_nodes import WheelsetHistory, control_node_results

LEAST, MOST = 0.6, 4.0
"""Elastic factors that are believed; choices. Below, the hub carries what the axle does not (0.3 to 0.5 under a hub of
one piece, 0.83 at its edge); above, the place is none of the axle's surface."""
NOTCH = 1.1
"""Above it a place of a zone without a fillet is a notch; a choice (body 1.00, edge of a seat 1.06)."""
FITTED = ("seat", "journal")
"""Zones whose limit contains the edge of what is fitted on, so that no K belongs to it."""
LOAD = 1e4
"""[N]"""


class AxleZone(NamedTuple):
    """Where a limit holds, and the section that its nominal stress is of."""

    name: str
    first: float  # [m] |y|
    last: float
    diameter: float = np.nan  # [m] nan: twice the node's distance from the axle's middle line
    concentration: float = 1.0  # K


def parse_zone(text) -> AxleZone:
    """AxleZone of ZONE:FROM:TO, then :DIAMETER, then :RADIUS:LARGER of its fillet, in mm.

    Raises
    ------
    ScenarioError    naming what came
    """
    try:
        name, *numbers = text.split(":")
        first, last, *section = (1e-3 * float(number) for number in numbers)
        if not (name and 0.0 <= first <= last - 1e-3 and last <= 10.0 and len(section) in (0, 1, 3)):  # else m
            raise ValueError
        if not all(low <= size <= 1.0 for size, low in zip(section, (0.02, 1e-3, 0.02), strict=False)):
            raise ValueError
    except ValueError:
        raise ScenarioError(
            "--zone must be ZONE:FROM:TO, |y| in mm, e.g. seat:650:800, then :DIAMETER or :DIAMETER:RADIUS:LARGER of a "
            f"fillet, got {text}"
        ) from None
    concentration = fillet_concentration(section[0], section[2], section[1]) if len(section) == 3 else 1.0
    return AxleZone(name, first, last, section[0] if section else np.nan, concentration)


def standing_stress(body, tread, journal):
    """Stress (S, C, 6) [Pa] of the control nodes, section axes, as the wheelset turns once under forces that stand,
    without that of press fits, which the limits of nominal stress contain.

    Parameters
    ----------
    body : ReducedBody
    tread, journal : (2, 6) float [N, N m]      on the treads and journals, left and right, frame E
    """
    angle = body.treads[0].angle  # of the section that is lowest
    c, s = np.cos(angle), np.sin(angle)
    turned = np.zeros((len(angle), 3, 3))  # from axes of that section to those of the body
    turned[:, 0, 0], turned[:, 0, 2], turned[:, 1, 1], turned[:, 2, 0], turned[:, 2, 2] = c, s, 1.0, -s, c
    force = sum(np.einsum("kph,p->kh", t.profile_rows, of) for t, of in zip(body.treads, tread, strict=True))
    for rows, of in zip(body.interface_rows, journal, strict=True):
        force = force + turned @ of[:3] @ rows[:3]  # journals carry no moment
    modal = force / (2.0 * np.pi * body.frequency_hz) ** 2
    still, rate = np.zeros((len(angle), 6)), np.zeros((len(angle), 6, 2, 6))
    wrenches = (np.tile(of, (len(angle), 1, 1)) for of in (tread, journal))
    history = WheelsetHistory(
        "lagrangian", -angle, still, still, modal, 0.0 * modal, 0.0 * modal, *wrenches, rate, rate
    )
    fit = body.control.prestress[np.arange(len(body.control.home)), body.control.home]
    return control_node_results(body, history)["stress"][:, :, 0] - fit


class TurningAxle(NamedTuple):
    """A wheelset that turns under LOAD down on each journal, borne by the treads, and half of it inwards on either."""

    place: np.ndarray  # (C, 3) [m] of the control nodes, body frame
    stress: np.ndarray  # (S, C, 6) [Pa] `standing_stress`
    loaded: np.ndarray  # (4,) [m] y of the treads and the journals, left and right
    upward: np.ndarray  # (4,) [N] there
    bending: float  # [N m] of the forces inwards, between the treads
    radius: np.ndarray  # (N,) [m] of all nodes of the mesh
    along: np.ndarray  # (N,) |y| [m]


def turning_axle(mesh, body) -> TurningAxle:
    """TurningAxle of a mesh and its ReducedBody."""
    at, ends = [t.lateral for t in body.treads], body.interface_position[:, 1]
    up = LOAD * np.concatenate([np.linalg.solve([[1.0, 1.0], at], [2.0, ends.sum()]), [-1.0, -1.0]])
    wrench = up.reshape(2, 2, 1) * np.eye(6)[2]
    wrench[0, :, 1] = -0.5 * LOAD, 0.5 * LOAD
    x, y, z = mesh.nodes.T
    return TurningAxle(body.control.position, standing_stress(body, *wrench), np.concatenate([at, ends]), up,
                       0.5 * LOAD * body.treads[0].radius, np.hypot(x, z), np.abs(y))  # fmt: skip


def judged_section(axle, k, zone):
    """(diameter, bore, K) [m] of the section of control node k of a TurningAxle, which lies in a zone, and the elastic
    factor there: half the range of the mesh's stress over K times the nominal stress.

    Raises
    ------
    ScenarioError    a node outside the journals, off the axle's surface, under a hub, or in a notch without its fillet
    """
    x, y, z = axle.place[k]
    own = float(np.hypot(x, z))
    if not axle.loaded[3] < y < axle.loaded[2]:
        raise ScenarioError(f"a node of zone {zone.name} must lie between the journals for a limit of nominal stress")
    diameter = 2.0 * own if np.isnan(zone.diameter) else zone.diameter
    bore = 2.0 * float(axle.radius[np.abs(axle.along - abs(y)) <= 0.5 * diameter].min(initial=np.inf))
    if bore >= 0.99 * diameter:
        raise ScenarioError(f"--zone {zone.name} must have the diameter of the section: {zone.name}:FROM:TO:DIAMETER")
    between = axle.loaded[1] < y < axle.loaded[0]
    moment = abs(float(axle.upward @ np.maximum(axle.loaded - y, 0.0)) - axle.bending * between)
    nominal = float(nominal_stress(moment, diameter, bore, zone.concentration))
    nominal *= 2.0 * own / diameter if zone.name == "bore" else 1.0
    factor = 0.5 * float(np.ptp(critical_plane(axle.stress[:, k])[1])) / nominal
    what = f"zone {zone.name}: stress of the mesh is {factor:.3g} of the nominal one of d = {1e3 * diameter:.4g} mm"
    if not LEAST <= factor <= MOST:
        raise ScenarioError(f"{what}, {LEAST:g} to {MOST:g} expected on the axle's surface beside hubs")
    if factor > NOTCH and zone.concentration == 1.0 and zone.name not in FITTED:
        raise ScenarioError(f"{what}, a notch; give its fillet: {zone.name}:FROM:TO:DIAMETER:RADIUS:LARGER in mm")
    return (diameter, bore, zone.concentration), factor
