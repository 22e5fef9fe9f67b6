"""Workers of a study: child processes of this one, asked over pipes.

A worker is a program of its own (studies/worker.py), with one thread, so that a script that calls a sweep needs no
`if __name__ == "__main__"`. A request is a line of JSON to its standard input, the record a line from its standard
output; no port is opened, and nobody else holds an end of either. One that dies is replaced, its run is made again;
all end with this process, however that ends.
"""

import json
import os
import queue
import subprocess
import threading
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from flexwheel.base.capacity import processors
from flexwheel.base.child_python import command
from flexwheel.base.errors import FlexwheelError
from flexwheel.numerics.kernels.cache import child_environment
from flexwheel.studies.worker import FAILED, READY, run_task

BYTES_EACH = 1.2e9
"""[byte] A worker with a reduced wheelset of 56,021 nodes holds 0.9 GB at most, while it imports the mesh."""
LOOK = 0.5  # [s] after which a wait is begun anew: on Windows Ctrl-C does not end one
DEATHS = 3  # of each worker, without a run that ended in between, after which a study gives up; and runs made again
ENDS = 5.0  # [s] for a worker to end when its input has
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
LOG_NAME = "workers.log"


def usual_workers(runs):
    """Workers where none are asked for: processors of this process, as many as its memory holds and runs there are."""
    return max(1, min(processors(), int(0.8 * memory() / BYTES_EACH), runs))


def memory():
    """Memory of this machine [byte]; endless where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return float("inf")


def records(tasks, folder, workers=None):
    """Records of tasks as they end.

    Parameters
    ----------
    tasks : list of Task
    folder : Path           takes the log of the workers
    workers : int           processes; 0: this one; None: `usual_workers`

    Raises
    ------
    FlexwheelError          workers that die at their start
    """
    if workers == 0:
        for task in tasks:
            yield run_task(task)
        return
    count = usual_workers(len(tasks)) if workers is None else min(workers, len(tasks))
    with _staff(count, Path(folder)) as staff:
        waiting, tries, left = deque(tasks), dict.fromkeys((task.number for task in tasks), 0), len(tasks)
        while left:
            worker, line = staff.next()
            record = None
            if line is None:
                if (task := worker.task) is not None:
                    tries[task.number] += 1
                    if tries[task.number] > DEATHS:
                        record = record_of_a_killer(task)
                    else:
                        waiting.appendleft(task)
                staff.replace(worker, counted=record is None)
            elif line.strip() != READY:
                record, worker.task = json.loads(line), None
            else:
                worker.ready = True
            staff.give(waiting)
            if record is not None:
                left -= 1
                staff.deaths = 0
                yield record


def record_of_a_killer(task):
    """Record of a run that took its worker with it too often."""
    nan = float("nan")
    words = "its worker died, and so did those that tried again (memory?)"
    return {
        "number": task.number, "status": FAILED, "message": words, "figures": {}, "seconds": nan, "cpu_seconds": nan
    }  # fmt: skip


class _Worker:
    """A process, whether it has said that it is ready, and the task it is at."""

    def __init__(self, process):
        self.process, self.ready, self.task = process, False, None


class _Staff:
    """The workers of a study; what they say, and their ends, come one after the other (`next`)."""

    def __init__(self, log):
        self.log, self.said, self.members, self.deaths = log, queue.SimpleQueue(), [], 0

    def add(self):
        """Start a worker."""
        worker = _Worker(_start(self.log))
        self.members.append(worker)
        threading.Thread(target=self._listen, args=(worker,), daemon=True).start()

    def _listen(self, worker):
        with suppress(OSError, ValueError):
            for line in worker.process.stdout:
                if line.endswith("\n"):  # without: it died as it wrote
                    self.said.put((worker, line))
        self.said.put((worker, None))

    def next(self):
        """(worker, line) as soon as one says something; line None: it has died."""
        while True:
            with suppress(queue.Empty):
                return self.said.get(timeout=LOOK)

    def replace(self, worker, counted):
        """Another one for a worker that died; FlexwheelError where one dies after the other."""
        _stop([worker.process])
        self.members.remove(worker)
        self.deaths += counted
        if self.deaths > DEATHS * (len(self.members) + 1):
            raise FlexwheelError(f"workers die one after the other; their last words are in {self.log.name}")
        self.add()

    def give(self, waiting):
        """Hand tasks to those that have none."""
        for worker in self.members:
            if waiting and worker.ready and worker.task is None:
                worker.task = waiting.popleft()
                with suppress(OSError):  # it has died, which `next` will tell
                    worker.process.stdin.write(json.dumps(asdict(worker.task)) + "\n")
                    worker.process.stdin.flush()


@contextmanager
def _staff(count, folder):
    """Workers, who end with the block."""
    with open(folder / LOG_NAME, "a", encoding="utf-8") as log:
        staff = _Staff(log)
        try:
            for _ in range(count):
                staff.add()
            yield staff
        finally:
            _stop([worker.process for worker in staff.members])


def _start(log):
    """A worker process; it ends when its standard input does."""
    return subprocess.Popen(
        command("flexwheel.studies.worker"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, encoding="utf-8",
        env={**child_environment(), **ONE_THREAD},
    )  # fmt: skip


def _stop(processes):
    for process in processes:
        with suppress(OSError):
            process.stdin.close()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDS)
        if process.poll() is None:
            process.kill()
            process.wait()
