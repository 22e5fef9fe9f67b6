"""A locomotive in the real-time core from a scenario of `kind = "realtime"`: parameters, profiles, track, law."""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from flexwheel.base.errors import ScenarioError, of_place
from flexwheel.base.input_files import LARGEST_TOML, parse_toml, read_text
from flexwheel.run.keys.idle_keys import idle_lines
from flexwheel.run.keys.reader import Places, read_scenario_source, resolved_file, validated
from flexwheel.run.keys.section import VEHICLES, NamesFile, Section
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.systems.locomotive.contact_law import ContactLaw, Profiles
from flexwheel.systems.locomotive.locomotive_parameters import CANCELS, checked_parameters
from flexwheel.systems.locomotive.profile_pieces import read_profile_pieces
from flexwheel.systems.locomotive.rail_curves import DoubleTransition, VerticalWave, rail_curves
from flexwheel.systems.locomotive.realtime_keys import ContactKeys, RealtimeRunKeys, TrackKeys
from flexwheel.systems.locomotive.simulator import RealtimeLocomotive

SHIPPED = VEHICLES / "feve3000.toml"


class Parameter(Section):
    """A parameter of a vehicle file."""

    value: float
    unit: str = ""
    confidence: Literal["published", "derived", "assumed", ""] = ""
    note: str = ""


class Motored(Section):
    """Bogies with motors."""

    front: bool = False
    rear: bool = True


class LocomotiveFile(Section):
    """A vehicle file of the real-time core."""

    name: str = ""
    motored: Motored = Motored()
    profiles: str = ""
    values: dict[str, Parameter | float] = Field({})


@dataclass(frozen=True)
class LocomotiveRun:
    """What a real-time scenario says, with its vehicle's parameters."""

    title: str  # of the file
    text: str
    path: Path
    profiles: Path  # of the curves of wheels and rail
    track: TrackKeys
    run: RealtimeRunKeys
    contact: ContactKeys
    values: dict  # parameter values of the vehicle
    assumed: tuple  # what is a stand-in, not data
    warnings: tuple  # keys that an override made idle
    motored: tuple  # whether the front and the rear bogie are
    units: dict  # of the parameters, "" where the file names none


def read_realtime_scenario(path, overrides=()):
    """LocomotiveRun of a file with `kind = "realtime"`; arguments and errors as `reader.read_scenario`."""
    return locomotive_of(read_scenario_source(path, overrides, ("realtime",)))


def locomotive_of(source):
    """LocomotiveRun of what was read (ScenarioSource)."""
    keys, place = source.scenario, source.places
    vehicle, values, assumed = _vehicle(keys.vehicle, place)
    beside = NamesFile(((VEHICLES / keys.vehicle.file).parent, VEHICLES))
    profiles = keys.vehicle.profiles or resolved_file(vehicle.profiles, beside, place, ("vehicle", "profiles"))
    if profiles != vehicle.profiles and keys.vehicle.profiles:
        assumed.append(f"profiles {profiles}: in place of the vehicle's own")
    assumed += [f"{key}: {reason}" for key, reason in keys.assumed.items()]
    return LocomotiveRun(
        title=keys.title or source.path.stem, text=scenario_toml(keys), path=source.path, track=keys.track,
        run=keys.run,
        contact=keys.contact, profiles=VEHICLES / profiles, values=values, assumed=tuple(assumed),
        warnings=tuple(idle_lines(keys)), motored=(vehicle.motored.front, vehicle.motored.rear),
        units={name: getattr(entry, "unit", "") for name, entry in vehicle.values.items()},
    )  # fmt: skip


