"""Equations of motion of a car body or bogie frame in its track frame, linear in its five small coordinates.

Lateral: y, roll, yaw. Vertical: z, pitch. Both parts share only products with the track's curvature.
"""

from flexwheel.systems.reduced.frames import (
    acceleration_in_frame,
    coordinates,
    first_order,
    time_derivative,
    track_frame_symbols,
    velocity_in_frame,
)
from flexwheel.systems.symbolic.calculus import jacobian, substitute
from flexwheel.systems.symbolic.expression import symbol
from flexwheel.systems.symbolic.sparse_lu import solve_sparse
from flexwheel.systems.symbolic.symbolic_vectors import cross3

COORDINATES = ("y", "roll", "yaw", "z", "pitch")
FORCES = ("Fy", "Mroll", "Myaw", "Fz", "Mpitch")
PARAMETERS = ("m", "Ix", "Iy", "Iz", "h")


def body_accelerations(graph):
    """Accelerations of the five coordinates (in the order COORDINATES) as expressions.

    Symbols: TRACK_INPUTS, coordinates and their rates (name'), FORCES of the suspension in track axes, PARAMETERS.

    The body's angular momentum is taken in its own axes, turned by yaw, roll and pitch (first order) from the track
    frame; the equations are expanded to first order in the coordinates and their rates.
    """
    frame = track_frame_symbols(graph)
    q, rates = coordinates(graph, COORDINATES)
    rate = time_derivative(graph, frame.rates, rates)
    m, ix, iy, iz, h = (symbol(graph, name) for name in PARAMETERS)
    forces = [symbol(graph, name) for name in FORCES]
    y, roll, yaw, z, pitch = (q[name][0] for name in COORDINATES)

    zero = y * 0.0
    velocity = velocity_in_frame(frame, (zero, y, h + z), rate)
    a = acceleration_in_frame(frame, velocity, rate)
    wx, wy, wz = frame.omega
    omega = (
        wx + yaw * wy - pitch * wz + rate(roll),
        wy - yaw * wx + roll * wz + rate(pitch),
        wz + pitch * wx - roll * wy + rate(yaw),
    )
    momentum = (ix * omega[0], iy * omega[1], iz * omega[2])
    gyroscopic = cross3(omega, momentum)
    torque = [rate(momentum[k]) + gyroscopic[k] for k in range(3)]
    g = frame.gravity
    balance = [  # 001 (bodies)
        m * (a[1] - g[1]) - forces[0],
        torque[0] - forces[1],
        torque[2] - forces[2],
        m * (a[2] - g[2]) - forces[3],
        torque[1] - forces[4],
    ]
    small = [part for name in COORDINATES for part in q[name]]
    balance = first_order(balance, small)
    unknown = [q[name][2] for name in COORDINATES]
    matrix = jacobian(balance, unknown)
    rest = substitute(balance, dict.fromkeys(unknown, 0.0))
    return solve_sparse(matrix, [-r for r in rest], list(range(len(unknown))))
