"""Static equilibrium of the vehicle on straight track before a run.

Unknowns are all coordinates but the arc length of the reference body and the spins, and the contact wrenches.
Friction is left out: creep forces build up in the first millimetres of the run.
"""

import numpy as np

from flexwheel.base.errors import ConvergenceError
from flexwheel.contact.contact_tables import with_friction
from flexwheel.numerics.kernels import Each, handle, kernel
from flexwheel.track.rail_model import add_rail_force, finish, linked, predict_and_free, rail_free_at, shift
from flexwheel.vehicle.elements.columns import BODY_A, BODY_B
from flexwheel.vehicle.step.balance import balance, balance_arguments, on_rail_heads
from flexwheel.vehicle.step.coordinate_labels import coordinate_labels
from flexwheel.vehicle.step.model import LAGRANGIAN
from flexwheel.vehicle.suspension import forces_at

NO_FRICTION = 1e-9
STEPS_AT_ONCE = 500
ITERATIONS = 60
RELAXATIONS = 400
FARTHEST = 2e-4  # [m, rad] by which a wheelset creeps at a time
NOISE = 1e-6  # of a wheel load, below which the contact law need not be solved
LEAST_STIFFNESS = 1e3  # [N/m], [N m/rad] that an equation is scaled with
SINKING = 2e-5  # [m] by which a wheelset without contact is let down at a time
NO_LOAD = 0.01  # share of the mean wheel load below which a wheel does not stand


def rail_at_rest(model, assembly, state, rail_state, work, wrench, steps=8000, decay=0.995):
    """Let the rails come to rest under standing wheels with given contact wrenches, in the work's pose; rail_state is
    left there.

    Returns
    -------
    offset : (W, 2, 4)   displacement of the rail heads under the wheels

    The rails are stepped under constant force with their velocities reduced by `decay` at every step of 5e-5 s or so.

    Raises
    ------
    ConvergenceError     nonlinear supports do not settle
    """
    count = wrench.shape[0]
    offset = np.zeros((count, 2, 4))
    s = np.array([state.history[0, 0, model.units.offset[u]] for u in model.wheelsets.unit])
    force = on_rail_heads(model, work, wrench)
    front = s.max()
    scratch = np.zeros((2, 4))
    rail, moving = handle(linked(model.rail, rail_state, model.coefficients)), handle(rail_state)
    coefficients = handle(model.coefficients)
    failed = 0
    for _ in range(0, steps, STEPS_AT_ONCE):  # an interruption comes through between the calls
        failed = stand(rail, moving, coefficients, s, force, front, decay, STEPS_AT_ONCE, offset, scratch)
    if failed != 0 or not np.all(np.isfinite(offset)):
        raise ConvergenceError(
            "static equilibrium: the nonlinear supports of the rails do not settle under the standing wheels; look at "
            "track.fastener and track.foundation"
        )
    return offset


@kernel
def scale(array, factor):
    """Multiply an array, contiguous, in place."""
    flat = array.reshape(array.size)
    for i in range(flat.size):
        flat[i] *= factor


@kernel
def slow_down(rail_state, decay):
    """Reduce every stored velocity of the rails."""
    scale(rail_state.wheel[1], decay)
    scale(rail_state.rail[1], decay)
    scale(rail_state.sleeper[1], decay)
    for i in range(rail_state.rail_past.shape[0]):
        scale(rail_state.rail_past[i, 1], decay)
        scale(rail_state.sleeper_past[i, 1], decay)
        scale(rail_state.wheel_past[i, 1], decay)


@kernel
def stand(rail, rail_state, coefficients, s, force, front, decay, steps, offset, scratch):
    """Steps of the rails under constant forces (W, 2, 4) at standing wheels; returns the failure of the last one.

    Fills offset (W, 2, 4) with the displacement of the heads at the end; scratch: (2, 4).
    """
    failed = 0
    for _ in range(steps):
        shift(rail, rail_state, front)
        predict_and_free(rail, rail_state, coefficients)
        for w in range(force.shape[0]):
            for side in range(2):
                add_rail_force(rail, rail_state, w, s[w], side, force[w, side])
        for w in range(force.shape[0]):
            for side in range(2):
                rail_free_at(rail, rail_state, w, s[w], side, offset[w, side], scratch[0], scratch[1])
        failed = finish(rail, rail_state, coefficients)
        slow_down(rail_state, decay)
    return failed


