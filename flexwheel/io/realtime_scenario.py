"""Real-time scenarios: a TOML file with `kind = "realtime"` in, a locomotive on its track out."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

from flexwheel.errors import ScenarioError
from flexwheel.io.paths import PACKAGE_FOLDER
from flexwheel.realtime.rail_curves import rail_curves
from flexwheel.realtime.simulator import ContactLaw, Profiles, RealtimeLocomotive
from flexwheel.vehicles.profile_pieces import read_profile_pieces

VEHICLES = PACKAGE_FOLDER / "vehicles"
LONGEST_STEP = 0.02  # [s]; bogies pitch and bounce at some 10 Hz
KEYS = {
    "vehicle": {"file": "feve3000.toml", "profiles": "", "values": {}},
    "track": {
        "end_m": 1000.0, "shift_m": 0.0, "transition_start_m": 0.0, "transition_length_m": 1.0,
        "transition_form": "quintic",
        "amplitude_mm": 0.0, "wavelength_m": 10.0, "phase_right_deg": 0.0, "irregularity_start_m": -1e9,
        "irregularity_ramp_m": 1e-3, "inclination": 0.0, "tilt_with_cross_level": False, "knot_spacing_m": 0.25,
    },
    "run": {
        "duration_s": 10.0, "time_step_s": 1e-3, "speed_kmh": 60.0, "start_m": 0.0, "lateral_offset_mm": 0.0,
        "body_height_m": 0.7443, "motor_torque_Nm": 0.0, "brake_torque_Nm": 0.0, "record_every": 10,
    },
    "contact": {
        "shear_modulus": "right", "friction": 0.0, "method": "imex", "tolerance": 1e-6,
        "flange_stiffness": 0.0, "flange_damping": 0.0, "flange_clearance_mm": 5.0,
        "solution": "sparse",
    },
}  # fmt: skip


@dataclass(frozen=True)
class RealtimeScenario:
    """Checked keys of a real-time scenario.

    Attributes
    ----------
    title, text, path                        of the file
    vehicle, track, run, contact : dict      sections, defaults filled in
    values : dict                            parameter values of the vehicle
    assumed : tuple of str                   what is a stand-in, not data
    motored : (bool, bool)
    """

    title: str
    text: str
    path: Path
    vehicle: dict
    track: dict
    run: dict
    contact: dict
    values: dict
    assumed: tuple
    motored: tuple


def is_realtime_scenario(path):
    """Whether a file is a TOML scenario with `kind = "realtime"`; False for anything unreadable."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8")).get("kind") == "realtime"
    except (OSError, ValueError):
        return False


def read_realtime_scenario(path, overrides=()):
    """Read and check a scenario.

    Parameters
    ----------
    path : str or Path
    overrides : list of str      section.key=value, TOML values

    Raises
    ------
    ScenarioError                naming file and key
    """
    path = Path(path)
    document, text = _toml(path)
    for item in overrides:
        _override(document, item)
    reasons = document.pop("assumed", {})
    if not isinstance(reasons, dict) or not all(isinstance(reason, str) for reason in reasons.values()):
        raise ScenarioError(f"{path}: [assumed] is {reasons!r}, expected keys of this file with their reasons")
    unknown = set(document) - {"kind", "title", *KEYS}
    if unknown:
        raise ScenarioError(
            f"{path}: unknown key {sorted(unknown)[0]!r}, expected one of title, assumed, {', '.join(KEYS)}"
        )
    sections = {name: _section(path, name, document.get(name, {}), defaults) for name, defaults in KEYS.items()}
    file = _find(path, sections["vehicle"]["file"])
    vehicle, _ = _toml(file)
    entries = vehicle.get("values", {})
    values, assumed = {}, []
    for name, entry in entries.items():
        values[name] = _number(file, name, entry.get("value") if isinstance(entry, dict) else entry)
        if isinstance(entry, dict) and entry.get("confidence") == "assumed":
            assumed.append(f"{name} = {entry['value']!r} {entry.get('unit', '')}: {entry.get('note', '')}")
    for name, value in sections["vehicle"]["values"].items():
        if name not in values:
            raise ScenarioError(f"{path}: vehicle.values: no parameter {name!r} in {file.name}")
        values[name] = _number(path, name, value)
        assumed.append(f"{name} = {value!r}: set by the scenario")
    profiles = sections["vehicle"]["profiles"] or vehicle.get("profiles", "")
    sections["vehicle"]["profiles"] = str(_find(path, profiles))
    if profiles != vehicle.get("profiles", ""):
        assumed.append(f"profiles {profiles}: in place of the vehicle's own")
    assumed += [f"{key}: {reason}" for key, reason in reasons.items()]
    motored = vehicle.get("motored", {"front": False, "rear": True})
    run = sections["run"]
    for key in ("duration_s", "time_step_s"):
        if not run[key] > 0.0:
            raise ScenarioError(f"{path}: run.{key} = {run[key]!r}, expected more than 0")
    if run["time_step_s"] > LONGEST_STEP:
        raise ScenarioError(f"{path}: run.time_step_s = {run['time_step_s']!r}, expected at most {LONGEST_STEP:g}")
    return RealtimeScenario(
        title=str(document.get("title", path.stem)), text=text, path=path, values=values, assumed=tuple(assumed),
        motored=(bool(motored["front"]), bool(motored["rear"])), **sections,
    )  # fmt: skip


