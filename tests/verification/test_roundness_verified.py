"""Out-of-round wheels: a polygon against the frequency response, a flat against a Runge-Kutta integration written here.

Limits of 2 and 5 % are those of the task; the response shares parameters with the run and neither step nor excitation.
"""

import numpy as np
import pytest

from flexwheel.assess.response import ResponseSettings, response_scenario, vehicle_on_rails
from flexwheel.base.errors import ScenarioError
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_contact import build_contact, placed_profiles
from flexwheel.run.build.build_roundness import file_deviation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import run_scenario
from flexwheel.track.roundness import (
    flat_deviation,
    order_deviation,
    rolling_deviation,
    roundness_at,
    roundness_table,
    turn_angles,
)
from flexwheel.vehicle.vehicle_file import read_vehicle
from flexwheel.verification.response_run import transfer

RADIUS = 0.46
SMOOTH = """[run]
speed_kmh = {speed}
duration_s = {duration}
step_s = {step}
output_step_s = {output}
contact_tolerance_n = 0.1
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 100.0 }}]
[irregularity]
spectrum = "none"
roughness = "none"
[contact]
normal_damping_ns_m = 0.0
"""


def scenario(tmp_path, more, speed=80.0, duration=0.4, step=5e-5, output=2e-4):
    path = tmp_path / "s.toml"
    path.write_text(SMOOTH.format(speed=speed, duration=duration, step=step, output=output) + more)
    return read_scenario(path, ["contact.strips=16"])


@pytest.mark.parametrize("order", [30])
def test_polygon_has_the_force_of_the_frequency_response(order, tmp_path):
    size, phase = 2e-6, 30.0
    polygon = f"[[roundness.'front left'.orders]]\norder = {order}\namplitude_mm = {1e3 * size}\nphase_deg = {phase}\n"
    chosen = scenario(tmp_path, polygon, duration=0.7)
    run = run_scenario(chosen)
    spin = run.body_angle.sel(body="front", rotation="spin").values
    part = run.time.values > 0.3
    hz = order * np.polyfit(run.time.values[part], spin[part], 1)[0] / (2.0 * np.pi)
    assert hz == pytest.approx(order * 80.0 / 3.6 / (2.0 * np.pi * RADIUS), rel=2e-3)
    settings = ResponseSettings(1.3 * hz, hz / 20, harmonics=0)
    with pytest.raises(ScenarioError, match="round wheels only"):
        vehicle_on_rails(response_scenario(chosen, settings), {}, settings)
    round_wheels = chosen.model_copy(update={"roundness": {}})
    running, *_ = vehicle_on_rails(response_scenario(round_wheels, settings), {}, settings)
    wheels = running.places.count
    rows = np.arange(8 * wheels, 10 * wheels)
    grid, gains = transfer(running, rows, lambda index, drive: running.system.wrench[index] @ drive)
    gain = gains[np.argmin(np.abs(grid - hz)), 0, :, 1].reshape(wheels, 6)  # by the left front wheel's vertical
    angle = order * spin[part] - np.radians(phase)
    columns = np.stack([np.cos(angle), np.sin(angle), np.ones_like(angle), run.time.values[part]], axis=1)
    for wheel in range(2):
        for axis in (1, 2):
            force = run.contact_force.values[part, wheel, axis].astype(float)
            a, b, *_ = np.linalg.lstsq(columns, force, rcond=None)[0] / size
            assert abs(a - 1j * b - gain[wheel, axis]) < 0.02 * abs(gain[wheel, axis]), (wheel, axis)
    # what an accelerometer on the left box of a rigid wheelset feels: heave, roll and gravity; storage keeps 7 digits
    heave = run.body_acceleration.sel(body="front", path="z").values[part]
    roll = run.body_angular_acceleration.sel(body="front", rotation="roll").values[part]
    felt = run.axle_box_measured_acceleration.sel(wheel="front left", axis="z").values[part]
    np.testing.assert_allclose(felt, 9.81 + heave + 1.0075 * roll, atol=1e-4)
    car = run.body_measured_acceleration.sel(body="car_body").values[part]
    np.testing.assert_allclose(car.mean(axis=0), [0.0, 0.0, 9.81], atol=2e-3)


