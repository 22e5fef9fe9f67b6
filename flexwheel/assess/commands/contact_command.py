"""flexwheel contact: contact geometry of a profile pair, or the contact of a wheelset under load."""

from dataclasses import dataclass
from typing import Annotated

import typer

from flexwheel.assess.commands import contact_load, contact_options
from flexwheel.base.command import Command


@dataclass(frozen=True)
class WheelsetOptions:
    """Wheelset, rails and where it stands on them."""

    wheel: Annotated[str, typer.Option("--wheel", help="Shipped wheel profile (S1002), or a file of points.")] = "S1002"
    rail: Annotated[
        str, typer.Option("--rail", help="Shipped rail profile (60E1, UIC60: the Manchester variant), or a file.")
    ] = "60E1"
    inclination: Annotated[
        str, typer.Option("--inclination", help="Inclination 1:40, 1:20 or 0; a file only with --rail-upright.")
    ] = "1:40"
    lateral_shift_mm: Annotated[
        str | None,
        typer.Option(
            "--lateral-shift-mm",
            help="A or A:B:STEP, positive to the left: contact under load in these positions. Without it: geometry.",
        ),
    ] = None
    yaw_mrad: Annotated[float, typer.Option("--yaw-mrad", help="Yaw, positive to the left.")] = 0.0
    gauge_mm: Annotated[float, typer.Option("--gauge-mm", help="Gauge 14 mm below the rail tops.")] = 1435.0
    flange_back_mm: Annotated[float, typer.Option("--flange-back-mm", help="Distance of the flange backs.")] = 1360.0
    radius_mm: Annotated[float, typer.Option("--radius-mm", help="Radius of the wheels at the tread datum.")] = 460.0
    right_wheel: Annotated[str | None, typer.Option("--right-wheel", help="Profile, if it differs.")] = None
    right_rail: Annotated[str | None, typer.Option("--right-rail", help="Profile, if it differs.")] = None
    right_radius_mm: Annotated[float | None, typer.Option("--right-radius-mm", help="Radius, if it differs.")] = None

    @property
    def sizes_mm(self):
        """Gauge, distance of the inner faces, radii of the left and the right wheel."""
        right = self.radius_mm if self.right_radius_mm is None else self.right_radius_mm
        return self.gauge_mm, self.flange_back_mm, self.radius_mm, right


TOPIC = "contact"
RARE = (
    "--profile-unit", "--decimal", "--mirror-wheel", "--mirror-rail", "--flip-wheel", "--flip-rail", "--wheel-shift-mm",
    "--smoothing-mm", "--cutoff-mm", "--rail-inclined", "--right-wheel", "--right-rail", "--right-radius-mm",
    "--right-load-kn", "--roll-mrad", "--spin-rad-s", "--curve-radius-m", "--bound", "--g-gpa", "--nu", "--range-mm",
    "--accept", "--flange-back-mm", "--radius-mm", "--gauge-mm", "--side",
)  # fmt: skip
EXAMPLES = (
    "flexwheel contact",
    "flexwheel contact --lateral-shift-mm 0:6:1 --load-kn 60 --speed-kmh 80 --json",
)


def command(
    *,
    wheelset: WheelsetOptions,
    files: contact_options.ProfileFileOptions,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", help="Disagreement to accept: gauge, rail_inclination.")
    ] = None,
    range_mm: Annotated[
        str | None, typer.Option("--range-mm", help="Shifts LOW:HIGH:STEP of the geometry functions.")
    ] = None,
    load: contact_load.LoadOptions,
    out: Annotated[str | None, typer.Option("--out", help="Draw the figures into this folder.")] = None,
    printed: contact_options.Printed,
):
    """Contact geometry of a wheelset on rails, or with --lateral-shift-mm its contact patches under load.

    Without shift: rolling-radius difference, contact angles, roll, contact points, their jumps, equivalent conicity.
    With shift: height, roll, patches (position, load, angle, area, peak pressure, approach, semi-axes) and, with a
    speed, creepages and creep forces. JSON keys, frame: docs/contact.md.
    """
    from flexwheel.assess.commands import contact_geometry

    result = contact_result(wheelset, files, accept, range_mm, load, out)
    printed.write(result, contact_geometry.text if wheelset.lateral_shift_mm is None else contact_load.text)


