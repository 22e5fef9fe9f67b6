"""Contact of two smooth bodies by Hertz, from the package's elliptic factors: what tests compare with."""

from dataclasses import dataclass

import numpy as np

from flexwheel.contact.hertz import axis_ratio, elliptic_factors


@dataclass(frozen=True)
class HertzContact:
    """Elliptic contact: semi-axes a (along x, rolling) and b [m], approach [m], pressure [Pa], load [N]."""

    a: float
    b: float
    approach: float
    peak_pressure: float
    load: float

    @property
    def area(self):
        """Area of the ellipse [m^2]."""
        return np.pi * self.a * self.b


def solve(A, B, load, contact_modulus) -> HertzContact:
    """Semi-axes, approach and peak pressure of a Hertz contact.

    Parameters
    ----------
    A, B : float [1/m]           half the relative curvature along x and y: distance = A x^2 + B y^2
    load : float [N]             normal load
    contact_modulus : float [Pa] E* = 1 / ((1 - nu1^2)/E1 + (1 - nu2^2)/E2)

    Source: Johnson 1985, eqs (4.25)-(4.28). Verified in tests/contact/test_hertz_verified.py.
    """
    small, large = min(A, B), max(A, B)
    g = axis_ratio(small / large)
    _, C, K = elliptic_factors(g)
    long = (3.0 * load * C / (2.0 * np.pi * contact_modulus * g**2 * large)) ** (1.0 / 3.0)
    short = g * long
    a, b = (short, long) if A > B else (long, short)
    return HertzContact(
        a=a,
        b=b,
        approach=1.5 * load * K / (np.pi * contact_modulus * long),
        peak_pressure=1.5 * load / (np.pi * a * b),
        load=load,
    )
