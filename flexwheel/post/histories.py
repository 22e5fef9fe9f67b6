"""Parts of a result Dataset as arrays: a wheelset's history; control nodes put back into the Dataset."""

from __future__ import annotations

import numpy as np
import xarray as xr

from flexwheel.errors import FlexwheelError
from flexwheel.post.control_nodes import POINTS, TREAD_COMPONENTS, WheelsetHistory, control_node_results
from flexwheel.post.load_spread import on_running_surface
from flexwheel.post.result_variables import COORDINATES, DERIVED


def wheelset_history(results, wheelset, mode_count=None):
    """History of one flexible wheelset.

    Parameters
    ----------
    results : Dataset
    wheelset : str              name, one of results.flexible
    mode_count : int, optional  number of its modes, where another wheelset has more

    Returns
    -------
    WheelsetHistory     wrenches turned from track axes into the wheelset's frame E
    """
    if "flexible" not in results.coords or wheelset not in results.flexible.values:
        known = ", ".join(map(str, results.flexible.values)) if "flexible" in results.coords else "none"
        raise FlexwheelError(f"no flexible wheelset {wheelset!r} in these results; there is {known}")
    flexible = results.sel(flexible=wheelset)
    body = results.sel(body=wheelset)
    position = body.body_position.values
    wheels = [f"{wheelset} left", f"{wheelset} right"]
    wrench = results.contact_wrench.sel(wheel=wheels).values
    modes = slice(0, mode_count)
    return WheelsetHistory(
        mode=str(flexible.mesh_mode.values),
        spin=position[:, 5],
        body_velocity=body.body_velocity.values,
        body_acceleration=body.body_acceleration.values,
        modal_position=flexible.modal_coordinate.values[:, modes],
        modal_velocity=flexible.modal_velocity.values[:, modes],
        modal_acceleration=flexible.modal_acceleration.values[:, modes],
        tread_wrench=wrench_in_frame(wrench, position[:, 3], position[:, 4])[..., list(TREAD_COMPONENTS)],
        interface_wrench=flexible.interface_force.values,
        rates=str(results.attrs.get("modal_rates", "material")),
    )


def wrench_in_frame(wrench, yaw, roll):
    """Wrench (T, W, 6) in track axes as seen in frame E = Rz(yaw) Rx(roll), yaw and roll (T,) [rad]."""
    cy, sy, cr, sr = np.cos(yaw), np.sin(yaw), np.cos(roll), np.sin(roll)
    zero = np.zeros_like(cy)
    frame = np.stack([np.stack([cy, -sy * cr, sy * sr]), np.stack([sy, cy * cr, -cy * sr]), np.stack([zero, sr, cr])])
    force = np.einsum("jit,twj->twi", frame, wrench[..., :3])
    moment = np.einsum("jit,twj->twi", frame, wrench[..., 3:])
    return np.concatenate([force, moment], axis=-1)


def with_control_nodes(results, bodies, modal_only=False):
    """The Dataset with displacement, velocity, acceleration and stress at the control nodes.

    Parameters
    ----------
    results : Dataset
    bodies : dict               name of a flexible wheelset -> ReducedBody
    modal_only : bool           without the static residual; its use is kept in the attribute `stress`

    Returns
    -------
    Dataset     a new one; control nodes are named "wheelset node"
    """
    if not bodies:
        return results
    names, ids, parts, spread = [], [], [], []
    for wheelset, body in bodies.items():
        history = wheelset_history(results, wheelset, len(body.frequency_hz))
        parts.append(control_node_results(body, history, modal_only))
        names += [f"{wheelset} {name}" for name in body.control.name]
        ids += [int(node) for node in body.control.node_id]
        x, y, z = (body.control.position + body.centre).T
        spread += [int(on) for on in on_running_surface(body.treads, y, np.hypot(x, z))]
    data = {
        name: (
            DERIVED[name].dims,
            np.concatenate([part[name] for part in parts], axis=1),
            {"units": DERIVED[name].units, "long_name": DERIVED[name].meaning},
        )
        for name in parts[0]
    }
    coordinates = {
        "control_node": names,
        "control_node_id": ("control_node", ids, {"long_name": "node id in the mesh file"}),
        "load_spread": ("control_node", spread, {"long_name": "1: the contact force is spread over nodes there"}),
        "point": list(POINTS),
        "axis": list(COORDINATES["axis"]),
        "stress_component": list(COORDINATES["stress_component"]),
    }
    added = xr.Dataset(data, {"time": results.time, **coordinates})
    merged = results.merge(added, compat="override", join="override")
    merged.attrs = {**results.attrs, "stress": "modal only" if modal_only else "with static residual"}
    return merged
