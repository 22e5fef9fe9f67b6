"""Points of a vehicle where accelerations are taken: axle boxes, frames above wheelsets, floor of the body."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.gravity import GRAVITY

AXES = {"x": 0, "y": 1, "z": 2}


@dataclass(frozen=True)
class MeasuredPoint:
    """A point of a body, or an axle box; room: body | frame | box."""

    name: str
    room: str
    of: str  # body, or wheel of an axle box
    arm: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m] from the body's centre, body axes

    def position(self, results):
        """Arc length (T,) [m]."""
        body = self.of.rpartition(" ")[0] if self.room == "box" else self.of
        return results.body_position.sel(body=body, path="s").values + self.arm[0]

    def acceleration(self, results, axis):
        """Acceleration (T,) [m/s2] less gravity along x, y or z of the body; z without the 9.81 of a body at rest.

        Of a point off the centre with the angular acceleration relative to the track frame; the squares of angular
        velocities, 1e-3 m/s2 at 10 m, are left out.
        """
        k = AXES[axis]
        if self.room == "box":
            values = results.axle_box_measured_acceleration.sel(wheel=self.of).values[:, k].astype(float)
        else:
            values = results.body_measured_acceleration.sel(body=self.of).values[:, k].astype(float)
            turn = results.body_angular_acceleration.sel(body=self.of).values  # yaw, roll, pitch about y
            alpha = np.stack([turn[:, 1], turn[:, 2], turn[:, 0]], axis=1)
            values = values + np.cross(alpha, self.arm)[:, k]
        return values - GRAVITY * (axis == "z")


def stored(results, points):
    """Those of the points whose accelerations the results have."""
    names = {"box": "axle_box_measured_acceleration"}
    return [
        point for point in points
        if names.get(point.room, "body_measured_acceleration") in results and "body_angular_acceleration" in results
    ]  # fmt: skip
