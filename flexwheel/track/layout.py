"""Alignment of the track in arc length: place, rotation and curvature of the track frame.

The track frame at arc length s has its origin on the centre line at rail level and the rotation
A = Rz(heading) Ry(-pitch) Rx(cant angle): x the tangent dr/ds, y left in the canted plane, z normal to it.
Heading, slope (sine of the pitch) and cant (height of the left over the right rail, sin(cant angle) =
cant / base) are piecewise polynomials in s:

- curvature d(heading)/ds piecewise linear (straight, clothoid, arc): dkappa_z/ds jumps at the ends of a
  clothoid, kappa_z itself only where an arc meets its neighbour without one;
- cant linear along a transition, its kinks at the ends rounded over a stated length so that the twist
  kappa_x and its derivative are continuous;
- slope linear along a vertical curve: the height is an exact parabola in arc length; the vertical curvature jumps
  at its ends, as on a real track drawn with parabolas.

Cant turns the track about the centre line (default: the centre line keeps its height) or about the low rail
(the centre line rises by half the cant). Outside 0 <= s <= length the track goes on straight along the end
tangent with the end's cant. Curvature vector kappa in track axes: dA/ds = A skew(kappa).
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.track.segments import Transition, end_values

LONGEST = 1e6
"""[m] of an alignment; its nodes take 16 MB."""

NODE_SPACING = 2.0
"""[m] spacing of the stored positions: 4-point Gauss from the nearest one is exact to rounding."""

_GAUSS_POINT = 0.5 + 0.5 * np.polynomial.legendre.leggauss(4)[0]
_GAUSS_WEIGHT = 0.5 * np.polynomial.legendre.leggauss(4)[1]
_P0, _P1, _P2, _P3 = (float(x) for x in _GAUSS_POINT)
_W0, _W1, _W2, _W3 = (float(x) for x in _GAUSS_WEIGHT)


class Layout(NamedTuple):
    """A finished alignment (arrays only, goes straight into a kernel); t = s - start of the piece."""

    start: np.ndarray  # (P + 1,) [m] arc length at the start of each piece, and the end
    heading: np.ndarray  # (P, 3) polynomial in t [rad]
    cant: np.ndarray  # (P, 5) polynomial in t [m], left rail over right rail
    slope: np.ndarray  # (P, 5) polynomial in t [-], sine of the pitch, up positive
    height: np.ndarray  # (P,) [m] at the start of the piece
    node_first: np.ndarray  # (P,) int row of plan for the start of the piece
    node_step: np.ndarray  # (P,) [m] spacing of the nodes in the piece
    plan: np.ndarray  # (N, 2) [m] x, y at the nodes
    length: float  # [m]
    cant_base: float  # [m] distance over which cant is measured (between the running bands)


STANDARD_BASE = 1.5  # [m] distance of the running bands of standard gauge, over which cant is measured, EN 13803


def cant_base(gauge):
    """Distance [m] of the running bands at a gauge [m]: assumed to exceed it by 65 mm, as on standard gauge."""
    return STANDARD_BASE + gauge - 1.435


def make_layout(
    segments, grades=(), cant_base=STANDARD_BASE, cant_about="centre_line", cant_smoothing=4.0, start_slope_permille=0.0
) -> Layout:
    """Alignment from its segments.

    Parameters
    ----------
    segments : sequence of Straight, Transition, Arc
    grades : sequence of GradeChange                in order, their curves not overlapping
    cant_base : float [m]                           of standard gauge by default
    cant_about : 'centre_line' or 'low_rail'
    cant_smoothing : float [m]                      length over which a kink of the cant is rounded, centred
                                                    on it; at most the shortest transition
    start_slope_permille : float                    slope before the first change

    Raises
    ------
    ScenarioError    wrong length, radius, order of segments, jump of cant, overlapping vertical curves

    Verified in tests/track/test_track_layout_verified.py.
    """
    if not segments:
        raise ScenarioError("a layout must have a segment or more")
    length = sum(s.length_m for s in segments)
    if not length <= LONGEST:
        raise ScenarioError(f"layout must be at most {LONGEST:g} m long, got {length:g} m")
    if cant_about not in ("centre_line", "low_rail"):
        raise ScenarioError(f"cant_about must be 'centre_line' or 'low_rail', got {cant_about!r}")
    if not (np.isfinite(cant_base) and 0.3 <= cant_base <= 2.5):
        raise ScenarioError(f"cant_base must be 0.3 to 2.5, got {cant_base!r} m")
    ends = np.concatenate(([0.0], np.cumsum([s.length_m for s in segments])))
    curvature, cant = end_values(segments)
    if np.max(np.abs(cant)) > 0.3 * cant_base:
        raise ScenarioError(f"cant of {1e3 * np.max(np.abs(cant)):g} mm on a base of {cant_base:g} m: too steep")
    twist_knots, twist_jump = _kinks(ends, cant, cant_smoothing, segments)
    grade_knots, grade_slope = _grade_table(grades, start_slope_permille, ends[-1])
    start = _merged(ends, twist_knots, cant_smoothing, grade_knots)
    pieces = len(start) - 1
    heading, cant_poly, slope = np.zeros((pieces, 3)), np.zeros((pieces, 5)), np.zeros((pieces, 5))
    low_rail = cant_about == "low_rail"
    psi = 0.0
    for p in range(pieces):
        a, step = start[p], start[p + 1] - start[p]
        i = min(int(np.searchsorted(ends, a + 0.5 * step)) - 1, len(segments) - 1)
        rate = (curvature[i, 1] - curvature[i, 0]) / (ends[i + 1] - ends[i])
        heading[p] = psi, curvature[i, 0] + rate * (a - ends[i]), 0.5 * rate
        psi += heading[p, 1] * step + heading[p, 2] * step * step
        cant_poly[p] = _cant_polynomial(a, a + 0.5 * step, ends, cant, i, twist_knots, twist_jump, cant_smoothing)
        slope[p, :2] = _line(a, a + 0.5 * step, grade_knots, grade_slope)
        if low_rail:
            middle = np.polyval(cant_poly[p, ::-1], 0.5 * step)
            slope[p, :4] += 0.5 * np.sign(middle) * np.arange(1, 5) * cant_poly[p, 1:]
    height = np.zeros(pieces)
    for p in range(pieces - 1):
        step = start[p + 1] - start[p]
        height[p + 1] = height[p] + np.sum(slope[p] * step ** np.arange(1, 6) / np.arange(1, 6))
    return _with_plan(start, heading, cant_poly, slope, height, float(cant_base))


def _kinks(ends, cant, smoothing, segments):
    """Where the cant's rate jumps, and by how much."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a transition without length is refused below
        rate = (cant[:, 1] - cant[:, 0]) / np.diff(ends)
    jump = np.diff(np.concatenate(([0.0], rate, [0.0])))
    inner = np.flatnonzero(jump)
    if len(inner):
        shortest = min(s.length_m for s in segments if isinstance(s, Transition))
        if not (np.isfinite(smoothing) and 0.0 < smoothing <= shortest):
            raise ScenarioError(
                f"cant_smoothing must be above 0 and at most the shortest transition, {shortest:g} m, got "
                f"{smoothing!r} m"
            )
        if ends[inner[0]] < 0.5 * smoothing or ends[inner[-1]] > ends[-1] - 0.5 * smoothing:
            raise ScenarioError("cant changes at the very end of the layout: add a straight or an arc there")
        gap = np.diff(ends[inner])
        if len(gap) and gap.min() < smoothing:
            raise ScenarioError(
                f"cant_smoothing must be at most the shortest distance of two kinks, {gap.min():g} m, got "
                f"{smoothing!r} m"
            )
    return ends[inner], jump[inner]


