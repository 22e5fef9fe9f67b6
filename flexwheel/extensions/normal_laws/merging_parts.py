"""Strips of the parts of an overlap that readings hold together: edges, samples and shapes, then the cut."""

import math

from flexwheel.contact.gap import FAST, OFF, YAWED, locus_point, penetration
from flexwheel.contact.patch import shape_of_zone
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import MEASURED, zone_parts
from flexwheel.extensions.normal_laws.strip_places import (
    HELD,
    PART,
    ROOM,
    SAMPLES,
    add_density,
    cut_parts,
    fill_parts,
    reading_sums,
    sample_parts,
    strips_of_part,
)
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import both, held_before, lane, lanes_of

AHEAD = 0.6  # of the half-length, where the displacement is asked for again
_WITHIN = 0.7  # of the way to the ends of a zone, by which its skewness is taken
_PARTED = 5e-8  # [m] height of a saddle that is about to part an overlap
_SHORT = 4e-6  # [m] a step of Newton's that leaves some nanometres
_BESIDE = 0.6  # of a step from the middle between the samples beside an edge, for samples are not exact
_NEARER = 5e-5  # [m] at most, by which the edge of an overlap is found better


@kernel
def _holds(regions, r, p):
    """Whether reading r holds reading p."""
    inside = regions[p, REGION.first] >= regions[r, REGION.first]
    return inside and regions[p, REGION.last] <= regions[r, REGION.last]


@kernel(fastmath=FAST)
def _wide(regions, r, p, normal):
    """Width [m] of part p of reading r, in full where it is deep enough to bear a load there."""
    held = min(regions[p, REGION.depth] / (HELD * regions[r, REGION.depth]), 1.0)
    return held * (normal[p, PART.right] - normal[p, PART.left])


@kernel(fastmath=FAST)
def _whole(regions, low, high, r, normal):
    """Width [m] of the parts of reading r, of rows low ... high."""
    whole = 0.0
    for p in range(low, high + 1):
        if normal[p, PART.alone] > 0.0 and _holds(regions, r, p):
            whole += _wide(regions, r, p, normal)
    return whole


@kernel(fastmath=FAST)
def cut_together(law, pair, pose, scan, found, normal, system, m):
    """Strips of the parts of regions low ... high, into columns from m on; returns how many."""
    (sampled, peaks, parts), (regions, low, high), strips = scan, found, strips_of_part(law.nodes)
    number, samples = 0, 0.0
    for p in range(low, high + 1):
        part, alone = normal[p], 1.0
        for r in range(low, high + 1):
            alone = 0.0 if r != p and _holds(regions, p, r) else alone
        if alone > 0.0:
            left, right = _quick_edges(pair, pose, sampled, peaks, regions[p])
            if right < left:
                left, right = _edges(pair, pose, sampled, peaks, regions[p], parts)
            before, last = int(regions[p, REGION.first]) - 1, int(regions[p, REGION.last])
            if before >= 0:
                left = _beside_saddle(pair, pose, sampled.step, peaks, before, left, 1.0)
            if regions[p, REGION.high] == peaks.saddle_places[last]:
                right = _beside_saddle(pair, pose, sampled.step, peaks, last, right, -1.0)
            part[PART.left], part[PART.right] = left, max(right, left + 1e-9)
            number += 1
        part[PART.alone], part[PART.beside] = alone, 0.0
    each = min(SAMPLES, ROOM / number)
    for p in range(low, high + 1):
        if normal[p, PART.alone] > 0.0:
            normal[p, PART.first] = samples
            for r in range(low, high + 1):
                if _holds(regions, r, p):
                    wide = _wide(regions, r, p, normal) / _whole(regions, low, high, r, normal)
                    samples += each * regions[r, REGION.share] * wide
            normal[p, PART.last] = samples
    sample_parts(pair, pose, regions, normal, low, high, system)
    for r in range(low, high + 1):
        ends = _ends(regions, low, high, r, normal, PART.first, PART.last)
        normal[r, PART.first], normal[r, PART.last] = ends
        left, right = _ends(regions, low, high, r, normal, PART.left, PART.right)
        beside = _shape(law, pair, pose, regions[r], (left, right), normal[r], system)
        whole = _whole(regions, low, high, r, normal)
        most = float(law.nodes.place.size)
        add_density(normal[r], regions[r, REGION.share], whole, strips, most, pose.yawed, system)
        for p in range(low, high + 1):
            if _holds(regions, r, p):
                normal[p, PART.beside] += regions[r, REGION.share] * beside
    columns = cut_parts(normal, low, high, samples, system)
    fill_parts(pair, pose, normal, low, high, columns, system, m)
    normal[high, PART.end] = columns  # the last one, which may be no whole strip
    for r in range(low, high + 1):
        if normal[r, PART.alone] > 0.0:
            normal[r, PART.start] += m
            normal[r, PART.end] += m
    for r in range(low, high + 1):
        normal[r, PART.start], normal[r, PART.end] = _ends(regions, low, high, r, normal, PART.start, PART.end)
    return columns


