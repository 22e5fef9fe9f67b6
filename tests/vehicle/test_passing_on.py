"""Samples that a thread passes on: what waits goes on in the other rows, and an error of the sink reaches the loop."""

import threading

import numpy as np
import pytest

from flexwheel.vehicle.step.passing_on import PassingOn

ROWS = 4


def filled(sampling, first):
    """Rows of a sampling filled with the numbers from `first` on."""
    (rows,) = sampling.rows
    rows.view(float)[:, 0] = first + np.arange(len(rows))


def passing(sink):
    return PassingOn(sink, {"time": np.zeros(1)}, ROWS, 1, 1)


def test_rows_that_wait_go_on_in_the_other_set_while_the_first_are_taken():
    taken, free = [], threading.Event()

    def sink(records):
        free.wait(10.0)
        taken.append(records.time.copy())

    samples = passing(sink)
    first = samples.sets[0]
    filled(first, 10.0)
    second = samples.swap(first, 3, 1)
    assert second is samples.sets[1] and second.rows[0].view(float)[0, 0] == 13.0
    filled(second, 20.0)  # the loop goes on before the first rows are taken
    free.set()
    assert samples.swap(second, 4, 0) is first
    samples.wait()
    np.testing.assert_array_equal(np.concatenate(taken), [10.0, 11.0, 12.0, 20.0, 21.0, 22.0, 23.0])


def test_an_error_of_the_sink_is_raised_where_the_loop_waits():
    def full(records):
        raise OSError("no space left")

    samples = passing(full)
    samples.swap(samples.sets[0], 2, 0)
    with pytest.raises(OSError, match="no space left"):
        samples.wait()
