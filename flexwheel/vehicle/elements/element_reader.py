"""Values of a force element as a user states them, checked."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.force_tables import check_table

ZERO = (0.0, 0.0, 0.0)
POINTS = frozenset({"point_a_m", "point_b_m"})


class Reader:
    """Checked values of one element's mapping (`mapping`), errors with the place it stands at (`where`)."""

    def __init__(self, mapping, where):
        self.mapping, self.where = mapping, where

    def refuse(self, key, expected):
        """Raise ScenarioError: what came at a key and what was expected."""
        came = f"be {expected}, got {self.mapping[key]!r}" if key in self.mapping else f"be given: {expected}"
        raise ScenarioError(f"{self.where}: {key} must {came}")

    def number(self, key, default=None, positive=False, signed=False):
        """Number at a key, not negative unless signed."""
        value = self.mapping.get(key, default)
        if value is None:
            self.refuse(key, "a number")
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            self.refuse(key, "a finite number")
        if value < 0 and not signed:
            self.refuse(key, "a number that is not negative")
        if positive and value == 0:
            self.refuse(key, "a number greater than zero")
        return float(value)

    def vector(self, key, default=None, signed=False):
        """Three numbers at a key, not negative unless signed."""
        value = self.mapping.get(key, default)
        if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray) or len(value) != 3:
            self.refuse(key, "three numbers")
        try:
            numbers = tuple(float(x) for x in value)
        except (TypeError, ValueError):
            self.refuse(key, "three numbers")
        if not np.isfinite(numbers).all():
            self.refuse(key, "three finite numbers")
        if min(numbers) < 0 and not signed:
            self.refuse(key, "numbers that are not negative")
        return numbers

    def table(self, key, column, increasing):
        """Table {column, force_n} at a key as two arrays, None where it is not given."""
        value = self.mapping.get(key)
        if value is None:
            return None
        if not isinstance(value, Mapping) or set(value) != {column, "force_n"}:
            self.refuse(key, f"a table with {column} and force_n")
        return check_table(value[column], value["force_n"], f"{self.where}: {key}", increasing)

    def not_beside_table(self, table, key):
        """Refuse a key given beside a table."""
        if table is not None and key in self.mapping:
            self.refuse(key, "no such key beside force_table")

    def side(self):
        """Whether the laws are in the axes of body b."""
        value = self.mapping.get("axes_of", "a")
        if value not in ("a", "b"):
            self.refuse("axes_of", "'a' or 'b'")
        return value == "b"
