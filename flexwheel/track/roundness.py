"""Out-of-roundness of wheels: orders with amplitude and phase, a measured line over the angle, flats.

Angles count as the wheel turns: at angle phi stands what touches the rail when the wheel has turned by phi since the
start. Deviations are of the radius, positive where the wheel is larger. What lifts the wheel is not the radius below
its axle but its farthest point towards the rail, H(phi) = max over x of (r + d(phi + x)) cos x: a wheel rolls over the
edges of a flat and bridges hollows shorter than itself. The rail is taken as straight and stiff there; that the contact
patch averages over its own length is left out, its compliance is the contact law's.
"""

import numpy as np
import scipy

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.track.irregularity import spline_weights

SAMPLES = 8192  # of a turn: every 0.35 mm of a wheel of 0.92 m
REACH = 0.35  # [rad] either side within which a wheel may touch; beyond, cos x is 6 % down
MOST_DEVIATION = 0.02  # [m]


def order_deviation(angle, orders):
    """Deviation [m] at angles [rad] of (order, amplitude [m], phase [rad]): sum of a cos(n phi - phase)."""
    out = np.zeros_like(angle)
    for order, amplitude, phase in orders:
        out += amplitude * np.cos(order * angle - phase)
    return out


def flat_deviation(angle, radius, place, length, depth=None, rounded=True):
    """Deviation [m] of a flat at an angle: a chord, or worn at its edges as a haversine.

    Parameters
    ----------
    angle : (n,) float [rad]
    radius : float [m]
    place : float [rad]             its middle
    length : float [m]              along the tread
    depth : float, optional [m]     of a rounded flat; by default length^2/(16 radius), half as deep as the chord,
                                    as the usual haversine has it
    rounded : bool                  a flat with sharp edges has the depth of its chord, length^2/(8 radius)

    Source: Wu and Thompson 2002, J. Sound Vib. 251(1), 115-126 (fresh and rounded flat); not compared with it.
    """
    x = radius * np.angle(np.exp(1j * (angle - place)))
    inside = np.abs(x) < 0.5 * length
    if rounded:
        deep = length**2 / (16.0 * radius) if depth is None else depth
        return np.where(inside, -0.5 * deep * (1.0 + np.cos(2.0 * np.pi * x / length)), 0.0)
    half = 0.5 * length / radius
    return np.where(inside, radius * np.cos(half) / np.cos(np.clip(x / radius, -half, half)) - radius, 0.0)


def rolling_deviation(deviation, radius):
    """Height of the axle over a straight stiff rail less the radius [m], from deviations (n,) of a whole turn."""
    count = len(deviation)
    reach = int(np.ceil(REACH / (2.0 * np.pi) * count))
    out = np.array(deviation)
    for k in range(1, reach + 1):
        lift = np.cos(2.0 * np.pi * k / count)
        for shifted in (np.roll(deviation, k), np.roll(deviation, -k)):
            np.maximum(out, (radius + shifted) * lift - radius, out=out)
    return out


def roundness_table(deviations, radii):
    """Coefficients (W, 2, n) of periodic cubic B-splines of the rolling deviation.

    Parameters
    ----------
    deviations : sequence of W pairs    of the left and right wheel: (n,) float [m], or None where it is round
    radii : (W,) float [m]

    Raises
    ------
    ScenarioError   a deviation that is no deviation any more
    """
    if all(part is None for pair in deviations for part in pair):
        return np.zeros((0, 2, 0))
    table = np.zeros((len(deviations), 2, SAMPLES))
    for w, pair in enumerate(deviations):
        for side, deviation in enumerate(pair):
            if deviation is None:
                continue
            if not np.max(np.abs(deviation)) <= MOST_DEVIATION:
                raise ScenarioError(
                    f"out of roundness must be at most {1e3 * MOST_DEVIATION:g} mm, got "
                    f"{1e3 * np.max(np.abs(deviation)):.3g} mm"
                )
            table[w, side] = scipy.ndimage.spline_filter1d(
                rolling_deviation(deviation, radii[w]), order=3, mode="grid-wrap"
            )
    return table


def turn_angles():
    """Angles (SAMPLES,) [rad] at which a deviation is given."""
    return 2.0 * np.pi / SAMPLES * np.arange(SAMPLES)


@kernel
def roundness_at(table, w, spin, out):
    """Rolling deviation [m] and its derivative by the spin [m/rad] into out (2, 2), by side; grows over one turn."""
    count = table.shape[2]
    if count == 0:
        return
    step = 2.0 * np.pi / count
    t = spin / step
    i = int(np.floor(t))
    value, slope = spline_weights(t - i, step)
    x = min(max(spin / (2.0 * np.pi), 0.0), 1.0)
    grown = x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
    growing = 30.0 * x * x * (1.0 - x) * (1.0 - x) / (2.0 * np.pi)
    for side in range(2):
        f, d = 0.0, 0.0
        for k in range(4):
            c = table[w, side, (i - 1 + k) % count]
            f += value[k] * c
            d += slope[k] * c
        out[side, 0] = grown * f
        out[side, 1] = grown * d + growing * f
