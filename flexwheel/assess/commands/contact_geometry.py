"""Geometry functions of a profile pair: what `flexwheel contact` prints without a lateral shift."""

import numpy as np

_WIDEST_MM = 25.0  # shifts taken where none are given


def geometry(pairs, setting, gauge, range_mm, yaw, out):
    """Plain values in SI; draws the figures when `out` is a folder."""
    from flexwheel.assess.commands import contact_options
    from flexwheel.assess.conicity import DeltaR, equivalent_conicity, nominal_amplitude
    from flexwheel.assess.contact_jumps import contact_jumps
    from flexwheel.base.errors import ContactError
    from flexwheel.contact.geometry import contact_geometry, gauge_clearance
    from flexwheel.run.progress import progress

    left, right = pairs
    try:
        clearance = 0.5 * sum(gauge_clearance(pair.wheel, pair.placement, gauge) for pair in pairs)
    except ContactError:  # a profile without flange
        clearance = np.nan
    if range_mm is None:
        half = 0.5 * max(clearance, 0.002) if np.isfinite(clearance) else 0.005
        reach = min(0.1 * round(1e4 * (half + 0.0025)), _WIDEST_MM)
        shifts = 1e-3 * (np.arange(-reach, reach + 0.05, 0.1).round(6) + 0.0)
    else:
        shifts = 1e-3 * contact_options.values_of("--range-mm", range_mm)
    with progress("contact geometry") as report:
        parts = []
        for part in np.array_split(shifts, max(1, shifts.size // 10)):
            parts.append(contact_geometry(left, right, part, yaw=yaw))
            report(0.7 * sum(p.shift.size for p in parts) / shifts.size)
        result = _joined(parts)
        report(0.7, "jumps of the contact points")
        jumps = contact_jumps(left, right, result)
    conicity = table = None
    if shifts.size >= 3 and result.delta_r[-1] > result.delta_r[0]:
        table = DeltaR(result.shift, result.delta_r)
        widest = 0.5 * np.ptp(shifts)
        amplitudes = 1e-3 * np.arange(0.5, 1e3 * widest + 1e-6, 0.1)
        conicity = equivalent_conicity(table, amplitudes) if amplitudes.size else None
    nominal = nominal_amplitude(clearance) if np.isfinite(clearance) else 3e-3
    values = equivalent_conicity(table, [3e-3, nominal]).integration if table is not None else [np.nan, np.nan]
    pictures = _draw(pairs, result, jumps, table, conicity, out) if out is not None else []
    return {
        **setting,
        "yaw_rad": yaw,
        "lateral_shift_m": result.shift,
        "delta_r_m": result.delta_r,
        "roll_rad": result.roll,
        "lift_m": result.lift,
        **{pair_side: _touch(getattr(result, pair_side), pair, sign, result)
           for pair_side, pair, sign in (("left", left, 1.0), ("right", right, -1.0))},
        "jumps": [_jump(jump) for jump in jumps],
        "conicity": conicity_keys(conicity) if conicity is not None else None,
        "contact_angle_parameter": _harmonic(result, 0.5 * (np.tan(result.left.angle) - np.tan(result.right.angle))),
        "roll_parameter": _harmonic(result, result.roll),
        "conicity_3mm": values[0],
        "nominal": {"gauge_clearance_m": clearance, "amplitude_m": nominal, "conicity": values[1]},
        "pictures": pictures,
    }  # fmt: skip


def conicity_keys(result):
    """JSON keys of a Conicity."""
    return {
        "amplitude_m": result.amplitude,
        "conicity": result.integration,
        "conicity_regression": result.regression,
        "conicity_harmonic": result.harmonic,
        "turning_points_m": [list(pair) for pair in zip(result.low.tolist(), result.high.tolist(), strict=True)],
        "beyond_table": result.beyond_table,
    }


def _joined(parts):
    from flexwheel.contact.geometry import ContactGeometry, TouchPoints

    def points(side):
        names = TouchPoints.__dataclass_fields__
        return TouchPoints(**{n: np.concatenate([getattr(getattr(p, side), n) for p in parts]) for n in names})

    return ContactGeometry(
        shift=np.concatenate([p.shift for p in parts]),
        yaw=parts[0].yaw,
        roll=np.concatenate([p.roll for p in parts]),
        lift=np.concatenate([p.lift for p in parts]),
        left=points("left"),
        right=points("right"),
    )


def _harmonic(result, values):
    """First Fourier coefficient over the amplitude [1/m], of a quantity over the shift, by amplitude."""
    widest = min(-result.shift[0], result.shift[-1])
    amplitudes = 1e-3 * np.arange(0.5, 1e3 * widest + 1e-6, 0.1)
    angle = np.pi * (np.arange(2000) + 0.5) / 2000
    factors = [
        float(-2.0 * np.mean(np.interp(-a * np.cos(angle), result.shift, values) * np.cos(angle)) / a)
        for a in amplitudes
    ]
    return {"amplitude_m": amplitudes, "per_shift_1_m": factors}


def _touch(points, pair, sign, result):
    from flexwheel.contact.geometry import wheel_arm

    ahead = [wheel_arm(pair.placement, sign * roll, sign * result.yaw)[0] for roll in result.roll]
    return {
        "rolling_radius_m": points.radius,
        "contact_angle_rad": points.angle,
        "x_m": points.x + np.array(ahead),
        "y_rail_m": points.y_rail,
        "z_rail_m": points.z_rail,
        "y_wheel_m": points.y_wheel,
        "y_track_m": sign * (points.y_rail + pair.placement.rail_y),
    }


def _jump(jump):
    return {
        "side": jump.side,
        "lateral_shift_m": float(jump.shift),
        "y_wheel_before_m": jump.y_wheel_before,
        "y_wheel_after_m": jump.y_wheel_after,
        "y_rail_before_m": jump.y_rail_before,
        "y_rail_after_m": jump.y_rail_after,
    }


def _draw(pairs, result, jumps, table, conicity, out):
    from flexwheel.assess.figures.contact_geometry_figures import conicity_figure, functions_figure, touch_figure
    from flexwheel.assess.figures.profile_figures import profile_files_figure
    from flexwheel.assess.figures.style import save_figure
    from flexwheel.base.output_files import output_folder

    folder, files = output_folder(out), profile_files(pairs)
    title = f"{pairs[0].wheel.name} on {pairs[0].rail.name}"
    figures = {"functions": functions_figure(result, jumps, title), "points": touch_figure(pairs, result, jumps, title)}
    if conicity is not None:
        figures["conicity"] = conicity_figure(table, conicity, title)
    if files:
        figures["profile_files"] = profile_files_figure(files)
    return [str(save_figure(figure, folder / f"contact_{name}.png")) for name, figure in figures.items()]


def profile_files(pairs):
    """ProfileQuality of every file among the profiles of WheelPairs."""
    found = (profile.quality for pair in pairs for profile in (pair.wheel, pair.rail) if profile.quality is not None)
    return list({q.source: q for q in found}.values())


def profile_file_keys(pairs):
    """JSON keys of `profile_files`."""
    return [
        {
            "file": q.source, "points": q.y.size, "spacing_m": q.spacing, "rounding_m": q.rounding, "noise_m": q.noise,
            "smoothed": q.smoothed, "shortest_cutoff_m": q.cutoff.min(), "longest_cutoff_m": q.cutoff.max(),
            "residual_rms_m": np.sqrt(np.mean(q.distance**2)), "residual_largest_m": np.abs(q.distance).max(),
        }
        for q in profile_files(pairs)
    ]  # fmt: skip


def text(result):
    """The conicity, a table of the functions at every millimetre and the jumps."""
    shift = np.asarray(result["lateral_shift_m"])
    clearance = result["nominal"]["gauge_clearance_m"]
    lines = [
        f"{result['wheel']} on {result['rail']}, inclination {result['inclination']:g}, gauge "
        f"{1e3 * result['gauge_m']:g} mm, "
        + (f"clearance {1e3 * clearance:.3f} mm" if np.isfinite(clearance) else "no flange")
    ]
    if np.isfinite(result["conicity_3mm"]):
        lines.append(f"equivalent conicity at 3 mm: {result['conicity_3mm']:.4f}")
    nominal = result["nominal"]
    if np.isfinite(nominal["conicity"]):
        lines.append(f"at the nominal amplitude {1e3 * nominal['amplitude_m']:.3f} mm: {nominal['conicity']:.4f}")
    lines.append(
        " shift [mm]  delta r [mm]  roll [mrad]   left: angle [deg]  y rail  y wheel [mm]   right: angle  y rail"
        "  y wheel"
    )
    step = max(1, int(round(1e-3 / np.median(np.diff(shift))))) if shift.size > 1 else 1
    first = int(np.argmin(np.abs(shift))) % step
    for k in range(first, shift.size, step):
        cells = [
            f"{np.degrees(side['contact_angle_rad'][k]):12.3f} {1e3 * side['y_rail_m'][k]:9.3f} "
            f"{1e3 * side['y_wheel_m'][k]:8.3f}"
            for side in (result["left"], result["right"])
        ]
        lines.append(
            f"{1e3 * shift[k] + 0.0:10.2f} {1e3 * result['delta_r_m'][k]:13.4f} {1e3 * result['roll_rad'][k]:12.4f} "
            + "      ".join(cells)
        )
    for jump in result["jumps"]:
        lines.append(
            f"jump, {jump['side']} wheel at {1e3 * jump['lateral_shift_m']:.4f} mm: on the wheel from "
            f"{1e3 * jump['y_wheel_before_m']:.2f} to {1e3 * jump['y_wheel_after_m']:.2f} mm, on the rail from "
            f"{1e3 * jump['y_rail_before_m']:.2f} to {1e3 * jump['y_rail_after_m']:.2f} mm"
        )
    lines += [f"warning: {line}" for line in result["warnings"]]
    return "\n".join([*lines, *result["pictures"]])
