"""Calls within `_with_room` take no memory from the system, at whatever depth they begin: it would be given back and
cleared anew at every call that crosses the end of a piece of frames."""

import pytest

resource = pytest.importorskip("resource")  # not on Windows

from flexwheel.numerics.kernels.compiler import _with_room  # noqa: E402

CALLS = 500


def deeper(depth, function):
    return function() if depth == 0 else deeper(depth - 1, function)


def pages_taken():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        deeper(3, bool)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_no_piece_of_frames_is_taken_at_every_call():
    depths = range(0, 300, 2)
    _with_room(deeper, depths[-1], pages_taken)  # pages of the piece are there
    assert max(_with_room(deeper, depth, pages_taken) for depth in depths) < 0.1 * CALLS
