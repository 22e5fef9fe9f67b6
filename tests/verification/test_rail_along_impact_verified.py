"""Impact where the rails begin to rise: half a wheelset on the contact law's own force, integrated by scipy.

The rail's outline is searched by a circle here; the limit of 3 % is that of the task. The first test of an impact, of a
flat, gives the force over depth.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexwheel.contact.profiles.placement import gauge_point
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import run_scenario
from flexwheel.vehicle.vehicle_file import read_vehicle
from tests.verification.test_roundness_verified import RADIUS, force_over_depth, scenario

SPEED, DAMPING = 72.0, 1e5
KINK, RISE, LENGTH = 2.0, 0.01, 0.2  # [m] where the rails begin to rise, 1:100, over a length [m]


def raised(path, height):
    """File of a 60E1 as it stands in the track, y from the running edge, z down, higher by a height [m]."""
    rail = rail_60e1(0.025)
    here = (rail.height > -0.0135) & (np.abs(rail.slope) < 5.0)
    y = np.arange(rail.y[here][0], rail.y[here][-1], 2e-4)
    z = -(np.interp(y, rail.y, rail.height) + height)
    y = y - gauge_point(rail)
    path.write_text("".join(f"{1e3 * a:.6f},{1e3 * b:.6f}\n" for a, b in zip(y, z, strict=True)))
    return path


def outline(s):
    """Height [m] of an axle over a round wheel's radius when the wheel rolls over the kink, at s [m] (n,)."""
    x = np.arange(-0.06, 0.06, 2e-5)
    bottom = np.sqrt(RADIUS**2 - x**2) - RADIUS
    return np.array([np.max(RISE * np.clip(at + x - KINK, 0.0, LENGTH) + bottom) for at in s])


def test_impact_at_a_kink(tmp_path):
    rows = [(KINK, raised(tmp_path / "low.csv", 0.0)), (KINK + LENGTH, raised(tmp_path / "high.csv", RISE * LENGTH))]
    more = f"normal_damping_ns_m = {DAMPING}\n" + "".join(
        f"[[contact.along]]\nat_m = {at}\nprofile = '{path}'\ndatum = 'file'\n" for at, path in rows
    )
    chosen = scenario(tmp_path, "", SPEED, 0.107, 2e-5, 2e-5)
    text = (tmp_path / "s.toml").read_text().replace("normal_damping_ns_m = 0.0\n", more)
    (tmp_path / "s.toml").write_text(text)
    force_of = force_over_depth(chosen)
    run = run_scenario(read_scenario(tmp_path / "s.toml"))
    load = float(run.attrs["static_wheel_load_n"][0])
    vehicle = read_vehicle("as4")
    mass = 0.5 * vehicle.wheelsets["front"]["mass_kg"] + vehicle.axle_box["mass_kg"]
    stiffness = 2.0 * 4.7e5  # vertical, two coil springs at a box
    speed, rest = SPEED / 3.6, np.interp(load, force_of[1][::-1], force_of[0][::-1])
    time = run.time.values
    axle = run.body_position.sel(body="front", path="s").values
    begin = float(np.interp(KINK - 0.02, axle, time))
    places = np.linspace(KINK - 0.02, KINK + 0.1, 1201)
    lift = outline(places)
    slope = np.gradient(lift, places)

    def wheel_force(t, z, v):
        s = KINK - 0.02 + speed * t
        elastic = np.interp(z - np.interp(s, places, lift), *force_of)
        opening = v - speed * np.interp(s, places, slope)
        return np.maximum(elastic - DAMPING * elastic / (elastic + 1000.0) * opening, 0.0)

    def rates(t, state):
        z, v = state
        return v, (wheel_force(t, z, v) - load - stiffness * (z - rest)) / mass

    found = solve_ivp(rates, (0.0, 5e-3), (rest, 0.0), max_step=1e-5, rtol=1e-8, atol=1e-12)
    force = wheel_force(found.t, *found.y)
    part = (time > begin) & (time < begin + 5e-3)
    for side in ("left", "right"):
        q = run.wheel_force.sel(wheel=f"front {side}", force="Q").values[part]
        assert q.max() == pytest.approx(force.max(), rel=0.03) and force.max() > 2.0 * load
        assert time[part][np.argmax(q)] - begin == pytest.approx(found.t[np.argmax(force)], abs=1e-4)
