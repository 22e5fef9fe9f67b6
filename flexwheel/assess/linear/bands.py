"""Third-octave values of densities and of lines."""

import numpy as np

from flexwheel.numerics.spectra import band_edges


def band_rms(grid, density, centre):
    """Root-mean-square (B, ...) in bands of a one-sided density (F, ...) on an equally spaced grid; bins that an edge
    cuts count by the part inside."""
    lower, upper = band_edges(centre)
    step = grid[1] - grid[0]
    part = np.clip(
        np.minimum(grid + 0.5 * step, upper[:, None]) - np.maximum(grid - 0.5 * step, lower[:, None]), 0, None
    )
    return np.sqrt(np.tensordot(part, density, axes=(1, 0)))


def line_rms(frequency, amplitude, centre):
    """Root-mean-square (B, ...) in bands of lines of amplitude (K, ...) complex at frequencies (K,) [Hz]."""
    lower, upper = band_edges(centre)
    inside = ((frequency >= lower[:, None]) & (frequency < upper[:, None])).astype(float)
    return np.sqrt(np.tensordot(inside, 0.5 * np.abs(amplitude) ** 2, axes=(1, 0)))
