"""One step of the simplified model: right-hand side in the paper's order, two time-stepping methods.

Order of an evaluation: state; arc lengths and track frames; irregularity vector; knife-edge constraints and creepages;
flanges; suspension; vertical and lateral accelerations of the bodies; normal forces and lateral accelerations of the
wheelsets.

Source: paper 001, numerical procedure of each time step.
"""

import numpy as np

from flexwheel.contact.saturation import saturation_factor
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.machine_code import call_kernel
from flexwheel.systems.reduced.flange import flange_friction, flange_load
from flexwheel.systems.reduced.generated_vehicle import BODY_PLACES, WHEELSET_PLACES
from flexwheel.systems.reduced.knife_edge import tangent_equation
from flexwheel.systems.reduced.track_input import track_inputs
from flexwheel.systems.symbolic.program import LANES

RUNNING, CLIMBED, LIFTED, NOT_FINITE = 0, 1, 2, 3
LIFT_TIME = 0.05
"""[s] a tread may be without load before the wheelset counts as derailed."""
ROS2_GAMMA = 1.0 - np.sqrt(0.5)
LEAST_LOAD = 0.02
"""Share of the static load that bounds creep forces from below, so that a light wheel keeps a direction."""

_tangent_equation = kernel(inline="always")(tangent_equation)
_Y, _RATE, _RAIL = (WHEELSET_PLACES[n] * LANES for n in ("y", "y'", "eta_L"))
_SUSPENSION, _CREEP, _CREEPAGE = (WHEELSET_PLACES[n] * LANES for n in ("Fy", "TxL", "creepage_x_L"))
_FLANGE, _SHIFT, _Z = (WHEELSET_PLACES[n] * LANES for n in ("PxL", "flange_shift_L", "z"))
_TREADS = WHEELSET_PLACES["radius_L"] * LANES
_ACCELERATION, _NORMAL = (WHEELSET_PLACES[n] * LANES for n in ("y''", "NL"))
_BODY, _BODY_FORCE, _BODY_ACCELERATION = (BODY_PLACES[n] * LANES for n in ("y", "Fy", "y''"))


@kernel
def derivative(model, scratch, x, dx):
    """Time derivative dx of the state x (both (n,)) at the track inputs in `scratch`."""
    w, b, track, rails, normal = scratch.wheelset, scratch.body, scratch.track, scratch.rails, scratch.normal
    wheelsets = rails.shape[0]
    bodies = track.shape[0] - wheelsets
    half = 5 * bodies + 2 * wheelsets
    for i in range(wheelsets):
        at = 5 * bodies + 2 * i
        for k in range(11):
            w[k * LANES + i] = track[bodies + i, k]
        for k in range(2):
            w[_Y + k * LANES + i] = x[at + k]
            w[_RATE + k * LANES + i] = x[half + at + k]
        for k in range(12):
            w[_RAIL + k * LANES + i] = rails[i, k]
    treads(model, scratch, x, half - 2 * wheelsets)
    call_kernel(model.contact, w)  # 001 (procedure)
    contact_forces(model, scratch)
    suspension(model, scratch, x, half)
    for i in range(bodies):
        for k in range(11):
            b[k * LANES + i] = track[i, k]
        for k in range(5):
            b[_BODY + k * LANES + i] = x[5 * i + k]
            b[_BODY + (5 + k) * LANES + i] = x[half + 5 * i + k]
    if bodies > 0:
        call_kernel(model.bodies, b)
    call_kernel(model.balance, w)
    for k in range(half):
        dx[k] = x[half + k]
    for i in range(bodies):
        for k in range(5):
            dx[half + 5 * i + k] = b[_BODY_ACCELERATION + k * LANES + i]
    for i in range(wheelsets):
        for k in range(2):
            dx[half + 5 * bodies + 2 * i + k] = w[_ACCELERATION + k * LANES + i]
            normal[i, k] = w[_NORMAL + k * LANES + i]


