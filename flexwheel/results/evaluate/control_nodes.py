"""Displacement, motion and stress at control nodes, from modal coordinates and wheel forces.

Each quantity is given twice: for the `rotating` node, which travels with the wheel, and for the `fixed`
point, which stays on the radius on which the node lay at the start. Components are in *section axes*: x
along the running direction of the rim as it passes the lowest point, y along the axle, z towards the axle;
the radial displacement is -z, positive away from the axle.

Modal coordinates w are those of the spinning mesh (w_S, `lagrangian`) or of the non-turning mesh (w_E);
w_E = expm(J spin) w_S. For a mesh of revolution both points follow exactly from either; for any other mesh,
which runs in `lagrangian` only, the fixed point follows a periodic spline through the sections of its ring (nan where
one of them has no node).

Unless `modal_only`, all carry the static residual of the truncated modes (mode acceleration), u = G(alpha) F with the
influence G at the angle alpha of the node from the load: for the particle there, alpha' = spin rate W,

    u'  = W G' F + G F'
    u'' = W^2 G'' F + W' G' F + 2 W G' F' + G F''

with F' and F'' as the time loop formed them from its own steps (load_rates), so that nothing depends on how
often a run samples. The next two terms of the truncated modes, -G_2 F'' and G_3 times the fourth derivative, follow in
the same way where they converge (`valid_band.series_holds`); displacement and stress also carry the residual of the
centrifugal load, and stress that of the press fits.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline

from flexwheel.base.variables import LABELS
from flexwheel.body.stress import von_mises
from flexwheel.results.evaluate.mode_turning import material_rates, mode_turning, turned_rows
from flexwheel.results.evaluate.residual_motion import add_residual_motion, influence_spline
from flexwheel.results.evaluate.valid_band import series_holds
from flexwheel.vehicle.patch_loads import near_loads
from flexwheel.vehicle.patch_motion import patch_field, patch_tables, smoothed
from flexwheel.vehicle.step.load_rates import RATE_TIME

POINTS = LABELS["point"]
CHUNK = 20_000
SIGNS = 1.0, -1.0, 1.0  # of the derivatives 0, 2 and 4 of the load, which go with G, G_2 and G_3
_influences = deque(maxlen=2)  # (ReducedBody, what influences_of found)
VALUES = {"displacement": slice(0, 3), "velocity": slice(3, 6), "acceleration": slice(6, 9), "stress": slice(9, 15)}
"""Columns of motion and stress at a node."""


@dataclass(frozen=True)
class WheelsetHistory:
    """What the control nodes of one wheelset need of a run."""

    mode: str  # lagrangian, eulerian_interpolated or eulerian
    spin: np.ndarray  # (T,) angle by which the wheelset has turned since the start [rad]
    body_velocity: np.ndarray  # (T, 6) rates of s, y, z, yaw, roll, spin
    body_acceleration: np.ndarray  # (T, 6)
    modal_position: np.ndarray  # (T, H)
    modal_velocity: np.ndarray  # (T, H)
    modal_acceleration: np.ndarray  # (T, H)
    tread_wrench: np.ndarray  # (T, W, 6) Fx Fy Fz Mx My Mz on the wheels about P, frame E
    interface_wrench: np.ndarray  # (T, I, 6) on the wheelset at the journals, frame E
    tread_rate: np.ndarray = None  # (T, 6, W, 6) time derivatives 1 to 6 of tread_wrench [N s-n, N m s-n]
    interface_rate: np.ndarray = None  # (T, 6, I, 6) of interface_wrench; `modal_only` and standing loads need neither
    patches: np.ndarray | None = None  # (T, W, P, 7) contact patches, columns of patch_loads
    rates: str = "material"  # modal rates stored: material (seen from the spinning wheel) or spatial
    patches_beside: np.ndarray | None = None  # (T, 2, W, P, 7) a RATE_TIME before and after, as their rates have them

    def part(self, rows):
        """The same for some samples."""
        return replace(self, **{name: x[rows] for name, x in vars(self).items() if isinstance(x, np.ndarray)})


def control_node_results(body, history, modal_only=False, influences=None):
    """Quantities at all control nodes of a body.

    Parameters
    ----------
    body : ReducedBody
    history : WheelsetHistory
    modal_only : bool           without the static residual
    influences : dict, optional   `influences_of` the body, where it is asked for many times

    Returns
    -------
    dict    displacement, velocity, acceleration, absolute_acceleration (T, C, 2, 3) [m, m/s, m/s2],
            stress (T, C, 2, 6) [Pa], radial_displacement [m] and von_mises [Pa] (T, C, 2); the axis of
            length 2 is rotating, fixed. Acceleration is seen from the spinning wheel; absolute_acceleration
            adds the motion of the wheelset, without the curvature of the track.
    """
    count, parts = len(history.spin), []
    loads = None if modal_only else _loads(history)
    if loads is not None and influences is None:
        influences = influences_of(body)
    tables = {} if loads is None else _patch_tables(body, history, influences)
    for start in range(0, count, CHUNK):
        rows = slice(start, start + CHUNK)
        some = None if loads is None else loads[rows]
        parts.append(_chunk(body, history.part(rows), some, influences, tables))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def influences_of(body):
    """Splines of the influences of a body and tables of its patches, by what they are of: each is made at first use.

    Those of the last bodies are kept: several runs take one body.
    """
    for known, found in _influences:
        if known is body:
            return found
    _influences.append((body, {}))
    return _influences[-1][1]


def _kept(known, key, make):
    if key not in known:
        known[key] = make()
    return known[key]


def _patch_tables(body, history, known):
    """(near node, point) -> its `patch_motion.PatchTables`."""
    if history.patches is None:
        return {}
    rate = history.body_velocity[:, 5]
    beside = {"rotating": None, "fixed": history.patches_beside}
    found = {
        (k, point): patch_tables(body, k, history.patches, rate, point == "rotating", known, beside[point])
        for k in range(len(body.near.node))
        for point in POINTS
    }
    return {key: tables for key, tables in found.items() if tables is not None}


def standing_loads(history):
    """Loads (T, K) of the residual in a mesh that does not turn: wrenches on treads and interfaces [N, N m], square of
    the spin rate [rad2/s2]."""
    flat = [load.reshape(len(load), -1) for load in (history.tread_wrench, history.interface_wrench)]
    return np.concatenate([*flat, history.body_velocity[:, 5:] ** 2], axis=1)


def load_terms(history):
    """Loads (T, k) in the order of G, G_2, G_3, each on treads and interfaces, with the signs of their terms."""
    loads, treads = _loads(history), history.tread_wrench[0].size
    return [sign * part for m, sign in enumerate(SIGNS) for part in np.split(loads[:, 2 * m], [treads], axis=1)]


def _loads(history):
    """Loads on treads and interfaces (T, 7, K), each followed by its six time derivatives."""
    wrenches = np.concatenate([history.tread_wrench, history.interface_wrench], axis=1)
    orders, treads = 1 + history.tread_rate.shape[1], history.tread_wrench.shape[1]
    out = np.empty((len(wrenches), orders, *wrenches.shape[1:]))
    out[:, 0], out[:, 1:, :treads], out[:, 1:, treads:] = wrenches, history.tread_rate, history.interface_rate
    return out.reshape(*out.shape[:2], -1)


def _table(body, node):
    """Influence (S, 9, 3, K) of `_loads` on displacement and stress of a control node by G, G_2, G_3 with their signs:
    0 for those that do not converge."""
    control, series = body.control, float(series_holds(body))
    columns = []
    for load in ("tread", "interface"):
        rows = []
        for quantity in ("displacement", "stress"):
            later = getattr(control, f"{load}_{quantity}_dynamic")[:, node]
            own = np.concatenate([getattr(control, f"{load}_{quantity}")[node][None], series * later])
            own = own * np.reshape(SIGNS, (-1, *(1,) * (own.ndim - 1)))
            rows.append(np.moveaxis(own.reshape(*own.shape[:3], -1), 0, 2))
        columns.append(np.concatenate(rows, axis=1))
    return np.concatenate(columns, axis=-1)


def _near_spline(body, k):
    table = np.concatenate([body.near.displacement[k], body.near.stress[k]], axis=1)
    return influence_spline(table.reshape(*table.shape[:2], 1, -1))


def _near_splines(body, k):
    """Splines for a near node: of smooth loads, of what patches leave of wrenches on the treads, of all other loads."""
    table, treads = _table(body, body.near.node[k]), 6 * len(body.treads)
    left = smoothed(body, k, table[:, :, 0, :treads].reshape(*table.shape[:2], -1, 6))
    table[:, :, 0, :treads] = 0.0
    return _near_spline(body, k), influence_spline(left.reshape(*table.shape[:2], 1, -1)), influence_spline(table)


def _chunk(body, history, loads, influences, tables):
    control = body.control
    modal = _modal_values(body, history)
    shape = (len(history.spin), len(control.node_id), 2)
    out = {name: np.empty((*shape, part.stop - part.start)) for name, part in VALUES.items()}
    out["absolute_acceleration"] = np.empty((*shape, 3))
    for node in range(shape[1]):
        angle = body.treads[0].angle[control.home[node]] + np.zeros(shape[0])
        angle = {"rotating": angle + history.spin, "fixed": angle}
        values = {point: modal[point][:, node].copy() for point in POINTS}
        if loads is not None:
            _add_residual(body, node, history, loads, angle, values, influences, tables)
        prestress = body.control.prestress[node]
        for point, value in values.items() if np.any(prestress) else ():
            own = point == "rotating"
            value[:, VALUES["stress"]] += (
                prestress[body.control.home[node]] if own else _around(body, prestress, node, history)
            )
        for p, point in enumerate(POINTS):
            for name, part in VALUES.items():
                out[name][:, node, p] = values[point][:, part]
            moved = (values[point][:, part] for part in list(VALUES.values())[:3])
            out["absolute_acceleration"][:, node, p] = _absolute(control.position[node], history, angle[point], *moved)
    out["radial_displacement"] = -out["displacement"][..., 2]
    out["von_mises"] = von_mises(out["stress"])
    return out


def _add_residual(body, node, history, loads, angle, values, influences, tables):
    """Add what the truncated modes have at a node to the `values` of each point."""
    near = next((k for k in np.flatnonzero(body.near.node == node) if (k, "fixed") in tables), None)
    if near is None:
        acting = [(_kept(influences, node, lambda: influence_spline(_table(body, node))), loads)]
    else:
        smooth, of_left, others = _kept(influences, ("near", near), lambda: _near_splines(body, near))
        wrench, acting = loads[:, :3, : 6 * len(body.treads)], [(others, loads)]
        own = near_loads(body, near, history.patches, wrench)
    rates = np.stack([history.body_velocity[:, 5], history.body_acceleration[:, 5]], axis=1)
    for point, value in values.items():
        for influence, load in acting:
            add_residual_motion(influence, load, angle[point], rates, value)
        if near is not None:
            held = _near(body, near, tables[near, point], (smooth, of_left), own, angle[point], rates)
            value += held
            if point == "fixed" and history.patches_beside is not None:
                motion = tables[near, point], (smooth[:, :3].copy(), of_left[:, :3].copy())
                beside = (near_loads(body, near, history.patches_beside[:, k], wrench) for k in range(2))
                fields = [_near(body, near, *motion, loads, angle[point], rates)[:, :6] for loads in beside]
                value[:, 3:9] += rates_of_moves(fields[0], held[:, :6], fields[1])
        centrifugal = body.control.centrifugal_displacement[node], body.control.centrifugal_stress[node]
        for name, table in zip(("displacement", "stress"), centrifugal, strict=True):
            at_home = point == "rotating" or _of_revolution(body)
            rows = table[body.control.home[node]] if at_home else _around(body, table, node, history)
            value[:, VALUES[name]] += history.body_velocity[:, 5:] ** 2 * rows


def _near(body, k, tables, splines, loads, angle, rates):
    """Values (T, 15) of a near node by `near_loads`: patches, smooth loads and what is left of the wrenches."""
    (smooth, of_left), (patches, left), values = splines, loads, np.zeros((len(angle), 15))
    if of_left is not None:
        add_residual_motion(of_left, left, angle, rates, values)
    for load in patches:
        at, turning = angle[load.rows], rates[load.rows]
        added = patch_field(body, k, tables, load, at, turning, smooth.shape[1])
        add_residual_motion(smooth, load.smooth, at + load.ahead, turning, added, load.first)
        values[load.rows] += added
    return values


def rates_of_moves(before, now, after):
    """What moves of the patches have of velocity and acceleration (T, 6) at a near node.

    With D the derivative as the patches move, node and load held, these are D u and 2 D u' + D^2 u of displacement u
    and velocity u' (T, 6) under patches at rest: under those that there are, and a RATE_TIME before and after.
    """
    once = (after - before) / (2.0 * RATE_TIME)
    twice = (after[:, :3] - 2.0 * now[:, :3] + before[:, :3]) / RATE_TIME**2
    return np.concatenate([once[:, :3], 2.0 * once[:, 3:] + twice], axis=1)


def rolling_displacement(body, k, patches, wrench, angle, rate):
    """Displacement (T, 3) of the k-th near node of a body without modes under wrenches (T, 3, 5 W), steadily turned."""
    rates = np.outer(np.ones(len(angle)), [rate, 0.0])
    tables = patch_tables(body, k, patches, rates[:, 0], True, {})
    loads = near_loads(body, k, patches, wrench)
    return _near(body, k, tables, (_near_spline(body, k), None), loads, angle, rates)[:, VALUES["displacement"]]


def _modal_values(body, history):
    """(T, C, 15) columns VALUES of the modes: of the rotating nodes and of the fixed points."""
    control, w, w1, w2 = body.control, history.modal_position, history.modal_velocity, history.modal_acceleration
    if history.mode != "lagrangian" and history.rates == "spatial":
        spin_rate, spin_acceleration = history.body_velocity[:, 5], history.body_acceleration[:, 5]
        w1, w2 = material_rates(body.generator, w, w1, w2, spin_rate, spin_acceleration)
    count, nodes = len(w), len(control.home)
    tables, home = (control.displacement_rows, control.stress_rows), (np.arange(nodes), control.home)
    moving, stressing = (table[home].reshape(-1, w.shape[1]) for table in tables)

    def values(motion, stress):
        return np.concatenate([part.reshape(count, nodes, -1) for part in (*motion, stress)], axis=2)

    still = values([x @ moving.T for x in (w, w1, w2)], w @ stressing.T)
    if not _of_revolution(body):
        fixed = []
        for node in range(nodes):
            along, stress = (_around(body, table[node], node, history) for table in tables)
            parts = [
                np.einsum("tih,th->ti", rows, x) for rows, x in ((along, w), (along, w1), (along, w2), (stress, w))
            ]
            fixed.append(np.concatenate(parts, axis=1))
        return {"rotating": still, "fixed": np.stack(fixed, axis=1)}
    spinning, turning = history.mode == "lagrangian", mode_turning(body.generator)
    angle = history.spin if spinning else -history.spin
    motion = turned_rows(turning, moving, (w, w1, w2), angle)
    other = values(motion, *turned_rows(turning, stressing, (w,), angle))
    return {"rotating": still, "fixed": other} if spinning else {"rotating": other, "fixed": still}


def _of_revolution(body):
    return bool(np.all(np.asarray(body.order) >= 0))


def _around(body, table, node, history):
    """Rows (T, n, ...) of a table (S, n, ...) at the fixed point of a mesh that is not of revolution."""
    angle = 2.0 * np.pi / len(table) * body.control.home[node] - history.spin
    return _periodic(table)(angle % (2.0 * np.pi))


def _periodic(table):
    """Periodic cubic spline around the axle through a table (S, n, k) at equal angles; nan where it is not whole."""
    if not np.all(np.isfinite(table)):
        return lambda angle, derivative=0: np.full((*np.shape(angle), *table.shape[1:]), np.nan)
    knots = np.linspace(0.0, 2.0 * np.pi, len(table) + 1)
    return CubicSpline(knots, np.concatenate([table, table[:1]]), bc_type="periodic")


def _absolute(position, history, angle, displacement, velocity, acceleration):
    """Acceleration (T, 3) with rigid-body motion, section axes at the angle where the particle is."""
    velocity6, acceleration6 = history.body_velocity, history.body_acceleration
    roll_rate, spin_rate, yaw_rate = velocity6[:, 4], velocity6[:, 5], velocity6[:, 3]
    omega = np.stack([roll_rate, spin_rate, yaw_rate], axis=1)
    alpha = np.stack(
        [acceleration6[:, 4] - yaw_rate * spin_rate, acceleration6[:, 5], acceleration6[:, 3] + roll_rate * spin_rate],
        axis=1,
    )
    radius = np.hypot(position[0], position[2])
    arm = np.array([0.0, position[1], -radius]) + displacement
    omega, alpha, centre = (_to_section(value, angle) for value in (omega, alpha, acceleration6[:, :3]))
    return (
        centre
        + np.cross(alpha, arm)
        + np.cross(omega, np.cross(omega, arm))
        + 2.0 * np.cross(omega, velocity)
        + acceleration
    )


def _to_section(vector, angle):
    """Vector (T, 3) of frame E in axes turned by Ry(angle)."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = vector.T
    return np.stack([c * x - s * z, y, s * x + c * z], axis=1)
