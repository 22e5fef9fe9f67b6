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
centrifugal load.
"""

import math
from collections import deque
from dataclasses import dataclass, replace

import numpy as np
import scipy
from scipy.interpolate import CubicSpline

from flexwheel.base.variables import LABELS
from flexwheel.body.stress import von_mises
from flexwheel.numerics.kernels import FAST, kernel
from flexwheel.results.evaluate.mode_turning import material_rates, mode_turning, turned
from flexwheel.results.evaluate.valid_band import series_holds
from flexwheel.vehicle.patch_motion import near_loads, patch_field, patch_tables, smoothed

POINTS = LABELS["point"]
CHUNK = 20_000
TERMS = (0, 1.0), (2, -1.0), (4, 1.0)  # derivative of the load that goes with G, G_2, G_3, and its sign
_influences = deque(maxlen=2)  # (ReducedBody, what influences_of found)
FINER = 16  # values of a Fourier series to a section: its spline has the curvature of the highest order within 0.4 %


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
    patches: np.ndarray | None = None  # (T, W, P, 5) contact patches, columns of patch_motion
    rates: str = "material"  # modal rates stored: material (seen from the spinning wheel) or spatial

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
    count = len(history.spin)
    loads = [] if modal_only else _loads(history)
    parts = []
    if loads and influences is None:
        influences = influences_of(body)
    tables = _patch_tables(body, history, influences) if loads else {}
    for start in range(0, count, CHUNK):
        rows = slice(start, start + CHUNK)
        some = [tuple(x[rows] for x in load) for load in loads]
        parts.append(_chunk(body, history.part(rows), some, influences, tables))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def influences_of(body):
    """(node, "displacement" or "stress") -> splines of the angle, one for each of `load_terms`: see `_influence`.

    Of near nodes ("near", k, quantity) those of smooth loads, ("left", k, quantity) of what patches leave of wrenches.
    Those of the last bodies are kept, with the tables of patches that were added to them: several runs take one body.
    """
    for known, found in _influences:
        if known is body:
            return found
    quantities = ("displacement", "stress")
    found = {
        (node, quantity): [_influence(table) for table in _tables(body, node, quantity)]
        for node in range(len(body.control.node_id))
        for quantity in quantities
    }
    for k, node in enumerate(body.near.node):
        for quantity in quantities:
            found["near", k, quantity] = _influence(getattr(body.near, quantity)[k])
            left = smoothed(body, k, getattr(body.control, f"tread_{quantity}")[node])
            found["left", k, quantity] = _influence(left)
    _influences.append((body, found))
    return found


def _patch_tables(body, history, known):
    """(near node, point) -> its `patch_motion.PatchTables`."""
    if history.patches is None:
        return {}
    rate = history.body_velocity[:, 5]
    found = {
        (k, point): patch_tables(body, k, history.patches, rate, point == "rotating", known)
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
    """Loads (T, k) in the order of `_tables`: on treads and interfaces, minus their second derivatives, the fourth."""
    return [term[0] for term in _loads(history)]


def _loads(history):
    """Loads of `load_terms`, each with its first and second time derivative."""
    count, orders = len(history.spin), []
    for load, rate in (
        (history.tread_wrench, history.tread_rate),
        (history.interface_wrench, history.interface_rate),
    ):
        orders.append([load.reshape(count, -1), *(rate[:, n].reshape(count, -1) for n in range(6))])
    return [tuple(sign * of[n] for n in range(first, first + 3)) for first, sign in TERMS for of in orders]


def _tables(body, node, quantity):
    """Influence of the loads at a control node: treads, interfaces, the same of G_2 and of G_3 (0 out of range)."""
    control, series = body.control, float(series_holds(body))
    names = [f"{load}_{quantity}" for load in ("tread", "interface")]
    later = [getattr(control, f"{name}_dynamic")[term, node] for term in range(2) for name in names]
    return [getattr(control, name)[node] for name in names] + [series * table for table in later]


def _chunk(body, history, loads, influences, tables):
    control = body.control
    views = _modal_views(body, history)
    shape = (len(history.spin), len(control.node_id), 2)
    out = {
        name: np.empty((*shape, 3)) for name in ("displacement", "velocity", "acceleration", "absolute_acceleration")
    }
    out["stress"] = np.empty((*shape, 6))
    for node in range(shape[1]):
        home_angle = body.treads[0].angle[control.home[node]]
        near = [
            (k, *near_loads(body, k, history.patches, np.array(loads[0])))
            for k in np.flatnonzero(body.near.node == node)
            if (k, "fixed") in tables
        ]
        for p, point in enumerate(POINTS):
            rows = _rows(body, history, node, point)
            w, w1, w2 = views[point]
            displacement = rows(control.displacement_rows, w)
            velocity = rows(control.displacement_rows, w1)
            acceleration = rows(control.displacement_rows, w2)
            stress = rows(control.stress_rows, w)
            angle = home_angle + (history.spin if point == "rotating" else 0.0 * history.spin)
            if loads:
                spin = history.body_velocity[:, 5], history.body_acceleration[:, 5]
                own = loads
                moving, stressing = influences[node, "displacement"], influences[node, "stress"]
                for k, patches, left in near:
                    own = [tuple(left), *loads[1:]]
                    moving = [influences["left", k, "displacement"], *moving[1:]]
                    stressing = [influences["left", k, "stress"], *stressing[1:]]
                    values = displacement, velocity, acceleration, stress
                    _add_near(body, k, patches, tables[k, point], influences, angle, spin, values)
                for influence, load in zip(moving, own, strict=True):
                    added = _residual_motion(influence, load, angle, *spin)
                    for value, more in zip((displacement, velocity, acceleration), added, strict=True):
                        value += more
                for influence, load in zip(stressing, own, strict=True):
                    stress += _lagged(influence, load, angle)[0][0]
                square = history.body_velocity[:, 5:] ** 2
                displacement += rows(control.centrifugal_displacement[..., None], square)
                stress += rows(control.centrifugal_stress[..., None], square)
            out["displacement"][:, node, p] = displacement
            out["velocity"][:, node, p] = velocity
            out["acceleration"][:, node, p] = acceleration
            out["absolute_acceleration"][:, node, p] = _absolute(
                control.position[node], history, angle, displacement, velocity, acceleration
            )
            out["stress"][:, node, p] = stress
    out["radial_displacement"] = -out["displacement"][..., 2]
    out["von_mises"] = von_mises(out["stress"])
    return out


def _add_near(body, k, near, tables, influences, angle, spin, values):
    """Add smooth loads and patches to displacement, velocity, acceleration and stress of a near node."""
    for load in near:
        at = angle + load.ahead
        moved = _residual_motion(influences["near", k, "displacement"], load.smooth, at, *spin, load.first)
        stress = _lagged(influences["near", k, "stress"], load.smooth, at, 0, load.first)[0][0]
        local = patch_field(body, k, tables, load, angle, *spin)
        parts = np.split(local, (3, 6, 9), axis=1)
        for value, smooth, patch in zip(values, (*moved, stress), parts, strict=True):
            value += smooth
            value += patch


def rolling_displacement(body, k, patches, wrench, angle, rate):
    """Displacement (T, 3) of the k-th near node of a body without modes under wrenches (3, T, 5 W), steadily turned."""
    spin = np.full(len(angle), rate), np.zeros(len(angle))
    influences = {("near", k, name): _influence(getattr(body.near, name)[k]) for name in ("displacement", "stress")}
    values = tuple(np.zeros((len(angle), n)) for n in (3, 3, 3, 6))
    tables = patch_tables(body, k, patches, spin[0], True, {})
    _add_near(body, k, near_loads(body, k, patches, wrench)[0], tables, influences, angle, spin, values)
    return values[0]


def _modal_views(body, history):
    """Coefficients (w, w', w'') that the home rows take, for the rotating node and the fixed point."""
    w, w1, w2 = history.modal_position, history.modal_velocity, history.modal_acceleration
    if history.mode != "lagrangian" and history.rates == "spatial":
        spin_rate, spin_acceleration = history.body_velocity[:, 5], history.body_acceleration[:, 5]
        w1, w2 = material_rates(body.generator, w, w1, w2, spin_rate, spin_acceleration)
    if not _of_revolution(body):
        return {"rotating": (w, w1, w2), "fixed": (w, w1, w2)}
    turning = mode_turning(body.generator)
    if history.mode == "lagrangian":
        return {
            "rotating": (w, w1, w2),
            "fixed": tuple(turned(turning, value, history.spin) for value in (w, w1, w2)),
        }
    return {
        "rotating": tuple(turned(turning, value, -history.spin) for value in (w, w1, w2)),
        "fixed": (w, w1, w2),
    }


def _of_revolution(body):
    return bool(np.all(np.asarray(body.order) >= 0))


def _rows(body, history, node, point):
    """Function (table (C, S, n, H), w (T, H)) -> (T, n) at the node or the fixed point."""
    home = body.control.home[node]
    if point == "rotating" or _of_revolution(body):
        return lambda table, w: w @ table[node, home].T
    angle = 2.0 * np.pi / body.control.displacement_rows.shape[1] * home - history.spin
    return lambda table, w: np.einsum("tih,th->ti", _periodic(table[node])(angle % (2.0 * np.pi)), w)


def _residual_motion(influence, load, angle, rate, acceleration, first=None):
    """Displacement, velocity, acceleration (T, 3) of the truncated modes at `angle` (T,) from the loaded section."""
    if influence is None:
        return 0.0, 0.0, 0.0
    rate, acceleration = rate[:, None], acceleration[:, None]
    (u, u1, u2), (turned, turned1), (turned2,) = _lagged(influence, load, angle, 2, first)
    return u, rate * turned + u1, rate**2 * turned2 + acceleration * turned + 2.0 * rate * turned1 + u2


def _influence(table):
    """Influence table (lag, n, ...) as the coefficients (S, 4, n, k) of a periodic spline; None where it is nothing.

    Fourier's series through the sections, as `node_motion` takes it; a spline through many of its values.
    """
    table = table.reshape(*table.shape[:2], -1)
    if table.shape[-1] == 0 or not np.any(table):
        return None
    if not np.all(np.isfinite(table)):
        return np.full((1, 4, *table.shape[1:]), np.nan)
    spline = _periodic(scipy.signal.resample(table, FINER * len(table)))
    return np.ascontiguousarray(np.moveaxis(spline.c, 0, 1))


def _lagged(influence, loads, angle, derivatives=0, first=None):
    """Influence at angle (T,) times each of the loads (T, k), which begin at its column `first` (T,), 0 where left out;
    with derivatives D its d-th derivative times the first D + 1 - d of them: lists of (T, n)."""
    if influence is None:
        return [[0.0] * (derivatives + 1 - d) for d in range(derivatives + 1)]
    out = np.empty((6 if derivatives else 1, len(angle), influence.shape[2]))
    stacked = np.stack([np.asarray(load, dtype=float) for load in loads[: derivatives + 1]])
    first = np.zeros(len(angle), dtype=np.int64) if first is None else first
    influence_times(influence, np.asarray(angle, dtype=float), first, stacked, out)
    return [out[:3], out[3:5], out[5:]] if derivatives else [out]


@kernel(fastmath=FAST)
def influence_times(influence, angle, first, loads, out):
    """Products of a periodic spline (S, 4, n, K) and its derivatives at angle (T,) with loads (L, T, k).

    first : (T,)   column that belongs to the first load
    out : (1, T, n) of value and load; or (6, T, n): of the value with the load and its two rates, of the first
    derivative with load and rate, of the second with the load; nan where the angle is not finite
    """
    sections, _, rows, _ = influence.shape
    columns = loads.shape[2]
    step = 2.0 * math.pi / sections
    for t in range(angle.shape[0]):
        if not math.isfinite(angle[t]):
            out[:, t] = math.nan
            continue
        if not np.any(loads[:, t]):  # a patch that is not there
            out[:, t] = 0.0
            continue
        place = angle[t] / (2.0 * math.pi)
        place = (place - math.floor(place)) * sections
        i = min(int(place), sections - 1)
        x, c = (place - i) * step, influence[i, :, :, first[t] : first[t] + columns]
        for r in range(rows):
            a, b, d, e, f, g = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for k in range(columns):
                value = c[3, r, k] + x * (c[2, r, k] + x * (c[1, r, k] + x * c[0, r, k]))
                a += value * loads[0, t, k]
                if out.shape[0] > 1:
                    slope = c[2, r, k] + x * (2.0 * c[1, r, k] + x * 3.0 * c[0, r, k])
                    b += value * loads[1, t, k]
                    d += value * loads[2, t, k]
                    e += slope * loads[0, t, k]
                    f += slope * loads[1, t, k]
                    g += (2.0 * c[1, r, k] + x * 6.0 * c[0, r, k]) * loads[0, t, k]
            out[0, t, r] = a
            if out.shape[0] > 1:
                out[1, t, r], out[2, t, r], out[3, t, r], out[4, t, r], out[5, t, r] = b, d, e, f, g


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
        [
            acceleration6[:, 4] - yaw_rate * spin_rate,
            acceleration6[:, 5],
            acceleration6[:, 3] + roll_rate * spin_rate,
        ],
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
