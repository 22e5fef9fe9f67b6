"""Time derivatives of places, sizes and forces of contact patches, formed in the time loop from its own steps.

A control node in the field of a patch moves as the patch does (`patch_motion`). The derivatives are the differences
of eighth order of `load_rates`, first and second, of what a patch is at its steps before and after. It is followed
from step to step: the patch of a wheel at a step is that of the step beside whose middle lies nearest to its own. One
that lies further off than LEAP is another patch, to which the contact leaps (10 mm in one step between two places that
a worn or conformal pair offers): that is no motion. Where a patch begins or ends it is taken as it was last.

Verified in tests/vehicle/test_patch_rates_verified.py.
"""

import numpy as np

from flexwheel.base.variables import MOVING, PATCH
from flexwheel.numerics.kernels import kernel

COLUMNS = np.array([getattr(PATCH, name) for name in MOVING])
PLACE, LOAD, WIDTH = (MOVING.index(name) for name in ("y_wheel", "normal_force", "half_width"))
LEAP = (
    0.1  # of its half width: further than a patch moves in a step, 1 m/s beside the 0.1 m/s that it has on a rough rail
)
TAPS = 4  # spacings to either side that the differences take


@kernel
def keep_patches(loads, work):
    """Put the patches of the accepted step into the present row of the history; a load of 0 stands for none."""
    if loads.patches.shape[1] == 0:
        return
    row = loads.patches[loads.place[0]]
    for f in range(loads.wheelset.shape[0]):
        w = loads.wheelset[f]
        for side in range(2):
            for p in range(row.shape[2]):
                present = p < work.patch_count[w, side]
                for k in range(row.shape[3]):
                    row[f, side, p, k] = work.patches[w, side, p, COLUMNS[k]] if present else 0.0


@kernel
def form_patch_rates(loads):
    """Derivatives of the patches as they were half a history ago."""
    ring, steps = loads.patches, loads.patches.shape[0]
    if ring.shape[1] == 0:
        return
    middle, reach = steps // 2, loads.weights.shape[1] // 2
    spacing = middle // reach
    for f in range(ring.shape[1]):
        for side in range(2):
            out = loads.patch_rate[f, side]
            for p in range(ring.shape[3]):
                own = ring[(loads.place[0] + 1 + middle) % steps, f, side, p]
                for order in range(2):
                    for k in range(own.shape[0]):
                        out[order, k, p] = loads.weights[order, reach] * own[k]
                if own[LOAD] <= 0.0:
                    continue
                for way in (-1, 1):
                    found, followed = own, True
                    for step in range(1, TAPS * spacing + 1):
                        if followed:
                            beside = ring[(loads.place[0] + 1 + middle + way * step) % steps, f, side]
                            q = nearest(beside, found[PLACE])
                            followed = q >= 0 and abs(beside[q, PLACE] - found[PLACE]) <= LEAP * found[WIDTH]
                            if followed:
                                found = beside[q]
                        if step % spacing == 0:
                            tap = reach + way * (step // spacing)
                            for order in range(2):
                                for k in range(own.shape[0]):
                                    out[order, k, p] += loads.weights[order, tap] * found[k]


@kernel
def nearest(patches, place):
    """Number of the patch that bears a load nearest to a place on the wheel profile; -1: none bears one."""
    best, found = np.inf, -1
    for q in range(patches.shape[0]):
        if patches[q, LOAD] > 0.0 and abs(patches[q, PLACE] - place) < best:
            best, found = abs(patches[q, PLACE] - place), q
    return found
