"""First-touch points of a wheel on a rail: every separate region where the undeformed bodies overlap."""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.contact.gap import FAR, FAST, OFF, YAWED, depth_at, near_rail, penetration
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import (
    any_lane,
    bits_of,
    both,
    either,
    held_before,
    lane,
    lanes_of,
    lowest_bit,
    where,
)
from flexwheel.numerics.kernels.lanes import load_lanes

_FIELD_LOW, _FIELD_HIGH = -1.0, 1.0  # [m] beyond any profile
_BLEND = 0.15  # of the depth
_STANDS, _JOINS = 0.05, 4.0  # of the deeper one, of the saddle: laws of a whole wheel have at least the lesser
_BRACKET = 4e-5  # [m] halving ends below this step
_SHOULDER = 4.0  # a sample this much steeper on its far side than on its near side may hide a peak beside it
_HIDING = 2e-5  # [m] apart at most where it may
_SUBSAMPLES = 4  # of a step, to look for it
_EDGE = 1.5  # of the fall to the next sample, apart at most where an edge may stand out beside a sample
_ENDED = 4e-3  # [m] apart at most where a peak may lie between a sample and the end of the rail or of a branch of the
# locus beside it: on a flange the depth falls by some millimetres from one sample to the next
_SAME = 0.6  # of a step between two points, within which a turn of the depth is that of a known maximum
_LEVEL = 2e-8  # [m] error of a maximum at most
_ABOUT = 0.3  # of a step between the points about a guess of a peak


class Peaks(NamedTuple):
    """First-touch points of a wheel, ascending, and the saddles between them; (m,) [m] each."""

    places: np.ndarray  # lateral coordinate on the wheel
    heights: np.ndarray  # penetration there
    saddle_heights: np.ndarray  # of the saddle after each point
    saddle_places: np.ndarray
    BY_VALUE = True


class RegionColumns(NamedTuple):
    """Columns of a region: neighbouring first-touch points that are one reading of a patch."""

    place: int  # [m] of the first-touch point
    depth: int  # [m] there
    low: int  # [m] ends of the range
    high: int
    share: int  # [-]
    share_rate: int  # [1/m] of it as the wheel is pressed down
    first: int  # peak
    last: int
    apart: int  # [-] separation from what stands below it
    load: int  # [N] as lifted by others, and the part of the depth that is left: see mutual_lift
    left: int


REGION = RegionColumns(*range(len(RegionColumns._fields)))


@kernel(fastmath=FAST)
def find_peaks(pair, pose, sampled, peaks):
    """Local maxima of the penetration that are positive.

    Parameters
    ----------
    pair : ProfilePair
    pose : Pose
    sampled : SampledDepth
    peaks : Peaks            out: places and heights

    Returns
    -------
    int                      number of peaks; m + 1 when there are more than fit
    """
    step, coarse = sampled.step, sampled.depth
    quick, count = pose.tan_yaw * pose.tan_yaw < YAWED, 0
    near_enough = near_rail(pose)
    crest, place, height = -1, _FIELD_HIGH, -FAR  # the last sample whose maximum was looked for, and that
    for block in range(max(sampled.first, 1), min(sampled.last, coarse.size - 2) + 1, 8):
        candidates = _candidates(coarse, block, near_enough)
        while candidates != 0:
            i = block + lowest_bit(candidates)
            candidates &= candidates - 1
            eta, near = pair.wheel_start + i * step, step
            rise, fall = coarse[i] - coarse[i - 1], coarse[i] - coarse[i + 1]
            found = False
            if rise > 0.0 and fall >= 0.0:
                left, right = coarse[i - 1], coarse[i + 1]
                if quick:
                    if crest != i:
                        crest, (place, height) = i, _levelled(pair, pose, sampled, i)
                    found = height > -FAR
            else:
                near = step / _SUBSAMPLES
                if quick:
                    rising = _rising(pair, pose, eta, near)
                    if rising == 0 or rising == 8:
                        continue
                    if fall < 0.0 and coarse[i + 1] >= coarse[i + 2]:
                        crest, (place, height) = i + 1, _levelled(pair, pose, sampled, i + 1)
                    # one maximum, and that beside the sample is there
                    if rising > 0 and height > -FAR and abs(eta + (rising - 4) * near - place) < _SAME * near:
                        continue
                eta, left, right = _hidden(pair, pose, eta, near)
                if eta == 0.0:
                    continue
            depth = height
            if found:
                eta = place
            else:
                eta, depth = deepest_beside(pair, pose, eta, near, left, right)
            if depth <= 0.0 or (count > 0 and eta - peaks.places[count - 1] < _BRACKET):
                continue
            if count == peaks.places.size:
                return count + 1
            peaks.places[count] = eta
            peaks.heights[count] = depth
            count += 1
    return count