def sink_into_contact(model, assembly, work, q, share, equations):
    """Lower every wheelset (in q) until both its wheels bear something like their share of the weight.

    equations : callable   q -> contact wrenches (W, 2, 6), None where a wheel stands beside its rail
    """
    light = []
    for _ in range(200):
        found = equations(q)
        if found is None:
            raise ConvergenceError(
                "static equilibrium: a wheel stands beside its rail, or touches it at more places than a contact has: "
                "look at contact.gauge_mm and the vehicle's wheel.flange_back_m; profiles with noise of some um need "
                "smoothing (contact.wheel_file.smoothing_mm, contact.rail_file.smoothing_mm)"
            )
        light = found[:, :, 2].min(axis=1) < 0.3 * share
        if not np.any(light):
            return
        for w in np.flatnonzero(light):
            q[model.units.offset[model.wheelsets.unit[w]] + 2] -= SINKING
    names = ", ".join(assembly.wheelset_specs[w].name for w in np.flatnonzero(light))
    raise ConvergenceError(
        f"static equilibrium: no contact within 4 mm below the nominal place of wheelset {names}; look at the profiles "
        "and the vehicle's wheel.radius_m"
    )


def check_wheels_stand(model, assembly, work, wrench, share):
    """Refuse an equilibrium in which a wheel bears nothing, with what bears the vehicle in its place."""
    light = np.argwhere(wrench[:, :, 2] < NO_LOAD * share)
    if not len(light):
        return
    wheels = ", ".join(f"{assembly.wheelset_specs[w].name} {('left', 'right')[side]}" for w, side in light)
    text = borne_by_the_ground(model, assembly, work)[1]
    if not text:
        text = "no force element goes to the ground: look at the places of the wheelsets and of what stands on them"
    raise ConvergenceError(
        f"static equilibrium: no load on {wheels} (mean load of a wheel {1e-3 * share:.1f} kN): {text}"
    )


def borne_by_the_ground(model, assembly, work):
    """Upward force [N] of all force elements to the ground at the poses in `work`, and a line on it, "" without one."""
    integer = model.suspension.integer
    hung = np.flatnonzero(np.min(integer[:, [BODY_A, BODY_B]], axis=1) < 0)
    lift = [(element_force(model, work, e), e) for e in hung]
    if not lift:
        return 0.0, ""
    force, e = max(lift)
    total, body = sum(f for f, _ in lift), assembly.pose_names[max(integer[e, BODY_A], integer[e, BODY_B])]
    return total, (
        f"force elements to the ground bear {1e-3 * total:.1f} kN, {element_name(assembly, e)} at {body} alone "
        f"{1e-3 * force:.1f} kN"
    )


def element_force(model, work, e):
    """Upward force [N] of force element e on the bodies, at the poses in `work`."""
    elements = model.suspension
    one = elements._replace(integer=elements.integer[e : e + 1], number=elements.number[e : e + 1])
    held = type(work.spring_state)(*(array[e : e + 1] for array in work.spring_state))
    return float(forces_at(one, work.poses, held)[:, 2].sum())


def astray_error(model, assembly, work, status, light):
    """ConvergenceError of the wheels (n, 2) that bore nothing when an attempt ended, or of the one of `balance`."""
    astray = light if len(light) else [divmod(status - 1, 2)]
    names = [f"wheel {assembly.wheelset_specs[w].name} {('left', 'right')[side]}" for w, side in astray]
    text = borne_by_the_ground(model, assembly, work)[1]
    leave = " and ".join(names) + (" leaves its rail" if len(names) == 1 else " leave their rails")
    return ConvergenceError(f"static equilibrium: {leave}" + (f": {text}" if text else ""))


def element_name(assembly, e):
    """Name of a force element, or its number."""
    return f"'{assembly.element_names[e]}'" if assembly.element_names else f"number {e + 1}"


