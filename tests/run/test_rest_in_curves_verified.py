"""Rest at the start of a run in an arc, at speeds from far below to far above the balanced one."""

import numpy as np
import pytest

from flexwheel.base.gravity import GRAVITY
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario

PLACE = 130.0  # [m] all wheels in the arc of 60 to 260 m
BANDS = 0.065  # [m] from the gauge to the distance of the running bands, over which cant is measured
CASES = [  # km/h, radius [m], cant [mm], gauge [mm]; found by chance among starts that Newton's method alone misses
    (29.5, 453.3, 108.8, 1438.6), (31.5, 289.0, 58.2, 1442.1), (58.9, 467.7, 95.0, 1443.6),
    (66.4, 246.3, 116.5, 1448.3),
    (80.0, 250.0, 120.0, 1435.0), (82.8, 251.5, 63.1, 1439.1), (94.4, 224.7, 144.5, 1436.8),
    (109.9, 304.9, 90.9, 1442.6),
]  # fmt: skip


@pytest.mark.parametrize(("speed", "radius", "cant", "gauge"), CASES)
def test_wheels_bear_weight_and_centrifugal_force(speed, radius, cant, gauge):
    settings = {
        "run.duration_s": 0.1, "run.settling_s": 0.05, "run.start_position_m": PLACE, "run.speed_kmh": speed,
        "track.layout.2.radius_m": radius, "track.layout.2.cant_mm": cant, "contact.gauge_mm": gauge,
        "contact.rail_inclination": 0.05, "track.model": '"massless"', "wheelset.front.formulation": '"rigid"',
        "run.compare_modes": "[]",
    }  # fmt: skip
    simulation = build_simulation(
        read_scenario("examples/as4_curve.toml", [f"{k}={v}" for k, v in settings.items()]), {}
    )
    total = simulation.static_wrench.sum(axis=(0, 1))
    mass = sum(simulation.model.units.mass) + simulation.model.wheelsets.box_mass.sum()
    angle, outwards = np.arcsin(1e-3 * cant / (1e-3 * gauge + BANDS)), (speed / 3.6) ** 2 / radius
    across = mass * (outwards * np.cos(angle) - GRAVITY * np.sin(angle))
    up = mass * (GRAVITY * np.cos(angle) + outwards * np.sin(angle))
    assert abs(total[2] - up) < 1e-3 * mass * GRAVITY
    assert abs(abs(total[1]) - abs(across)) < 1e-3 * mass * GRAVITY
