"""What the commands of the contact room share: ranges, JSON with gaps, sections of text."""

from __future__ import annotations

import json
import math


def values_of(option, text):
    """Numbers of A or A:B:STEP, both ends included.

    Raises ScenarioError naming the option.
    """
    import numpy as np

    from flexwheel.errors import ScenarioError

    words = str(text).split(":")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 3) or not all(math.isfinite(x) for x in numbers):
        raise ScenarioError(f"{option} {text}: expected a number, or LOW:HIGH:STEP")
    if len(numbers) == 1:
        return np.array(numbers)
    low, high, step = numbers
    if not (step > 0.0 and high >= low):
        raise ScenarioError(f"{option} {text}: expected LOW <= HIGH and STEP > 0")
    count = 1 + int((high - low) / step + 1e-9)
    if count > 20001:
        raise ScenarioError(f"{option} {text}: {count} values, expected at most 20001")
    return low + step * np.arange(count)


def inclination_of(text):
    """Tangent of a rail inclination given as 1:40, 1/40, 0.025 or 0.

    Raises ScenarioError outside 0 ... 0.2.
    """
    from flexwheel.errors import ScenarioError

    words = str(text).replace("/", ":").split(":")
    try:
        value = float(words[0]) / float(words[1]) if len(words) == 2 else float(words[0])
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if len(words) > 2 or not 0.0 <= value <= 0.2:
        raise ScenarioError(f"--inclination {text}: expected 1:40, 1:20 or the like, or a tangent of 0 to 0.2")
    return value


def to_json(value):
    """Text of plain values; what is not a number becomes null."""
    return json.dumps(_plain(value), indent=1, allow_nan=False)


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def profile_of(option, name, kind, inclination, unit, mirror, smoothing_mm):
    """Shipped profile by name, or one from a file.

    Raises ScenarioError naming the option and the shipped profiles.
    """
    from pathlib import Path

    from flexwheel.errors import ScenarioError
    from flexwheel.profiles.profile_file import read_profile
    from flexwheel.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
    from flexwheel.profiles.s1002 import s1002

    shipped = {
        "wheel": {"s1002": s1002},
        "rail": {"60e1": rail_60e1, "uic60": rail_uic60_manchester, "uic60_manchester": rail_uic60_manchester},
    }[kind]
    if name.lower() in shipped:
        make = shipped[name.lower()]
        return make() if kind == "wheel" else make(inclination)
    if not Path(name).is_file():
        raise ScenarioError(f"{option} {name}: neither a shipped {kind} profile ({', '.join(shipped)}) nor a file")
    return read_profile(
        name, kind, unit=unit, mirror_y=mirror, inclination=inclination if kind == "rail" else 0.0,
        smoothing_mm=smoothing_mm,
    )  # fmt: skip
