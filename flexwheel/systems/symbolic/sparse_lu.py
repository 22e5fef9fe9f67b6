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
    a, b = {key: value for key, value in matrix.items() if not value.is_zero()}, list(right_hand_side)
    return substitute(a, b, eliminate(a, b, order), order, [None] * len(b))


def eliminate(a, b, order, rest=()):
    """Eliminate pivots of a matrix and its right-hand side in place, from the rows `rest` too; returns 1 / pivots."""
    inverse = {}
    for place, k in enumerate(order):
        if (k, k) not in a:
            raise FlexwheelError(f"sparse LU: pivot {k} is structurally zero; give another order")
        after = (*order[place + 1 :], *rest)
        inverse[k] = 1.0 / a[k, k]
        columns = [j for j in after if (k, j) in a]
        for i in after:
            if (i, k) not in a:
                continue
            factor = a[i, k] * inverse[k]
            for j in columns:
                term = factor * a[k, j]
                a[i, j] = a[i, j] - term if (i, j) in a else -term
            b[i] = b[i] - factor * b[k]
            del a[i, k]
    return inverse


def substitute(a, b, inverse, order, x, rest=()):
    """Unknowns of eliminated pivots into x, which has those of `rest`; returns x."""
    for place in range(len(order) - 1, -1, -1):
        k = order[place]
        value = b[k]
        for j in (*order[place + 1 :], *rest):
            if (k, j) in a:
                value = value - a[k, j] * x[j]
        x[k] = value * inverse[k]
    return x
