"""First-touch points of a wheel on a rail: every separate region where the undeformed bodies overlap."""

from numba import njit

from flexwheel.contact.gap import FAST, penetration

_FIELD_LOW, _FIELD_HIGH = -1.0, 1.0  # [m] beyond any profile
_BLEND = 0.15  # of the depth
_HALVINGS = 4  # of the sampling step, to bracket a peak
_NEAR = 2e-5  # [m] a sampled peak this far from touching is still refined


@njit(cache=True, fastmath=FAST, error_model="numpy")
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


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _vertex(left, middle, right, step):
    """Offset of the vertex of the parabola through three equidistant values, within one step."""
    bend = left - 2.0 * middle + right
    if bend >= 0.0:
        return 0.0
    return max(-step, min(step, 0.5 * step * (left - right) / bend))


@njit(cache=True, fastmath=FAST, error_model="numpy")
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


@njit(cache=True, fastmath=FAST, error_model="numpy")
def separate_regions(start, step, coarse, peaks, heights, sampled, count, saddles, regions):
    """Group first-touch points into patches.

    Two neighbouring points share a patch when the penetration between them stays above half of the deeper one.
    Around that limit, and where a point hardly stands out from its neighbour's flank (both within `_BLEND` of the
    depth), both readings are taken, each with its share, so that forces stay continuous.

    Parameters
    ----------
    start, step : float [m]    of the sampled depth
    coarse : (n,) [m]          sampled depth
    peaks, heights, sampled : (m,) [m]  from find_peaks
    count : int                peaks found
    saddles : (m, 2) [m]       scratch: depth and position of the saddle after each peak
    regions : (k, 7)           out: first-touch point, depth, range low and high [m], share [-], first and last peak

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
        cut, apart = first, 0.0
        while last + 1 < count:
            separate = _separation(heights, sampled, saddles[last, 0], last)
            if separate >= 1.0:
                break
            if separate > apart:
                cut, apart = last, separate
            last += 1
        if apart < 1.0:
            found = _append(regions, found, peaks, heights, saddles, count, first, last, 1.0 - apart)
        if apart > 0.0:
            found = _append(regions, found, peaks, heights, saddles, count, first, cut, apart)
            found = _append(regions, found, peaks, heights, saddles, count, cut + 1, last, apart)
        first = last + 1
    return found


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _smooth(u):
    """0 below 0, 1 above 1, smooth between."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _separation(heights, sampled, saddle, k):
    """1 where peaks k and k + 1 are patches of their own, 0 where they share one, smooth between.

    They are apart when the saddle is below half of the deeper one and the shallower one stands out from it.
    """
    shallow = min(heights[k], heights[k + 1])
    deep = max(heights[k], heights[k + 1])
    low = _smooth((0.5 + _BLEND - saddle / deep) / _BLEND)
    out = _smooth((min(sampled[k], sampled[k + 1]) - saddle) / (_BLEND * shallow))
    return low * out


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _append(regions, found, peaks, heights, saddles, count, first, last, share):
    """Write the peaks first..last as a region, if there is room."""
    if found >= regions.shape[0]:
        return found
    deepest = first
    for i in range(first, last + 1):
        if heights[i] > heights[deepest]:
            deepest = i
    regions[found, 0] = peaks[deepest]
    regions[found, 1] = heights[deepest]
    regions[found, 2] = saddles[first - 1, 1] if first > 0 else _FIELD_LOW
    regions[found, 3] = saddles[last, 1] if last + 1 < count else _FIELD_HIGH
    regions[found, 4] = share
    regions[found, 5] = first
    regions[found, 6] = last
    return found + 1
