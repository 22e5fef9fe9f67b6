"""Pictures of a run in a process of their own, drawn while the run and those beside it go on.

The process draws mode shapes at once, what shows the run alone when its results are there, and curves of several runs
when all are. It is told by lines on its standard input and ends with it, however that comes; what it says waits in its
standard output. Where anything goes wrong there, the pictures are drawn anew by who asked.
"""

import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from functools import partial

from flexwheel.base.capacity import available_memory, processors
from flexwheel.base.child_python import command
from flexwheel.numerics.kernels.cache import child_environment

ALL = "all"  # line after the last file
LEAST_MEMORY = 4e9
"""[byte] The pictures of 14 s at 10 kHz take 1.2 GB, a run beside them 1.3."""
ENDS = 5.0  # [s] for the process to remove what it has half written
MOST_OPEN = 4096  # file descriptors of a process that is divided


class PictureProcess:
    """The process, asked for the pictures of one run: it begins to load what it needs at once."""

    def __init__(self, known, main=None):
        """known: dict, of the order of `draw_as_they_come.draw_of_files` what is known before the wheelsets are; main:
        what the program does, where the process may divide from this one."""
        self.process, self.known, streams = None, known, {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        if processors() == 1 or available_memory() < LEAST_MEMORY:
            return
        words, streams = command("flexwheel.assess.draw_as_they_come"), streams | {"stderr": subprocess.DEVNULL}
        divided = main is not None and sys.platform == "linux" and threading.active_count() == 1
        with suppress(OSError, subprocess.SubprocessError):
            self.process = subprocess.Popen(
                words,
                **streams,
                text=True,
                env=child_environment(),
                preexec_fn=partial(_drawn_here, main) if divided else None,
                restore_signals=False,  # a write to a process that has ended is no end of this one
            )

    def begin(self, flexible):
        """Draw; flexible: the wheelsets, name -> FlexibleWheelset."""
        keys = {name: item.body.key for name, item in flexible.items()}
        self.take(json.dumps(self.known | {"flexible": keys}))

    def take(self, line):
        """A line for the process: the file of a run that is over."""
        if self.process is not None:
            with suppress(OSError):
                self.process.stdin.write(f"{line}\n")
                self.process.stdin.flush()

    def finished(self, say, report):
        """Wait for the pictures, tell what the process says; whether it made all of them."""
        if self.process is None:
            return False
        self.take(ALL)
        told, made = [], 0
        for line in self.process.stdout:
            with suppress(ValueError):
                item = json.loads(line)
                if isinstance(item, str):
                    told.append(item)
                elif isinstance(item, int):
                    made += item
                else:
                    report(*item)
        if code := self.process.wait():
            say(f"pictures are drawn anew: the process that drew them ended with status {code}")
        else:
            say(*told, f"{made} pictures and files in {self.known['folder']}")
        return self.process.returncode == 0

    def end(self):
        """End the process where it still runs."""
        if self.process is not None:
            self.process.terminate()
            with suppress(OSError):
                self.process.stdin.close()
            try:
                self.process.wait(ENDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()


def _drawn_here(main):
    """What a divided process does in place of the program that Popen would start: draw, with all that is loaded."""
    try:
        os.closerange(3, MOST_OPEN)  # of Popen, which waits for that, and of the run
        sys.stdin = open(0, encoding="utf-8", closefd=False)
        main()
        os._exit(0)
    finally:
        os._exit(1)


@contextmanager
def drawing(scenario, folder, main):
    """A PictureProcess of the run of a scenario.

    Parameters
    ----------
    scenario : Scenario
    folder : Path               for the pictures
    main : callable()           of `draw_as_they_come`
    """
    with suppress(ImportError):  # of an extra; xarray loads it with its first Dataset
        import dask.array  # noqa: F401

    import flexwheel.run.simulation  # noqa: F401 - what the run needs as well is loaded once
    from flexwheel.run.keys.toml_text import scenario_toml
    from flexwheel.vehicle.vehicle_file import read_vehicle

    vehicle = read_vehicle(scenario.vehicle.file).name
    known = {"title": scenario.run.title, "vehicle": vehicle, "scenario": scenario_toml(scenario)}
    process = PictureProcess({"folder": str(folder), "attributes": known}, main)
    try:
        yield process
    finally:
        process.end()
