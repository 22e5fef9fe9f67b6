"""Saturation of a linear creep force at the friction bound.

Sources: Vermeulen and Johnson 1964; Shen, Hedrick and Elkins, 8th IAVSD Symposium 1983.
"""

from flexwheel.numerics.kernels import kernel


@kernel(inline="always")
def saturation_factor(linear, bound):
    """Creep force over linear creep force: 1 - f/3 + f^2/27 for f = linear/bound < 3, else 1/f."""
    if bound <= 0.0:
        return 0.0
    f = linear / bound
    return 1.0 - f / 3.0 + f * f / 27.0 if f < 3.0 else 1.0 / f
