"""First-touch points of a wheel on a rail: every separate region where the undeformed bodies overlap."""

from numba import njit

from flexwheel.contact.gap import penetration

_FIELD_LOW, _FIELD_HIGH = -1.0, 1.0  # [m] beyond any profile
_BLEND = 0.15  # of the depth
_HALVINGS = 4  # of the sampling step, to bracket a peak
_NEAR = 2e-5  # [m] a sampled peak this far from touching is still refined


@njit(cache=True, error_model="numpy")
def find_peaks(wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, peaks, heights, sampled):
    """Local maxima of the penetration that are positive.

    Parameters
    ----------
    wheel ... inverse_step   of ContactTables
    pose : Pose
    step : float [m]         of the sampled depth
    coarse : (n,) [m]        sampled depth
    peaks : (m,) [m]         out: wheel lateral coordinate of each peak, ascending
    heights : (m,) [m]       out: depth there
    sampled : (m,) [m]       out: largest sampled depth of each peak

    Returns
    -------
    int                      number of peaks; m + 1 when there are more than fit
    """
    count = 0
    for i in range(1, coarse.size - 1):
        if coarse[i] < -_NEAR or coarse[i] <= coarse[i - 1] or coarse[i] < coarse[i + 1]:
            continue
        eta, near = wheel_start + i * step, step
        left, here, right = coarse[i - 1], coarse[i], coarse[i + 1]
        for _ in range(_HALVINGS):
            near *= 0.5
            lower = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta - near)[0]
            upper = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta + near)[0]
            if lower > here and lower >= upper:
                here, right, eta = lower, here, eta - near
            elif upper > here:
                here, left, eta = upper, here, eta + near
            else:
                left, right = lower, upper
        eta += _vertex(left, here, right, near)
        height = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta)[0]
        if height <= 0.0:
            continue
        if count == peaks.size:
            return count + 1
        peaks[count] = eta
        heights[count] = height
        sampled[count] = coarse[i]
        count += 1
    return count


@njit(cache=True, inline="always")
def _vertex(left, middle, right, step):
    """Offset of the vertex of the parabola through three equidistant values, within one step."""
    bend = left - 2.0 * middle + right
    if bend >= 0.0:
        return 0.0
    return max(-step, min(step, 0.5 * step * (left - right) / bend))


@njit(cache=True, error_model="numpy")
def _saddle(start, step, coarse, left, right):
    """Lowest sampled depth between two lateral coordinates, and where a parabola through it has its vertex."""
    first = int((left - start) / step) + 1
    last = int((right - start) / step)
    low = first
    for i in range(first, last + 1):
        if coarse[i] < coarse[low]:
            low = i
    eta = start + low * step
    if low <= 0 or low >= coarse.size - 1:
        return coarse[low], eta
    shift = _vertex(-coarse[low - 1], -coarse[low], -coarse[low + 1], step)
    return coarse[low], min(max(eta + shift, left), right)


@njit(cache=True, error_model="numpy")
def separate_regions(start, step, coarse, peaks, heights, sampled, count, saddles, regions):
    """Group first-touch points into patches.

    Two neighbouring points share a patch when the penetration between them stays above half of the deeper one.
    Around that limit (`_BLEND` of the depth) both readings are taken, each with its share, and a shallow point
    that hardly stands out from a deeper neighbour's flank fades, so that forces stay continuous.

    Parameters
    ----------
    start, step : float [m]    of the sampled depth
    coarse : (n,) [m]          sampled depth
    peaks, heights, sampled : (m,) [m]  from find_peaks
    count : int                peaks found
    saddles : (m, 2) [m]       scratch: depth and position of the saddle after each peak
    regions : (k, 5)           out: first-touch point, depth, range low and high [m], share [-]

    Returns
    -------
    int                        regions
    """
    for k in range(count - 1):
        saddles[k, 0], saddles[k, 1] = _saddle(start, step, coarse, peaks[k], peaks[k + 1])
    found = 0
    first = 0
    while first < count:
        last = first
        cut, merged = first, 1.0
        while last + 1 < count:
            joined = (saddles[last, 0] / max(heights[last], heights[last + 1]) - 0.5) / _BLEND
            if joined <= 0.0:
                break
            if joined < merged:
                cut, merged = last, joined
            last += 1
        share = _smooth(merged)
        if share > 0.0:
            found = _append(regions, found, peaks, heights, sampled, saddles, count, first, last, share)
        if share < 1.0:
            found = _append(regions, found, peaks, heights, sampled, saddles, count, first, cut, 1.0 - share)
            found = _append(regions, found, peaks, heights, sampled, saddles, count, cut + 1, last, 1.0 - share)
        first = last + 1
    return found


@njit(cache=True, inline="always")
def _smooth(u):
    """0 below 0, 1 above 1, smooth between."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@njit(cache=True, error_model="numpy")
def _append(regions, found, peaks, heights, sampled, saddles, count, first, last, share):
    """Write the peaks first..last as a region, if there is room and it keeps a share."""
    deepest = first
    for i in range(first, last + 1):
        if heights[i] > heights[deepest]:
            deepest = i
    h, top = heights[deepest], sampled[deepest]
    low, high = _FIELD_LOW, _FIELD_HIGH
    if first > 0:
        low = saddles[first - 1, 1]
        if heights[first - 1] > h:
            share *= _smooth((top - saddles[first - 1, 0]) / (_BLEND * h))
    if last + 1 < count:
        high = saddles[last, 1]
        if heights[last + 1] > h:
            share *= _smooth((top - saddles[last, 0]) / (_BLEND * h))
    if share <= 1e-9 or found >= regions.shape[0]:
        return found
    regions[found, 0] = peaks[deepest]
    regions[found, 1] = h
    regions[found, 2] = low
    regions[found, 3] = high
    regions[found, 4] = share
    return found + 1
