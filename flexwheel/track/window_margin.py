"""How far a moving window must reach: what its ends send back, seen by a wheel and by the rail's head.

Waves go far only about the pinned-pinned frequencies, where pads and sleepers do not see them; there the ends' echo
depends on the rail's own damping. The window is compared with a long one in the frequency domain, at the middle of
a bay and over a sleeper: upright by the contact force of a wheel of 600 kg on a Hertz spring of 1.3e9 N/m under a flat
roughness, across and in torsion, where the contact is as soft as its creep, by the receptance of the head.
"""

import numpy as np

from flexwheel.track.chains import beyond, chained, turned
from flexwheel.track.flexible_assembly import condensed_supports
from flexwheel.track.loaded_element import head_of_section
from flexwheel.track.rail_mass import bar_impedance, free_waves, seen_frequency, without_inner

WHEEL, CONTACT = 600.0, 1.3e9
"""[kg], [N/m]."""
BAND, ACROSS = np.linspace(0.85, 1.13, 57), np.linspace(0.96, 1.04, 41)
"""Frequencies over the pinned-pinned one, of the vertical wave and of the two lowest across."""
ECHO = 0.0012
"""Share of the force's rms that a window may send back."""
LEVEL = 0.15
"""Most [dB] by which it may change the receptance across: what the elements' own 0.15 dB there leave of 0.3."""
ENOUGH = 100
"""Bays beyond which no margin goes for LEVEL: on a hardly damped rail its sharp peaks would ask for 200."""
LEAST, MOST, PITCH, LONG = 20, 200, 5, 260
"""Bays of a margin, the step between those tried, and the margin of the long window."""
TURNED = np.diag([1.0, -1.0, -1.0]), np.diag([1.0, -1.0, 1.0])
"""Values of a node, seen from the other end, in planes V and L."""


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
    """Bays on each side of the outer wheelsets (whole, LEAST to MOST) that keep the echo below ECHO and LEVEL.

    track : FlexibleTrack; parts : Elements; coefficients : IntegratorCoefficients
    """
    tried = [*range(max(LEAST, layer_bays + 2), MOST, PITCH), max(MOST, layer_bays + 2)]
    upright = BAND * pinned_pinned(track.rail, track.bay)
    across = np.concatenate([ACROSS * f for f in free_waves(track.rail, 1, np.pi / track.bay)[:2]])
    wheel = 1.0 / CONTACT - 1.0 / (WHEEL * (2.0 * np.pi * upright) ** 2)
    windows = [
        _windows(track, parts, per_bay, seen_frequency(hz, coefficients), plane, (*tried, LONG), layer_bays, layer_rate)
        for plane, hz in enumerate((upright, across))
    ]
    force = [1.0 / (w[..., 1, 1] + wheel) for w in windows[0]]
    level = [20.0 * np.log10(np.abs(np.diagonal(w, axis1=-2, axis2=-1))) for w in windows[1]]
    for i, margin in enumerate(tried):
        echo = np.sqrt(np.sum(np.abs(force[i] - force[-1]) ** 2) / np.sum(np.abs(force[-1]) ** 2))
        if echo <= ECHO and (margin >= ENOUGH or np.max(np.abs(level[i] - level[-1])) <= LEVEL):
            return margin
    return tried[-1]


def _windows(track, parts, per_bay, w, plane, margins, layer_bays, layer_rate):
    """Receptances (2, F, 2, 2) of the head, load over a sleeper and at the middle of a bay, for every margin (rising).

    w : (F,) [rad/s]
    """
    rail_factor = (1.0 + 1j * w * track.rail.stiffness_damping)[:, None, None]
    element = without_inner(parts.stiffness[plane] * rail_factor - parts.mass[plane] * (w**2)[:, None, None])
    support = condensed_supports(track, (-w * w, 1j * w, 1.0), False)[0][:, plane]
    layer = absorbing_layer(2 * layer_bays * per_bay, layer_bays * per_bay, layer_rate)
    head, signs = head_of_section(track.rail, plane), TURNED[plane]
    plain, half = chained(element, per_bay), per_bay // 2
    to_middle, from_middle = chained(element, half), turned(chained(element, per_bay - half))
    end, out = np.zeros((len(w), 3, 3), dtype=complex), []
    end[:, 2, 2] = 1j * w * bar_impedance(track.rail) * (plane == 0 and layer_bays > 0)
    for i in range(layer_bays * per_bay):
        node = end + (1j * w * layer[i])[:, None, None] * np.diag(parts.node_mass[plane])
        end = beyond(node + support if i % per_bay == 0 else node, element)
    bays, strides = layer_bays, {1: plain, PITCH: chained(plain, PITCH, support)}
    for margin in margins:
        while bays < margin:
            stride = PITCH if margin - bays >= PITCH else 1
            end, bays = beyond(end + support, strides[stride]), bays + stride
        left, right = end + support, signs @ end @ signs + support
        places = (
            np.linalg.inv(left + right - support),
            np.linalg.inv((beyond(left, to_middle) if half else left) + beyond(right, from_middle)),
        )
        out.append(head @ np.array(places) @ head.T)
    return out
