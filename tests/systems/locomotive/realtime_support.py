"""Locomotives for the tests of the real-time core."""

from functools import cache
from pathlib import Path

import numpy as np

from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "feve3000_curve.toml"
# cones on upright rails, Kalker's law without saturation, as the closed forms of these tests have them
CONES = (
    "vehicle.profiles='feve3000_profiles_cone.csv'", "track.inclination=0.0", "contact.friction=0.0",
    "track.transition_form='quintic'", "track.transition_start_m=60.0", "track.irregularity_start_m=10.0",
    "track.irregularity_ramp_m=40.0",
)  # fmt: skip
STRAIGHT = ("track.shift_m=0.0", "track.amplitude_mm=0.0", "run.motor_torque_nm=0.0", "run.lateral_offset_mm=0.0")


def example(*settings):
    """Locomotive of the example with settings changed."""
    return build_locomotive_run(read_realtime_scenario(EXAMPLE, list(settings)))


def locomotive(*settings):
    """Locomotive of the example on cones, with settings changed; those of what they leave out are left out too."""
    for setting in settings:  # a step that the example's samples do not count in whole numbers
        if setting.startswith("run.step_s="):
            settings = (*settings, setting.replace("run.step_s", "run.output_step_s"))
    off = [part for key, part in (("track.amplitude_mm=0.0", "irregularity"), ("track.shift_m=0.0", "transition"))
           if key in settings]  # fmt: skip
    return example(*(s for s in CONES if not any(part in s for part in off)), *settings)


@cache
def rest_state():
    """Coordinates after 5 s of slow rolling on straight smooth track."""
    slow = locomotive(*STRAIGHT, "run.speed_kmh=7.2")
    slow.run(5000)
    return slow.q.copy()


def settled(*settings):
    """Locomotive on straight smooth track, suspension at rest, at the example's speed."""
    loco, rest = locomotive(*STRAIGHT, *settings), rest_state()
    for k, name in enumerate(loco.coordinates):
        if name not in ("x", "y", "yaw") and not name.endswith(("spin", "rotor")):
            loco.q[k] = rest[k]
    loco.project()
    return loco


def block(loco, name):
    """Block of the work array as (entries, 8) or (entries,)."""
    b = loco.generated.blocks[name]
    values = loco._work[b.offset : b.offset + b.count * b.width]
    return values.reshape(b.count, b.width) if b.width > 1 else values


def dense_matrices(loco):
    """M, C (creep, per second) and G (normal constraints) at the start of the last step."""
    g = loco.generated
    n = len(loco.coordinates)
    mass, creep, normal = np.zeros((n, n)), np.zeros((n, n)), np.zeros((8, n))
    for (i, j), value in zip(g.mass_keys, block(loco, "mass"), strict=True):
        mass[i, j] = mass[j, i] = value
    width = g.blocks["jacobian"].count // 24
    jacobian = block(loco, "jacobian").reshape(4, 6, width)
    pairs = block(loco, "creep_matrix").reshape(6, 6, 8) / (loco.time_step if loco.law.method == "imex" else 1.0)
    rows = block(loco, "rows").reshape(18, 8)
    for w, columns in enumerate(g.columns):
        full = np.zeros((6, n))
        full[:, list(columns)] = jacobian[w][:, : len(columns)]
        creep += full.T @ (pairs[:, :, 2 * w] + pairs[:, :, 2 * w + 1]) @ full
        for side in (0, 1):
            normal[2 * w + side] = rows[12:18, 2 * w + side] @ full
    return mass, creep, normal


def null_space(matrix):
    """Orthonormal basis of the vectors a matrix maps to zero, as columns."""
    return np.linalg.svd(matrix)[2][np.linalg.matrix_rank(matrix) :].T
