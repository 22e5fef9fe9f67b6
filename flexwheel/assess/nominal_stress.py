"""Stress of a mesh over the nominal stress of an axle's section: what joins limits of the one with those of the other.

The limits of EN 13103 are for K M / W: moment of the section by the statics of the axle, its section modulus, and a
factor K of the fillet that is nearer to 1 than the elastic peak. A mesh has that peak, and beside a hub that is one
piece with the axle it has less than M / W. With both under the same load,

    elastic factor = amplitude of the mesh's stress at a place / (K M / W there),

amplitude / elastic factor is K times the nominal stress, whatever the load, as long as stress and moment grow alike.
The load is that of EN 13103 without brakes (journals, treads, curve to the node's side), which is in equilibrium; the
stress is that which control nodes of a run have, so with submodels where the run has them.
Verified in tests/verification/test_filleted_section_verified.py (Peterson's factor of a stepped shaft) and by
benchmarks/axle_stress.py (whole-mesh statics at other loads).
"""

from typing import NamedTuple

import numpy as np

from flexwheel.assess.evaluate.axle_standard import (
    AxleLoads,
    axle_forces,
    axle_moments,
    fillet_concentration,
    nominal_stress,
)
from flexwheel.assess.evaluate.fatigue import critical_plane
from flexwheel.base.errors import ScenarioError
from flexwheel.results.evaluate.control_nodes import WheelsetHistory, control_node_results

LEAST, MOST = 0.6, 4.0
"""Elastic factors that are believed; choices. Below, the hub carries what the axle does not, by a share that depends on
the load (0.3 to 0.5 under a hub of one piece, 0.83 at its edge); above, the place is none of the axle's surface."""
NOTCH = 1.1
"""Above it a place of a zone without a fillet is a notch; a choice (body 1.00, edge of a seat 1.06)."""
FITTED = ("seat", "journal")
"""Zones whose limit contains the edge of what is fitted on, so that no K belongs to it."""
UNEVEN = 0.01
"""Of the journals' span: what their middle may be off that of the treads."""


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


def unit_loads(body) -> AxleLoads:
    """Loads of EN 13103 on a ReducedBody: 1 t, its centre as high as half the journals' span, no brakes.

    Raises
    ------
    ScenarioError    journals that are not about the middle of the treads: the standard's formulas are for those alone
    """
    journals, treads = body.interface_position[:, 1], [tread.lateral for tread in body.treads]
    span, off = float(np.ptp(journals)), float(np.mean(journals) - np.mean(treads))
    if abs(off) > UNEVEN * span:
        raise ScenarioError(
            f"journals must lie about the middle of the treads for a nominal stress of EN 13103, got {1e3 * off:.0f} "
            "mm off it; take limits of the local stress"
        )
    return AxleLoads(1e3, 0.5 * span, span, float(np.ptp(treads)), body.treads[0].radius, brake=0.0)


def standing_stress(body, loads, side):
    """Stress (S, C, 6) [Pa] of the control nodes, section axes, as the wheelset turns once under forces that stand,
    without that of press fits, which the limits of nominal stress contain.

    Parameters
    ----------
    body : ReducedBody
    loads : AxleLoads       in equilibrium on it
    side : +1 or -1         of journal and wheel 1, left or right
    """
    f, one = axle_forces(loads), 0 if side > 0 else 1
    tread, journal = np.zeros((2, 6)), np.zeros((2, 6))
    tread[one, 1:3], tread[1 - one, 1:3] = (-side * f["Y1"], f["Q1"]), (side * f["Y2"], f["Q2"])
    journal[one, 1:3], journal[1 - one, 2] = (side * f["H"], -f["P1"]), -f["P2"]
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
    """A wheelset that turns under `unit_loads`."""

    loads: AxleLoads
    place: np.ndarray  # (C, 3) [m] of the control nodes, body frame
    stress: dict  # side +1, -1 -> `standing_stress` as the load leans to it
    radius: np.ndarray  # (N,) [m] of all nodes of the mesh
    along: np.ndarray  # (N,) |y| [m]


def turning_axle(mesh, body) -> TurningAxle:
    """TurningAxle of a mesh and its ReducedBody."""
    loads = unit_loads(body)
    stress = {side: standing_stress(body, loads, side) for side in (1, -1)}
    x, y, z = mesh.nodes.T
    return TurningAxle(loads, body.control.position, stress, np.hypot(x, z), np.abs(y))


def elastic_factor(axle, k, zone, limit) -> float:
    """Stress of the mesh over K times the nominal stress at control node k of a TurningAxle, which lies in a zone.

    Both are amplitudes about mean stress 0, that of the mesh by the ZoneLimit's sensitivity to mean stress.

    Raises
    ------
    ScenarioError    a node outside the journals, off the axle's surface, under a hub, or in a notch without its fillet
    """
    x, y, z = axle.place[k]
    own, middle, side = float(np.hypot(x, z)), 0.5 * axle.loads.journal_span, 1 if y >= 0.0 else -1
    if abs(y) >= middle:
        raise ScenarioError(f"a node of zone {zone.name} must lie between the journals for a limit of nominal stress")
    diameter = 2.0 * own if np.isnan(zone.diameter) else zone.diameter
    bore = 2.0 * float(axle.radius[np.abs(axle.along - abs(y)) <= 0.5 * diameter].min(initial=np.inf))
    if bore >= 0.99 * diameter:
        raise ScenarioError(f"--zone {zone.name} must have the diameter of the section: {zone.name}:FROM:TO:DIAMETER")
    moment = abs(float(axle_moments(axle.loads, [middle - abs(y)])["Mx"][0]))
    nominal = float(nominal_stress(moment, diameter, bore, zone.concentration))
    nominal *= 2.0 * own / diameter if zone.name == "bore" else 1.0
    normal = critical_plane(axle.stress[side][:, k])[1]
    about_zero = limit.limits.curve().reversed_ranges(np.ptp(normal), 0.5 * (normal.max() + normal.min()))
    factor = 0.5 * float(about_zero) / nominal
    what = f"zone {zone.name}: stress of the mesh is {factor:.3g} of the nominal one of d = {1e3 * diameter:.4g} mm"
    if not LEAST <= factor <= MOST:
        raise ScenarioError(f"{what}, {LEAST:g} to {MOST:g} expected on the axle's surface beside hubs")
    if factor > NOTCH and zone.concentration == 1.0 and zone.name not in FITTED:
        raise ScenarioError(f"{what}, a notch; give its fillet: {zone.name}:FROM:TO:DIAMETER:RADIUS:LARGER in mm")
    return factor
