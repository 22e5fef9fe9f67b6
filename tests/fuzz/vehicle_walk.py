"""Every key of a vehicle file changed by itself, in a vehicle that has them all."""

from __future__ import annotations

import copy

from flexwheel.base.errors import FlexwheelError
from flexwheel.vehicle.elements.kinds import FORCE_ELEMENTS
from flexwheel.vehicle.vehicle_file import BODY_KEYS, BOX_KEYS, GROUP_KEYS, TOP_KEYS, WHEEL_KEYS, WHEELSET_KEYS

from .flat import differences
from .mutate import at, toml
from .walk import BASE, Step, tree_of

SCENARIO = {**BASE, "run.speed_kmh": 20.0, "vehicle.file": "v.toml", "track.model": "rigid",
            "drive.kind": "axle_torque"}  # fmt: skip
STRAIGHT = {"track.layout": [{"kind": "straight", "length_m": 100.0}], "irregularity.ramp_m": None,
            "irregularity.spectrum": "none", "irregularity.roughness": "none"}  # fmt: skip


def _body(mass, place):
    return {"mass_kg": mass, "roll_inertia_kg_m2": 1.1 * mass, "pitch_inertia_kg_m2": 8.0 * mass,
            "yaw_inertia_kg_m2": 8.2 * mass, "position_m": place}  # fmt: skip


def _wheelset(place, driven):
    return {"position_m": place, "mass_kg": 1100.0, "roll_inertia_kg_m2": 600.0, "spin_inertia_kg_m2": 95.0,
            "journal_y_m": 1.0, "driven": driven, "frame": "bogie"}  # fmt: skip


ON_BOX = {"point_a_m": [0.05, 0.02, -0.05], "point_b_m": [0.05, -0.03, 0.3]}
BETWEEN = {"body_a": "bogie", "other_body": "car_body", "point_a_m": [0.3, 0.9, 0.2], "point_b_m": [0.35, 0.8, 0.7]}
VEHICLE = {
    "name": "walk", "source": "made up", "kind": "coach",
    "wheel": {"radius_m": 0.46, "flange_back_m": 1.36},
    "bodies": {"car_body": _body(30000.0, [-1.25, 0.0, 1.8]), "bogie": _body(3000.0, [-1.25, 0.0, 0.6])},
    "wheelsets": {"front": _wheelset(0.0, True), "rear": _wheelset(-2.5, False)},
    "axle_box": {"mass_kg": 90.0, "roll_inertia_kg_m2": 2.0, "pitch_inertia_kg_m2": 5.0, "yaw_inertia_kg_m2": 5.5,
                 "centre_m": [0.0, 0.01, 0.02], "revolute": True},
    "elements": {
        "primary": {
            "kind": "spring", "other_body": "frame", **ON_BOX, "wheelsets": ["front", "rear"], "x_m": [0.2, -0.15],
            "mirror_x": True, "axes_of": "b", "sides": "both", "static_share": ["car_body", "bogie"],
            "stiffness_n_per_m": [4e6, 3e6, 1e6], "damping_n_s_per_m": [3e3, 2e3, 9e3],
            "rotational_stiffness_n_m_per_rad": [1e4, 2e4, 3e4], "rotational_damping_n_m_s_per_rad": [1e2, 2e2, 3e2],
        },
        "tables": {
            "kind": "spring", "other_body": "frame", **ON_BOX, "preload_n": [100.0, 200.0, 300.0],
            "force_table_x": {"displacement_m": [-0.01, 0.0, 0.01], "force_n": [-2e3, 0.0, 3e3]},
            "force_table_y": {"displacement_m": [-0.01, 0.0, 0.01], "force_n": [-2e3, 0.0, 3e3]},
            "force_table_z": {"displacement_m": [-0.01, 0.0, 0.01], "force_n": [-2e3, 0.0, 3e3]},
        },
        "secondary": {
            "kind": "coil_spring", **BETWEEN, "static_share": "car_body", "x_m": [1.0, -1.0], "heights": "rail",
            "point_a_m": [0.0, 0.9, 0.7], "point_b_m": [0.0, 0.9, 1.2],
            "stiffness_n_per_m": [2e5, 2e5, 4e5], "damping_n_s_per_m": [1e3, 1e3, 2e3],
            "rotational_stiffness_n_m_per_rad": [1e3, 1e3, 1e3], "rotational_damping_n_m_s_per_rad": [1e2, 1e2, 1e2],
        },
        "bar": {"kind": "anti_roll_bar", "body_a": "bogie", "other_body": "car_body", "axes_of": "b",
                "roll_stiffness_n_m_per_rad": 1e6, "roll_damping_n_m_s_per_rad": 1e3},
        "damper": {"kind": "damper", **BETWEEN, "damping_n_s_per_m": 3e4, "series_stiffness_n_per_m": 4e6,
                   "preload_n": 50.0},
        "blow_off": {"kind": "damper", **BETWEEN,
                     "force_table": {"velocity_m_per_s": [-0.1, 0.0, 0.1], "force_n": [-2e3, 0.0, 3e3]}},
        "friction": {"kind": "friction_damper", "other_body": "frame", **ON_BOX, "friction_force_n": 2e3,
                     "series_stiffness_n_per_m": 3e6, "damping_n_s_per_m": 1e3, "stiffness_n_per_m": 1e4},
        "rod": {"kind": "traction_rod", **BETWEEN, "stiffness_n_per_m": 3e6, "damping_n_s_per_m": 1e4,
                "preload_n": 70.0},
        "rod_table": {"kind": "traction_rod", **BETWEEN,
                      "force_table": {"displacement_m": [-0.01, 0.0, 0.01], "force_n": [-2e4, 0.0, 3e4]}},
        "stop": {"kind": "bump_stop", **BETWEEN, "axis": [0.1, 1.0, 0.05], "clearance_m": 0.0,
                 "stiffness_n_per_m": 1e6, "damping_n_s_per_m": 1e3, "axes_of": "b"},
        "stop_table": {"kind": "bump_stop", **BETWEEN, "axis": [0.0, 0.0, 1.0], "clearance_m": [0.0, 0.001],
                       "force_table": {"displacement_m": [0.0, 0.01], "force_n": [0.0, 5e3]}},
    },
}  # fmt: skip
WORDS = {
    "kind": {"spring": "coil_spring", "coach": "freight_wagon"},
    "other_body": {"frame": "car_body", "car_body": "ground"},
    "axes_of": {"b": "a"}, "sides": {"both": "left"}, "heights": {"rail": "body"}, "frame": {"bogie": "car_body"},
    "static_share": {"car_body": "bogie"}, "body_a": {"bogie": ["bogie", "car_body"]}, "name": {"walk": "other"},
}  # fmt: skip
NO_RESULT = {"source": "where the values come from; kept with the vehicle"}
ONLY_BUILT = {  # changes what is built; a run shows it only in a case of its own
    "wheelsets.front.frame",
    "wheelsets.rear.frame",
}


