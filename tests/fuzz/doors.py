"""One maker of cases for every door: each takes a random generator and an empty folder."""

from __future__ import annotations

import resource
import shutil
import signal
from functools import cache
from pathlib import Path

import numpy as np

from . import bases
from .judge import Case
from .mutate import NUMBERS, STRINGS, damage, mutate_tree, odd_value, pick, toml

BASES = {
    "vehicle run": bases.vehicle_run,
    "flexible run": bases.flexible_run,
    "coach run": bases.coach_run,
    "wagon in train": bases.wagon_in_train,
    "train run": bases.train_run,
    "real-time run": bases.realtime_run,
    "reduced run": bases.reduced_run,
}
SHIPPED_VEHICLES = ("as4", "manchester_v1", "ml95", "freight_wagon", "free_wheelset")


def _run(door, what, folder, tree_or_text, *more, **fields):
    path = folder / "s.toml"
    text = tree_or_text if isinstance(tree_or_text, bytes) else toml(tree_or_text).encode("utf-8", "surrogatepass")
    path.write_bytes(text)
    out = folder / "out"
    return Case(door, what, ["run", path, "--out", out, "--quiet", *more], folder, out, **fields)


def scenario_values(rng, folder):
    """Keys of a scenario of any kind."""
    name = pick(rng, [*BASES, "vehicle run", "vehicle run", "train run", "real-time run", "reduced run"])
    tree = BASES[name]()
    what = mutate_tree(rng, tree)
    return _run("scenario", f"{name}: {what}", folder, tree)


def scenario_text(rng, folder):
    """Text of a scenario file."""
    name = pick(rng, list(BASES))
    text, what = damage(rng, toml(BASES[name]()).encode())
    return _run("scenario text", f"{name}: {what}", folder, text)


@cache
def _known_keys():
    from flexwheel.io.scenario_keys import Scenario
    from flexwheel.io.train_keys import TrainScenarioKeys

    def walk(model, prefix):
        for name, field in model.model_fields.items():
            yield prefix + name
            kind = field.annotation
            if hasattr(kind, "model_fields"):
                yield from walk(kind, f"{prefix}{name}.")

    return {False: list(walk(Scenario, "")), True: list(walk(TrainScenarioKeys, ""))}


def set_options(rng, folder):
    """--set of any key to anything."""
    name = pick(rng, list(BASES))
    tree = BASES[name]()
    keys = _known_keys()[name == "train run"] + [f"{s}.{k}" for s in tree if isinstance(tree[s], dict) for k in tree[s]]
    settings = []
    for _ in range(int(rng.integers(1, 4))):
        key = (
            pick(rng, keys)
            if rng.random() < 0.9
            else pick(rng, ["", ".", "a..b", "run", "run.", ".run", "track.layout.9.x", "track.layout.-1"])
        )
        value = (
            toml({"x": odd_value(rng)}).partition("=")[2].strip()
            if rng.random() < 0.7
            else pick(rng, NUMBERS + STRINGS)
        )
        settings += ["--set", f"{key}={value}"[:3000].replace("\0", "")]
    return _run("--set", f"{name}: {' '.join(settings)[:160]}", folder, tree, *settings)


def vehicle_files(rng, folder):
    """Vehicle files: keys or text."""
    name = pick(rng, SHIPPED_VEHICLES)
    path = bases.VEHICLES / f"{name}.toml"
    tree = bases.coach_run() if name != "as4" else bases.vehicle_run()
    tree["vehicle"]["file"] = "v.toml"
    tree["track"]["model"] = "rigid"
    if rng.random() < 0.75:
        vehicle = bases.tree(path)
        what = mutate_tree(rng, vehicle)
        text = toml(vehicle).encode("utf-8", "surrogatepass")
    else:
        text, what = damage(rng, path.read_bytes())
    (folder / "v.toml").write_bytes(text)
    if rng.random() < 0.1:
        path = folder / "s.toml"
        path.write_text(toml(tree))
        return Case(
            "vehicle file",
            f"eigen {name}: {what}",
            ["eigen", path, "--speeds-kmh", "40,80", "--no-critical", "--json"],
            folder,
        )
    return _run("vehicle file", f"{name}: {what}", folder, tree)


