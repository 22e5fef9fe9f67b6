"""Displacement and stress on the surface of a reduced body (`surface.SurfaceModes`), for pictures and files."""

import numpy as np

from flexwheel.body.stress import von_mises

AMPLITUDE_SHARE = 0.06  # largest drawn displacement over the largest dimension, when no factor is given


def deformation(surface, coordinates, loads=None):
    """Displacement (..., Ns, 3) [m] of modal coordinates (..., H), with the static residual of loads (..., K)."""
    displacement = np.tensordot(coordinates, surface.rows, (-1, -1))
    if loads is not None and surface.load_displacement is not None:
        displacement = displacement + np.tensordot(loads, surface.load_displacement, (-1, -1))
    return displacement


def stress_tensor(surface, coordinates, loads=None):
    """Stress (..., Ns, 6) [Pa], components xx yy zz xy yz zx; None where the surface carries no stress rows."""
    if surface.stress_rows is None:
        return None
    stress = np.tensordot(coordinates, surface.stress_rows, (-1, -1))
    if loads is not None and surface.load_stress is not None:
        stress = stress + np.tensordot(loads, surface.load_stress, (-1, -1))
    return stress if surface.prestress is None else stress + surface.prestress


def surface_stress(surface, coordinates, loads=None):
    """Von Mises stress (..., Ns) [Pa]; None where the surface carries no stress rows."""
    stress = stress_tensor(surface, coordinates, loads)
    return None if stress is None else von_mises(stress)


def fitting_factor(surface, displacement):
    """Magnification that makes the largest displacement AMPLITUDE_SHARE of the body, rounded to 1, 2 or 5."""
    largest = float(np.abs(displacement).max())
    if largest == 0.0:
        return 1.0
    factor = AMPLITUDE_SHARE * float(np.ptp(surface.position, axis=0).max()) / largest
    power = 10.0 ** np.floor(np.log10(factor))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= factor))
