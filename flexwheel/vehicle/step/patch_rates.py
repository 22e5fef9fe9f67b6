"""Time derivatives of places, sizes and forces of contact patches, formed in the time loop from its own steps.

A control node in the field of a patch moves as the patch does (`patch_motion`). The derivatives are the differences
of eighth order of `load_rates`, first and second, of what a patch is at steps before and after, times a low-pass: what
iterations leave moves a patch by some um from step to step, which its acceleration must not show. It is maximally flat,
a polynomial in cos^2(w h/2): 1 to the order 12 at 0, 0 to the order 6 at half the sampling (5 kHz). The first
derivative is 0.004 dB low at 1.25 kHz, 0.3 dB at 2 kHz.

A patch is followed from step to step: the patch of a wheel at a step is that of the step beside whose middle lies
nearest to its own. One whose middle lies within another is one with it: a region that splits or merges is told as both
(`contact/wheel_rail.py`). One that lies further off than LEAP is another patch, to which the contact leaps (10 mm in
one step to three between two places that a conformal pair offers): that is no motion. Where a patch begins or ends it
is taken as it was last.

Source of the low-pass: Herrmann 1971, IEEE Transactions on Circuit Theory 18, 411-413.
Verified in tests/vehicle/test_patch_rates_verified.py.
"""

from math import comb

import numpy as np

from flexwheel.base.variables import MOVING, PATCH
from flexwheel.numerics.kernels import kernel

COLUMNS = np.array([getattr(PATCH, name) for name in MOVING])
PLACE, LOAD, WIDTH, CREEP = (MOVING.index(name) for name in ("y_wheel", "normal_force", "half_width", "force_y"))
LEAP = 0.1  # of its half width in 0.1 ms; on a rough rail it moves by some 10 um; half and twice as much: 1e-4 dB
WITHIN = 0.5  # of the larger half width
FLAT, STOP = 6, 3  # half the orders of the low-pass at 0 and at half the sampling


def low_pass():
    """(17,) weights of the low-pass."""
    shift = np.array([0.25, 0.5, 0.25]), np.array([-0.25, 0.5, -0.25])  # cos^2(w h/2), sin^2(w h/2)

    def power(row, n):
        return np.ones(1) if n == 0 else np.convolve(power(row, n - 1), row)

    out = np.zeros(2 * (FLAT + STOP) - 1)
    for k in range(FLAT):
        row = comb(STOP + k - 1, k) * np.convolve(power(shift[0], STOP), power(shift[1], k))
        out += np.pad(row, (len(out) - len(row)) // 2)
    return out


@kernel
def keep_patches(loads, work):
    """Put the patches of the accepted step into the present row of the history, behind them a load below 0; a load of
    0 is another patch's."""
    for n in range(loads.near.shape[0]):
        f, side, row = loads.near[n, 0], loads.near[n, 1], loads.patches[n, loads.place[0]]
        w = loads.wheelset[f]
        count = min(work.patch_count[w, side], row.shape[0])
        for p in range(count):
            for k in range(row.shape[1]):
                row[p, k] = work.patches[w, side, p, COLUMNS[k]]
            for q in range(p):
                join(row[p], row[q])
        if count < row.shape[0]:
            row[count, LOAD] = -1.0


@kernel
def join(one, other):
    """Two patches of which one lies within the other, readings of zones that merge, are one: loads add, else means."""
    load, apart = one[LOAD] + other[LOAD], abs(one[PLACE] - other[PLACE])
    if min(one[LOAD], other[LOAD]) > 0.0 and apart <= WITHIN * max(one[WIDTH], other[WIDTH]):
        if other[LOAD] > one[LOAD]:
            one, other = other, one
        for k in range(one.shape[0]):
            if k == LOAD or k == CREEP:
                one[k] += other[k]
            else:
                one[k] += (other[k] - one[k]) * (other[LOAD] / load)
        other[LOAD], other[CREEP] = 0.0, 0.0


@kernel
def form_patch_rates(loads):
    """Derivatives of the patches as they were half a history ago."""
    steps, reach = loads.patches.shape[1], loads.patch_weights.shape[1] // 2
    middle, spacing = steps // 2, steps // (2 * reach)
    for n in range(loads.near.shape[0]):
        ring, out = loads.patches[n], loads.patch_rate[loads.near[n, 0], loads.near[n, 1]]
        out[:] = 0.0
        patches = ring[(loads.place[0] + 1 + middle) % steps]
        for p in range(patches.shape[0]):
            own = patches[p]
            if own[LOAD] < 0.0:
                break
            if own[LOAD] == 0.0:
                continue
            for order in range(2):
                for k in range(own.shape[0]):
                    out[order, k, p] = loads.patch_weights[order, reach] * own[k]
            for way in (-1, 1):
                found, followed = own, True
                for step in range(1, reach * spacing + 1):
                    if followed:
                        beside = ring[(loads.place[0] + 1 + middle + way * step) % steps]
                        q = nearest(beside, found[PLACE])
                        followed = q >= 0 and abs(beside[q, PLACE] - found[PLACE]) <= LEAP * found[WIDTH] / spacing
                        if followed:
                            found = beside[q]
                    if step % spacing == 0:
                        tap = reach + way * (step // spacing)
                        for order in range(2):
                            for k in range(own.shape[0]):
                                out[order, k, p] += loads.patch_weights[order, tap] * found[k]


@kernel
def nearest(patches, place):
    """Number of the patch that bears a load nearest to a place on the wheel profile; -1: none bears one."""
    best, found = np.inf, -1
    for q in range(patches.shape[0]):
        if patches[q, LOAD] < 0.0:
            break
        if patches[q, LOAD] > 0.0 and abs(patches[q, PLACE] - place) < best:
            best, found = abs(patches[q, PLACE] - place), q
    return found
