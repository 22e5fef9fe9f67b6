"""Wheel-rail forces, coordinates and journal forces of the linearised vehicle per motion of the rails, by frequency.

The vehicle on its contact laws, rails left open (`OpenContact`). Inputs u of all wheels, left before right:

    e      (4 W2)   displacement of the rail heads, x, y, z, roll
    e_mat  (4 W2)   velocity of the rail's material there
    r      (2 W2)   irregularity under the wheel, y and z

The slope of the rail under a wheel is (s e - e_mat)/V, that of an irregularity s r/V: a wheel that moves sees both.
"""

from dataclasses import dataclass

import numpy as np

CHUNK = 32  # frequencies solved together


@dataclass(frozen=True)
class ContactSystem:
    """Transfer matrices at the frequencies (F,), U = 10 W2 inputs."""

    frequency: np.ndarray  # (F,) [Hz]
    wrench: np.ndarray  # (F, 6 W2, U) on the wheels about their profile origins, track axes
    head_force: np.ndarray  # (F, 4 W2, U) on the rail heads
    journal: np.ndarray  # (F, 6 W2, U) on the wheelsets at their journals, frame E
    coordinate: np.ndarray  # (F, N, 6 W2) coordinates per wrench
    journal_by_wrench: np.ndarray  # (F, 6 W2, 6 W2) the journals' part of that
    patch: np.ndarray  # (F, 4 W2, U) linearise.PLACE of the patches [m]


def contact_system(linear, frequency):
    """ContactSystem of a LinearModel that has its `contact`, at frequencies (F,) [Hz] above zero."""
    contact, speed = linear.contact, linear.speed
    count = contact.force.shape[1]
    outputs, heads = contact.output_force.shape[0], contact.output_rail.shape[2]
    sides = heads // 4
    uneven = np.arange(heads).reshape(sides, 4)[:, 1:3].ravel()
    displacement, velocity, slope = contact.output_rail
    states = len(linear.state_rate)
    sizes = (count, 10 * sides), (outputs - count, 10 * sides), (linear.mass.shape[0], count), (outputs, count)
    wrench, rest, coordinate, by_force = (np.empty((len(frequency), *size), dtype=complex) for size in sizes)
    for start in range(0, len(frequency), CHUNK):
        at = slice(start, start + CHUNK)
        s = 2j * np.pi * np.asarray(frequency)[at, None, None]
        dynamic = linear.mass * (s * s) + linear.free_damping * s + linear.free_stiffness
        motion = contact.output_motion[0] + contact.output_motion[1] * s + contact.output_motion[2] * (s * s)
        if states:
            piston = np.linalg.solve(s * np.eye(states) - linear.state_rate, linear.state_drive.astype(complex))
            dynamic = dynamic + linear.state_force @ piston
            motion = motion + contact.output_state @ piston
        coordinate[at] = np.linalg.solve(dynamic, -contact.force.astype(complex))
        by_force[at] = motion @ coordinate[at] + contact.output_force
        moved = displacement + (s / speed) * slope
        still = np.broadcast_to(velocity - slope / speed, moved.shape)
        inputs = np.concatenate([moved, still, moved[:, :, uneven]], axis=2)
        wrench[at] = np.linalg.solve(np.eye(count) - by_force[at, :count], inputs[:, :count])
        rest[at] = by_force[at, count:] @ wrench[at] + inputs[:, count:]
    forces = np.s_[:, heads : heads + count]
    journal = by_force[:, count:][forces]
    parts = rest[:, :heads], rest[forces], coordinate, journal, rest[:, heads + count :]
    return ContactSystem(np.asarray(frequency), wrench, *parts)
