"""Linear model of a scenario's vehicle on straight smooth track, receptances of wheel and rail."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from flexwheel.assess.linear.linear_rotor import linearised_matrices, turning_generator, whirl_frequencies
from flexwheel.assess.linearise import (
    critical_speed,
    dominant_coordinates,
    eigenvalues,
    linearise,
    wheel_receptance,
)
from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels.compile_progress import telling_of_compilation
from flexwheel.run.build.build_contact import friction_rows
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.build.build_track import build_supports
from flexwheel.run.keys.irregularity_keys import IrregularitySection
from flexwheel.run.keys.track_keys import LayoutSegment
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.vehicle.step.equilibrium import static_equilibrium
from flexwheel.vehicle.step.growth import growing

STRIPS = 16  # of a patch where a scenario does not say: the slope of the law at one pose wavers by a per cent with 8
SLOWEST = 10.0 / 3.6  # [m/s] at which a vehicle must be stable to have a critical speed, where none lower is asked for


def straight_scenario(scenario, speed):
    """The scenario on straight, level, smooth track at a speed [m/s], with STRIPS; its rails are the same all along."""
    if scenario.contact.along:
        raise ScenarioError(
            "contact.along: a linear analysis has rails that are the same all along; take it out, or make a run"
        )
    if scenario.track.check_rail:
        raise ScenarioError("track.check_rail: a linear analysis has no check rails; take them out, or make a run")
    whole = {"speed_kmh": 3.6 * speed, "speed_profile_s_kmh": (), "duration_s": 1e-3, "end_position_m": None}
    run = scenario.run.model_copy(update=whole)
    track = scenario.track.model_copy(
        update={"layout": (LayoutSegment(kind="straight", length_m=5000.0),), "vertical": ()}
    )
    smooth = IrregularitySection(spectrum="none", roughness="none")
    contact = scenario.contact.model_copy(update={"strips": scenario.contact.strips or STRIPS})
    return scenario.model_copy(update={"run": run, "track": track, "irregularity": smooth, "contact": contact})


def of_the_start(scenario):
    """Lines on what changes in a run and not in a linear analysis: a table of friction, a speed profile."""
    lines, rows = [], friction_rows(scenario.contact)
    if any(len(row) > 1 for row in rows):
        lines.append(
            f"contact.friction_file: friction changes along the track; a linear analysis has that under each wheel at "
            f"the start, s = {scenario.run.start_position_m:g} m"
        )
    if scenario.run.speed_profile_s_kmh:
        lines.append("run.speed_profile_s_kmh: not read, a linear analysis is at one speed")
    return lines


def static_rail_compliance(track):
    """Static compliance (4, 4) [m/N ...] of the rail head, as the rail model declares it."""
    return RAIL_MODELS[track.model].static_compliance(track, partial(build_supports, track))


@dataclass(frozen=True)
class LinearAnalysis:
    """What `flexwheel eigen` finds."""

    speeds: np.ndarray  # (S,) [m/s]
    oscillations: list[dict]  # of each speed: frequency_hz, damping_ratio, dominant, share
    growths: list[tuple]  # of each speed: the motions that grow, growth.Growth
    critical: float  # [m/s]; nan where there is none between the outer speeds, or it was not looked for
    reason: str  # why there is no critical speed, else empty
    whirls: dict[str, list[dict]]  # flexible wheelset -> of each speed frequency_hz and direction
    radius: dict[str, float]  # [m] of its wheels
    frequency: np.ndarray  # (F,) [Hz] of the receptances
    wheel: np.ndarray  # (F, 3, 3) complex [m/N], x, y, z, at the profile origin, at the scenario's speed
    rail: np.ndarray | None  # likewise of the rail over a sleeper; None for a rail model that declares none
    assumed: dict  # rails, friction_dampers, elements, warnings: how they were taken


def analyse(scenario, speeds, friction_dampers="sticking", critical=True, report=lambda fraction, note="": None):
    """LinearAnalysis of a scenario's vehicle at speeds (S,) [m/s], ascending; meshes are imported and reduced."""
    wheelsets = flexible_wheelsets(scenario, lambda line: report(0.0, line))
    bodies = {name: item.body for name, item in wheelsets.items()}
    report(0.1, "static equilibrium")
    with telling_of_compilation(lambda line: report(0.1, line)):
        linear_at = running_at(scenario, bodies, friction_dampers)
    table, growths = [], []
    for k, speed in enumerate(speeds):
        report(0.3 + 0.3 * k / len(speeds), f"{3.6 * speed:.0f} km/h")
        linear = linear_at(speed)
        table.append(oscillations(linear))
        growths.append(growing(linear))
    report(0.6, "critical speed" if critical else "whirl")
    found, reason = lowest_unstable(linear_at, speeds[0], speeds[-1]) if critical else (float("nan"), "not looked for")
    whirls = {name: whirl(body, speeds, scenario.wheelset[name].centrifugal) for name, body in bodies.items()}
    report(0.7, "receptances")
    frequency = np.geomspace(10.0, 2000.0, 400)
    wheel = wheel_receptance(linear_at(scenario.run.speed), 0, 1, frequency)  # the leading right one
    rail = RAIL_MODELS[scenario.track.model].receptance
    rail = None if rail is None else rail(scenario.track, partial(build_supports, scenario.track), frequency)
    assumed = {"rails": RAIL_MODELS[scenario.track.model].taken, "friction_dampers": friction_dampers}
    assumed |= {"elements": list(linear.notes), "warnings": list(linear.warnings)}
    radius = {name: body.treads[0].radius for name, body in bodies.items()}
    return LinearAnalysis(speeds, table, growths, found, reason, whirls, radius, frequency, wheel, rail, assumed)


