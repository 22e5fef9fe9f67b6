"""Contact under load: what `flexwheel contact` prints with a lateral shift."""

import math
from dataclasses import dataclass, fields
from typing import Annotated

import typer

from flexwheel.assess.commands.contact_options import MU_HELP
from flexwheel.contact.friction.coefficient import FRICTION

PATCH_UNITS = {
    "x_track": "x_m", "y_track": "y_m", "y_rail": "y_rail_m", "z_rail": "z_rail_m", "y_wheel": "y_wheel_m",
    "x_reference": "reference_x_m", "y_reference": "reference_y_m",
    "angle": "contact_angle_rad", "rail_angle": "rail_angle_rad", "normal_force": "load_n", "area": "area_m2",
    "peak_pressure": "peak_pressure_pa", "approach": "approach_m", "half_length": "half_length_m",
    "half_width": "half_width_m", "xi": "xi", "eta": "eta", "phi": "phi_1_m", "force_x": "force_x_n",
    "force_y": "force_y_n", "spin_moment": "spin_moment_n_m", "share": "share",
}  # fmt: skip
ROLLING_ONLY = ("xi", "eta", "phi", "force_x", "force_y", "spin_moment")
TURNED = ("eta", "phi", "force_y", "spin_moment")  # on the right wheel, from its mirrored axes to the track's
LARGEST_TURN = math.radians(20.0)  # of a patch: its pressure is then 1 % off in one plane


@dataclass(frozen=True)
class LoadOptions:
    """Loads and motion of a wheelset, and the laws of its contact."""

    side: Annotated[str, typer.Option("--side", help="Loaded wheels: both, left or right.")] = "both"
    load_kn: Annotated[float, typer.Option("--load-kn", help="Vertical load of each wheel.")] = 50.0
    right_load_kn: Annotated[float | None, typer.Option("--right-load-kn", help="Load, if it differs.")] = None
    roll_mrad: Annotated[
        float | None, typer.Option("--roll-mrad", help="Roll; each wheel then has its own height. Default: solved.")
    ] = None
    mu: Annotated[float, typer.Option("--mu", help=MU_HELP)] = FRICTION.default
    speed_kmh: Annotated[float, typer.Option("--speed-kmh", help="Speed; 0: no creep forces.")] = 0.0
    spin_rad_s: Annotated[
        float | None, typer.Option("--spin-rad-s", help="Speed of rotation; default: without torque.")
    ] = None
    curve_radius_m: Annotated[
        float | None, typer.Option("--curve-radius-m", help="Positive to the left; default: straight.")
    ] = None
    normal: Annotated[
        str,
        typer.Option(
            "--normal",
            help="half_space (planar), conformal (curved: flange roots), or a law of runs: semi_hertzian and others.",
        ),
    ] = "half_space"
    tangential: Annotated[str, typer.Option("--tangential", help="fastsim, kalker_linear, polach or another law.")] = (
        "fastsim"
    )
    bound: Annotated[str, typer.Option("--bound", help="Traction bound of fastsim: elliptic or parabolic.")] = (
        "elliptic"
    )
    g_gpa: Annotated[float, typer.Option("--g-gpa", help="Shear modulus of both bodies.")] = 82.0
    nu: Annotated[float, typer.Option("--nu", help="Poisson's ratio of both bodies.")] = 0.28

    def resolved(self):
        """The options by name, the right wheel's load as it counts."""
        return vars(self) | {"right_load_kn": self.load_kn if self.right_load_kn is None else self.right_load_kn}


def refuse_without_shift(options):
    """Refuse LoadOptions, or None, that are not the defaults: geometry without a shift reads none of them."""
    from flexwheel.base.errors import ScenarioError

    for option in fields(LoadOptions):
        value = option.default if options is None else getattr(options, option.name)
        if value != option.default:
            name = option.name.replace("_", "-")
            raise ScenarioError(f"--{name} needs --lateral-shift-mm, got --{name} {value} without a shift")


