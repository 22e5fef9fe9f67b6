"""The vehicle on the moving-load rails: harmonics of the sleeper passing, coupled exactly within a chosen number.

An input of the frequency w moves wheels and rails at w + m w_s, w_s the passing frequency of the sleepers. With the
head forces R_m of all wheels and the receptances H of rails under moving loads (`moving_receptance`)

    e_m = sum over k of H_(m-k)(w + k w_s) R_k,     R_m = T_e e_m + T_v e_mat,m + T_r r_m      at w + m w_s.

At negative frequencies everything is the conjugate of itself at positive ones.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linear.moving_receptance import MovingReceptance


@dataclass(frozen=True)
class WheelPlaces:
    """Where wheels touch the rails: position (W,) [m] of the wheelsets along the vehicle, forward positive."""

    position: np.ndarray

    @property
    def count(self):
        """Wheels, left before right of each wheelset."""
        return 2 * len(self.position)

    def distances(self):
        """Distinct distances [m] of response from load."""
        return np.unique(np.round(np.subtract.outer(self.position, self.position), 6))


def rail_coupling(rail: MovingReceptance, places: WheelPlaces, bay):
    """Receptances (2, M, F, 4 W2, 4 W2) of all wheels' rail heads, displacement and material velocity."""
    w = len(places.position)
    count = places.count
    out = np.zeros((2, len(rail.harmonics), len(rail.frequency), count, 4, count, 4), dtype=complex)
    turn = np.exp(2j * np.pi * np.outer(places.position / bay, rail.harmonics))  # (W, M)
    for r in range(w):
        for load in range(w):
            d = int(np.argmin(np.abs(rail.distance - (places.position[r] - places.position[load]))))
            for q, table in enumerate((rail.displacement, rail.velocity)):
                for side in range(2):
                    out[q, :, :, 2 * r + side, :, 2 * load + side] = table[d] * turn[r, :, None, None, None]
    return out.reshape(*out.shape[:3], 4 * count, 4 * count)


def solve_harmonics(system, coupling, parts, index, drive):
    """Motion of the rails and input of the wheels, as inputs u of the ContactSystem, at every harmonic.

    Parameters
    ----------
    system : ContactSystem                    on the grid i * step, i = 0, 1, ...
    coupling : (2, M, F, 4 W2, 4 W2)          of `rail_coupling`, on the same grid
    parts : int                               grid steps in the passing frequency
    index : (B,) int                          of the inputs' frequencies
    drive : (B, D, 10 W2, K)                  what is imposed at each harmonic besides the rails' own answer; D odd, the
                                              middle one is the input's own frequency

    Returns
    -------
    inputs : (B, D, 10 W2, K)
    """
    reach, most, heads = coupling.shape[1] // 2, drive.shape[1] // 2, coupling.shape[3]
    harmonics = np.arange(-most, most + 1)
    place = np.asarray(index)[:, None] + harmonics * parts  # (B, D)
    known = np.abs(place) < len(system.frequency)
    place = np.where(known, place, 0)
    blocks, count = place.shape
    answer = np.zeros((2, blocks, count, heads, count, heads), dtype=complex)
    for k in range(count):
        for i in range(count):
            h = i - k
            if abs(h) <= reach:
                column = coupling[:, np.where(place[:, k] >= 0, reach + h, reach - h), np.abs(place[:, k])]
                column = np.where((place[:, k] >= 0)[:, None, None], column, column.conj())
                both = known[:, k] & known[:, i]
                answer[:, :, i, :, k] = column * both[:, None, None]
    own = system.head_force[np.abs(place)]
    own = np.where((place >= 0)[:, :, None, None], own, own.conj())  # (B, D, heads, U)
    answer = answer.reshape(2, blocks, count, heads, -1)
    loop = own[..., :heads] @ answer[0] + own[..., heads : 2 * heads] @ answer[1]
    size = count * heads
    force = np.linalg.solve(np.eye(size) - loop.reshape(-1, size, size), (own @ drive).reshape(blocks, size, -1))
    moved = answer.reshape(2, blocks, size, size) @ force
    inputs = np.array(drive, dtype=complex)
    inputs[:, :, :heads] += moved[0].reshape(blocks, count, heads, -1)
    inputs[:, :, heads : 2 * heads] += moved[1].reshape(blocks, count, heads, -1)
    return inputs * known[:, :, None, None]