def lowest_unstable(linear_at, low, high):
    """Critical speed [m/s], nan with the reason where there is none; everything below it down to SLOWEST is stable."""
    for speed in sorted({min(SLOWEST, low), low}):
        found = growing(linear_at(speed))
        if found:
            return float("nan"), f"unstable already at {3.6 * speed:.3g} km/h: {found[0].text()}"
    found = critical_speed(linear_at, low, high, 0.1)
    between = f"{3.6 * low:.0f} and {3.6 * high:.0f} km/h"
    return found, f"nothing grows between {between}" if np.isnan(found) else ""


def running_at(scenario, bodies, friction_dampers):
    """speed [m/s] -> LinearModel of the scenario's vehicle on straight track, brought to rest once."""
    accept = scenario.accept
    s = build_simulation(straight_scenario(scenario, scenario.run.speed), bodies)
    compliance = static_rail_compliance(scenario.track)
    static_equilibrium(s.model, s.assembly, s.state, s.work, s.contact_work, compliance)

    def linear_at(speed):
        model, state = s.model._replace(speed=float(speed)), s.state._replace(drive_speed=np.array([speed, 0.0]))
        found = linearise(model, s.assembly, state, s.work, s.contact_work, compliance, friction_dampers, accept)
        return replace(found, warnings=(*found.warnings, *of_the_start(scenario)))

    return linear_at


def oscillations(linear):
    """Frequency [Hz], damping ratio, dominant coordinate and its share of every oscillation, ascending."""
    values, shapes = eigenvalues(linear)
    swing = values.imag > 1e-6
    values, shapes = values[swing], shapes[:, swing]
    names, share = dominant_coordinates(linear, shapes)
    size = np.abs(values)
    order = np.argsort(size)
    return {
        "speed_m_s": float(linear.speed),
        "frequency_hz": (size / (2.0 * np.pi))[order].tolist(),
        "damping_ratio": (-values.real / size)[order].tolist(),
        "dominant": [names[k] for k in order],
        "share": share[order].tolist(),
    }


def whirl(body, speeds, centrifugal="both"):
    """Frequencies [Hz] and whirl directions of the free wheelset at each speed, in axes that do not turn."""
    rows = []
    for speed in speeds:
        matrices = linearised_matrices(body, speed / body.treads[0].radius, "non_rotating", centrifugal)
        hz, direction, _ = whirl_frequencies(*matrices, turning_generator(body.generator))
        flexible = hz > 0.5 * body.frequency_hz.min()
        rows.append(
            {
                "speed_m_s": float(speed),
                "frequency_hz": hz[flexible].tolist(),
                "direction": direction[flexible].tolist(),
            }
        )
    return rows