def _vehicle(section, place):
    """Vehicle file, parameter values with the scenario's own in place, and which of them are assumed."""
    path = VEHICLES / section.file
    text = read_text(path, "a vehicle in TOML", largest=LARGEST_TOML)
    inside = Places(path, text)
    vehicle = validated(LocomotiveFile, parse_toml(text, path), inside)
    values, assumed = {}, []
    for name, entry in vehicle.values.items():
        plain = isinstance(entry, float)
        values[name] = entry if plain else entry.value
        if not plain and entry.confidence == "assumed":
            assumed.append(f"{name} = {entry.value!r} {entry.unit}: {entry.note}")
    known = set(tomllib.loads(SHIPPED.read_text(encoding="utf-8"))["values"])
    for name in sorted(set(values) - known):
        raise ScenarioError(inside.says(("values", name), f"is not a parameter; {SHIPPED.name} has all there are"))
    for name in sorted(known - set(values) - set(CANCELS)):
        raise ScenarioError(f"{path}: values.{name} must be given, as in {SHIPPED.name}")
    with of_place(path):
        checked_parameters(values)
    for name, value in section.values.items():
        if name not in values:
            raise ScenarioError(
                place.says(("vehicle", "values", name), f"must be a parameter in {path.name}, got {name!r}")
            )
        if name in CANCELS:
            raise ScenarioError(place.says(("vehicle", "values", name), f"has no effect: {CANCELS[name]}"))
        values[name] = value
        assumed.append(f"{name} = {value!r}: set by the scenario")
    with of_place(place.of(("vehicle", "values"))):
        return vehicle, checked_parameters(values), assumed


def build_locomotive_run(scenario, generated=None):
    """Locomotive of a scenario on its track, placed and with its torques set."""
    values, run, contact = scenario.values, scenario.run, scenario.contact
    curves = profile_curves(scenario)
    rails = rails_of(scenario, float(curves["rail"](0.0)))
    law = ContactLaw(
        values["contact.E"], values["contact.nu"], contact.shear_modulus, contact.friction, contact.method,
        contact.tolerance, contact.flange_stiffness_n_m, contact.flange_damping_ns_m,
        1e-3 * contact.flange_clearance_mm,
        contact.solution,
    )  # fmt: skip
    profiles = Profiles(curves["wheel_left"], curves["wheel_right"], curves["rail"], curves["rail"])
    locomotive = RealtimeLocomotive(values, profiles, rails, law, run.step_s, scenario.motored, generated)
    place_at_start(locomotive, scenario)
    return locomotive


def line_of(track):
    """Centre line that the keys of a track give."""
    return DoubleTransition(track.shift_m, track.transition_start_m, track.transition_length_m, track.transition_form)


def wave_of(track):
    """Vertical wave that the keys of a track give."""
    return VerticalWave(
        1e-3 * track.amplitude_mm, track.wavelength_m, math.radians(track.phase_right_deg),
        track.irregularity_start_m, track.irregularity_ramp_m, track.tilt_with_cross_level,
    )  # fmt: skip


def rails_of(scenario, rail_height):
    """RailCurves of a scenario; rail_height: of the crown above the base [m]."""
    track, run = scenario.track, scenario.run
    return rail_curves(
        start=run.start_position_m - 30.0,
        end=track.end_m,
        half_spacing=0.5 * scenario.values["geometry.rail_reference_spacing"],
        line=line_of(track),
        wave=wave_of(track),
        camber=track.inclination,
        rail_height=rail_height,
        spacing=track.knot_spacing_m,
    )


def profile_curves(scenario):
    """Curves of wheels and rail by name, from the file of profiles; one that is missing is refused."""
    curves = read_profile_pieces(scenario.profiles)
    missing = {"wheel_left", "wheel_right", "rail"} - set(curves)
    if missing:
        raise ScenarioError(
            f"{scenario.profiles}: curve {sorted(missing)[0]!r} must be given; it has {', '.join(curves)}"
        )
    return curves


def place_at_start(locomotive, scenario):
    """Put the locomotive at the scenario's start with its torques."""
    run = scenario.run
    speed = run.speed_kmh / 3.6
    locomotive.place(run.start_position_m, 1e-3 * run.lateral_offset_mm, speed, run.body_height_m)
    locomotive.set_motor_torque(run.motor_torque_nm)
    locomotive.set_brake_torque(run.brake_torque_nm)