@kernel(fastmath=FAST)
def _beside_saddle(pair, pose, step, peaks, k, edge, side):
    """Edge of an overlap beside saddle k, the edge found, where a gap there is no wider than a step; -1: left of it.

    Where the saddle is about to part the overlap, its place and a gap, which samples have to some nanometres only, are
    those of a parabola.
    """
    place, height = peaks.saddle_places[k], peaks.saddle_heights[k]
    if height >= _PARTED:
        return place
    depth = penetration(pair, pose, lanes_of(-0.5, 0.0, 0.5, 0.0) * step + place).depth
    before, here, after = lane(depth, 0), lane(depth, 1), lane(depth, 2)
    bend, rise = before - 2.0 * here + after, 0.5 * (after - before)
    if not bend > abs(rise):
        return place if height >= 0.0 else edge
    gap, part = here - 0.5 * rise * rise / bend, 1.0 - max(height, 0.0) / _PARTED
    way = math.sqrt(2.0 * max(-gap, 0.0) / bend)
    return place + part * 0.5 * step * (side * way - rise / bend) if way < 2.0 else edge


@kernel(fastmath=FAST)
def _quick_edges(pair, pose, sampled, peaks, region):
    """Where an overlap begins and ends, where each of both lies between samples and Newton's steps are short.

    As most do; otherwise an end before the beginning.
    """
    coarse, step, start = sampled.depth, sampled.step, pair.wheel_start
    first = int((peaks.places[int(region[REGION.first])] - start) / step)
    last = int((peaks.places[int(region[REGION.last])] - start) / step) + 1
    i, j = first, last
    while i > 0 and coarse[i] >= 0.0:
        i -= 1
    while j < coarse.size - 1 and coarse[j] >= 0.0:
        j += 1
    if i == first or j == last or min(coarse[i], coarse[j]) < OFF or pose.tan_yaw * pose.tan_yaw > YAWED:
        return 1.0, -1.0
    low = start + (i + 1 - _fallen(coarse[i + 2], coarse[i + 1], coarse[i])) * step
    high = start + (j - 1 + _fallen(coarse[j - 2], coarse[j - 1], coarse[j])) * step
    root, ahead = lanes_of(low, high, low, high), lanes_of(-1.0, 1.0, -1.0, 1.0)
    for _ in range(3):
        point = penetration(pair, pose, root)
        shift = point.depth / point.rise
        root -= shift
        if held_before(both(abs(shift) < _SHORT, ahead * point.rise < 0.0)) == 4:
            left, right, room = lane(root, 0), lane(root, 1), _BESIDE * step
            inside = left > region[REGION.low] and right < region[REGION.high]
            near = abs(left - start - (i + 0.5) * step) < room and abs(right - start - (j - 0.5) * step) < room
            return (left, right) if inside and near else (1.0, -1.0)
    return 1.0, -1.0


@kernel(fastmath=FAST, forceinline=True)
def _fallen(before, over, under):
    """Part of a step from a sample above zero to one below where the parabola with the one before is zero."""
    bend = before - 2.0 * over + under
    fall = over - under + 0.5 * bend
    return 2.0 * over / (fall + math.sqrt(max(fall * fall - 2.0 * bend * over, 0.0)))


@kernel(fastmath=FAST)
def _edges(pair, pose, sampled, peaks, region, parts):
    """Where any overlap begins and ends."""
    edges = zone_parts(pair, pose, sampled, peaks, region, 0.0, parts)
    left, right = parts[0, 0], parts[edges - 1, 1]
    point = penetration(pair, pose, lanes_of(left, right, left, right))
    way = min(max(point.depth / point.rise, -_NEARER), _NEARER)
    left = left - (lane(way, 0) if left > region[REGION.low] else 0.0)
    return left, right - (lane(way, 1) if right < region[REGION.high] else 0.0)


@kernel
def _ends(regions, low, high, r, normal, start, end):
    """Least and largest values in the columns start and end of the parts of reading r, of rows low ... high."""
    first, last = 1e9, -1e9
    for p in range(low, high + 1):
        if _holds(regions, r, p) and normal[p, PART.alone] > 0.0:
            first, last = min(first, normal[p, start]), max(last, normal[p, end])
    return first, last


@kernel(fastmath=FAST)
def _shape(law, pair, pose, region, ends, reading, system):
    """Shape of a reading, an ellipse like its zone; returns the way [m] across the wheel along a strip."""
    (left, right), h, place = ends, reading[PART.height], region[REGION.place]
    weight, flat, rise, high, bent = reading_sums(pose, reading, (1.0 - MEASURED) * h, system)
    each, skew = 1.0 / (flat + 1e-300), 0.0
    slope = rise * each
    if pose.yawed > 0.0:
        before = locus_point(pair, pose, place - _WITHIN * (place - left))
        after = locus_point(pair, pose, place + _WITHIN * (right - place))
        skew = (after.x - before.x) / ((after.y - before.y) * math.sqrt(1.0 + slope * slope) + 1e-12)
    shape = shape_of_zone(law.zone, pose, h, (weight, slope, high * each, bent * each), skew)
    reading[PART.eps], reading[PART.stretch], reading[PART.lean] = shape[0], shape[1], shape[2]
    return AHEAD * pose.sin_yaw * shape[1] * math.sqrt(shape[0] * h / shape[4])
