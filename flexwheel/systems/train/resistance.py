"""Ordinary, curving and slope resistance of a vehicle (equation 6).

The printed formula leaves open what happens at standstill and in reverse: here ordinary and curving resistance
oppose the motion and hold a standing vehicle up to their value at zero speed; the slope keeps its sign.
"""

import numpy as np

CURVING = 6116.0  # [N m/t]


def resistance_coefficients(mass, axles, q_ad):
    """Coefficients of the ordinary and curving resistance.

    Parameters
    ----------
    mass : float [kg]
    axles : int
    q_ad : float [-]      Q_ad, adjustment factor of the wagon class

    Returns
    -------
    (4,) float            r0 [N], r1 [N s/m], r2 [N s2/m2], rc [N m]:
                          resistance = r0 + r1 |v| + r2 v^2 + rc |curvature|

    Source: eq (6): m/1000 [Q_ad (2.943 + 89.2/P_ax + 0.0306 V + 0.122 V^2/(P_ax n_ax)) + 6116/|R_c| + g i_s],
    V in km/h, P_ax in t.
    """
    tonnes = mass / 1000.0
    axle_load = tonnes / axles
    return np.array(
        [
            tonnes * q_ad * (2.943 + 89.2 / axle_load),  # 002 (6)
            tonnes * q_ad * 0.0306 * 3.6,
            tonnes * q_ad * 0.122 * 3.6**2 / (axle_load * axles),
            tonnes * CURVING,
        ]
    )
