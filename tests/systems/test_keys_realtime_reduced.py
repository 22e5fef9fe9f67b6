"""Every key of a real-time or reduced scenario changes a result, is refused, or is named as idle."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "verification"))
from realtime_support import EXAMPLE

from flexwheel.base.errors import ScenarioError
from flexwheel.run.keys.idle_keys import idle_lines, rules_of
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.locomotive_parameters import CANCELS
from flexwheel.systems.locomotive.realtime_keys import RealtimeScenario
from flexwheel.systems.locomotive.simulator import BUILT_IN
from flexwheel.systems.reduced import contact_zones
from flexwheel.systems.reduced.reduced_keys import ReducedScenario
from flexwheel.systems.reduced.reduced_run import run_both

# --- real-time

REALTIME = {  # key: value against the base, and what the case needs besides
    "track.end_m": ("25.0",),  # the run ends there
    "track.shift_m": ("30.0",),
    "track.transition_start_m": ("10.0",),
    "track.transition_length_m": ("250.0",),
    "track.transition_form": ("'quintic'",),
    "track.amplitude_mm": ("4.0",),
    "track.wavelength_m": ("8.0",),
    "track.phase_right_deg": ("30.0",),
    "track.irregularity_start_m": ("2.0",),
    "track.irregularity_ramp_m": ("10.0",),
    "track.inclination": ("0.04",),
    "track.tilt_with_cross_level": ("true",),
    "track.knot_spacing_m": ("0.5",),
    "run.duration_s": ("1.1",),
    "run.step_s": ("0.0005",),
    "run.speed_kmh": ("80.0",),
    "run.start_position_m": ("1.0",),
    "run.lateral_offset_mm": ("4.0",),
    "run.body_height_m": ("0.745",),
    "run.motor_torque_nm": ("100.0",),
    "run.brake_torque_nm": ("100.0",),
    "run.output_step_s": ("0.02",),
    "contact.shear_modulus": ("'paper'",),
    "contact.friction": ("0.2",),
    "contact.method": ("'explicit'",),
    "contact.tolerance": ("1e-4",),
    "contact.flange_stiffness_n_m": ("2e7",),
    "contact.flange_damping_ns_m": ("2e4",),
    "contact.flange_clearance_mm": ("4.5",),
    "contact.solution": ("'partitioned'",),
    "vehicle.values": ("{'primary.k'=3e5}",),
    "vehicle.profiles": ("'feve3000_profiles_cone.csv'",),
}
ELSEWHERE = {
    "kind",
    "title",
    "assumed",
    "vehicle.file",
    "run.unconverged_share_max",
    "run.checkpoint_s",
}  # words, files, a limit
SHORT = ("run.duration_s=1.0", "track.transition_start_m=3.0")


def keys_of(model):
    """section.key of a model of sections."""
    for name, field in model.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        yield from [name] if inner is None else (f"{name}.{key}" for key in inner)


@cache
def realtime_result(*settings):
    loco = build_locomotive_run(read_realtime_scenario(EXAMPLE, [*SHORT, *settings]))
    run = read_realtime_scenario(EXAMPLE, [*SHORT, *settings]).run
    try:
        loco.run(run.steps, run.stride, loco.record_places("q") + loco.record_places("normal_force"))
        end = "complete"
    except Exception as error:
        end = str(error)
    return end, loco.recorded, loco.run_counts


def test_the_walk_names_every_realtime_key():
    assert set(keys_of(RealtimeScenario)) == set(REALTIME) | ELSEWHERE


@pytest.mark.parametrize("key", REALTIME)
def test_realtime_key_does_something(key):
    value, *context = REALTIME[key]
    before = realtime_result(*context)
    after = realtime_result(*context, f"{key}={value}")
    assert not (before[0] == after[0] and np.array_equal(before[1], after[1])), f"{key} = {value} changes nothing"


def test_every_vehicle_parameter_does_something():
    loco = build_locomotive_run(read_realtime_scenario(EXAMPLE, [*SHORT]))
    values, start = dict(loco.values), loco.save_state()

    def result(new):
        loco.restore_state(start)
        loco.set_parameters({**values, **new})
        return loco.run(60, 60, loco.record_places("q") + loco.record_places("normal_force"))

    before, idle = result({}), []
    for name, value in values.items():
        new = {name: 1.002 * value if value else 1.0}
        for body in ("wheelset", "rotor"):  # one moment of inertia across a spinning body's axis
            if name in (f"{body}.Ixx", f"{body}.Izz"):
                new = {f"{body}.{axis}": 1.002 * value for axis in ("Ixx", "Izz")}
        if name in BUILT_IN:
            with pytest.raises(ScenarioError, match="new locomotive"):
                result(new)
            words = "vehicle.values={" + f"'{name}'={new[name]}" + "}"
            if np.array_equal(realtime_result()[1], realtime_result(words)[1]):
                idle.append(name)
        elif np.abs(result(new)[:, :-3] - before[:, :-3]).max() < 1e-9:
            idle.append(name)
    assert idle == list(CANCELS)
    with pytest.raises(ScenarioError, match="spacing cancels"):
        realtime_result(f"vehicle.values={{'{idle[0]}'=0.3}}")


@pytest.mark.parametrize("off, given", [
    ("track.amplitude_mm=0.0", "track.wavelength_m, track.phase_right_deg"),
    ("track.shift_m=0.0", "track.transition_start_m, track.transition_length_m, track.transition_form"),
    ("contact.flange_stiffness_n_m=0.0", "contact.flange_damping_ns_m, contact.flange_clearance_mm"),
])  # fmt: skip
def test_realtime_keys_that_do_nothing_are_named_or_refused(off, given, tmp_path):
    assert read_realtime_scenario(EXAMPLE).warnings == ()
    (line,) = read_realtime_scenario(EXAMPLE, [off]).warnings
    key, _, value = off.partition("=")
    assert given in line and key in line
    path = tmp_path / "s.toml"
    text = EXAMPLE.read_text()
    name = key.partition(".")[2]
    path.write_text("\n".join(f"{name} = {value}" if x.startswith(f"{name} =") else x for x in text.splitlines()))
    with pytest.raises(ScenarioError, match=rf"s\.toml:\d+: key .*nothing reads it with {key}"):
        read_realtime_scenario(path)


# --- reduced

FLANGE = ("reduced.lateral_offset_mm=6.5",)  # beyond the play: the flange touches
IRREGULAR = ("irregularity.spectrum='fra'",)
ERRI = ("irregularity.spectrum='erri_b176'",)
REDUCED = {
    "reduced.step_s": ("5e-4",),
    "reduced.method": ("'rk4'", "run.speed_kmh=80.0"),
    "reduced.tread": ("'conicity'",),
    "reduced.conicity": ("0.2",),
    "reduced.conicity_amplitude_mm": ("4.0",),
    "reduced.flange_clearance_mm": ("4.0", *FLANGE),
    "reduced.flange_angle_deg": ("60.0", *FLANGE),
    "reduced.flange_stiffness_n_m": ("1e7", *FLANGE),
    "reduced.flange_damping_ns_m": ("1e4", *FLANGE),
    "reduced.creep": ("'linear'", *FLANGE),
    "reduced.load_dependent": ("false",),
    "reduced.climb_shift_mm": ("0.1", *FLANGE),
    "reduced.lateral_offset_mm": ("1.0",),
    "reduced.acceleration_m_s2": ("0.1",),
    "run.speed_kmh": ("19.0",),
    "run.duration_s": ("0.3",),
    "run.end_position_m": ("60.5",),
    "run.start_position_m": ("50.0",),
    "run.output_step_s": ("4e-3",),
    "vehicle.file": ("'ml95'",),
    "track.layout": ("[{ kind = 'arc', length_m = 190.0, radius_m = 300.0 }]",),
    "track.vertical": ("[{ at_m = 61.0, gradient_per_mille = 10.0, radius_m = 2000.0 }]",),
    "track.joint_length_m": ("2.0", "track.layout=[{kind='straight', length_m=61.0},"
                             "{kind='arc', length_m=90.0, radius_m=300.0}]"),
    "irregularity.spectrum": ("'fra'",),
    "irregularity.level": ("'low'", *ERRI),
    "irregularity.track_class": ("2", *IRREGULAR),
    "irregularity.seed": ("2", *IRREGULAR),
    "irregularity.longest_wave_m": ("50.0", *IRREGULAR),
    "irregularity.shortest_wave_m": ("3.0", *IRREGULAR),
    "irregularity.lateral": ("false", *IRREGULAR),
    "irregularity.ramp_m": ("5.0", *IRREGULAR),
    "contact.wheel_profile": ("'cone_1_20'",),
    "contact.rail_profile": ("'60E2'",),
    "contact.rail_inclination": ("0.05",),
    "contact.gauge_mm": ("1437.0",),
    "contact.friction": ("0.05",),
    "contact.youngs_modulus_pa": ("2e11",),
    "contact.poissons_ratio": ("0.3",),
    "contact.normal": ("'hertz'",),
    "contact.penetration": ("'classical'",),
    "contact.strips": ("12",),
}  # fmt: skip
ELSEWHERE_REDUCED = {  # words, files, what needs kernels of its own
    "run.title", "irregularity.roughness", "irregularity.file", "reduced.full_model", "contact.detection",
    "contact.wheel_file", "contact.rail_file", "run.checkpoint_s",
}  # fmt: skip
NEVER = (  # refused: no flexible wheelsets, no roughness, no statistics
    "run.compare_modes", "run.settling_s", *(f"irregularity.{key}" for key in (
        "roughness_shift_db", "roughness_longest_wave_m", "roughness_shortest_wave_m", "contact_filter")),
)  # fmt: skip
SMALL = ("reduced.full_model=false", "reduced.tread='cone'", "run.start_position_m=60.0", "run.duration_s=0.2",
         "reduced.lateral_offset_mm=3.0")  # fmt: skip
CURVE = EXAMPLE.parent / "wheelset_small_curve.toml"


@pytest.fixture(scope="module", autouse=True)
def one_search_for_each_pair_of_profiles():
    """The planar contact search, which most keys do not touch, once for each pair."""
    found, search = {}, contact_zones.rigid_contact

    def once(wheel, rail, placement, shifts):
        key = (wheel.height.tobytes(), rail.height.tobytes(), repr(placement), shifts.tobytes())
        if key not in found:
            found[key] = search(wheel, rail, placement, shifts)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contact_zones, "rigid_contact", once)
        yield


@cache
def reduced_result(*settings):
    try:
        results = run_both(read_scenario_source(CURVE, [*SMALL, *settings]))
    except ScenarioError as error:
        return str(error), b""
    parts = (results.position, results.wheel_force, results.arc_length)
    return str(results.attrs["status"]), b"".join(p.values.tobytes() for p in parts)


def test_the_walk_names_every_reduced_key():
    named = set(REDUCED) | ELSEWHERE_REDUCED
    assert {f"reduced.{key}" for key in ReducedScenario.model_fields["reduced"].annotation.model_fields} <= named
    for name in ("run", "track", "irregularity", "contact", "vehicle"):
        for key in VehicleScenario.model_fields[name].annotation.model_fields:
            path = f"{name}.{key}"
            assert (path in named) != (full_only(name, key) or path in NEVER), path


def full_only(section, key):
    """Whether a key is read by the full model alone."""
    kind = VehicleScenario.model_fields[section].annotation
    rules = rules_of(VehicleScenario, section) + rules_of(kind, key)
    return any(rule.decides == "reduced.full_model" for rule in rules)


@pytest.mark.parametrize("key", REDUCED)
def test_reduced_key_does_something(key):
    value, *context = REDUCED[key]
    before = reduced_result(*context)
    after = reduced_result(*context, f"{key}={value}")
    assert before[1], before[0]
    assert before != after, f"{key} = {value} changes nothing"


def test_keys_of_the_full_model_alone_are_refused_or_named():
    """Those of the file are named where an override turns the full model off; those of an override are refused."""
    (line,) = idle_lines(read_scenario_source(CURVE, SMALL).scenario)
    assert "run.step_s, run.integrator, track.model, contact.normal_damping_ns_m, drive.kind" in line
    assert "nothing reads it with reduced.full_model = false" in line
    for setting in ("run.step_s=1e-4", "track.model='massless'", "contact.tangential='polach'", "drive.kind='none'"):
        with pytest.raises(ScenarioError, match="nothing reads it with reduced.full_model = false"):
            read_scenario_source(CURVE, [*SMALL, setting])


BAD_REDUCED = (  # tracebacks or silence before
    ("reduced.lateral_offset_mm=1e6", "reduced.lateral_offset_mm must be at most"),
    ("run.duration_s=1e18", "run.duration_s must"),
    ("run.duration_s=1e5", "samples, expected 1 to 500000"),
    ("run.settling_s=1.0", "no statistics"),
    ("train.place=1", "key train"),
    ("run.duration_s=1e-5", "before its first sample"),
    ("reduced.conicity=0.1", "nothing reads it with reduced.tread = 'profiles'"),
    ("reduced.full_model=1.5", "reduced.full_model must"),
    ("reduced.step_s=true", "must be a number"),
    ("reduced=3", "a table of keys"),
    ("wheelset.wheelset.mode='eulerian'", "without effect on rigid wheelsets"),
    ("run.compare_modes=['eulerian']", "make a wheelset flexible"),
    ("kind='train'", "kind must be 'reduced' as in the file"),
)


@pytest.mark.parametrize("setting, said", BAD_REDUCED)
def test_bad_reduced_scenario(setting, said):
    with pytest.raises(ScenarioError, match=said) as caught:
        read_scenario_source(CURVE, [setting])
    assert "\n" not in str(caught.value)


def test_offset_beyond_derailment_is_refused():
    for offset in (11.5, 50.0):
        with pytest.raises(ScenarioError, match=r"reduced\.lateral_offset_mm = .* expected less than 11\.3 mm"):
            run_both(read_scenario_source(CURVE, [*SMALL, f"reduced.lateral_offset_mm={offset}"]))


def test_a_run_that_ends_before_its_first_sample_is_said(tmp_path):
    settings = [*SMALL, "reduced.lateral_offset_mm=11.2", "run.output_step_s=0.1", "run.speed_kmh=200.0"]
    results = run_both(read_scenario_source(CURVE, settings))
    assert not results.attrs["complete"] and "derailed at t = " in results.attrs["status"]
    assert results.sizes["time"] == 1  # the start
