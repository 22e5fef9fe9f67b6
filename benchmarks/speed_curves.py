"""Cost of a step against the sizes of a model, and what its floating-point operations alone would take.

Called by `python benchmarks/speed.py --curves`. Each point is one process; pieces of the run as in speed_case.py, the
least of each over the rounds.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from arithmetic import dgemm_rate, operations

ROOT = Path(__file__).resolve().parents[1]
AS4, COACH = ROOT / "examples" / "as4_curve.toml", ROOT / "examples" / "manchester_flexible.toml"
COARSE = f'wheelset.front.mesh="{ROOT / "meshes" / "wheelset_coarse.inp"}"'
PIECES, PIECE, ROUNDS = 4, 0.05, 2


def point(path, *overrides):
    """Microseconds a step of a scenario; iterations, unknowns and rail nodes with it."""
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from speed_case import vehicle;"
        f"print(json.dumps([vehicle(sys.argv[2], sys.argv[3:], {PIECE}, {PIECES}) for _ in range({ROUNDS})]))"
    )
    place = [sys.executable, "-c", code, str(ROOT / "benchmarks"), str(path), *overrides]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(place, env=environment, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip().splitlines()[-1])
    rounds = json.loads(done.stdout.splitlines()[-1])
    pieces = [min(x) for x in zip(*(r["seconds"] for r in rounds), strict=True)]
    return 1e6 * sum(pieces) / len(pieces) / rounds[0]["steps"], rounds[0]


def mesh_of(refinement, folder):
    """Mesh file of one refinement of the shipped section, and its number of nodes."""
    shipped = {"coarse": ("wheelset_coarse.inp", 2955), "paper": ("wheelset.inp", 56021)}
    if refinement in shipped:
        name, nodes = shipped[refinement]
        return ROOT / "meshes" / name, nodes
    section, stem = ROOT / "meshes" / "wheelset_section.toml", Path(folder) / refinement
    command = [sys.executable, "-m", "flexwheel.verification.meshes.mesh_writers", str(section), refinement, str(stem)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    return stem.with_suffix(".inp"), 15697


def curves(folder):
    """Title of each curve: (what the sizes are, [(size, microseconds a step, iterations)])."""
    single = [AS4, "run.compare_modes=[]"]

    def modes():
        for count in (0, 15, 35, 60, 100):
            cost, seen = point(*single, COARSE, f"wheelset.front.fixed_interface_modes={count}")
            yield max(n - m for m, n in zip(seen["units"], seen["units"][1:], strict=False)) - 8, cost, seen

    def wheelsets():
        for count in range(5):
            rigid = [f"wheelset.wheelset_{k + 1}.formulation=rigid" for k in range(count, 4)]
            coarse = [f'wheelset.wheelset_{k + 1}.mesh="{mesh_of("coarse", folder)[0]}"' for k in range(count)]
            yield count, *point(COACH, *rigid, *coarse)

    def bays():
        for margin in (20, 40, 65, 100, 160, 250):
            cost, seen = point(*single, COARSE, f"track.window_margin_bays={margin}")
            yield seen["bays"], cost, seen

    def length():
        for seconds in (0.5, 1, 2, 4, 8):
            long = f"run.duration_s={seconds}"
            cost, seen = point(*single, COARSE, 'track.extent="full_length"', long)
            yield seen["bays"] * 0.6, cost, seen

    def nodes():
        for refinement in ("coarse", "medium", "paper"):
            mesh, count = mesh_of(refinement, folder)
            yield count, *point(*single, f'wheelset.front.mesh="{mesh}"')

    return {
        "modes": ("modes of the front wheelset", modes),
        "flexible wheelsets": ("flexible wheelsets of the coach's four", wheelsets),
        "bays": ("bays of the window", bays),
        "track length": ("track length [m], modelled whole", length),
        "mesh nodes": ("nodes of the mesh", nodes),
    }


def patches():
    """(patches, microseconds of one call of the contact law) of single poses."""
    from contact import POSES, main

    times = main(2000, 10)
    held = {"lifted": 0, "tread, centred": 1, "tread, 1 mm": 1, "gauge corner, two patches": 2, "flange": 1}
    return [(held[name], times[name], None) for name in POSES]


def draw(found, path):
    """Picture of all curves."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(11, 6.5), layout="constrained")
    for axis, (name, (label, points)) in zip(axes.flat, found.items(), strict=True):
        x, y = [p[0] for p in points], [p[1] for p in points]
        axis.plot(x, y, "o" if name == "patches" else "o-", color="tab:blue")
        axis.set(xlabel=label, ylabel="us a call" if name == "patches" else "us a step", ylim=(0, 1.15 * max(y)))
        if name == "mesh nodes":
            axis.set_xscale("log")
            axis.set_xticks(x, [f"{n:,}" for n in x])
            axis.minorticks_off()
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def measure_curves(images):
    """Lines of the tables; the picture goes into the folder `images`, if any."""
    lines, found = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (label, measured) in curves(folder).items():
            rows = []
            for size, cost, seen in measured():
                rows.append((size, cost, seen))
                print(f"{name}: {size:g}: {cost:.1f} us, {seen['iterations']:.2f} iterations", flush=True)
            found[name] = label, rows
    found["patches"] = "patches of one wheel", patches()
    lines += ["| varied | us a step (iterations a step) at each size |", "|---|---|"]
    for name, (label, rows) in found.items():
        shown = [f"{n:g}: {c:.1f}" + (f" ({s['iterations']:.2f})" if s else "") for n, c, s in rows]
        lines.append(f"| {label}{', a call of the contact law' if name == 'patches' else ''} | {'; '.join(shown)} |")
    if images is not None:
        draw(found, images / "speed_curves.png")
        lines += ["", "![cost of a step against sizes](images/speed_curves.png)"]
    lines += ["", *arithmetic_lines()]
    return lines


def arithmetic_lines():
    """Table of the operations of a step of the AS4, and the time at the rate of this machine's matrix product."""
    cost, seen = point(AS4, "run.compare_modes=[]")
    rate = dgemm_rate()
    parts = operations(AS4, seen["iterations"])
    lines = [
        f"One core multiplies matrices at {1e-9 * rate:.0f} Gflop/s (dgemm of 512); operations of a step of the AS4,",
        "counted by formula (`benchmarks/arithmetic.py`; a fused one is two):",
        "",
        "| part | kflop a step | us at that rate |",
        "|---|---|---|",
        *[f"| {name} | {1e-3 * n:.1f} | {1e6 * n / rate:.2f} |" for name, n in parts.items()],
        f"| all of these | {1e-3 * sum(parts.values()):.0f} | {1e6 * sum(parts.values()) / rate:.1f} |",
        f"| measured | - | {cost:.1f} |",
    ]
    print("\n".join(lines), flush=True)
    return lines
