"""Processor time and memory of reductions, earlier versions and CalculiX beside; the first and the second run.

    python benchmarks/reduction.py [NAME=CLONE ...] [--large] [--holes] [--calculix] [--runs] [--rounds 2] [--write]

Each reduction is a process of its own that imports Python's modules, reads the mesh and makes the whole reduced body
(free modes, journal shapes, residuals, prestress, rows of treads and control nodes) on one thread; kernels are compiled
before. The least processor time of the rounds counts, user and system; --rounds 0
leaves the shipped mesh out. --large: 300,213 nodes of quadratic elements.
--holes: wheels with ten holes by either route in turn, the reduction alone, user time; with --large 209,241 nodes too.
--calculix: *FREQUENCY of the free shipped mesh by `ccx` (Debian calculix-ccx), fully integrated elements, as many modes
as ours finds, nothing else of a reduction. --runs: `flexwheel run` of 0.05 s with empty caches, then again.
--write files the table in docs/speed.md.
"""

import argparse
import json
import os
import platform
import re
import sys
import tempfile
import time
from pathlib import Path

from machine import processor
from speed import HERE, named, put

ROOT = Path(__file__).resolve().parents[1]
MESH = ROOT / "meshes" / "wheelset.inp"
OURS = """
import json, sys
from dataclasses import replace
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
path, route, full = sys.argv[1:]
if path == "large":
    from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["paper"], sectors=252), order=2)
else:
    from flexwheel.body.mesh_format import read_mesh
    mesh = read_mesh(path)[0]
elements = FormulationOptions(hex8="full", wedge6="reduced") if full else FormulationOptions()
body = reduce_wheelset(mesh, ReductionOptions(route=route, formulation=elements))
print(json.dumps(sorted(body.frequency_hz.tolist())))
"""
HOLES = """
import json, os, sys, time
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from tests.holed_wheelset import holed_wheelset
route, order = sys.argv[1], int(sys.argv[2])
options = ReductionOptions(route=route, control=("web_fillet_right", "web_rim_left"))
reduce_wheelset(holed_wheelset(5, sectors=15, order=order), options)  # kernels are compiled, or read
mesh = holed_wheelset(10, sectors=180, order=order, refinement="paper")
begun, before = time.perf_counter(), os.times()
body = reduce_wheelset(mesh, options)
after = os.times()
print(json.dumps([after[0] - before[0], after[1] - before[1], time.perf_counter() - begun, len(mesh.nodes)]))
"""
RUN = """
import time
import flexwheel.vehicle.step.simulate as module
loop, ended = module.simulate, []
def timed(*arguments, **options):
    try:
        return loop(*arguments, **options)
    finally:
        ended.append(time.time())
module.simulate = timed
from flexwheel.face.cli import main
try:
    main()
finally:
    print(f"\\nfirst loop {ended[0]}")
"""


