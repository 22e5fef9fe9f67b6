"""What a study costs beside its runs, and how well workers share it: `python benchmarks/sweep.py [--runs 200]`.

The same study of short runs (AS4 railcar, flexible front wheelset of the coarse or full mesh, flexible track, speed and
seed varied) with 1, 2, .. workers, and its runs one after the other in this process. Printed: wall and CPU
seconds a run, efficiency (wall of one worker over n times that of n), overhead of the study for each run (wall of one
worker less the wall of the bare runs, start of the worker included; by CPU: of the workers, less that within the runs),
memory of the largest worker, kilobytes sent. Everything is compiled and reduced before the first one. CPU seconds count
where the machine is shared.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from flexwheel.base.shipped import MESHES
from flexwheel.studies import workers as room
from flexwheel.studies.plan import planned_runs, study_of
from flexwheel.studies.sweep_study import Workforce, sweep
from flexwheel.studies.worker import Task, run_task


def study(runs, seconds, mesh):
    """The study: a Latin hypercube of speed and friction."""
    from flexwheel.face.scenario import Scenario

    changes = {
        "run.duration_s": seconds, "run.settling_s": 0.2, "run.compare_modes": [],
        "wheelset.front.mesh": str(MESHES / mesh),
    }  # fmt: skip
    vary = [
        {"key": "run.speed_kmh", "low": 60.0, "high": 100.0},
        {"key": "contact.friction", "low": 0.2, "high": 0.4},
    ]
    plan = {"sampling": "latin_hypercube", "runs": runs}
    figures = [{"of": "wheel_force", "where": {"force": force}, "take": "max"} for force in ("Q", "Y")]
    tables = {"study": plan, "vary": vary, "figure": figures}
    return study_of(Scenario.example("as4_curve", changes).source, tables)


def tasks_of(plan):
    """Tasks as `sweep` makes them."""
    figures = json.dumps([figure.model_dump(mode="json", exclude_unset=True) for figure in plan.file.figure])
    path = str(plan.base.path)
    return [Task(run.number, plan.base.text, path, run.overrides, figures) for run in planned_runs(plan)]


def measured(plan, count):
    """Wall seconds of a study with that many workers, CPU seconds of them, mean CPU of a run, largest memory [MB]."""
    largest, kept = [0], room._stop

    def stop(processes):
        for process in processes:
            status = Path(f"/proc/{process.pid}/status")
            if status.is_file():
                peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
                largest[0] = max(largest[0], int(peak.split()[1]) / 1e3)
        kept(processes)

    room._stop = stop
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        found = sweep(plan, folder, Workforce(count))
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    room._stop = kept
    assert (found.status.values == "complete").all(), found.message.values
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, float(found.cpu_seconds.mean()), largest[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0, help="simulated by each run")
    parser.add_argument("--workers", default="1,2", help="numbers of workers")
    parser.add_argument("--mesh", default="wheelset_coarse.inp")
    chosen = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    plan = study(chosen.runs, chosen.seconds, chosen.mesh)
    begun = time.perf_counter()
    tasks = tasks_of(plan)
    print(f"{len(tasks)} runs planned and checked in {time.perf_counter() - begun:.2f} s; "
          f"{len(json.dumps(asdict(tasks[0]))) / 1e3:.1f} kB sent for each")  # fmt: skip
    run_task(tasks[0])  # compiled, reduced, loaded
    begun, cpu = time.perf_counter(), time.process_time()
    bare = min(10, len(tasks))
    for task in tasks[:bare]:
        run_task(task)
    wall, cpu = (time.perf_counter() - begun) / bare, (time.process_time() - cpu) / bare
    print(f"bare, in this process: {wall:.3f} s wall, {cpu:.3f} s CPU a run")
    print(f"{'workers':>8}{'wall [s]':>10}{'CPU a run [s]':>15}{'in its run':>12}{'overhead [s]':>14}{'by CPU':>9}"
          f"{'efficiency':>12}{'by CPU':>9}{'memory [MB]':>13}")  # fmt: skip
    one = None
    for count in map(int, chosen.workers.split(",")):
        took, spent, inside, memory = measured(plan, count)
        one = one or (took, spent)
        runs = len(tasks)
        print(f"{count:8d}{took:10.1f}{spent / runs:15.3f}{inside:12.3f}{count * took / runs - wall:14.3f}"
              f"{spent / runs - inside:9.3f}{one[0] / (count * took):12.3f}{one[1] / spent:9.3f}{memory:13.0f}",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