def _grade_table(grades, start_slope_permille, length):
    """Knots [m] and values of the piecewise linear slope."""
    knots, values = [0.0], [1e-3 * start_slope_permille]
    for k, grade in enumerate(grades):
        a, b = grade.at_m - 0.5 * grade.curve_length_m, grade.at_m + 0.5 * grade.curve_length_m
        if a < knots[-1] - 1e-9 or b > length + 1e-9:
            raise ScenarioError(
                f"vertical curve {k} must be between {knots[-1]:g} m (end of the one before) and {length:g} m "
                f"(end of the layout), got {a:g} to {b:g} m"
            )
        knots += [a, b]
        values += [values[-1], 1e-3 * grade.slope_permille]
    return np.array(knots + [max(length, knots[-1])]), np.array(values + [values[-1]])


def _merged(ends, twist_knots, smoothing, grade_knots):
    """All breakpoints in order, without duplicates closer than a micrometre."""
    points = np.concatenate((ends, twist_knots - 0.5 * smoothing, twist_knots + 0.5 * smoothing, grade_knots))
    points = np.unique(np.clip(points, 0.0, ends[-1]))
    keep = np.concatenate(([True], np.diff(points) > 1e-6))
    points = points[keep]
    points[-1] = ends[-1]
    return points


def _cant_polynomial(a, middle, ends, cant, i, knots, jumps, smoothing):
    """Cant on the piece that starts at a: the straight line of segment i plus the rounding of its kinks."""
    rate = (cant[i, 1] - cant[i, 0]) / (ends[i + 1] - ends[i])
    poly = np.array([cant[i, 0] + rate * (a - ends[i]), rate, 0.0, 0.0, 0.0])
    for knot, jump in zip(knots, jumps, strict=True):
        if abs(middle - knot) < 0.5 * smoothing:
            poly += _rounding(a, knot, jump, smoothing, after=middle > knot)
    return poly


