"""What a function is given, as a flat table of numbers and words that two of can be compared."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np


def flat(value, where="", out=None):
    """Dict of dotted name -> array, number or word of everything inside a value."""
    out = {} if out is None else out
    if isinstance(value, np.ndarray) and value.dtype != object:
        out[where] = value.copy()
    elif value is None or isinstance(value, str | bool | int | float | np.generic):
        out[where] = value
    elif isinstance(value, dict):
        for key, item in value.items():
            flat(item, f"{where}.{key}", out)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            flat(getattr(value, field.name), f"{where}.{field.name}", out)
    elif hasattr(value, "_fields"):
        for name in value._fields:
            flat(getattr(value, name), f"{where}.{name}", out)
    elif isinstance(value, tuple | list | np.ndarray):
        for number, item in enumerate(value):
            flat(item, f"{where}.{number}", out)
    elif isinstance(value, Path):
        out[where] = str(value)
    else:
        out[where] = getattr(value, "__qualname__", type(value).__qualname__)
    return out


def differences(a, b):
    """Names of what is not equal in two flat tables."""
    return [name for name in sorted({*a, *b}) if not _equal(a.get(name), b.get(name))]


def _equal(x, y):
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        x, y = np.asarray(x), np.asarray(y)
        numbers = x.dtype.kind in "fc" and y.dtype.kind in "fc"
        return x.shape == y.shape and x.dtype.kind == y.dtype.kind and np.array_equal(x, y, equal_nan=numbers)
    return x == y or (isinstance(x, float) and isinstance(y, float) and np.isnan(x) and np.isnan(y))