def test_first_impact_of_a_flat(tmp_path):
    """Half a wheelset with its boxes on the contact law's own force over depth, the wheel's outline searched anew."""
    length, place, speed = 0.03, 10.0, 36.0
    more = "".join(
        f"[[roundness.'front {side}'.flats]]\nlength_mm = {1e3 * length}\nangle_deg = {place}\n"
        for side in ("left", "right")
    )
    chosen = scenario(tmp_path, more, speed, 0.302, 2e-5, 2e-5)
    run = run_scenario(chosen)
    force_of, load = force_over_depth(chosen), float(run.attrs["static_wheel_load_n"][0])
    vehicle = read_vehicle("as4")
    mass = 0.5 * vehicle.wheelsets["front"]["mass_kg"] + vehicle.axle_box["mass_kg"]
    stiffness = 2.0 * 4.7e5  # vertical, two coil springs at a box
    rate, ahead = speed / 3.6 / RADIUS, 0.1
    time = run.time.values
    spin = run.body_angle.sel(body="front", rotation="spin").values
    begin = np.interp(2.0 * np.pi + np.radians(place) - ahead, spin, time)
    phi = np.linspace(-ahead, 0.1, 1001)
    outline = np.linspace(-0.2, 0.2, 4001)
    radius_at = lambda a: (  # noqa: E731
        RADIUS - np.where(np.abs(RADIUS * a) < length / 2, 0.5 + 0.5 * np.cos(2 * np.pi * RADIUS * a / length), 0.0)
        * length**2 / (16.0 * RADIUS)
    )  # fmt: skip
    lift = np.array([np.max(radius_at(p + outline) * np.cos(outline)) - RADIUS for p in phi])
    rest = np.interp(load, force_of[1][::-1], force_of[0][::-1])

    def rates(t, z, v):
        force = np.interp(z - np.interp(rate * t - ahead, phi, lift), *force_of)
        return v, (force - load - stiffness * (z - rest)) / mass

    h, z, v, found = 1e-5, rest, 0.0, []
    for k in range(700):
        a = rates(k * h, z, v)
        b = rates((k + 0.5) * h, z + 0.5 * h * a[0], v + 0.5 * h * a[1])
        c = rates((k + 0.5) * h, z + 0.5 * h * b[0], v + 0.5 * h * b[1])
        d = rates((k + 1) * h, z + h * c[0], v + h * c[1])
        z += h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0])
        v += h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1])
        found.append(np.interp(z - np.interp(rate * (k + 1) * h - ahead, phi, lift), *force_of))
    part = (time > begin) & (time < begin + 7e-3)
    for side in ("left", "right"):
        q = run.wheel_force.sel(wheel=f"front {side}", force="Q").values[part]
        assert q.max() == pytest.approx(max(found), rel=0.05) and max(found) > 3.0 * load
        assert time[part][np.argmax(q)] - begin == pytest.approx(h * (1 + np.argmax(found)), abs=2e-4)
        assert q.min() < 0.02 * load  # it lifts before it falls


def force_over_depth(chosen):
    """Heights (n,) of a wheel and the vertical force there (n,) by the scenario's contact law."""
    placed = placed_profiles(chosen.contact, read_vehicle(chosen.vehicle.file).wheel)
    tables = build_contact(chosen.contact, placed)
    given, scratch, result = handle(tables), handle(make_contact_scratch(tables)), make_contact_result()
    kept, heights, force = handle(result), np.linspace(-5e-4, 2e-5, 200), []
    for z in heights:
        motion = WheelMotion(np.array([0.0, 0.0, z, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(3), 10.0)
        wheel_rail_contact(given, RADIUS, motion, scratch, kept)
        force.append(float(result.wrench[2]))
    return heights, np.array(force)


def test_a_wheel_rolls_over_the_edges_of_a_fresh_flat():
    """Closed form of a chord: the axle stands r cos(half - |angle|) high; a polygon of 0.05 mm is its own outline."""
    angle, length = turn_angles(), 0.05
    half = 0.5 * length / RADIUS
    low = rolling_deviation(flat_deviation(angle, RADIUS, np.pi, length, rounded=False), RADIUS)
    away = np.abs(angle - np.pi)
    exact = np.where(away < half, RADIUS * np.cos(half - away) - RADIUS, 0.0)
    # the edges stand between two samples of 0.35 mm
    np.testing.assert_allclose(low, exact, atol=3.5e-4 * half)
    wave = order_deviation(angle, [(12, 5e-5, 0.4)])
    np.testing.assert_allclose(rolling_deviation(wave, RADIUS), wave, atol=(12 * 5e-5) ** 2 / RADIUS)


def test_table_gives_value_and_slope():
    angle = turn_angles()
    table = roundness_table([[order_deviation(angle, [(5, 1e-5, 0.0)]), None]], [RADIUS])
    out = np.zeros((2, 2))
    roundness_at(table, 0, 20.3, out)
    np.testing.assert_allclose(out[0], [1e-5 * np.cos(5 * 20.3), -5e-5 * np.sin(5 * 20.3)], atol=2e-9)
    assert not out[1].any()
    ends = []
    for spin in (1.999, 2.001):
        roundness_at(table, 0, spin, out)
        ends.append(out[0].copy())
    assert (ends[1][0] - ends[0][0]) / 0.002 == pytest.approx(0.5 * (ends[0][1] + ends[1][1]), rel=1e-4)


def test_table_of_a_file(tmp_path):
    path = tmp_path / "round.csv"
    path.write_text(
        "angle_deg,deviation_um\n" + "\n".join(f"{a},{20.0 * np.cos(3 * np.radians(a))}" for a in range(360))
    )
    np.testing.assert_allclose(file_deviation(path), 2e-5 * np.cos(3.0 * turn_angles()), atol=1e-9)
    for text, said in (("angle,deviation_um\n0,1\n1,1\n2,1\n3,1\n", "angle_deg"), ("", "angle_deg"),
                       ("angle_deg,deviation_mm\n0,1\n1,1\n1,1\n3,1\n", ":4")):  # fmt: skip
        path.write_text(text)
        with pytest.raises(ScenarioError, match=said):
            file_deviation(path)


def test_wrong_wheels_are_refused(tmp_path):
    chosen = scenario(tmp_path, "[[roundness.'middle left'.flats]]\nlength_mm = 30.0\n")
    with pytest.raises(ScenarioError, match="middle left.*front left"):
        run_scenario(chosen)
