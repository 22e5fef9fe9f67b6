"""A wagon that coasts on a slope: m s'' = -m g i - (a + b v + c v^2), by Heun's formula until it stands."""

from flexwheel.numerics.kernels import kernel

PLACE, SPEED, STEPS = range(3)
MASS, A, B, C, SLOPE = range(5)


@kernel
def deceleration(v, wagon):
    """Rate of the speed [m/s2] at a speed v [m/s]."""
    resistance = wagon[A] + wagon[B] * v + wagon[C] * v * v
    return -9.81 * wagon[SLOPE] - resistance / wagon[MASS]


@kernel
def coast(state, wagon, dt, steps, stride, rows):
    """Take up to so many steps; rows (T, 2): place and speed at every stride-th step, counted by state[STEPS]."""
    for _ in range(steps):
        if state[SPEED] <= 0.0:
            state[SPEED] = 0.0
            rate = 0.0
        else:
            first = deceleration(state[SPEED], wagon)
            rate = 0.5 * (first + deceleration(max(state[SPEED] + dt * first, 0.0), wagon))
        state[PLACE] += dt * max(state[SPEED] + 0.5 * dt * rate, 0.0)
        state[SPEED] = max(state[SPEED] + dt * rate, 0.0)
        state[STEPS] += 1.0
        number = int(state[STEPS])
        if number % stride == 0:
            rows[number // stride, 0], rows[number // stride, 1] = state[PLACE], state[SPEED]
