"""Stress intensity at the deepest point and at the surface of a semi-elliptical crack across a bar.

K = Y S sqrt(pi a): S the largest nominal bending stress of the section, a the depth. Y depends on a/d (d: diameter of
the bar) and a/c (c: half the length of the crack); between the places of the table it is linear in both.

Source of ROUND_BAR: Shin and Cai 2004, Int. J. Fracture 129, 239-264, bending, as tabulated by the program easigrow
(github needsglasses/easigrow, src/beta.rs, "serbb-shin04"); at a/d = 0 the semi-infinite plate of Newman and Raju 1984,
NASA TM 85793, by the same program ("seft-newman84"). The papers were not read: that the factor at the surface goes with
the depth as that of the deepest point does is inferred, from its values beside those of the plate.
Verified in tests/studies/test_crack.py.
"""

import csv
from io import StringIO
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_text

_SHAPES = np.linspace(0.0, 1.0, 11)
_DEPTHS = (0.067, 0.133, 0.200, 0.267, 0.333, 0.400, 0.467, 0.533, 0.600, 0.667, 0.733, 0.800)
_DEEP = """0.963 0.954 0.929 0.878 0.834 0.786 0.739 0.692 0.649 0.609 0.576
 0.897 0.890 0.870 0.840 0.801 0.757 0.710 0.662 0.618 0.576 0.537
 0.872 0.866 0.848 0.820 0.783 0.739 0.690 0.640 0.592 0.547 0.506
 0.879 0.873 0.856 0.828 0.790 0.743 0.692 0.637 0.583 0.532 0.486
 0.917 0.911 0.893 0.863 0.823 0.773 0.716 0.654 0.592 0.532 0.478
 0.991 0.984 0.964 0.932 0.888 0.832 0.767 0.695 0.621 0.549 0.482
 1.112 1.104 1.082 1.045 0.994 0.930 0.854 0.768 0.678 0.588 0.504
 1.302 1.294 1.268 1.224 1.164 1.087 0.995 0.889 0.775 0.659 0.550
 1.609 1.599 1.566 1.512 1.437 1.341 1.224 1.088 0.938 0.783 0.634
 2.126 2.113 2.070 1.998 1.899 1.771 1.614 1.429 1.222 1.002 0.787
 3.082 3.063 3.002 2.899 2.755 2.570 2.342 2.069 1.758 1.421 1.083
 5.140 5.110 5.011 4.841 4.606 4.302 3.923 3.466 2.934 2.344 1.737"""
_SURFACE = """0.486 0.523 0.553 0.578 0.596 0.609 0.616 0.618 0.613 0.603 0.587
 0.510 0.548 0.579 0.604 0.623 0.635 0.641 0.640 0.633 0.619 0.599
 0.557 0.596 0.629 0.654 0.673 0.684 0.689 0.686 0.677 0.660 0.637
 0.600 0.640 0.673 0.699 0.717 0.728 0.732 0.728 0.717 0.699 0.674
 0.654 0.695 0.729 0.755 0.774 0.784 0.788 0.783 0.771 0.751 0.724
 0.742 0.786 0.822 0.850 0.869 0.880 0.882 0.877 0.862 0.840 0.809
 0.877 0.926 0.966 0.996 1.017 1.028 1.029 1.022 1.004 0.978 0.941
 1.062 1.118 1.163 1.197 1.220 1.231 1.232 1.222 1.200 1.168 1.124
 1.326 1.393 1.446 1.485 1.511 1.524 1.524 1.510 1.483 1.443 1.389
 1.755 1.838 1.904 1.953 1.985 2.000 1.998 1.979 1.943 1.890 1.820
 2.544 2.659 2.749 2.816 2.859 2.878 2.873 2.844 2.791 2.714 2.614
 4.138 4.317 4.458 4.560 4.625 4.651 4.639 4.589 4.500 4.374 4.209"""
_COLUMNS = ("a_over_d", "a_over_c", "deep", "surface")


class CrackFactors(NamedTuple):
    """Y over a/d (rows) and a/c (columns)."""

    depths: np.ndarray  # (n,) a/d, ascending
    shapes: np.ndarray  # (m,) a/c, ascending
    deep: np.ndarray  # (n, m)
    surface: np.ndarray  # (n, m)
    source: str

    def at(self, depth, shape):
        """(2,) Y of the deepest point and of the surface at a/d and a/c; those of the table's edge beyond it."""
        row, u = _between(self.depths, depth)
        column, v = _between(self.shapes, shape)
        near = np.array([[(1.0 - u) * (1.0 - v), (1.0 - u) * v], [u * (1.0 - v), u * v]])
        return np.array([np.sum(near * y[row : row + 2, column : column + 2]) for y in (self.deep, self.surface)])


def plate(shape):
    """(2, ...) Y of the deepest point and of the surface of a crack a/c <= 1 in a semi-infinite body in tension."""
    shape = np.asarray(shape, float)
    y = (1.13 - 0.09 * shape) / np.sqrt(1.0 + 1.464 * shape**1.65)
    return np.array([y, 1.1 * np.sqrt(shape) * y])


def _table(text, first):
    return np.vstack([first, np.array(text.split(), float).reshape(len(_DEPTHS), len(_SHAPES))])


ROUND_BAR = CrackFactors(
    np.array((0.0, *_DEPTHS)), _SHAPES, _table(_DEEP, plate(_SHAPES)[0]), _table(_SURFACE, plate(_SHAPES)[1]),
    "Shin and Cai 2004, bending, as in the program easigrow; a/d = 0: Newman and Raju 1984; papers not read, "
    "the scale of the surface's factor inferred",
)  # fmt: skip


def read_factors(path, source) -> CrackFactors:
    """CrackFactors of a CSV with the columns a_over_d, a_over_c, deep, surface: a full grid of both.

    Raises
    ------
    ScenarioError    naming file and line, what came and what was expected
    """
    rows = list(csv.reader(StringIO(read_text(path, "a CSV of factors Y"))))
    if not rows or tuple(word.strip() for word in rows[0]) != _COLUMNS:
        raise ScenarioError(f"{path}:1 must be {','.join(_COLUMNS)}, got {clipped(','.join(rows[0]) if rows else '')}")
    values = []
    for line, row in enumerate(rows[1:], 2):
        try:
            numbers = [float(word) for word in row]
        except ValueError:
            numbers = []
        if len(numbers) != 4 or not np.all(np.isfinite(numbers)) or min(numbers) < 0.0 or numbers[1] > 1.0:
            words = clipped(",".join(row))
            raise ScenarioError(f"{path}:{line} must be four numbers of 0 or above, a/c up to 1, got {words}")
        values.append(numbers)
    table = np.array(sorted(values)).reshape(-1, 4)
    depths, shapes = np.unique(table[:, 0]), np.unique(table[:, 1])
    size = len(depths), len(shapes)
    if min(size) < 2 or len(table) != size[0] * size[1] or len(np.unique(table[:, :2], axis=0)) != len(table):
        raise ScenarioError(
            f"{path} must have a row for each pair of 2 or more a/d and 2 or more a/c, got {len(table)} rows of "
            f"{size[0]} a/d and {size[1]} a/c"
        )
    return CrackFactors(depths, shapes, table[:, 2].reshape(size), table[:, 3].reshape(size), source)


def _between(places, at):
    """Place before `at`, and the share of the way to the next."""
    at = min(max(at, places[0]), places[-1])
    k = min(int(np.searchsorted(places, at, side="right")) - 1, len(places) - 2)
    return k, (at - places[k]) / (places[k + 1] - places[k])
