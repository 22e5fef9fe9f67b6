"""Every key of a scenario changed by itself: what it changes, or the line that refuses it.

`python -m tests.fuzz.walk` writes the table of docs/keys.md from short runs; the test of the suite compares what the
time loop is given, which takes seconds.
"""

from __future__ import annotations

import copy
import itertools
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Literal, get_args, get_origin

from pydantic import BaseModel

from flexwheel.base.errors import FlexwheelError
from flexwheel.body.matrix_format import write_matrices
from flexwheel.run.keys.idle_keys import rules_of
from flexwheel.run.keys.section import section_in
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from tests.small_superelement import small_body

from . import bases
from .flat import differences, flat
from .mutate import toml

CAR = str(bases.MESHES / "car_body.inp")
BODY = {"body.car_body.mesh": CAR, "body.car_body.attachments": {"front": "PIVOT_FRONT", "rear": "PIVOT_REAR"},
        "body.car_body.attachment_reach_mm": 10000.0, "body.car_body.modes_up_to_hz": 20.0}  # fmt: skip
BED = str(bases.MESHES / "ballast_bed.inp")
COARSE = str(bases.MESHES / "wheelset_coarse.inp")
FLEXIBLE = {"wheelset.front.formulation": "flexible", "wheelset.front.mesh": COARSE,
            "wheelset.front.exact_below_hz": 0.0, "wheelset.front.fixed_interface_modes": 7}  # fmt: skip
LAYOUT = [
    {"kind": "straight", "length_m": 2.0}, {"kind": "transition", "length_m": 20.0},
    {"kind": "arc", "length_m": 100.0, "radius_m": 300.0, "cant_mm": 50.0},
]  # fmt: skip
STRAIGHT = [{"kind": "straight", "length_m": 2.0}, {"kind": "straight", "length_m": 100.0}]
ARC = [{"kind": "arc", "length_m": 200.0, "radius_m": 300.0, "cant_mm": 50.0}]
BASE = {
    "run.speed_kmh": 72.0, "run.duration_s": 0.05, "run.step_s": 2e-4, "run.output_step_s": 1e-3,
    "run.start_position_m": 20.0, "run.title": "walk", "vehicle.file": "as4", "track.model": "massless",
    "track.layout": LAYOUT, "irregularity.ramp_m": 1.0,
}  # fmt: skip
WHEEL = "front left"
STEEL = {"wheelset.front.youngs_modulus_pa": 2.1e11, "wheelset.front.poissons_ratio": 0.3,
         "wheelset.front.density_kg_m3": 7850.0}  # fmt: skip
PLASTIC = {"youngs_modulus_pa": 6e9, "poissons_ratio": 0.3, "density_kg_m3": 800.0}
HELD = ("speed_kmh", "gain_notch_s_m", "reset_1_s", "max_notch", "max_brake_notch", "notch_rate_1_s", "whole_notches")
HOLDING = {"train.driving": {"mode": "hold_speed", "at": [0.0, 500.0], "speed_kmh": [72.0, 70.0]}}
BRAKING = {"train.driving": {"mode": "by_time", "at": [0.0, 2.0], "notch": [0.0, -5.0], "brake_at": [0.0, 0.01],
                             "brake": [0.0, 0.5]}}  # fmt: skip
CYLINDERS = ["train_stock.toml", "train_couplers.toml", "cylinder.toml"]
PAIRS = {"train.formation": [{"vehicle": "locomotive", "count": 2}, {"vehicle": "four_axle_wagon_empty", "count": 3}],
         "train.place": 4}  # fmt: skip
NAMES = {"roundness": WHEEL, "body": "car_body", "contact.wheels": WHEEL, "contact.rails": "left"}
FITTING = {"run.step_s": 1e-4, "track.elements_per_bay": 2}  # of flexible rails: others are refused
ALONG = [{"at_m": 20.1, "profile": "rail.csv", "file": {"inclined": False}}, {"at_m": 20.8}]
CHECK_RAIL = {"side": "right", "start_m": 19.5, "end_m": 28.0, "flangeway_mm": 36.0, "height_mm": 20.0,
              "edge_radius_mm": 13.0, "flare_length_m": 1.0, "flare_opening_mm": 1.0}  # fmt: skip
