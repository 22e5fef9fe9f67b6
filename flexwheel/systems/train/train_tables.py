"""Columns of the tables in CSV that a train scenario names."""

import csv

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import read_text


def read_columns(file, known=None):
    """Columns of a CSV file by name; lines that start with # are remarks. `known`: the names it may have."""
    numbered = [(n, line) for n, line in enumerate(read_text(file, "a table in CSV").splitlines(), start=1)]
    numbered = [(n, line) for n, line in numbered if line.strip() and line[0] != "#"]
    if len(numbered) < 2:
        raise ScenarioError(f"{file} must have a line of column names and rows of numbers, got {len(numbered)} lines")
    try:
        rows = list(csv.reader(line for _, line in numbered))
    except csv.Error as error:
        raise ScenarioError(f"{file} must be a line of column names and rows of numbers: {error}") from None
    if len(rows) != len(numbered):
        raise ScenarioError(f"{file}: values must be plain numbers, got a quoted one over several lines")
    names = [name.strip() for name in rows[0]]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ScenarioError(f"{file}:{numbered[0][0]}: column {twice!r} is given twice")
    unknown = [name for name in names if known is not None and name not in known]
    if unknown:
        raise ScenarioError(
            f"{file}:{numbered[0][0]}: unknown column {unknown[0]!r}; known: {', '.join(sorted(known))}"
        )
    values = np.empty((len(rows) - 1, len(names)))
    for k, ((number, _), row) in enumerate(zip(numbered[1:], rows[1:], strict=True)):
        if len(row) != len(names):
            raise ScenarioError(f"{file}:{number}: the row must have {len(names)} values, got {len(row)}")
        for name, text in zip(names, row, strict=True):
            try:
                value = float(text)
            except ValueError:
                value = np.nan
            if not np.isfinite(value):
                raise ScenarioError(f"{file}:{number}: {name} must be a number, got {text.strip()!r}")
            values[k, names.index(name)] = value
    return dict(zip(names, values.T.copy(), strict=True))
