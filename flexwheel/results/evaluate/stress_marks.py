"""Marks of stresses that the mesh does not hold: beside the numbers, in pictures and in reports."""

import numpy as np

from flexwheel.body.stress_error import MARKED

COORDINATES = {
    "stress_error": {"units": "1", "long_name": "estimated relative error of the stress from the mesh"},
    "stress_corner": {"units": "rad", "long_name": "re-entrant edge without a radius: stress has no limit; else 0"},
}
"""Coordinates of control nodes and of nodes of an envelope."""


def mark(error, corner) -> str:
    """Words on a stress with an estimated relative error at a corner [rad] (0: none); "" where it can be signed."""
    if corner > 0.0:
        return f"no limit: corner of {np.degrees(corner):.0f} deg without a radius"
    return f"mesh error about {100.0 * error:.0f} %" if error > MARKED else ""


def node_marks(dataset) -> list[str]:
    """`mark` of each control node of results, or of each node of an envelope; of files without estimates ""."""
    if not all(name in dataset.coords for name in COORDINATES):
        return [""] * dataset.sizes.get("control_node", dataset.sizes.get("node", 0))
    return [mark(*pair) for pair in zip(dataset.stress_error.values, dataset.stress_corner.values, strict=True)]


def plain_marks(error, corner) -> dict:
    """Keys of JSON: stress_error and corner_deg, None where there is none."""
    return {
        "stress_error": float(error) if np.isfinite(error) else None,
        "corner_deg": float(np.degrees(corner)) if corner > 0.0 else None,
    }
