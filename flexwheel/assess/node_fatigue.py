"""Fatigue of nodes from the histories of their stress in one run or in several, each with the way it stands for.

A limit of the local stress judges the stress of the mesh, one of the nominal stress K times the nominal stress by
statics of the run's own loads (section_moments), as `en13103 --run` does.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexwheel.assess.evaluate.fatigue import (
    counted_cycles,
    critical_plane,
    damage_of,
    fatigue_criteria,
    normal_stress,
)
from flexwheel.assess.evaluate.strength_grades import verdict, zone_limit
from flexwheel.assess.nominal_stress import FITTED, AxleZone, judged_section, turning_axle
from flexwheel.assess.section_moments import axle_run, nominal_tensors
from flexwheel.assess.surface_stress import tensors_at_nodes
from flexwheel.base.errors import ScenarioError
from flexwheel.results.evaluate.span import nothing_left, settled_rows
from flexwheel.results.evaluate.stress_marks import mark, plain_marks

LEAST_KM = 1.0
"""Way of all runs together below which no life is formed; a choice."""
AROUND = 72
"""Points of a section's circumference, of which the one with the largest range is judged."""


class NodeHistories(NamedTuple):
    """Stress of material nodes in a run after settling, that which their limits are for."""

    tensors: np.ndarray  # (T, N, 6) [Pa] xx yy zz xy yz zx
    way: float  # [m] of these samples
    error: np.ndarray  # (N,) estimated relative error from the mesh; nan: none
    corner: np.ndarray  # (N,) [rad] re-entrant edge without a radius; else 0
    fit: np.ndarray | None = None  # (N, 6) [Pa] of the press fits, contained in the tensors; None: no fit
    local: np.ndarray | None = None  # (N,) [Pa] half the range of the mesh's stress where the tensors are nominal


def node_histories(run, node_ids, limits) -> NodeHistories:
    """Histories of a StressOfRun at nodes with their limits (N,) of ZoneLimit.

    Raises
    ------
    FlexwheelError      nothing left after settling
    """
    rows = settled_rows(run.results)
    if not rows.any():
        raise nothing_left(run.results)
    s = run.results.body_position.sel(body=run.wheelset, path="s").values[rows]
    body, shapes = run.body_of_nodes(node_ids)
    tensors = tensors_at_nodes(run, node_ids, body)[rows]
    fit = body.control.prestress[np.arange(len(node_ids)), body.control.home]
    local, known = np.full(len(node_ids), np.nan), [k for k, limit in enumerate(limits) if limit.section]
    x, y, z = body.control.position[known].T
    axle = axle_run(run, y, (body, shapes)) if known else None
    for j, k in enumerate(known):
        local[k], angle = 0.5 * np.ptp(critical_plane(tensors[:, k])[1]), np.arctan2(x[j], -z[j])
        tensors[:, k] = nominal_tensors(axle, j, limits[k].section, angle, limits[k].zone == "bore")
    way = float(s[-1] - s[0])
    return NodeHistories(tensors, way, body.control.stress_error, body.control.corner, fit, local)


def limits_at(run, node_ids, table, grade, zones):
    """Limits of nodes, those of nominal stress with its section: ({node: ZoneLimit}, {node: why it has none}).

    A node's zone is the first in whose range of |y| it lies; without zones all lie in the only one of the grade.

    Raises
    ------
    ScenarioError       a node that is not of the mesh, a grade without a zone's row, or with several and none given
    """
    if not zones:
        own = [zone for of, zone in table if of == grade]
        if len(own) > 1:
            span = "650:900" if own[0] == "web" else "0:600"  # |y| of usual wheelsets
            raise ScenarioError(f"--zone must say where the zones of {grade} lie ({', '.join(own)}): {own[0]}:{span}")
        zones = [AxleZone(own[0] if own else "body", 0.0, np.inf)]
    known = {zone.name: zone_limit(table, grade, zone.name) for zone in zones}
    place = dict(zip(run.mesh.node_ids.tolist(), np.abs(run.mesh.nodes[:, 1]).tolist(), strict=True))
    found, left, axle = {}, {}, None
    for k, node in enumerate(node_ids):
        if int(node) not in place:
            raise ScenarioError(f"node {node} must be a node of the mesh")
        y = place[int(node)]
        try:
            zone = next((zone for zone in zones if zone.first - 1e-9 <= y <= zone.last + 1e-9), None)
            if zone is None:
                raise ScenarioError("in none of the zones")
            found[node] = known[zone.name]
            if found[node].stress == "nominal":
                axle = axle or turning_axle(run.mesh, run.body_of_nodes(node_ids)[0])
                found[node] = replace(found[node], section=judged_section(axle, k, zone)[0])
        except ScenarioError as error:
            found.pop(node, None)
            left[node] = f"node {node} at |y| = {1e3 * y:.4g} mm: {error}"
    return found, left


def all_limits(found, left):
    """`limits_at` of nodes that were asked for.

    Raises
    ------
    ScenarioError       one that has no limit
    """
    if left:
        raise ScenarioError(next(iter(left.values())))
    return list(found.values())


