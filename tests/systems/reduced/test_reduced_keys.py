"""Every key of a reduced scenario changes a result, is refused, or is named as idle."""

from functools import cache

import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.idle_keys import idle_lines, rules_of
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from flexwheel.systems.reduced import contact_zones
from flexwheel.systems.reduced.reduced_keys import ReducedScenario
from flexwheel.systems.reduced.reduced_run import run_both

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
    "contact.plain_kp_normal": ("{epsilon=0.5}", "contact.normal='plain_kp'"),
    "contact.strips": ("12",), "contact.initial_slope": ("0.5",),
}  # fmt: skip
ELSEWHERE_REDUCED = {  # words, files, what needs kernels of its own
    "run.title", "irregularity.roughness", "irregularity.file", "reduced.full_model", "contact.detection",
    "contact.wheel_file", "contact.rail_file", "run.checkpoint_s",
}  # fmt: skip
NEVER = (
    "contact.friction_law", "contact.falling_friction", "contact.regional_friction", "contact.table_friction",
    "contact.friction_file", "contact.polach_tangential",  # refused: no flexible wheelsets, no roughness, no statistics
    "run.compare_modes", "run.settling_s", "track.check_rail", *(f"irregularity.{key}" for key in (
        "roughness_shift_db", "roughness_longest_wave_m", "roughness_shortest_wave_m", "contact_filter")),
)  # fmt: skip
SMALL = ("reduced.full_model=false", "reduced.tread='cone'", "run.start_position_m=60.0", "run.duration_s=0.2",
         "reduced.lateral_offset_mm=3.0")  # fmt: skip
CURVE = EXAMPLES / "wheelset_small_curve.toml"


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
    assert "not read with reduced.full_model = false" in line
    for setting in ("run.step_s=1e-4", "track.model='massless'", "contact.tangential='polach'", "drive.kind='none'"):
        with pytest.raises(ScenarioError, match="is not read with reduced.full_model = false"):
            read_scenario_source(CURVE, [*SMALL, setting])


BAD_REDUCED = (  # tracebacks or silence before
    ("reduced.lateral_offset_mm=1e6", "reduced.lateral_offset_mm must be at most"),
    ("run.duration_s=1e18", "run.duration_s must"),
    ("run.duration_s=1e5", "samples, expected 1 to 500000"),
    ("run.settling_s=1.0", "no statistics"),
    ("train.place=1", "train.formation must be given|unknown key train"),
    ("run.duration_s=1e-5", "before its first sample"),
    ("reduced.conicity=0.1", "is not read with reduced.tread = 'profiles'"),
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
        with pytest.raises(ScenarioError, match=r"reduced\.lateral_offset_mm must be below 11\.3"):
            run_both(read_scenario_source(CURVE, [*SMALL, f"reduced.lateral_offset_mm={offset}"]))


def test_a_run_that_ends_before_its_first_sample_is_said(tmp_path):
    settings = [*SMALL, "reduced.lateral_offset_mm=11.2", "run.output_step_s=0.1", "run.speed_kmh=200.0"]
    results = run_both(read_scenario_source(CURVE, settings))
    assert not results.attrs["complete"] and "derailed at t = " in results.attrs["status"]
    assert results.sizes["time"] == 1  # the start
