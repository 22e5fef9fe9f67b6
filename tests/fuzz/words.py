"""Makers of cases from the command line: file names, options, small disks, signals."""

from __future__ import annotations

import resource
import signal
from functools import cache

from . import bases
from .doors import BASES, run_of
from .judge import Case
from .mutate import pick, toml

NAMES = [
    "/dev/zero", "/dev/null", "/dev/stdin", "/dev/full", "/proc/self/mem", "/", ".", "..", "", " ", "nowhere.toml",
    "x" * 300, "x" * 5000, "~nouser/x.toml", "~", "a\nb", "\u00e9.toml", "-", "--", "FIFO", "FOLDER", "UNREADABLE",
    "LOOP",
    "SOCKET",
]  # fmt: skip


ON_A_FILE = (
    "check", "converge", "fatigue", "report", "response", "safety", "sensitivity", "stress", "twist", "vibration",
)  # fmt: skip


def names(rng, folder):
    """File names that are no files, for every argument that is one."""
    import os
    import socket

    name = pick(rng, NAMES)
    special = folder / "special.toml"
    if name == "FIFO":
        os.mkfifo(special)
    elif name == "FOLDER":
        special.mkdir()
    elif name == "UNREADABLE":
        special.write_text("x = 1")
        special.chmod(0)
    elif name == "LOOP":
        special.symlink_to(special)
    elif name == "SOCKET":
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(special)[:100])
    given = str(special) if name.isupper() else name
    scenario = folder / "s.toml"
    tree = bases.flexible_run() if rng.random() < 0.5 else bases.coach_run()
    scenario.write_text(toml(tree))
    box = folder / "box.inp"
    box.write_text(bases.box_inp())
    steel = ["-E", "2.1e11", "--nu", "0.3", "--rho", "7850"]
    keys = [
        "vehicle.file",
        "contact.wheel_profile",
        "contact.rail_profile",
        "irregularity.file",
        "irregularity.roughness",
        "track.support",
        "track.rail",
        "track.foundation.mesh",
        "wheelset.front.mesh",
    ]
    commands = [
        ["run", given, "--out", folder / "out", "-q"],
        ["run", scenario, "--out", given, "-q"],
        ["view", given],
        ["eigen", given],
        ["modes", given, *steel],
        ["modes", box, "-o", given],
        ["static", given, "--clamp", "y=0", "--load", "8:z:1"],
        ["reduce", given],
        ["conicity", given],
        ["contact", "--wheel", given],
        ["contact", "--rail", given],
        ["realtime-pace", given],
        ["realtime-export", given, "--out", folder / "x"],
        ["realtime-tables", given, "--steps", "5"],
        ["examples", given, "--to", folder / "x"],
        ["examples", "train_2", "--to", given],
        ["run", "--resume", given],
        ["sweep", given, "--out", folder / "x", "--workers", "0"],
        ["wear", given, "--out", folder / "x"],
        ["wear", scenario, "--out", given, "--batches", "1"],
        ["wear", scenario, "--out", folder / "x", "--law", given, "--batches", "1"],
        ["fmu", given, "--out", folder / "x.fmu", "--sources-only"],
        ["fmu", scenario, "--out", given, "--sources-only"],
        ["en13979", given, "--wheel-load-kn", "60"],
        *[[name, given] for name in ON_A_FILE],
        *[["run", scenario, "--out", folder / "out", "-q", "--set", f"{key}={given}"] for key in keys],
    ]
    command = pick(rng, commands)
    if name == "." and "--out" in command and given in command:
        command = ["view", given]
    at = next((k for k, word in enumerate(command) if word == given), len(command) - 1)
    return Case("name", f"{command[0]}, {str(command[at])[:60]!r} at {at}", command, folder, folder / "out")


@cache
def _options():
    """Options of every command: name -> [(flag, takes a value)]."""
    import typer

    from flexwheel.face.cli import make_app

    group = typer.main.get_command(make_app())
    found = {}
    for name, command in group.commands.items():
        found[name] = [
            (p.opts[0], not getattr(p, "is_flag", False)) for p in command.params if p.opts[0].startswith("-")
        ]
    return found


CREEP = ["--a-mm", "6", "--b-mm", "4", "--load-kn", "60", "--mu", "0.3", "--xi", "0.001"]
WORDS = [
    "0", "-1", "1", "3", "nan", "inf", "1e300", "1e-300", "9" * 400, "", " ", "x", "1:2", "1:2:0", "2:1:1",
    "0:1e9:1e-9", "1:2:nan", "1,2,",
    "y=0", "y=", "=", "|y|=1", "y<nan", "8:z:1", "8:q:1", "999:z:1", "8:z:nan", "8:z:1e300", "true",
    "both", "left", "mm", "1:40", "1:0", "\u00e9", "full", "lumped",
    "fastsim", "polach", "hertz", "semi_hertzian", "park", "0.3", "0.5", "-0.5", "50", "1e6",
]  # fmt: skip