def _rounding(a, knot, jump, smoothing, after):
    """What rounds a kink: the integral of a smoothstep of the rate, minus the kinked line, as a polynomial
    in s - a."""
    t0 = (a - knot) / smoothing + 0.5
    shifted = np.polynomial.Polynomial([0.0, 0.0, 0.0, 1.0, -0.5])(np.polynomial.Polynomial([t0, 1.0 / smoothing]))
    out = np.zeros(5)
    out[: len(shifted.coef)] = jump * smoothing * shifted.coef
    if after:
        out[0] -= jump * (a - knot)
        out[1] -= jump
    return out


def _line(a, middle, knots, values):
    """Value at a and rate of the linear piece of a table that holds middle."""
    j = min(max(int(np.searchsorted(knots, middle)) - 1, 0), len(knots) - 2)
    width = knots[j + 1] - knots[j]
    rate = (values[j + 1] - values[j]) / width if width > 0.0 else 0.0
    return values[j] + rate * (a - knots[j]), rate


def _with_plan(start, heading, cant, slope, height, cant_base):
    """Layout with the plan positions at its nodes, by Gauss quadrature from node to node."""
    first, steps, counts = [], [], []
    total = 0
    for p in range(len(height)):
        n = max(1, int(np.ceil((start[p + 1] - start[p]) / NODE_SPACING)))
        first.append(total)
        steps.append((start[p + 1] - start[p]) / n)
        counts.append(n)
        total += n
    plan = np.zeros((total + 1, 2))
    for p, n in enumerate(counts):
        plan[first[p] + 1 : first[p] + n + 1] = _plan_steps(heading[p], slope[p], steps[p], n)
    np.cumsum(plan, axis=0, out=plan)
    return Layout(
        start, heading, cant, slope, height, np.array(first), np.array(steps), plan, float(start[-1]), cant_base
    )


def _plan_steps(heading, slope, step, count):
    """Changes (count, 2) of x and y from node to node of a piece."""
    a, b = step * np.arange(count)[:, None], step * np.arange(1, count + 1)[:, None]
    t = a + (b - a) * _GAUSS_POINT
    psi = heading[0] + t * (heading[1] + t * heading[2])
    run = np.sqrt(1.0 - np.polyval(slope[::-1], t) ** 2) * _GAUSS_WEIGHT * (b - a)
    return np.stack([np.sum(run * np.cos(psi), axis=1), np.sum(run * np.sin(psi), axis=1)], axis=1)


