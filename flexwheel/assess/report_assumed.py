"""Assumed values of a run as a reader of the report has them: whose, what in words, value with its unit, reason."""

import re
from typing import NamedTuple

import numpy as np

from flexwheel.assess.figures.report_blocks import Table, Text
from flexwheel.base.input_files import parse_toml
from flexwheel.run.keys.section import unit_of

GIVEN = re.compile(r"(?P<key>[\w.]+) = (?P<value>.*)", re.DOTALL)
PER = re.compile(r"_(n(?:_[ms])*)_per_(m|rad)$")  # ends of keys of a vehicle's file
LISTS = ("bodies", "wheelsets", "elements")  # tables of a vehicle's file that the reader need not know


class AssumedValue(NamedTuple):
    """One value without a published source."""

    whose: str
    what: str
    value: str  # with its unit; empty where the run does not say
    reason: str

    def words(self):
        """In a list: what it is, and its value."""
        return f"{self.what}: {self.value}" if self.value else self.what


def assumed_of(run):
    """AssumedValue of every line that a run lists; run: Reported."""
    keys = parse_toml(str(run.results.attrs["scenario"]), "scenario of the results")
    return [_value(str(line), keys) for line in np.atleast_1d(run.results.attrs.get("assumed", ()))]


def assumed_blocks(run):
    """The appendix: all of them in a table."""
    if "assumed" not in run.results.attrs:
        return (Text(f"Results of kind {run.kind.name!r} do not list assumed values."),)
    if not (rows := tuple(assumed_of(run))):
        return (Text("No value is marked as assumed."),)
    summary = Text(f"{len(rows)} values of this run have no published source.")
    return (summary, Table("", ("of", "quantity", "value", "reason"), rows))


def _value(line, keys):
    """AssumedValue of a line `group: key = value: reason`, with a member after the group, or `group: key: reason`.

    The group may be left out.

    keys : dict     tables of the scenario as run: they have the value that the last form leaves out
    """
    group, *parts = line.split(": ")
    if not parts or GIVEN.fullmatch(group) or ("." in group and _found(keys, group.split("."))):  # no group
        group, parts = "scenario", [group, *parts]
    at = next((k for k, part in enumerate(parts[:2]) if GIVEN.fullmatch(part)), None)
    if at is None:
        key, reason = (parts[0] if parts else ""), ": ".join(parts[1:])
        found = _found(keys, key.split("."))
        value = "" if found is None else str(found)
    else:
        key, value = GIVEN.fullmatch(parts[at]).groups()
        group, reason = ": ".join((group, *parts[:at])), ": ".join(parts[at + 1 :])
    words, unit = words_of_key(key)
    if "{" in value:  # a list of tables, as the alignment: its own section shows it
        value, unit = "", ""
    value = re.sub(r"-?\d[\d.e+-]*", lambda number: f"{float(number[0]):g}", value.strip("[]")) if unit else value
    value = {"True": "yes", "False": "no"}.get(value, value)
    return AssumedValue(group, words, f"{value} {unit}".strip() if value else "", reason)


def words_of_key(key):
    """Words and unit of a key with dots: "bodies.car_body.mass_kg" is ("car body mass", "kg")."""
    if per := PER.search(key):
        end, unit = per[0], f"{per[1].replace('_', ' ').replace('n', 'N')}/{per[2]}"
    elif unit := unit_of(key):
        end = next(key[k:] for k in range(len(key) - 1, -1, -1) if key[k] == "_" and unit_of(f"x{key[k:]}") == unit)
    else:
        end = ""
    parts = [f"no. {int(part) + 1}" if part.isdigit() else part for part in key.removesuffix(end).split(".")]
    return " ".join(part for part in parts if part not in LISTS).replace("_", " "), unit


def _found(tree, parts):
    """Value of a scenario's table at a key; None where there is none."""
    for part in parts:
        tree = tree[int(part)] if isinstance(tree, list) and part.isdigit() and int(part) < len(tree) else (
            tree.get(part) if isinstance(tree, dict) else None)  # fmt: skip
    return tree