def build_locomotive_run(scenario, generated=None):
    """Locomotive of a scenario on its track, placed and with its torques set."""
    values, track, run, contact = scenario.values, scenario.track, scenario.run, scenario.contact
    curves = read_profile_pieces(scenario.vehicle["profiles"])
    missing = {"wheel_left", "wheel_right", "rail"} - set(curves)
    if missing:
        raise ScenarioError(f"{scenario.vehicle['profiles']}: curve {sorted(missing)[0]!r} is missing")
    rail_height = float(curves["rail"](0.0))
    rails = rail_curves(
        start=run["start_m"] - 30.0,
        end=track["end_m"],
        half_spacing=0.5 * values["geometry.rail_reference_spacing"],
        shift=track["shift_m"],
        transition_start=track["transition_start_m"],
        transition_length=track["transition_length_m"],
        transition_form=track["transition_form"],
        amplitude=1e-3 * track["amplitude_mm"],
        wavelength=track["wavelength_m"],
        phase_right=math.radians(track["phase_right_deg"]),
        irregularity_start=track["irregularity_start_m"],
        ramp=track["irregularity_ramp_m"],
        camber=track["inclination"],
        rail_height=rail_height,
        tilt_with_cross_level=track["tilt_with_cross_level"],
        spacing=track["knot_spacing_m"],
    )
    law = ContactLaw(
        values["contact.E"], values["contact.nu"], contact["shear_modulus"], contact["friction"], contact["method"],
        contact["tolerance"], contact["flange_stiffness"], contact["flange_damping"],
        1e-3 * contact["flange_clearance_mm"], contact["solution"],
    )  # fmt: skip
    profiles = Profiles(curves["wheel_left"], curves["wheel_right"], curves["rail"], curves["rail"])
    locomotive = RealtimeLocomotive(values, profiles, rails, law, run["time_step_s"], scenario.motored, generated)
    place_at_start(locomotive, scenario)
    return locomotive


def place_at_start(locomotive, scenario):
    """Put the locomotive at the scenario's start with its torques."""
    run = scenario.run
    speed = run["speed_kmh"] / 3.6
    locomotive.place(run["start_m"], 1e-3 * run["lateral_offset_mm"], speed, run["body_height_m"])
    locomotive.set_motor_torque(run["motor_torque_Nm"])
    locomotive.set_brake_torque(run["brake_torque_Nm"])


def _toml(path):
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read ({error}); expected a TOML file") from None
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path}: not TOML: {error}") from None


def _override(document, item):
    key, _, value = item.partition("=")
    section, _, name = key.strip().partition(".")
    if not name:
        raise ScenarioError(f"--set {item!r}, expected section.key=value")
    try:
        parsed = tomllib.loads(f"x = {value}")["x"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    document.setdefault(section, {})[name] = parsed


def _section(path, name, given, defaults):
    if not isinstance(given, dict):
        raise ScenarioError(f"{path}: [{name}] is {given!r}, expected a table")
    for key, value in given.items():
        if key not in defaults:
            raise ScenarioError(f"{path}: unknown key {name}.{key}, expected one of {', '.join(defaults)}")
        expected = defaults[key]
        if isinstance(expected, float) and not isinstance(value, bool) and isinstance(value, int | float):
            _number(path, f"{name}.{key}", value)
        elif not isinstance(value, type(expected)) or (isinstance(value, bool) != isinstance(expected, bool)):
            raise ScenarioError(f"{path}: {name}.{key} = {value!r}, expected a value like {expected!r}")
    return {**defaults, **given}


def _number(path, key, value):
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ScenarioError(f"{path}: {key} = {value!r}, expected a finite number")
    return float(value)


def _find(path, name):
    for folder in (path.parent, VEHICLES):
        if name and (folder / name).is_file():
            return folder / name
    raise ScenarioError(f"{path}: file {name!r} not found beside it nor in {VEHICLES}")
