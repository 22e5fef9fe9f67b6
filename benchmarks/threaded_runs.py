"""Short runs in many threads of one process, each with its files: `python benchmarks/threaded_runs.py 100 100`.

RUNS runs of the AS4 railcar with rigid wheelsets (0.05 s) are made in THREADS threads, each into a folder of its own,
and read again while others write. Printed: seconds, and how many files differ from that of the same run made alone.
Exit code 1 where one does; a crash ends the process.
"""

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import flexwheel as fw
from flexwheel.results.files import loaded

CHANGES = {
    "run.duration_s": 0.05, "run.settling_s": 0.0, "run.compare_modes": [], "track.model": "massless",
    "wheelset.front.formulation": "rigid", "run.checkpoint_s": 0.02,
}  # fmt: skip


def run(folder):
    """Dataset of the run's file; the results that `fw.run` gives stay on the disk and are read as well."""
    found = fw.run(fw.Scenario.example("as4_curve", CHANGES), folder, quiet=True)
    assert found.complete and bool((found.wheel_force.sel(force="Q") > 0.0).all())
    return loaded(Path(folder) / "results.nc")


def main():
    runs, threads = map(int, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as place:
        alone = run(f"{place}/alone")
        begun, cpu = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(run, (f"{place}/{number}" for number in range(runs))))
        differ = sum(not one.equals(alone) for one in found)
    print(f"{runs} runs in {threads} threads: {time.perf_counter() - begun:.1f} s, "
          f"{time.process_time() - cpu:.1f} CPU s; {differ} differ from the run made alone")  # fmt: skip
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