def command_lines(rng, folder):
    """Options of every command, in any number, with any word."""
    scenario, table, box = folder / "s.toml", folder / "d.csv", folder / "box.inp"
    scenario.write_text(toml(bases.coach_run()))
    (folder / "r.toml").write_text(toml(bases.realtime_run()))
    (folder / "study.toml").write_text(
        '[study]\nscenario = "s.toml"\nset = ["run.settling_s=0"]\n[[vary]]\nkey = "run.speed_kmh"\nvalues = [30.0]\n'
        '[[figure]]\nof = "wheel_force"'
    )
    table.write_text(bases.delta_r_csv())
    box.write_text(bases.box_inp())
    good = {
        "run": ["run", scenario, "--out", folder / "out", "-q"],
        "eigen": ["eigen", scenario, "--speeds-kmh", "40,80", "--no-critical"],
        "conicity": ["conicity", table],
        "contact": ["contact", "--lateral-shift-mm", "0", "--normal", "semi_hertzian"],
        "creep": ["creep", "--method", pick(rng, ["linear", "fastsim", "polach"]), *CREEP],
        "modes": ["modes", box, "-n", "6"],
        "static": ["static", box, "--clamp", "y=0", "--load", "8:z:100"],
        "reduce": ["reduce", box],
        "view": ["view", folder],
        "verify": ["verify", "--list"],
        "realtime-pace": ["realtime-pace", folder / "r.toml", "--duration", "0.05"],
        "realtime-export": ["realtime-export", folder / "r.toml", "--out", folder / "x", "--steps", "2"],
        "realtime-tables": ["realtime-tables", folder / "r.toml", "--steps", "5"],
        "detection-train": ["detection-train", "--file", folder / "x.npz", "--radius-m", "-5"],
        "detection-compare": ["detection-compare", "--configurations", "0"],
        "check": ["check", scenario],
        "schema": ["schema"],
        "examples": ["examples", "train_2", "--to", folder / "e"],
        "sweep": ["sweep", folder / "study.toml", "--out", folder / "out", "--workers", "0"],
        "wear": ["wear", scenario, "--out", folder / "out", "--batches", "1"],
        "fmu": ["fmu", scenario, "--out", folder / "x.fmu", "--sources-only"],
        "twist": ["twist", scenario],
        "converge": ["converge", scenario, "--seconds", pick(rng, ["0", "-1", "nan", "x", "1e300"])],
        "": [],
    }  # fmt: skip
    name = pick(rng, ["run", "eigen", "conicity", "contact", "creep", "creep", "contact", "static", "modes", *good])
    words = list(good[name])
    if name and rng.random() < 0.1:
        words = words[: int(rng.integers(len(words) + 1))]
    for _ in range(int(pick(rng, [1, 1, 2, 3]))):
        options = _options().get(name) or [("--version", False)]
        flag, valued = (
            pick(rng, options)
            if rng.random() < 0.92
            else (pick(rng, ["--nonsense", "-z", "--", "-", "--help", "--version"]), rng.random() < 0.5)
        )
        if name == "verify" and flag not in ("--only", "--json", "--table"):
            flag, valued = "--only", True
        if flag in ("--out", "-o", "--output", "--file", "--table"):
            words += [flag, pick(rng, [folder / "o", folder / "a" / "b", box, "/dev/full", ""])]
        else:
            words += [flag, pick(rng, WORDS)] if valued else [flag]
    words = [str(w).replace("\0", "") for w in words]
    return Case(
        "command line", " ".join(w[:40] for w in words).replace(str(folder), "F"), words, folder, folder / "out"
    )


def small_disk(rng, folder):
    """A disk that is full after a few kilobytes."""
    name = pick(rng, list(BASES))
    size = int(pick(rng, [0, 1, 4096, 20_000]))
    case = run_of("small disk", f"{name}: files of {size} bytes at most", folder, BASES[name]())
    case.limit = {resource.RLIMIT_FSIZE: size}
    return case


def signals(rng, folder):
    """Ctrl-C, SIGTERM or SIGHUP at any time of a run."""
    name = pick(rng, ["vehicle run", "coach run", "train run", "real-time run", "reduced run", "flexible run"])
    tree = BASES[name]()
    tree["run"]["duration_s"] = {"train run": 40000.0, "real-time run": 60.0}.get(name, 2.0)
    number = pick(rng, [signal.SIGINT, signal.SIGTERM])
    after = float(rng.uniform(0.02, 2.0))
    case = run_of("signal", f"{name}: {number.name} after {after:.2f} s", folder, tree)
    case.signals, case.codes = ((after, number),), (0, 2, 130, 143)
    return case
