"""First-touch points of a wheel on a rail: every separate region where the undeformed bodies overlap."""

from numba import njit

from flexwheel.contact.gap import penetration

_FIELD_LOW, _FIELD_HIGH = -1.0, 1.0  # [m] beyond any profile
_BLEND = 0.15  # of the depth
_NEAR = 2e-5  # [m] a sampled peak this far from touching is still refined


@njit(cache=True, error_model="numpy")
def find_peaks(tables, pose, every, coarse, peaks, heights):
    """Local maxima of the penetration that are positive.

    Parameters
    ----------
    tables, pose : ContactTables, Pose
    every : int              points of the wheel table per coarse point
    coarse : (n,) [m]        sampled depth
    peaks : (m,) [m]         out: wheel lateral coordinate of each peak, ascending
    heights : (m,) [m]       out: depth there

    Returns
    -------
    int                      number of peaks; m + 1 when there are more than fit
    """
    wheel, rail = tables.wheel, tables.rail
    wheel_start, rail_start, inverse_step = tables.wheel_start, tables.rail_start, tables.inverse_step
    step = every / tables.inverse_step
    count = 0
    for i in range(1, coarse.size - 1):
        if coarse[i] < -_NEAR or coarse[i] <= coarse[i - 1] or coarse[i] < coarse[i + 1]:
            continue
        eta = tables.wheel_start + i * step
        eta += _vertex(coarse[i - 1], coarse[i], coarse[i + 1], step)
        near = 0.25 * step
        left = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta - near)[0]
        here = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta)[0]
        right = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta + near)[0]
        eta += _vertex(left, here, right, near)
        height = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta)[0]
        if height <= 0.0:
            continue
        if count == peaks.size:
            return count + 1
        peaks[count] = eta
        heights[count] = height
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
def saddle(tables, every, coarse, left, right):
    """Lowest sampled depth between two lateral coordinates and its position, refined by a parabola.

    Returns
    -------
    depth, eta : float [m]
    """
    step = every / tables.inverse_step
    first = int((left - tables.wheel_start) / step) + 1
    last = int((right - tables.wheel_start) / step)
    low = first
    for i in range(first, last + 1):
        if coarse[i] < coarse[low]:
            low = i
    eta = tables.wheel_start + low * step
    if low <= 0 or low >= coarse.size - 1:
        return coarse[low], eta
    shift = _vertex(-coarse[low - 1], -coarse[low], -coarse[low + 1], step)
    slope = 0.5 * (coarse[low + 1] - coarse[low - 1]) / step
    return coarse[low] + 0.5 * slope * shift, min(max(eta + shift, left), right)


@njit(cache=True, error_model="numpy")
def separate_regions(tables, every, coarse, peaks, heights, count, regions):
    """Group first-touch points into patches.

    Two neighbouring points share a patch when the penetration between them stays above half of the deeper one.
    Around that limit (`_BLEND` of the depth) both readings are taken, each with its share, and a shallow point
    that hardly stands out from its neighbour's flank fades, so that forces stay continuous.

    Parameters
    ----------
    peaks, heights : (m,) [m]  from find_peaks
    count : int                peaks found
    regions : (k, 5)           out: first-touch point, depth, range low and high [m], share [-]

    Returns
    -------
    int                        regions; more than k when they do not fit
    """
    found = 0
    first = 0
    while first < count:
        # grow a group of peaks joined by high saddles; remember its lowest blended saddle
        last = first
        low_edge = _FIELD_LOW
        if first > 0:
            low_edge = saddle(tables, every, coarse, peaks[first - 1], peaks[first])[1]
        cut, cut_at, merged = -1, 0.0, 1.0
        while last + 1 < count:
            depth, at = saddle(tables, every, coarse, peaks[last], peaks[last + 1])
            deep = max(heights[last], heights[last + 1])
            joined = (depth / deep - 0.5) / _BLEND
            if joined <= 0.0:
                break
            if joined < merged:
                cut, cut_at, merged = last, at, joined
            last += 1
        high_edge = _FIELD_HIGH
        if last + 1 < count:
            high_edge = saddle(tables, every, coarse, peaks[last], peaks[last + 1])[1]
        share = merged * merged * (3.0 - 2.0 * merged)
        found = _append(regions, found, peaks, heights, first, last, low_edge, high_edge, share)
        if share < 1.0:
            found = _append(regions, found, peaks, heights, first, cut, low_edge, cut_at, 1.0 - share)
            found = _append(regions, found, peaks, heights, cut + 1, last, cut_at, high_edge, 1.0 - share)
        elif first == last and count > 1:
            regions[found - 1, 4] *= _prominence(tables, every, coarse, peaks, heights, first, count)
        first = last + 1
    return min(found, regions.shape[0])


@njit(cache=True, inline="always")
def _append(regions, found, peaks, heights, first, last, low, high, share):
    """Write the group first..last as a region, if there is room."""
    if found >= regions.shape[0]:
        return found
    deepest = first
    for i in range(first, last + 1):
        if heights[i] > heights[deepest]:
            deepest = i
    regions[found, 0] = peaks[deepest]
    regions[found, 1] = heights[deepest]
    regions[found, 2] = low
    regions[found, 3] = high
    regions[found, 4] = share
    return found + 1


@njit(cache=True, error_model="numpy")
def _prominence(tables, every, coarse, peaks, heights, i, count):
    """Share of a single peak: 0 where it merges into a deeper neighbour's flank, 1 where it stands out."""
    share = 1.0
    for neighbour in (i - 1, i + 1):
        if neighbour < 0 or neighbour >= count or heights[neighbour] <= heights[i]:
            continue
        left, right = min(i, neighbour), max(i, neighbour)
        depth = saddle(tables, every, coarse, peaks[left], peaks[right])[0]
        u = min(max((1.0 - depth / heights[i]) / _BLEND, 0.0), 1.0)
        share *= u * u * (3.0 - 2.0 * u)
    return share
