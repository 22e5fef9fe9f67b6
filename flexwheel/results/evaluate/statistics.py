"""Figures of a run: forces, derailment quotient and sum Y over the samples that count, and what was left out."""

from dataclasses import dataclass
from tempfile import TemporaryFile

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.results.evaluate.en14363 import (
    HISTORIES,
    MEAN_LENGTH,
    PERCENTILES,
    factor_words,
    filter_length,
    safety_quantities,
    static_load,
)
from flexwheel.results.evaluate.span import nothing_left, sample_step, settled_rows, settling_of

LEAST_SAMPLES = int(np.ceil(100.0 / (100.0 - PERCENTILES[-1])))
"""A 99.85 % value of fewer samples would be their largest one."""
BLOCK, AT_ONCE = 2**14, 2**18  # samples that are held at once: of all that is needed, of the lateral forces
REACHES = 5  # lengths of the filter around a block


@dataclass(frozen=True)
class RunStatistics:
    """Statistics of one run, N and N/N, over first_s to last_s."""

    first_s: float  # [s]
    last_s: float  # [s]
    settling_s: float  # [s] left out at the start
    vertical_mean: np.ndarray  # (wheel,) Q [N], 20 Hz
    vertical_max: np.ndarray  # (wheel,) [N]
    lateral_percentiles: np.ndarray  # (3, wheel) Y [N], 20 Hz: 0.15, 50, 99.85 %
    quotient_max: np.ndarray  # (wheel,) |Y/Q|, 2 m mean
    sum_lateral_max: np.ndarray  # (wheelset,) |sum Y| [N], 2 m mean
    sum_lateral_limit: np.ndarray  # (wheelset,) [N]
    limit_words: str  # what the limit rests on

    @property
    def span_words(self):
        """The span and what was left out, in a line."""
        return (
            f"{self.first_s:.2f} to {self.last_s:.2f} s (left out: {self.settling_s:.2f} s of settling, and "
            "both ends, where filter and sliding mean have no full support)"
        )


def run_statistics(results):
    """RunStatistics of a result Dataset, in memory or on the disk: one block of samples after the other.

    Raises
    ------
    FlexwheelError  when too little of the run is left after settling and filter ends; see also `safety_quantities`
    """
    times, sums, largest, count = [], [], [], 0
    with TemporaryFile() as lateral:
        for quantities in evaluated_blocks(results):
            rows = quantities.evaluated
            if np.any(rows):
                vertical = quantities.vertical[rows]
                sizes = vertical, np.abs(quantities.derailment_quotient[rows]), np.abs(quantities.sum_lateral[rows])
                times += quantities.time[rows][[0, -1]].tolist()
                sums.append(vertical.sum(axis=0))
                largest.append([size.max(axis=0) for size in sizes])
                quantities.lateral[rows].tofile(lateral)
                count += len(vertical)
        if count < LEAST_SAMPLES:
            raise FlexwheelError(
                f"no statistics: {count} samples, {count * sample_step(results):.3g} s, of a run to "
                f"{float(results.time[-1]):g} s are left after {settling_of(results):.3g} s of settling and the ends "
                f"of filter and mean, expected {LEAST_SAMPLES} at least; lengthen the run, or set run.settling_s or "
                "run.output_step_s"
            )
        vertical_max, quotient_max, sum_lateral_max = (np.max(sizes, axis=0) for sizes in zip(*largest, strict=True))
        return RunStatistics(
            first_s=times[0],
            last_s=times[-1],
            settling_s=settling_of(results),
            vertical_mean=np.sum(sums, axis=0) / count,
            vertical_max=vertical_max,
            lateral_percentiles=stored_percentiles(lateral, count, len(vertical_max)),
            quotient_max=quotient_max,
            sum_lateral_max=sum_lateral_max,
            sum_lateral_limit=quantities.sum_lateral_limit,
            limit_words=factor_words(quantities),
        )


