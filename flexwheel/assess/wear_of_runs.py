"""Wear of the wheels of a vehicle over kilometres: pieces of a route simulated, what they lose scaled up, fed back."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.assess.wear.accumulate import Samples
from flexwheel.assess.wear.wear_law import WearLaw
from flexwheel.assess.wear.worn_wheel import (
    BINS,
    WheelLoss,
    around_of,
    lateral_places,
    mixed,
    order_growth,
    require_strips,
    smoothed,
    wheel_loss,
    worn_height,
)
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.output_files import file_stem, write_whole
from flexwheel.base.variables import SIDES
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.run.build.build_contact import build_contacts
from flexwheel.run.build.build_roundness import file_deviation
from flexwheel.run.build.vehicle_on_track import vehicle_on_track
from flexwheel.run.keys.contact_keys import OwnWheelSection
from flexwheel.run.keys.roundness_keys import RoundnessSection
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario, settling_time
from flexwheel.track.roundness import turn_angles

VARIABLES = (
    "body_position", "body_velocity", "body_angle", "patch_count", "patch_y_wheel", "patch_normal_force", "patch_xi",
    "patch_eta", "patch_phi", "profile_y", "profile_z", "profile_roll", "profile_yaw",
)  # fmt: skip
"""What of a run its wear is computed from."""
BIN = 2.0 * np.pi / BINS  # [rad]
MIDDLES = BIN * (np.arange(BINS) + 0.5)


@dataclass(frozen=True)
class Piece:
    """Part of a route: its scenario, the share of the way that is like it, results where they are there already."""

    name: str
    scenario: object
    share: float
    results: object = None


@dataclass(frozen=True)
class WearSettings:
    """How wear is fed back."""

    law: WearLaw
    distance: float  # [m] in all
    depth_per_batch: float = 1e-4  # [m] off a profile, after smoothing
    order_per_batch: float = 2e-5  # [m] change of the amplitude of an order of the circumference
    smoothing: float = 1e-3  # [m] standard deviation across the profile
    highest_order: int = 60
    sure: float = 2.0  # orders grow that do so by more than this many standard errors from turn to turn
    profiles: bool = True  # whether profiles are fed back; likewise the circumference
    circumference: bool = True
    batches: int = 100


@dataclass(frozen=True)
class WheelState:
    """A wheel between two batches."""

    profile: Profile
    depth: np.ndarray  # (B,) [m] lost off the radius since the start, smoothed
    around: np.ndarray  # (BINS,) [m] deviation of the radius that has grown since the start, mean zero
    own: np.ndarray  # (BINS,) [m] deviation of a file that was there at the start


@dataclass(frozen=True)
class Batch:
    """A batch: how far it goes, and at what rates each wheel wears in it."""

    distance: float  # [m]
    limit: str  # what ended it
    losses: dict[str, WheelLoss]
    before: dict[str, WheelState]


def contacts_of(scenario):
    """Wheel names, radii [m], contact tables and profiles (2 W) of a vehicle scenario."""
    if scenario.contact.along:
        raise FlexwheelError("contact.along: wear has rails that are the same all along; take it out")
    rigid = {name: part.model_copy(update={"formulation": "rigid"}) for name, part in scenario.wheelset.items()}
    parts = vehicle_on_track(scenario.model_copy(update={"wheelset": rigid, "body": {}}), {})
    wheelsets = parts.assembly.wheelset_specs
    names = [f"{w.name} {side}" for w in wheelsets for side in SIDES]
    tables = build_contacts(scenario.contact, parts.of_wheels)
    require_strips(tables[0])
    return names, np.repeat([w.radius for w in wheelsets], 2), tables, [own.wheel for own in parts.of_wheels]


def piece_losses(results, scenario, law) -> dict[str, WheelLoss]:
    """Loss of every wheel over the whole turns of a run after settling, or over all of that where it makes none.

    Raises
    ------
    ScenarioError    a run that did not store what is needed
    """
    missing = [name for name in VARIABLES if name not in results]
    if missing:
        raise ScenarioError(
            f"no wear: the run has not stored {missing[0]}; output.variables must name {', '.join(VARIABLES)}"
        )
    names, radii, tables, _ = contacts_of(scenario)
    time = results.time.values
    begin = settling_time(scenario)
    if np.count_nonzero(time >= begin) < 3:
        raise ScenarioError(f"no wear: a run of {time[-1]:g} s is over before it has settled ({begin:g} s)")
    out = {}
    for k, name in enumerate(names):
        wheelset = name.rpartition(" ")[0]
        spin = results.body_angle.sel(body=wheelset, rotation="spin").values
        first_turn = 0.0 if name not in scenario.roundness else 2.0 * np.pi  # out-of-roundness grows over it
        after = np.flatnonzero((time >= begin) & (spin >= first_turn))
        if after.size < 3:
            raise ScenarioError(f"no wear: {name} makes no turn after settling; lengthen the run")
        first = int(np.ceil(spin[after[0]] / BIN))  # bin at which whole turns begin
        turns = max(int((spin[after[-1]] - first * BIN) / (2.0 * np.pi)), 0)
        if turns > 0:
            angle = spin[after] - first * BIN
            after = after[(angle >= 0.0) & (angle < 2.0 * np.pi * turns)]
        s = results.body_position.sel(body=wheelset, path="s").values
        way = np.gradient(s)[after]
        if turns > 0:
            way *= 2.0 * np.pi * turns * radii[k] / way.sum()
        speed = results.body_velocity.sel(body=wheelset, path="s").values[after]
        of_wheel = results.isel(time=after).sel(wheel=name)
        pose = np.zeros((after.size, 6))
        for column, variable in ((1, "y"), (2, "z"), (3, "roll"), (5, "yaw")):
            pose[:, column] = of_wheel[f"profile_{variable}"].values
        creepage = np.stack([of_wheel[f"patch_{c}"].values for c in ("xi", "eta", "phi")], axis=2)
        patches = [np.ascontiguousarray(of_wheel[f"patch_{c}"].values, float) for c in ("normal_force", "y_wheel")]
        angle = spin[after] - first * BIN
        samples = Samples(pose, *patches, np.ascontiguousarray(creepage, float), way, speed, s[after], angle)
        loss = wheel_loss(tables[k], radii[k], law.table, samples, turns)
        out[name] = replace(loss, around_rate=np.roll(loss.around_rate, first, axis=1))
    return out


def first_states(scenario) -> dict[str, WheelState]:
    """Wheels as the scenario has them."""
    names, _, _, profiles = contacts_of(scenario)
    out = {}
    for name, profile in zip(names, profiles, strict=True):
        part = scenario.roundness.get(name)
        own = np.zeros(BINS)
        if part is not None and part.file is not None:
            own = np.interp(MIDDLES, turn_angles(), file_deviation(part.file), period=2.0 * np.pi)
        out[name] = WheelState(profile, np.zeros_like(lateral_places()), np.zeros(BINS), own)
    return out


def batch_losses(pieces, law, run) -> dict[str, WheelLoss]:
    """Mean loss of each wheel over the pieces by their shares; run : callable, Piece -> results where it has none."""
    found = []
    for piece in pieces:
        results = piece.results if piece.results is not None else run(piece)
        if not results.attrs.get("complete", True):
            raise FlexwheelError(f"{piece.name}: run not complete: {results.attrs['status']}")
        found.append(piece_losses(results, piece.scenario, law))
    whole = sum(piece.share for piece in pieces)
    shares = [piece.share / whole for piece in pieces]
    names = list(found[0])
    for piece, losses in zip(pieces, found, strict=True):
        if list(losses) != names:
            raise ScenarioError(f"{piece.name}: wheels must be those of {pieces[0].name}, got {', '.join(losses)}")
    return {name: mixed([losses[name] for losses in found], shares) for name in names}


def batch_distance(losses, settings, left):
    """Way [m] of a batch of at most `left` [m], and what limits it."""
    most, limit = left, "the distance asked for"
    for name, loss in losses.items():
        rate = float(np.max(smoothed(loss.depth_rate, settings.smoothing), initial=0.0))
        if settings.profiles and rate * most > settings.depth_per_batch:
            most, limit = settings.depth_per_batch / rate, f"depth of {name}"
        if settings.circumference and loss.turns > 0:
            growth = np.abs(sure_growth(loss, settings)[1 : settings.highest_order + 1])
            n = int(np.argmax(growth))
            if growth[n] * most > settings.order_per_batch:
                most, limit = settings.order_per_batch / growth[n], f"order {n + 1} of {name}"
    return most, limit


def sure_growth(loss, settings):
    """Growth (N,) complex [m/m] of the orders, 0 of those that a longer run might not show; of one turn none is sure.

    What differs from turn to turn does not add up over kilometres as a batch adds it.
    """
    growth, error = order_growth(loss)
    return growth if settings.sure == 0.0 else np.where(np.abs(growth) >= settings.sure * error, growth, 0.0)


def worn(state, loss, distance, settings, path) -> WheelState:
    """Wheel after a batch; its profile is written to `path` and read from there, as the next run reads it."""
    depth = state.depth
    profile, around = state.profile, state.around
    if settings.profiles:
        more = distance * smoothed(loss.depth_rate, settings.smoothing)
        write_profile(path, *worn_height(profile, more))
        profile, depth = read_profile(path, "wheel", heights="file"), depth + more
    if settings.circumference and loss.turns > 0:
        around = around + distance * around_of(sure_growth(loss, settings), settings.highest_order)
    return replace(state, profile=profile, depth=depth, around=around)


def write_profile(path, y, height):
    """Profile of a wheel as csv: y to the field side and z down in mm, z from the radius of the vehicle file."""
    lines = ["y_mm,z_mm", *(f"{1e3 * a:.7f},{1e3 * b:.7f}" for a, b in zip(y, height, strict=True))]
    write_whole(path, lambda part: part.write_text("\n".join(lines) + "\n", encoding="utf-8"))


def write_roundness(path, deviation):
    """Deviation (BINS,) [m] of a wheel's radius as csv of [roundness]."""
    lines = ["angle_deg,deviation_um"]
    lines += [f"{a:.6f},{1e6 * d:.6f}" for a, d in zip(np.degrees(MIDDLES), deviation, strict=True)]
    write_whole(path, lambda part: part.write_text("\n".join(lines) + "\n", encoding="utf-8"))


