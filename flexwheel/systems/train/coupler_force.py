"""Force of a coupling system by its loading and unloading tables, with a smooth transition.

A coupling system is a draft side and a buff side, each one-sided: it acts when its compression
``delta`` is positive, and each has its own loading and unloading table. A coupler with clearance has
the sides apart by the clearance; hook and buffers with pretension have them overlapping.

Source: eq (7) of the paper on LTDPoliTo as a user force element of a multibody code (docs/train.md),
written per side so that overlapping sides each know their own loading direction.
Verified in tests/systems/train/test_train_coupler_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel

DRAFT, BUFF = 0, 1


class CouplerTables(NamedTuple):
    """Tables of every kind of coupling system in the train, packed for the kernels.

    Axes: kind, side (0 draft, 1 buff), knot.
    """

    count: np.ndarray  # (kinds, 2) int            knots in use, >= 2
    delta: np.ndarray  # (kinds, 2, knots) [m]     compression, first knot 0
    loading: np.ndarray  # (kinds, 2, knots) [N]   F_L >= F_U
    unloading: np.ndarray  # (kinds, 2, knots) [N] F_U
    loading_slope: np.ndarray  # (kinds, 2, knots) [N/m]   from each knot on; of the last: the solid gear
    unloading_slope: np.ndarray  # (kinds, 2, knots) [N/m]
    free: np.ndarray  # (kinds, 2) [m]             deflection at which the side engages, in its own sense
    transition_speed: np.ndarray  # (kinds,) [m/s] v_eps
    damping: np.ndarray  # (kinds,) [N s/m]        viscous, while either side is engaged
    smooth: np.ndarray  # (kinds,) bool            one straight line through zero: no branches to locate


@kernel
def side_curves(delta, kind, side, tables):
    """Loading and unloading force of one engaged side and their slopes: (F_L, k_L, F_U, k_U)."""
    last = tables.count[kind, side] - 1
    j = 0
    while j < last and delta >= tables.delta[kind, side, j + 1]:
        j += 1
    along = delta - tables.delta[kind, side, j]
    k_l, k_u = tables.loading_slope[kind, side, j], tables.unloading_slope[kind, side, j]
    return tables.loading[kind, side, j] + k_l * along, k_l, tables.unloading[kind, side, j] + k_u * along, k_u


@kernel
def side_force(delta, rate, kind, side, tables):
    """Force of one engaged side (delta > 0) and its derivatives: (F, dF/d delta, dF/d rate)."""
    f_l, k_l, f_u, k_u = side_curves(delta, kind, side, tables)
    v_eps = tables.transition_speed[kind]
    if rate >= v_eps:
        return f_l, k_l, 0.0
    if rate <= -v_eps:
        return f_u, k_u, 0.0
    f_a = 0.5 * (f_l - f_u)
    return (
        0.5 * (f_l + f_u) + f_a * rate / v_eps,  # 002 (7)
        0.5 * (k_l + k_u) + 0.5 * (k_l - k_u) * rate / v_eps,
        f_a / v_eps,
    )


@kernel
def coupler_force(x, w, kind, tables):
    """Force of a coupling system, draft positive.

    Parameters
    ----------
    x : float [m]      deflection, positive when the vehicles are further apart than at mid-clearance
    w : float [m/s]    its rate
    kind : int         row of the tables

    Returns
    -------
    F, dF/dx, dF/dw : floats [N, N/m, N s/m]
    """
    force, k, c = 0.0, 0.0, 0.0
    for side in range(2):
        sign = 1.0 - 2.0 * side
        delta = sign * x - tables.free[kind, side]
        if delta > 0.0:
            f, f_x, f_w = side_force(delta, sign * w, kind, side, tables)
            force += sign * f + tables.damping[kind] * w
            k += f_x
            c += f_w + tables.damping[kind]
    return force, k, c


@kernel
def coupler_state(x, w, kind, tables):
    """Branch of the law as one number: per side 0 free, 1 unloading, 2 transition, 3 loading; draft + 4 buff."""
    v_eps = tables.transition_speed[kind]
    draft, buff = 0, 0
    if x > tables.free[kind, DRAFT]:
        draft = 3 if w >= v_eps else (1 if w <= -v_eps else 2)
    if -x > tables.free[kind, BUFF]:
        buff = 3 if -w >= v_eps else (1 if -w <= -v_eps else 2)
    return draft + 4 * buff


@kernel
def coupler_energy(x, kind, tables):
    """Energy stored [J]: the integral of the mean curve F_M, so that what is lost is never negative."""
    energy = 0.0
    for side in range(2):
        delta = (1.0 - 2.0 * side) * x - tables.free[kind, side]
        if delta <= 0.0:
            continue
        for j in range(tables.count[kind, side]):
            start = tables.delta[kind, side, j]
            if delta <= start:
                break
            width = delta - start
            if j < tables.count[kind, side] - 1:
                width = min(width, tables.delta[kind, side, j + 1] - start)
            force = 0.5 * (tables.loading[kind, side, j] + tables.unloading[kind, side, j])
            slope = 0.5 * (tables.loading_slope[kind, side, j] + tables.unloading_slope[kind, side, j])
            energy += force * width + 0.5 * slope * width * width
    return energy


@kernel
def coupler_dissipation(x, w, kind, tables):
    """Power lost in the coupling system [W]: (F - F_M) w summed over its sides, >= 0."""
    power = 0.0
    for side in range(2):
        sign = 1.0 - 2.0 * side
        delta = sign * x - tables.free[kind, side]
        if delta > 0.0:
            f_l, _, f_u, _ = side_curves(delta, kind, side, tables)
            force, _, _ = side_force(delta, sign * w, kind, side, tables)
            power += (force - 0.5 * (f_l + f_u)) * sign * w + tables.damping[kind] * w * w
    return power
