"""Every key of a real-time scenario changes a result, is refused, or is named as idle."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.locomotive_parameters import CANCELS
from flexwheel.systems.locomotive.realtime_keys import RealtimeScenario
from flexwheel.systems.locomotive.simulator import BUILT_IN
from tests.systems.locomotive.realtime_support import EXAMPLE

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
    with pytest.raises(ScenarioError, match=rf".* is not read with {key}.*s\.toml:\d+"):
        read_realtime_scenario(path)