def worn_scenario(scenario, states, settings, folder: Path):
    """Scenario with the wheels as they are, their files in `folder`."""
    wheels, roundness = dict(scenario.contact.wheels), dict(scenario.roundness)
    for name, state in states.items():
        stem = file_stem(name)
        if settings.profiles:
            wheels[name] = OwnWheelSection(profile=str(folder / f"{stem}.csv"), heights="file")
        if settings.circumference and np.any(state.around):
            path = folder / f"{stem}_roundness.csv"
            write_roundness(path, state.own + state.around)
            part = roundness.get(name, RoundnessSection())
            roundness[name] = part.model_copy(update={"file": str(path)})
    contact = scenario.contact.model_copy(update={"wheels": wheels})
    return scenario.model_copy(update={"contact": contact, "roundness": roundness})


def beside(scenario, folder: Path):
    """The scenario with the files of its wheels named from `folder`, where they lie within it."""

    def named(section, key):
        path = getattr(section, key)
        inside = path is not None and Path(path).is_relative_to(folder)
        return section.model_copy(update={key: Path(path).relative_to(folder).as_posix()}) if inside else section

    wheels = {name: named(own, "profile") for name, own in scenario.contact.wheels.items()}
    roundness = {name: named(part, "file") for name, part in scenario.roundness.items()}
    contact = scenario.contact.model_copy(update={"wheels": wheels})
    return scenario.model_copy(update={"contact": contact, "roundness": roundness})


