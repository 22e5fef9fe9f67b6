"""Symbolic sparse LU: straight-line elimination and back substitution with a stated order of pivots.

Only entries that can be non-zero are touched, so the atoms of the result are the whole operation count. The order is
static: leaves of the mechanism first, roots last, multipliers right after the coordinates they constrain; a pivot
that vanishes shows as a non-finite solution, which the caller checks.

Verified in tests/systems/symbolic/test_symbolic_sparse_lu.py.
"""

from flexwheel.base.errors import FlexwheelError


def solve_sparse(matrix, right_hand_side, order):
    """Solution of A x = b as expressions.

    Parameters
    ----------
    matrix : dict (row, column) -> Expression     non-zero entries
    right_hand_side : list of Expression
    order : list of int                           pivots, each index once

    Returns
    -------
    list of Expression

    Raises
    ------
    FlexwheelError      when the order leaves a structurally zero pivot
    """
    a = {key: value for key, value in matrix.items() if not value.is_zero()}
    b = list(right_hand_side)
    inverse = {}
    for place, k in enumerate(order):
        if (k, k) not in a:
            raise FlexwheelError(f"sparse LU: pivot {k} is structurally zero; give another order")
        rest = order[place + 1 :]
        inverse[k] = 1.0 / a[k, k]
        columns = [j for j in rest if (k, j) in a]
        for i in rest:
            if (i, k) not in a:
                continue
            factor = a[i, k] * inverse[k]
            for j in columns:
                term = factor * a[k, j]
                a[i, j] = a[i, j] - term if (i, j) in a else -term
            b[i] = b[i] - factor * b[k]
    x = [None] * len(b)
    for place in range(len(order) - 1, -1, -1):
        k = order[place]
        value = b[k]
        for j in order[place + 1 :]:
            if (k, j) in a:
                value = value - a[k, j] * x[j]
        x[k] = value * inverse[k]
    return x
