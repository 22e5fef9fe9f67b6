"""Linear model of a scenario's vehicle on straight smooth track, receptances of wheel and rail."""

from functools import partial

from flexwheel.builders.simulation import build_simulation
from flexwheel.builders.track import build_supports
from flexwheel.dynamics.equilibrium import static_equilibrium
from flexwheel.dynamics.linearise import linearise, wheel_receptance
from flexwheel.scenario.irregularity_keys import IrregularitySection
from flexwheel.scenario.track_keys import LayoutSegment
from flexwheel.track.rail_models import RAIL_MODELS


def straight_scenario(scenario, speed):
    """The scenario on straight, level, smooth track at a speed [m/s]."""
    run = scenario.run.model_copy(update={"speed_kmh": 3.6 * speed, "duration_s": 1e-3, "end_position_m": None})
    track = scenario.track.model_copy(
        update={"layout": (LayoutSegment(kind="straight", length_m=5000.0),), "vertical": ()}
    )
    smooth = IrregularitySection(spectrum="none", roughness="none")
    return scenario.model_copy(update={"run": run, "track": track, "irregularity": smooth})


def static_rail_compliance(track):
    """Static compliance (4, 4) [m/N ...] of the rail head, as the rail model declares it."""
    return RAIL_MODELS[track.model].static_compliance(track, partial(build_supports, track))


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
    rail : (F, 3, 3), over a sleeper; None for a rail model that declares none
    """
    linear = linear_model_at(scenario, bodies, scenario.run.speed)
    wheel = wheel_receptance(linear, wheelset, side, frequency_hz)
    rail = RAIL_MODELS[scenario.track.model].receptance
    if rail is not None:
        rail = rail(scenario.track, partial(build_supports, scenario.track), frequency_hz)
    return wheel, rail