def side_files(rng, folder):
    """Support and rail files, csv of irregularity, roughness, routes and driving, parts of trains, profile pieces."""
    files = {
        "support": bases.TRACK / "flexible" / "ballasted.toml",
        "rail": bases.TRACK / "rail" / "uic60.toml",
        "roughness": bases.TRACK / "roughness" / "iso3095.csv",
        "route": bases.TRACK / "routes" / "open_heavy_haul.csv",
        "driving": bases.TRACK / "routes" / "drive_train_2.csv",
        "stock": bases.VEHICLES / "train_stock.toml",
        "couplers": bases.VEHICLES / "train_couplers.toml",
        "locomotive": bases.VEHICLES / "feve3000.toml",
        "pieces": bases.VEHICLES / "feve3000_profiles.csv",
        "irregularity": None,
    }
    kind = pick(rng, list(files))
    path = files[kind]
    suffix = ".csv" if path is None else path.suffix
    if suffix == ".toml" and rng.random() < 0.7:
        tree = bases.tree(path)
        what = mutate_tree(rng, tree)
        content = toml(tree).encode("utf-8", "surrogatepass")
    else:
        content, what = damage(rng, bases.irregularity_csv().encode() if path is None else path.read_bytes())
    side = folder / f"side{suffix}"
    side.write_bytes(content)
    if kind in ("support", "rail"):
        tree = bases.vehicle_run()
        tree["track"][kind] = side.name
    elif kind in ("roughness", "irregularity"):
        tree = bases.vehicle_run()
        tree["track"] |= {"model": "rigid"}
        tree["track"].pop("extent")
        if kind == "irregularity":
            tree["irregularity"] = {"file": side.name, "roughness": "none"}
        else:
            tree["irregularity"] = {"roughness": side.name, "spectrum": "none"}
    elif kind in ("locomotive", "pieces"):
        tree = bases.realtime_run()
        tree["vehicle"]["file" if kind == "locomotive" else "profiles"] = side.name
    else:
        tree = bases.train_run()
        if kind == "route":
            tree["route"] = {"file": side.name}
        elif kind == "driving":
            tree["driving"] = {"mode": "by_distance", "file": side.name}
        else:
            tree["train"]["parts"] = (
                [side.name, "train_couplers.toml"] if kind == "stock" else ["train_stock.toml", side.name]
            )
    return _run("side file", f"{kind}: {what}", folder, tree)


def profiles(rng, folder):
    """Profile files of wheels and rails."""
    kind = pick(rng, ["wheel", "rail"])
    source = bases.TRACK / "profiles" / ("S1002.csv" if kind == "wheel" else "60E1.csv")
    lines = source.read_bytes().split(b"\n")
    thin = b"\n".join([*lines[:2], *lines[2:-1:4], b""])
    content, what = damage(rng, thin if rng.random() < 0.8 else lines[0] + b"\n" + thin[thin.index(b"\n") + 1 :])
    if rng.random() < 0.2:
        factor = float(pick(rng, [-1.0, 0.001, 1000.0, 0.5, 25.4]))
        rows = [line.split(b",") for line in thin.split(b"\n")[2:] if line]
        column = int(rng.integers(2))
        for row in rows:
            row[column] = f"{factor * float(row[column]):.7g}".encode()
        content, what = (
            b"\n".join([b"y_mm,z_mm", *(b",".join(r) for r in rows), b""]),
            f"column {column} times {factor}",
        )
    suffix = pick(
        rng, [".csv", ".csv", ".txt", ".prr" if kind == "rail" else ".prw", ".whl" if kind == "wheel" else ".ban"]
    )
    side = folder / f"profile{suffix}"
    side.write_bytes(content)
    if rng.random() < 0.35:
        tree = bases.coach_run()
        tree["contact"][f"{kind}_profile"] = side.name
        return _run("profile", f"run, {kind}: {what}", folder, tree)
    more = pick(rng, [[], ["--lateral-shift-mm", "0"], ["--lateral-shift-mm", "2", "--normal", "semi_hertzian"]])
    case = Case("profile", f"contact, {kind}: {what}", ["contact", f"--{kind}", side, *more], folder)
    if rng.random() < 0.5:
        case.arguments.append("--json")
    return case


def tables(rng, folder):
    """Tables of delta r for `conicity`."""
    content, what = damage(rng, bases.delta_r_csv().encode())
    path = folder / "d.csv"
    path.write_bytes(content)
    return Case("delta r", what, ["conicity", path, *pick(rng, [[], ["--json"], ["--amplitudes-mm", "3"]])], folder)


@cache
def _mesh_cases():
    try:
        from .mesh_cases import mesh_cases
    except ImportError:
        return None
    return mesh_cases