def configurations(pairs, setting, shifts, yaw, options, out):
    """Plain values in SI; draws the figures when `out` is a folder."""
    from flexwheel.assess.conformal_patches import conformal_patches
    from flexwheel.assess.exact_patches import exact_patches
    from flexwheel.assess.wheelset_load import LoadCase, LoadedWheel, wheelset_load
    from flexwheel.contact.normal import NORMAL_LAWS
    from flexwheel.run.progress import progress

    _check(yaw, options)
    speed = options["speed_kmh"] / 3.6
    exact = {"half_space": exact_patches, "conformal": conformal_patches}.get(options["normal"])
    tables = dict(
        friction=options["mu"], tangential_law=options["tangential"], bound=options["bound"],
        shear_modulus=1e9 * options["g_gpa"], poisson=options["nu"],
        normal_law=NORMAL_LAWS.default if exact else options["normal"],
    )  # fmt: skip
    wheels = {
        side: LoadedWheel(pair, side, exact or exact_patches, **tables)
        for side, pair in zip(("left", "right"), pairs, strict=True)
        if options["side"] in (side, "both")
    }
    results = []
    with progress("contact under load") as report:
        report(0.0, "the first use compiles")
        for k, shift in enumerate(shifts):
            case = LoadCase(
                shift=float(shift), yaw=yaw, load_left=1e3 * options["load_kn"],
                load_right=1e3 * options["right_load_kn"], speed=speed, spin=options["spin_rad_s"],
                roll=None if options["roll_mrad"] is None else 1e-3 * options["roll_mrad"],
                curvature=1.0 / options["curve_radius_m"] if options["curve_radius_m"] else 0.0,
            )  # fmt: skip
            results.append(wheelset_load(wheels.get("left"), wheels.get("right"), case, exact=exact is not None))
            report((k + 1) / len(shifts))
    pictures = _draw(pairs, results, wheels, exact, out) if out is not None else []
    return {
        **setting,
        "yaw_rad": yaw,
        "options": options,
        "configurations": [_configuration(result, speed) for result in results],
        "pictures": pictures,
        "warnings": [*setting.get("warnings", ()), *_planar(results, exact is exact_patches)],
    }


def _planar(results, half_space):
    """Warning of patches that turn too far for one plane."""
    turned = [(w.turn, w.side, result.shift) for result in results for w in result.wheels if half_space]
    turn, side, shift = max(turned, default=(0.0, "", 0.0))
    if turn < LARGEST_TURN:
        return []
    return [
        f"{side} wheel at a shift of {1e3 * shift:g} mm: a patch turns by {math.degrees(turn):.0f} degrees, and the "
        "half space is planar; --normal conformal solves it on the curved surface"
    ]


def _check(yaw, options):
    from flexwheel.base.errors import ScenarioError
    from flexwheel.contact.contact_tables import BOUNDS, NORMAL_LAWS, TANGENTIAL_LAWS

    for name, known in (
        ("side", ("both", "left", "right")),
        ("normal", ("half_space", "conformal", *NORMAL_LAWS)),
        ("tangential", tuple(TANGENTIAL_LAWS)),
        ("bound", tuple(BOUNDS)),
    ):
        if options[name] not in known:
            raise ScenarioError(f"--{name} must be one of {', '.join(known)}, got {options[name]}")
    for name, low, high in (
        ("load_kn", 1e-3, 1000.0),
        ("right_load_kn", 1e-3, 1000.0),
        ("roll_mrad", -50.0, 50.0),
        ("mu", FRICTION.low, FRICTION.high),
        ("speed_kmh", 0.0, 600.0),
        ("spin_rad_s", -1000.0, 1000.0),
        ("g_gpa", 0.1, 1000.0),
        ("nu", 0.0, 0.5),
    ):
        value = options[name]
        if value is not None and not (math.isfinite(value) and low <= value <= high):
            raise ScenarioError(f"--{name.replace('_', '-')} must be {low:g} to {high:g}, got {value:g}")
    if not (math.isfinite(yaw) and abs(yaw) <= 0.175):
        raise ScenarioError(f"--yaw-mrad must be -175 to 175, got {1e3 * yaw:g}")
    radius = options["curve_radius_m"]
    if radius is not None and not (math.isfinite(radius) and abs(radius) >= 20.0):
        raise ScenarioError(f"--curve-radius-m must be at least 20 m, to either side, got {radius:g}")


def _configuration(result, speed):
    return {
        "lateral_shift_m": result.shift,
        "yaw_rad": result.yaw,
        "roll_rad": result.roll,
        "lift_m": result.lift,
        "spin_rad_s": result.spin if speed > 0.0 else None,
        "wheels": [_wheel(wheel, speed) for wheel in result.wheels],
    }


