"""flexwheel contact: contact geometry of a profile pair, or the contact of a wheelset under load."""

from __future__ import annotations

from typing import Annotated

import typer

from flexwheel.command_line import contact_options, mesh_options


def command(
    wheel: Annotated[
        str, typer.Option("--wheel", help="Shipped wheel profile (S1002), or a file of points.")
    ] = "S1002",
    rail: Annotated[
        str, typer.Option("--rail", help="Shipped rail profile (60E1, UIC60: the Manchester variant), or a file.")
    ] = "60E1",
    inclination: Annotated[
        str, typer.Option("--inclination", help="Of the rails: 1:40, 1:20, 0; a file only with --rail-upright.")
    ] = "1:40",
    lateral_shift_mm: Annotated[
        str | None,
        typer.Option(
            "--lateral-shift-mm",
            help="A or A:B:STEP, positive to the left: contact under load in these positions. Without it: geometry.",
        ),
    ] = None,
    yaw_mrad: Annotated[float, typer.Option("--yaw-mrad", help="Positive to the left.")] = 0.0,
    gauge_mm: Annotated[float, typer.Option("--gauge-mm", help="14 mm below the rails' tops.")] = 1435.0,
    flange_back_mm: Annotated[float, typer.Option("--flange-back-mm", help="Distance of the inner faces.")] = 1360.0,
    radius_mm: Annotated[float, typer.Option("--radius-mm", help="Of both wheels at the tread datum.")] = 460.0,
    right_wheel: Annotated[str | None, typer.Option("--right-wheel", help="If not as the left one.")] = None,
    right_rail: Annotated[str | None, typer.Option("--right-rail", help="If not as the left one.")] = None,
    right_radius_mm: Annotated[float | None, typer.Option("--right-radius-mm", help="If not as the left one.")] = None,
    unit: contact_options.Unit = "mm",
    decimal: contact_options.Decimal = "point",
    mirror_wheel: contact_options.MirrorWheel = False,
    mirror_rail: contact_options.MirrorRail = False,
    flip_wheel: contact_options.FlipWheel = False,
    flip_rail: contact_options.FlipRail = False,
    wheel_shift_mm: contact_options.WheelShift = 0.0,
    smoothing_mm: contact_options.Smoothing = 0.0,
    rail_inclined: contact_options.RailInclined = None,
    accept: contact_options.Accept = None,
    range_mm: Annotated[
        str | None, typer.Option("--range-mm", help="Shifts LOW:HIGH:STEP of the geometry functions.")
    ] = None,
    side: Annotated[str, typer.Option("--side", help="Loaded wheels: both, left or right.")] = "both",
    load_kn: Annotated[float, typer.Option("--load-kn", help="Vertical load of each wheel.")] = 50.0,
    right_load_kn: Annotated[float | None, typer.Option("--right-load-kn", help="If not as the left one.")] = None,
    roll_mrad: Annotated[
        float | None, typer.Option("--roll-mrad", help="About x; each wheel then has its own height. Else solved.")
    ] = None,
    mu: Annotated[float, typer.Option("--mu", help="Friction coefficient.")] = 0.4,
    speed_kmh: Annotated[float, typer.Option("--speed-kmh", help="0: standing, no creep forces.")] = 0.0,
    spin_rad_s: Annotated[float | None, typer.Option("--spin-rad-s", help="Of the wheelset. Else rolls free.")] = None,
    curve_radius_m: Annotated[
        float | None, typer.Option("--curve-radius-m", help="Of the track, positive to the left; else straight.")
    ] = None,
    normal: Annotated[
        str,
        typer.Option(
            "--normal", help="half_space (exact, 0.3 s a wheel), semi_hertzian (as in runs), plain_kp or hertz."
        ),
    ] = "half_space",
    tangential: Annotated[str, typer.Option("--tangential", help="fastsim, linear_saturated or polach.")] = "fastsim",
    bound: Annotated[str, typer.Option("--bound", help="Traction bound of fastsim: elliptic or parabolic.")] = (
        "elliptic"
    ),
    g_gpa: Annotated[float, typer.Option("--g-gpa", help="Shear modulus of both bodies.")] = 82.0,
    nu: Annotated[float, typer.Option("--nu", help="Poisson's ratio of both bodies.")] = 0.28,
    out: Annotated[str | None, typer.Option("--out", help="Draw the figures into this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
    output: mesh_options.Output = None,
):
    """Contact geometry of a wheelset on rails, or with --lateral-shift-mm its contact patches under load.

    Without shift: rolling-radius difference, contact angles, roll, contact points, their jumps, equivalent conicity.
    With shift: height, roll, patches (place, load, angle, area, peak pressure, approach, half-axes) and, with a
    speed, creepages and creep forces. Keys of the JSON, units and frame: docs/contact.md.
    """
    from flexwheel.command_line import contact_geometry, contact_load

    files = contact_options.file_options(
        unit, decimal, (mirror_wheel, mirror_rail), (flip_wheel, flip_rail), wheel_shift_mm, smoothing_mm
    )
    pairs, placement = _pairs(
        (wheel, right_wheel or wheel), (rail, right_rail or rail), contact_options.inclination_of(inclination),
        (gauge_mm, flange_back_mm, radius_mm, radius_mm if right_radius_mm is None else right_radius_mm),
        files, rail_inclined, contact_options.check_accepted(accept),
    )  # fmt: skip
    setting = {
        "wheel": pairs[0].wheel.name, "rail": pairs[0].rail.name, "right_wheel": pairs[1].wheel.name,
        "right_rail": pairs[1].rail.name, "inclination": contact_options.inclination_of(inclination), **placement,
    }  # fmt: skip
    if lateral_shift_mm is None:
        result = contact_geometry.geometry(pairs, setting, 1e-3 * gauge_mm, range_mm, 1e-3 * yaw_mrad, out)
        text = contact_geometry.text
    else:
        options = dict(
            side=side, load_kn=load_kn, right_load_kn=load_kn if right_load_kn is None else right_load_kn,
            roll_mrad=roll_mrad, mu=mu, speed_kmh=speed_kmh, spin_rad_s=spin_rad_s, curve_radius_m=curve_radius_m,
            normal=normal, tangential=tangential, bound=bound, g_gpa=g_gpa, nu=nu,
        )  # fmt: skip
        shifts = 1e-3 * contact_options.values_of("--lateral-shift-mm", lateral_shift_mm)
        result = contact_load.configurations(pairs, setting, shifts, 1e-3 * yaw_mrad, options, out)
        text = contact_load.text
    mesh_options.write_text(contact_options.to_json(result) if as_json else text(result), output)


def _pairs(wheels, rails, inclination, sizes, files, rail_inclined, accepted):
    """Left and right WheelPair, and the placement's keys."""
    from flexwheel.contact.geometry import WheelPair, check_gauge
    from flexwheel.disagreements import disagree
    from flexwheel.errors import ScenarioError
    from flexwheel.profiles.chosen_profile import chosen_profile
    from flexwheel.profiles.placement import place

    gauge, flange_back, radius, right_radius = sizes
    for name, value, low, high in (
        ("--gauge-mm", gauge, 500.0, 2500.0),
        ("--flange-back-mm", flange_back, 400.0, 2500.0),
        ("--radius-mm", radius, 100.0, 1000.0),
        ("--right-radius-mm", right_radius, 100.0, 1000.0),
    ):
        if not low <= value <= high:
            raise ScenarioError(f"{name} {value:g}: expected {low:g} to {high:g} mm")
    pairs, warnings = [], []
    for k, label in enumerate(("", "right-")):
        wheel, _ = chosen_profile(wheels[k], "wheel", files["wheel"], place=f"--{label}wheel ")
        rail, doubts = chosen_profile(
            rails[k], "rail", files["rail"], inclination=inclination, inclined=rail_inclined, place=f"--{label}rail "
        )
        at = place(rail, gauge=1e-3 * gauge, flange_back=1e-3 * flange_back, radius=1e-3 * (radius, right_radius)[k])
        if not rail.y[0] < at.offset < rail.y[-1]:
            raise ScenarioError(
                f"--gauge-mm {gauge:g}, --flange-back-mm {flange_back:g}: the tread datum stands "
                f"{1e3 * at.offset:.1f} mm beside the rail's crown, not over the rail"
            )
        doubts = [disagree(*doubt, accepted) for doubt in doubts]
        doubts += check_gauge(wheel, at, 1e-3 * gauge, "--gauge-mm", accepted)
        warnings += [line for line in doubts if line not in warnings]
        pairs.append(WheelPair(wheel, rail, at))
    keys = {
        "gauge_m": 1e-3 * gauge, "flange_back_m": 1e-3 * flange_back, "radius_m": 1e-3 * radius,
        "right_radius_m": 1e-3 * right_radius, "rail_crown_y_m": float(pairs[0].placement.rail_y),
        "tread_datum_y_m": float(pairs[0].placement.wheel_y), "warnings": warnings,
    }  # fmt: skip
    return pairs, keys
