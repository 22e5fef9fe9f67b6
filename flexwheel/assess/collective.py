"""A load collective of runs, each weighed by the kilometres of the route that it stands for: damage, bound, life.

The bound is the upper end of Student's one-sided interval of the mean damage per kilometre, from stretches of equal way
of each run (rainflow in each alone) weighed as the runs are; degrees of freedom after Welch and Satterthwaite.
Verified in tests/assess/test_collective.py.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from flexwheel.assess.evaluate.fatigue import counted_cycles, damage_of, normal_stress
from flexwheel.assess.evaluate.service_extreme import largest_of_service
from flexwheel.assess.evaluate.strength_grades import read_grades, verdict
from flexwheel.assess.node_fatigue import all_limits, fatigue_of_nodes, limits_at, no_life, node_histories
from flexwheel.assess.nominal_stress import parse_zone
from flexwheel.assess.surface_stress import StressOfRun
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_toml

STRETCHES, CONFIDENCE = 10, 0.95
SERVICE = (1e3, 1e8)  # [km] shorter is another unit; an axle runs some 1e6
SAME_PLACE = 1e-6  # [m] between places of a node in the meshes of two runs
KEYS = {
    "grades": (str,), "grade": (str,), "zones": (list,), "nodes": (list,), "wheelset": (str,), "slope": (int, float),
    "knee_cycles": (int, float), "service_km": (int, float), "confidence": (int, float), "run": (list,),
}  # fmt: skip
NEEDED = ("grades", "grade", "nodes", "run")


class Collective(NamedTuple):
    """What a collective file says."""

    place: Path  # folder of the file
    data: dict  # its keys
    folders: list  # of runs, as paths
    shares: np.ndarray  # of the way; sum 1


def read_collective(path) -> Collective:
    """Collective of a TOML file.

    Raises
    ------
    ScenarioError    naming file, key, what came and what was expected
    """
    data = read_toml(path, "a TOML file of a collective")
    for key, value in data.items():
        if key not in KEYS:
            raise ScenarioError(f"{path}: {clipped(key)} must be one of {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise ScenarioError(f"{path}: {key} must be {_kind(KEYS[key])}, got {clipped(repr(value))}")
        if KEYS[key] == (int, float) and not (np.isfinite(value) and value > 0.0):
            raise ScenarioError(f"{path}: {key} must be above 0, got {value:g}")
    missing = [key for key in NEEDED if key not in data]
    if missing:
        raise ScenarioError(f"{path} must have {missing[0]}")
    if not data["nodes"] or not all(isinstance(n, int) and not isinstance(n, bool) for n in data["nodes"]):
        raise ScenarioError(f"{path}: nodes must be ids of the mesh, got {clipped(repr(data['nodes']))}")
    if not all(isinstance(zone, str) for zone in data.get("zones", [])):
        raise ScenarioError(f"{path}: zones must be texts ZONE:FROM:TO, got {clipped(repr(data['zones']))}")
    if not SERVICE[0] <= data.get("service_km", SERVICE[0]) <= SERVICE[1]:
        low, high = SERVICE
        raise ScenarioError(f"{path}: service_km must be {low:g} to {high:g}, got {data['service_km']:g}")
    if not 0.5 <= data.get("confidence", CONFIDENCE) < 1.0:
        raise ScenarioError(f"{path}: confidence must be 0.5 to below 1, got {data['confidence']:g}")
    folders, km = [], []
    for k, row in enumerate(data["run"], 1):
        whole = isinstance(row, dict) and set(row) == {"folder", "km"} and isinstance(row["folder"], str)
        if not whole:
            raise ScenarioError(f"{path}, run {k} must have folder and km, got {clipped(repr(row))}")
        if not (isinstance(row["km"], (int, float)) and not isinstance(row["km"], bool) and 0.0 < row["km"] < 1e9):
            raise ScenarioError(f"{path}, run {k}: km must be above 0, got {clipped(repr(row['km']))}")
        folders.append(Path(path).parent / Path(row["folder"]).expanduser())
        if folders[-1].resolve() in [folder.resolve() for folder in folders[:-1]]:
            raise ScenarioError(f"{path}, run {k}: folder must be of a run not named before, got {row['folder']}")
        km.append(float(row["km"]))
    if not km:
        raise ScenarioError(f"{path} must have a [[run]]")
    return Collective(Path(path).parent, data, folders, np.array(km) / np.sum(km))


def judge_collective(collective, say=lambda line: None) -> dict:
    """Figures of every node of a collective: those of `fatigue_of_nodes`, damage_bound_per_km, life_km, life_bound_km.

    Raises
    ------
    ScenarioError    a run without these nodes, without a flexible wheelset, or with nothing after settling
    """
    data = collective.data
    named = data["grades"] == "assumed"
    grades = data["grades"] if named else collective.place / Path(data["grades"]).expanduser()
    table, zones = read_grades(grades), [parse_zone(text) for text in data.get("zones", [])]
    nodes, parts, limits, places, stopped = data["nodes"], [], None, None, []
    for folder in collective.folders:
        run = StressOfRun(folder, data.get("wheelset"), say)
        limits = limits or all_limits(*limits_at(run, nodes, table, data["grade"], zones))
        parts.append(node_histories(run, nodes, limits))
        if run.unfinished:
            stopped.append(f"{folder}: {run.unfinished}")
        own = places_of(run.mesh, nodes)
        places = own if places is None else places
        if np.max(np.abs(own - places)) > SAME_PLACE:
            raise ScenarioError(
                f"{folder}: nodes must be where they are in {collective.folders[0]}, got another mesh: node "
                f"{nodes[int(np.argmax(np.max(np.abs(own - places), axis=1)))]} lies elsewhere"
            )
    return collective_figures(parts, collective.shares, nodes, limits, data) | {"unfinished": stopped}


def places_of(mesh, node_ids):
    """Places (N, 3) [m] of nodes of a mesh."""
    row = {number: k for k, number in enumerate(mesh.node_ids.tolist())}
    return mesh.nodes[[row[number] for number in node_ids]]


def collective_figures(parts, shares, nodes, limits, data) -> dict:
    """`judge_collective` of NodeHistories."""
    knee, slope = data.get("knee_cycles", 2e6), data.get("slope", 5.0)
    confidence = data.get("confidence", CONFIDENCE)
    way = float(sum(part.way for part in parts))
    why = no_life(len(parts), way)
    found = fatigue_of_nodes(parts, shares, nodes, limits, knee, slope)
    for k, (item, limit) in enumerate(zip(found, limits, strict=True)):
        curve = limit.permitted().curve(knee, slope)
        plane = np.array(item["plane"])[None]
        stretches = [_stretches(normal_stress(part.tensors[:, k], plane)[:, 0], part.way, curve) for part in parts]
        item["damage_bound_per_km"] = item["damage_per_km"] + _margin(stretches, shares, confidence)
        for name, damage in (("life_km", "damage_per_km"), ("life_bound_km", "damage_bound_per_km")):
            item[name] = 1.0 / item[damage] if not why and item[damage] > 0.0 else None
        if "service_km" in data and not why:
            signals = (normal_stress(part.tensors[:, k], plane)[:, 0] for part in parts)
            item |= _of_service(item, [amplitudes_of(signal, curve) for signal in signals], parts, shares, limit, data)
    return {
        "way_m": way, "ways_m": [part.way for part in parts], "shares": np.asarray(shares).tolist(), "comparison": why,
        "confidence": confidence, "limits": list(dict.fromkeys(limit.words() for limit in limits)), "slope": slope,
        "knee_cycles": knee, "nodes": found,
    }  # fmt: skip


def amplitudes_of(signal, curve):
    """Amplitudes about mean stress 0 (n,) [Pa] of the cycles of a signal."""
    cycles = counted_cycles(signal)
    return 0.5 * curve.reversed_ranges(cycles[:, 0], cycles[:, 1])


def _of_service(item, amplitudes, parts, shares, limit, data):
    """What a node's figures say of service_km: damage, largest amplitude, and the verdict with both."""
    km, ways = data["service_km"], [part.way / 1e3 for part in parts]
    damage, bound = (km * item[key] for key in ("damage_per_km", "damage_bound_per_km"))
    largest = largest_of_service(amplitudes, ways, shares, km, data.get("confidence", CONFIDENCE))
    words = [item["verdict"], verdict(damage, bound / damage - 1.0 if damage > 0.0 else 0.0)]
    names = "utilisation_of_service", "utilisation_bound_of_service"
    shown = [float(x) if np.isfinite(x) else None for x in limit.utilisation(largest)]
    word = next(word for word in ("EXCEEDED", "open", "holds") if word in words)
    more = {"damage_of_service": damage, "damage_bound_of_service": bound, "verdict": word}
    more |= {"verdict_of_stress": words[0], "verdict_of_damage": words[1]}
    return dict(zip(names, shown, strict=True)) | more


def _stretches(signal, way, curve):
    """Damage per km (STRETCHES,) of parts of equal length."""
    pieces = np.array_split(signal, STRETCHES)
    return np.array([damage_of(counted_cycles(piece), curve) for piece in pieces]) / max(way / STRETCHES / 1e3, 1e-12)


def _margin(stretches, shares, confidence):
    """What the upper bound of the mean damage per km lies above it."""
    variance = np.array([w**2 * np.var(d, ddof=1) / len(d) for d, w in zip(stretches, shares, strict=True)])
    if not variance.sum() > 0.0:
        return 0.0
    freedom = variance.sum() ** 2 / np.sum(variance**2 / (STRETCHES - 1.0))
    return float(student.ppf(confidence, freedom) * np.sqrt(variance.sum()))


def _kind(kinds):
    return {str: "text", list: "a list"}.get(kinds[0], "a number")
