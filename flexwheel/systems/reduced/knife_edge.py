"""Knife-edge contact of a conical wheelset, in closed form.

The rail heads are two points of the plane through the axle, (b + eta_L, zeta_L) and (-b + eta_R, zeta_R), and each
tread is a straight line of slope `conicity` through its nominal contact (+-b, -r0). Both lines pass through their
points: two equations for the vertical displacement z and the tangent t of the roll angle,

    A t^2 + B t + C = 0,   A = lambda (a + c) + lambda^2 d,   B = (a - c)(1 + lambda^2) - 2 lambda (r0 + lambda b),
    C = lambda (a + c) - d,

with a, c the lateral distances of the rail points from the axle's centre and d = zeta_L - zeta_R. The only
approximation in the plane is sqrt(1 + t^2) = 1 in the last term of B, of order lambda r0 t^3. Yaw lengthens a and c by
1/cos(yaw).

Source: paper 001, knife-edge contact constraints and their approximate analytical solution.
Verified in tests/verification/reduced/test_reduced_closed_forms_verified.py.
"""

from dataclasses import dataclass

from flexwheel.systems.symbolic.expression import sqrt


@dataclass(frozen=True)
class KnifeEdge:
    """Solution of the contact constraints; expressions or numbers alike."""

    tangent: object  # of the roll [-]
    roll: object  # [rad]
    z: object  # [m]
    y_left: object  # contact points along the axle from its centre [m]; y_right is negative
    y_right: object


def tangent_equation(a, c, d, r0, b, conicity):
    """Coefficients A, B, C of the equation of the tangent of the roll angle; expressions or numbers."""
    square = conicity * conicity
    linear = (a - c) * (1.0 + square) - 2.0 * conicity * (r0 + conicity * b)
    return conicity * (a + c) + square * d, linear, conicity * (a + c) - d


def knife_edge(y, yaw, irregularity, r0, b, conicity, root=sqrt) -> KnifeEdge:
    """Dependent coordinates of a wheelset from its independent ones.

    Parameters
    ----------
    y, yaw : [m, rad]                of the wheelset in its track frame
    irregularity : four [m]          left lateral, left vertical, right lateral, right vertical
    r0, b, conicity : [m, m, -]      nominal rolling radius, half distance of the contacts, slope of the tread
    root : callable                  square root: of expressions (default), or of numbers
    """
    eta_left, zeta_left, eta_right, zeta_right = irregularity
    stretch = 1.0 + 0.5 * yaw * yaw
    a = (b + eta_left - y) * stretch
    c = (eta_right - b - y) * stretch
    d = zeta_left - zeta_right
    second, first, zeroth = tangent_equation(a, c, d, r0, b, conicity)
    t = -2.0 * zeroth / (first + root(first * first - 4.0 * second * zeroth))  # 001 (closed form)
    secant = root(1.0 + t * t)
    height_left = (a * (t + conicity) - (r0 + conicity * b) * secant) / (1.0 - conicity * t)  # 001 (knife edge)
    height_right = height_left - d
    y_left = (a + t * height_left) / secant
    y_right = (c + t * height_right) / secant
    return KnifeEdge(
        tangent=t,
        roll=t * (1.0 - t * t / 3.0),
        z=zeta_left - r0 - height_left,
        y_left=y_left,
        y_right=y_right,
    )