def run_piece(piece, report, wheelsets):
    """Results of a piece, in memory: what wear needs."""
    output = piece.scenario.output.model_copy(update={"variables": VARIABLES})
    return run_scenario(piece.scenario.model_copy(update={"output": output}), report, "", wheelsets)


def _nothing(*given):
    """Nothing to be told or kept."""


def wear_batches(pieces, settings: WearSettings, folder: Path, report=_nothing, keep=_nothing):
    """Batches of wear over the distance asked for, and the scenarios with the wheels after it.

    Pieces with results are evaluated once, in one batch as long as the limits allow. Profiles and circumferences after
    batch k stand in folder/batch_k. keep : callable, told what is returned after every batch.

    Returns
    -------
    list of Batch, dict of WheelState, list of scenario
    """
    pieces, batches, gone, folder = list(pieces), [], 0.0, Path(folder).resolve()
    states = first_states(pieces[0].scenario)
    bodies = {}

    def run(piece):
        part = gone / settings.distance
        if piece.name not in bodies:
            bodies[piece.name] = flexible_wheelsets(piece.scenario, lambda line: report(part, line))
        text = f"batch {len(batches) + 1}, {piece.name}"
        return run_piece(piece, lambda _, note="": report(part, f"{text}: {note}"), bodies[piece.name])

    while gone < settings.distance * (1.0 - 1e-9) and len(batches) < settings.batches:
        losses = batch_losses(pieces, settings.law, run)
        distance, limit = batch_distance(losses, settings, settings.distance - gone)
        place = folder / f"batch_{len(batches) + 1:02d}"
        place.mkdir(parents=True, exist_ok=True)
        batches.append(Batch(distance, limit, losses, states))
        files = {name: place / f"{file_stem(name)}.csv" for name in losses}
        states = {name: worn(states[name], losses[name], distance, settings, files[name]) for name in losses}
        pieces = [replace(p, scenario=worn_scenario(p.scenario, states, settings, place)) for p in pieces]
        gone += distance
        keep(batches, states, [piece.scenario for piece in pieces])
        if any(piece.results is not None for piece in pieces):
            break
    return batches, states, [piece.scenario for piece in pieces]