def out_of_balance(model, assembly, index, residual, forces):
    """Text on the largest force out of balance: which coordinate, and what holds its body."""
    labels = coordinate_labels(assembly)
    if np.max(np.abs(forces)) > np.max(np.abs(residual)):
        w, side, _ = np.unravel_index(np.argmax(np.abs(forces)), forces.shape)
        wheel = f"{assembly.wheelset_specs[w].name} {('left', 'right')[side]}"
        return (
            f"the contact of {wheel}: profiles with noise of micrometres have none that settles; smooth them "
            "(contact.wheel_file.smoothing_mm, contact.rail_file.smoothing_mm)"
        )
    k = int(index[np.argmax(np.abs(residual))])
    unit = int(np.searchsorted(model.units.offset, k, side="right")) - 1
    poses = np.flatnonzero(assembly.pose_units == unit)
    held = [
        element_name(assembly, e)
        for e, (a, b) in enumerate(model.suspension.integer[:, [BODY_A, BODY_B]])
        if a in poses or b in poses
    ]
    if not held:
        return f"{labels[k]}, held by no force element"
    return f"{labels[k]}, held by {', '.join(held[:4])}{' and others' if len(held) > 4 else ''}"


def standing_rates(model, q, v):
    """Velocities and accelerations (N,) when the deflections stand still while the mesh turns under them.

    Seen from the mesh a standing deflection turns backwards: w' = -Omega J w, w'' = Omega^2 J^2 w.
    """
    wheelsets = model.wheelsets
    v, a = v.copy(), np.zeros_like(q)
    for w, u in enumerate(wheelsets.unit):
        first, h = model.units.offset[u] + 6, wheelsets.mode_count[w]
        turning = v[first - 1] * wheelsets.generator[w, :h, :h]
        v[first : first + h] = -turning @ q[first : first + h]
        a[first : first + h] = -turning @ v[first : first + h]
    return v, a


def jacobian_at(equations, z, residual, count):
    """Jacobian of the residual by forward differences, (N, N); None where a wheel leaves its rail.

    The first `count` unknowns are coordinates, the others contact wrenches.
    """
    jacobian = np.empty((len(z), len(z)))
    for k in range(len(z)):
        trial, step = z.copy(), 1e-7 if k < count else 1.0
        trial[k] += step
        found = equations(trial)
        if found is None:
            return None
        jacobian[:, k] = (found - residual) / step
    return jacobian


def newton(equations, z, count, tolerance):
    """Newton's method with a line search; returns the last iterate and its residual, None where a wheel left."""
    residual = equations(z)
    for _ in range(ITERATIONS):
        if residual is None or np.max(np.abs(residual)) < tolerance:
            break
        jacobian = jacobian_at(equations, z, residual, count)
        if jacobian is None:
            return z, None
        # rows that no coordinate reaches, such as a free wheelset's along the track, must not outweigh the others
        weight = 1.0 / np.maximum(np.max(np.abs(jacobian), axis=1), LEAST_STIFFNESS)
        change = np.linalg.lstsq(jacobian * weight[:, None], -residual * weight, rcond=1e-13)[0]
        norm, step = np.linalg.norm(residual * weight), 1.0
        for _ in range(12):
            trial = z + step * change
            found = equations(trial)
            if found is not None and (np.linalg.norm(found * weight) < (1.0 - 0.1 * step) * norm or step < 1e-3):
                break
            step *= 0.5
        z, residual = trial, found
    return z, residual


def relaxed(equations, z, count, tolerance, places):
    """Iterate nearest to rest on the way of a vehicle whose coordinates creep against dampers.

    Newton's method stops where the load of a flange changes its slope with the place of the wheel: the residual has a
    minimum there that is no rest. The creeping vehicle goes on, as the forces drive it (pseudo-transient continuation).
    Dampers are as strong as the stiffness they stand beside, so that all coordinates settle in about the same time.

    Parameters
    ----------
    places : (4 W,) int   coordinates of the wheelsets, which move by at most FARTHEST [m, rad] at a time
    """
    residual = equations(z)
    best, least, time = z, np.inf, 0.1
    for _ in range(RELAXATIONS):
        jacobian = None if residual is None else jacobian_at(equations, z, residual, count)
        if jacobian is None:
            break
        by_wrench, laws = jacobian[:count, count:], jacobian[count:, count:]
        followed = np.linalg.solve(laws, np.column_stack([jacobian[count:, :count], residual[count:]]))
        stiffness = jacobian[:count, :count] - by_wrench @ followed[:, :count]
        damping = np.maximum(np.abs(np.diag(stiffness)), LEAST_STIFFNESS)
        force = residual[:count] - by_wrench @ followed[:, count]
        change = np.linalg.solve(stiffness + np.diag(damping / time), -force)
        if change @ force > 0.0:  # beyond what holds an unstable coordinate
            time *= 0.25
            continue
        reach = np.max(np.abs(change[places]))
        change *= min(1.0, FARTHEST / reach)
        moved = z + np.concatenate([change, -followed[:, count] - followed[:, :count] @ change])
        found = equations(moved)
        if found is not None:
            moved[count:] += found[count:]
            found = equations(moved)
        if found is None:
            time *= 0.25
            continue
        before, worst = np.max(np.abs(residual)), np.max(np.abs(found))
        if reach < FARTHEST:
            time = min(1.5 * time, 1e4) if worst < 1.1 * before else max(0.3 * time, 0.01)
        z, residual = moved, found
        if worst < least:
            best, least = z, worst
        if least < tolerance:
            break
    return best