@kernel
def treads(model, scratch, x, first):
    """Rolling radius, contact angle, place and creep coefficients of every tread at the shift of its contact.

    The contact shifts against the wheel by the wheelset's lateral displacement at the height of the rail, y + r0 roll,
    less the rail's. A tread that is no straight line raises the wheel by the integral of its slope less that line's,
    which is the same as a rail that much higher: it goes to the lanes of the rails' heights and their rates. The roll
    is that of `knife_edge`, and a step of Newton's method for what the rises add to it.
    """
    w, rails, radius, table, ratio = scratch.wheelset, scratch.rails, model.radius, model.tread, scratch.creep_ratio
    slope, b, half = model.tread_slope, model.half_distance, x.shape[0] // 2
    start, scale, last = table[0, 0], 1.0 / (table[1, 0] - table[0, 0]), table.shape[0] - 2
    for i in range(rails.shape[0]):
        y, yaw, r0, rate = x[first + 2 * i], x[first + 2 * i + 1], radius[i], x[half + first + 2 * i]
        stretch = 1.0 + 0.5 * yaw * yaw
        left, right = (b + rails[i, 0] - y) * stretch, (rails[i, 2] - b - y) * stretch
        d = rails[i, 1] - rails[i, 3]
        c2, c1, c0 = _tangent_equation(left, right, d, r0, b, slope)
        t = -2.0 * c0 / (c1 + np.sqrt(c1 * c1 - 4.0 * c2 * c0))
        d, stiff = 0.0, c1
        for side in range(2):
            toward = 1.0 - 2.0 * side
            row, k = _place(table, toward * (y + r0 * t - rails[i, 2 * side]), start, scale, last)
            step = table[row + 1, 8] - table[row, 8]
            d += toward * (table[row, 8] + k * step)
            stiff -= r0 * step * scale
        t += d / stiff
        stiff, turning, climb_left, climb_right = c1, rails[i, 5] - rails[i, 7], 0.0, 0.0
        for side in range(2):
            toward = 1.0 - 2.0 * side
            row, k = _place(table, toward * (y + r0 * t - rails[i, 2 * side]), start, scale, last)
            at = _TREADS + 3 * side * LANES + i
            w[at] = r0 + (1.0 - k) * table[row, 1] + k * table[row + 1, 1]
            w[at + LANES] = (1.0 - k) * table[row, 2] + k * table[row + 1, 2]
            w[at + 2 * LANES] = (1.0 - k) * table[row, 3] + k * table[row + 1, 3]
            for c in range(4):
                ratio[i, side, c] = (1.0 - k) * table[row, 4 + c] + k * table[row + 1, 4 + c]
            step = table[row + 1, 8] - table[row, 8]
            w[_RAIL + (1 + 2 * side) * LANES + i] = rails[i, 1 + 2 * side] + table[row, 8] + k * step
            climb = step * scale
            stiff -= r0 * climb
            turning += (slope + climb) * (rate - rails[i, 4 + 2 * side])
            climb_left, climb_right = climb_right, climb
        across = rate + r0 * turning / stiff  # of the axle at the height of the rail
        w[_RAIL + 5 * LANES + i] = rails[i, 5] + climb_left * (across - rails[i, 4])
        w[_RAIL + 7 * LANES + i] = rails[i, 7] - climb_right * (across - rails[i, 6])


@kernel(inline="always")
def _place(table, shift, start, scale, last):
    """Row of the table below a shift, and the way from it to the next."""
    k = (shift - start) * scale
    row = min(max(int(k), 0), last)
    return row, k - row


