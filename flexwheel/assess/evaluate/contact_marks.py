"""Where the wheels of a wheelset touch, and with what force, in the wheelset's frame E."""

from dataclasses import dataclass

import numpy as np

from flexwheel.results.evaluate.histories import wrench_in_frame

NEAREST = 8  # surface nodes that a patch moves with


@dataclass(frozen=True)
class ContactMarks:
    """Loaded patches of both wheels at one sample; frame E, origin on the axle midway between the treads.

    A patch moves with the wheel's surface: where displacement is drawn `factor` times as large it is at position +
    factor * displacement, and with 1 on the rail as it has moved.
    """

    position: np.ndarray  # (n, 3) [m] without the wheel's deformation
    force: np.ndarray  # (n, 3) [N] on the wheel, normal and creep force
    normal_force: np.ndarray  # (n,) [N]
    peak_pressure: np.ndarray  # (n,) [Pa]
    wheel: tuple[str, ...]  # side of each
    displacement: np.ndarray  # (n, 3) [m] of the wheel's surface there


def marks_of_samples(some, wheelset, fields, treads, under=None):
    """ContactMarks of each sample of a Dataset; fields: SurfaceModes and of each sample modal coordinates (F, H) and
    standing loads (F, K) or None; the others as of `contact_marks`."""
    surface, coordinates, loads = fields
    moves = [surface_motion(surface, w, None if loads is None else loads[k]) for k, w in enumerate(coordinates)]
    return [contact_marks(some.isel(time=k), wheelset, move, treads, under) for k, move in enumerate(moves)]


def contact_marks(at, wheelset, displacement_at, treads, under=None):
    """ContactMarks of a sample `at` of a vehicle's results.

    Parameters
    ----------
    at : Dataset                one sample, with its patches; for `under` also with what `rails_seen` needs
    wheelset : str
    displacement_at : callable  of a point of the undeformed wheel (3,), frame E -> (3,) [m]: `surface_motion`
    treads : of the wheelset's ReducedBody
    under : dict, optional      of `rails_seen`; without it patches are on the deformed wheel, which misses the rail by
                                the contact's approach
    """
    axes, origin = _frame(at, wheelset)
    found = []
    for tread in treads:
        side = "left" if tread.side > 0 else "right"
        wheel = at.sel(wheel=f"{wheelset} {side}")
        stored = {name: value.values for name, value in wheel.variables.items()}  # each once: xarray is slow
        for p in np.flatnonzero(stored["patch_normal_force"] > 0.0):
            patch = lambda name: float(stored[f"patch_{name}"][p])  # noqa: B023, E731
            y, x = tread.lateral + tread.side * patch("y_wheel"), patch("x_contact")
            order = np.argsort(tread.profile[:, 0])
            radius = np.interp(y, *tread.profile[order].T)
            sine, cosine = np.sin(patch("contact_angle")), np.cos(patch("contact_angle"))
            normal, across = patch("normal_force"), patch("creep_force_y")
            side_force = tread.side * (across * cosine - normal * sine)  # contact is solved as on the left, mirrored
            force = np.array([patch("creep_force_x"), side_force, normal * cosine + across * sine])
            force = _turned(force, float(wheel.get("rail_roll", 0.0))) @ axes
            place = np.array([x, y, -np.sqrt(radius**2 - x**2)])
            moved = displacement_at(place)
            if under is not None:
                rail, crown = under[side]
                height = np.interp(patch("y_rail"), rail.y, rail.height)
                touched = _on_rail(wheel, tread.side, crown, patch("y_rail"), height)
                place = (np.array([(axes @ place)[0], *touched]) - origin) @ axes - moved
            found.append((place, force, normal, patch("peak_pressure"), side, moved))
    columns = zip(*found, strict=True) if found else ([], [], [], [], [], [])
    place, force, normal, pressure, sides, moved = columns
    rows = lambda values: np.reshape(values, (-1, 3))  # noqa: E731
    return ContactMarks(rows(place), rows(force), np.array(normal), np.array(pressure), tuple(sides), rows(moved))


def surface_motion(surface, coordinates, loads=None):
    """Displacement (3,) [m] of a place (3,) on a surface as a function: that of its nearest nodes, weighted by the
    inverse square of their distance.

    surface : SurfaceModes, mesh that does not turn; coordinates (H,), loads (K,) as in `drawn_fields.deformation`
    """

    def displacement_at(place):
        away = np.linalg.norm(surface.position - place, axis=1)
        near = np.argpartition(away, NEAREST)[:NEAREST]
        moved = surface.rows[near] @ coordinates
        if loads is not None and surface.load_displacement is not None:
            moved = moved + surface.load_displacement[near] @ loads
        return np.average(moved, axis=0, weights=1.0 / (away[near] + 1e-4) ** 2)

    return displacement_at


def rails_seen(at, wheelset, under, length=2.0):
    """Both rails' running surfaces under a wheelset at a sample, straight, in its frame E.

    Parameters
    ----------
    at : Dataset                one sample, with irregularity, rail_displacement and rail_roll
    wheelset : str
    under : dict                side -> (Profile of the rail, inclined, as on the left; its crown from the track's
                                centre line [m])
    length : float [m]

    Returns
    -------
    list of (2, P, 3)           left, right: points across the head at both ends [m]
    """
    axes, origin = _frame(at, wheelset)
    seen = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        rail, crown = under[side]
        y, z = _on_rail(at.sel(wheel=f"{wheelset} {side}"), sign, crown, rail.y, rail.height)
        ends = [np.stack([np.full_like(y, x), y, z], axis=1) for x in (-0.5 * length, 0.5 * length)]
        seen.append(((np.concatenate(ends) - origin) @ axes).reshape(2, -1, 3))
    return seen


def _frame(at, wheelset):
    """Axes (3, 3) of a wheelset's frame E as columns in those of the track, and its origin (3,) [m] there."""
    yaw, roll = (np.full(3, float(at.body_angle.sel(body=wheelset, rotation=name))) for name in ("yaw", "roll"))
    along = np.eye(3, 6)[:, None]
    return wrench_in_frame(along, yaw, roll)[:, 0, :3], at.body_position.sel(body=wheelset).values * (0.0, 1.0, 1.0)


def _turned(vector, roll):
    """A vector (3,) in the axes of a rail's section as seen in the track's."""
    (x, y, z), c, s = vector, np.cos(roll), np.sin(roll)
    return np.array([x, c * y - s * z, s * y + c * z])


def _on_rail(wheel, sign, crown, across, height):
    """Lateral and vertical place [m] in the track's frame of a rail's profile points, moved as under a wheel."""
    lateral, vertical = wheel.rail_displacement.values[1:].astype(float) + wheel.irregularity.values
    turn = float(wheel.rail_roll)
    return sign * (crown + across) - turn * height + lateral, height + turn * sign * across + vertical