@kernel
def track_frame(layout, s, position, rotation, kappa, dkappa):
    """Track frame at arc length s [m].

    Fills position (3,) [m] of the centre line at rail level, rotation (3, 3) track -> global, and in track
    axes the curvature vector kappa (3,) [1/m] with dA/ds = A skew(kappa) and its derivative dkappa (3,)
    [1/m^2]. The tangent dr/ds is the first column of rotation. kappa[0] is twist, kappa[1] < 0 a sag
    (pitching up), kappa[2] > 0 a left turn.
    """
    inside = s
    if s < 0.0:
        inside = 0.0
    elif s > layout.length:
        inside = layout.length
    low, high = 0, layout.height.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        if layout.start[middle] <= inside:
            low = middle
        else:
            high = middle
    p = low
    t = inside - layout.start[p]
    h0, h1, h2 = layout.heading[p, 0], layout.heading[p, 1], layout.heading[p, 2]
    psi = h0 + t * (h1 + t * h2)
    dpsi = h1 + 2.0 * t * h2
    g = layout.slope[p]
    c = layout.cant[p]
    pitch_sin = g[0] + t * (g[1] + t * (g[2] + t * (g[3] + t * g[4])))
    dg = g[1] + t * (2.0 * g[2] + t * (3.0 * g[3] + t * 4.0 * g[4]))
    ddg = 2.0 * g[2] + t * (6.0 * g[3] + t * 12.0 * g[4])
    u = (c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])))) / layout.cant_base
    du = (c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * 4.0 * c[4]))) / layout.cant_base
    ddu = (2.0 * c[2] + t * (6.0 * c[3] + t * 12.0 * c[4])) / layout.cant_base
    pitch_cos = np.sqrt(1.0 - pitch_sin * pitch_sin)
    roll_cos = np.sqrt(1.0 - u * u)
    cp, sp = np.cos(psi), np.sin(psi)
    # 003 (1)-(3), A = Rz(psi) Ry(-pitch) Rx(roll)
    rotation[0, 0] = cp * pitch_cos
    rotation[1, 0] = sp * pitch_cos
    rotation[2, 0] = pitch_sin
    rotation[0, 1] = -sp * roll_cos - cp * pitch_sin * u
    rotation[1, 1] = cp * roll_cos - sp * pitch_sin * u
    rotation[2, 1] = pitch_cos * u
    rotation[0, 2] = sp * u - cp * pitch_sin * roll_cos
    rotation[1, 2] = -cp * u - sp * pitch_sin * roll_cos
    rotation[2, 2] = pitch_cos * roll_cos
    _plan_position(layout, p, t, position)
    position[2] = layout.height[p] + t * (
        g[0] + t * (g[1] / 2.0 + t * (g[2] / 3.0 + t * (g[3] / 4.0 + t * g[4] / 5.0)))
    )
    if inside != s:
        for k in range(3):
            position[k] += (s - inside) * rotation[k, 0]
            kappa[k] = 0.0
            dkappa[k] = 0.0
        return
    droll = du / roll_cos
    ddroll = ddu / roll_cos + du * du * u / (roll_cos * roll_cos * roll_cos)
    dpitch = dg / pitch_cos
    ddpitch = ddg / pitch_cos + pitch_sin * dg * dg / (pitch_cos * pitch_cos * pitch_cos)
    ddpsi = 2.0 * h2
    across, up = -dpitch, dpsi * pitch_cos
    dacross, dup = -ddpitch, ddpsi * pitch_cos - dpsi * pitch_sin * dg / pitch_cos
    kappa[0] = droll + dpsi * pitch_sin
    kappa[1] = roll_cos * across + u * up
    kappa[2] = -u * across + roll_cos * up
    dkappa[0] = ddroll + ddpsi * pitch_sin + dpsi * dg
    dkappa[1] = droll * kappa[2] + roll_cos * dacross + u * dup
    dkappa[2] = -droll * kappa[1] - u * dacross + roll_cos * dup


@kernel(inline="always")
def _plan_position(layout, p, t, position):
    """x and y at t in piece p: nearest node before it plus one Gauss step."""
    step = layout.node_step[p]
    node = int(t / step)
    last = layout.plan.shape[0] - 1
    row = layout.node_first[p] + node
    if row > last:
        row = last
        node = row - layout.node_first[p]
    a = node * step
    h = t - a
    x, y = layout.plan[row, 0], layout.plan[row, 1]
    if h != 0.0:
        for q in range(4):
            if q == 0:
                r, w = a + h * _P0, _W0
            elif q == 1:
                r, w = a + h * _P1, _W1
            elif q == 2:
                r, w = a + h * _P2, _W2
            else:
                r, w = a + h * _P3, _W3
            psi = layout.heading[p, 0] + r * (layout.heading[p, 1] + r * layout.heading[p, 2])
            g = layout.slope[p]
            sine = g[0] + r * (g[1] + r * (g[2] + r * (g[3] + r * g[4])))
            run = np.sqrt(1.0 - sine * sine) * w * h
            x += run * np.cos(psi)
            y += run * np.sin(psi)
    position[0] = x
    position[1] = y
