"""What a run prints: the flexible wheelset, forces, safety, stress, speed, over the samples that count."""

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.body.stress import von_mises
from flexwheel.results.evaluate.span import settling_of
from flexwheel.results.evaluate.statistics import extremes, run_statistics
from flexwheel.results.evaluate.stress_marks import node_marks
from flexwheel.results.evaluate.valid_band import HIGHEST_HZ, band_lines
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
        if "coupler_force" in results:
            lines += _coupler_lines(results)
        if "von_mises" in results:
            lines += _control_lines(results)
        if "body_point_stress" in results:
            lines += _point_lines(results)
    except FlexwheelError as error:
        lines.append(f"no extremes: {error}")
    attributes = results.attrs
    lines += band_lines(results, HIGHEST_HZ)
    lines += [f"warning: {line}" for line in np.atleast_1d(attributes.get("warnings", ()))]
    lines += [str(line) for line in np.atleast_1d(attributes.get("track_bed", ()))]
    speed, iterations = attributes["seconds_per_simulated_second"], attributes["iterations_mean"]
    beside_paper = str(attributes.get("paper_example", "false")).lower() == "true"
    paper = f" (paper 004: {' to '.join(f'{s:.0f}' for s in SECONDS_PER_SECOND)})" if beside_paper else ""
    lines.append(
        f"time loop {attributes['loop_seconds']:.1f} s, {speed:.2f} s per simulated second{paper}; "
        f"{iterations:.2f} iterations a step, {attributes['steps_not_converged']} steps not converged"
    )
    return lines


def _force_lines(results):
    """Table of wheel forces and the limit of sum Y, or why there is none."""
    missing = [name for name in ("wheel_force", "body_position") if name not in results]
    if missing:
        return [f"no statistics: output.variables leaves out {missing[0]}"]
    try:
        figures = run_statistics(results)
    except FlexwheelError as error:
        return [str(error)]
    head = f"{'wheel':16s}{'Q mean':>9s}{'Q max':>8s}{'Y 99.85 %':>11s}{'Y/Q max':>9s}  [kN], 20 Hz; Y/Q 2 m mean"
    lines = [f"forces from {figures.span_words}", head]
    for k, wheel in enumerate(results.wheel.values):
        q, most = figures.vertical_mean[k] / 1e3, figures.vertical_max[k] / 1e3
        y, worst = figures.lateral_percentiles[2, k] / 1e3, figures.quotient_max[k]
        lines.append(f"{str(wheel):16s}{q:9.2f}{most:8.2f}{y:11.2f}{worst:9.3f}")
    both = zip(results.wheelset.values, figures.sum_lateral_max / 1e3, figures.sum_lateral_limit / 1e3, strict=True)
    words = figures.limit_words
    return lines + [f"sum Y of {w}: largest {a:.1f} kN over 2 m, limit {b:.1f} kN ({words})" for w, a, b in both]


def _coupler_lines(results):
    def extreme(name, reduce=lambda values: values):
        return (1e-3 * end for end in extremes(results, lambda block: reduce(block[name].values)))

    (buff, draft), (right, left) = extreme("coupler_force"), extreme("coupler_lateral_force")
    lines = [
        f"coupler {coupler!s:6s}: draft up to {max(draft[k], 0.0):.1f} kN, buff up to {max(-buff[k], 0.0):.1f} kN; "
        f"lateral {right[k]:.1f} to {left[k]:.1f} kN, left positive"
        for k, coupler in enumerate(results.coupler.values)
    ]
    least, most = extreme("coupler_lateral_force", lambda values: values.sum(axis=1))
    return [*lines, f"both couplers: lateral {least:.1f} to {most:.1f} kN", _from(results)]


def _control_lines(results):
    lines = [f"{'control node':30s}{'point':>9s}{'radial [um]':>20s}{'von Mises [MPa]':>21s}"]
    radial, stress = (
        extremes(results[[n]], lambda block, n=n: block[n].values) for n in ("radial_displacement", "von_mises")
    )
    spread = results["load_spread"].values if "load_spread" in results.coords else np.zeros(len(results.control_node))
    marks = node_marks(results)
    for i, node in enumerate(results.control_node.values):
        for j, point in enumerate(results.point.values):
            u, s = [1e6 * end[i, j] for end in radial], [end[i, j] / 1e6 for end in stress]
            name = f"{node}{' *' if spread[i] else ''}"
            lines.append(f"{name:30s}{str(point):>9s}{u[0]:9.1f} to {u[1]:7.1f}{s[0]:10.2f} to {s[1]:7.2f}")
    star = "; *: on the running surface, where the contact force is spread over nodes" if np.any(spread) else ""
    said = [f"  {node}: stress {m}" for node, m in zip(results.control_node.values, marks, strict=True) if m]
    return [*lines, _from(results) + star, *said]


def _point_lines(results):
    """Stress at the control nodes of flexible bodies."""
    held = np.isnan(results.body_point_stress.isel(time=-1)).all("stress_component").values
    low, high = extremes(results, lambda block: von_mises(block.body_point_stress.values))
    rows = zip(results.body_point.values, low / 1e6, high / 1e6, node_marks(results, "body_point_"), held, strict=True)
    lines = [f"{p!s:40s}{a:10.2f} to {b:8.2f}{'  ' * bool(m)}{m}" for p, a, b, m, still in rows if not still]
    return [f"{'control node of a body':40s}{'von Mises [MPa]':>22s}", *lines, _from(results)] if lines else []


def _from(results):
    return f"  from {settling_of(results):.2f} to {float(results.time[-1]):.2f} s"


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
