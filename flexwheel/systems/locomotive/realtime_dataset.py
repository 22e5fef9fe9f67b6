"""Results of a real-time run from the recorded blocks of the work array."""

import numpy as np

from flexwheel.base.input_files import digest
from flexwheel.results.dataset import make_dataset
from flexwheel.systems.locomotive.wheel_forces import STANDING

WHEELS = 8
BLOCKS = {"normal_force": 1, "surface": 4, "creep": 4, "creep_coefficient": 4, "stop_force": 1, "residual": 5}
"""Blocks of eight lanes that are recorded, with their numbers of rows."""
EVALUATED = {"creep", "creep_coefficient", "stop_force", "residual"}
LENGTHS = ("x", "y", "z", "frame_z")
"""Last words of the names of coordinates that are lengths; the others are angles."""
SURFACE = ("contact_angle", "u_wheel", "s_rail", "u_rail")
COUNTS = ("tangent_iterations", "normal_iterations", "contacts_sought")


def recorded_places(locomotive):
    """Places of the work array that a run records, in the order `make_realtime_dataset` expects."""
    places = locomotive.record_places("q") + locomotive.record_places("qd")
    for name in BLOCKS:
        places += locomotive.record_places(name)
    return places


def evaluated_columns(locomotive):
    """(columns,) bool: those that a step evaluates where it begins, of `recorded_places` and the counts behind them."""
    parts = [name in EVALUATED for name in BLOCKS for _ in range(WHEELS * BLOCKS[name])]
    return np.array([False] * (2 * len(locomotive.coordinates)) + parts + [False] * 3)


def make_realtime_dataset(scenario, locomotive, record, every, status, seconds, start=None):
    """Dataset of a run.

    Parameters
    ----------
    scenario : RealtimeScenario
    locomotive : RealtimeLocomotive
    record : (rows, columns) float     as recorded with `recorded_places`
    every : int                        steps between rows
    status : str                       "complete", or what stopped the run
    seconds : float                    of wall clock in the loop
    start : (columns,) float, optional the same at the start of the run, of `start_values`

    Returns
    -------
    xarray.Dataset
    """
    dt, first = locomotive.time_step, 1
    if start is not None:
        record, first = np.concatenate([start[None], record]), 0
    rows, n = len(record), len(locomotive.coordinates)
    lengths = np.array([name.rpartition(".")[2] in LENGTHS for name in locomotive.coordinates])
    names = np.array(locomotive.coordinates)
    q, qd, at, block = record[:, :n], record[:, n : 2 * n], 2 * n, {}
    for name, parts in BLOCKS.items():
        block[name] = record[:, at : at + WHEELS * parts].reshape(rows, parts, WHEELS)
        at += WHEELS * parts
    c11, c22, c23, c33 = np.moveaxis(block["creep_coefficient"] / locomotive.creep_scale, 1, 0)
    vx, vy, spin, speed = np.moveaxis(block["creep"], 1, 0)
    surface = dict(zip(SURFACE, np.moveaxis(block["surface"], 1, 0), strict=True))
    counts = dict(zip(COUNTS, record[:, -3:].T.astype("int32"), strict=True))
    speed = np.maximum(speed, STANDING)  # as the creep forces take it
    creepage = {"creepage_x": vx / speed, "creepage_y": vy / speed, "creepage_spin": spin / speed}
    arrays = {
        "position": q[:, lengths],
        "velocity": qd[:, lengths],
        "angle_position": q[:, ~lengths],
        "angle_velocity": qd[:, ~lengths],
        "normal_force": block["normal_force"][:, 0],
        **surface,
        **creepage,
        "force_x": -c11 * vx,
        "force_y": -c22 * vy - c23 * spin,
        "moment_z": c23 * vy - c33 * spin,
        "stop_force": block["stop_force"][:, 0],
        "residual": np.abs(block["residual"]).max(axis=1),
        **counts,
    }
    labels = {
        "time": dt * every * np.arange(first, rows + first),
        "coordinate": names[lengths].tolist(),
        "angle": names[~lengths].tolist(),
        "wheel": [locomotive.wheel_name(k) for k in range(WHEELS)],
    }
    attributes = {
        "title": scenario.title,
        "scenario": scenario.text,
        "scenario_digest": digest(scenario.text),
        "assumed": list(scenario.assumed),
        "warnings": list(scenario.warnings),
        "integration_step_s": dt,
        "steps": locomotive.run_counts["steps"],
        "steps_not_converged": locomotive.run_counts["not_converged"],
        "seconds_per_simulated_second": seconds / max(dt * every * (rows - 1 + first), 1e-12),
    }
    return make_dataset("realtime", arrays, labels, status == "complete", status, attributes)
