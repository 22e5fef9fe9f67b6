"""Motion and stress at a control node of a flexible wheelset by frequency, for the fixed point and the node that turns.

In axes that do not turn, the field of a wheelset of revolution is a sum of circumferential orders n. At the fixed point
the rate of the material is s - i n W for a wave exp(i n (alpha - ...)) that the modes' generator J turns by i n; the
node that turns meets the order n with the frequency shifted by n W/2 pi:

    fixed:     x'' = rows (s - J W)^2 w + sum of T_k (s + i k W)^2 F     at f
    turning:   x'' = (2 pi i f')^2 (rows_k w + T_k F)                    at f' = f + k W / 2 pi

T_k are the Fourier coefficients over the angle of the static residual of the truncated modes, F the wrenches at treads
and journals. At a node in the field of the contact patches F is followed by their moves over the profile and changes of
size, T_k by the derivatives of the field of the steady load by them. Orders k of the turning node do not interfere for
a stationary random input: their densities add up.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linear.near_waves import with_moves, with_patch

QUANTITIES = ("displacement", "acceleration", "stress")
CHUNK = 64  # frequencies at a time
SPLIT = {"displacement": slice(0, 3), "acceleration": slice(3, 6), "stress": slice(6, 12)}
"""Rows of a node: displacement and acceleration x, y, z, stress xx yy zz xy yz zx, section axes."""


@dataclass(frozen=True)
class NodeWaves:
    """Of one control node: orders k (K,), what turns by k, and 9 rows (displacement, stress) of each.

    Inputs are the modal coordinates (H) and the loads (L): wrenches on both treads, then on both journals, and where
    the patches are given their moves, `near_waves.MOVES` of both wheels.
    """

    name: str
    order: np.ndarray  # (K,)
    modal: np.ndarray  # (K, 9, H) complex
    load: np.ndarray  # (K, 9, L) complex


def node_waves(body, node, residual=True, patches=None):
    """NodeWaves of a control node of a ReducedBody of revolution.

    patches : StandingPatches, optional   of the wheelset, for a node on or near a running surface
    """
    control = body.control
    home = control.home[node]
    order, vectors = np.linalg.eigh(-1j * body.generator)
    order = np.round(order).astype(int)
    rows = np.concatenate([control.displacement_rows[node, home], control.stress_rows[node, home]])
    tables = [
        np.concatenate([d, s], axis=1).reshape(len(d), 9, -1)
        for d, s in (
            (control.tread_displacement[node], control.tread_stress[node]),
            (control.interface_displacement[node], control.interface_stress[node]),
        )
    ]
    lag = np.concatenate(tables, axis=2)
    if not residual:
        lag = np.zeros_like(lag)
    sections = len(lag)
    waves = np.fft.fft(lag, axis=0) / sections
    place = np.fft.fftfreq(sections, 1.0 / sections).astype(int)
    if sections % 2 == 0:  # the highest order is its own conjugate: half to either sign
        half = waves[sections // 2] / 2.0
        waves[sections // 2] = half
        waves, place = np.concatenate([waves, half[None]]), np.append(place, sections // 2)
    ascending = np.argsort(place)
    place, waves = place[ascending], waves[ascending]
    near = np.flatnonzero(body.near.node == node) if residual else ()
    if patches is not None:
        place, waves = with_patch(body, near[0], patches, place, waves) if len(near) else (place, with_moves(waves))
    waves = waves * np.exp(1j * place * body.treads[0].angle[home])[:, None, None]
    modal = np.zeros((len(place), 9, rows.shape[1]), dtype=complex)
    for i, k in enumerate(place):
        own = vectors[:, order == -k]
        modal[i] = rows @ own @ own.conj().T
    return NodeWaves(control.name[node], place, modal, waves)


def fixed_rows(waves, spin, frequency):
    """Rows (F, 12, H + L) at the fixed point: displacement, acceleration, stress."""
    both = np.concatenate([waves.modal, waves.load], axis=2)
    s, turn = 2j * np.pi * np.asarray(frequency)[:, None, None], 1j * spin * waves.order
    still, rate, square = (np.tensordot(turn**n, both[:, :3], 1) for n in range(3))
    out = np.empty((len(frequency), 12, both.shape[2]), dtype=complex)
    out[:, :3] = still
    out[:, 6:] = both[:, 3:].sum(axis=0)
    out[:, 3:6] = s * s * still + 2.0 * s * rate + square
    return out


def turning_density(waves, spin, grid, amplitude):
    """Density (F, 12) and that of the equivalent von Mises stress (F,) of the node that turns, one-sided.

    Parameters
    ----------
    grid : (F,) [Hz]                   ascending from above 0 in equal steps
    amplitude : (F, H + L, S)          of modal coordinates and loads; the sum of amplitude conj(amplitude) is their
                                       one-sided density
    """
    step = grid[1] - grid[0]
    out, mises = np.zeros((len(grid), 9)), np.zeros(len(grid))
    both = np.concatenate([waves.modal, waves.load], axis=2)
    felt = np.any(both, axis=1)  # (K, H + L): orders of modes feel all, those beyond the mesh's but a patch
    count = felt.sum(axis=1)
    moving, few = np.any(waves.modal, axis=(1, 2)), 2 * count < waves.load.shape[2]
    groups = [
        (waves.order[own], both[own][:, :, used], used)
        for own, used in ((own, np.any(felt[own], axis=0)) for own in (moving, ~moving & ~few, ~moving & few))
        if used.any()
    ]
    for start in range(0, len(grid), CHUNK):
        rows_of = slice(start, start + CHUNK)
        hz = grid[rows_of]
        for orders, rows, part in groups:
            flat = rows.reshape(-1, rows.shape[2])
            answer = (flat @ _fewest_columns(amplitude[rows_of][:, part])).reshape(len(hz), len(orders), 9, -1)
            own = np.sum(answer.real**2 + answer.imag**2, axis=3)
            stress = equivalent_stress(answer[:, :, 3:])
            for i, k in enumerate(orders):
                shifted = hz + k * spin / (2.0 * np.pi)
                below = int(np.searchsorted(shifted, 0.0))
                # what the shift takes below 0 is the negative frequency of the order -k
                for values, target in ((own[:, i], out), (stress[:, i], mises)):
                    if below < len(hz):
                        _spread(values[below:], (shifted[below] - grid[0]) / step, target)
                    if below > 0:
                        _spread(values[:below][::-1], (-shifted[below - 1] - grid[0]) / step, target)
    full = np.empty((len(grid), 12))
    full[:, :3], full[:, 6:] = out[:, :3], out[:, 3:]
    full[:, 3:6] = out[:, :3] * ((2.0 * np.pi * grid) ** 4)[:, None]
    return full, mises


def _fewest_columns(amplitude):
    """Amplitudes (F, R, at most R) of the same density matrix."""
    if amplitude.shape[2] <= amplitude.shape[1]:
        return amplitude
    return np.swapaxes(np.linalg.qr(np.swapaxes(amplitude.conj(), 1, 2), mode="r"), 1, 2).conj()


def equivalent_stress(stress):
    """Density (...) of Preumont's equivalent von Mises stress from amplitudes (..., 6, S), xx yy zz xy yz zx.

    The trace of Q times the density matrix of the stress, Q the form of von Mises: its variance is the mean square of
    the von Mises stress that the dynamic stress alone has.
    Source: Preumont and Piefort 1994, J. Vib. Acoust. 116(3), 245-248.
    """
    normal, shear = stress[..., :3, :], stress[..., 3:, :]
    differences = normal - normal[..., [1, 2, 0], :]
    return 0.5 * _square(differences) + 3.0 * _square(shear)


def _square(x):
    """Sum of the squared magnitudes of x (..., n, S): (...)."""
    return np.sum(x.real**2 + x.imag**2, axis=(-2, -1))


def _spread(values, place, target):
    """Add densities (n, ...) at place, place + 1, ... [grid steps] to the target, each split between its neighbours."""
    lower = int(np.floor(place))
    for first, weight in ((lower, lower + 1.0 - place), (lower + 1, place - lower)):
        begin, end = max(first, 0), min(first + len(values), len(target))
        if begin < end:
            target[begin:end] += weight * values[begin - first : end - first]
