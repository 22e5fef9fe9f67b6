"""Where the wheels of a wheelset touch, and with what force, in the wheelset's frame E."""

from dataclasses import dataclass

import numpy as np

from flexwheel.results.evaluate.histories import wrench_in_frame


@dataclass(frozen=True)
class ContactMarks:
    """Loaded patches of both wheels at one sample; frame E, origin on the axle midway between the treads."""

    position: np.ndarray  # (n, 3) [m]
    force: np.ndarray  # (n, 3) [N] on the wheel, normal and creep force
    normal_force: np.ndarray  # (n,) [N]
    peak_pressure: np.ndarray  # (n,) [Pa]
    wheel: tuple[str, ...]  # side of each


def contact_marks(at, wheelset, treads):
    """ContactMarks of a sample `at` of a vehicle's results; treads: of the wheelset's ReducedBody."""
    yaw, roll = (float(at.body_angle.sel(body=wheelset, rotation=name)) for name in ("yaw", "roll"))
    found = []
    for tread in treads:
        side = "left" if tread.side > 0 else "right"
        wheel = at.sel(wheel=f"{wheelset} {side}")
        for p in np.flatnonzero(wheel.patch_normal_force.values > 0.0):
            patch = lambda name: float(wheel[f"patch_{name}"][p])  # noqa: B023, E731
            y, x = tread.lateral + tread.side * patch("y_wheel"), patch("x_contact")
            order = np.argsort(tread.profile[:, 0])
            radius = np.interp(y, *tread.profile[order].T)
            sine, cosine = np.sin(patch("contact_angle")), np.cos(patch("contact_angle"))
            normal, across = patch("normal_force"), patch("creep_force_y")
            side_force = tread.side * (across * cosine - normal * sine)  # contact is solved as on the left, mirrored
            force = np.array([patch("creep_force_x"), side_force, normal * cosine + across * sine, 0.0, 0.0, 0.0])
            force = wrench_in_frame(force[None, None], np.array([yaw]), np.array([roll]))[0, 0, :3]
            place = np.array([x, y, -np.sqrt(radius**2 - x**2)])
            found.append((place, force, normal, patch("peak_pressure"), side))
    columns = zip(*found, strict=True) if found else ([], [], [], [], [])
    place, force, normal, pressure, sides = columns
    return ContactMarks(
        np.reshape(place, (-1, 3)), np.reshape(force, (-1, 3)), np.array(normal), np.array(pressure), tuple(sides)
    )


def rails_seen(at, wheelset, rail, crown, length=2.0):
    """Both rails' running surfaces under a wheelset at a sample, straight, in its frame E.

    Parameters
    ----------
    at : Dataset                one sample, with irregularity, rail_displacement and rail_roll
    wheelset : str
    rail : Profile              inclined, left side
    crown : float [m]           its crown from the track's centre line
    length : float [m]

    Returns
    -------
    list of (2, P, 3)           left, right: points across the head at both ends [m]
    """
    yaw, roll = (float(at.body_angle.sel(body=wheelset, rotation=name)) for name in ("yaw", "roll"))
    origin = at.body_position.sel(body=wheelset).values.astype(float) * (0.0, 1.0, 1.0)
    seen = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        wheel = at.sel(wheel=f"{wheelset} {side}")
        moved = wheel.rail_displacement.values.astype(float)
        lateral, vertical = moved[1:] + wheel.irregularity.values
        turn, across = float(wheel.rail_roll), sign * rail.y
        y = sign * crown + across - turn * rail.height + lateral
        z = rail.height + turn * across + vertical
        ends = [np.stack([np.full_like(y, x), y, z], axis=1) for x in (-0.5 * length, 0.5 * length)]
        points = np.concatenate(ends) - origin
        wrench = np.concatenate([points, 0.0 * points], axis=1)[:, None]
        turned = wrench_in_frame(wrench, np.full(len(points), yaw), np.full(len(points), roll))[:, 0, :3]
        seen.append(turned.reshape(2, -1, 3))
    return seen
