"""`fw.Sensor`: an accelerometer anywhere on a rigid body, from the results of a run."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from flexwheel.base.errors import ScenarioError
from flexwheel.face.display import Displayed
from flexwheel.face.scenario import Scenario
from flexwheel.studies.numbers import numbers
from flexwheel.track.layout import track_frame

DIRECTIONS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
NEEDED = (
    "body_measured_acceleration", "body_angular_velocity", "body_angular_acceleration", "body_position",
    "body_velocity",
)  # fmt: skip
SECTIONS = 2  # second-order sections of the low-pass: Butterworth, fourth order, run forward and back


@dataclass(frozen=True, repr=False)
class Sensor(Displayed):
    """An accelerometer on a body: place from the body's centre, axes of the body (x forward, y left, z up).

    What it measures is the acceleration of the body's centre (`body_measured_acceleration`: 9.81 upward at rest) and
    a x r + w x (w x r) for its place r; w and a are those of the body in space: its angles against the track's frame,
    to first order, and the turning of that frame by curvature, cant and gradient. Of a rigid body; points of
    flexible ones are `body_point_acceleration` of the results. On a wheelset: on what does not spin with it.

    Example
    -------
    >>> sensor = fw.Sensor("car_body", place=(9.5, 0.0, -0.8), direction="y", low_pass_hz=20.0)
    >>> sensor.of(results).plot()
    """

    body: str
    place: Sequence[float] = (0.0, 0.0, 0.0)  # [m]
    direction: str | Sequence[float] = "z"  # x, y, z, or a vector
    low_pass_hz: float | None = None  # corner of a Butterworth filter without phase shift, -6 dB there; None: none

    def __post_init__(self):
        if numbers("Sensor: place", self.place).shape != (3,):
            raise ScenarioError(f"Sensor: place must be three numbers [m], got {self.place!r}")
        if self.low_pass_hz is not None:
            numbers("Sensor: low_pass_hz", self.low_pass_hz, 0)
        way = np.asarray(
            DIRECTIONS.get(self.direction, ())
            if isinstance(self.direction, str)
            else numbers("Sensor: direction", self.direction)
        )
        if way.shape != (3,) or not np.linalg.norm(way.astype(float)) > 0.0:
            raise ScenarioError(f"Sensor: direction must be x, y, z or a vector, got {self.direction!r}")

    def _head(self):
        way = self.direction if isinstance(self.direction, str) else tuple(map(float, self.direction))
        low = "" if self.low_pass_hz is None else f", low-pass {self.low_pass_hz:g} Hz"
        return f"on {self.body}", f"at {tuple(map(float, self.place))} m, direction {way}{low}"

    def of(self, results: xr.Dataset) -> xr.DataArray:
        """Acceleration (time,) [m/s2] in its direction.

        Raises
        ------
        ScenarioError       body or variable that is not there, flexible body, corner above half the sampling rate

        Example
        -------
        >>> float(sensor.of(results).std())
        """
        for name in NEEDED:
            if name not in results:
                raise ScenarioError(f"Sensor: {name} is not in the results; add it to output.variables")
        if "scenario" not in results.attrs:
            raise ScenarioError("Sensor: results must be those of a run, which have the attribute scenario")
        names = results.body.values.tolist()
        if self.body not in names:
            raise ScenarioError(f"Sensor: body must be one of {', '.join(names)}, got {self.body!r}")
        keys = tomllib.loads(results.attrs["scenario"])
        bent = [name for name, of in keys.get("wheelset", {}).items() if of.get("formulation") == "flexible"]
        if self.body in (*bent, *keys.get("body", ())):
            raise ScenarioError(
                f"Sensor: body must be rigid, got {self.body!r}, which is flexible: take body_point_acceleration, "
                "acceleration (control nodes) or axle_box_measured_acceleration of the results"
            )
        centre, rate, change, position, velocity = (
            results[name].sel(body=self.body).values.astype(float) for name in NEEDED
        )
        if self.body in results.coords.get("wheelset", ()):
            rate[:, 2] = change[:, 2] = 0.0
        time, r = results.time.values, np.asarray(self.place, dtype=float)
        frame, frame_change = _turning(results.attrs, position[:, 0], velocity[:, 0])
        relative = _axes(rate)
        w, a = relative + frame, _axes(change) + frame_change + np.cross(frame, relative)
        moved = centre + np.cross(a, r) + np.cross(w, np.cross(w, r))
        way = np.asarray(DIRECTIONS[self.direction] if isinstance(self.direction, str) else self.direction, dtype=float)
        values = moved @ (way / np.linalg.norm(way))
        if self.low_pass_hz is not None:
            values = _low_pass(values, self.low_pass_hz, time)
        words = {"units": "m s-2", "long_name": f"acceleration of {self.body} at {tuple(map(float, r))} m"}
        return xr.DataArray(values, {"time": results.time}, name="acceleration", attrs=words)


def _axes(angles):
    """(T, 3) about x, y, z of (T, 3) yaw, roll, pitch."""
    return angles[:, [1, 2, 0]]


def _turning(attributes: dict[str, Any], s, speed):
    """Angular velocity and acceleration (T, 3) of the track's frame at arc lengths s (T,) [m] passed at speeds (T,)."""
    layout = Scenario.of(tomllib.loads(attributes["scenario"])).track.layout
    kappa, change = np.zeros((len(s), 3)), np.zeros((len(s), 3))
    position, rotation = np.zeros(3), np.zeros((3, 3))
    for k, place in enumerate(s):
        track_frame(layout, place, position, rotation, kappa[k], change[k])
    return kappa * speed[:, None], change * speed[:, None] ** 2


def _low_pass(values, corner_hz, time):
    """Values (T,) without what is above the corner."""
    from scipy.signal import butter, sosfiltfilt

    rate = 1.0 / float(np.mean(np.diff(time)))
    if not 0.0 < corner_hz < 0.5 * rate:
        raise ScenarioError(f"Sensor: low_pass_hz must be above 0 and below {0.5 * rate:g}, got {corner_hz:g}")
    return sosfiltfilt(butter(2 * SECTIONS, corner_hz, fs=rate, output="sos"), values)
