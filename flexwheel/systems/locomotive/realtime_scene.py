"""A run of the locomotive as a page draws it: poses of its bodies along the track, contacts, forces on the wheels."""

from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.base.variables import LABELS, SIDES
from flexwheel.extensions.web.page_scene import PageScene
from flexwheel.run.keys.reader import scenario_source
from flexwheel.systems.locomotive.build_locomotive import line_of, locomotive_of, profile_curves, rails_of, wave_of

BOGIES = (("front", 1.0), ("rear", -1.0))
AXLES = ((1, 1.0), (2, -1.0))
OVERHANG, WIDTH, HEIGHT = 2.5, 2.6, 2.6  # [m] of the body's box beyond its pivots, which no file states
PROFILE_POINTS = 200  # chords of the tightest arcs within 10 um
STEP = 0.5  # [m] of the table of arc length


def realtime_scenes(results):
    """[PageScene] of a Dataset of kind "realtime"."""
    scenario = locomotive_of(scenario_source(str(results.attrs["scenario"]), Path("scenario of the results")))
    curves = profile_curves(scenario)
    top = float(curves["rail"](0.0)) * float(np.cos(scenario.track.inclination))  # of the crown above the ground's zero
    rails, poses = rails_of(scenario, float(curves["rail"](0.0))), body_poses(results, scenario.values)
    wheels = [str(name) for name in results.wheel.values]
    axles = [name for name in poses if f"{name} left" in wheels]
    place, angle, track = along_track(poses, scenario, top)
    count = results.sizes["time"]
    force, ground = np.zeros((count, len(wheels), 3)), np.zeros((count, len(wheels), 3))
    patch = {name: np.full((count, len(wheels), 1), np.nan) for name in ("peak_pressure", "half_length", "half_width")}
    half_spacing = 0.5 * scenario.values["geometry.rail_reference_spacing"]
    across = np.empty((count, len(wheels), 1))
    for w, name in enumerate(wheels):
        own, side = results.sel(wheel=name), 1.0 if name.endswith(SIDES[0]) else -1.0
        ground[:, w], axes = rail_contact(rails, curves["rail"], w % 2, own.s_rail.values, own.u_rail.values)
        parts = np.stack([own.force_x, own.force_y + own.stop_force, own.normal_force], axis=-1)
        on_wheel = np.einsum("tkc,tk->tc", axes, parts)  # ground axes
        x, y = track.axes(track.foot(poses[name.rpartition(" ")[0]][0]))
        lateral = np.einsum("tc,tc->t", on_wheel[:, :2], y)
        across[:, w, 0] = side * track.aside(ground[:, w]) - half_spacing
        force[:, w] = np.stack([-np.einsum("tc,tc->t", on_wheel[:, :2], x), -side * lateral, on_wheel[:, 2]], axis=-1)
    radius = curves["wheel_left"](results.u_wheel.values.ravel()).reshape(count, -1)
    sides = np.array([1.0 if name.endswith(SIDES[0]) else -1.0 for name in wheels])
    patch |= {
        "x_contact": (-radius * np.sin(results.contact_angle.values))[..., None],
        "y_wheel": (sides * results.u_wheel.values)[..., None], "y_rail": across,
        "normal_force": results.normal_force.values[..., None],
        "contact_angle": np.zeros((count, len(wheels), 1)),
    }  # fmt: skip
    heights = np.stack(wave_of(scenario.track).heights(ground[..., 0].ravel()))
    height = heights.reshape(2, count, len(wheels))[np.arange(len(wheels)) % 2, :, np.arange(len(wheels))].T
    data = {
        "body_position": (("time", "body", "path"), place), "body_angle": (("time", "body", "rotation"), angle),
        "wheel_force": (("time", "wheel", "force"), force),
        "irregularity": (("time", "wheel", "direction"), np.stack([np.zeros_like(height), height], axis=-1)),
        **{f"patch_{key}": (("time", "wheel", "patch"), value) for key, value in patch.items()},
    }  # fmt: skip
    names = {"time": results.time, "body": list(poses), "wheel": wheels, "wheelset": axles}
    names |= {dim: list(LABELS[dim]) for dim in ("path", "rotation", "force", "direction")}
    note = "rails are rigid; contact patches are shown by a mark, the results hold no size of them"
    parts = _parts(scenario, curves, axles, list(poses))
    return [PageScene("", xr.Dataset(data, names, results.attrs), parts, note=note)]


