"""Ends of force elements on the attachments of flexible bodies."""

from dataclasses import replace

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.kinds import FORCE_ELEMENTS


def on_attachments(element, assembly, positions, path):
    """A SuspensionElement whose ends on flexible bodies act at the attachments nearest to them.

    The end stays where it is: an arm from the attachment, turned with it, makes up for the distance. An element without
    points, such as an anti-roll bar, takes the attachment above or below the centre of one of its two bodies.

    positions : (P, 3) nominal places of the poses [m]

    Raises
    ------
    ScenarioError       no attachment within the body's reach
    """
    changed, bodies = {}, assembly.flexible
    for end in ("a", "b"):
        unit = getattr(element, f"body_{end}")
        if unit < 0 or unit >= len(assembly.unit_names) or bodies.of_unit[unit] < 0:
            continue
        spec, f = assembly.body_specs[unit], bodies.of_unit[unit]
        names = spec.flexible.place_name[: spec.flexible.attachments]
        own = bodies.place[bodies.start[f] : bodies.start[f] + len(names)]
        points, level = [np.array(getattr(element, f"point_{end}"))], 1.0
        if not FORCE_ELEMENTS[element.kind].keys >= POINTS:  # it turns the body where the smaller of the two is
            other = getattr(element, "body_b" if end == "a" else "body_a")
            points, level = [np.zeros(3), *([positions[other] - positions[unit]] if other >= 0 else [])], 0.0
        away = np.array([np.linalg.norm((own - point) * [1.0, 1.0, level], axis=1) for point in points])
        nearest = int(np.argmin(away.min(axis=1)))
        point, off = points[nearest], away[nearest]
        near = int(np.argmin(off))
        if off[near] > spec.reach:
            raise ScenarioError(
                f"{path}: elements.{element.name} takes hold of the flexible body {spec.name} at "
                f"({', '.join(f'{x:.3f}' for x in point)}) m from its mass centre, {1e3 * off[near]:.0f} mm from the "
                f"nearest attachment ({names[near]}), expected at most {1e3 * spec.reach:.0f} mm "
                f"(body.{spec.name}.attachment_reach_mm): add an attachment there"
            )
        changed[f"body_{end}"] = len(assembly.pose_names) - len(bodies.owner) + int(bodies.start[f]) + near
        if level:
            changed[f"point_{end}"] = tuple((point - own[near]).tolist())
    return replace(element, **changed) if changed else element
