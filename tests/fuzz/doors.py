"""Makers of cases from files: each takes a random generator and an empty folder."""

from __future__ import annotations

import os
import shutil
from functools import cache

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


def run_of(door, what, folder, tree_or_text, *more, **fields):
    """Case of `flexwheel run` of a tree of keys or a text."""
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
    return run_of("scenario", f"{name}: {what}", folder, tree)


def scenario_text(rng, folder):
    """Text of a scenario file."""
    name = pick(rng, list(BASES))
    text, what = damage(rng, toml(BASES[name]()).encode())
    return run_of("scenario text", f"{name}: {what}", folder, text)


@cache
def _known_keys():
    from flexwheel.run.keys.vehicle_keys import VehicleScenario
    from flexwheel.systems.train.train_keys import TrainScenario

    def walk(model, prefix):
        for name, field in model.model_fields.items():
            yield prefix + name
            kind = field.annotation
            if hasattr(kind, "model_fields"):
                yield from walk(kind, f"{prefix}{name}.")

    return {False: list(walk(VehicleScenario, "")), True: list(walk(TrainScenario, ""))}


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
    return run_of("--set", f"{name}: {' '.join(settings)[:160]}", folder, tree, *settings)


def _on_rigid_rails(tree):
    tree["track"]["model"] = "rigid"
    for key in ("extent", "elements_per_bay"):
        tree["track"].pop(key, None)


def vehicle_files(rng, folder):
    """Vehicle files: keys or text."""
    name = pick(rng, SHIPPED_VEHICLES)
    path = bases.VEHICLES / f"{name}.toml"
    tree = bases.coach_run() if name != "as4" else bases.vehicle_run()
    tree["vehicle"]["file"] = "v.toml"
    _on_rigid_rails(tree)
    if rng.random() < 0.75:
        vehicle = bases.tree(path) if rng.random() < 0.2 else bases.unlabelled(bases.tree(path))
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
    return run_of("vehicle file", f"{name}: {what}", folder, tree)


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
        if kind in ("stock", "couplers", "locomotive") and rng.random() < 0.8:
            tree = bases.unlabelled(tree)
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
        _on_rigid_rails(tree)
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
    return run_of("side file", f"{kind}: {what}", folder, tree)


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
        return run_of("profile", f"run, {kind}: {what}", folder, tree)
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

    kind = pick(rng, ["results", "train", "reduced", "realtime", "study"])
    source = results_of(kind)
    place = folder / "r"
    place.mkdir()
    target = place / source.name
    what = None if rng.random() < 0.4 else change_results(rng, source, target)
    if what is None:
        content, what = damage(rng, source.read_bytes())
        target.write_bytes(content)
    return Case(
        "view", f"{kind}: {what}", ["view", place, "--no-scenes", "--no-paraview", "--out", folder / "p"], folder
    )


def change_results(rng, source, target):
    """Write results with something changed in them; what it was, None where netCDF refuses it.

    In a process of its own: a file that netCDF refused half-way has ended a later one of the same process in HDF5.
    """
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, (_changed(rng, source, target) or "").encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, encoding="utf-8") as stream:
        what = stream.read()
    os.waitpid(pid, 0)
    rng.integers(2)  # the child's own draws are not seen here
    return what or None


def _changed(rng, source, target):
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
    try:
        data.to_netcdf(target, engine="netcdf4")
    except RuntimeError:  # netCDF refuses the change itself
        target.unlink(missing_ok=True)
        return None
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
    case = run_of("cache", ", ".join(what), folder, bases.flexible_run())
    case.environment = {"FLEXWHEEL_CACHE": str(cache)}
    return case


def _double(path):
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    if "frequency_hz" in arrays:
        arrays["frequency_hz"] = 2.0 * arrays["frequency_hz"]
    np.savez(path, **arrays)
    return "frequencies doubled"
