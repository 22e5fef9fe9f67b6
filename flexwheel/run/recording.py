"""Samples of the time loop as the arrays of a result file."""

from __future__ import annotations

import numpy as np

from flexwheel.variables import PATCH

PATCH_VARIABLES = {
    "y_rail": "patch_y_rail",
    "y_wheel": "patch_y_wheel",
    "load": "patch_normal_force",
    "force_x": "patch_creep_force_x",
    "force_y": "patch_creep_force_y",
    "spin_moment": "patch_spin_moment",
    "xi": "patch_xi",
    "eta": "patch_eta",
    "phi": "patch_phi",
    "area": "patch_area",
    "peak_pressure": "patch_peak_pressure",
    "contact_angle": "patch_contact_angle",
    "half_length": "patch_half_length",
    "half_width": "patch_half_width",
    "approach": "patch_approach",
    "x_contact": "patch_x_contact",
}


def results_arrays(records, assembly):
    """Variables of post.result_variables from Records.

    Parameters
    ----------
    records : Records
    assembly : Assembly

    Returns
    -------
    dict    name -> array
    """
    offset = assembly.units.offset
    samples = len(records.time)
    wheels = 2 * len(assembly.wheelset_specs)
    arrays = {}
    for name, source in (
        ("body_position", records.coordinates),
        ("body_velocity", records.velocities),
        ("body_acceleration", records.accelerations),
    ):
        arrays[name] = np.stack([source[:, o : o + 6] for o in offset[:-1]], axis=1)
    wrench = records.wrench.reshape(samples, wheels, 6)
    arrays["contact_wrench"] = wrench
    arrays["wheel_force"] = force_on_rail(wrench)
    arrays["patch_count"] = records.patch_count.reshape(samples, wheels)
    arrays.update(_patches(records, samples, wheels))
    rail = records.rail.reshape(samples, wheels, 3, 4)
    arrays["rail_displacement"], arrays["rail_velocity"] = (rail[:, :, k].astype(np.float32) for k in range(2))
    arrays["irregularity"] = records.irregularity.reshape(samples, wheels, 2)
    arrays.update(_modal(records, assembly))
    return arrays


def force_on_rail(wrench):
    """Longitudinal force, Y and Q (..., wheel, 3) on the rail of the wrench (..., wheel, 6) on the wheel.

    Y is positive to the field side: to the left on left wheels, to the right on right wheels.
    """
    side = np.where(np.arange(wrench.shape[-2]) % 2 == 0, 1.0, -1.0)
    return np.stack([-wrench[..., 0], -side * wrench[..., 1], wrench[..., 2]], axis=-1)


def _patches(records, samples, wheels):
    """Patch variables, as many slots as the run used; without a patch nan, or zero for forces, area, pressure."""
    count = records.patch_count.reshape(samples, wheels)
    slots = max(1, int(count.max(initial=0)))
    patches = records.patches.reshape(samples, wheels, *records.patches.shape[3:])[:, :, :slots]
    present = np.arange(patches.shape[2]) < count[..., None]
    additive = {"load", "force_x", "force_y", "spin_moment", "area", "peak_pressure"}
    return {
        variable: np.where(present, patches[..., getattr(PATCH, name)], 0.0 if name in additive else np.nan).astype(
            np.float32
        )
        for name, variable in PATCH_VARIABLES.items()
    }


def _modal(records, assembly):
    """Modal coordinates of the flexible wheelsets, padded to the largest count; journal forces."""
    flexible = [k for k, w in enumerate(assembly.wheelset_specs) if w.body is not None]
    if not flexible:
        return {}
    counts = assembly.wheelsets.mode_count
    most = max(counts[k] for k in flexible)
    arrays = {}
    for name, source in (
        ("modal_coordinate", records.coordinates),
        ("modal_velocity", records.velocities),
        ("modal_acceleration", records.accelerations),
    ):
        padded = np.zeros((len(records.time), len(flexible), most))
        for row, k in enumerate(flexible):
            first = assembly.units.offset[assembly.wheelsets.unit[k]] + 6
            padded[:, row, : counts[k]] = source[:, first : first + counts[k]]
        arrays[name] = padded
    arrays["interface_force"] = records.interface_force[:, flexible]
    return arrays
