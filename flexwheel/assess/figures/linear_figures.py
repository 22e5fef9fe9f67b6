"""Linear analysis: Campbell diagram, damping against speed, receptances."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from flexwheel.assess.figures.style import COLOURS, label, new_figure

HIGHEST_HZ = 400.0, 10.0  # of all oscillations, of the slow ones
CAMPBELL_HZ = 800.0  # highest of a Campbell diagram
DIRECTION_HZ, MOST_HZ = 10.0, 60.0  # of branches in it: for a step of the direction by one; most that is joined


def eigenvalue_figure(speed, table):
    """Frequency of all oscillations against speed, coloured by damping, and the damping of the slow ones.

    Parameters
    ----------
    speed : (S,) [m/s]
    table : sequence of S dict     frequency_hz and damping_ratio of each speed
    """
    figure, axes = new_figure(3, "Oscillations of the vehicle on straight track", height=11.0)
    rows = [
        (3.6 * v, f, d)
        for v, row in zip(speed, table, strict=True)
        for f, d in zip(row["frequency_hz"], row["damping_ratio"], strict=True)
    ]
    v, f, damping = np.array(rows).T
    for axis, top in zip(axes, HIGHEST_HZ, strict=False):
        shown = f <= top
        image = axis.scatter(v[shown], f[shown], c=100.0 * damping[shown], s=9, cmap="coolwarm_r", vmin=-5.0, vmax=5.0)
        axis.set_ylim(0.0, top)
        label(axis, None, "frequency [Hz]")
    slow = (f > 0.2) & (f < 2.0 * HIGHEST_HZ[-1])
    axes[-1].scatter(v[slow], 100.0 * damping[slow], color=COLOURS[0], s=9)
    axes[-1].axhline(0.0, color="black", linewidth=0.8)
    axes[-1].set_ylim(-10.0, 50.0)
    label(axes[-1], "speed [km/h]", f"damping ratio [%], 0.2 to {2.0 * HIGHEST_HZ[-1]:g} Hz", legend=False)
    figure.colorbar(image, ax=axes[:2], label="damping ratio [%], red grows", shrink=0.8)
    return figure


def campbell_figure(rows, radius, title):
    """Whirl frequencies of a free wheelset against speed, seen in axes that do not turn.

    Parameters
    ----------
    rows : sequence of dict     speed_m_s, frequency_hz and direction (+ with the wheel, - against it, 0 torsion)
    radius : float [m]          of the wheels
    """
    figure, (axis,) = new_figure(1, f"Campbell diagram, {title}")
    kinds = (("forward", 1.0, "^", 3), ("backward", -1.0, "v", 0), ("torsion, umbrella", 0.0, "o", 2))
    branches, named = whirl_branches(rows), set()
    for v, f, d in (branch.T for branch in branches):
        sign = 0.0 if np.median(np.abs(d)) < 0.3 else np.sign(np.median(d))
        name, _, marker, colour = next(kind for kind in kinds if kind[1] == sign)
        words = {"label": None if name in named else name, "color": COLOURS[colour], "marker": marker}
        named.add(name)
        axis.plot(3.6 * v, np.where(f <= CAMPBELL_HZ, f, np.nan), linewidth=0.8, markersize=3.5, **words)
    speed = np.array([row["speed_m_s"] for row in rows])
    for n in (1, 2, 3):
        text = "one, two, three times the wheel's rotation" if n == 1 else None
        axis.plot(3.6 * speed, n * speed / (2.0 * np.pi * radius), "--", color="grey", linewidth=0.7, label=text)
    axis.set_ylim(0.0, CAMPBELL_HZ)
    label(axis, "speed [km/h]", "frequency [Hz]")
    return figure


def whirl_branches(rows):
    """Whirl frequencies joined over the speed: arrays (n, 3) of speed, frequency and direction, one a branch.

    From one speed to the next each frequency goes to the one that lies nearest to where its branch heads, the sum of
    all distances least; a step of the direction by one counts as DIRECTION_HZ.
    """
    rows = sorted(rows, key=lambda row: row["speed_m_s"])
    branches, going = [], []
    for row in rows:
        points = [(row["speed_m_s"], f, d) for f, d in zip(row["frequency_hz"], row["direction"], strict=True)]
        points = [point for point in points if point[1] <= 1.2 * CAMPBELL_HZ]
        cost = np.array([[_apart(branch, point) for point in points] for branch in going])
        pairs = zip(*linear_sum_assignment(np.minimum(cost, MOST_HZ)), strict=True) if cost.size else ()
        pairs = {int(p): going[b] for b, p in pairs if cost[b, p] < MOST_HZ}
        going = [pairs.get(p, []) for p in range(len(points))]
        for branch, point in zip(going, points, strict=True):
            if not branch:
                branches.append(branch)
            branch.append(point)
    return [np.array(branch) for branch in branches]


def _apart(branch, point):
    """Distance [Hz] of a point (speed, frequency, direction) from where a branch of such heads."""
    v, f, d = branch[-1]
    if len(branch) > 1 and v > branch[-2][0]:
        f += (f - branch[-2][1]) / (v - branch[-2][0]) * (point[0] - v)
    return abs(point[1] - f) + DIRECTION_HZ * abs(point[2] - d)


def receptance_figure(frequency_hz, wheel, rail=None):
    """Vertical and lateral receptance of wheel and rail at the contact."""
    figure, axes = new_figure(2, "Receptances at the contact", height=7.6)
    for axis, row, name in zip(axes, (2, 1), ("vertical", "lateral"), strict=True):
        axis.loglog(frequency_hz, np.abs(wheel[:, row, row]), color=COLOURS[0], label="wheel")
        if rail is not None:
            axis.loglog(frequency_hz, np.abs(rail[:, row, row]), color=COLOURS[3], label="rail over a sleeper")
        label(axis, None, f"{name} receptance [m/N]")
    label(axes[-1], "frequency [Hz]", legend=False)
    return figure
