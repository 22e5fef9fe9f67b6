"""From what a wheel lost over some whole turns to wear rates, and from those to a worn profile and circumference.

Depths of the profile are taken off its height (the radius), so that the lost area of the cross-section is kept; a wheel
that wears unevenly round its circumference is taken as a shift of its whole profile, as out-of-roundness is: the
depth of its running band, which is the wear across the profile weighted with the load that ran there.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from flexwheel.assess.wear.accumulate import ENERGY, MISSED, MOVED, VOLUME, Lost, Samples, accumulate
from flexwheel.base.errors import FlexwheelError
from flexwheel.contact.contact_tables import make_contact_scratch
from flexwheel.contact.normal import NORMAL_LAWS
from flexwheel.contact.tangential import TANGENTIAL_LAWS
from flexwheel.numerics.kernels import handle

FIRST, LAST, STEP = -0.075, 0.070, 2e-4
"""[m] bins across the profile."""
BINS = 1024
"""Round the circumference: 2.8 mm of a wheel of 0.92 m."""
_MOST_MISSED = 0.01  # of load times way


@dataclass(frozen=True)
class WheelLoss:
    """What a wheel lost over some way, and the rates of it per metre of way."""

    way: float  # [m]
    turns: int  # whole ones; 0 where there was none: nothing is known of the circumference then
    energy: float  # [J] friction energy, T-gamma times way
    volume: float  # [m3]
    missed: float  # share of load times way of patches that were not found again
    depth_rate: np.ndarray  # (B,) [m/m] off the radius, by place on the profile
    band_rate: float  # [m/m] of the running band
    around_rate: np.ndarray  # (turns, BINS) [m/m] of the running band, turn by turn


def lateral_places():
    """Middles (B,) [m] of the bins across the profile, to the field side from the tread datum."""
    return FIRST + STEP * (np.arange(round((LAST - FIRST) / STEP)) + 0.5)


def wheel_loss(tables, radius, law, samples: Samples, turns) -> WheelLoss:
    """Loss of a wheel over samples that cover `turns` whole turns, or none.

    Parameters
    ----------
    tables : ContactTables     of FASTSIM on strips
    radius : float [m]
    law : LawTable
    samples : Samples
    turns : int

    Raises
    ------
    FlexwheelError     patches are not found again from the recorded poses: another scenario, or another version
    """
    places = lateral_places()
    cells, strips = tables.cells.row.shape[1], 3 * tables.normal.nodes.place.size
    lost = Lost(
        FIRST, STEP, np.zeros(places.size), np.zeros(places.size), np.zeros((max(turns, 1), BINS)), np.zeros(4),
        np.zeros((cells, strips)), np.zeros((cells, strips)),
    )  # fmt: skip
    scratch = make_contact_scratch(tables)
    accumulate(handle(tables), float(radius), handle(law), handle(samples), handle(scratch), handle(lost))
    way, total = float(samples.way.sum()), lost.total
    missed = total[MISSED] / total[MOVED] if total[MOVED] > 0.0 else 0.0
    if missed > _MOST_MISSED:
        raise FlexwheelError(
            f"{100.0 * missed:.1f} % of the load is of patches that the recorded poses do not give, more than "
            f"{100.0 * _MOST_MISSED:g} %: were the results written by another version?"
        )
    round_it = 2.0 * np.pi * radius
    depth = lost.lateral / (STEP * round_it * way)
    pressed = lost.pressed.sum()
    band = float(depth @ lost.pressed / pressed) if pressed > 0.0 else 0.0
    volume = float(total[VOLUME])
    each = lost.around / max(volume, 1e-300) * turns * band * BINS  # mean over all turns and bins: band
    return WheelLoss(way, turns, float(total[ENERGY]), volume, float(missed), depth, band, each[:turns])


def mixed(losses, weights) -> WheelLoss:
    """Rates of a route of which shares `weights` (sum 1) are like the pieces `losses`."""

    def mean(name):
        return sum(w * getattr(loss, name) for w, loss in zip(weights, losses, strict=True))

    turns = min(loss.turns for loss in losses)
    return WheelLoss(
        sum(loss.way for loss in losses), turns,
        sum(w * loss.energy / loss.way for w, loss in zip(weights, losses, strict=True)) * sum(x.way for x in losses),
        sum(w * loss.volume / loss.way for w, loss in zip(weights, losses, strict=True)) * sum(x.way for x in losses),
        max(loss.missed for loss in losses), mean("depth_rate"), mean("band_rate"),
        sum(w * loss.around_rate[:turns] for w, loss in zip(weights, losses, strict=True)),
    )  # fmt: skip


def orders_of(around):
    """Complex amplitudes (..., BINS // 2 + 1) of values (..., BINS): Re(c exp(i n angle)); the mean at n = 0."""
    amplitude = np.fft.rfft(around, axis=-1) * 2.0 / BINS
    n = np.arange(amplitude.shape[-1])
    amplitude[..., 0] *= 0.5
    return amplitude * np.exp(-1j * np.pi * n / BINS)  # the middle of the first bin stands half a bin on


def around_of(amplitudes, highest):
    """Values (BINS,) at the middles of the bins from amplitudes of the orders 1 to `highest`."""
    n = np.arange(len(amplitudes))
    kept = np.where((n >= 1) & (n <= highest), amplitudes * np.exp(1j * np.pi * n / BINS), 0.0)
    return np.fft.irfft(0.5 * BINS * kept, BINS)


def order_growth(loss: WheelLoss):
    """Growth (N,) complex [m/m] of each order of the deviation, and its standard error (N,) from turn to turn."""
    growth = -orders_of(loss.around_rate)
    mean = growth.mean(axis=0)
    if loss.turns < 2:
        return mean, np.full(len(mean), np.nan)
    return mean, np.sqrt(np.sum(np.abs(growth - mean) ** 2, axis=0) / (loss.turns * (loss.turns - 1)))


def smoothed(depth, width):
    """Depths (B,) after a Gaussian of standard deviation `width` [m]; their sum is kept."""
    if width <= 0.0:
        return depth
    return scipy.ndimage.gaussian_filter1d(depth, width / STEP, mode="constant", truncate=5.0)


def worn_height(profile, depth):
    """Places (n,) and heights (n,) [m] every 0.1 mm of a wheel's profile that has lost depths (B,) [m] of its radius.

    Parts steeper than a wheel can roll on, at the back of the flange, are left out.
    """
    usable = np.flatnonzero(np.abs(profile.slope) < 10.0)
    at = np.argmin(np.abs(profile.y[usable]))
    breaks = np.flatnonzero(np.diff(usable) > 1)
    first = usable[breaks[breaks < at][-1] + 1] if np.any(breaks < at) else usable[0]
    last = usable[breaks[breaks >= at][0]] if np.any(breaks >= at) else usable[-1]
    y = np.arange(np.ceil(profile.y[first] * 1e4), np.floor(profile.y[last] * 1e4) + 0.5) * 1e-4
    return y, np.interp(y, profile.y, profile.height) - np.interp(y, lateral_places(), depth)


def require_strips(tables):
    """Refuse contact laws without strips on which FASTSIM is marched."""
    if not (tables.tangential_law.strips and tables.normal.at_places):
        slip = " or ".join(repr(name) for name, law in TANGENTIAL_LAWS.items() if law.strips)
        strips = " or ".join(repr(name) for name, law in NORMAL_LAWS.items() if law.at_places)
        raise FlexwheelError(
            f"wear needs slip on strips: contact.tangential must be {slip} and contact.normal {strips}"
        )