def meshes(rng, folder):
    """Mesh files of all formats, by the commands that read them."""
    if _mesh_cases() is not None and rng.random() < 0.6:
        what, suffix, content = _mesh_cases()(rng)
        suffix = suffix if suffix.startswith(".") else f".{suffix}"
    else:
        suffix, content = pick(rng, bases.small_meshes())
        what = "sound"
        for _ in range(int(rng.integers(1, 3))):
            content, what = damage(rng, content)
    path = folder / f"mesh{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    steel = (
        ["-E", "2.1e11", "--nu", "0.3", "--rho", "7850"] if suffix not in (".inp", ".bdf") or rng.random() < 0.3 else []
    )
    command = pick(
        rng,
        [
            ["modes", path, "-n", "8"],
            ["modes", path, "-n", "8"],
            ["static", path, "--clamp", "y=0", "--load", "8:z:100", "--node", "8"],
            ["reduce", path, "-o", folder / "body.json"],
        ],
    )
    return Case("mesh", f"{command[0]} {suffix}: {what}", [*command, *steel, *pick(rng, [[], ["--json"]])], folder)


def view(rng, folder):
    """Results of other programs, damaged ones, ones with parts missing."""
    from .sound import results_of

    kind = pick(rng, ["results", "train", "reduced", "realtime"])
    source = results_of(kind)
    place = folder / "r"
    place.mkdir()
    target = place / source.name
    if rng.random() < 0.4:
        content, what = damage(rng, source.read_bytes())
        target.write_bytes(content)
    else:
        what = _change_results(rng, source, target)
    return Case(
        "view", f"{kind}: {what}", ["view", place, "--no-scenes", "--no-paraview", "--out", folder / "p"], folder
    )


def _change_results(rng, source, target):
    import xarray as xr

    with xr.open_dataset(source, engine="netcdf4") as opened:
        data = opened.load()
    names, attributes, dims = list(data.variables), list(data.attrs), list(data.sizes)
    kind = pick(rng, ["drop", "drop", "nan", "attribute", "attribute gone", "cut", "text", "rename", "zero"])
    name = pick(rng, names)
    if kind == "drop":
        data = data.drop_vars(name, errors="ignore")
    elif kind in ("nan", "zero", "text"):
        value = {"nan": np.nan, "zero": 0.0}.get(kind)
        shape = data[name].shape
        data[name] = (
            data[name].dims,
            np.full(shape, value) if value is not None else np.full(shape, "x", dtype=object),
        )
    elif kind == "attribute":
        name = pick(rng, attributes)
        data.attrs[name] = pick(rng, ["", "x", "nan", 0, -1.0, "[[[", "\u00e9" * 50])
    elif kind == "attribute gone":
        name = pick(rng, attributes)
        del data.attrs[name]
    elif kind == "cut":
        name = pick(rng, dims)
        data = data.isel({name: slice(0, int(rng.integers(3)))})
    else:
        data = data.rename({name: name + "_x"})
    data.to_netcdf(target, engine="netcdf4")
    return f"{kind} {name}"


def caches(rng, folder):
    """Damaged caches of reduced bodies, unwritable ones."""
    from .sound import cached_bodies

    cache = folder / "cache"
    shutil.copytree(cached_bodies(), cache)
    what = []
    for path in sorted(cache.glob("*.npz")):
        content, done = damage(rng, path.read_bytes())
        if rng.random() < 0.4:
            done = _double(path)
        else:
            path.write_bytes(content)
        what.append(done)
    case = _run("cache", ", ".join(what), folder, bases.flexible_run())
    case.environment = {"FLEXWHEEL_CACHE": str(cache)}
    return case


def _double(path):
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    if "frequency_hz" in arrays:
        arrays["frequency_hz"] = 2.0 * arrays["frequency_hz"]
    np.savez(path, **arrays)
    return "frequencies doubled"


NAMES = [
    "/dev/zero", "/dev/null", "/dev/stdin", "/dev/full", "/proc/self/mem", "/", ".", "..", "", " ", "nowhere.toml", "x" * 300, "x" * 5000,
    "~nouser/x.toml", "~", "a\nb", "\u00e9.toml", "-", "--", "FIFO", "FOLDER", "UNREADABLE", "LOOP", "SOCKET",
]  # fmt: skip


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
        *[["run", scenario, "--out", folder / "out", "-q", "--set", f"{key}={given}"] for key in keys],
    ]
    command = pick(rng, commands)
    if name == "." and "--out" in command and given in command:
        command = ["view", given]
    return Case(
        "name",
        f"{command[0]} {name[:30]!r} as argument {[str(c) for c in command].index(given) if given in command else command[-1][:40]}",
        command,
        folder,
        folder / "out",
    )


