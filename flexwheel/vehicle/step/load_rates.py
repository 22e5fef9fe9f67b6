"""Time derivatives of the loads of flexible wheelsets, formed in the time loop from its own steps.

The static residual of the truncated modes moves as its loads do (control_nodes), so that motion at a node needs
derivatives of wheel and journal forces. Here they are central differences over steps of the run, whatever it samples:
of the loads of `REACH` spacings before and after a step, so that they are known that much later (`simulate_record`).

First and second derivative are of eighth order, the higher ones those of derivatives: 2 = D2, 3 = D1 D2, 4 = D2 D2,
5 = D1 D2 D2, 6 = D2 D2 D2. Their spacing h is the whole number of steps nearest to SPACING. At w h = 0.79 (1250 Hz at
1e-4 s) D1 is 0.02 %, D2 0.005 % small; no factor of D2 is above the square of 4.1 kHz, so that what lies above the
band of the truncated modes' series is not blown up.

Source of the weights: Fornberg 1988, Mathematics of Computation 51, 699-706, table 1.
Verified in tests/vehicle/test_load_rates_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.variables import LABELS, MOVING, PATCH_MAX
from flexwheel.numerics.kernels import FAST, handle, kernel
from flexwheel.vehicle.step.patch_rates import form_patch_rates, keep_patches, low_pass

FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0.0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
SPACING = 1e-4
"""Spacing [s] of the differences, to the nearest whole number of steps."""
RATE_TIME = 1e-4
"""Unit of time [s] of the derivatives: the n-th is d^n/dt^n times RATE_TIME^n, in the unit of the load."""
ORDERS = len(LABELS["derivative"])
REACH = 12
"""Spacings on either side that the highest derivative takes."""


class LoadRates(NamedTuple):
    """Loads of the last steps, and derivatives of those in their middle.

    Columns of a row: flexible wheelset; wheels left and right, journals left and right; force and moment, frame E.
    """

    wheelset: np.ndarray  # (F,) numbers of the wheelsets whose loads these are
    history: np.ndarray  # (P, 24 F) ring of the last P = 2 REACH spacings + 1 steps [N, N m]; P = 0: nothing is formed
    place: np.ndarray  # (1,) row of the last step
    weights: np.ndarray  # (ORDERS, 2 REACH + 1) of rows a spacing apart
    present: np.ndarray  # (ORDERS, 24 F) scratch
    load_rate: np.ndarray  # (F, 2, ORDERS, 6) of the wheels' wrench about P: d^n/dt^n times RATE_TIME^n [N, N m]
    interface_rate: np.ndarray  # (F, 2, ORDERS, 6) of the journals'
    near: np.ndarray  # (N, 2) wheelset in the order of `wheelset`, and side, of wheels whose patches have rates
    patches: np.ndarray  # (N, P, patch, MOVING) ring as `history`, single precision: fewer bytes, in the cache
    patch_weights: np.ndarray  # (2, 2 REACH + 1) of rows a spacing apart, for the derivatives of patches
    patch_rate: np.ndarray  # (F, 2, 2, MOVING, patch) first and second, times RATE_TIME^n


def make_load_rates(wheelsets=(), step=0.0, near=()) -> LoadRates:
    """LoadRates of the wheelsets of these numbers for steps of `step` [s]; of none, it forms nothing.

    near : sequence of (int, int)    wheelset in this order and side of the wheels whose patches have rates
    """
    wheelset, place = np.array(wheelsets, dtype=np.int64), np.zeros(1, dtype=np.int64)
    wheels = np.array(near, dtype=np.int64).reshape(-1, 2)
    patch_rate = np.zeros((len(wheelset) * (len(wheels) > 0), 2, 2, len(MOVING), PATCH_MAX))
    spacing, n = rate_spacing(step) if len(wheelset) else 1, 24 * len(wheelset)
    steps = 2 * REACH * spacing + 1 if len(wheelset) else 0
    rate = np.zeros((len(wheelset), 2, ORDERS, 6))
    unit = (RATE_TIME / (spacing * step or 1.0)) ** np.arange(1, ORDERS + 1)[:, None]
    weights, smooth = unit * rate_weights(), unit[:2] * [np.convolve(row, low_pass()) for row in (FIRST, SECOND)]
    patches = np.zeros((len(wheels), steps, PATCH_MAX, len(MOVING)), dtype=np.float32)
    return LoadRates(
        wheelset, np.zeros((steps, n)), place, weights, np.zeros((ORDERS, n)), rate, rate.copy(), wheels, patches,
        smooth, patch_rate,
    )  # fmt: skip


def rate_spacing(step):
    """Steps of `step` [s] between the loads that a difference takes."""
    return max(1, round(SPACING / step))


def rate_weights():
    """(ORDERS, 2 REACH + 1) weights of the derivatives 1 to ORDERS for samples one apart."""
    rows, even = [], np.ones(1)
    for _ in range(ORDERS // 2):
        rows += [np.convolve(even, FIRST), np.convolve(even, SECOND)]
        even = rows[-1]
    return np.array([np.pad(row, (2 * REACH + 1 - len(row)) // 2) for row in rows])


def rate_delay(loads):
    """Steps by which `form_rates` lags."""
    return len(loads.history) // 2


def begin_loads(model, state, work):
    """Fill the history with the present loads, as of a vehicle that has stood in its equilibrium."""
    loads = state.loads
    if len(loads.history):
        keep_loads(handle(model), handle(state), handle(work))
        loads.history[:] = loads.history[loads.place[0]]
        loads.patches[:] = loads.patches[:, loads.place[0], None]


@kernel
def keep_loads(model, state, work):
    """Put the loads of the accepted step, and the patches under them, into the history."""
    loads = state.loads
    if loads.history.shape[0] == 0:
        return
    turn_history(loads)
    row = loads.history[loads.place[0]]
    for f in range(loads.wheelset.shape[0]):
        w = loads.wheelset[f]
        o = model.units.offset[model.wheelsets.unit[w]]
        yaw, roll = state.history[0, 0, o + 3], state.history[0, 0, o + 4]
        cy, sy, cr, sr = np.cos(yaw), np.sin(yaw), np.cos(roll), np.sin(roll)
        for side in range(2):
            for part in range(2):
                wrench, c = state.wrench[w, side, 3 * part :], 24 * f + 6 * side + 3 * part
                x, y, z = wrench[0], wrench[1], wrench[2]
                across = cy * y - sy * x
                row[c] = cy * x + sy * y
                row[c + 1] = cr * across + sr * z
                row[c + 2] = cr * z - sr * across
            for c in range(6):
                row[24 * f + 12 + 6 * side + c] = state.interface_force[w, side, c]
    keep_patches(loads, work)


@kernel
def turn_history(loads):
    """Make the oldest row of the history the present one."""
    loads.place[0] = (loads.place[0] + 1) % loads.history.shape[0]


@kernel
def hold_loads(loads):
    """Go on in the history with the loads of the last step."""
    last = loads.place[0]
    turn_history(loads)
    row = loads.history[loads.place[0]]
    for k in range(row.shape[0]):
        row[k] = loads.history[last, k]
    for n in range(loads.patches.shape[0]):
        patches = loads.patches[n, loads.place[0]]
        for p in range(patches.shape[0]):
            for k in range(patches.shape[1]):
                patches[p, k] = loads.patches[n, last, p, k]


@kernel(fastmath=FAST)
def form_rates(loads):
    """Derivatives of the loads as they were half a history ago."""
    steps, out = loads.history.shape[0], loads.present
    taps = loads.weights.shape[1]
    out[:, :] = 0.0
    for tap in range(taps):
        row = loads.history[(loads.place[0] + 1 + tap * (steps - 1) // (taps - 1)) % steps]
        for order in range(out.shape[0]):
            weight, total = loads.weights[order, tap], out[order]
            if weight != 0.0:
                for k in range(row.shape[0]):
                    total[k] += weight * row[k]
    for f in range(loads.load_rate.shape[0]):
        for side in range(2):
            for order in range(out.shape[0]):
                for c in range(6):
                    loads.load_rate[f, side, order, c] = out[order, 24 * f + 6 * side + c]
                    loads.interface_rate[f, side, order, c] = out[order, 24 * f + 12 + 6 * side + c]
    form_patch_rates(loads)
