"""Workers of a study: processes of this machine, or those of a dask cluster that is there.

Local workers are started as programs of their own (`python -m distributed.cli.dask_worker`), one thread each, so that a
script that calls a sweep needs no `if __name__ == "__main__"`; one that dies is replaced, its run is made again.
"""

import importlib.util
import logging
import os
import queue
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from flexwheel.errors import FlexwheelError, ScenarioError
from flexwheel.kernels.cache import child_environment
from flexwheel.study.worker import FAILED, run_task

BYTES_EACH = 1.2e9
"""[byte] A worker with a reduced wheelset of 56,021 nodes holds 0.9 GB at most, while it imports the mesh."""
LOOK = 0.5  # [s] between looks at the workers
FETCH = 2.0  # [s] for some kilobytes
DEATHS = 3  # of each worker, without a run that ended in between, after which a study gives up
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
LOG_NAME = "workers.log"


def usual_workers(runs):
    """Workers where none are asked for: processors of this process, as many as its memory holds and runs there are."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, int(0.8 * memory() / BYTES_EACH), runs))


def memory():
    """Memory of this machine [byte]; endless where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return float("inf")


def require_dask():
    """Refuse where dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise ScenarioError(
            "a study with workers needs dask, which is not installed; expected `pip install 'flexwheel[sweep]'`, or "
            "--workers 0 for one run after the other in this process"
        )


def records(tasks, folder, workers=None, cluster=""):
    """Records of tasks as they end.

    Parameters
    ----------
    tasks : list of Task
    folder : Path           takes the log of the workers
    workers : int           local processes; 0: this process, without dask; None: `usual_workers`
    cluster : str           address of a dask scheduler in place of local processes

    Raises
    ------
    FlexwheelError          workers that die at their start; no such cluster
    """
    if workers == 0 and not cluster:
        for task in tasks:
            yield run_task(task)
        return
    require_dask()
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        if cluster:
            client, watch = stack.enter_context(_there(cluster)), lambda ended: None
        else:
            count = usual_workers(len(tasks)) if workers is None else min(workers, len(tasks))
            client, watch = stack.enter_context(_local(count, Path(folder)))
        ended = queue.SimpleQueue()
        futures = {client.submit(run_task, task, key=f"run-{task.number}", pure=False): task for task in tasks}
        for future in futures:
            future.add_done_callback(ended.put)
        while futures:
            try:
                future = ended.get(timeout=LOOK)
            except queue.Empty:
                watch(False)
                continue
            try:
                record = _record(future, futures[future])
            except TimeoutError:  # it ended with its worker, whose end took the record along: made once more
                ended.put(future)
                watch(False)
                continue
            del futures[future]
            watch(True)
            yield record


def _record(future, task):
    """Record of a run that ended, or of one that took its worker with it too often."""
    if future.cancelled():
        raise FlexwheelError("the dask scheduler is gone; called again, the study goes on where it was")
    error = future.exception(timeout=FETCH)
    if error is None:
        return future.result(timeout=FETCH)
    what = "its worker died, and so did those that tried again (memory?)"
    message = what if type(error).__name__ == "KilledWorker" else f"{type(error).__name__}: {error}"
    return {
        "number": task.number, "status": FAILED, "message": message[:2000], "figures": {}, "seconds": float("nan"),
        "cpu_seconds": float("nan"),
    }  # fmt: skip


@contextmanager
def _quiet():
    """dask's messages on workers that come and go stay out of the terminal."""
    import distributed  # noqa: F401  (sets the levels of its loggers)

    names = [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _there(address):
    from distributed import Client

    try:
        client = Client(address, timeout=20, set_as_default=False)
    except (OSError, ValueError, TypeError, TimeoutError) as error:
        raise FlexwheelError(f"--cluster {address}: no dask scheduler answers there: {error}") from None
    try:
        yield client
    finally:
        client.close()


@contextmanager
def _local(count, folder):
    """Client of a scheduler in this process, and a function that sees to its workers."""
    from distributed import Client, LocalCluster

    options = dict(n_workers=0, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address="127.0.0.1:0")
    with ExitStack() as stack:
        log = stack.enter_context(open(folder / LOG_NAME, "a", encoding="utf-8"))
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="flexwheel-"))
        cluster = stack.enter_context(LocalCluster(**options))
        processes = [_start(cluster.scheduler_address, log, scratch) for _ in range(count)]
        stack.callback(_stop, processes)
        client = stack.enter_context(Client(cluster, set_as_default=False))
        deaths = 0

        def watch(ended):
            nonlocal deaths
            deaths = 0 if ended else deaths
            for k, process in enumerate(processes):
                if process.poll() is not None:
                    deaths += 1
                    if deaths > DEATHS * count:
                        raise FlexwheelError(f"workers die one after the other; their last words are in {log.name}")
                    processes[k] = _start(cluster.scheduler_address, log, scratch)

        yield client, watch


def _start(address, log, scratch):
    """A worker process; it ends when its scheduler is gone."""
    command = [
        sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny",
        "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30", "--local-directory", scratch,
    ]  # fmt: skip
    environment = {**child_environment(), **ONE_THREAD}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # flexwheel is found where it is here
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)


def _stop(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(5.0)
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()