def fatigue_of_nodes(parts, shares, node_ids, limits, knee_cycles=2e6, slope=5.0) -> list[dict]:
    """Figures of `flexwheel fatigue` and `flexwheel collective` of material nodes.

    Parameters
    ----------
    parts : sequence of NodeHistories       of runs
    shares : (R,) float                     part of the way that each run stands for; sum 1
    node_ids : (N,) int
    limits : (N,) of ZoneLimit              utilisations and damage are those of the permissible stress, S contained
    knee_cycles, slope : float              of the Woehler curve, its knee at the permissible stress

    Returns
    -------
    list of dict    utilisation: largest amplitude about mean stress 0 over the permissible one, normal stress on the
                    plane of its largest range in all runs; nominal_pa: that amplitude, and elastic_factor: half the
                    range of the mesh's stress over that of the nominal one, None where the limit is for the local
                    stress; fit_pa: mean stress of the press fits on that plane, None where the limit contains the fit
                    (nominal); damage_per_km of the mix; cycles: (n, 3) range, mean [Pa] and number per km of the mix;
                    damage_of_runs: of each run alone
    """
    found = []
    for k, (node, limit) in enumerate(zip(node_ids, limits, strict=True)):
        nominal = limit.stress == "nominal"
        fits = [np.zeros(6) if part.fit is None else part.fit[k] for part in parts]
        stress = [part.tensors[:, k] for part in parts]
        whole, permitted = np.concatenate(stress), limit.permitted()
        curve = permitted.curve(knee_cycles, slope)
        criteria = fatigue_criteria(whole, permitted)
        plane, normal = critical_plane(whole)
        cycles = [counted_cycles(normal_stress(s, plane[None])[:, 0]) for s in stress]
        km = [max(part.way / 1e3, 1e-9) for part in parts]
        alone = [damage_of(c, curve) / way for c, way in zip(cycles, km, strict=True)]
        mix = np.concatenate(
            [np.column_stack([c[:, :2], c[:, 2] * w / way]) for c, w, way in zip(cycles, shares, km, strict=True)]
        )
        half = [[np.ptp(normal), 0.5 * (normal.max() + normal.min()), 0.5]]  # where none is counted: less than a turn
        amplitude = 0.5 * float(np.max(curve.reversed_ranges(*(mix if len(mix) else np.array(half)).T[:2])))
        error = float(np.max([part.error[k] for part in parts]))
        corner = float(np.max([part.corner[k] for part in parts]))
        share = float(limit.utilisation(amplitude))
        pressed = [float(normal_stress(fit[None], plane[None])[0, 0]) for fit in fits]
        local = [part.local[k] for part in parts if nominal and part.local is not None]
        factor = float(max(local)) / max(0.5 * float(np.ptp(normal)), 1e-300) if local else None
        word = verdict(share) if nominal else verdict(share, error, corner)  # nothing nominal is of the mesh
        found.append(
            {
                "node": int(node), "zone": limit.zone, "amplitude_pa": amplitude, "permissible_pa": limit.permissible,
                "elastic_factor": factor, "nominal_pa": amplitude if nominal else None,
                "utilisation": share, "verdict": word,
                **{name: float(criteria[name]) for name in ("crossland", "sines", "dang_van")},
                "plane": plane.tolist(), "range_pa": float(np.ptp(normal)),
                "fit_pa": None if nominal else max(pressed, key=abs),
                "damage_per_km": float(np.dot(shares, alone)), "damage_of_runs": alone,
                "cycles_per_km": float(mix[:, 2].sum()), "cycles": mix, **plain_marks(error, corner),
                "mark": mark(error, corner),
            }
        )  # fmt: skip
    return found


def section_of_run(run, k, section, limit, at_bore=False) -> dict:
    """Figures of `fatigue_of_nodes` of the k-th section of an AxleRun, K times its nominal stress at the point with the
    largest range; and of the largest resultant moment: `time_s`, `moment_nm` (3,).

    section : (diameter, bore, K) [m];  limit : ZoneLimit
    """
    angles = np.arange(AROUND) * 2.0 * np.pi / AROUND
    around = (nominal_tensors(run, k, section, angle, at_bore) for angle in angles)
    tensors = max(around, key=lambda stress: np.ptp(stress[:, 1]))
    history = NodeHistories(tensors[:, None], run.way, np.array([np.nan]), np.zeros(1))
    (found,) = fatigue_of_nodes([history], [1.0], [0], [limit])
    moment = run.wrench[:, k, 3:]
    largest = int(np.argmax(np.linalg.norm(moment, axis=1)))
    return found | {"time_s": float(run.time[largest]), "moment_nm": moment[largest]}


def press_fit_words(found):
    """What the verdicts on the local stress of seats have of their press fits: a line each of `fatigue_of_nodes`."""
    lines = []
    for item in found:
        where = f"node {item['node']}, {item['zone']}"
        if item["fit_pa"]:
            lines.append(f"{where}: contains {item['fit_pa'] / 1e6:.3g} MPa mean stress of the press fit")
        elif item["fit_pa"] is not None and item["zone"] in FITTED:
            lines.append(f"{where}: mean stress of a press fit is NOT contained, the mesh has no fit (press_fits)")
    return lines


def no_life(runs, way):
    """Why damage per km of so many runs over a way [m] is a comparison and no life; "" where a life may be formed."""
    if runs > 1 and way >= 1e3 * LEAST_KM:
        return ""
    return (
        f"comparison only, no life: {way / 1e3:.3g} km of {runs} run{'s' * (runs > 1)}; a life takes a mix of runs "
        f"(flexwheel collective) of {LEAST_KM:g} km or more"
    )