CONTEXT = {  # key or section -> what must be set for it to be read, beyond what the declarations of the keys say
    "wheelset": FLEXIBLE, "body": BODY,
    "body.car_body.ignore": {"body.car_body.mesh": "odd_car.inp", "body.car_body.ignore": ["NONSTRUCTURAL MASS"]},
    **{f"body.car_body.{key}": {f"body.car_body.{k}": v for k, v in PLASTIC.items()} for key in PLASTIC},
    "wheelset.front.formulation": {**dict.fromkeys(FLEXIBLE), "wheelset.front.formulation": "rigid"},
    "wheelset.front.youngs_modulus_pa": STEEL, "wheelset.front.poissons_ratio": STEEL,
    "wheelset.front.density_kg_m3": STEEL,
    "run.compare_modes": FLEXIBLE, "wheelset.front.between_sections": {"wheelset.front.mode": "lagrangian"},
    "wheelset.front.modes_up_to_hz": {"wheelset.front.fixed_interface_modes": None,
                                      "wheelset.front.exact_below_hz": None},
    "run.end_position_m": {"run.duration_s": None, "run.end_position_m": 21.0},
    "track.joint_length_m": {"track.layout": [{"kind": "straight", "length_m": 21.0}, {"kind": "arc", "length_m": 90.0,
                             "radius_m": 300.0}]},
    "track.layout.0": {"track.layout": STRAIGHT},
    "track.layout.0.radius_m": {"track.layout": ARC}, "track.layout.0.cant_mm": {"track.layout": ARC},
    "track.foundation.mesh_unit": {"track.foundation.mesh": BED},
    "irregularity.file": {"irregularity.spectrum": None},
    "wheelset.front.ignore": {"wheelset.front.mesh": "odd.inp", "wheelset.front.ignore": ["NONSTRUCTURAL MASS"]},
    "wheelset.front.control_node_tolerance_mm": {"wheelset.front.control_nodes": [[0.0, 0.3, 0.1]],
                                                 "wheelset.front.control_node_tolerance_mm": 1000.0},
    "contact.wheel_file": {"contact.wheel_profile": "wheel.csv"},
    "contact.rail_file": {"contact.rail_profile": "rail.csv", "contact.rail_file.inclined": False},
    "contact.rail_file.inclined": {"accept": ["rail_inclination"]},
    "contact.polach_tangential.k_adhesion": {"contact.polach_tangential.k_slip": 0.5},
    "contact.regional_friction.decay_s_m": {"contact.regional_friction.limit_ratio": 0.5},
    "contact.friction_file": {"contact.friction": None, "contact.friction_file": "wet.csv"},
    "contact.table_friction": {"contact.friction": None, "contact.friction_file": "wet.csv"},
    "contact.wheels": {f"contact.wheels.{WHEEL}.profile": "wheel.csv"},
    "contact.rails": {"contact.rails.left.profile": "rail.csv", "contact.rails.left.inclined": False,
                      "accept": ["rail_inclination"]},
    "track.check_rail.0": {"track.check_rail": [CHECK_RAIL]},
    "contact.along.0": {"contact.along": ALONG, "accept": ["rail_inclination"]},
    "contact.along.0.shift_y_mm": {"contact.along": [{"at_m": 20.1, "profile": "rail.csv", "datum": "file",
                                                      "shift_y_mm": 36.0}]},
    "train.formation.0.cylinder": {"train.parts": CYLINDERS} | BRAKING,
    "train.formation.0.vehicle": {"train.driving": {"mode": "by_time", "at": [0.0, 60.0], "notch": [0.0, 0.0]}},
    "train.formation.0.channel": {"train.driving": {"mode": "by_time", "file": "channels.csv"},
                                  "train.formation": [{"vehicle": "locomotive"}, {"vehicle": "locomotive",
                                  "channel": 1}, {"vehicle": "four_axle_wagon_empty", "count": 2}]},
    "run.unconverged_share_max": {"run.contact_iterations_max": 1},
    f"roundness.{WHEEL}.orders.0": {f"roundness.{WHEEL}.orders": [{"order": 6, "amplitude_mm": 0.01}]},
    f"roundness.{WHEEL}.flats.0": {f"roundness.{WHEEL}.flats": [{"length_mm": 40.0}]},
    "train": {"vehicle.file": "freight_wagon", "track.layout": [{"kind": "straight", "length_m": 100.0}],
              "track.model": "rigid", "drive.kind": "none", "run.duration_s": 3.0,  # ticks of 1 s, slack of couplers
              **{f"train.{k}": v for k, v in bases.wagon_in_train()["train"].items()}},
    **{f"train.driving.{key}": HOLDING for key in HELD},
    "train.driving.air_brake_above_kmh": {"train.driving": HOLDING["train.driving"] | {"speed_kmh": [67.2, 67.2]}},
    "train.driving.air_brake": {"train.driving": HOLDING["train.driving"] | {"speed_kmh": [60.0, 60.0]}},
    "train.driving.at": BRAKING, "train.driving.notch": BRAKING,
    "train.driving.brake_at": BRAKING, "train.driving.brake": BRAKING,
    "train.formation.0.coupler": PAIRS, "train.formation.0.pair": PAIRS,
    "track.vertical.0": {"track.vertical": [{"position_m": 25.0, "gradient_permille": 10.0, "rounding_m": 20.0}]},
}  # fmt: skip
VALUES = {
    "contact.strips": 9, "run.contact_iterations_max": 2,  # more than the nine of the worst step change nothing
    f"roundness.{WHEEL}.orders": [{"order": 5, "amplitude_mm": 0.02}], f"roundness.{WHEEL}.file": "roundness.csv",
    f"roundness.{WHEEL}.flats": [{"length_mm": 30.0}],
    "track.window_margin_bays": 31, "output.start_s": 0.02,
    "run.unconverged_share_max": 1.0, "wheelset.front.exact_below_hz": 600.0, "drive.force_max_kn": 1e-3,
    "train.formation.0.cylinder": "slow", "train.formation.0.channel": 1, "wheelset.front.ignore": [],
    "wheelset.front.control_node_tolerance_mm": 1e-3,
    "output.variables": ["wheel_force", "patch_*"], "output.also": ["elements"],
    "run.title": "another", "run.compare_modes": ["lagrangian"], "run.end_position_m": 21.5, "run.output_step_s": 2e-3,
    "run.speed_profile_s_kmh": [[0.05, 71.9]],
    "run.step_s": 1e-4, "vehicle.file": "manchester_v1", "track.rail": "r65", "track.foundation.mesh": BED,
    "track.layout": [{"kind": "straight", "length_m": 100.0}], "track.layout.0.kind": "transition",
    "track.layout.0.radius_m": 200.0, "track.layout.0.cant_mm": 30.0,
    "track.check_rail": [CHECK_RAIL], "track.check_rail.0.stiffness_n_m": 1e7, "track.check_rail.0.end_m": 21.6,
    "track.vertical": [{"position_m": 25.0, "gradient_permille": 10.0}],
    "irregularity.file": "irregularity.csv", "irregularity.roughness": "average_network",
    f"contact.wheels.{WHEEL}.profile": "S1002", "contact.rails.left.profile": "UIC60",
    "contact.friction_file": "dry.csv", "contact.along": ALONG, "contact.along.0.profile": "UIC60",
    "contact.along.0.at_m": 20.2, "contact.along.0.shift_y_mm": 36.5, "contact.along.0.inclination": 0.05,
    "contact.wheel_profile": "wheel.csv", "contact.rail_profile": "UIC60", "contact.gauge_mm": 1437.0,
    "body.car_body.mesh": "light_car.inp", "body.car_body.ignore": [], "body.car_body.attachment_reach_mm": 50.0,
    "body.car_body.attachments": {"front": "PIVOT_FRONT", "rear": "SECONDARY_REAR_LEFT"},
    "body.car_body.control_nodes": [{"name": "seat", "position_m": [0.0, 0.64, 1.25]}],
    "body.car_body.matrices": "car.nc",
    "wheelset.front.mesh": "light.inp", "wheelset.front.axle_axis": "x",
    "wheelset.front.press_fits": [{"pair": "SEAT", "interference_mm": 0.1}],
    "wheelset.front.interface_sets": ["ENDFACE_LEFT", "ENDFACE_RIGHT"], "wheelset.front.density_kg_m3": 7800.0,
    "wheelset.front.tread_sets": ["WEB_OUTER_LEFT", "WEB_OUTER_RIGHT"], "wheelset.front.control_nodes": ["tread_left"],
    "assumed": {"contact.friction": "a guess"},
    "track.fastener.vertical.law_mm_kn": [[-1.0, -200.0], [0.0, 0.0], [1.0, 300.0]],
    "track.fastener.lateral.law_mm_kn": [[-1.0, -40.0], [0.0, 0.0], [1.0, 60.0]],
    "track.foundation.vertical.law_mm_kn": [[-1.0, 0.0], [0.0, 0.0], [1.0, 60.0]],
    "track.foundation.lateral.law_mm_kn": [[-1.0, -40.0], [0.0, 0.0], [1.0, 60.0]],
    "track.support": "support.toml", "train.coupler": "sa3", "train.formation.0.vehicle": "ore_wagon",
    "train.formation": [{"vehicle": "locomotive", "count": 2}, {"vehicle": "four_axle_wagon_empty", "count": 3}],
    "train.formation.0.coupler": "sa3", "train.formation.0.pair": "rigid_bar", "train.driving.file": "driving.csv",
    "train.driving.at": [0.0, 0.05], "train.driving.notch": [0.0, -8.0], "train.driving.speed_kmh": [60.0, 50.0],
    "train.driving.brake_at": [0.0, 0.02], "train.driving.brake": [0.0, 0.9], "train.place": 2,
    "train.parts": ["train_couplers.toml", "stock.toml"], "train.forces": "prescribed",
}  # fmt: skip
TOGETHER = {
    "body.car_body.matrices": {"body.car_body.mesh": None, "body.car_body.attachments": None},
    "wheelset.front.formulation": FLEXIBLE,
    "contact.rails.left.profile": {"contact.rails.left.inclined": None},
    "contact.along.0.profile": {"contact.along.0.file": None},
    "contact.along.0.datum": {"contact.along.0.file": None, "contact.along.0.shift_y_mm": 36.0},
    "train.formation.0.channel": {"train.formation.1.channel": 0},
    "train.formation": {"train.place": 4},
    "train.driving.file": {"train.driving.at": None, "train.driving.notch": None},
    "irregularity.file": {"irregularity.spectrum": None},
}  # what must be set together with a key's other value
NO_RESULT = {  # key -> why a change of it cannot change a result; each is shown otherwise
    "accept": "turns an error into a warning; tests of disagreements",
    "kind": "says what a file is of; another one has other keys",
    "run.checkpoint_s": "when a run keeps what it goes on from; tests of --resume",
}