def body_poses(results, values):
    """Name -> (place (T, 3) [m], axes (T, 3, 3), spin (T,) [rad]) in ground axes, as `locomotive` builds its tree.

    Places are those of the origins of body, sliders and frames, and of the centres of wheelsets, whose axes do not
    spin.
    """
    q = {str(n): results.position.sel(coordinate=n).values for n in results.coordinate.values}
    q |= {str(n): results.angle_position.sel(angle=n).values for n in results.angle.values}
    none = np.zeros(results.sizes["time"])
    origin = np.stack([q["x"], q["y"], q["z"]], axis=-1)
    base = _turn(2, q["yaw"]) @ _turn(1, q["pitch"]) @ _turn(0, q["roll"])
    found = {"car_body": (origin, base, none)}
    for bogie, sign in BOGIES:
        pivot = _beside(origin, base, sign * 0.5 * values["geometry.bogie_pivot_distance"] + none, none)
        slider = base @ _turn(2, q[f"{bogie}.slider_yaw"])
        frame = _beside(pivot, slider, none, q[f"{bogie}.frame_z"])
        axes = slider @ _turn(0, q[f"{bogie}.frame_roll"]) @ _turn(1, q[f"{bogie}.frame_tilt"])
        found[f"{bogie} slider"], found[f"{bogie} frame"] = (pivot, slider, none), (frame, axes, none)
        for number, along in AXLES:
            name = f"{bogie}.{number}"
            centre = _beside(frame, axes, along * values["geometry.semi_wheelbase"] + none, q[f"{name}.z"])
            found[name] = centre, axes @ _turn(0, q[f"{name}.roll"]), q[f"{name}.spin"]
    return found


def rail_contact(rails, profile, side, s, u):
    """Points (T, 3) on a rail (0 left, 1 right) at its s and u, and unit vectors along, across, normal (T, 3, 3)."""
    h = 1e-4
    x, y, z, camber = rails.evaluate(side, s)
    along = (rails.evaluate(side, s + h) - rails.evaluate(side, s - h))[:3].T
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    level = np.stack([-along[:, 1], along[:, 0], 0.0 * x], axis=-1)
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    up = np.cross(along, level)
    c, sine = np.cos(camber)[:, None], np.sin(camber)[:, None]
    across, up = c * level + sine * up, c * up - sine * level
    slope = profile(u, 1)[:, None]
    point = np.stack([x, y, z], axis=-1) + u[:, None] * across + profile(u)[:, None] * up
    tangent, normal = (v / np.sqrt(1.0 + slope**2) for v in (across + slope * up, up - slope * across))
    return point, np.stack([along, tangent, normal], axis=1)


class _Track:
    """Feet of points on the centre line, given as y over x."""

    def __init__(self, line, low, high):
        self.line = line
        self.x = np.linspace(low, high, max(2, int((high - low) / STEP)))
        slope = line.place(self.x)[1]
        rate = np.sqrt(1.0 + slope**2)
        self.s = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(self.x))]) + low

    def foot(self, place):
        """x (T,) at which the centre line is nearest to places (T, 2 or 3)."""
        x = place[:, 0].copy()
        for _ in range(20):
            y, slope = self.line.place(x)
            x += ((place[:, 0] - x) + slope * (place[:, 1] - y)) / (1.0 + slope**2)
        return x

    def axes(self, x):
        """Unit vectors (T, 2) along the line and to its left."""
        slope = self.line.place(x)[1]
        along = np.stack([np.ones_like(slope), slope], axis=-1) / np.sqrt(1.0 + slope**2)[:, None]
        return along, np.stack([-along[:, 1], along[:, 0]], axis=-1)

    def aside(self, place):
        """Distance (T,) of places (T, 2 or 3) to the left of the centre line."""
        foot = self.foot(place)
        return np.einsum(
            "tc,tc->t", place[:, :2] - np.stack([foot, self.line.place(foot)[0]], axis=-1), self.axes(foot)[1]
        )

    def arc(self, x):
        return np.interp(x, self.x, self.s)


