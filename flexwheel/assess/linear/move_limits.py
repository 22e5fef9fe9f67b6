"""Up to where the moves of a contact patch may be taken linear at a control node in its field."""

import numpy as np

from flexwheel.assess.linear.bands import band_rms
from flexwheel.assess.linear.lines import turning_lines
from flexwheel.assess.linear.near_waves import MOVES
from flexwheel.assess.linear.response_solution import node_densities
from flexwheel.body.tread_field import way_along
from flexwheel.numerics.spectra import band_edges
from flexwheel.run.valid_bands import MOST_MOVE, MOVE_DB
from flexwheel.vehicle.patch_loads import HALF_LENGTH, HALF_WIDTH, X, Y, placed

BOTH = 2 * len(MOVES)  # last of the inputs of NodeWaves


def rms_moves(grid, amplitude, lines):
    """Root-mean-square (8,) [m] of moves of the patches: amplitudes (F, H + L + 8, S) of a density, lines (K, ...)."""
    step = grid[1] - grid[0]
    random = step * np.sum(np.abs(amplitude[:, -BOTH:]) ** 2, axis=(0, 2))
    return np.sqrt(random + 0.5 * np.sum(np.abs(lines[1:, -BOTH:]) ** 2, axis=0))


def relative_move(body, node, standing, moves):
    """(2,) rms moves of the patch over the way [m] in which its field changes, for a node that turns and the fixed
    point; 0 out of its field.

    The fixed point has an edge of the patch at some distance, where the second derivative of the field jumps. The node
    that turns meets waves longer than the patch in the bands of a response: the way is the patch's half width.

    Parameters
    ----------
    standing : StandingPatches
    moves : (8,) [m]             `rms_moves`
    """
    found = np.flatnonzero(body.near.node == node)
    if not len(found):
        return np.zeros(2)
    k, w = found[0], body.near.tread[found[0]]
    tread = body.treads[w]
    patch = placed(tread, standing.heaviest(w))
    y = way_along(tread, body.control.position[node, 1]) - patch[Y]
    angle = tread.angle[body.control.home[node]]
    x = -tread.radius * (np.mod(angle + np.pi, 2.0 * np.pi) - np.pi) - patch[X]
    round_it = np.linspace(0.0, 2.0 * np.pi, 720)
    edge = patch[HALF_LENGTH] * np.cos(round_it) - x, patch[HALF_WIDTH] * np.sin(round_it) - y
    away = np.min(np.sqrt(edge[0] ** 2 + edge[1] ** 2 + body.near.depth[k] ** 2))
    rms = np.linalg.norm(moves[4 * w : 4 * w + 4])
    return rms / np.maximum([patch[HALF_WIDTH], away], 1e-12)


def node_spectra(relative, waves, spin, random, lines, centre):
    """Density (2, F, 12), that of the equivalent stress (2, F) and lines in bands (2, B, 12) of a node, turning and
    fixed; and frequencies (2,) [Hz] to which they hold in spite of moves of the patch.

    These are inf where moves are within MOST_MOVE, and where no band is changed by more than MOVE_DB if moves are left
    out. Where they are larger they are left out of the turning node: what is linear in them has no bound, a field has.

    Parameters
    ----------
    relative : (2,)       of `relative_move`
    waves : NodeWaves
    random : grid (F,), amplitudes (F, H + L + 8, S)
    lines : frequency (K,), amplitudes (K, H + L + 8)
    centre : (B,) [Hz]    of the bands
    """
    density, mises = node_densities(waves, spin, *random)
    line, holds = turning_lines(waves, spin, lines, centre), np.full(2, np.inf)
    if np.all(relative <= MOST_MOVE):
        return density, mises, line, holds
    (grid, amplitude), (frequency, steady) = random, lines
    still = np.arange(amplitude.shape[1]) < amplitude.shape[1] - BOTH
    at_rest = (
        *node_densities(waves, spin, grid, amplitude * still[:, None]),
        turning_lines(waves, spin, (frequency, steady * still), centre),
    )
    for p in np.flatnonzero(relative > MOST_MOVE):
        moved, without = (
            band_rms(grid, d[p], centre) ** 2 + at[p] ** 2 + 1e-300
            for d, at in ((density, line), (at_rest[0], at_rest[2]))
        )
        changed = np.any(np.abs(10.0 * np.log10(moved / without)) > MOVE_DB, axis=1)
        if changed.any():
            holds[p] = band_edges(centre)[0][np.argmax(changed)]
    if relative[0] > MOST_MOVE:
        for own, other in zip((density, mises, line), at_rest, strict=True):
            own[0] = other[0]
    return density, mises, line, holds
