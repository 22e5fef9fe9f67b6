"""Parts of a result Dataset as arrays: a wheelset's history; control nodes put back into the Dataset."""

import numpy as np
import xarray as xr

from flexwheel.base.errors import FlexwheelError
from flexwheel.base.variables import DERIVED, LABELS
from flexwheel.results.evaluate.control_nodes import POINTS, WheelsetHistory, control_node_results
from flexwheel.results.evaluate.load_spread import on_running_surface
from flexwheel.results.evaluate.stress_marks import COORDINATES
from flexwheel.vehicle.step.load_rates import RATE_TIME

HISTORY = (
    "body_angle", "body_velocity", "body_angular_velocity", "body_acceleration", "body_angular_acceleration",
    "contact_force", "contact_moment", "modal_coordinate", "modal_velocity", "modal_acceleration", "interface_force",
    "interface_moment", "load_force_rate", "load_moment_rate", "interface_force_rate", "interface_moment_rate",
)  # fmt: skip
"""Variables that the control nodes need."""
PATCHES = (
    "patch_x_contact", "patch_y_wheel", "patch_normal_force", "patch_half_length", "patch_half_width",
    "patch_contact_angle", "patch_creep_force_y",
)  # fmt: skip
"""Variables that those on or near a running surface need besides."""
PATCH_RATES = tuple(f"{name}_rate" for name in PATCHES)
"""Variables that velocity and acceleration of the fixed ones need besides."""


def wheelset_history(results, wheelset, mode_count=None, wheels=(0, 1)):
    """History of one flexible wheelset.

    Parameters
    ----------
    results : Dataset
    wheelset : str              name, one of results.flexible
    mode_count : int, optional  number of its modes, where another wheelset has more
    wheels : of int             those whose rates of patches are needed, 0 left, 1 right

    Returns
    -------
    WheelsetHistory     wrenches turned from track axes into the wheelset's frame E
    """
    if "flexible" not in results.coords or wheelset not in results.flexible.values:
        known = ", ".join(map(str, results.flexible.values)) if "flexible" in results.coords else "none"
        raise FlexwheelError(f"no flexible wheelset {wheelset!r} in these results; there is {known}")
    results = results[[name for name in (*HISTORY, *PATCHES, *PATCH_RATES) if name in results]]
    flexible = results.sel(flexible=wheelset)
    body = results.sel(body=wheelset)
    angle = body.body_angle.values
    at = results.sel(wheel=[f"{wheelset} left", f"{wheelset} right"])
    modes, patches = slice(0, mode_count), _columns(at, PATCHES)
    return WheelsetHistory(
        mode=str(flexible.mesh_mode.values),
        spin=angle[:, 2],
        body_velocity=np.concatenate([body.body_velocity, body.body_angular_velocity], axis=-1),
        body_acceleration=np.concatenate([body.body_acceleration, body.body_angular_acceleration], axis=-1),
        modal_position=flexible.modal_coordinate.values[:, modes],
        modal_velocity=flexible.modal_velocity.values[:, modes],
        modal_acceleration=flexible.modal_acceleration.values[:, modes],
        tread_wrench=wrench_in_frame(
            np.concatenate([at.contact_force, at.contact_moment], axis=-1), angle[:, 0], angle[:, 1]
        ),
        interface_wrench=np.concatenate([flexible.interface_force, flexible.interface_moment], axis=-1),
        tread_rate=_rates(flexible, "load"),
        interface_rate=_rates(flexible, "interface"),
        patches_beside=_patches_beside(patches, _columns(flexible, PATCH_RATES), wheels),
        patches=_patches(patches),
        rates=str(results.attrs.get("modal_rates", "material")),
    )


def _columns(at, names):
    """Variables (n, T, ...) of patches of a wheelset; None where the run did not store them."""
    return np.array([at[name].values for name in names], dtype=float) if all(name in at for name in names) else None


def _patches(columns):
    """(..., W, P, 7) patches of the two wheels, columns of patch_loads, of the variables PATCHES; None of None."""
    if columns is None:
        return None
    x, y, load, length, width, angle, creep = columns
    load = np.where(np.isfinite(load) & (load > 0.0), load, 0.0)
    share = load / np.maximum(load.sum(axis=-1, keepdims=True), 1e-300)
    c, s = np.cos(angle), np.sin(angle)
    columns = [x, y, share, length, width, c * creep - s * load, s * creep + c * load]
    return np.where(load[..., None] > 0.0, np.stack(columns, axis=-1), 0.0)


