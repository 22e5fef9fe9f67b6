"""Spectra of wheel-rail forces and control nodes of the linearised running vehicle."""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linear.linear_contact import ContactSystem, contact_system
from flexwheel.assess.linear.moving_receptance import MovingReceptance
from flexwheel.assess.linear.node_motion import equivalent_stress, fixed_rows, turning_density
from flexwheel.assess.linear.on_rails import WheelPlaces, rail_coupling, solve_harmonics

CHANNELS = 4  # left lateral, left vertical, right lateral, right vertical
CHUNK = 32  # frequencies solved together


@dataclass(frozen=True)
class RunningSystem:
    """A vehicle that runs on its rails, linear: all that its spectra need."""

    linear: object
    system: ContactSystem  # on the grid of `rail`, its first frequency a little above 0
    rail: MovingReceptance
    coupling: np.ndarray  # (2, M, F, 4 W2, 4 W2)
    places: WheelPlaces
    parts: int  # grid steps in the passing frequency


def running_system(linear, rail, positions, bay):
    """RunningSystem of a LinearModel on rails; positions (W,) [m] of the wheelsets, forward positive."""
    places = WheelPlaces(np.asarray(positions, dtype=float))
    grid = rail.frequency.copy()
    grid[0] = 1e-3 * grid[1]  # at rest the vehicle stands free along the track
    parts = int(round(rail.passing / (rail.frequency[1] - rail.frequency[0])))
    return RunningSystem(linear, contact_system(linear, grid), rail, rail_coupling(rail, places, bay), places, parts)


def irregularity_inputs(running, hz):
    """What each channel of the irregularity puts under the wheels: (F, 10 W2, 4), phases of the wheels' places."""
    sides = running.places.count
    out = np.zeros((len(hz), 10 * sides, CHANNELS), dtype=complex)
    for w, x in enumerate(running.places.position):
        turn = np.exp(2j * np.pi * hz * x / running.linear.speed)
        for side in range(2):
            row = 8 * sides + 2 * (2 * w + side)
            out[:, row, 2 * side] = out[:, row + 1, 2 * side + 1] = turn
    return out


def wheel_inputs(running, count):
    """Inputs u (F, M, 10 W2, 4) of the ContactSystem per unit of each channel at grid frequencies 1 to count.

    The harmonic m of an input at f acts at f + m passing.
    """
    reach = len(running.rail.harmonics) // 2
    sides = running.places.count
    out = np.empty((count, 2 * reach + 1, 10 * sides, CHANNELS), dtype=complex)
    for start in range(1, count + 1, CHUNK):
        index = np.arange(start, min(start + CHUNK, count + 1))
        drive = np.zeros((len(index), *out.shape[1:]), dtype=complex)
        drive[:, reach] = irregularity_inputs(running, running.rail.frequency[index])
        out[index - 1] = solve_harmonics(running.system, running.coupling, running.parts, index, drive)
    return out


def amplitudes_at_output(running, inputs, sources, count):
    """Amplitudes of u (F, 10 W2, S) at output frequencies 1 to count, S = harmonics times sources.

    sources : (F, 4, K)    of `inputs.amplitudes`, at input frequencies 1 to F
    """
    reach = len(running.rail.harmonics) // 2
    moved = inputs @ sources[:, None]  # (F, M, U, K)
    k = sources.shape[2]
    out = np.zeros((count, inputs.shape[2], 2 * len(running.rail.harmonics) * k), dtype=complex)
    for h in range(2 * reach + 1):
        to = np.arange(1, len(moved) + 1) + (h - reach) * running.parts
        for sign, block in ((1, 2 * h), (-1, 2 * h + 1)):
            chosen = (sign * to >= 1) & (sign * to <= count)
            values = moved[chosen, h]
            out[sign * to[chosen] - 1, :, block * k : (block + 1) * k] = values if sign > 0 else values.conj()
    return out


def wheel_loads(running, amplitude):
    """Wrenches on the wheels (F, 6 W2, S) at grid frequencies 1 to F."""
    return running.system.wrench[1 : len(amplitude) + 1] @ amplitude


def node_inputs(running, modes, wheelset, wrench, amplitude):
    """Amplitudes (F, H + L, S) of modal coordinates, loads and moves of the patches of one wheelset; modes: slice of
    the coordinates."""
    count = len(wrench)
    w = running.system.coordinate[1 : count + 1, modes] @ wrench
    own, places = slice(12 * wheelset, 12 * wheelset + 12), slice(8 * wheelset, 8 * wheelset + 8)
    journal = running.system.journal[1 : count + 1, own] @ amplitude
    moves = running.system.patch[1 : count + 1, places] @ amplitude
    return np.concatenate([w, wrench[:, own], journal, moves], axis=1)


def node_densities(waves, spin, grid, amplitude):
    """Densities (2, F, 12) of displacement, acceleration, stress and (2, F) of the equivalent von Mises stress.

    The first axis is rotating, fixed, as in the results of a run.
    """
    turning, turning_mises = turning_density(waves, spin, grid, amplitude)
    answer = fixed_rows(waves, spin, grid) @ amplitude
    fixed = np.sum(np.abs(answer) ** 2, axis=2)
    return np.stack([turning, fixed]), np.stack([turning_mises, equivalent_stress(answer[:, 6:])])