@kernel(fastmath=FAST, forceinline=True)
def _candidates(coarse, block, near_enough):
    """Of eight samples, those that `find_peaks` looks at, as bits."""
    here = load_lanes(coarse, block, 8)
    rise, fall = here - load_lanes(coarse, block - 1, 8), here - load_lanes(coarse, block + 1, 8)
    top, ended = both(rise > 0.0, fall >= 0.0), either(rise > -OFF, fall > -OFF)
    left, right = both(rise > 0.0, rise > -_SHOULDER * fall), both(fall > 0.0, fall > -_SHOULDER * rise)
    near = here >= -where(ended, _ENDED, max(_EDGE * max(rise, fall), near_enough))
    return bits_of(either(both(near, top), both(here > -_HIDING, either(left, right))))


@kernel(fastmath=FAST)
def _levelled(pair, pose, sampled, i):
    """Local maximum of the depth beside a sample higher than its neighbours, where the rise across the rail is zero.

    Four points about the vertex of a parabola, then four between those two beside the maximum, 0.03 mm apart, and again
    until the height is known to _LEVEL whatever the rise does between both; at first it is but at an edge.

    Returns
    -------
    eta, height [m]    height -FAR where the rise does not pass zero once between the points
    """
    step, here = sampled.step, sampled.depth[i]
    rise, fall = here - sampled.depth[i - 1], here - sampled.depth[i + 1]
    guess = pair.wheel_start + (i + 0.5 * (rise - fall) / (rise + fall)) * step
    apart = _ABOUT * step
    etas = lanes_of(-1.5, -0.5, 0.5, 1.5) * apart + guess
    left, right, height, left_rise, right_rise = guess, guess, 0.0, 0.0, 0.0
    for finer in range(6):
        point = penetration(pair, pose, etas)
        before = held_before(point.rise > 0.0)
        if before < 0 or finer == 0 and (before == 0 or before == 4):
            return guess, -FAR
        if before > 0:
            k = before - 1
            left, left_rise, height = lane(etas, k), lane(point.rise, k), lane(point.depth, k)
        if before < 4:
            right, right_rise = lane(etas, before), lane(point.rise, before)
        if finer > 0 and (right - left) * (left_rise - right_rise) < 8.0 * _LEVEL:
            break
        etas = lanes_of(0.2, 0.4, 0.6, 0.8) * (right - left) + left
    way = (right - left) * left_rise / (left_rise - right_rise)
    return left + way, height + 0.5 * way * left_rise


@kernel(fastmath=FAST)
def deepest_beside(pair, pose, eta, near, left, right):
    """Local maximum of the depth within a step `near` of eta, where left and right are the depths one step aside.

    Returns
    -------
    eta, height [m]    height -FAR where the depth ends beside it
    """
    here = depth_at(pair, pose, eta)
    while near > _BRACKET:
        near *= 0.5
        lower = depth_at(pair, pose, eta - near)
        upper = depth_at(pair, pose, eta + near)
        if lower > here and lower >= upper:
            here, right, eta = lower, here, eta - near
        elif upper > here:
            here, left, eta = upper, here, eta + near
        else:
            left, right = lower, upper
    if pose.tan_yaw * pose.tan_yaw >= YAWED and (left < OFF or right < OFF):
        return eta, -FAR  # where the locus turns back the depth ends: its largest value there touches nothing
    eta += _vertex(left, here, right, near)
    return eta, depth_at(pair, pose, eta)


@kernel(fastmath=FAST, forceinline=True)
def _rising(pair, pose, middle, near):
    """Of four steps `near` on either side, by their middles, how many first ones rise; -1 if others do after these."""
    offset, rising = lanes_of(-3.5, -2.5, -1.5, -0.5), 0
    for half in range(2):
        rises = penetration(pair, pose, middle + near * (offset + 4.0 * half)).rise > 0.0
        if rising < 4 * half:
            return -1 if any_lane(rises) else rising
        first = held_before(rises)
        if first < 0:
            return -1
        rising += first
    return rising


@kernel(fastmath=FAST)
def _hidden(pair, pose, middle, near):
    """A local maximum of the depth within _SUBSAMPLES - 1 steps `near` of a sample that shows none of its own.

    Returns its place [m], 0 if there is none, and the depths one step beside it.
    """
    first = middle - _SUBSAMPLES * near
    before = depth_at(pair, pose, first)
    here = depth_at(pair, pose, first + near)
    for k in range(2, 2 * _SUBSAMPLES + 1):
        after = depth_at(pair, pose, first + k * near)
        if here > before and here >= after:
            return first + (k - 1) * near, before, after
        before, here = here, after
    return 0.0, 0.0, 0.0


@kernel(fastmath=FAST)
def _vertex(left, middle, right, step):
    """Offset of the vertex of the parabola through three equidistant values, within one step."""
    bend = left - 2.0 * middle + right
    if bend >= 0.0:
        return 0.0
    return max(-step, min(step, 0.5 * step * (left - right) / bend))