def static_equilibrium(model, assembly, state, work, contact_work, rail_compliance, tolerance=1e-3, rail_offset=None):
    """Bring `state` to rest under gravity at its present arc length and speed.

    Parameters
    ----------
    rail_compliance : (4, 4) [m/N ...]   static, of the rail head under one wheel
    tolerance : float [N, N m]           on every equation of motion
    rail_offset : (W, 2, 4) or None      displacement of the rail heads that is there already

    Returns
    -------
    wrench : (W, 2, 6)   contact wrenches, also in state.wrench

    Raises
    ------
    ConvergenceError
    """
    model = model._replace(contact=Each(with_friction(pair, NO_FRICTION) for pair in model.contact))
    offset = model.units.offset
    q = state.history[0, 0].copy()
    v = state.history[0, 1].copy()
    free = np.ones(len(q), dtype=bool)
    free[offset[0]] = False
    for w, u in enumerate(model.wheelsets.unit):
        free[offset[u] + 5] = False
        if model.wheelsets.mesh_mode[w] != LAGRANGIAN:
            state.spin_reference[w] = q[offset[u] + 5]
    index = np.flatnonzero(free)
    shape = state.wrench.shape
    load = sum(model.units.mass) + np.sum(model.wheelsets.box_mass)
    state.wrench[:, :, 2] = load * model.gravity / (shape[0] * 2)

    compiled = balance_arguments(model, state, work, contact_work)
    held = np.zeros((*shape[:2], 3, 4))
    held[:, :, 0] = 0.0 if rail_offset is None else rail_offset
    forces = np.zeros(shape)

    astray = [0]

    def laws(coordinates):
        work.q[:], work.qd[:], work.qdd[:] = coordinates, *standing_rates(model, coordinates, v)
        astray[0] = balance(*compiled, rail_compliance, held, 0.0, forces)
        return None if astray[0] != 0 else forces

    def equations(z):
        coordinates = q.copy()
        coordinates[index] = z[: len(index)]
        state.wrench[:] = z[len(index) :].reshape(shape)
        if laws(coordinates) is None:
            return None
        return np.concatenate([work.residual[index], (forces - state.wrench).ravel()])

    share = state.wrench[0, 0, 2]
    sink_into_contact(model, assembly, work, q, share, laws)
    begun, count = np.concatenate([q[index], state.wrench.ravel()]), len(index)
    settled = max(tolerance, NOISE * share)
    z, residual = newton(equations, begun, count, tolerance)
    light = z[count:].reshape(shape)[:, :, 2] < NO_LOAD * share
    if residual is None or np.max(np.abs(residual)) > settled:
        of_wheelsets = np.asarray(offset)[model.wheelsets.unit, None] + np.arange(1, 5)
        places = np.searchsorted(index, of_wheelsets.ravel())
        z, residual = newton(equations, relaxed(equations, begun, count, tolerance, places), count, tolerance)
    light |= z[count:].reshape(shape)[:, :, 2] < NO_LOAD * share
    worst = np.inf if residual is None else np.max(np.abs(residual))
    if residual is None or worst > settled and np.any(light):
        raise astray_error(model, assembly, work, astray[0], np.argwhere(light))
    if worst > settled:
        left, wrong = residual[:count], residual[count:].reshape(shape)
        raise ConvergenceError(
            f"no static equilibrium after {ITERATIONS} iterations; largest force out of balance {worst:.3g} N: "
            + out_of_balance(model, assembly, index, left, wrong)
            + "".join(f"; {text}" for text in borne_by_the_ground(model, assembly, work)[1:] if text)
        )
    equations(z)
    check_wheels_stand(model, assembly, work, state.wrench, share)
    state.history[0, 0, index] = z[:count]
    state.history[0, 1], state.history[0, 2] = standing_rates(model, state.history[0, 0], v)
    return state.wrench
