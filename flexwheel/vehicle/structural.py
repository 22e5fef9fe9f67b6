"""Elastic, damping and centrifugal-prestress forces of the modes.

The inertia forces soften the modes by Omega^2 M_perp in the axes of the mesh. Three choices of what goes with it:

both    with the geometric stiffness K_g of the centrifugal prestress
paper   the softening alone, as in paper 004
none    neither: seen from axes that do not turn, the equations keep their gyroscopic terms and lose every term with
        Omega^2, as in a rotor of rigid sections. In the axes of the mesh 2 G J - J^2 then stands for -M_perp (G half
        the gyroscopic matrix at 1 rad/s, J the generator of the modes' rotation); dropping M_perp alone would raise
        all bending, since it also holds the centripetal force of sections that only change their place

The centrifugal prestress stiffens the modes by Omega^2 K_g, Omega the spin rate about the axle. It is the
second-order shortening of the body under its own centrifugal load, so it comes from the Lagrangian term
-1/2 Omega^2 w^T K_g w and reacts on the spin: the angular momentum carries -Omega w^T K_g w about the
axle. With that reaction energy and angular momentum are conserved; it is of second order in w.

Source: paper 004, eqs (9)-(11) for stiffness and damping; Bremer and Pfeiffer 1992, Elastische
Mehrkoerpersysteme, for the geometric stiffness of rotating bodies. Verified in
tests/verification/test_floating_frame_conservation.py.
"""

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill, load, more, times
from flexwheel.vehicle.row_slices import add_to_rows, at_rows

CENTRIFUGAL = ("both", "paper", "none")


def spin_stiffness(body, centrifugal):
    """Stiffness (H, H) that goes with the square of the spin rate beside the inertia forces, at 1 rad/s.

    Parameters
    ----------
    body : ReducedBody or BeamRotor
    centrifugal : "both", "paper" or "none"; the last for bodies of revolution only, whose generator turns the modes

    Verified in tests/assess/test_floating_frame_rotor_verified.py.
    """
    if centrifugal == "both":
        return np.asarray(body.geometric_stiffness)
    if centrifugal == "paper":
        return np.zeros_like(body.geometric_stiffness)
    if centrifugal != "none":
        raise ValueError(f"centrifugal must be one of {', '.join(CENTRIFUGAL)}, got {centrifugal!r}")
    p, turn = np.asarray(body.invariants.p_hh), np.asarray(body.generator)
    gyroscopic = p[0, 2] - p[2, 0]  # w_j . (e_y x w_k)
    stiffness = p[0, 0] + p[2, 2] + 2.0 * gyroscopic @ turn - turn @ turn
    return 0.5 * (stiffness + stiffness.T)


@kernel
def structural_forces(frequency, damping, w, wd, modal):
    """Add omega_k^2 w_k + 2 zeta_k omega_k w_k' to modal (H,), what must be supplied.

    Parameters
    ----------
    frequency : (H,) [rad/s]
    damping : (H,) [-]        ratio of critical, eq (11)
    """
    for k in range(w.shape[0]):
        modal[k] += frequency[k] * (frequency[k] * w[k] + 2.0 * damping[k] * wd[k])  # 004 (9)-(11)


@kernel
def geometric_forces(geometric, omega, alpha, w, wd, moment, modal):
    """Add the forces of the centrifugal prestress, what must be supplied; mesh axes.

    Parameters
    ----------
    geometric : RowSlices     K_g (H, H), symmetric, at 1 rad/s about y
    omega, alpha : (3,)       angular velocity and acceleration of the mesh [rad/s, rad/s2]
    w, wd : (H,)
    moment : (3,)             added to [N m]: d/dt (-Omega w^T K_g w e_y)
    modal : (H,)              added to: Omega^2 K_g w
    """
    rate = omega[1]
    lanes, lanes_rate = fill(0.0), fill(0.0)
    row, start, column, value = geometric
    for s in range(row.shape[0]):
        force = fill(0.0)
        for e in range(start[s], start[s + 1]):
            force = more(force, load(value, 4 * e), fill(w[column[e]]))
        lanes = more(lanes, force, at_rows(w, row, s))
        lanes_rate = more(lanes_rate, force, at_rows(wd, row, s))
        add_to_rows(times(force, fill(rate * rate)), row, s, modal)
    square, change = total(lanes), total(lanes_rate)
    spin = -rate * square  # angular momentum about y, mesh axes
    moment[0] -= omega[2] * spin
    moment[1] -= alpha[1] * square + 2.0 * rate * change
    moment[2] += omega[0] * spin


@kernel
def structural_energy(frequency, w):
    """Elastic energy [J] of modal coordinates w (H,)."""
    energy = 0.0
    for k in range(w.shape[0]):
        energy += 0.5 * (frequency[k] * w[k]) ** 2
    return energy