def _wheel(wheel, speed):
    total = sum(patch["normal_force"] for patch in wheel.patches)
    return {
        "side": wheel.side,
        "height_m": float(wheel.pose[2]),
        "force_n": wheel.force,
        "moment_n_m": wheel.moment,
        "regions": len(wheel.patches),
        "load_n": total,
        "centroid": {
            f"{name}_m": sum(patch["normal_force"] * patch[key] for patch in wheel.patches) / total
            for name, key in (("x", "x_track"), ("y", "y_track"), ("y_rail", "y_rail"))
        },
        "reference_point": {
            f"{name}_m": sum(patch["normal_force"] * patch[f"{name}_reference"] for patch in wheel.patches) / total
            for name in ("x", "y")
        },
        "patches": [_patch(patch, speed, wheel.side) for patch in wheel.patches],
    }


def _patch(patch, speed, side):
    if side == "right":
        patch = patch | {name: -patch[name] for name in TURNED}
    return {key: None if speed == 0.0 and name in ROLLING_ONLY else patch[name] for name, key in PATCH_UNITS.items()}


def _draw(pairs, results, wheels, exact, out):
    import numpy as np

    from flexwheel.assess.figures.contact_load_figures import position_figure, pressure_map_figure, sweep_figure
    from flexwheel.assess.figures.style import save_figure
    from flexwheel.base.output_files import output_folder

    folder, by_side = output_folder(out), dict(zip(("left", "right"), pairs, strict=True))
    figures = {}
    if len(results) > 1:
        figures["sweep"] = sweep_figure(results)
    middle = results[int(np.argmin([abs(result.shift) for result in results]))] if len(results) > 1 else results[0]
    figures["position"] = position_figure(by_side, middle)
    if exact is not None:
        maps = {
            w.side: exact(by_side[w.side], w.pose, wheels[w.side].rolling.normal.contact_modulus) for w in middle.wheels
        }
        figures["pressure"] = pressure_map_figure(middle, maps)
    return [str(save_figure(figure, folder / f"contact_{name}.png")) for name, figure in figures.items()]


def text(result):
    """One block a configuration."""
    lines = [
        f"{result['wheel']} on {result['rail']}, inclination {result['inclination']:g}, normal contact "
        f"{result['options']['normal']}"
    ]
    for one in result["configurations"]:
        spin = "" if one["spin_rad_s"] is None else f", spin {one['spin_rad_s']:.6f} rad/s"
        lines.append(
            f"shift {1e3 * one['lateral_shift_m']:.3f} mm, yaw {1e3 * one['yaw_rad']:g} mrad, "
            f"roll {1e3 * one['roll_rad']:.4f} mrad, lift {1e3 * one['lift_m']:.4f} mm{spin}"
        )
        for wheel in one["wheels"]:
            fx, fy, fz = wheel["force_n"]
            lines.append(
                f"  {wheel['side']}: {wheel['regions']} region(s), force {fx:.0f} {fy:.0f} {fz:.0f} N, "
                f"centroid y {1e3 * wheel['centroid']['y_m']:.3f} mm"
            )
            for p in wheel["patches"]:
                lines.append(
                    f"    x {1e3 * p['x_m']:8.3f}  y {1e3 * p['y_m']:9.3f} mm  "
                    f"angle {1e3 * p['contact_angle_rad']:8.2f} mrad  load {p['load_n']:9.0f} N  "
                    f"area {1e6 * p['area_m2']:7.2f} mm2  "
                    f"peak {1e-6 * p['peak_pressure_pa']:7.1f} MPa  approach {1e6 * p['approach_m']:6.2f} um  "
                    f"half-axes {1e3 * p['half_length_m']:.2f} x {1e3 * p['half_width_m']:.2f} mm"
                    + (f"  share {p['share']:.2f}" if p["share"] < 1.0 else "")
                )
                if p["xi"] is not None:
                    lines.append(
                        f"      creepage {p['xi']:.6f} {p['eta']:.6f} {p['phi_1_m']:.5f} 1/m, creep force "
                        f"{p['force_x_n']:.1f} {p['force_y_n']:.1f} N, {p['spin_moment_n_m']:.3f} N m"
                    )
    lines += [f"warning: {line}" for line in result["warnings"]]
    return "\n".join([*lines, *result["pictures"]])
