"""Material a wheel loses over the samples of a run, by place on its profile and by angle round it.

At every sample the patches are found anew from the recorded pose, and FASTSIM is marched with the recorded load and
creepages; each cell loses what the law says over the way of the sample, where it stands: at its strip's place on the
profile, and at the angle of the material there, x/r before that below the axle.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.assess.wear.strip_slip import strip_slip
from flexwheel.assess.wear.wear_law import PER_AREA, PER_PATCH
from flexwheel.contact.fastsim import ALONG, flexibilities
from flexwheel.contact.friction.law import coefficient_of_friction, rolling_speed
from flexwheel.contact.gap import FAST, across_wheel
from flexwheel.contact.normal import NORMAL, wheel_normal
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.contact.tangential import equivalent_ellipse
from flexwheel.contact.wheel_rail import touching
from flexwheel.numerics.kernels import kernel

_SAME = 1e-3  # [m] between a recorded patch and the one found again
_NEXT = 4.0  # of a strip's width, within which the next of its part stands
_ALIKE = 1e-6  # [m] that much nearer it must be than the one before


class Samples(NamedTuple):
    """What is recorded of one wheel."""

    pose: np.ndarray  # (T, 6) of `contact.wheel_rail`: x, y, z, roll, pitch, yaw; x and pitch count for nothing
    normal_force: np.ndarray  # (T, P) [N] 0 where there is no patch
    place: np.ndarray  # (T, P) [m] lateral, of the load on the wheel
    creepage: np.ndarray  # (T, P, 3)
    way: np.ndarray  # (T,) [m] along the track that the sample stands for
    speed: np.ndarray  # (T,) [m/s]
    along: np.ndarray  # (T,) [m] arc length along the track
    angle: np.ndarray  # (T,) [rad] by which the wheel has turned since the first whole turn began


class Lost(NamedTuple):
    """What is accumulated of one wheel, and scratch."""

    start: float  # [m] lateral place where the bins begin
    step: float  # [m] of a bin
    lateral: np.ndarray  # (B,) [m3] lost by place on the profile
    pressed: np.ndarray  # (B,) [N m] load times way there
    around: np.ndarray  # (turns, A) [m3] lost by turn and angle
    total: np.ndarray  # (4,) columns below
    work: np.ndarray  # (cells, strips) scratch
    slide: np.ndarray  # (cells, strips) scratch


ENERGY, MISSED, MOVED, VOLUME = 0, 1, 2, 3
"""Columns of `Lost.total`: friction energy [J], load times way not found again, all of it [N m], lost volume [m3]."""


@kernel(fastmath=FAST)
def accumulate(tables, radius, law, samples, scratch, lost):
    """Add what a wheel loses over its samples to `lost`.

    tables : ContactTables; radius : float [m]; law : LawTable; samples : Samples; scratch : ContactScratch; lost : Lost
    """
    for t in range(samples.normal_force.shape[0]):
        pose, sampled, _, count = touching(tables, radius, samples.pose[t], scratch)
        count = wheel_normal(tables, pose, sampled, scratch, count)
        for k in range(count):  # place of the load, as recorded, for that of the largest depth
            normal = scratch.normal[k]
            x, y, z = normal[NORMAL.x], normal[NORMAL.y], normal[NORMAL.z]
            scratch.regions[k, REGION.place] = across_wheel(pose, x, y, z)
        for p in range(samples.normal_force.shape[1]):
            load = samples.normal_force[t, p]
            if not load > 0.0:
                continue
            lost.total[MOVED] += load * samples.way[t]
            nearest, apart = -1, _SAME
            for k in range(count):  # its own number first: readings of regions that merge have one place
                r = (p + k) % count
                away = abs(scratch.regions[r, REGION.place] - samples.place[t, p])
                if away < apart - _ALIKE:
                    nearest, apart = r, away
            if nearest < 0 or not scratch.regions[nearest, REGION.share] > 0.0:
                lost.total[MISSED] += load * samples.way[t]
                continue
            normal = scratch.normal[nearest]
            if not (
                normal[NORMAL.normal_force] > 0.0 and min(normal[NORMAL.half_width], normal[NORMAL.half_length]) > 1e-6
            ):
                lost.total[MISSED] += load * samples.way[t]
                continue
            _add_patch(tables, radius, law, samples, scratch, lost, pose, nearest, t, p)


@kernel(fastmath=FAST)
def _add_patch(tables, radius, law, samples, scratch, lost, pose, r, t, p):
    """Add patch p of sample t, found again as reading r."""
    strip, normal, share = scratch.strips[r], scratch.normal[r], scratch.regions[r, REGION.share]
    n, cells = int(normal[NORMAL.strips]), tables.cells
    nx = cells.row.shape[1]
    load, way = samples.normal_force[t, p] / share, samples.way[t] * share
    ellipse = equivalent_ellipse(tables, normal[NORMAL.area], normal[NORMAL.half_length] / normal[NORMAL.half_width])
    work, slide = lost.work, lost.slide
    creepage = samples.creepage[t, p]
    rolling = rolling_speed(samples.speed[t], creepage[0])
    of_patch = load, normal[NORMAL.area], normal[NORMAL.y], math.atan2(normal[NORMAL.sine], normal[NORMAL.cosine])
    friction, _ = coefficient_of_friction(tables, rolling, creepage, of_patch, samples.along[t])
    strip_slip(n, strip, friction * load, creepage, flexibilities(ellipse), cells, work, slide)
    spent = 0.0
    for j in range(n):
        for i in range(nx):
            spent += work[i, j] * cells.row[ALONG.width, i] * strip[STRIP.half, j] * strip[STRIP.width, j]
    lost.total[ENERGY] += spent * way
    per_energy = 0.0
    if law.kind == PER_PATCH and spent > 0.0:
        per_energy = _pieces(law, spent) / spent
    factor = normal[NORMAL.factor] * load / normal[NORMAL.normal_force]
    per_turn = lost.around.shape[1] / (2.0 * math.pi)
    for j in range(n):
        aj, width = strip[STRIP.half, j], strip[STRIP.width, j]
        if not width > 0.0:
            continue
        whole = 0.0
        for i in range(nx):
            u = cells.row[ALONG.place, i]
            if law.kind == PER_AREA:
                depth = _pieces(law, work[i, j])
            elif law.kind == PER_PATCH:
                depth = per_energy * work[i, j]
            else:
                pressure = factor * aj * math.sqrt(1.0 - u * u)
                depth = _softness(law, slide[i, j] * samples.speed[t], pressure) * pressure * slide[i, j]
            volume = depth * way * width * cells.row[ALONG.width, i] * aj
            whole += volume
            angle = samples.angle[t] + (aj * u + strip[STRIP.offset, j]) / radius
            _add_around(lost.around, angle * per_turn - 0.5, volume)
        middle, beside = _place(pose, strip, j), width * normal[NORMAL.cosine]
        low, high = _next(pose, strip, n, j, -1, beside), _next(pose, strip, n, j, 1, beside)
        low, high = middle - _reach(strip, j, low, high, beside), middle + _reach(strip, j, high, low, beside)
        low, middle = (low - lost.start) / lost.step, (middle - lost.start) / lost.step
        high = (high - lost.start) / lost.step
        _spread(lost.lateral, low, middle, high, whole)
        _spread(lost.pressed, low, middle, high, 0.5 * math.pi * factor * aj * aj * width * way)
        lost.total[VOLUME] += whole


@kernel(fastmath=FAST, inline="always")
def _place(pose, strip, j):
    """Lateral coordinate [m] of strip j on the wheel."""
    return across_wheel(pose, strip[STRIP.x, j], strip[STRIP.y, j], strip[STRIP.z, j])


@kernel(fastmath=FAST)
def _next(pose, strip, n, j, side, beside):
    """Way [m] across the wheel from strip j to the next one of its part, 0 where there is none; beside: its width."""
    i = j + side
    if not (0 <= i < n and strip[STRIP.width, i] > 0.0):
        return 0.0
    way = side * (_place(pose, strip, i) - _place(pose, strip, j))
    return way if 0.0 < way < _NEXT * beside else 0.0


@kernel(fastmath=FAST)
def _reach(strip, j, way, back, beside):
    """How far from its middle [m] strip j wears: to the next one, or to the end of the patch, where a line through the
    squares of its half-length and of that on the other side is zero, but no farther than its width."""
    if way > 0.0 or not back > 0.0:
        return way if way > 0.0 else beside
    other = j - 1 if strip[STRIP.width, j - 1] > 0.0 and j > 0 else j + 1
    here, inner = strip[STRIP.half, j] ** 2, strip[STRIP.half, other] ** 2
    return min(beside, here * back / max(inner - here, 1e-300))


@kernel(fastmath=FAST, inline="always")
def _pieces(law, energy):
    """Loss of an energy law, 0 without energy."""
    if not energy > 0.0:
        return 0.0
    i = 0
    while i + 1 < law.start.size and energy >= law.start[i + 1]:
        i += 1
    return law.constant[i] + law.slope[i] * energy


@kernel(fastmath=FAST, inline="always")
def _softness(law, slip, pressure):
    """k over H of the region of a sliding speed and a pressure."""
    i = 0
    while i + 1 < law.slip.size and not (slip < law.slip[i] and pressure < law.pressure[i]):
        i += 1
    return law.softness[i]


@kernel(fastmath=FAST, inline="always")
def _add_around(around, at, volume):
    """Share a volume between the two bins about a place on the circumference, in bins since the first turn began."""
    turns, bins = around.shape
    whole = math.floor(at)
    part = at - whole
    for k in range(2):
        b = int(whole) + k
        turn = b // bins if b >= 0 else -1
        # what a patch takes beyond the first and the last turn is kept in them
        turn = min(max(turn, 0), turns - 1)
        around[turn, b % bins] += volume * (part if k == 1 else 1.0 - part)


@kernel(fastmath=FAST, inline="always")
def _spread(bins, low, middle, high, amount):
    """Spread an amount as a triangle over low, middle, high, in bins; what lies beyond goes to the last ones."""
    last, before = bins.size - 1, 0.0
    for b in range(int(math.floor(low)), int(math.floor(high)) + 1):
        x = min(b + 1.0, high)
        below = (x - low) * (x - low) / ((high - low) * (middle - low) + 1e-300)
        if x > middle:
            below = 1.0 - (high - x) * (high - x) / ((high - low) * (high - middle) + 1e-300)
        bins[min(max(b, 0), last)] += amount * (below - before)
        before = below
