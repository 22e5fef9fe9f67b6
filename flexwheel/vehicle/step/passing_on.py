"""Samples of a time loop passed on by a thread while the loop goes on: its kernels release the interpreter."""

from concurrent.futures import ThreadPoolExecutor, wait

from flexwheel.vehicle.step.simulate_record import make_sampling, unpacked


class PassingOn:
    """Two sets of rows: one is filled by the loop while the samples in the other are passed on."""

    def __init__(self, sink, arrays, *layout):
        """sink : callable, takes records; arrays, layout : as of `make_sampling`."""
        self.sink, self.arrays = sink, arrays
        self.sets = make_sampling(arrays, *layout), make_sampling(arrays, *layout)
        self.pool, self.under_way = ThreadPoolExecutor(1), None

    def swap(self, sampling, rows, unfinished):
        """Pass on the first rows of one set and return the other, which has those that wait."""
        self.wait()
        other = self.sets[sampling is self.sets[0]]
        for kept, going_on in zip(sampling.rows, other.rows, strict=True):
            going_on[:unfinished] = kept[rows : rows + unfinished]
        records = unpacked(self.arrays, [kept[:rows] for kept in sampling.rows])
        self.under_way = self.pool.submit(self.sink, records)
        return other

    def wait(self):
        """Until what was passed on has been taken; raises what the sink raised."""
        if self.under_way is not None:
            wait([self.under_way])
            under_way, self.under_way = self.under_way, None
            under_way.result()