def keys_of(model, prefix=""):
    """(dotted key, annotation, default) of every key of a model; `front` and `0` stand for names and numbers."""
    for name, field in model.model_fields.items():
        kind, key = _section(field.annotation), f"{prefix}{name}"
        many = get_origin(field.annotation) in (tuple, dict, list)
        if kind is None or key.endswith(("control_nodes", "press_fits", "attachments")):
            yield key, field.annotation, field.default
        elif get_origin(field.annotation) is dict:
            yield from keys_of(kind, f"{key}.{NAMES.get(key, 'front')}.")
        elif many:
            yield key, field.annotation, field.default
            yield from keys_of(kind, f"{key}.0.")
        else:
            yield from keys_of(kind, f"{key}.")


def _section(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for a in get_args(annotation) if (found := _section(a)) is not None), None)


def _bare(annotation):
    """The type inside Annotated."""
    return annotation.__origin__ if hasattr(annotation, "__metadata__") else annotation


def other_values(key, annotation, now):
    """Values of a key that are not its present one, to be tried in turn."""
    if key in VALUES:
        return [VALUES[key]]
    annotation = _bare(annotation)
    kinds = [annotation, *(_bare(part) for part in get_args(annotation))]
    words = [w for k in kinds if get_origin(k) is Literal for w in get_args(k)]
    if words:
        return [w for w in words if w != now]
    if bool in kinds:
        return [not now]
    whole = int in kinds or any(int in get_args(k) for k in kinds)
    if isinstance(now, int | float) and not isinstance(now, bool):
        return [now + 1, now - 1] if whole and not isinstance(now, float) else [now * 1.25 or 0.5, now * 0.8 or 0.1]
    if NoneType in kinds or now is None:
        return [1e5, 1.0, 0.3]
    return []