def vehicle_keys():
    """(path, key with its kind of element) of every leaf of VEHICLE."""
    for path in _leaves(VEHICLE):
        yield path, ".".join(path)


def _leaves(table, where=()):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*where, key))
        else:
            yield (*where, key)


def missing_keys():
    """Keys that the readers of vehicle files know and VEHICLE has not."""
    groups = VEHICLE["elements"].values()
    known = [(TOP_KEYS, VEHICLE), (WHEEL_KEYS, VEHICLE["wheel"]), (BODY_KEYS, VEHICLE["bodies"]["bogie"]),
             (WHEELSET_KEYS, VEHICLE["wheelsets"]["rear"]), (BOX_KEYS, VEHICLE["axle_box"])]  # fmt: skip
    out = {key for keys, table in known for key in set(keys) - set(table)}
    out |= set(GROUP_KEYS) - {key for group in groups for key in group}
    for kind, element in FORCE_ELEMENTS.items():
        have = {key for group in groups if group["kind"] == kind for key in group}
        out |= {f"{kind}.{key}" for key in element.keys - have}
    return out - {"spring.axes_of", "coil_spring.axes_of", "coil_spring.preload_n", *COIL_TABLES}


COIL_TABLES = {f"coil_spring.force_table_{axis}" for axis in "xyz"}  # read by the function that reads a spring's


def changed_value(key, value):
    """Another value of a key."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return WORDS.get(key, {}).get(value)
    if key in ("radius_m", "flange_back_m"):
        return value + 0.002
    if isinstance(value, int | float):
        return 1.25 * value or 0.001
    if key == "wheelsets":
        return value[:1]
    if key == "static_share":
        return value[:1]
    if key in ("displacement_m", "velocity_m_per_s", "force_n"):
        return [1.25 * v for v in value]
    return [1.25 * v or 0.01 for v in value]


def vehicle_steps(answer, folder, wanted=lambda key: True):
    """Steps of the walk through VEHICLE: `answer(path of a scenario)` gives a flat table."""
    (folder / "s.toml").write_text(toml(tree_of(SCENARIO, STRAIGHT)), encoding="utf-8")

    def asked(vehicle):
        (folder / "v.toml").write_text(toml(vehicle), encoding="utf-8")
        return answer(folder / "s.toml")

    first = None
    for path, key in vehicle_keys():
        if path[-1] in NO_RESULT or not wanted(key):
            continue
        vehicle = copy.deepcopy(VEHICLE)
        before = at(vehicle, path)
        after = changed_value(path[-1], before)
        if after is None:
            continue
        at(vehicle, path[:-1])[path[-1]] = after
        first = asked(VEHICLE) if first is None else first
        step = Step(key, "drive.kind = axle_torque", before, after, ())
        try:
            step.changed = tuple(differences(first, asked(vehicle)))
        except FlexwheelError as error:
            step.refused = str(error)
        yield step
