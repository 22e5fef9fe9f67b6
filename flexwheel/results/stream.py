"""Samples of a run on the disk while it goes on, so that memory does not grow and a kill loses the last second alone.

The file has the layout and the types of numbers of a result file, but its size is fixed when it is made and nothing in
it is compressed: what is written later are values in places that exist, never the structure of the file, so that it
opens at any moment. Times are written after the values they belong to. Block by block the samples move into the
compressed result file, in a thread while the run goes on (its kernels release the interpreter); it appears whole at the
end of the run, and this one goes. What is computed of them on the way is what is computed of the result file later.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import count
from pathlib import Path

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import output_folder, require_space, without_space, write_whole
from flexwheel.base.variables import variables
from flexwheel.results.checkpoint import seal
from flexwheel.results.dataset import make_dataset
from flexwheel.results.files import BLOCK, PART_NAME, define, whole_part, write_blocks
from flexwheel.results.files import written as samples_in
from flexwheel.results.netcdf_files import LOCK, new_file, open_file

KILLED = "not at its end: still running, or killed"
HEADER = 1 << 17  # [byte] taken by the names and attributes of a file
LOOK = 0.1  # [s] between looks whether a block of samples is there


class _MoreSlots(Exception):
    """A sample has more patches than the result file has room for; or the file is closed."""


class PartFile:
    """The file of a run that goes on; `rows` samples are in it."""

    def __init__(self, folder, arrays, labels, attributes, samples, goes_on=False, made=lambda blocks: (blocks, dict)):
        """arrays, labels, attributes: as of `make_dataset`, arrays without a sample; samples: of the whole run;
        goes_on: the file is there, of the same run; made: function of `blocks`, gives those with what is computed of
        them, and a function of the attributes that are known at their end."""
        self.path = output_folder(folder) / PART_NAME
        self.rows, self.slots, self.last = 0, 1, -np.inf
        self.labels, self.attributes, self.made = labels, attributes, made
        self.writing, self.ended = None, threading.Event()  # Future of the result file; no sample comes any more
        self.ended.set()
        table = variables("vehicle")
        row = sum(np.dtype(table[name].storage).itemsize * int(np.prod(x.shape[1:])) for name, x in arrays.items())
        require_space(self.path.parent, HEADER + samples * row, f"{samples} samples (run.output_step_s)")
        try:
            if not goes_on:
                self.path.unlink(missing_ok=True)
                write_whole(self.path, lambda target: self._define(target, arrays, samples))
            self.file = open_file(self.path, "r+")
            with LOCK:
                for variable in self.file.variables.values():
                    variable.set_auto_maskandscale(False)
        except (OSError, RuntimeError) as error:
            self._failed(error)
        if goes_on:
            self._take_up({name: values.shape[1:] for name, values in arrays.items()} | {"time": ()}, max(samples, 1))

    def _take_up(self, shapes, samples):
        """See that the file is of this run, and where it ends."""
        try:
            with LOCK:
                if self.file["time"].shape != (samples,):  # not read: a damaged file may say any length
                    raise ValueError
                time = self.file["time"][:]
                self.rows = samples_in(time)
                fit = np.isfinite(time[int(not self.rows) :]).all() and np.all(np.diff(time[: self.rows]) > 0.0)
                for name, shape in shapes.items():
                    found = self.file[name]
                    sizes = dict(zip(found.dimensions, found.shape, strict=True))
                    fit = fit and sizes.pop("time") == samples and sorted(sizes.values()) == sorted(shape)
                if fit and "patch_count" in shapes:
                    self.slots = max(1, int(self.file["patch_count"][: self.rows].max(initial=1)))
        except (OSError, RuntimeError, LookupError, ValueError, TypeError):
            fit = False
        if not fit:
            self.close()
            raise FlexwheelError(f"{self.path}: not the samples of this run; run the scenario again")
        if self.rows:
            self.last = time[self.rows - 1]

    def _define(self, path, arrays, samples):
        with new_file(path) as file, LOCK:
            define(file, self._dataset(arrays, np.zeros(0)), max(samples, 1))
            file["time"][0] = np.nan

    def _dataset(self, arrays, time):
        return make_dataset("vehicle", arrays, self.labels | {"time": time}, False, KILLED, self.attributes)

    def append(self, time, arrays):
        """Write samples; those that are in the file already are left out."""
        new = slice(int(np.searchsorted(time, self.last, side="right")), None)
        time, at = time[new], slice(self.rows, self.rows + len(time[new]))
        if not len(time):
            return
        used = int(arrays["patch_count"].max(initial=1)) if "patch_count" in arrays else 0
        try:
            with LOCK:
                for name, values in arrays.items():
                    variable = self.file[name]
                    if variable.dimensions[0] == "patch":
                        variable[:used, at] = np.moveaxis(values[new][..., :used], -1, 0)
                    else:
                        variable[at] = values[new]
                self.file.sync()
                self.file["time"][at] = time
                self.file.sync()
        except (OSError, RuntimeError) as error:
            self._failed(error)
        self.slots, self.rows, self.last = max(self.slots, used), at.stop, time[-1]  # rows after the room they need
        if self.writing is None and self.rows >= BLOCK:
            self.ended.clear()
            self.writing = ThreadPoolExecutor(1).submit(self._write)

    def _failed(self, error):
        """Raise; a file that holds a sample and opens is left, any other is removed."""
        reason = without_space(self.path.parent) or getattr(error, "strerror", None) or str(error)
        with suppress(OSError, RuntimeError, AttributeError):
            self.close()
        try:
            with LOCK, open_file(self.path) as file:
                left = self.rows > 0 and np.isfinite(file["time"][: self.rows]).all()
        except (OSError, RuntimeError, IndexError):
            left = False
        if not left:
            self.path.unlink(missing_ok=True)
        more = "; it holds what was simulated" if left else ""
        raise FlexwheelError(f"{self.path}: cannot be written: {reason}{more}") from error

    def blocks(self):
        """Datasets of the samples until `ended`, a block each as soon as it is whole; one where there are none."""
        slots = self.slots
        for first in count(0, BLOCK):
            while self.rows < first + BLOCK and not self.ended.wait(LOOK):
                pass
            rows = slice(first, min(first + BLOCK, self.rows))
            if not slots or self.slots != slots:
                raise _MoreSlots
            if first and rows.stop <= first:
                return
            yield whole_part(self._dataset(*self._read(rows)), slots)

    def _read(self, rows):
        """Arrays by name, and times, of a slice of the samples."""
        arrays = {}
        with LOCK:
            for name, variable in self.file.variables.items():
                if "time" in variable.dimensions and name != "time":
                    values = variable[: self.slots, rows] if variable.dimensions[0] == "patch" else variable[rows]
                    arrays[name] = np.moveaxis(values, 0, -1) if variable.dimensions[0] == "patch" else values
            return arrays, self.file["time"][rows]

    def _write(self):
        """The result file, anew where a sample has more patches; None where `close` came before."""
        while self.slots:
            with suppress(_MoreSlots):
                blocks, attributes = self.made(self.blocks())
                return write_blocks(blocks, Path(self.path.parent), attributes)

    def finish(self, kept=None, written=lambda: None):
        """Move the samples to the result file, or wait until the thread that began has; returns its Path.

        kept : Path, optional     where this file waits for a run that is to go on; without it the file goes
        written : callable        called when the result file is whole and before this file goes
        """
        self.ended.set()
        path = self.writing.result() if self.writing else self._write()
        written()
        self.close()
        if kept is not None:
            seal(self.path, kept)
            os.replace(self.path, kept)
        self.path.unlink(missing_ok=True)
        return path

    def leave(self):
        """Close the file of a run that ended otherwise; without a sample it goes."""
        self.close()
        if not self.rows:
            self.path.unlink(missing_ok=True)

    def __del__(self):
        with suppress(Exception):  # of a run that was not closed; at the end of the interpreter half of it may be gone
            LOCK.leave(self.close)

    def close(self):
        """Leave the file as it is."""
        self.slots = 0
        self.ended.set()
        if self.writing:
            wait([self.writing])
        with LOCK:
            if self.file.isopen():
                self.file.close()