@cache
def _options():
    """Options of every command: name -> [(flag, takes a value)]."""
    import typer

    from flexwheel.cli import make_app

    group = typer.main.get_command(make_app())
    found = {}
    for name, command in group.commands.items():
        found[name] = [
            (p.opts[0], not getattr(p, "is_flag", False)) for p in command.params if p.opts[0].startswith("-")
        ]
    return found


WORDS = [
    "0", "-1", "1", "3", "nan", "inf", "1e300", "1e-300", "9" * 400, "", " ", "x", "1:2", "1:2:0", "2:1:1", "0:1e9:1e-9", "1:2:nan", "1,2,",
    "y=0", "y=", "=", "|y|=1", "y<nan", "8:z:1", "8:q:1", "999:z:1", "8:z:nan", "8:z:1e300", "true", "both", "left", "mm", "1:40", "1:0", "\u00e9", "full", "lumped",
    "fastsim", "polach", "hertz", "semi_hertzian", "park", "0.3", "0.5", "-0.5", "50", "1e6",
]  # fmt: skip


def command_lines(rng, folder):
    """Options of every command, in any number, with any word."""
    scenario, table, box = folder / "s.toml", folder / "d.csv", folder / "box.inp"
    scenario.write_text(toml(bases.coach_run()))
    (folder / "r.toml").write_text(toml(bases.realtime_run()))
    table.write_text(bases.delta_r_csv())
    box.write_text(bases.box_inp())
    good = {
        "run": ["run", scenario, "--out", folder / "out", "-q"],
        "eigen": ["eigen", scenario, "--speeds-kmh", "40,80", "--no-critical"],
        "conicity": ["conicity", table],
        "contact": ["contact", "--lateral-shift-mm", "0", "--normal", "semi_hertzian"],
        "creep": ["creep", "--method", pick(rng, ["linear", "fastsim", "polach"]), "--a-mm", "6", "--b-mm", "4", "--load-kn", "60", "--mu", "0.3", "--xi", "0.001"],
        "modes": ["modes", box, "-n", "6"],
        "static": ["static", box, "--clamp", "y=0", "--load", "8:z:100"],
        "reduce": ["reduce", box],
        "view": ["view", folder],
        "verify": ["verify", "--list"],
        "realtime-pace": ["realtime-pace", folder / "r.toml", "--duration", "0.05"],
        "realtime-export": ["realtime-export", folder / "r.toml", "--out", folder / "x", "--steps", "2"],
        "realtime-tables": ["realtime-tables", folder / "r.toml", "--steps", "5"],
        "detection-train": ["detection-train", "--file", folder / "x.npz", "--samples", "-5"],
        "detection-compare": ["detection-compare", "--configurations", "0"],
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
    case = _run("small disk", f"{name}: files of {size} bytes at most", folder, BASES[name]())
    case.limit = {resource.RLIMIT_FSIZE: size}
    return case


def signals(rng, folder):
    """Ctrl-C, SIGTERM or SIGHUP at any time of a run."""
    name = pick(rng, ["vehicle run", "coach run", "train run", "real-time run", "reduced run", "flexible run"])
    tree = BASES[name]()
    tree["run"]["duration_s"] = {"train run": 40000.0, "real-time run": 60.0}.get(name, 2.0)
    number = pick(rng, [signal.SIGINT, signal.SIGTERM])
    after = float(rng.uniform(0.02, 2.0))
    case = _run("signal", f"{name}: {number.name} after {after:.2f} s", folder, tree)
    case.signals, case.codes = ((after, number),), (0, 2, 130, 143)
    return case


DOORS = {
    scenario_values: 26,
    scenario_text: 6,
    set_options: 10,
    vehicle_files: 12,
    side_files: 12,
    profiles: 7,
    tables: 2,
    meshes: 12,
    view: 6,
    caches: 1,
    names: 5,
    command_lines: 12,
    small_disk: 2,
    signals: 2,
}
"""Maker -> share of the cases."""


def make_case(seed, number, folder: Path) -> Case:
    """Case of a number in the run of a seed; the same for the same two."""
    rng = np.random.default_rng([seed, number])
    makers = list(DOORS)
    shares = np.array([DOORS[m] for m in makers], dtype=float)
    maker = makers[int(rng.choice(len(makers), p=shares / shares.sum()))]
    return maker(rng, folder)