def context_of(key, model):
    """Settings under which a key is read: of CONTEXT, and of the declarations along its path."""
    found, parts = {}, key.split(".")
    for depth in range(1, len(parts)):
        found |= CONTEXT.get(".".join(parts[:depth]), {})
    for decides, rule in rules_along(model, parts):
        if not callable(rule.read) and (_get_default(decides) not in rule.read or decides in BASE):
            found[decides] = rule.read[0]
    found |= CONTEXT.get(key, {})
    return (FITTING if found.get("track.model") == "flexible" else {}) | found


def rules_along(model, parts):
    """(deciding key from the top, rule) of a key and of the sections it lies in, as far as the kind has them."""
    section = model
    for depth, part in enumerate(parts):
        if part not in section.model_fields:  # a name or a number
            continue
        for rule in rules_of(section, part):
            own = rule.decides.startswith(".")
            decides = ".".join(parts[:depth]) + rule.decides if own else rule.decides
            if decides.split(".")[0] in model.model_fields:
                yield decides, rule
        section = section_in(section.model_fields[part].annotation) or section


@cache
def _defaults():
    return {key: default for key, _, default in keys_of(VehicleScenario)}


def _get_default(key):
    value = _defaults().get(key)
    return None if repr(value) == "PydanticUndefined" else value


