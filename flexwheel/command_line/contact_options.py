"""What the commands of the contact room share: ranges, JSON with gaps, sections of text."""

from __future__ import annotations

import json
import math
from typing import Annotated

import typer


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


Unit = Annotated[str, typer.Option("--profile-unit", help="Of profile files: mm or m.")]
Decimal = Annotated[str, typer.Option("--decimal", help="Of numbers in profile files: point or comma.")]
MirrorWheel = Annotated[bool, typer.Option("--mirror-wheel", help="The wheel file has its flange at +y.")]
MirrorRail = Annotated[bool, typer.Option("--mirror-rail", help="The rail file has the field side at -y.")]
FlipWheel = Annotated[bool, typer.Option("--flip-wheel", help="The wheel file counts z upward.")]
FlipRail = Annotated[bool, typer.Option("--flip-rail", help="The rail file counts z upward.")]
WheelShift = Annotated[
    float, typer.Option("--wheel-shift-mm", help="Added to the wheel file's y: -70 where its y = 0 is the flange back.")
]
Smoothing = Annotated[float, typer.Option("--smoothing-mm", help="Of measured profile files, rms.")]
RailInclined = Annotated[
    bool | None,
    typer.Option(
        "--rail-inclined/--rail-upright",
        help="How the rail stands in its file: as in track, or upright (then leaned by --inclination). Files only.",
    ),
]
Accept = Annotated[
    list[str] | None, typer.Option("--accept", help="Disagreement that is meant: gauge, rail_inclination.")
]


def file_options(unit, decimal, mirrors, flips, wheel_shift_mm, smoothing_mm):
    """ProfileFile of wheel and of rail from the options above; mirrors, flips: of wheel and rail."""
    from flexwheel.profiles.profile_file import ProfileFile

    options = {}
    for kind, mirror, flip in zip(("wheel", "rail"), mirrors, flips, strict=True):
        names = {
            "unit": "--profile-unit", "decimal": "--decimal", "mirror_y": f"--mirror-{kind}",
            "mirror_z": f"--flip-{kind}", "shift_y_mm": "--wheel-shift-mm", "smoothing_mm": "--smoothing-mm",
            "inclined": "--rail-inclined", "upright": "--rail-upright", "inclination": "--inclination",
        }  # fmt: skip
        shift = wheel_shift_mm if kind == "wheel" else 0.0
        options[kind] = ProfileFile(unit, decimal, mirror, flip, shift, smoothing_mm, names)
    return options


def check_accepted(names):
    """Names of disagreements, or ScenarioError."""
    from flexwheel.disagreements import DISAGREEMENTS
    from flexwheel.errors import ScenarioError

    for name in names or ():
        if name not in DISAGREEMENTS:
            raise ScenarioError(f"--accept {name}: expected one of {', '.join(DISAGREEMENTS)}")
    return tuple(names or ())
