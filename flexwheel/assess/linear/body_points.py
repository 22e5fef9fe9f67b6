"""Spectra at attachments and control nodes of flexible bodies that do not spin.

Their equations are linear about straight running as they stand: x = rows q, acceleration s^2 (rigid motion + rows q),
and what gravity adds to the axes of a body that pitches and rolls, as an accelerometer there measures it.
"""

import numpy as np

from flexwheel.assess.linear.bands import band_rms, line_rms
from flexwheel.base.gravity import GRAVITY
from flexwheel.body.rigid_motion import rigid_modes

QUANTITIES = {"displacement": slice(0, 3), "acceleration": slice(3, 6), "stress": slice(6, 12)}
RIGID = (0, 1, 2, 5, 3, 4)
"""Columns of `rigid_modes` of the first coordinates of a body: x, y, z, yaw, roll, pitch."""
CHUNK = 256  # frequencies at a time


def body_point_spectra(running, assembly, random, lines, centre):
    """Arrays of `response_dataset.VARIABLES` of all body points, and their names.

    Parameters
    ----------
    random : grid (F,) [Hz], wrenches (F, 6 W2, S)
    lines : SteadyLines
    centre : (B,) [Hz]    of the bands
    """
    grid, wrench = random
    names, densities, bands = [], [], []
    for unit in assembly.flexible.unit:
        own = slice(*assembly.units.offset[unit : unit + 2])
        body = assembly.body_specs[unit].flexible
        still, moving = point_rows(body)
        names += [f"{body.name} {place}" for place in body.place_name]
        found = []
        for start in range(0, len(grid), CHUNK):
            at = slice(start, start + CHUNK)
            q = running.system.coordinate[1 + start : 1 + start + len(grid[at]), own] @ wrench[at]
            found.append(np.sum(np.abs(_answer(still, moving, grid[at], q)) ** 2, axis=3))
        densities.append(np.concatenate(found))
        hz = lines.frequency[1:]
        steady = np.einsum("kab,kb->ka", running.system.coordinate[lines.index[1:]][:, own], lines.wrench[1:])
        bands.append(line_rms(hz, _answer(still, moving, hz, steady[..., None])[..., 0], centre))
        stressless = np.arange(len(body.place_name)) < body.attachments
        densities[-1][:, stressless, 6:] = bands[-1][:, stressless, 6:] = np.nan
    if not names:
        return {}, []
    density, line = np.concatenate(densities, axis=1), np.concatenate(bands, axis=1)
    arrays = {}
    for quantity, rows in QUANTITIES.items():
        arrays[f"body_point_{quantity}_density"] = density[..., rows]
        arrays[f"body_point_{quantity}_band"] = band_rms(grid, density[..., rows], centre)
        arrays[f"body_point_{quantity}_line_band"] = line[..., rows]
    return arrays, names


def point_rows(body):
    """Rows (A, 12, N) of a FlexibleBody's coordinates, those at rest and those of its accelerations."""
    count, h = len(body.place), len(body.frequency_hz)
    still, moving = np.zeros((2, count, 12, 6 + h))
    still[:, :3, 6:] = body.place_rows[:, :3]
    still[body.attachments :, 6:, 6:] = body.stress_rows
    still[:, 3, 5], still[:, 4, 4] = -GRAVITY, GRAVITY
    moving[:, 3:6, :6] = rigid_modes(body.place).reshape(count, 3, 6)[:, :, RIGID]
    moving[:, 3:6, 6:] = body.place_rows[:, :3]
    return still, moving


def _answer(still, moving, hz, q):
    """Amplitudes (F, A, 12, S) of coordinates (F, N, S)."""
    rate = -((2.0 * np.pi * hz) ** 2)[:, None, None, None]
    return np.einsum("arn,fns->fars", still, q, optimize=True) + rate * np.einsum(
        "arn,fns->fars", moving, q, optimize=True
    )
