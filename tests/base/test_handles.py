"""A handle gives a kernel every kind of field as it is: arrays shared, numbers copied."""

import tomllib
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

from flexwheel.base.errors import KernelError
from flexwheel.numerics.kernels import Each, handle, kernel
from flexwheel.numerics.kernels.handles import _lay_out
from flexwheel.numerics.kernels.probe import ADMITTED, check_layout


class Pair(NamedTuple):
    BY_VALUE = True
    scale: float
    row: np.ndarray


class Inner(NamedTuple):
    cube: np.ndarray
    shift: float


class Outer(NamedTuple):
    count: int
    flag: bool
    nothing: None
    counts: np.ndarray
    strided: np.ndarray
    inner: Inner
    pair: Pair
    empty: np.ndarray
    last: float


@kernel
def read(h, out):
    out[0] = h.count
    out[1] = 1.0 if h.flag else 0.0
    out[2] = 1.0 if h.nothing is None else 0.0
    out[3] = h.counts[1] + h.counts.shape[0]
    out[4] = h.strided[1, 2]
    out[5] = h.inner.cube[1, 2, 3] + h.inner.shift
    out[6] = h.pair.scale * h.pair.row[1]
    out[7] = h.empty.shape[0] + 10 * h.empty.shape[1]
    out[8] = h.last
    h.inner.cube[0, 0, 0] = -7.0


def values(seed):
    rng = np.random.default_rng(seed)
    table = rng.random((6, 8))
    return Outer(
        int(rng.integers(-9, 9)),
        bool(seed % 2),
        None,
        np.array([3, -4, 5]),
        table[::2, ::2],
        Inner(rng.random((2, 3, 4)), -0.5),
        Pair(2.0, rng.random(3)),
        np.zeros((0, 4)),
        -rng.random(),
    )


@pytest.mark.parametrize("seed", range(4))
def test_every_field_is_read_as_it_is(seed):
    v, out = values(seed), np.empty(9)
    wanted = [
        v.count,
        v.flag,
        1.0,
        -4.0 + 3.0,
        v.strided[1, 2],
        v.inner.cube[1, 2, 3] - 0.5,
        2.0 * v.pair.row[1],
        40.0,
        v.last,
    ]
    read(handle(v), out)
    assert out.tolist() == [float(w) for w in wanted]
    assert v.inner.cube[0, 0, 0] == -7.0, "arrays are shared"


class Row(NamedTuple):
    each: Each


@kernel
def read_each(h, out):
    for k in range(out.size):
        out[k] = h.each[k].cube[0, 0, k] * h.each[k].shift


def test_a_kernel_takes_one_of_several_by_its_number():
    items = [Inner(np.random.default_rng(k).random((1, 1, 4)), 2.0 + k) for k in range(3)]
    order, out = [items[0], items[2], items[2], items[1]], np.empty(4)
    read_each(handle(Row(Each(order))), out)
    assert out.tolist() == [item.cube[0, 0, k] * item.shift for k, item in enumerate(order)]
    with pytest.raises(TypeError, match="same types"):
        handle(Row(Each([items[0], Inner(np.zeros((1, 4)), 1.0)])))


def test_type_follows_names_and_types_alone():
    a, b = handle(values(0)), handle(values(1))
    assert a.kind == b.kind
    assert handle(values(0)._replace(last=1)).kind != a.kind


def test_what_cannot_be_held_is_named():
    with pytest.raises(TypeError, match="not str"):
        handle(values(0)._replace(last="text"))


def laid_out(sample):
    return _lay_out(sample, [])


@pytest.mark.parametrize("word", [0, 1, 4, 6, 12, 16])
def test_another_layout_of_numba_is_refused(word):
    """A word of the sample that stands elsewhere: the probe compares all but the owners of arrays."""
    check_layout(laid_out)

    def other(sample):
        kind, words = laid_out(sample)
        words[word] ^= 8
        return kind, words

    with pytest.raises(KernelError, match=f"numba must be numba>=.*got {numba.__version__}: its arrays"):
        check_layout(other)


def test_another_size_of_a_structure_is_refused():
    with pytest.raises(KernelError, match="lie otherwise in memory"):
        check_layout(lambda sample: (laid_out(sample)[0], laid_out(sample)[1][:-1]))


def test_bounds_are_those_of_the_metadata():
    text = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert ADMITTED in tomllib.loads(text)["project"]["dependencies"]
