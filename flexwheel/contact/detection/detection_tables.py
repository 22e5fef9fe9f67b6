"""Constant data of one profile pair for the detection kernels.

Both profiles are slopes on uniform grids, linear in between, and heights integrated from them, so that a section whose
pieces do not join exactly (S1002: 1.2e-4 mm) has no false wiggle there. Beside them stand the ranges of the slopes over
blocks of cells, with which DIFF and DIST leave out whole blocks without missing a root.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.detection.pair_key import pair_key
from flexwheel.contact.gap import CELL

TOP_LEVEL = 6  # blocks of the wheel have up to 2^TOP_LEVEL cells
MAX_POINTS = 6  # per wheel in networks and tables
LOW, HIGH = 0, 1  # columns of ranges of slopes
_INVERSE_CELLS = 20000  # of the inverse of the rail's slope


class SlopePair(NamedTuple):
    """Both profiles as heights and slopes, columns 0 and 1 of gap.CELL, slopes linear between the nodes.

    Passed by value, it costs nothing.
    """

    wheel: np.ndarray  # (nw, 2) height out of the material [m], slope
    rail: np.ndarray  # (nr, 2) height above the crown [m], slope
    rail_at: np.ndarray  # (m,) [m] rail coordinate at equidistant sines of the slope, highest sine first
    wheel_start: float  # [m] lateral coordinate of the wheel's first node
    rail_start: float  # [m] of the rail's first and last
    rail_end: float
    inverse_step: float  # [1/m] of both grids
    offset: float  # [m] wheel profile origin minus rail crown, wheelset centred
    sine_start: float  # sine of the rail's slope at its first node
    inverse_sine_step: float  # negative
    invertible: int  # 1 where the rail's slope falls throughout, so that eq 13 can be inverted
    BY_VALUE = True


class DetectionTables(NamedTuple):
    """Profiles and, where made, networks and look-up table of one pair; arrays and plain numbers only."""

    pair: SlopePair
    blocks: np.ndarray  # (TOP_LEVEL + 1, nw, 2) lowest and highest wheel slope of block k of each level
    spans: np.ndarray  # (levels, nr, 2) lowest and highest rail slope over 2^level cells from each node on
    centre: np.ndarray  # (3,) of the box of networks and table: tan^2 yaw, roll, lateral shift
    half: np.ndarray  # (3,) half-widths of the box
    classifier: np.ndarray  # (h, 4) hidden layer of the classifier of the configurations
    classes: np.ndarray  # (c, h + 1) its output layer; (0, 1): no networks
    class_points: np.ndarray  # (c,) int64 number of points of each class
    hidden: np.ndarray  # (c, h, 4) hidden layers of the networks of the classes
    output: np.ndarray  # (c, p, h + 1) [m] their output layers
    counts: np.ndarray  # (a, b, u) int8 number of points at the nodes of the look-up table; (0, 0, 0): no table
    shear: np.ndarray  # (2,) of the table: shift added per roll, both in half-widths, and the scale back to -1 ... 1
    places: np.ndarray  # (a, b, u, MAX_POINTS) [m] wheel coordinates there, ascending


def make_detection_tables(contact, trained=None) -> DetectionTables:
    """Tables for the detection kernels.

    Parameters
    ----------
    contact : ContactTables            of the profile pair
    trained : TrainedDetection or None networks and look-up table of the same pair (`train_detection`)

    Raises
    ------
    ScenarioError                      networks or table of another pair
    """
    given = contact.pair
    step = 1.0 / given.inverse_step
    wheel_slope = np.ascontiguousarray(given.wheel[:, CELL.slope])
    rail_slope = np.ascontiguousarray(given.rail[:, CELL.slope])
    rail_at, sine_start, inverse_sine_step, invertible = _inverse(rail_slope, given.rail_start, step)
    if trained is None:
        learned = _nothing()
    else:
        own = pair_key(contact)
        if trained.key != own:
            raise ScenarioError(
                f"contact detection: the networks and table belong to profile pair {trained.key[:12]}, this wheel and "
                f"rail are {own[:12]}; train them with `flexwheel detection-train`"
            )
        learned = dict(trained.arrays)
    wheel_height = _integrate(wheel_slope, given.wheel[:, CELL.height], given.wheel_start, step)
    rail_height = _integrate(rail_slope, given.rail[:, CELL.height], given.rail_start, step)
    pair = SlopePair(
        wheel=np.ascontiguousarray(np.stack([wheel_height, wheel_slope], axis=1)),
        rail=np.ascontiguousarray(np.stack([rail_height, rail_slope], axis=1)),
        rail_at=rail_at,
        wheel_start=given.wheel_start,
        rail_start=given.rail_start,
        rail_end=given.rail_start + (rail_slope.size - 1) * step,
        inverse_step=given.inverse_step,
        offset=contact.offset,
        sine_start=sine_start,
        inverse_sine_step=inverse_sine_step,
        invertible=invertible,
    )
    return DetectionTables(pair=pair, blocks=_blocks(wheel_slope), spans=_spans(rail_slope), **learned)


def _nothing():
    """Empty networks and table."""
    return {
        "centre": np.zeros(3),
        "half": np.zeros(3),
        "classes": np.zeros((0, 1)),
        "classifier": np.zeros((0, 4)),
        "class_points": np.zeros(0, np.int64),
        "hidden": np.zeros((0, 0, 4)),
        "output": np.zeros((0, 0, 1)),
        "counts": np.zeros((0, 0, 0), np.int8),
        "shear": np.zeros(2),
        "places": np.zeros((0, 0, 0, MAX_POINTS)),
    }


def _integrate(slope, height, start, step):
    """Heights whose slope is linear between the nodes; the profile's own at its origin."""
    rise = np.concatenate([[0.0], np.cumsum(0.5 * step * (slope[1:] + slope[:-1]))])
    middle = int(round(-start / step))
    return rise - rise[middle] + height[middle]


