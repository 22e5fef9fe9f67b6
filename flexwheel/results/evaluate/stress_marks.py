"""Marks of stresses that the mesh does not hold: beside the numbers, in pictures and in reports."""

import numpy as np

from flexwheel.body.reduced_body import MARKED

COORDINATES = {
    "stress_error": {"units": "1", "long_name": "estimated relative error of the stress from the mesh"},
    "stress_corner": {"units": "rad", "long_name": "re-entrant edge without a radius: stress has no limit; else 0"},
}
"""Coordinates of control nodes and of nodes of an envelope; with body_point_ before them of flexible bodies' points."""


def mark(error, corner) -> str:
    """Words on a stress with an estimated relative error at a corner [rad] (0: none); "" where it can be signed."""
    if corner > 0.0:
        return f"no limit: corner of {np.degrees(corner):.0f} deg without a radius"
    return f"mesh error about {100.0 * error:.0f} %" if error > MARKED else ""


def node_marks(dataset, points="") -> list[str]:
    """`mark` of each control node of results, or of each node of an envelope; of files without estimates "".

    points : "body_point_" for those of flexible bodies
    """
    names = [points + name for name in COORDINATES]
    if not all(name in dataset.coords for name in names):
        return [""] * dataset.sizes.get("body_point" if points else "control_node", dataset.sizes.get("node", 0))
    return [mark(*pair) for pair in zip(*(dataset[name].values for name in names), strict=True)]


def point_marks(bodies):
    """Coordinates of the estimated errors of stress at all places of FlexibleBodies; none is known at attachments."""
    found = {}
    for (name, words), part, none in zip(COORDINATES.items(), ("stress_error", "corner"), (np.nan, 0.0), strict=True):
        values = [np.append(np.full(b.attachments, none), getattr(b, part)) for b in bodies]
        found[f"body_point_{name}"] = "body_point", np.concatenate(values), words
    return found


def plain_marks(error, corner) -> dict:
    """Keys of JSON: stress_error and corner_deg, None where there is none."""
    return {
        "stress_error": float(error) if np.isfinite(error) else None,
        "corner_deg": float(np.degrees(corner)) if corner > 0.0 else None,
    }
