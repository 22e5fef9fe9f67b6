"""What the commands of the contact room share: ranges, JSON with gaps, sections of text."""

import json
import math
from dataclasses import dataclass, fields
from typing import Annotated

import typer

from flexwheel.assess.commands import mesh_options
from flexwheel.contact.friction.coefficient import FRICTION

MU_HELP = f"{FRICTION.meaning.capitalize()}."


def values_of(option, text):
    """Numbers of A or A:B:STEP, both ends included.

    Raises ScenarioError naming the option.
    """
    import numpy as np

    from flexwheel.base.errors import ScenarioError

    words = str(text).split(":")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 3) or not all(math.isfinite(x) for x in numbers):
        raise ScenarioError(f"{option} must be a number, or LOW:HIGH:STEP, got {text}")
    if len(numbers) == 1:
        return np.array(numbers)
    low, high, step = numbers
    if not (step > 0.0 and high >= low):
        raise ScenarioError(f"{option} must have LOW <= HIGH and STEP > 0, got {text}")
    count = 1 + int((high - low) / step + 1e-9)
    if count > 20001:
        raise ScenarioError(f"{option} must give at most 20001 values, got {count} ({text})")
    return low + step * np.arange(count)


def inclination_of(text):
    """Tangent of a rail inclination given as 1:40, 1/40, 0.025 or 0.

    Raises ScenarioError outside 0 ... 0.2.
    """
    from flexwheel.base.errors import ScenarioError

    words = str(text).replace("/", ":").split(":")
    try:
        value = float(words[0]) / float(words[1]) if len(words) == 2 else float(words[0])
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if len(words) > 2 or not 0.0 <= value <= 0.2:
        raise ScenarioError(f"--inclination must be 1:40, 1:20 or the like, or a tangent of 0 to 0.2, got {text}")
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


@dataclass(frozen=True)
class ProfileFileOptions:
    """How profile files are to be read."""

    unit: Annotated[str, typer.Option("--profile-unit", help="Unit of profile files: mm, m or in.")] = "mm"
    decimal: Annotated[str, typer.Option("--decimal", help="Decimal sign of profile files: point or comma.")] = "point"
    mirror_wheel: Annotated[bool, typer.Option("--mirror-wheel", help="The wheel file has its flange at +y.")] = False
    mirror_rail: Annotated[bool, typer.Option("--mirror-rail", help="The rail file has the field side at -y.")] = False
    flip_wheel: Annotated[bool, typer.Option("--flip-wheel", help="The wheel file counts z upward.")] = False
    flip_rail: Annotated[bool, typer.Option("--flip-rail", help="The rail file counts z upward.")] = False
    wheel_shift_mm: Annotated[
        float,
        typer.Option("--wheel-shift-mm", help="Added to the wheel file's y: -70 where its y = 0 is the flange back."),
    ] = 0.0
    smoothing_mm: Annotated[
        float | None, typer.Option("--smoothing-mm", help="Rms distance of curve and points. Default: by their noise.")
    ] = None
    cutoff_mm: Annotated[
        float | None, typer.Option("--cutoff-mm", help="Cutoff wavelength of the smoothing. Default: by the noise.")
    ] = None
    rail_inclined: Annotated[
        bool | None,
        typer.Option(
            "--rail-inclined/--rail-upright",
            help="How the rail stands in its file: as in track, or upright (then leaned by --inclination). Files only.",
        ),
    ] = None

    def files(self, wheels, rails):
        """ProfileFile of wheel and of rail; what is given and no file of these profiles is read by is refused."""
        from flexwheel.base.errors import ScenarioError
        from flexwheel.contact.profiles.chosen_profile import is_shipped
        from flexwheel.contact.profiles.profile_file import ProfileFile

        of_file = {
            kind: not all(is_shipped(name, kind) for name in chosen)
            for kind, chosen in (("wheel", wheels), ("rail", rails))
        }
        for field in fields(self):
            kinds = [kind for kind in of_file if kind in field.name] or list(of_file)
            if getattr(self, field.name) != field.default and not any(of_file[kind] for kind in kinds):
                option = {"unit": "profile-unit"}.get(field.name, field.name.replace("_", "-"))
                raise ScenarioError(
                    f"--{option}: without effect on shipped profiles; name a {' or '.join(kinds)} file, or leave it out"
                )
        names = {
            "unit": "--profile-unit", "decimal": "--decimal", "shift_y_mm": "--wheel-shift-mm",
            "smoothing_mm": "--smoothing-mm", "cutoff_mm": "--cutoff-mm", "inclined": "--rail-inclined",
            "upright": "--rail-upright", "inclination": "--inclination",
        }  # fmt: skip
        return {
            kind: ProfileFile(
                self.unit, self.decimal, mirror, flip, shift, self.smoothing_mm, self.cutoff_mm,
                names=names | {"mirror_y": f"--mirror-{kind}", "mirror_z": f"--flip-{kind}"},
            )
            for kind, mirror, flip, shift in (
                ("wheel", self.mirror_wheel, self.flip_wheel, self.wheel_shift_mm),
                ("rail", self.mirror_rail, self.flip_rail, 0.0),
            )
        }  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """Where to and as what a result is printed."""

    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False
    output: mesh_options.Output = None

    def write(self, result, text):
        """Print a result, as JSON or by text(result)."""
        mesh_options.write_text(to_json(result) if self.as_json else text(result), self.output)


def check_accepted(names):
    """Names of disagreements, or ScenarioError."""
    from flexwheel.base.disagreements import DISAGREEMENTS
    from flexwheel.base.errors import ScenarioError

    for name in names or ():
        if name not in DISAGREEMENTS:
            raise ScenarioError(f"--accept must be one of {', '.join(DISAGREEMENTS)}, got {name}")
    return tuple(names or ())
