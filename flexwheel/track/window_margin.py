"""How far a moving window must reach: what its ends send back, as a share of a wheel's contact force.

Waves go far only about the pinned-pinned frequency, where pads and sleepers do not see them; there the ends' echo
depends on the rail's own damping. The window is compared with a long one in the frequency domain, at the middle of
a bay and over a sleeper, for a wheel of 600 kg on a Hertz spring of 1.3e9 N/m under a flat roughness.
"""

import numpy as np

from flexwheel.track.flexible_assembly import condensed_supports
from flexwheel.track.rail_mass import free_waves, seen_frequency

WHEEL, CONTACT = 600.0, 1.3e9
"""[kg], [N/m]."""
BAND = np.linspace(0.85, 1.13, 57)
"""Frequencies over the pinned-pinned one."""
ECHO = 0.0012
"""Share of the force's rms that a window may send back."""
LEAST, MOST, PITCH, LONG = 20, 200, 5, 260
"""Bays of a margin, the step between those tried, and the margin of the long window."""


def absorbing_layer(nodes, width, rate):
    """Damping per mass [1/s] of each node: cubic from 0 to rate over width nodes at each end."""
    layer = np.zeros(nodes)
    if width > 0:
        ramp = rate * (1.0 - np.arange(width) / width) ** 3
        layer[:width] = ramp
        layer[-width:] = ramp[::-1]
    return layer


def pinned_pinned(rail, bay):
    """Frequency [Hz] of the vertical wave of two bays' length of a free rail."""
    return free_waves(rail, 0, np.pi / bay)[0]


def needed_margin(track, parts, per_bay, coefficients, layer_bays, layer_rate):
    """Bays on each side of the outer wheelsets (whole, LEAST to MOST) that keep the echo below ECHO.

    track : FlexibleTrack; parts : Elements; coefficients : IntegratorCoefficients
    """
    compliance = _force_of_window(track, parts, per_bay, coefficients, layer_bays, layer_rate)
    wanted = compliance(LONG)
    for margin in range(max(LEAST, layer_bays + 2), MOST, PITCH):
        if np.sqrt(np.sum(np.abs(compliance(margin) - wanted) ** 2) / np.sum(np.abs(wanted) ** 2)) <= ECHO:
            return margin
    return max(MOST, layer_bays + 2)


def _force_of_window(track, parts, per_bay, coefficients, layer_bays, layer_rate):
    """Function of the margin: contact force per roughness (2, F), load over a sleeper and at the middle of a bay."""
    frequency = BAND * pinned_pinned(track.rail, track.bay)
    w = seen_frequency(frequency, coefficients)
    rail_factor = 1.0 + 1j * w * track.rail.stiffness_damping
    element = parts.stiffness[0, :6, :6] * rail_factor[:, None, None] - parts.mass[0, :6, :6] * (w**2)[:, None, None]
    support = np.stack([condensed_supports(track, (-x * x, 1j * x, 1.0 + 0.0j), False)[0][0] for x in w])
    turned = np.diag([1.0, -1.0, -1.0])
    wheel = 1.0 / CONTACT - 1.0 / (WHEEL * (2.0 * np.pi * frequency) ** 2)

    def force(margin):
        layer = absorbing_layer(2 * margin * per_bay, layer_bays * per_bay, layer_rate)
        end = np.zeros((len(w), 3, 3), dtype=complex)
        for i in range(margin * per_bay):
            node = end + (1j * w * layer[i])[:, None, None] * np.diag(parts.node_mass[0]) + element[:, :3, :3]
            if i % per_bay == 0:
                node = node + support
            end = element[:, 3:, 3:] - element[:, 3:, :3] @ np.linalg.solve(node, element[:, :3, 3:])
        other = turned @ end @ turned
        bay = np.zeros((len(w), 3 * per_bay + 3, 3 * per_bay + 3), dtype=complex)
        for i in range(per_bay):
            bay[:, 3 * i : 3 * i + 6, 3 * i : 3 * i + 6] += element
        bay[:, :3, :3] += end + support
        bay[:, -3:, -3:] += other + support
        middle = 3 * (per_bay // 2)
        places = np.linalg.inv(end + other + support)[:, 0, 0], np.linalg.inv(bay)[:, middle, middle]
        return 1.0 / (np.array(places) + wheel)

    return force