def along_track(poses, scenario, top):
    """Place s, y, z above the rails and yaw, roll, spin against the track (T, n, 3) of poses, and the track."""
    every = np.concatenate([place[:, 0] for place, _, _ in poses.values()])
    track = _Track(line_of(scenario.track), every.min() - 1.0, every.max() + 1.0)
    places, angles = [], []
    for place, axes, spin in poses.values():
        foot = track.foot(place)
        along, _ = track.axes(foot)
        places.append(np.stack([track.arc(foot), track.aside(place), place[:, 2] - top], axis=-1))
        heading = np.arctan2(along[:, 1], along[:, 0])
        turned = np.swapaxes(_turn(2, heading), 1, 2) @ axes  # = Rz(yaw) Rx(roll) Ry(pitch)
        yaw, roll = np.arctan2(-turned[:, 0, 1], turned[:, 1, 1]), np.arcsin(turned[:, 2, 1])
        angles.append(np.stack([yaw, roll, np.arctan2(-turned[:, 2, 0], turned[:, 2, 2]) + spin], axis=-1))
    return np.stack(places, axis=1), np.stack(angles, axis=1), track


def _turn(axis, angle):
    """Rotations (T, 3, 3) about an axis."""
    out, (j, k) = np.zeros((len(angle), 3, 3)), ((axis + 1) % 3, (axis + 2) % 3)
    out[:, axis, axis], out[:, j, j], out[:, k, k] = 1.0, np.cos(angle), np.cos(angle)
    out[:, j, k], out[:, k, j] = -np.sin(angle), np.sin(angle)
    return out


def _beside(origin, axes, x, z):
    """Points at x, z in the axes of a body."""
    return origin + x[:, None] * axes[:, :, 0] + z[:, None] * axes[:, :, 2]


def _parts(scenario, curves, axles, bodies):
    """What the bodies look like."""
    v, rail, wheel = scenario.values, curves["rail"], curves["wheel_left"]
    half, base = 0.5 * v["geometry.bogie_pivot_distance"], v["geometry.semi_wheelbase"]
    boxes, elements = {"car_body": [half + OVERHANG, 0.5 * WIDTH, 0.25, 0.25 + HEIGHT]}, []
    seat = v["geometry.suspender_z"] - v["geometry.suspender_length"]
    across, spacing = v["geometry.primary_lateral_semi_spacing"], v["geometry.axle_box_spring_semi_spacing"]
    for bogie, _ in BOGIES:
        slider, frame = f"{bogie} slider", f"{bogie} frame"
        boxes[slider], boxes[frame] = [0.3, across, -0.04, 0.04], [base + 0.6, across + 0.1, 0.05, 0.25]
        for side in (across, -across):
            for x in (v["geometry.slider_spring_x"], -v["geometry.slider_spring_x"]):
                y = np.sign(side) * v["geometry.slider_spring_y"]
                elements.append(_spring("secondary", slider, [x, y, 0.0], frame, [x, y, seat]))
            for number, along in AXLES:
                for x in (spacing, -spacing):
                    high = [along * base + x, side, v["geometry.primary_attach_z_on_bogie"]]
                    low = [x, side, -v["geometry.axle_box_spring_seat_below_axle"]]
                    elements.append(_spring("primary", frame, high, f"{bogie}.{number}", low))
    u = np.linspace(max(rail.knots[0], -0.035), min(rail.knots[-1], 0.035), PROFILE_POINTS)
    w = np.linspace(wheel.knots[0], wheel.knots[-1], PROFILE_POINTS)
    radius, lean = float(wheel(0.0)), scenario.track.inclination
    head = rail(u) - float(rail(0.0))
    head = np.stack([u * np.cos(lean) - head * np.sin(lean), u * np.sin(lean) + head * np.cos(lean)], axis=1)
    return {
        "boxes": boxes, "poses": {name: [name, [0.0, 0.0, 0.0]] for name in bodies}, "elements": elements,
        "wheel": {
            "radius": radius, "y": 0.5 * v["geometry.wheel_reference_spacing"], "axle": across,
            "profile": np.round(np.stack([w, wheel(w) - radius], axis=1), 6).tolist(),
        },
        "rail": {
            "y": 0.5 * v["geometry.rail_reference_spacing"],
            "profile": np.round(head, 6).tolist(),
        },
        "wheelsets": axles, "bay": 0.6,
    }  # fmt: skip


def _spring(name, a, point_a, b, point_b):
    rounded = ([round(float(x), 6) for x in point] for point in (point_a, point_b))
    return {"name": name, "kind": "spring", "a": a, "b": b} | dict(zip(("point_a", "point_b"), rounded, strict=True))
