"""Results of a train run as a Dataset."""

import numpy as np

from flexwheel.base.input_files import digest
from flexwheel.results.dataset import make_dataset
from flexwheel.systems.train.train_variables import TRAIN


def make_train_dataset(scenario, results, checks=(), warnings=()):
    """Dataset of a run.

    Parameters
    ----------
    scenario : TrainScenario
    results : TrainResults
    checks : sequence of ToleranceCheck
    warnings : sequence of str

    Returns
    -------
    xarray.Dataset   dimensions time, vehicle (from 1), coupling (from 1; coupling k joins vehicles k and k + 1), side
    """
    n, train = results.speed.shape[1], scenario.run.train
    labels = {
        "time": results.time,
        "vehicle": np.arange(1, n + 1),
        "coupling": np.arange(1, n),
        "vehicle_name": ("vehicle", [v.name for v in train.vehicles]),
        "coupling_name": ("coupling", [c.name for c in train.couplers]),
    }
    attributes = {
        "title": scenario.title,
        "scenario": scenario.text,
        "scenario_digest": digest(scenario.text),
        "tolerance": results.tolerance,
        "solver_seconds": results.seconds,
        "speed_max_m_per_s": results.speed_max,
        "speed_mean_m_per_s": results.speed_mean,
        "deflection_coupler": scenario.deflection_coupler,
        "assumed": list(scenario.assumed),
        "warnings": list(warnings),
        **{f"count_{key}": value for key, value in results.steps.items()},
    }
    if results.energy is not None:
        attributes |= {f"energy_{key}_J": value for key, value in vars(results.energy).items()}
        attributes["energy_residual_J"] = results.energy.residual
    if checks:
        attributes["halving_changes_largest_force"] = checks[-1].force_change
        attributes["halving_changes_extremes_N"] = checks[-1].extreme_change
    arrays = {variable.name: getattr(results, variable.name) for variable in TRAIN}
    return make_dataset("train", arrays, labels, results.complete, results.status, attributes)
