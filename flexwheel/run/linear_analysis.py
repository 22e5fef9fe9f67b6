"""Linear model of a scenario's vehicle on straight smooth track, receptances of wheel and rail."""

from __future__ import annotations

import numpy as np

from flexwheel.builders import build_simulation, build_supports
from flexwheel.dynamics.equilibrium import static_equilibrium
from flexwheel.dynamics.linearise import linearise, wheel_receptance
from flexwheel.scenario.alignment_keys import LayoutSegment
from flexwheel.scenario.vehicle_keys import IrregularitySection
from flexwheel.track.receptance import receptance

STATIC_HZ = 1.0


def straight_scenario(scenario, speed):
    """The scenario on straight, level, smooth track at a speed [m/s]."""
    run = scenario.run.model_copy(update={"speed_kmh": 3.6 * speed, "duration_s": 1e-3, "end_position_m": None})
    track = scenario.track.model_copy(
        update={"layout": (LayoutSegment(kind="straight", length_m=5000.0),), "vertical": ()}
    )
    smooth = IrregularitySection(spectrum="none", roughness="none")
    return scenario.model_copy(update={"run": run, "track": track, "irregularity": smooth})


def static_rail_compliance(track):
    """Static compliance (4, 4) [m/N ...] of the rail head over a sleeper, or of the rigid rail models' springs."""
    if track.model == "rigid":
        return np.zeros((4, 4))
    if track.model != "flexible":
        rigid = track.rigid_rail
        springs = (
            rigid.longitudinal_stiffness_n_m,
            rigid.lateral_stiffness_n_m,
            rigid.vertical_stiffness_n_m,
            rigid.roll_stiffness_nm_rad,
        )
        return np.diag(1.0 / np.array(springs))
    return receptance(build_supports(track), 0.0, 0.0, [STATIC_HZ], loss_factors=False)[0].real


def linear_model_at(scenario, bodies, speed, friction_dampers="sticking"):
    """LinearModel of a scenario at a speed [m/s], rails with their static compliance."""
    straight = straight_scenario(scenario, speed)
    simulation = build_simulation(straight, bodies)
    compliance = static_rail_compliance(scenario.track)
    model, assembly = simulation.model, simulation.assembly
    static_equilibrium(model, assembly, simulation.state, simulation.work, simulation.contact_work, compliance)
    return linearise(
        model, assembly, simulation.state, simulation.work, simulation.contact_work, compliance, friction_dampers,
        scenario.accept,
    )  # fmt: skip


def receptances(scenario, bodies, frequency_hz, wheelset=0, side=1):
    """Receptances (F, 3, 3) complex [m/N], x, y, z, of a wheel at its profile origin and of the rail under it.

    Returns
    -------
    wheel : (F, 3, 3)
    rail : (F, 3, 3), over a sleeper; None for the massless and inertial rail models
    """
    linear = linear_model_at(scenario, bodies, scenario.run.speed)
    wheel = wheel_receptance(linear, wheelset, side, frequency_hz)
    rail = None
    if scenario.track.model == "flexible":
        rail = receptance(build_supports(scenario.track), 0.0, 0.0, frequency_hz, loss_factors=False)[:, :3, :3]
    return wheel, rail