def measured(command, folder=ROOT, cache=None, **keys):
    """Text that a command printed, processor time [s], elapsed time [s] and peak memory [GB] of its process."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(folder)}
    if cache:
        environment |= {"NUMBA_CACHE_DIR": f"{cache}/numba", "FLEXWHEEL_CACHE": f"{cache}/bodies"}
    with tempfile.TemporaryFile("w+") as out:
        begun = time.perf_counter()
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1)]
        with tempfile.TemporaryDirectory() as place:
            here = os.getcwd()
            os.chdir(keys.get("cwd", place))
            try:
                child = os.posix_spawnp(command[0], command, environment, file_actions=actions)
            finally:
                os.chdir(here)
            _, status, used = os.wait4(child, 0)
        if status:
            raise SystemExit(f"{command[:3]}: exit status {os.waitstatus_to_exitcode(status)}")
        out.seek(0)
        return out.read(), used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss / 1e6


def reduction(rounds, folder, cache, *case):
    """Frequencies [Hz], and processor time, elapsed time and memory of the quickest of the rounds."""
    command = [sys.executable, "-c", OURS, *case]
    done = [measured(command, folder, cache) for _ in range(rounds)]
    text, *figures = min(done, key=lambda d: d[1])
    return json.loads(text), figures


def holes(rounds, versions, orders):
    """Lines on meshes with ten holes: least user time of the rounds by version and route, taken in turn."""
    lines = ["", "| ten holes, nodes | version | route | user, s | system, s | elapsed, s | general over this |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for order in orders:
        found = {(version, route): [] for version in versions for route in ("cyclic", "general")}
        for _ in range(rounds):
            for version, route in found:
                command = [sys.executable, "-c", HOLES, route, str(order)]
                found[version, route].append(json.loads(measured(command, *versions[version])[0]))
        for (version, route), times in found.items():
            user, system, elapsed, nodes = min(times)
            ratio = min(found[version, "general"])[0] / user
            figures = " | ".join(f"{x:.3g}" for x in (user, system, elapsed, ratio))
            lines.append(f"| {nodes:,} | {version} | {route} | {figures} |")
            print(lines[-1], flush=True)
    return lines


def calculix(modes):
    """Frequencies [Hz] of the elastic modes of the shipped mesh, and figures as of `reduction`."""
    with tempfile.TemporaryDirectory() as folder:
        end = f"*STEP\n*FREQUENCY\n{modes + 6}\n*NODE PRINT, NSET=TREAD_LEFT, FREQUENCY=1000\nU\n*END STEP\n"
        (Path(folder) / "free.inp").write_text(f"{MESH.read_text()}\n{end}")
        _, *figures = measured(["ccx", "-i", "free"], cwd=folder)
        text = (Path(folder) / "free.dat").read_text()
    rows = re.findall(r"^ +\d+ +\S+ +\S+ +(\S+) +\S+$", text, flags=re.M)
    return [float(value) for value in rows[: modes + 6]][6:], figures


def runs(folder):
    """Of a run of 0.05 s with empty caches, and of the next: elapsed [s] to the end of its first time loop, and
    processor time, elapsed time and memory as of `measured`; both processes of the first."""
    command = [sys.executable, "-c", RUN, "run", f"{folder}/examples/as4_curve.toml", "--set", "run.duration_s=0.05"]
    found = []
    with tempfile.TemporaryDirectory() as cache:
        for k in range(2):
            begun = time.time()
            text, *figures = measured([*command, "--out", f"{cache}/out{k}"], folder, cache)
            found.append((float(text.split()[-1]) - begun, figures))
    return found


def main():
    """Measure what is asked for; prints, and with --write files the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="*", type=named)
    for name in ("large", "holes", "calculix", "runs", "write"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    machine = f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    asked = " ".join(
        [f"{name}=CLONE" for name, _ in options.clones] + [a for a in sys.argv[1:] if a in ("--large", "--holes")]
    )
    lines = [f"`python benchmarks/reduction.py {asked}`".replace(" `", "`") + f" on {machine}.", ""]
    lines += ["| | version | processor time, s | elapsed, s | peak memory, GB |", "|---|---|---|---|---|"]

    def row(label, version, figures):
        lines.append(f"| {label} | {version} | " + " | ".join(f"{x:.3g}" for x in figures) + " |")
        print(lines[-1], flush=True)

    versions = {HERE: (ROOT, None)} | dict(options.clones)
    for route in ("cyclic", "general") if options.rounds else ():
        for version, (folder, cache) in versions.items():
            measured(
                [sys.executable, "-c", OURS, str(ROOT / "meshes" / "wheelset_coarse.inp"), route, ""], folder, cache
            )
            row(
                f"shipped mesh, {route} route",
                version,
                reduction(options.rounds, folder, cache, str(MESH), route, "")[1],
            )
    if options.holes:
        lines += holes(max(options.rounds, 1), versions, (1, 2) if options.large else (1,))
    elif options.large:
        found, figures = reduction(1, ROOT, None, "large", "general", "")
        row(f"300,213 quadratic nodes, general route, {len(found)} modes", HERE, figures)
    if options.runs:
        for version, (folder, _) in versions.items():
            for label, (loop, figures) in zip(("first", "second"), runs(folder), strict=True):
                row(f"{label} run, 0.05 s of the AS4; first loop over after {loop:.1f} s", version, figures)
    if options.calculix:
        ours, figures = reduction(1, ROOT, None, str(MESH), "general", "full")
        ours = [f for f in ours if f < 2000.0]
        row("fully integrated elements, general route", HERE, figures)
        theirs, figures = calculix(len(ours))
        off = max(abs(a / b - 1.0) for a, b in zip(ours, theirs, strict=True))
        row(f"{len(ours)} free modes below 2000 Hz alone, within {100 * off:.2f} % of ours", "CalculiX", figures)
    if options.write:
        put("reduction", lines)


if __name__ == "__main__":
    main()
