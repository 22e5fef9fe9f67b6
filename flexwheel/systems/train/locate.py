"""Where inside a step a coupling changes its branch, and the largest force and deflection on the way.

A draft gear leaves its loading curve when its rate falls through v_eps, a few milliseconds before it stops: the
largest force of a run lies there, between the steps. It is found on the cubic Hermite curves of the step.
"""

from typing import NamedTuple

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_force import BUFF, DRAFT, coupler_force, coupler_state

TOUCHES = 32  # samples of a touch on either side of its middle


class Path(NamedTuple):
    """A coupling over a step h [s]: deflection x [m], rate w [m/s], acceleration b [m/s2] at its begin 0 and end 1."""

    h: float
    x0: float
    w0: float
    b0: float
    x1: float
    w1: float
    b1: float


@kernel
def path_behind(g, h, begin, end):
    """Path of the coupling behind group g."""
    s0, r0, s1, r1 = begin.state, begin.rates, end.state, end.rates
    w0, w1 = s0.v[g] - s0.v[g + 1], s1.v[g] - s1.v[g + 1]
    return Path(h, s0.x[g], w0, r0.a[g] - r0.a[g + 1], s1.x[g], w1, r1.a[g] - r1.a[g + 1])


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
def deflection_at(z, path):
    """Deflection [m] at the fraction z of the step."""
    return hermite(z, path.x0, path.h * path.w0, path.x1, path.h * path.w1)


@kernel
def rate_at(z, path):
    """Rate [m/s] at the fraction z of the step."""
    return hermite(z, path.w0, path.h * path.b0, path.w1, path.h * path.b1)


@kernel
def when_deflected(x, path):
    """Fraction of the step at which the deflection is x, between those of its ends."""
    return crossing(x, path.x0, path.h * path.w0, path.x1, path.h * path.w1)


@kernel
def when_fast(w, path):
    """Fraction of the step at which the rate is w, between those of its ends."""
    return crossing(w, path.w0, path.h * path.b0, path.w1, path.h * path.b1)


@kernel
def same_branch(path, kind, tables):
    """Whether the coupling is on one branch of its law at both ends."""
    return coupler_state(path.x0, path.w0, kind, tables) == coupler_state(path.x1, path.w1, kind, tables)


@kernel
def branch_change(path, kind, tables):
    """Fraction of the step at which the coupling first changes its branch; 2 if it does not."""
    if tables.smooth[kind] or same_branch(path, kind, tables):
        return 2.0
    first = 2.0
    v_eps = tables.transition_speed[kind]
    for side in range(2):
        sign = 1.0 if side == DRAFT else -1.0
        free = sign * tables.free[kind, side]
        if (path.x0 - free) * (path.x1 - free) < 0.0:
            first = min(first, when_deflected(free, path))
        if sign * path.x0 > tables.free[kind, side] or sign * path.x1 > tables.free[kind, side]:
            for s in (-1.0, 1.0):
                limit = s * v_eps
                if (path.w0 - limit) * (path.w1 - limit) < 0.0:
                    first = min(first, when_fast(limit, path))
    return first


@kernel
def touch(path, kind, sign, tables):
    """A side that is free at both ends of a step and may touch between: (z, sign*force, x), the largest of each."""
    z_most, most = 1.0, 0.0
    turn = when_fast(0.0, path)
    far = deflection_at(turn, path)
    side = DRAFT if sign > 0.0 else BUFF
    if sign * far > tables.free[kind, side]:
        for k in range(1, 2 * TOUCHES):
            z = turn * k / TOUCHES
            if z >= 1.0:
                break
            f, _, _ = coupler_force(deflection_at(z, path), rate_at(z, path), kind, tables)
            if sign * f > most:
                z_most, most = z, sign * f
    return z_most, most, far


@kernel
def keep_extremes(path, force1, kind, tables, peak_force, peak_x):
    """Update the largest draft and buff force, peak_force (2,), and deflection, peak_x (2,), over a step.

    Returns
    -------
    z, side : fraction of the step of a new largest force inside it (1 at its end), and its side; side -1 if none
    """
    z_new, side_new = 1.0, -1
    v_eps = tables.transition_speed[kind]
    for side in range(2):
        sign = 1.0 if side == DRAFT else -1.0
        if sign * force1 > sign * peak_force[side]:
            peak_force[side], side_new = force1, side
        peak_x[side] = sign * max(sign * path.x1, sign * peak_x[side])
    if (path.w0 > 0.0) == (path.w1 > 0.0) and same_branch(path, kind, tables):
        return z_new, side_new
    for side in range(2):
        sign = 1.0 if side == DRAFT else -1.0
        turns = sign * path.w0 > 0.0 and sign * path.w1 < 0.0
        if sign * path.x0 <= tables.free[kind, side] and sign * path.x1 <= tables.free[kind, side]:
            if turns:
                z, f, x = touch(path, kind, sign, tables)
                if f > peak_force[side] * sign:
                    peak_force[side], z_new, side_new = sign * f, z, side
                peak_x[side] = sign * max(sign * x, sign * peak_x[side])
            continue
        free = sign * tables.free[kind, side]
        if (path.x0 - free) * (path.x1 - free) < 0.0:  # the damper alone at the very edge: its force jumps there
            z = when_deflected(free, path)
            f = tables.damping[kind] * rate_at(z, path)
            own = DRAFT if f > 0.0 else BUFF
            if abs(f) > abs(peak_force[own]):
                peak_force[own], z_new, side_new = f, z, own
        if sign * path.w0 > v_eps and sign * path.w1 < v_eps:
            z = when_fast(sign * v_eps, path)
            f, _, _ = coupler_force(deflection_at(z, path), sign * v_eps, kind, tables)
            if f * sign > peak_force[side] * sign:
                peak_force[side], z_new, side_new = f, z, side
        if turns:
            x = deflection_at(when_fast(0.0, path), path)
            peak_x[side] = sign * max(sign * x, sign * peak_x[side])
    return z_new, side_new