def tree_of(*settings):
    """Tree of keys from dotted settings, later ones over earlier ones; None takes a key out."""
    tree = {}
    for key, value in itertools.chain.from_iterable(s.items() for s in settings):
        table, parts = tree, key.split(".")
        for part in parts[:-1]:
            table = table[int(part)] if isinstance(table, list) else table.setdefault(part, {})
        value = copy.deepcopy(value)
        if isinstance(table, list):
            table[int(parts[-1])] = value
        elif value is None:
            table.pop(parts[-1], None)
        else:
            table[parts[-1]] = value
    return tree


def now_of(tree, key, default):
    """Present value of a key in a tree."""
    value = tree
    for part in key.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError):
            return default
    return value


@dataclass
class Step:
    """What changing a key did."""

    key: str
    beside: str  # settings it was read beside
    before: object
    after: object
    changed: tuple  # names of what changed, empty for nothing
    refused: str = ""  # the line that refused the change


def walk(answer, folder, keys=None, model=VehicleScenario, base=BASE, wanted=lambda key: True):
    """Steps of every key: `answer(path of a scenario file)` gives a flat table."""
    answers = {}

    def asked(tree):
        text = toml(tree)
        if text not in answers:
            path = folder / "s.toml"
            path.write_text(text, encoding="utf-8")
            answers[text] = answer(path)
        return answers[text]

    for key, annotation, default in keys or keys_of(model):
        if key in NO_RESULT or not wanted(key):
            continue
        beside = context_of(key, model)
        tree = tree_of(base, beside)
        before = now_of(tree, key, None if repr(default) == "PydanticUndefined" else default)
        step = Step(key, ", ".join(f"{k} = {v}" for k, v in beside.items() if k in SHOWN), before, None, ())
        for value in other_values(key, annotation, before):
            step.after = value
            try:
                first = asked(tree)
            except FlexwheelError as error:
                raise AssertionError(f"{key}: the case of the walk itself is refused: {error}") from None
            try:
                second = asked(tree_of(base, beside, {key: value}, TOGETHER.get(key, {})))
            except FlexwheelError as error:
                step.refused = str(error)
                continue
            step.changed = tuple(differences(first, second))
            if step.changed:
                break
        yield step


