"""GRID with samples so close that closer ones find the same minima."""

from flexwheel.contact.detection.grid import grid_minima
from flexwheel.numerics.kernels import kernel

_SAME = 1e-4  # [m]


@kernel
def converged_grid_minima(tables, pose, step, least, normal, places, depths, earlier):
    """Local minima by GRID, halving the samples' distance until two answers in a row are the same.

    Parameters
    ----------
    step, least : float [m]   first distance of samples and the smallest tried
    normal : bool             as in `grid_minima`
    places, depths : (m,) [m] out
    earlier : (m,) [m]        scratch

    Returns
    -------
    int                       number of minima; m + 1 when there are more than fit
    step : float [m]          of the last answer
    """
    before = grid_minima(tables, pose, step, normal, places, depths)
    while step > least:
        for k in range(places.size):
            earlier[k] = places[k]
        step *= 0.5
        count = grid_minima(tables, pose, step, normal, places, depths)
        same = count == before
        for k in range(min(count, places.size)):
            same = same and abs(places[k] - earlier[k]) < _SAME
        if same:
            break
        before = count
    return before, step
