"""What a run prints at its end: the wheelset beside the paper's, forces, safety, stress, speed."""

from __future__ import annotations

import numpy as np

from flexwheel.post.en14363 import percentiles, safety_quantities

PAPER_TABLE = {
    "elements": 46442,
    "nodes": 56561,
    "degrees of freedom": 339366,
    "angle step [deg]": 2.0,
    "flexible modes": 35,
    "lowest frequency [Hz]": 29.6,
    "highest frequency [Hz]": 5456.6,
    "damping ratio": 0.01,
}
"""Table 1 of paper 004; its 339,366 are 6 per node, solid elements carry 3."""
PAPER_SECONDS_PER_SECOND = (72 * 60 / 14.0, 75 * 60 / 14.0)


def wheelset_table(item):
    """Lines of table 1: the flexible wheelset of this run beside the paper's."""
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
    lines = [f"flexible wheelset {item.name}", f"  {'':24s}{'here':>12s}{'paper 004':>12s}"]
    return lines + [f"  {key:24s}{value!s:>12s}{PAPER_TABLE[key]!s:>12s}" for key, value in ours.items()]


def run_summary(results):
    """Lines on one run."""
    lines = []
    if not results.attrs["complete"]:
        lines.append(f"NOT COMPLETE: {results.attrs['status']}")
    if results.sizes["time"] < 100:
        return lines + [f"{results.sizes['time']} samples"]
    quantities = safety_quantities(results)
    lines.append(
        f"{'wheel':14s}{'Q mean':>10s}{'Q max':>10s}{'Y 99.85 %':>11s}{'Y/Q max':>9s}   [kN], 20 Hz; Y/Q 2 m mean"
    )
    for k, wheel in enumerate(results.wheel.values):
        q, y = quantities.vertical[:, k] / 1e3, percentiles(quantities.lateral[:, k])[2] / 1e3
        worst = np.abs(quantities.derailment_quotient[:, k]).max()
        lines.append(f"{str(wheel):14s}{q.mean():10.2f}{q.max():10.2f}{y:11.2f}{worst:9.3f}")
    for k, wheelset in enumerate(results.wheelset.values):
        largest = np.abs(quantities.sum_lateral[:, k]).max() / 1e3
        limit = quantities.sum_lateral_limit[k] / 1e3
        lines.append(f"sum Y of {wheelset}: largest {largest:.1f} kN over 2 m, limit {limit:.1f} kN")
    if "coupler_force" in results:
        lines += _coupler_lines(results)
    if "von_mises" in results:
        lines += _control_lines(results)
    attributes = results.attrs
    lines += [f"warning: {line}" for line in np.atleast_1d(attributes.get("warnings", ()))]
    lines += [str(line) for line in np.atleast_1d(attributes.get("track_bed", ()))]
    speed, iterations = attributes["seconds_per_simulated_second"], attributes["iterations_mean"]
    paper = " to ".join(f"{seconds:.0f}" for seconds in PAPER_SECONDS_PER_SECOND)
    lines.append(
        f"time loop {attributes['loop_seconds']:.1f} s, {speed:.2f} s per simulated second (paper 004: {paper}); "
        f"{iterations:.2f} iterations a step, {attributes['steps_not_converged']} steps not converged"
    )
    return lines


def _coupler_lines(results):
    lines = []
    for coupler in results.coupler.values:
        force, lateral = (
            results[name].sel(coupler=coupler).values / 1e3 for name in ("coupler_force", "coupler_lateral_force")
        )
        lines.append(
            f"coupler {coupler!s:6s}: draft up to {max(force.max(), 0.0):.1f} kN, buff up to "
            f"{max(-force.min(), 0.0):.1f} kN; lateral {lateral.min():.1f} to {lateral.max():.1f} kN, left positive"
        )
    both = results.coupler_lateral_force.sum("coupler").values / 1e3
    return lines + [f"both couplers: lateral {both.min():.1f} to {both.max():.1f} kN"]


def _control_lines(results):
    lines = [f"{'control node':30s}{'point':>10s}{'radial [um]':>22s}{'von Mises [MPa]':>22s}"]
    for node in results.control_node.values:
        for point in results.point.values:
            at = results.sel(control_node=node, point=point)
            u, s = 1e6 * at.radial_displacement.values, at.von_mises.values / 1e6
            lines.append(
                f"{str(node):30s}{str(point):>10s}{u.min():10.1f} to {u.max():8.1f}{s.min():10.2f} to {s.max():8.2f}"
            )
    return lines


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
