"""Lanes of `flexwheel.numerics.kernels` as arrays, for kernels run as plain Python; `install` puts them there."""

import builtins
import functools
import math
import sys
import types

import numpy as np


def _elementwise(plain, array):
    def chosen(*values, **options):
        if any(isinstance(v, np.ndarray) for v in values):
            return functools.reduce(array, values)
        return plain(*values, **options)

    return chosen


def _one_or_four(plain, array):
    return lambda x: array(x) if isinstance(x, np.ndarray) else plain(x)


def _cell(t, last):
    return np.trunc(np.clip(t, 1e-300, float(last)))


def _columns(first, count):
    return lambda table, row: tuple(table[np.asarray(row).astype(int), first + k] for k in range(count))


def _held_before(mask):
    count = int(np.sum(mask))
    return count if np.all(mask[:count]) else -1


def _store(array, index, value):
    array.reshape(-1)[index : index + len(value)] = value


SIMPLE = {
    "aligned": lambda array: np.array(array, dtype=float),
    "fill": lambda x: np.full(4, x),
    "load": lambda array, index: array.reshape(-1)[index : index + 4].copy(),
    "fill_lanes": lambda x, count: np.full(count, x),
    "load_lanes": lambda array, index, count: array.reshape(-1)[index : index + count].copy(),
    "store": _store,
    "joined": lambda a, b: np.concatenate([a, b]),
    "first_half": lambda x: x[:4],
    "second_half": lambda x: x[4:],
    "swapped": lambda x: np.roll(x, 4),
    "negative": lambda x: -x,
    "times": lambda a, b: a * b,
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "more": lambda a, b, c: a + b * c,
    "less": lambda a, b, c: a - b * c,
}
ARITHMETIC = {
    "both": np.logical_and,
    "where": lambda condition, a, b: np.where(condition, a, b) if np.ndim(condition) else (a if condition else b),
    "lanes_of": lambda *values: np.array(values),
    "lane": lambda a, k: float(a[k]),
    "held_before": _held_before,
    "any_lane": np.any,
    "either": np.logical_or,
    "bits_of": lambda mask: sum(1 << k for k in np.flatnonzero(mask).tolist()),
    "lowest_bit": lambda bits: (bits & -bits).bit_length() - 1,
    "single_root": np.sqrt,
    "inverse_root": lambda x: 1.0 / np.sqrt(x),
    "total": np.sum,
    "cell": _cell,
    "first_four": _columns(0, 4),
    "next_two": _columns(4, 2),
}


def install():
    """Put the stand-ins where kernels look for lanes; min, max, sqrt and log of Python then take lanes too."""
    sys.modules["flexwheel.numerics.kernels.lanes"] = types.SimpleNamespace(**SIMPLE)
    sys.modules["flexwheel.numerics.kernels.lane_arithmetic"] = types.SimpleNamespace(**ARITHMETIC)
    builtins.min, builtins.max = _elementwise(min, np.minimum), _elementwise(max, np.maximum)
    math.sqrt, math.log = _one_or_four(math.sqrt, np.sqrt), _one_or_four(math.log, np.log)
