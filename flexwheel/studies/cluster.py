"""Runs of a study on the workers of a dask cluster that the user has started (extra `cluster`).

This package opens no port and starts no scheduler: it is a client of the one whose address it is given. Whoever
reaches that address can run code on the workers; docs/cluster.md says how to close it.
"""

from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import flexwheel
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.studies.worker import Task, run_task
from flexwheel.studies.workers import record_of_a_killer

CONNECT = 30.0  # [s] for the scheduler to answer
FIRST_WORKER = 600.0  # [s] for the first worker, which may wait in the queue of a batch system


def cluster_records(tasks, scheduler):
    """Records of tasks as they end, made by the workers of a dask scheduler; as `workers.records`.

    Parameters
    ----------
    tasks : list of Task
    scheduler : str         address, as tcp://host:8786, or path of a scheduler's file (.json)

    Raises
    ------
    ScenarioError           the extra is not installed, nothing answers at the address, no worker came
    FlexwheelError          a worker of another version or with several threads, a scheduler that went away
    """
    with _client(scheduler) as client:
        from distributed import as_completed

        numbers = {}
        for task in tasks:
            words = asdict(task), flexwheel.__version__
            numbers[client.submit(_record, *words, pure=False)] = task
        try:
            for future in as_completed(numbers, loop=client.loop):
                yield _outcome(future, numbers[future], scheduler)
        finally:
            client.cancel(list(numbers), force=True)


@contextmanager
def _client(scheduler):
    """A client of a scheduler that has a worker."""
    try:
        from distributed import Client
    except ImportError:
        raise ScenarioError('--scheduler needs dask: pip install "flexwheel[cluster]"') from None
    where = {"scheduler_file": scheduler} if scheduler.endswith(".json") else {"address": scheduler}
    if "scheduler_file" in where and not Path(scheduler).is_file():
        raise ScenarioError(f"--scheduler must be an address or a scheduler's file that exists, got {scheduler}")
    try:
        client = Client(**where, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        said = " ".join(str(error).split())
        raise ScenarioError(f"--scheduler {scheduler}: no dask scheduler answers there: {said}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError:
            raise ScenarioError(f"--scheduler {scheduler}: no worker came within {FIRST_WORKER:g} s") from None
        yield client


def _record(words, version):
    """Record of a task, in a worker."""
    from distributed import get_worker

    if version != flexwheel.__version__:
        raise ScenarioError(f"its flexwheel must be {version} as that of the study, got {flexwheel.__version__}")
    threads = get_worker().state.nthreads
    if threads != 1:  # compiled kernels and the reduced bodies of a process are for one run at a time
        raise ScenarioError(f"it must have one thread (dask worker --nthreads 1), got {threads}")
    return run_task(Task(**words | {"overrides": tuple(words["overrides"])}))


def _outcome(future, task, scheduler):
    """Record of a future that is done."""
    from distributed import KilledWorker

    if future.status == "cancelled":
        raise FlexwheelError(f"--scheduler {scheduler}: the scheduler went away")
    try:
        return future.result()
    except KilledWorker:
        return record_of_a_killer(task)
    except Exception as error:  # of a worker that cannot run anything
        said = " ".join(str(error).split())
        raise FlexwheelError(f"--scheduler {scheduler}: a worker refused: {said or type(error).__name__}") from None