def evaluated_blocks(results):
    """SafetyQuantities of the samples, block after block, as the whole run has them.

    What lies around a block is taken along as far as filter and mean reach, and left out again: beyond REACHES lengths
    of the filter a sample counts 1e-20.
    """
    count, load = results.sizes["time"], static_load(results)
    if count < 2:
        raise FlexwheelError(f"statistics need two samples or more, got {count}")
    results = results.drop_vars(set(results.data_vars) - {"wheel_force", "body_position"})  # cutting all takes longer
    place = results.body_position.sel(body=str(results.wheelset.values[0]), path="s")
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        around = int(np.ceil(REACHES * filter_length() / sample_step(results)))
        while True:
            low, high = max(0, start - around), min(count, stop + around)
            reach = [float(place[start] - place[low]), float(place[high - 1] - place[stop - 1])]
            if (low == 0 or reach[0] > MEAN_LENGTH) and (high == count or reach[1] > MEAN_LENGTH):
                break
            around *= 2
        found = safety_quantities(results.isel(time=slice(low, high)), load)
        inner = {name: getattr(found, name)[start - low : stop - low] for name in HISTORIES}
        yield found._replace(**inner)


def stored_percentiles(file, count, columns):
    """`percentiles` of rows of float64 (count, columns) in a file, exact, without all of them in memory.

    A value's bits, read as a whole number, sort as the values do; the number of values below each pattern of 16 bits
    narrows a rank down in four passes. Where they are few all are sorted at once.
    """
    if count <= AT_ONCE:
        file.seek(0)
        return np.percentile(np.fromfile(file).reshape(count, columns), PERCENTILES, axis=0)
    out = np.empty((len(PERCENTILES), columns))
    for k, percent in enumerate(PERCENTILES):
        rank = percent / 100.0 * (count - 1)
        low, high = (_of_rank(file, columns, r) for r in (int(rank), min(int(rank) + 1, count - 1)))
        out[k] = low + (rank - int(rank)) * (high - low)
    return out


def _of_rank(file, columns, rank):
    """Values (columns,) of a rank, from 0 for the smallest."""
    found, below = np.zeros(columns, dtype=np.uint64), np.zeros(columns, dtype=np.int64)
    for shift in (48, 32, 16, 0):
        counts = np.zeros((columns, 2**16), dtype=np.int64)
        for keys in _sorted_keys(file, columns):
            for c in range(columns):
                mine = keys[:, c] if shift == 48 else keys[keys[:, c] >> np.uint64(shift + 16) == found[c], c]
                digits = (mine >> np.uint64(shift)) & np.uint64(0xFFFF)
                counts[c] += np.bincount(digits.astype(np.int64), minlength=2**16)
        total = below[:, None] + np.cumsum(counts, axis=1)
        digit = np.argmax(total > rank, axis=1)
        below = np.where(digit > 0, np.take_along_axis(total, np.maximum(digit - 1, 0)[:, None], 1)[:, 0], below)
        found = (found << np.uint64(16)) | digit.astype(np.uint64)
    sign = np.uint64(1) << np.uint64(63)
    return np.where(found & sign, found ^ sign, ~found).view(np.float64)


def _sorted_keys(file, columns):
    """Blocks (n, columns) of whole numbers that sort as the float64 of the file do."""
    file.seek(0)
    sign = np.uint64(1) << np.uint64(63)
    while len(bits := np.fromfile(file, dtype=np.uint64, count=BLOCK * columns)):
        yield np.where(bits & sign, ~bits, bits | sign).reshape(-1, columns)


def extremes(results, values):
    """Smallest and largest (...) of values after settling, block after block.

    values : callable      block of the Dataset -> array (T, ...)
    """
    low, high = [], []
    for start in range(0, results.sizes["time"], BLOCK):
        block = results.isel(time=slice(start, start + BLOCK))
        rows = settled_rows(block)
        if np.any(rows):
            found = values(block)[rows]
            low.append(found.min(axis=0))
            high.append(found.max(axis=0))
    if not low:
        raise nothing_left(results)
    return np.min(low, axis=0), np.max(high, axis=0)
