"""What a scenario says of its time loop and of the names of its results; for a run and for what steps on its own."""

from flexwheel.base.variables import MESH_MODES
from flexwheel.results.evaluate.stress_marks import point_marks
from flexwheel.run.build.vehicle_on_track import EXPLICIT
from flexwheel.vehicle.step.simulate import LoopSettings
from flexwheel.vehicle.step.watch import watched_names


def run_labels(simulation):
    """Names of wheelsets, bodies and flexible wheelsets of a run, as `make_dataset` takes them."""
    assembly, flexible = simulation.assembly, list(simulation.bodies)
    labels = {"wheelset": [w.name for w in assembly.wheelset_specs], "body": list(assembly.unit_names)}
    if flexible:
        modes = [MESH_MODES[simulation.model.wheelsets.mesh_mode[labels["wheelset"].index(name)]] for name in flexible]
        labels |= {"flexible": flexible, "mesh_mode": ("flexible", modes)}
    if points := len(assembly.flexible.owner):
        labels["body_point"] = list(assembly.pose_names[-points:])
        labels |= point_marks([spec.flexible for spec in assembly.body_specs if spec.flexible is not None])
    if "elements" in simulation.scenario.output.groups:
        labels["element"] = watched_names(simulation.model, assembly)
    return labels


def in_phase(run):
    """Whether a [run] section asks for wheelsets that keep their frequencies whatever the step."""
    return run.integrator == "newmark" and run.newmark_beta == 0.25 and run.wheelsets_in_phase


def loop_settings(scenario, watch=None):
    """LoopSettings of a scenario and of what is measured beside."""
    run = scenario.run
    return LoopSettings(
        stride=run.stride,
        start=int(round(scenario.output.start_s / run.step_s)),
        limit=run.contact_iterations_max,
        tolerance=run.contact_tolerance_n,
        explicit=run.integrator == EXPLICIT,
        in_phase=in_phase(run),
        watch=watch,
        unconverged_share=run.unconverged_share_max,
    )
