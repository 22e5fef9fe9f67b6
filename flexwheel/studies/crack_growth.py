"""Growth of a semi-elliptical surface crack under a load collective: depth and length over the kilometres.

Laws, K in MPa sqrt(m), rates in m per cycle, R = K_min/K_max:

    paris     C D^n                      D = K_max - max(K_min, 0)
    forman    C D^n / ((1 - R) K_c - D)  R = max(K_min, 0)/K_max
    nasgro    C ((1 - f)/(1 - R) dK)^n (1 - dK_th/dK)^p / (1 - K_max/K_c)^q,  dK = K_max - K_min
              dK_th = dK_0 sqrt(a/(a + a_0)) / ((1 - f)/((1 - A_0)(1 - R)))^(1 + C_th R)

f is Newman's closure of a crack under constant amplitude. Cycles act one by one, without regard to their order.

Sources: Forman et al. 1967 and the NASGRO equation after the manual of AFGROW (AFRL-VA-WP-TR-1999-3016), both as in the
program easigrow (github needsglasses/easigrow, src/dadn.rs); the papers were not read.
Verified in tests/studies/test_crack.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.studies.crack_factors import CrackFactors

PARIS = ("c", "n", "toughness_mpa_sqrt_m")
LAWS = {
    "paris": PARIS,
    "forman": PARIS,
    "nasgro": (*PARIS, "threshold_mpa_sqrt_m", "p", "q", "alpha", "smax_over_flow", "cth_plus", "cth_minus",
               "intrinsic_mm"),
}  # fmt: skip
"""Law -> constants of the material that it takes."""
GROWTH = 0.01  # of depth and length in one step
MOST_STEPS = 20000


class Crack(NamedTuple):
    """History of a crack."""

    km: np.ndarray  # (n,)
    depth: np.ndarray  # (n,) [m]
    half_length: np.ndarray  # (n,) [m] along the surface
    largest: np.ndarray  # (n,) [MPa sqrt(m)] K of the largest block
    why: str  # it ends there
    grows: bool  # whether it reached the end


def rate(law, of, k_max, k_min, depth):
    """Growth per cycle [m] of blocks (b,); inf where K_max reaches the toughness.

    of : dict of the constants of LAWS      K [MPa sqrt(m)], depth [m]
    """
    k_max, k_min = np.asarray(k_max, float), np.asarray(k_min, float)
    opened = k_max > 0.0
    top, low = np.where(opened, k_max, 1.0), np.where(opened, k_min, 0.0)
    tough = of["toughness_mpa_sqrt_m"]
    if law == "nasgro":
        grown = _nasgro(of, top, low, depth)
    else:
        low = np.maximum(low, 0.0)
        grown = of["c"] * (top - low) ** of["n"]
        if law == "forman":
            grown = grown / np.maximum((1.0 - low / top) * tough - (top - low), 1e-300)
    return np.where(opened, np.where(top >= tough, np.inf, grown), 0.0)


def _nasgro(of, top, low, depth):
    r, size = low / top, top - low
    alpha, flow = of["alpha"], of["smax_over_flow"]
    a0 = (0.825 - 0.34 * alpha + 0.05 * alpha**2) * np.cos(0.5 * np.pi * flow) ** (1.0 / alpha)
    a1 = (0.415 - 0.071 * alpha) * flow
    a3 = 2.0 * a0 + a1 - 1.0
    a2 = 1.0 - a0 - a1 - a3
    f = np.where(r >= 0.0, np.maximum(a0 + r * (a1 + r * (a2 + r * a3)), r), a0 + np.maximum(r, -2.0) * a1)
    closed = (1.0 - f) / (1.0 - r)
    spread = 1.0 + np.where(r >= 0.0, of["cth_plus"], of["cth_minus"]) * r
    short = np.sqrt(depth / (depth + 1e-3 * of["intrinsic_mm"]))
    threshold = of["threshold_mpa_sqrt_m"] * short / (closed / (1.0 - a0)) ** spread
    above = np.maximum(1.0 - threshold / size, 0.0)
    near = np.maximum(1.0 - top / of["toughness_mpa_sqrt_m"], 1e-300)
    return np.where(above > 0.0, of["c"] * (closed * size) ** of["n"] * above ** of["p"] / near ** of["q"], 0.0)


def grow(diameter, start, end, blocks, law, of, factors: CrackFactors) -> Crack:
    """Crack from (depth, half length) [m] to a depth [m], the toughness, all round the bar, or the end of the factors.

    Parameters
    ----------
    diameter : float [m]
    blocks : (b, 3) float       range [MPa], mean [MPa], cycles per km
    law, of : as `rate`

    Steps of Runge and Kutta's fourth order, in each of which depth or length grows by GROWTH.
    """
    high, low = blocks[:, 1] + 0.5 * blocks[:, 0], blocks[:, 1] - 0.5 * blocks[:, 0]

    def unit(at):
        """(2,) K for 1 MPa at the deepest point and at the surface."""
        return factors.at(at[0] / diameter, at[0] / at[1]) * np.sqrt(np.pi * at[0])

    def per_km(at):
        return np.array([np.sum(blocks[:, 2] * rate(law, of, k * high, k * low, at[0])) for k in unit(at)])

    @np.errstate(invalid="ignore")  # a stage at the toughness has no finite slope
    def after(at, step, slope):
        second = per_km(at + 0.5 * step * slope)
        third = per_km(at + 0.5 * step * second)
        return at + step / 6.0 * (slope + 2.0 * second + 2.0 * third + per_km(at + step * third))

    last = float(factors.depths[-1]) * diameter
    goal = last if end is None else min(end, last)
    at, km, why = np.array(start, float), 0.0, ""
    rows = []
    while len(rows) < MOST_STEPS:
        largest = float(unit(at).max() * high.max())
        rows.append((km, *at, largest))
        slope = per_km(at)
        if largest >= of["toughness_mpa_sqrt_m"]:
            why = "K reaches the toughness"
        elif at[0] >= goal * (1.0 - 1e-9):
            why = "the factors end" if goal == last else "the depth asked for"
        elif at[1] >= 0.5 * np.pi * diameter:
            why = "its length is the circumference"
        if why or not np.any(slope > 0.0):
            break
        step = GROWTH / np.max(slope / at)
        then = after(at, step, slope)
        while np.isfinite(then[0]) and then[0] > goal * (1.0 + 1e-9):
            step *= (goal - at[0]) / (then[0] - at[0])
            then = after(at, step, slope)
        if not np.all(np.isfinite(then)):
            why = "K reaches the toughness"
            break
        at, km = then, km + step
    grows, why = bool(why), why or "below the threshold: no growth"
    return Crack(*np.array(rows).T, why, grows)
