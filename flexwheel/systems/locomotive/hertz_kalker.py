"""Hertz's semi-axis functions and Kalker's coefficients as one table for the time step.

The ellipse follows from t = (A - B)/(A + B), A along rolling: a = (1.5 (1 - nu^2)/E N/(A + B))^(1/3) m(t), b the same
with n(t). In eq 20 of paper 000 m belongs to the axis of smaller relative curvature, which |A - B| hides; t keeps
its sign. The table holds m, n, c11, c22, c23, c33 at equal steps of t.

Source: Hertz 1882 with exact elliptic integrals (contact.hertz); Kalker's table (contact.kalker_coefficients).
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.hertz import axis_ratio, elliptic_factors
from flexwheel.contact.kalker_coefficients import kalker_coefficients

ROWS = 401
T_LIMIT = 0.999


def hertz_kalker_table(nu):
    """Table over t = -T_LIMIT ... T_LIMIT.

    Returns
    -------
    (ROWS, 6) float [-]
    """
    t = np.linspace(-T_LIMIT, T_LIMIT, ROWS)
    large = 0.5 * (1.0 + np.abs(t))
    g = axis_ratio(0.5 * (1.0 - np.abs(t)) / large)
    # of unit A + B, and 1.5 (1 - nu^2)/E N = 1, which is load 1 on E* = 3/4
    long = (2.0 * elliptic_factors(g)[1] / (np.pi * g**2 * large)) ** (1.0 / 3.0)  # 000 (20)
    table = np.empty((ROWS, 6))
    table[:, 0], table[:, 1] = np.where(t > 0.0, g * long, long), np.where(t > 0.0, long, g * long)
    table[:, 2:] = kalker_coefficients(table[:, 0] / table[:, 1], nu).T
    return table


def shear_modulus(young, nu, choice):
    """G [Pa]: "right" E/(2(1 + nu)), or "paper", the E/(2(1 - nu)) of the authors' published parameters."""
    if choice not in ("right", "paper"):
        raise ScenarioError(f"contact.shear_modulus must be right or paper, got {choice!r}")
    return young / (2.0 * (1.0 + nu)) if choice == "right" else young / (2.0 * (1.0 - nu))