@kernel
def contact_forces(model, scratch):
    """Kalker's linear creep forces bounded by friction, and flange forces, into the lanes of the wheelsets."""
    w, normal, flange, static_load = scratch.wheelset, scratch.normal, scratch.flange, model.static_load
    speed = scratch.track[0, 0]
    creep_ratio, coefficients = scratch.creep_ratio, model.creep
    for j in range(2 * normal.shape[0]):
        i, side = j // 2, j % 2
        creep = 3 * side * LANES + i
        load = max(normal[i, side], LEAST_LOAD * static_load[i])
        at, spin = 1.0, 1.0  # growth of the patch's area, and of its area to the power 3/2
        if model.load_dependent:
            spin = load / static_load[i]
            at = np.cbrt(spin) ** 2
        f11 = coefficients[0] * creep_ratio[i, side, 0]
        f22 = coefficients[1] * creep_ratio[i, side, 1]
        f23 = coefficients[2] * creep_ratio[i, side, 2]
        f33 = coefficients[3] * creep_ratio[i, side, 3]
        xi, eta, phi = (w[_CREEPAGE + creep], w[_CREEPAGE + LANES + creep], w[_CREEPAGE + 2 * LANES + creep])
        fx = -at * f11 * xi
        fy = -at * f22 * eta - spin * f23 * phi  # 001 (creep)
        factor = 1.0
        if model.saturated:
            factor = saturation_factor(np.sqrt(fx * fx + fy * fy), model.friction * load)
        w[_CREEP + creep] = factor * fx
        w[_CREEP + LANES + creep] = factor * fy
        w[_CREEP + 2 * LANES + creep] = factor * (spin * f23 * eta - at * at * f33 * phi)
        toward = 1.0 - 2.0 * side  # the left flange meets its rail when the wheelset moves to the left
        shift = w[_SHIFT + creep] * toward
        p = flange_load(model, shift, w[_SHIFT + LANES + creep] * toward)
        flange[i, side] = p
        w[_FLANGE + creep] = flange_friction(model, p, w[_SHIFT + 2 * LANES + creep], speed) if p > 0.0 else 0.0
        w[_FLANGE + LANES + creep] = -toward * p * model.flange_sin
        w[_FLANGE + 2 * LANES + creep] = p * model.flange_cos


@kernel
def suspension(model, scratch, x, half):
    """Suspension forces on bodies and wheelsets, into their lanes."""
    s, w, b = scratch.suspension, scratch.wheelset, scratch.body
    offset, offset_rate = scratch.offset, scratch.offset_rate
    units = offset.shape[0]
    wheelsets = scratch.rails.shape[0]
    bodies = units - wheelsets
    stride = s.shape[0] // 3
    for u in range(units):
        at = 5 * u
        for k in range(5):
            s[at + k] = offset[u, k]
            s[stride + at + k] = offset_rate[u, k]
        if u < bodies:
            for k in range(5):
                s[at + k] += x[at + k]
                s[stride + at + k] += x[half + at + k]
            continue
        i = u - bodies
        first = 5 * bodies + 2 * i
        s[at] += x[first]
        s[at + 1] += w[_Z + LANES + i]
        s[at + 2] += x[first + 1]
        s[at + 3] += w[_Z + i]
        s[stride + at] += x[half + first]
        s[stride + at + 1] += w[_Z + 3 * LANES + i]
        s[stride + at + 2] += x[half + first + 1]
        s[stride + at + 3] += w[_Z + 2 * LANES + i]
    call_kernel(model.suspension, s)
    for stop in range(model.stop_unit.shape[0]):
        lateral_stop(model, s, stop, stride)
    for u in range(bodies):
        for k in range(5):
            b[_BODY_FORCE + k * LANES + u] = s[2 * stride + 5 * u + k]
    for i in range(wheelsets):
        for k in range(4):
            w[_SUSPENSION + k * LANES + i] = s[2 * stride + 5 * (bodies + i) + k]


@kernel
def lateral_stop(model, s, stop, stride):
    """Add the force of one nonlinear stop; beyond its table the last slope goes on."""
    d = 0.0
    for end in range(2):
        at = 5 * model.stop_unit[stop, end]
        for k in range(5):
            d += (2.0 * end - 1.0) * model.stop_row[stop, end, k] * s[at + k]
    first, last = model.stop_first[stop], model.stop_first[stop + 1]
    if abs(d) <= model.stop_table[first, 0]:
        return
    row = first
    while row < last - 2 and abs(d) > model.stop_table[row + 1, 0]:
        row += 1
    d0, d1 = model.stop_table[row, 0], model.stop_table[row + 1, 0]
    f0, f1 = model.stop_table[row, 1], model.stop_table[row + 1, 1]
    force = f0 + (f1 - f0) * (abs(d) - d0) / (d1 - d0)
    if d < 0.0:
        force = -force
    for end in range(2):
        at = 2 * stride + 5 * model.stop_unit[stop, end]
        for k in range(5):
            s[at + k] -= (2.0 * end - 1.0) * model.stop_row[stop, end, k] * force


