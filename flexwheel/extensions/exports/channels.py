"""Histories of results as channels: chosen variables, labels, span and sampling rate, in a table for other programs.

A lower sampling rate is reached with a linear-phase filter, flat to 1e-4 (0.001 dB) up to 0.4 of the new rate and 80 dB
down from 0.6 of it: what folds back lies above 0.4. It acts on the whole record before the span is cut, so that only
the record's own ends are shaped by what is not known beyond them; there the first and the last value are held.

Verified in tests/assess/test_export_verified.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import scipy

from flexwheel.base.errors import ScenarioError
from flexwheel.base.registry import Registry
from flexwheel.results.check_results import select_labels
from flexwheel.results.evaluate.span import sample_step

FLAT_TO, STOPPED_FROM = 0.4, 0.6  # of the new rate
RIPPLE_DB = 80.0
LARGEST_FACTOR = 1000
"""Rates are ratios of whole numbers up to this one."""


@dataclass(frozen=True)
class Channel:
    """What a column of a table of channels is."""

    variable: str
    labels: tuple[str, ...]  # one for each dimension but time
    units: str
    meaning: str

    @property
    def name(self) -> str:
        """Variable and labels, as "wheel_force front left Q"."""
        return " ".join([self.variable, *self.labels])


@dataclass(frozen=True, eq=False)
class Channels:
    """Histories on one time axis.

    frame : DataFrame           index: time [s], evenly spaced; a column by the name of each channel, nan: no value
    channels : tuple of Channel of the columns
    step : float [s]            between samples
    about : dict of str         title, source, complete, what was done to the samples
    """

    frame: pd.DataFrame
    channels: tuple[Channel, ...]
    step: float
    about: dict[str, str]


@dataclass(frozen=True)
class ExportFormat:
    """A format of files for other programs; found through EXPORTS."""

    name: str
    meaning: str  # one line, for help and documents
    suffixes: tuple[str, ...]  # lower case
    write: Callable  # (Channels, path): writes the file it is given; an ImportError says that the library is not there
    library: str = ""  # distribution that it needs beside those of the package


EXPORTS = Registry("export format", "flexwheel.exports", ExportFormat, "csv")


def channels(results, names, where=None, span=(None, None), rate_hz=None) -> Channels:
    """Chosen histories of results.

    Parameters
    ----------
    results : Dataset           of a run of any kind
    names : sequence of str     variables over time, or their beginnings with *
    where : dict, optional      dimension -> label; a variable without that dimension keeps all of it
    span : (start, end) [s]     None: from the first, to the last sample
    rate_hz : float, optional   new sampling rate, at most that of the results

    Raises
    ------
    ScenarioError    an unknown variable, dimension or label; nothing within the span; a rate that cannot be made, or of
                     values that no filter can take (whole numbers, gaps)
    """
    where = where or {}
    step = sample_step(results)
    if results.sizes.get("time", 0) < 2:
        raise ScenarioError("export: results of two samples or more are needed")
    chosen = [results[name] for name in _named(results, names)]
    for dim, label in where.items():
        if not any(dim in array.dims for array in chosen):
            raise ScenarioError(f"export: {dim} = {label!r}: none of {', '.join(a.name for a in chosen)} has {dim}")
    found, columns = [], []
    for array in chosen:
        dims = [dim for dim in array.dims if dim != "time"]
        array = select_labels(array, {dim: label for dim, label in where.items() if dim in dims})
        labels = [list(map(str, np.atleast_1d(array[dim].values))) for dim in dims]
        values = array.transpose("time", ...).values.reshape(array.sizes["time"], -1)
        units, meaning = str(array.attrs.get("units", "1")), str(array.attrs.get("long_name", array.name))
        found += [Channel(str(array.name), each, units, meaning) for each in product(*labels)]
        columns += list(values.T)
    start, done = float(results.time[0]), {}
    if rate_hz is not None:
        columns, step, done["resampled"] = _resampled(columns, found, step, rate_hz)
    time = start + step * np.arange(len(columns[0]))
    first, last = (start if span[0] is None else span[0], time[-1] if span[1] is None else span[1])
    rows = (time >= first - 1e-9 * step) & (time <= last + 1e-9 * step)
    beyond = start - 0.5 * step, time[-1] + 0.5 * step
    if not (np.any(rows) and beyond[0] <= first and (span[1] is None or last <= beyond[1])):
        raise ScenarioError(
            f"export: the span must be within {start:g} to {time[-1]:g} s of the results, got {first:g} to {last:g} s"
        )
    data = {one.name: column[rows] for one, column in zip(found, columns, strict=True)}
    frame = pd.DataFrame(data, index=pd.Index(time[rows], name="time"))
    return Channels(frame, tuple(found), step, _about(results) | done)


def _named(results, names):
    """Names of variables over time."""
    if other := [name for name in names if not isinstance(name, str)]:
        raise ScenarioError(f"export: variables must be names, one after the other, got {other[0]!r}")
    there = [str(name) for name, array in results.data_vars.items() if "time" in array.dims]
    found = []
    for name in names:
        begins = [one for one in there if one.startswith(name[:-1])] if name.endswith("*") else []
        if not begins and name not in there:
            raise ScenarioError(f"export: variable must be one of {', '.join(there)}, got {name!r}")
        found += [one for one in begins or [name] if one not in found]
    if not found:
        raise ScenarioError(f"export: name a variable at least; there are {', '.join(there)}")
    return found


def _about(results):
    """Texts that go with the channels."""
    attributes = results.attrs
    about = {name: str(attributes[name]) for name in ("title", "source", "kind", "status") if name in attributes}
    complete = str(attributes.get("complete", True)).lower()
    return about | {"complete": complete, "results": str(results.encoding.get("source", ""))}


def _resampled(columns, found, step, rate_hz):
    """Columns at a lower rate, the new step [s], what was done in words."""
    rate = 1.0 / step
    if not 0.0 < rate_hz <= rate * (1.0 + 1e-9):
        raise ScenarioError(
            f"rate_hz (--rate-hz) must be above 0 and at most {rate:g}, that of the results, got {rate_hz:g}"
        )
    ratio = Fraction(rate_hz / rate).limit_denominator(LARGEST_FACTOR)
    if abs(float(ratio) * rate / rate_hz - 1.0) > 1e-9 or not ratio:
        near = f"; {float(ratio) * rate:.9g} Hz is the nearest" if ratio else ""
        raise ScenarioError(
            f"rate_hz (--rate-hz) must be {rate:g} Hz times a ratio of whole numbers up to {LARGEST_FACTOR}, got "
            f"{rate_hz:g}{near}"
        )
    if ratio == 1:
        return columns, step, "no"
    for one, column in zip(found, columns, strict=True):
        if column.dtype.kind != "f" or not np.all(np.isfinite(column)):
            kind = "whole numbers" if column.dtype.kind != "f" else "gaps"
            raise ScenarioError(
                f"rate_hz (--rate-hz): {one.name} has {kind}, which cannot be filtered; export it without a new rate"
            )
    up, down = ratio.numerator, ratio.denominator
    nyquist = 0.5 * rate * up
    count, beta = scipy.signal.kaiserord(RIPPLE_DB, (STOPPED_FROM - FLAT_TO) * rate_hz / nyquist)
    count |= 1
    if count > up * len(columns[0]):
        raise ScenarioError(
            f"rate_hz = {rate_hz:g}: the record is too short for the filter, {count / up * step:.3g} s long"
        )
    window = scipy.signal.firwin(count, 0.5 * rate_hz / nyquist, window=("kaiser", beta))
    values = np.stack(columns, axis=1).astype(float)
    values = scipy.signal.resample_poly(values, up, down, axis=0, window=window, padtype="edge")
    said = (
        f"from {rate:g} Hz, flat to {FLAT_TO * rate_hz:g} Hz, {RIPPLE_DB:g} dB down from {STOPPED_FROM * rate_hz:g} Hz"
    )
    return list(values.T), 1.0 / rate_hz, said
