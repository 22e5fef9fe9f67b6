"""Parameters of the unit of a vehicle: numbers of the scenario and of the vehicle's file that are set before the run.

A parameter has the name of its key; of a list of three numbers each has `.x`, `.y` or `.z` behind it, of the points of
the speed profile, of which the unit has as many as the scenario, `.1.s` and `.1.kmh`. What decides
where something is (keys in metres) or how a mesh is reduced is set at the export.
"""

from dataclasses import dataclass

from flexwheel.run.keys.idle_keys import idle_keys
from flexwheel.run.keys.section import unit_of
from flexwheel.run.keys.toml_text import toml_value
from flexwheel.studies.fmi.model_description import UnitVariable
from flexwheel.vehicle.vehicle_file import LARGEST, LEAST, read_vehicle

OF_SCENARIO = (
    ("run", "speed_kmh"), ("contact", "friction"), ("drive", "gain_ns_m"), ("drive", "integral_gain_n_m"),
    ("drive", "force_max_kn"),
)  # fmt: skip
"""Section and key of the scenario's parameters."""
PROFILE, OF_POINT = "run.speed_profile_s_kmh", (("s", "s", "time", LARGEST), ("kmh", "km/h", "speed", 500.0))
"""Key of the speed profile; name, unit, meaning and largest value of the numbers of a point."""
BOUNDS = ("ge", "gt", "le")
"""Rules of a key of the scenario that are bounds of its number."""
ENDS = {
    "kg": "kg", "kg_m2": "kg m2", "n_per_m": "N/m", "n_s_per_m": "N s/m", "n_m_per_rad": "N m/rad",
    "n_m_s_per_rad": "N m s/rad", "n": "N",
}  # fmt: skip
"""End of a key of the vehicle's file -> unit."""


@dataclass(frozen=True)
class VehicleParameter:
    """One number behind a key."""

    key: str  # of source_of_run, such as "contact.friction", "vehicle.axle_box.mass_kg"
    place: int | None  # in the list that stands there
    variable: UnitVariable


def vehicle_parameters(scenario):
    """List of VehicleParameter of a scenario of kind vehicle."""
    found = [p for section, key in OF_SCENARIO if (p := _of_scenario(scenario, section, key))]
    found += _of_profile(scenario.run.speed_profile_s_kmh)
    vehicle = read_vehicle(scenario.vehicle.file)
    flexible = {name for name, part in scenario.wheelset.items() if part.formulation == "flexible"}
    groups = {f"bodies.{name}": table for name, table in vehicle.bodies.items()}
    groups |= {f"wheelsets.{name}": table for name, table in vehicle.wheelsets.items() if name not in flexible}
    groups |= {"axle_box": vehicle.axle_box or {}}
    groups |= {f"elements.{name}": table for name, table in vehicle.elements.items()}
    for group, table in groups.items():
        for key, value in table.items():
            found += _of_vehicle(f"vehicle.{group}.{key}", value)
    return found


def overrides(parameters, values):
    """ "key=value" of every key that a parameter whose value is not its start belongs to."""
    changed = {p.key for p, value in zip(parameters, values, strict=True) if value != p.variable.start}
    texts = []
    for key in sorted(changed):
        numbers = [float(value) for p, value in zip(parameters, values, strict=True) if p.key == key]
        alone = next(p for p in parameters if p.key == key).place is None
        value = [numbers[k : k + 2] for k in range(0, len(numbers), 2)] if key == PROFILE else numbers
        texts.append(f"{key}={toml_value(numbers[0] if alone else value)}")
    return texts


def _of_profile(points):
    """Parameters of the points of the speed profile, time and speed of each."""
    found = []
    for k, point in enumerate(points):
        for i, (name, unit, what, most) in enumerate(OF_POINT):
            meaning = f"{what} of point {k + 1} of the speed profile"
            variable = UnitVariable(f"{PROFILE}.{k + 1}.{name}", "parameter", unit, meaning, point[i], 0.0, most)
            found.append(VehicleParameter(PROFILE, 2 * k + i, variable))
    return found


def _of_scenario(scenario, section, key):
    """Parameter of a key, in the range that is declared for it; None where it is not read."""
    keys = getattr(scenario, section)
    value = getattr(keys, key)
    if (section, key) in {path for path, *_ in idle_keys(scenario, given=False)} or not isinstance(value, float):
        return None
    declared = type(keys).model_fields[key]
    bounds = {word: getattr(rule, word, None) for rule in declared.metadata for word in BOUNDS if hasattr(rule, word)}
    least, most = bounds.get("ge", bounds.get("gt", 0.0)), bounds.get("le", LARGEST)
    name = f"{section}.{key}"
    return VehicleParameter(
        name, None, UnitVariable(name, "parameter", unit_of(key) or "-", declared.description, value, least, most)
    )


def _of_vehicle(key, value):
    """Parameters of a key of the vehicle's file: one, three or none."""
    words = key.rpartition(".")[2]
    end = max((end for end in ENDS if words.endswith(f"_{end}")), key=len, default="")
    numbers = value if isinstance(value, list) else [value]
    plain = all(isinstance(x, int | float) and not isinstance(x, bool) for x in numbers)
    if not end or not plain or len(numbers) not in (1, 3):
        return []
    unit = ENDS[end]
    least = LEAST if unit.startswith("kg") else -LARGEST if words.startswith("preload") else 0.0
    made = []
    for k, number in enumerate(numbers):
        name = f"{key}.{'xyz'[k]}" if isinstance(value, list) else key
        meaning = f"{words.removesuffix(f'_{end}').replace('_', ' ')} of {key.split('.')[-2].replace('_', ' ')}"
        variable = UnitVariable(name, "parameter", unit, meaning, float(number), min(least, float(number)), LARGEST)
        made.append(VehicleParameter(key, k if isinstance(value, list) else None, variable))
    return made
