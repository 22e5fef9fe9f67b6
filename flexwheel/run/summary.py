"""What a run prints: the flexible wheelset, forces, safety, stress, speed, over the samples that count."""

from __future__ import annotations

import numpy as np

from flexwheel.errors import FlexwheelError
from flexwheel.post.span import settled, settling_of
from flexwheel.post.statistics import extremes, run_statistics
from flexwheel.run.paper_example import SECONDS_PER_SECOND, TABLE


def wheelset_table(item, beside_paper=False):
    """Lines on the flexible wheelset of this run, beside table 1 of paper 004 for its example."""
    body = item.body
    ours = {
        "elements": item.elements,
        "nodes": item.nodes,
        "degrees of freedom": 3 * item.nodes,
        "angle step [deg]": round(float(np.degrees(body.sector_angle)), 6),
        "flexible modes": len(body.frequency_hz),
        "lowest frequency [Hz]": round(float(body.frequency_hz.min()), 1),
        "highest frequency [Hz]": round(float(body.frequency_hz.max()), 1),
        "damping ratio": float(np.max(body.damping_ratio)),
    }
    lines = [f"flexible wheelset {item.name}"]
    if not beside_paper:
        return lines + [f"  {key:24s}{value!s:>12s}" for key, value in ours.items()]
    lines.append(f"  {'':24s}{'here':>12s}{'paper 004':>12s}")
    return lines + [f"  {key:24s}{value!s:>12s}{TABLE[key]!s:>12s}" for key, value in ours.items()]


def run_summary(results):
    """Lines on one run."""
    lines = []
    if not results.attrs["complete"]:
        lines.append(f"NOT COMPLETE: {results.attrs['status']}")
    lines += _force_lines(results)
    try:
        after = settled(results)
    except FlexwheelError as error:
        lines.append(f"no extremes: {error}")
    else:
        if "coupler_force" in results:
            lines += _coupler_lines(after)
        if "von_mises" in results:
            lines += _control_lines(after)
    attributes = results.attrs
    lines += [f"warning: {line}" for line in np.atleast_1d(attributes.get("warnings", ()))]
    lines += [str(line) for line in np.atleast_1d(attributes.get("track_bed", ()))]
    speed, iterations = attributes["seconds_per_simulated_second"], attributes["iterations_mean"]
    paper = f" (paper 004: {' to '.join(f'{s:.0f}' for s in SECONDS_PER_SECOND)})" if _paper_example(results) else ""
    lines.append(
        f"time loop {attributes['loop_seconds']:.1f} s, {speed:.2f} s per simulated second{paper}; "
        f"{iterations:.2f} iterations a step, {attributes['steps_not_converged']} steps not converged"
    )
    return lines


def _paper_example(results):
    return str(results.attrs.get("paper_example", "false")).lower() == "true"


def _force_lines(results):
    """Table of wheel forces and the limit of sum Y, or why there is none."""
    try:
        figures = run_statistics(results)
    except FlexwheelError as error:
        return [str(error)]
    lines = [
        f"forces from {figures.span_words}",
        f"{'wheel':14s}{'Q mean':>10s}{'Q max':>10s}{'Y 99.85 %':>11s}{'Y/Q max':>9s}   [kN], 20 Hz; Y/Q 2 m mean",
    ]
    for k, wheel in enumerate(results.wheel.values):
        q, most = figures.vertical_mean[k] / 1e3, figures.vertical_max[k] / 1e3
        y, worst = figures.lateral_percentiles[2, k] / 1e3, figures.quotient_max[k]
        lines.append(f"{str(wheel):14s}{q:10.2f}{most:10.2f}{y:11.2f}{worst:9.3f}")
    for k, wheelset in enumerate(results.wheelset.values):
        largest, limit = figures.sum_lateral_max[k] / 1e3, figures.sum_lateral_limit[k] / 1e3
        lines.append(
            f"sum Y of {wheelset}: largest {largest:.1f} kN over 2 m, limit {limit:.1f} kN ({figures.limit_words})"
        )
    return lines


def _coupler_lines(after):
    lines = []
    for coupler in after.coupler.values:
        force, lateral = (
            after[name].sel(coupler=coupler).values / 1e3 for name in ("coupler_force", "coupler_lateral_force")
        )
        lines.append(
            f"coupler {coupler!s:6s}: draft up to {max(force.max(), 0.0):.1f} kN, buff up to "
            f"{max(-force.min(), 0.0):.1f} kN; lateral {lateral.min():.1f} to {lateral.max():.1f} kN, left positive"
        )
    both = after.coupler_lateral_force.sum("coupler").values / 1e3
    return [*lines, f"both couplers: lateral {both.min():.1f} to {both.max():.1f} kN", _from(after)]


def _control_lines(after):
    lines = [f"{'control node':30s}{'point':>10s}{'radial [um]':>22s}{'von Mises [MPa]':>22s}"]
    lowest, highest = zip(extremes(after, "radial_displacement"), extremes(after, "von_mises"), strict=True)
    spread = after["load_spread"].values if "load_spread" in after.coords else np.zeros(after.sizes["control_node"])
    for i, node in enumerate(after.control_node.values):
        for j, point in enumerate(after.point.values):
            u, s = (1e6 * lowest[0][i, j], 1e6 * highest[0][i, j]), (lowest[1][i, j] / 1e6, highest[1][i, j] / 1e6)
            name = f"{node}{' *' if spread[i] else ''}"
            lines.append(f"{name:30s}{str(point):>10s}{u[0]:10.1f} to {u[1]:8.1f}{s[0]:10.2f} to {s[1]:8.2f}")
    star = "; *: on the running surface, where the contact force is spread over nodes" if np.any(spread) else ""
    return [*lines, _from(after) + star]


def _from(after):
    return f"  from {settling_of(after):.2f} to {float(after.time[-1]):.2f} s"


def interpolation_damping(body, speed, radius):
    """Decay rates [1/s] that the interpolated Eulerian mesh adds: Omega (1 - cos n step) / step at the worst lambda.

    Linear interpolation between sections multiplies order n by 1 - lambda (1 - cos(n step)) each step of
    lambda = Omega dt / step, hence the rate (1 - cos(n step)) Omega / step for dt -> 0.

    Returns
    -------
    dict    order n -> rate
    """
    step, rate = body.sector_angle, speed / radius
    orders = sorted({int(n) for n in body.order if n > 0})
    return {n: (1.0 - np.cos(n * step)) * rate / step for n in orders}