ALL_KEYS = [key.split(".") for key, _, _ in keys_of(VehicleScenario)]
SHOWN = {decides for key in ALL_KEYS for decides, _ in rules_along(VehicleScenario, key)}
TIMES = (
    "loop_seconds", "seconds_per_simulated_second", "scenario", "scenario_text", "date_created", "history", "versions",
    "scenario_digest",
)  # fmt: skip


def side_files(folder):
    """Files that values of VALUES name."""
    angles = "\n".join(f"{k},{0.01 * (k % 4)}" for k in range(0, 360, 9))
    (folder / "roundness.csv").write_text(f"angle_deg,deviation_mm\n{angles}\n", encoding="utf-8")
    (folder / "irregularity.csv").write_text(bases.irregularity_csv(), encoding="utf-8")
    wheel = (bases.TRACK / "profiles" / "S1002.csv").read_text(encoding="utf-8").splitlines()
    moved = [f"{float(y) + 0.5:.7f},{z}" for y, z in (line.split(",") for line in wheel[2:] if line)]
    (folder / "wheel.csv").write_text("\n".join(["y_mm,z_mm", *moved]), encoding="utf-8")
    support = bases.tree(bases.TRACK / "flexible" / "ballasted.toml")
    support["fastener"]["vertical"]["stiffness"]["value"] = 1e8
    (folder / "support.toml").write_text(toml(support), encoding="utf-8")
    stock = bases.unlabelled(bases.tree(bases.VEHICLES / "train_stock.toml"))
    stock["vehicle"]["locomotive"]["mass_t"] = 150.0
    text = (bases.MESHES / "wheelset_coarse.inp").read_text(encoding="utf-8").replace("7850,", "7800,")
    rail = (bases.TRACK / "profiles" / "60E1.csv").read_text(encoding="utf-8").splitlines()
    points = [[float(v) for v in line.split(",")] for line in rail[2:] if line]
    worn = [f"{y:.7f},{z + 2e-6 * y**3:.7f}" for y, z in points]  # no mirror image of itself
    (folder / "rail.csv").write_text("\n".join(["y_mm,z_mm", *worn, ""]), encoding="utf-8")
    cylinder = {"cylinder": {"slow": {"fill_s": 25.0, "release_s": 50.0}}}
    (folder / "cylinder.toml").write_text(toml(cylinder), encoding="utf-8")
    (folder / "channels.csv").write_text("time_s,notch_0,notch_1\n0,0,0\n0.01,-8,-2\n60,-8,-2\n", encoding="utf-8")
    (folder / "light.inp").write_text(text, encoding="utf-8")
    odd = text + "*NONSTRUCTURAL MASS, ELSET=SOLID_STEEL, UNITS=TOTAL MASS\n10.,\n"
    (folder / "odd.inp").write_text(odd, encoding="utf-8")
    car = (bases.MESHES / "car_body.inp").read_text(encoding="utf-8")
    (folder / "light_car.inp").write_text(car.replace("477.5,", "450.,"), encoding="utf-8")
    write_matrices(folder / "car.nc", small_body())
    odd = car + "*NONSTRUCTURAL MASS, ELSET=SOLID_WALLS, UNITS=TOTAL MASS\n10.,\n"
    (folder / "odd_car.inp").write_text(odd, encoding="utf-8")
    (folder / "driving.csv").write_text("time_s,notch\n0,0\n0.01,-8\n60,-8\n", encoding="utf-8")
    (folder / "stock.toml").write_text(toml(stock), encoding="utf-8")


