"""What a train run did beyond its data: lines with figures, for the summary and the results."""

import numpy as np

from flexwheel.base.gravity import GRAVITY
from flexwheel.systems.train.traction import TractionCurves

MOST_ADHESION, MOST_BRAKE = 0.45, 0.25
"""Largest plausible share of weight of a starting effort, and of a vehicle's brake force."""
FASTEST = 400.0 / 3.6


def train_warnings(run, results, checks=()):
    """Lines on tables that were left, on the tolerance, and on values that are more likely a slip than a wish.

    Parameters
    ----------
    run : TrainRun
    results : TrainResults
    checks : sequence of ToleranceCheck

    Returns
    -------
    list of str
    """
    return [*solid_couplers(run, results), *left_curves(run, results), *odd_values(run), *failed_checks(checks)]


def solid_couplers(run, results):
    """Couplings pressed or pulled beyond their tables."""
    lines = []
    for name in dict.fromkeys(c.name for c in run.train.couplers if not c.rigid):
        worst, where, count = 0.0, 0, 0
        for k, coupler in enumerate(run.train.couplers):
            if coupler.name != name or coupler.rigid:
                continue
            sides = ((coupler.draft, coupler.draft_free, 0, 1.0), (coupler.buff, coupler.buff_free, 1, -1.0))
            beyond = max(
                (sign * results.peak_deflection[k, side] - free - curve.deflection[-1])
                for curve, free, side, sign in sides
                if curve is not None
            )
            count += beyond > 0.0 and not is_elastic(coupler)
            if beyond > worst and not is_elastic(coupler):
                worst, where = beyond, k + 1
        if count:
            lines.append(
                f"{count} couplings {name!r} went beyond their tables, most by {worst * 1e3:.1f} mm at {where}: "
                "forces there follow the solid stiffness"
            )
    return lines


def is_elastic(coupler):
    """Whether all curves go on as straight as they end, so that there is no end of the table."""
    return all(
        side is None or np.isclose(np.diff(side.loading)[-1] / np.diff(side.deflection)[-1], side.solid_stiffness)
        for side in (coupler.draft, coupler.buff)
    )


def left_curves(run, results):
    """Speeds beyond the last point of a curve over speed."""
    lines = []
    for v in {v.name: v for v in run.train.vehicles}.values():
        curves = [("traction", v.traction.speed)] if isinstance(v.traction, TractionCurves) else []
        if v.brake_force > 0.0 and len(v.brake_speed) > 1 and results.pressure.max(initial=0.0) > 0.0:
            curves.append(("brake friction", v.brake_speed))
        for label, speed in curves:
            if results.speed_max > speed[-1]:
                lines.append(
                    f"vehicle {v.name!r}: {results.speed_max * 3.6:.1f} km/h, its {label} curve ends at "
                    f"{speed[-1] * 3.6:g} km/h: its last value was kept"
                )
    return lines


def odd_values(run):
    """Shares of weight and speeds that no train has."""
    lines = []
    for v in {v.name: v for v in run.train.vehicles}.values():
        weight = v.mass * GRAVITY
        if v.traction is not None:
            effort = v.traction.traction if isinstance(v.traction, TractionCurves) else v.traction.effort
            if np.max(effort) > MOST_ADHESION * weight:
                lines.append(share_line(v, "tractive effort", float(np.max(effort)), MOST_ADHESION))
        if v.brake_force * np.max(v.brake_friction) > MOST_BRAKE * weight:
            lines.append(share_line(v, "brake force", float(v.brake_force * np.max(v.brake_friction)), MOST_BRAKE))
    if np.max(np.abs(run.speed)) > FASTEST:
        lines.append(f"run: speed is {np.max(np.abs(run.speed)) * 3.6:g} km/h, usual is up to {FASTEST * 3.6:g} km/h")
    return lines


def share_line(v, label, force, most):
    """One line on a force against the weight."""
    share = force / (v.mass * GRAVITY)
    return f"vehicle {v.name!r}: {label} {force / 1e3:g} kN is {share:.2f} of its weight, usual is up to {most:g}"


def failed_checks(checks):
    """The tolerance where halving it never became harmless."""
    if not checks or checks[-1].passed:
        return []
    last = checks[-1]
    return [
        f"tolerance {last.tolerance:g} against twice of it: the largest force of coupling {last.coupling} still "
        f"changes by {last.extreme_change:.0f} N; it is no better known than that"
    ]
