"""A kernel called by address gives what a direct call gives, and refuses arguments it was not compiled for."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import types

from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, without_compiling


class Parts(NamedTuple):
    scale: Entry
    rows: np.ndarray


@kernel
def scaled(rows, factor, turned, n):
    for i in range(rows.shape[0]):
        rows[i] *= -factor if turned else factor
    return n + rows.shape[0], rows[n]


@kernel
def refuse(rows):
    if rows[0] > 0.0:
        raise ValueError("positive")


@kernel
def untouched(rows, factor, turned, n):
    return n + rows.shape[0], factor


_scale = far_call(scaled, types.Tuple((types.int64, types.float64)))
_refuse = far_call(refuse, types.none)
_either = far_call("either", types.Tuple((types.int64, types.float64)))


@kernel
def outer(at, rows, n):
    return _scale(at, (rows, 2.5, rows[0] < 0.0, n))


@kernel
def outer_of_parts(parts):
    return _scale(parts.scale, (parts.rows, 2.0, False, 1))


@kernel
def outer_of_role(at, rows):
    return _either(at, (rows, 2.0, False, 1))


@kernel
def outer_refuse(at, rows):
    _refuse(at, (rows,))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_as_a_direct_call(sign):
    rows = sign * np.array([1.0, 2.0, 4.0])
    near = rows.copy()
    wanted = scaled(near, 2.5, sign < 0.0, 1)
    assert outer(entry(scaled, rows, 1.0, True, 1), rows, 1) == wanted
    assert np.array_equal(rows, near)


def test_from_a_handle():
    rows = np.ones(3)
    parts = handle(Parts(entry(scaled, rows, 1.0, True, 1), rows))
    assert outer_of_parts(parts) == (4, 2.0) and np.all(rows == 2.0)


def test_errors_come_through():
    rows = np.ones(1)
    with pytest.raises(ValueError, match="positive"):
        outer_refuse(entry(refuse, rows), rows)


def test_other_arguments_are_refused():
    rows = np.ones(3)
    with pytest.raises(TypeError, match="scaled was called at the entry of another kernel or of other arguments"):
        outer(entry(scaled, rows, 1, True, 1), rows, 1)
    assert np.all(rows == 1.0)


def test_kernels_of_one_role_stand_at_one_place():
    rows = np.ones(3)
    assert outer_of_role(entry(untouched, rows, 1.0, True, 1, role="either"), rows) == (4, 2.0)
    assert outer_of_role(entry(scaled, rows, 1.0, True, 1, role="either"), rows) == (4, 2.0)
    with pytest.raises(TypeError, match="either was called at the entry of another kernel"):
        outer_of_role(entry(scaled, rows, 1.0, True, 1), rows)


def test_another_kernel_of_the_same_types_is_refused():
    rows = np.ones(3)
    with pytest.raises(TypeError, match="scaled was called at the entry of another kernel"):
        outer(entry(untouched, rows, 1.0, True, 1), rows, 1)
    assert np.all(rows == 1.0)


def test_an_entry_that_was_not_compiled_is_refused():
    @kernel
    def late(rows, factor, turned, n):
        return n + rows.shape[0], factor

    rows = np.ones(3)
    with without_compiling():
        at = entry(late, rows, 1.0, True, 1, role="either")
        assert not late.overloads
        with pytest.raises(TypeError, match="another kernel"):
            outer_of_role(at, rows)
    assert outer_of_role(entry(late, rows, 1.0, True, 1, role="either"), rows) == (4, 2.0)
