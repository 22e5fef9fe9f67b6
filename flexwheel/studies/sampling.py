"""Points of a study: the values that its keys take in each run."""

from itertools import product

import numpy as np
import scipy

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped
from flexwheel.studies.study_keys import MOST_RUNS


def points(study, vary):
    """Values of every run.

    Parameters
    ----------
    study : StudySection
    vary : sequence of VaryTable

    Returns
    -------
    list of tuple       a value for each of `vary`; None where the scenario's own stays

    Raises
    ------
    ScenarioError       too many runs; a run twice; lists of different length that are to go together

    Source of the Latin hypercube: McKay, Beckman, Conover 1979, Technometrics 21(2), 239-245.
    """
    if study.sampling == "latin_hypercube":
        return _latin_hypercube(study, vary)
    values = [listed(item) for item in vary]
    counts = [len(v) for v in values]
    if study.sampling != "together":
        for item, own in zip(vary, values, strict=True):
            _refuse_repeated(own, f"vary.{item.label}: value")
    if study.sampling == "together":
        if len(set(counts)) > 1:
            said = ", ".join(f"{v.label} {n}" for v, n in zip(vary, counts, strict=True))
            raise ScenarioError(f"sampling = 'together': values of different number: {said}")
        rows = list(zip(*values, strict=True))
        _refuse_repeated(rows, "sampling = 'together': run")
        return rows
    if study.sampling == "one_at_a_time":
        base = (None,) * len(vary)
        alone = [(*base[:k], value, *base[k + 1 :]) for k, own in enumerate(values) for value in own]
        return [base, *alone]
    if np.prod(counts, dtype=float) > MOST_RUNS:
        raise ScenarioError(f"study: a grid must have at most {MOST_RUNS} runs, got {' x '.join(map(str, counts))}")
    return list(product(*values))


def _refuse_repeated(items, noun):
    """Refuse a run that would be made twice; noun: of the items, for the message."""
    places = {}
    for k, item in enumerate(items, start=1):
        first = places.setdefault(_identity(item), k)
        if first != k:
            raise ScenarioError(f"{noun} {k} must differ from all before it, got {clipped(repr(item))} like {first}")


def _identity(value):
    """What equal values share, to look them up by."""
    if isinstance(value, list | tuple):
        return tuple(map(_identity, value))
    return float(value) if isinstance(value, int | float) else repr(value)


def listed(item):
    """Values of a VaryTable in order."""
    return list(item.values) if item.values is not None else _at(item, np.linspace(0.0, 1.0, item.count))


def _latin_hypercube(study, vary):
    """Rows of a hypercube; a list of values takes each of them equally often, as near as that can be."""
    unit = scipy.stats.qmc.LatinHypercube(len(vary), seed=study.seed).random(study.runs)
    columns = [
        _at(item, unit[:, k])
        if item.values is None
        else [item.values[int(u * len(item.values))] for u in unit[:, k]]
        for k, item in enumerate(vary)
    ]  # fmt: skip
    return list(zip(*columns, strict=True))


def _at(item, parts):
    """Values at parts 0 to 1 of a range, to 12 digits."""
    low, high = item.low, item.high
    found = low * (high / low) ** parts if item.log else low + (high - low) * parts
    return [float(f"{value:.12g}") for value in found]
