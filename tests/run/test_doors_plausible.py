"""Bounds of plausibility: what nobody means is a warning of the run, what the package ships is none."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from flexwheel.results.evaluate.result_bounds import ResultBounds
from flexwheel.run.build.build_roundness import unseen_orders
from flexwheel.run.build.vehicle_on_track import vehicle_on_track
from flexwheel.run.keys.plausibility import (
    file_end_warnings,
    irregularity_warnings,
    plausibility_warnings,
    usual_bounds,
    vehicle_warnings,
    wheel_load_warnings,
)
from flexwheel.run.keys.reader import parse_scenario, read_scenario_source
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from flexwheel.track.irregularity import Record, make_irregularity
from flexwheel.vehicle.vehicle_file import read_vehicle
from tests import rooms

ROOT = Path(__file__).resolve().parents[2]
LAYOUT = (
    '[{{kind = "straight", length_m = 9.0}}, {{kind = "transition", length_m = {0}}}, '
    '{{kind = "arc", length_m = 90.0, radius_m = {1}, cant_mm = {2}}}]'
)
BOUNDS = {key: bound for key, bound in usual_bounds(VehicleScenario) if not key.startswith(("wheelset.", "body."))}
TEXT = "[run]\nduration_s = 1.0\nspeed_kmh = 60.0\n[wheelset.front]\n"


def lines(*overrides):
    return plausibility_warnings(parse_scenario(TEXT, overrides=overrides))


@pytest.mark.parametrize(("order", "false"), [(86, False), (87, True)])  # at 16.67 m/s on 0.46 m: 496 and 502 Hz
def test_polygons_between_the_steps(order, false):
    """Order 200 with steps of 1 ms acted at 153 in place of 1153 Hz, in silence."""
    told = ('roundness={"front left"={orders=[{order=' + f"{order},amplitude_mm=0.01" + "}]}}", "run.step_s=1e-3")
    scenario = parse_scenario(TEXT, overrides=(*told, "run.output_step_s=1e-3"))
    found = unseen_orders(scenario.roundness, [SimpleNamespace(name="front", radius=0.46)], scenario.run)
    assert [f"order {order} has 502 Hz" in line and "step_s to 0.0005 or less" in line for line in found] == [
        True
    ] * false


def of_layout(*values):
    return lines("track.layout=" + LAYOUT.format(*values))


@pytest.mark.parametrize("path", rooms.examples(), ids=lambda p: p.stem)
def test_examples_are_plausible(path):
    scenario = read_scenario_source(path).scenario
    if scenario.kind in ("vehicle", "reduced"):
        assert plausibility_warnings(scenario) == []


def test_samples_too_far_apart_for_spectra_are_told():
    """They are where a flexible part has more to say between them; not where every step is stored."""
    (line,) = lines("run.output_step_s=1e-3")
    assert line.startswith("run.output_step_s = 0.001") and "above 500 Hz" in line
    assert lines("run.output_step_s=2e-4") == []
    assert lines("run.output_step_s=1e-3", "run.step_s=1e-3") == []
    assert lines("run.output_step_s=1e-3", 'track.model="rigid"') == []


@pytest.mark.parametrize("name", ["as4", "manchester_v1", "ml95", "free_wheelset", "freight_wagon"])
def test_shipped_vehicles_are_plausible(name):
    assert vehicle_warnings(read_vehicle(name)) == []


IN_LISTS = {
    "roundness.orders.amplitude_mm": "orders=[{{order=3,amplitude_mm={0}}}]",
    "roundness.flats.length_mm": "flats=[{{length_mm={0}}}]",
    "roundness.flats.depth_mm": "flats=[{{length_mm=40.0,depth_mm={0}}}]",
}


@pytest.mark.parametrize("key", IN_LISTS)
def test_bounds_in_lists_speak(key):
    low, high = BOUNDS[key].low, BOUNDS[key].high
    for value, told in ((1.01 * high, True), (0.9 * high, False), (0.5 * (low + high), False)):
        found = lines('roundness={"front left"={' + IN_LISTS[key].format(value) + "}}")
        assert len(found) == told
        assert not told or (key.rpartition(".")[2] in found[0] and f"{value:.6g}" in found[0])


@pytest.mark.parametrize("key", [key for key in BOUNDS if key not in IN_LISTS])
def test_every_bound_speaks(key):
    """Each with a figure just inside and just outside."""
    low, high = BOUNDS[key].low, BOUNDS[key].high
    beside = {"run.step_s": ["run.output_step_s={}"]}.get(key, [])
    outside = high * 1.01
    try:
        found = lines(f"{key}={outside!r}", *(b.format(repr(outside)) for b in beside))
    except Exception:  # the key itself ends there
        outside = 0.99 * low
        found = lines(f"{key}={outside!r}", *(b.format(repr(outside)) for b in beside))
    assert len(found) == 1 and key in found[0] and f"{outside:.6g}" in found[0]
    assert lines(f"{key}={high * 0.9!r}", *(b.format(repr(high * 0.9)) for b in beside)) == []


@pytest.mark.parametrize(
    ("gauge", "count"), [(1435, 0), (1000, 0), (1520, 0), (1450, 0), (1400, 1), (1500, 1), (1460, 0), (1470, 1)]
)
def test_gauges(gauge, count):
    assert len(lines(f"contact.gauge_mm={gauge}")) == count


def test_alignment():
    assert of_layout(50.0, 300.0, 100.0) == []
    assert "cant deficiency" in of_layout(50.0, 100.0, 0.0)[0]  # 283 mm at 60 km/h on 150 m, 425 mm on 100 m
    assert "twist 1:100" in of_layout(10.0, 300.0, 100.0)[0]
    assert "cant_mm = 250" in " ".join(of_layout(50.0, 300.0, 250.0))
    assert "radius_m = 30" in " ".join(of_layout(50.0, -30.0, 100.0))
    excess = parse_scenario(TEXT, overrides=["run.speed_kmh=1", "track.layout=" + LAYOUT.format(90.0, 300.0, 180.0)])
    assert plausibility_warnings(excess) == []


@pytest.mark.parametrize(("gauge", "base", "count"), [(1435.0, 1.5, 1), (1000.0, 1.065, 0)])
def test_cant_is_over_the_running_bands_of_the_gauge(gauge, base, count):
    """100 mm were read over 1500 mm on every gauge, 71 mm on metre gauge; 60 km/h on 120 m ask for 354 and 252 mm."""
    layout = LAYOUT.format(50.0, 300.0, 100.0)
    keys = (f"contact.gauge_mm={gauge}", f"track.layout={layout}", 'accept=["gauge"]')
    scenario = parse_scenario(TEXT, overrides=keys)
    left = vehicle_on_track(scenario, {}).layout
    assert left.cant_base == pytest.approx(base)
    assert len(lines(f"contact.gauge_mm={gauge}", "track.layout=" + LAYOUT.format(50.0, 120.0, 0.0))) == count


@pytest.mark.parametrize(("last", "count"), [(50.0, 1), (105.0, 1), (111.0, 0)])
def test_a_file_of_irregularity_that_ends_before_the_run(last, count):
    """The end of a file fades out over ramp_m as well."""
    scenario = SimpleNamespace(
        irregularity=SimpleNamespace(file="own.csv", ramp_m=10.0), run=SimpleNamespace(start_position_m=0.0)
    )
    assert len(file_end_warnings(scenario, 0.0, last, 100.0)) == count


def wave(amplitude, length, channels=4, step=0.05):
    s = np.arange(0.0, 60.0, step)
    values = np.zeros((len(s), channels))
    values[:, 1] = amplitude * np.sin(2 * np.pi * s / length)
    return Record(0.0, step, values)


def test_irregularity_of_300_mm_over_3_m():
    line = irregularity_warnings(make_irregularity(wave(0.3, 3.0)))[0]
    figures = [float(word) for word in line.replace(",", "").split() if word[0].isdigit()]
    assert abs(figures[0] - 300.0) < 6.0 and abs(figures[1] - 1e3 * 0.3 * 2 * np.pi / 3.0) < 15.0
    assert irregularity_warnings(make_irregularity(wave(0.01, 10.0))) == []
    assert "roughness" in irregularity_warnings(make_irregularity(None, wave(2e-3, 0.5, 2)))[0]
    assert irregularity_warnings(make_irregularity()) == []


def changed(section, name, **values):
    vehicle = read_vehicle("as4")
    tables = dict(getattr(vehicle, section))
    tables[name] = {**tables[name], **values}
    return vehicle_warnings(replace(vehicle, **{section: tables}))


def test_vehicles():
    body = next(iter(read_vehicle("as4").bodies))
    assert "mass_kg = 3.35e+06" in changed("bodies", body, mass_kg=3.35e6)[0]
    text = " ".join(changed("bodies", body, roll_inertia_kg_m2=1e3, pitch_inertia_kg_m2=1e3, yaw_inertia_kg_m2=1e5))
    assert "no body has one above the sum of the others" in text
    assert "radius of gyration" in changed("wheelsets", "front", spin_inertia_kg_m2=1e4)[0]
    vehicle = read_vehicle("as4")
    assert "radius_m" in vehicle_warnings(replace(vehicle, wheel={**vehicle.wheel, "radius_m": 5.0}))[0]
    assert wheel_load_warnings(["left"], [80e3]) == [] and len(wheel_load_warnings(["l", "r"], [1e3, 1e6])) == 2


def results(**changes):
    force = np.zeros((50, 4, 3))
    force[:, :, 2] = 80e3
    arrays = {"wheel_force": force, "patch_peak_pressure": np.full((50, 4, 2), 1e9),
              "patch_normal_force": np.full((50, 4, 2), 40e3),
              "body_position": np.zeros((50, 2, 3)), "body_angle": np.zeros((50, 2, 3))}  # fmt: skip
    dims = {"wheel_force": ("time", "wheel", "force"), "patch_peak_pressure": ("time", "wheel", "patch"),
            "patch_normal_force": ("time", "wheel", "patch"),
            "body_position": ("time", "body", "path"), "body_angle": ("time", "body", "rotation")}  # fmt: skip
    for name, (place, value) in changes.items():
        arrays[name][place] = value
    return xr.Dataset(
        {name: (dims[name], array) for name, array in arrays.items()},
        {"time": 0.01 * np.arange(50), "wheel": ["a", "b", "c", "d"], "body": ["car", "bogie"]},
        {"static_wheel_load_n": np.full(4, 80e3)},
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, None),
        ({"wheel_force": ((7, 2, 2), 29.6e6)}, "vertical force of c 29600 kN at t = 0.0700 s: 370.0 times"),
        ({"wheel_force": ((9, 1, 1), -250e3)}, "lateral force of b -250 kN at t = 0.0900 s: 3.1 times"),
        ({"wheel_force": ((slice(None), slice(None), 2), 20e3)}, "wheels carry 25 % of the weight"),
        ({"patch_peak_pressure": ((3, 0, 1), 1.67e10)}, "contact pressure 16.7 GPa at t = 0.0300 s"),
        ({"patch_peak_pressure": ((3, 0, 1), 1.67e10), "patch_normal_force": ((3, 0, 1), 390.0)}, None),
        ({"body_position": ((4, 1, 1), -3.0)}, "bogie is 3.00 m sideways at t = 0.0400 s"),
        ({"body_angle": ((4, 0, 1), 1.2)}, "car is 1.20 rad at t = 0.0400 s"),
        ({"patch_peak_pressure": ((slice(None), 0, 1), np.nan)}, None),
    ],
)
def test_results(change, expected):
    changed = results(**change)
    bounds = ResultBounds(changed.attrs.get("static_wheel_load_n", ()))
    bounds.add(changed)
    found = bounds.lines()
    assert found == [] if expected is None else expected in found[0]