def _blocks(slope):
    """Lowest and highest slope of aligned blocks of 1, 2, 4 ... cells."""
    low = np.full((TOP_LEVEL + 1, slope.size), np.inf)
    high = np.full((TOP_LEVEL + 1, slope.size), -np.inf)
    for level in range(TOP_LEVEL + 1):
        width = 2**level
        for k in range((slope.size - 2) // width + 1):
            part = slope[k * width : k * width + width + 1]
            low[level, k], high[level, k] = part.min(), part.max()
    return np.ascontiguousarray(np.stack([low, high], axis=2))


def _spans(slope):
    """Lowest and highest slope over 2^level cells that begin at each node; shorter at the end."""
    levels = int(np.log2(slope.size)) + 1
    low, high = np.tile(slope, (levels, 1)), np.tile(slope, (levels, 1))
    low[0, :-1] = np.minimum(slope[:-1], slope[1:])
    high[0, :-1] = np.maximum(slope[:-1], slope[1:])
    for level in range(1, levels):
        shift = 2 ** (level - 1)
        low[level], high[level] = low[level - 1], high[level - 1]
        low[level, :-shift] = np.minimum(low[level - 1, :-shift], low[level - 1, shift:])
        high[level, :-shift] = np.maximum(high[level - 1, :-shift], high[level - 1, shift:])
    return np.ascontiguousarray(np.stack([low, high], axis=2))


def _inverse(slope, start, step):
    """Rail coordinate against the sine of its slope; on a circular arc it is linear in the sine."""
    if np.any(np.diff(slope) > 1e-9):
        return np.zeros(2), 0.0, -1.0, 0
    sine = slope / np.sqrt(1.0 + slope * slope)
    sines = np.linspace(sine[0], sine[-1], _INVERSE_CELLS + 1)
    place = np.interp(-np.tan(np.arcsin(sines)), -slope, start + step * np.arange(slope.size))
    return place, float(sines[0]), float(1.0 / (sines[1] - sines[0])), 1