@kernel
def one_step(model, scratch, x, time, step):
    """Advance x by one step [s] and evaluate it there; returns a status.

    Before and after, stage[0] of the scratch holds the derivative of x, the rest track inputs and forces of that state.
    """
    if model.implicit:
        ros2(model, scratch, x, time, step)
    else:
        rk4(model, scratch, x, time, step)
    derivative(model, scratch, x, scratch.stage[0])
    return check(model, scratch, x, step)


@kernel
def ros2(model, scratch, x, time, step):
    """Second-order Rosenbrock step, implicit in the decay of y' and yaw' by creep alone.

    Of second order whatever the approximate Jacobian, so that a diagonal one is enough.

    Source: Verwer, Spee, Blom, Hundsdorfer 1999, SIAM J. Sci. Comput. 20(4), method ROS2.
    """
    n, k1, k2, y = x.shape[0], scratch.stage[0], scratch.stage[1], scratch.stage[4]
    damp(model, scratch, k1, step)
    for i in range(n):
        y[i] = x[i] + step * k1[i]
    track_inputs(model, scratch, time + step)
    derivative(model, scratch, y, k2)
    for i in range(n):
        k2[i] -= 2.0 * k1[i]
    damp(model, scratch, k2, step)
    for i in range(n):
        x[i] += step * (1.5 * k1[i] + 0.5 * k2[i])


@kernel(inline="always")
def damp(model, scratch, k, step):
    """Divide the wheelsets' accelerations by 1 + gamma step rate."""
    wheelsets = scratch.rails.shape[0]
    bodies = model.position.shape[0] - wheelsets
    first = 10 * bodies + 2 * wheelsets
    for i in range(wheelsets):
        speed = scratch.track[bodies + i, 0]
        for c in range(2):
            k[first + 2 * i + c] /= 1.0 + ROS2_GAMMA * step * model.creep_rate[i, c] / speed


@kernel
def rk4(model, scratch, x, time, step):
    """Runge and Kutta's fourth-order step."""
    n = x.shape[0]
    k1, k2, k3, k4, y = scratch.stage[0], scratch.stage[1], scratch.stage[2], scratch.stage[3], scratch.stage[4]
    track_inputs(model, scratch, time + 0.5 * step)
    for i in range(n):
        y[i] = x[i] + 0.5 * step * k1[i]
    derivative(model, scratch, y, k2)
    for i in range(n):
        y[i] = x[i] + 0.5 * step * k2[i]
    derivative(model, scratch, y, k3)
    track_inputs(model, scratch, time + step)
    for i in range(n):
        y[i] = x[i] + step * k3[i]
    derivative(model, scratch, y, k4)
    for i in range(n):
        x[i] += step / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])


@kernel
def check(model, scratch, x, step):
    """Status after a step: derailed wheelsets, numbers that are none."""
    total = 0.0
    for i in range(x.shape[0]):
        total += abs(x[i])
    if not np.isfinite(total):
        return NOT_FINITE
    for i in range(scratch.rails.shape[0]):
        for side in range(2):
            scratch.lifted[i, side] = 0.0 if scratch.normal[i, side] > 0.0 else scratch.lifted[i, side] + step
            if scratch.lifted[i, side] > LIFT_TIME:
                return LIFTED
            shift = scratch.wheelset[_SHIFT + 3 * side * LANES + i] * (1.0 - 2.0 * side)
            if shift > model.clearance + model.climb_shift:
                return CLIMBED
    return RUNNING
