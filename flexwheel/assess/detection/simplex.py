"""Simplex: local minima of the vertical difference by Nelder and Mead's method.

Source: Nelder and Mead 1965, Computer Journal 7(4); used for this problem by Falomi, Malvezzi and Meli 2011, Wear 271.
Verified in tests/assess/test_detection_verified.py.
"""

from flexwheel.contact.detection.profile_surface import surface_difference
from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

_SIZE = 5e-4  # [m] of the first simplex
_END = 2e-5  # [m] extent at which it stops
_STEPS = 120


@kernel(fastmath=FAST)
def simplex_descend(pair, pose, eta):
    """End of one search from x = 0 and eta [m]: x, eta and value."""
    x0, e0, x1, e1, x2, e2 = 0.0, eta, _SIZE, eta, 0.0, eta + _SIZE
    f0 = surface_difference(pair, pose, x0, e0)
    f1 = surface_difference(pair, pose, x1, e1)
    f2 = surface_difference(pair, pose, x2, e2)
    for _ in range(_STEPS):
        if f1 < f0:
            x0, e0, f0, x1, e1, f1 = x1, e1, f1, x0, e0, f0
        if f2 < f0:
            x0, e0, f0, x2, e2, f2 = x2, e2, f2, x0, e0, f0
        if f2 < f1:
            x1, e1, f1, x2, e2, f2 = x2, e2, f2, x1, e1, f1
        extent = max(abs(x1 - x0), abs(e1 - e0), abs(x2 - x0), abs(e2 - e0))
        if extent < _END:
            break
        mx, me = 0.5 * (x0 + x1), 0.5 * (e0 + e1)
        xr, er = 2.0 * mx - x2, 2.0 * me - e2
        fr = surface_difference(pair, pose, xr, er)
        if fr < f0:
            xe, ee = 3.0 * mx - 2.0 * x2, 3.0 * me - 2.0 * e2
            fe = surface_difference(pair, pose, xe, ee)
            if fe < fr:
                x2, e2, f2 = xe, ee, fe
            else:
                x2, e2, f2 = xr, er, fr
            continue
        if fr < f1:
            x2, e2, f2 = xr, er, fr
            continue
        if fr < f2:
            xc, ec, limit = 0.5 * (mx + xr), 0.5 * (me + er), fr
        else:
            xc, ec, limit = 0.5 * (mx + x2), 0.5 * (me + e2), f2
        fc = surface_difference(pair, pose, xc, ec)
        if fc <= limit:
            x2, e2, f2 = xc, ec, fc
            continue
        x1, e1 = 0.5 * (x0 + x1), 0.5 * (e0 + e1)
        x2, e2 = 0.5 * (x0 + x2), 0.5 * (e0 + e2)
        f1 = surface_difference(pair, pose, x1, e1)
        f2 = surface_difference(pair, pose, x2, e2)
    return x0, e0, f0