def contact_result(wheelset, files, accept=None, range_mm=None, load=None, out=None):
    """Plain values in SI units of the geometry, or with a lateral shift of the contact under load."""
    from flexwheel.assess.commands import contact_geometry
    from flexwheel.base.errors import ScenarioError

    inclination, yaw = contact_options.inclination_of(wheelset.inclination), 1e-3 * wheelset.yaw_mrad
    pairs, placement = _pairs(wheelset, inclination, files, contact_options.check_accepted(accept))
    setting = {
        "wheel": pairs[0].wheel.name, "rail": pairs[0].rail.name, "right_wheel": pairs[1].wheel.name,
        "right_rail": pairs[1].rail.name, "inclination": inclination, **placement,
    }  # fmt: skip
    if wheelset.lateral_shift_mm is None:
        contact_load.refuse_without_shift(load)
        return contact_geometry.geometry(pairs, setting, 1e-3 * wheelset.gauge_mm, range_mm, yaw, out)
    if range_mm is not None:
        raise ScenarioError(
            f"--range-mm is read without --lateral-shift-mm only, got {range_mm} and {wheelset.lateral_shift_mm}"
        )
    shifts = 1e-3 * contact_options.values_of("--lateral-shift-mm", wheelset.lateral_shift_mm)
    return contact_load.configurations(
        pairs, setting, shifts, yaw, (load or contact_load.LoadOptions()).resolved(), out
    )


def _pairs(wheelset, inclination, files, accepted):
    """Left and right WheelPair, and the placement's keys."""
    from flexwheel.assess.commands.contact_geometry import profile_file_keys
    from flexwheel.base.disagreements import disagree
    from flexwheel.base.errors import ScenarioError
    from flexwheel.contact.geometry import WheelPair, check_gauge
    from flexwheel.contact.profiles.chosen_profile import chosen_profile
    from flexwheel.contact.profiles.placement import place
    from flexwheel.contact.profiles.profile_quality import quality_lines

    gauge, flange_back, radius, right_radius = wheelset.sizes_mm
    wheels = wheelset.wheel, wheelset.right_wheel or wheelset.wheel
    rails = wheelset.rail, wheelset.right_rail or wheelset.rail
    of_files = files.files(wheels, rails)
    for name, value, low, high in (
        ("--gauge-mm", gauge, 500.0, 2500.0),
        ("--flange-back-mm", flange_back, 400.0, 2500.0),
        ("--radius-mm", radius, 100.0, 1000.0),
        ("--right-radius-mm", right_radius, 100.0, 1000.0),
    ):
        if not low <= value <= high:
            raise ScenarioError(f"{name} must be {low:g} to {high:g} mm, got {value:g}")
    pairs, warnings = [], []
    for k, label in enumerate(("", "right-")):
        wheel, _ = chosen_profile(wheels[k], "wheel", of_files["wheel"], place=f"--{label}wheel ")
        rail, doubts = chosen_profile(
            rails[k],
            "rail",
            of_files["rail"],
            inclination=inclination,
            inclined=files.rail_inclined,
            place=f"--{label}rail ",
        )
        at = place(rail, gauge=1e-3 * gauge, flange_back=1e-3 * flange_back, radius=1e-3 * (radius, right_radius)[k])
        if not rail.y[0] < at.offset < rail.y[-1]:
            raise ScenarioError(
                f"--gauge-mm {gauge:g} and --flange-back-mm {flange_back:g} must put the tread datum over the rail: it "
                f"is {1e3 * at.offset:.1f} mm beside the rail's crown"
            )
        doubts = [*quality_lines(wheel, rail), *(disagree(*doubt, accepted) for doubt in doubts)]
        doubts += check_gauge(wheel, at, 1e-3 * gauge, "--gauge-mm", accepted)
        warnings += [line for line in doubts if line not in warnings]
        pairs.append(WheelPair(wheel, rail, at))
    keys = {
        "gauge_m": 1e-3 * gauge, "flange_back_m": 1e-3 * flange_back, "radius_m": 1e-3 * radius,
        "right_radius_m": 1e-3 * right_radius, "rail_crown_y_m": float(pairs[0].placement.rail_y),
        "tread_datum_y_m": float(pairs[0].placement.wheel_y), "warnings": warnings,
        "profile_files": profile_file_keys(pairs),
    }  # fmt: skip
    return pairs, keys


COMMAND = Command("contact", command, TOPIC, EXAMPLES, RARE)
