"""Where inside a step a coupling changes its branch, and the largest force and deflection on the way.

A draft gear leaves its loading curve when its rate falls through v_eps, a few milliseconds before it stops: the
largest force of a run lies there, between the steps. It is found on the cubic Hermite curves of the step.
"""

from flexwheel.kernels import kernel
from flexwheel.train.coupler_force import BUFF, DRAFT, coupler_force, coupler_state

TOUCHES = 32  # samples of a touch on either side of its middle


@kernel
def hermite(z, y0, d0, y1, d1):
    """Cubic through values y and slopes d (per unit of z) at z = 0 and 1."""
    u = 1.0 - z
    return y0 * u * u * (1.0 + 2.0 * z) + y1 * z * z * (3.0 - 2.0 * z) + d0 * z * u * u - d1 * z * z * u


@kernel
def crossing(target, y0, d0, y1, d1):
    """First z in (0, 1] at which the Hermite curve from y0 to y1 reaches target between them."""
    lo, hi = 0.0, 1.0
    f_lo = y0 - target
    f_hi = y1 - target
    for _ in range(30):
        z = lo - f_lo * (hi - lo) / (f_hi - f_lo)
        if z < lo + 0.02 * (hi - lo):
            z = lo + 0.02 * (hi - lo)
        elif z > hi - 0.02 * (hi - lo):
            z = hi - 0.02 * (hi - lo)
        f = hermite(z, y0, d0, y1, d1) - target
        if (f > 0.0) == (f_hi > 0.0):
            hi, f_hi = z, f
        else:
            lo, f_lo = z, f
        if hi - lo < 1e-7:
            break
    return hi


@kernel
def branch_change(h, x0, w0, b0, x1, w1, b1, kind, tables):
    """Fraction of the step at which the coupling first changes its branch; 2 if it does not.

    Parameters
    ----------
    x0, w0, b0 : deflection, rate, acceleration at the start of the step; x1, w1, b1 at its end
    """
    if tables.smooth[kind]:
        return 2.0
    if coupler_state(x0, w0, kind, tables) == coupler_state(x1, w1, kind, tables):
        return 2.0
    first = 2.0
    v_eps = tables.transition_speed[kind]
    for side in range(2):
        sign = 1.0 if side == DRAFT else -1.0
        free = sign * tables.free[kind, side]
        if (x0 - free) * (x1 - free) < 0.0:
            first = min(first, crossing(free, x0, h * w0, x1, h * w1))
        if sign * x0 > tables.free[kind, side] or sign * x1 > tables.free[kind, side]:
            for s in (-1.0, 1.0):
                limit = s * v_eps
                if (w0 - limit) * (w1 - limit) < 0.0:
                    first = min(first, crossing(limit, w0, h * b0, w1, h * b1))
    return first


@kernel
def touch(h, x0, w0, b0, x1, w1, b1, kind, sign, tables):
    """A side that is free at both ends of a step and may touch between: (z, sign*force, x), the largest of each."""
    z_most, most = 1.0, 0.0
    turn = crossing(0.0, w0, h * b0, w1, h * b1)
    far = hermite(turn, x0, h * w0, x1, h * w1)
    side = 0 if sign > 0.0 else 1
    if sign * far > tables.free[kind, side]:
        for k in range(1, 2 * TOUCHES):
            z = turn * k / TOUCHES
            if z >= 1.0:
                break
            x, w = hermite(z, x0, h * w0, x1, h * w1), hermite(z, w0, h * b0, w1, h * b1)
            f, _, _ = coupler_force(x, w, kind, tables)
            if sign * f > most:
                z_most, most = z, sign * f
    return z_most, most, far


@kernel
def keep_extremes(h, x0, w0, b0, x1, w1, b1, force1, kind, tables, peak_force, peak_x):
    """Update the largest draft and buff force, peak_force (2,), and deflection, peak_x (2,), over a step.

    Returns
    -------
    z, side : fraction of the step of a new largest force inside it (1 at its end), and its side; side -1 if none
    """
    z_new, side_new = 1.0, -1
    if force1 > peak_force[DRAFT]:
        peak_force[DRAFT], side_new = force1, DRAFT
    if force1 < peak_force[BUFF]:
        peak_force[BUFF], side_new = force1, BUFF
    if x1 > peak_x[DRAFT]:
        peak_x[DRAFT] = x1
    if x1 < peak_x[BUFF]:
        peak_x[BUFF] = x1
    v_eps = tables.transition_speed[kind]
    for side in range(2):
        sign = 1.0 if side == DRAFT else -1.0
        if sign * x0 <= tables.free[kind, side] and sign * x1 <= tables.free[kind, side]:
            if sign * w0 > 0.0 and sign * w1 < 0.0:
                z, f, x = touch(h, x0, w0, b0, x1, w1, b1, kind, sign, tables)
                if f > peak_force[side] * sign:
                    peak_force[side], z_new, side_new = sign * f, z, side
                if sign * x > sign * peak_x[side]:
                    peak_x[side] = x
            continue
        free = sign * tables.free[kind, side]
        if (x0 - free) * (x1 - free) < 0.0:  # the damper alone at the very edge: its force jumps there
            z = crossing(free, x0, h * w0, x1, h * w1)
            f = tables.damping[kind] * hermite(z, w0, h * b0, w1, h * b1)
            own = DRAFT if f > 0.0 else BUFF
            if abs(f) > abs(peak_force[own]):
                peak_force[own], z_new, side_new = f, z, own
        if sign * w0 > v_eps and sign * w1 < v_eps:
            z = crossing(sign * v_eps, w0, h * b0, w1, h * b1)
            x = hermite(z, x0, h * w0, x1, h * w1)
            f, _, _ = coupler_force(x, sign * v_eps, kind, tables)
            if f * sign > peak_force[side] * sign:
                peak_force[side], z_new, side_new = f, z, side
        if sign * w0 > 0.0 and sign * w1 < 0.0:
            z = crossing(0.0, w0, h * b0, w1, h * b1)
            x = hermite(z, x0, h * w0, x1, h * w1)
            if sign * x > sign * peak_x[side]:
                peak_x[side] = x
    return z_new, side_new