@kernel(fastmath=FAST)
def _saddle(start, sampled, left, right):
    """Where a parabola through the lowest sampled depth between two lateral coordinates is lowest within a step."""
    step, coarse = sampled.step, sampled.depth
    low = int((left - start) / step) + 1
    for i in range(low, int((right - start) / step) + 1):
        if coarse[i] < coarse[low]:
            low = i
    eta = start + low * step
    if low <= 0 or low >= coarse.size - 1:
        return eta
    fall = coarse[low - 1] - coarse[low + 1]
    bend = coarse[low - 1] - 2.0 * coarse[low] + coarse[low + 1]
    shift = 0.5 * fall / bend if 2.0 * bend > abs(fall) else math.copysign(1.0, fall)
    return min(max(eta + shift * step, left), right)


@kernel(fastmath=FAST)
def separate_regions(pair, pose, sampled, peaks, count, regions, whole=False):
    """Group first-touch points into patches.

    Two neighbouring points share a patch when the penetration between them stays above half of the deeper one.
    Around that limit, and where a point hardly stands out from its neighbour's flank (both within `_BLEND` of the
    depth), they are apart with a share s between 0 and 1. Every run of neighbouring points is then a reading of its
    own: its share is the product of s at its ends and of 1 - s within. The shares of all readings that hold a point
    add up to one, and forces stay continuous. Where the readings do not fit, every s is rounded.

    Parameters
    ----------
    pair : ProfilePair
    pose : Pose
    sampled : SampledDepth
    peaks : Peaks              from find_peaks; its saddles are filled
    count : int                peaks found
    regions : (k, 11)          out: columns REGION
    whole : bool               for a law that takes a wheel as a whole, of which a reading decides no load by itself

    Returns
    -------
    int                        regions
    """
    heights = peaks.heights
    for k in range(count - 1):
        eta = _saddle(pair.wheel_start, sampled, peaks.places[k], peaks.places[k + 1])
        depth = depth_at(pair, pose, eta)
        peaks.saddle_heights[k], peaks.saddle_places[k] = min(depth, heights[k], heights[k + 1]), eta
    found = 0
    for rounded in range(2):
        if rounded and found <= regions.shape[0]:
            break
        found = 0
        for first in range(count):
            share, rate = (1.0, 0.0) if first == 0 else _separation(peaks, first - 1, rounded, whole)
            last, below = first, share
            while share > 0.0:
                apart, change = (1.0, 0.0) if last + 1 == count else _separation(peaks, last, rounded, whole)
                if apart > 0.0:
                    if found < regions.shape[0]:
                        _write(regions[found], peaks, count, first, last, share * apart)
                        regions[found, REGION.share_rate] = share * change + rate * apart
                        regions[found, REGION.apart] = below
                    found += 1
                share, rate = share * (1.0 - apart), rate * (1.0 - apart) - share * change
                last += 1
    return found


@kernel(fastmath=FAST)
def _smooth(u):
    """0 below 0, 1 above 1, smooth between; and its slope."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u)


@kernel(fastmath=FAST)
def _separation(peaks, k, rounded, whole):
    """1 where peaks k and k + 1 are patches of their own, 0 where they share one, smooth between.

    They are apart when the saddle is below half of the deeper one and the shallower one stands out from it. And its
    rate of change [1/m] where all heights rise alike.
    """
    saddle = peaks.saddle_heights[k]
    shallow = min(peaks.heights[k], peaks.heights[k + 1])
    deep = max(peaks.heights[k], peaks.heights[k + 1])
    low, by_low = _smooth((0.5 + _BLEND - saddle / deep) / _BLEND)
    part, over, least = _BLEND, _BLEND * shallow, min(_STANDS * deep, _JOINS * saddle)
    if whole and least > over:
        part, over = _STANDS if least < _JOINS * saddle else _JOINS, least
    out, by_out = _smooth((shallow - saddle) / over)
    if rounded:
        return round(low * out), 0.0
    by_low *= (saddle - deep) / (_BLEND * deep * deep)
    by_out *= part * (saddle - shallow) / (over * over)
    return low * out, by_low * out + low * by_out


@kernel(fastmath=FAST)
def _write(region, peaks, count, first, last, share):
    """Fill the row of the peaks first..last."""
    deepest = first
    for i in range(first, last + 1):
        if peaks.heights[i] > peaks.heights[deepest]:
            deepest = i
    region[REGION.place] = peaks.places[deepest]
    region[REGION.depth] = peaks.heights[deepest]
    region[REGION.low] = peaks.saddle_places[first - 1] if first > 0 else _FIELD_LOW
    region[REGION.high] = peaks.saddle_places[last] if last + 1 < count else _FIELD_HIGH
    region[REGION.share] = share
    region[REGION.first] = first
    region[REGION.last] = last
