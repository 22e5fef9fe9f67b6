"""Linear analysis: Campbell diagram, damping against speed, receptances."""

from __future__ import annotations

import numpy as np

from flexwheel.view.style import COLOURS, label, new_figure


def campbell_figure(speed, values, radius, highest_hz=400.0, title=""):
    """Frequencies of all oscillations against speed, coloured by damping, with multiples of the wheel's rotation.

    Parameters
    ----------
    speed : (S,) [m/s]
    values : sequence of S arrays of eigenvalues [1/s]
    radius : float [m]      of the wheels
    """
    figure, axes = new_figure(2, title or "Campbell diagram", height=9.0)
    points = [
        (3.6 * v, abs(e) / (2.0 * np.pi), -e.real / abs(e)) for v, row in zip(speed, values, strict=True) for e in row
        if e.imag > 1e-6
    ]  # fmt: skip
    v, f, damping = np.array(points).T
    for axis, top in zip(axes, (highest_hz, 10.0), strict=True):
        shown = f <= top
        image = axis.scatter(v[shown], f[shown], c=100.0 * damping[shown], s=9, cmap="coolwarm_r", vmin=-5.0, vmax=5.0)
        for n in (1, 2, 3):
            rotation = n * np.asarray(speed) / (2.0 * np.pi * radius)
            axis.plot(3.6 * np.asarray(speed), rotation, "--", color="grey", linewidth=0.7)
        axis.set_ylim(0.0, top)
        label(axis, None, "frequency [Hz]")
    label(axes[-1], "speed [km/h]; dashed: one, two, three times the wheel's rotation", legend=False)
    figure.colorbar(image, ax=axes, label="damping ratio [%], red grows", shrink=0.8)
    return figure


def receptance_figure(frequency_hz, wheel, rail=None, title=""):
    """Vertical and lateral receptance of wheel and rail at the contact."""
    figure, axes = new_figure(2, title or "Receptances at the contact", height=7.6)
    for axis, row, name in zip(axes, (2, 1), ("vertical", "lateral"), strict=True):
        axis.loglog(frequency_hz, np.abs(wheel[:, row, row]), color=COLOURS[0], label="wheel")
        if rail is not None:
            axis.loglog(frequency_hz, np.abs(rail[:, row, row]), color=COLOURS[3], label="rail over a sleeper")
        label(axis, None, f"{name} receptance [m/N]")
    label(axes[-1], "frequency [Hz]", legend=False)
    return figure