class _NoSteps:
    """Outcome of a time loop that took no step."""

    complete, message = True, ""

    def __init__(self, records):
        self.records = records

    def __getattr__(self, name):
        return 0


def given_to_the_loop(path):
    """Flat table of everything the time loop is given by a scenario, and of the attributes of its results."""
    from flexwheel.run import simulation as runs
    from flexwheel.run.build.build_simulation import assemble_simulation
    from flexwheel.run.keys.reader import read_scenario
    from flexwheel.run.reduced_bodies import reduction_options
    from flexwheel.run.run_vehicle import _modes
    from flexwheel.vehicle.step.simulate_record import make_sampling, source_arrays, unpacked

    scenario = read_scenario(path)
    flexible = {n: s for n, s in scenario.wheelset.items() if s.formulation == "flexible"}
    found = {name: (reduction_options(s), _mesh(name, s)) for name, s in flexible.items()}
    simulation = assemble_simulation(scenario, {name: _coarse_body() for name in flexible})
    given = {}

    def loop(model, assembly, *state, coupled=None, **hooks):
        *state, settings = state
        given.update(model=model, state=state, settings=vars(settings), coupled=coupled and coupled.moving)
        arrays = source_arrays(state[0], state[3], coupled, settings.watch)
        return _NoSteps(unpacked(arrays, make_sampling(arrays, 1, 1, 0).rows))

    real, runs.simulate = runs.simulate, loop
    try:
        results = runs.execute(simulation)
    finally:
        runs.simulate = real
    attributes = {name: value for name, value in results.attrs.items() if name not in TIMES}
    further = [mode for mode, _ in _modes(scenario, flexible, ".")]
    return flat({"loop": given, "attributes": attributes, "reduction": found, "modes": further})


def results_of_run(path):
    """Flat table of the results of a scenario that is run."""
    from flexwheel.run.keys.reader import read_scenario
    from flexwheel.run.run_vehicle import _modes
    from flexwheel.run.simulation import run_scenario

    scenario = read_scenario(path)
    results = run_scenario(scenario)
    flexible = [n for n, s in scenario.wheelset.items() if s.formulation == "flexible"]
    attributes = {name: value for name, value in results.attrs.items() if name not in TIMES}
    coordinates = {name: variable.values for name, variable in results.variables.items()}
    return flat({**coordinates, "attributes": attributes, "modes": [m for m, _ in _modes(scenario, flexible, ".")]})


@cache
def _coarse_body():
    from flexwheel.run.keys.reader import parse_scenario
    from flexwheel.run.reduced_bodies import flexible_wheelsets

    return flexible_wheelsets(parse_scenario(toml(tree_of(BASE, FLEXIBLE))))["front"].body


@cache
def _mesh_of(mesh, mesh_unit, axle_axis, ignore, *material):
    from flexwheel.run.keys.vehicle_keys import WheelsetSection
    from flexwheel.run.wheelset_mesh import wheelset_mesh

    names = ("youngs_modulus_pa", "poissons_ratio", "density_kg_m3")
    given = dict(mesh=mesh, mesh_unit=mesh_unit, axle_axis=axle_axis, ignore=ignore)
    section = WheelsetSection(formulation="flexible", **given, **dict(zip(names, material, strict=True)))
    made, _ = wheelset_mesh("front", section)
    return made.nodes, made.materials


def _mesh(name, s):
    return _mesh_of(s.mesh, s.mesh_unit, s.axle_axis, s.ignore, s.youngs_modulus_pa, s.poissons_ratio, s.density_kg_m3)