def _patches_beside(now, rates, wheels):
    """(T, 2, W, P, 7) patches a RATE_TIME before and after each sample, as their two rates there have them; none of
    other wheels. Of variables (7, T, W, P) and rates (7, T, W, 2, P); None without these."""
    if now is None or rates is None:
        return None
    out = np.zeros((now.shape[1], 2, *now.shape[2:], len(PATCHES)))
    for w in wheels:
        first, second = np.moveaxis(np.nan_to_num(rates[:, :, w]), 2, 0)
        out[:, 0, w], out[:, 1, w] = (_patches(now[:, :, w] + x + 0.5 * second) for x in (-first, first))
    return out


def _rates(results, name):
    """Time derivatives (T, order, W, 6) of a wrench [N s-n, N m s-n]; None where the results have none."""
    if f"{name}_force_rate" not in results or f"{name}_moment_rate" not in results:
        return None
    parts = [results[f"{name}_{part}_rate"].values for part in ("force", "moment")]
    scale = RATE_TIME ** np.arange(1.0, parts[0].shape[2] + 1.0)
    return np.moveaxis(np.concatenate(parts, axis=-1), 2, 1) / scale[:, None, None]


def wrench_in_frame(wrench, yaw, roll):
    """Wrench (T, W, 6) in track axes as seen in frame E = Rz(yaw) Rx(roll), yaw and roll (T,) [rad]."""
    cy, sy, cr, sr = np.cos(yaw), np.sin(yaw), np.cos(roll), np.sin(roll)
    zero = np.zeros_like(cy)
    frame = np.stack([np.stack([cy, -sy * cr, sy * sr]), np.stack([sy, cy * cr, -cy * sr]), np.stack([zero, sr, cr])])
    force = np.einsum("jit,twj->twi", frame, wrench[..., :3])
    moment = np.einsum("jit,twj->twi", frame, wrench[..., 3:])
    return np.concatenate([force, moment], axis=-1)


def with_control_nodes(results, bodies, modal_only=False, influences=None):
    """The Dataset with displacement, velocity, acceleration and stress at the control nodes.

    Parameters
    ----------
    results : Dataset
    bodies : dict               name of a flexible wheelset -> ReducedBody
    modal_only : bool           without the static residual; its use is kept in the attribute `stress`
    influences : dict, optional   name -> `control_nodes.influences_of` the body, where there are many Datasets

    Returns
    -------
    Dataset     a new one; control nodes are named "wheelset node"; the same where it has no samples, lacks what the
                control nodes need, or where there are none
    """
    bodies = {name: body for name, body in bodies.items() if len(body.control.name)}
    if not bodies or not results.sizes["time"] or not all(name in results for name in HISTORY):
        return results
    names, ids, parts, spread, marks = [], [], [], [], []
    for wheelset, body in bodies.items():
        history = wheelset_history(results, wheelset, len(body.frequency_hz), set(body.near.tread))
        known = None if influences is None else influences[wheelset]
        parts.append(control_node_results(body, history, modal_only, known))
        names += [f"{wheelset} {name}" for name in body.control.name]
        ids += [int(node) for node in body.control.node_id]
        x, y, z = (body.control.position + body.centre).T
        marks.append([body.control.stress_error, body.control.corner])
        spread += [int(on) for on in on_running_surface(body.treads, y, np.hypot(x, z))]
    data = {
        variable.name: (
            variable.dims,
            np.concatenate([part[variable.name] for part in parts], axis=1),
            {"units": variable.units, "long_name": variable.meaning},
        )
        for variable in DERIVED
    }
    coordinates = {
        "control_node": names,
        "control_node_id": ("control_node", ids, {"long_name": "node id in the mesh file"}),
        "load_spread": ("control_node", spread, {"long_name": "1: the contact force is spread over nodes there"}),
        **{
            name: ("control_node", values, attributes)
            for (name, attributes), values in zip(COORDINATES.items(), np.concatenate(marks, axis=1), strict=True)
        },
        "point": list(POINTS),
        "axis": list(LABELS["axis"]),
        "stress_component": list(LABELS["stress_component"]),
    }
    added = xr.Dataset(data, {"time": results.time, **coordinates})
    merged = results.merge(added, compat="override", join="override")
    merged.attrs = {**results.attrs, "stress": "modal only" if modal_only else "with static residual"}
    return merged
