"""Makers of cases for what reads results, resumes runs, rates strength, makes studies, wear and exports."""

from __future__ import annotations

import json
import shutil

import numpy as np

from . import bases
from .doors import change_results
from .judge import Case
from .mutate import damage, mutate_tree, pick, toml

NUMBERS = ["0", "-1", "1", "3", "0.5", "20", "1250", "1e-9", "1e9", "nan", "inf", "1e300", "x", ""]
OPTIONS = {  # command on the folder of a run -> options with a value
    "safety": ["--floor-height-m", "--overlap"],
    "vibration": ["--highest-hz", "--highest-order"],
    "stress": ["--wheelset", "--point", "--node", "--top"],
    "fatigue": ["--wheelset", "--node", "--grades", "--grade", "--zone", "--bending-mpa", "--knee-cycles", "--slope"],
    "report": [],
    "view": ["--from", "--to"],
}


def _some(rng, flags, most=2):
    """A few options with odd values."""
    count = int(rng.integers(most + 1)) if flags and rng.random() < 0.6 else 0
    return [word for _ in range(count) for word in (pick(rng, flags), pick(rng, NUMBERS))]


def evaluations(rng, folder):
    """Safety, vibration, stress, fatigue, reports of results that are sound, damaged, or lack parts."""
    from .sound import results_of

    kind = pick(rng, ["made up", "made up", "flexible", "results", "train", "reduced", "realtime"])
    command = pick(rng, list(OPTIONS) if kind != "flexible" else ["stress", "fatigue", "report"])
    source, place, what = results_of(kind), folder / "r", "sound"
    place.mkdir()
    target = place / source.name
    if rng.random() < 0.5:
        what = change_results(rng, source, target) or "sound"
    elif rng.random() < 0.3:
        content, what = damage(rng, source.read_bytes())
        target.write_bytes(content)
    if not target.is_file():
        shutil.copy(source, target)
    more = _some(rng, OPTIONS[command]) + pick(rng, [[], [], ["--out", folder / "o"]])
    if command == "report":
        more = pick(rng, [[], ["--out", folder / "o.html"], [place], ["--out", folder]])
    if command == "view":
        more = ["--no-scenes", "--no-paraview", "--out", folder / "p"]
    elif rng.random() < 0.4:
        more = [*more, "--json"]
    door = "view" if what.startswith(("nan", "text")) else "evaluation"  # whose numbers were spoilt on purpose
    return Case(door, f"{command} {kind}: {what} {more}", [command, place, *more], folder)


def resumed(rng, folder):
    """`run --resume` of a folder that was damaged, or is as a kill left it."""
    from .sound import interrupted

    kind = pick(rng, ["results", "results", "train", "realtime"])
    source, out = interrupted(kind), folder / "out"
    shutil.copytree(source, out)
    note = out / "resume" / "run.json"
    files = sorted(p for p in out.rglob("*") if p.is_file())
    what = pick(rng, ["sound", "file damaged", "file damaged", "file gone", "array changed", "note changed", "two"])
    for _ in range(2 if what == "two" else 1):
        file = pick(rng, files)
        if what in ("file damaged", "two"):
            content, done = damage(rng, file.read_bytes())
            file.write_bytes(content)
            what = f"{what} {file.name} {done}"
        elif what == "file gone":
            file.unlink(missing_ok=True)
            what = f"{what} {file.name}"
    if what == "array changed":
        file = pick(rng, sorted((out / "resume").glob("*.npz")))
        with np.load(file) as archive:
            arrays = {name: archive[name] for name in archive.files}
        name = pick(rng, list(arrays))
        odd = [np.zeros(3), np.zeros(0), np.array("x"), arrays[name].astype(np.float32) if name != "words" else 0.0]
        arrays[name] = pick(rng, odd)
        if rng.random() < 0.3:
            del arrays[name]
        np.savez(file, **arrays)
        what = f"{what} {name}"
    elif what == "note changed":
        tree = json.loads(note.read_text())
        key = pick(rng, list(tree))
        tree[key] = pick(rng, ["", 0, None, [], ["run.step_s=1e-3"], "/dev/null", {"a": 1}, "x" * 3000])
        note.write_text(json.dumps(tree))
        what = f"{what} {key}"
    more = pick(rng, [[], [], [], [], [], [], ["--set", "run.step_s=1"], ["--out", folder / "x"], ["--json"]])
    case = Case("resume", f"{kind}: {what} {more}", ["run", "--resume", out, "--quiet", *more], folder, out)
    case.left = True  # results of the run before stay where a resume is refused
    return case


def roundness(rng, folder):
    """Wheels that are not round and profiles of single wheels: keys and files."""
    tree = bases.coach_run()
    angles = np.arange(0.0, 360.0, 5.0)
    rows = [f"{a:g},{0.02 * np.cos(3 * np.radians(a)):.6f}" for a in angles]
    content, what = "\n".join(["angle_deg,radius_mm", *rows, ""]).encode(), "sound"
    from flexwheel.vehicle.vehicle_file import read_vehicle

    names = list(read_vehicle(tree["vehicle"]["file"]).wheelsets)
    wheel = f"{pick(rng, names)} {pick(rng, ['left', 'right'])}"
    if rng.random() < 0.4:
        content, what = damage(rng, content)
    (folder / "round.csv").write_bytes(content)
    part = {
        "file": {"file": "round.csv"},
        "orders": {
            "orders": [{"order": 6, "amplitude_mm": 0.01, "phase_deg": 10.0}, {"order": 1, "amplitude_mm": 0.1}]
        },
        "flats": {"flats": [{"length_mm": 40.0}]},
    }
    tree["roundness"] = {wheel: part[pick(rng, list(part))]}
    if rng.random() < 0.4:
        tree["contact"]["wheels"] = {wheel: {"profile": pick(rng, ["S1002", "60E1", "round.csv"])}}
        tree["contact"]["rails"] = {pick(rng, ["left", "right"]): {"profile": pick(rng, ["60E1", "UIC60", "r65"])}}
    if rng.random() < 0.6:
        holder = {name: tree[name] for name in ("roundness",)} | {
            "contact": {k: tree["contact"][k] for k in ("wheels", "rails") if k in tree["contact"]}
        }
        what = f"{what}; {mutate_tree(rng, holder)}"
        tree["roundness"] = holder.get("roundness", {})
        if isinstance(holder.get("contact"), dict):
            tree["contact"] |= holder["contact"]
    path = folder / "s.toml"
    path.write_bytes(toml(tree).encode("utf-8", "surrogatepass"))
    out = folder / "out"
    return Case("roundness", what, ["run", path, "--out", out, "--quiet"], folder, out)


def strength(rng, folder):
    """Axle and wheel by their standards, and twist tests."""
    sections = [
        "250:175:body",
        "0:130:journal",
        "300:190:seat",
        "700:175:body:1.3",
        "x",
        "1:2",
        "250:-5:body",
        "1:2:3:4:5",
        "250:175:body:40:190",
        "1e-9:1e300:body:1e300",
    ]
    axle = ["en13103", "--mass-kg", pick(rng, ["14000", *NUMBERS]), "--height-mm", pick(rng, ["800", *NUMBERS])]
    for _ in range(int(rng.integers(3))):
        axle += ["--section", pick(rng, sections)]
    spans = ["--journal-span-mm", "--tread-span-mm", "--wheel-radius-mm"]
    axle += _some(rng, [*spans, "--bore-mm", "--grade", "--lateral"]) + pick(rng, [[], ["--grades", "assumed"]])
    if rng.random() < 0.3:
        axle += ["--disc", pick(rng, ["130:500", "130:500:20:300", "1e300:0:1e300:1", "nan:1", "1:2:3", "x"])]
    box = folder / "box.inp"
    content, what = bases.box_inp().encode(), "sound"
    if rng.random() < 0.7:
        content, what = damage(rng, content)
    box.write_bytes(content)
    wheel = ["en13979", box, "--wheel-load-kn", pick(rng, ["60", *NUMBERS]), *_some(rng, ["--side", "--top"])]
    wheel += pick(rng, [[], ["--grades", "assumed", "--case", "curve:1.25:-0.6:38:10"]])
    tree = bases.coach_run()
    done = mutate_tree(rng, tree) if rng.random() < 0.5 else "sound"
    (folder / "s.toml").write_bytes(toml(tree).encode("utf-8", "surrogatepass"))
    twist = ["twist", folder / "s.toml", *_some(rng, ["--body-twist-permille", "--bogie-twist-permille"])]
    words = pick(rng, [axle, axle, wheel, twist]) + pick(rng, [[], ["--json"]])
    return Case("strength", f"{' '.join(str(w) for w in words[:9])} {what} {done}", words, folder)


def wear_laws(rng, folder):
    """Files of wear laws: keys or text."""
    name = pick(rng, ["usfd", "brr", "jendel"])
    path = bases.TRACK / "wear" / f"{name}.toml"
    text, what = damage(rng, path.read_bytes())
    if rng.random() < 0.7:
        tree = bases.tree(path)
        what = mutate_tree(rng, tree)
        text = toml(tree).encode("utf-8", "surrogatepass")
    (folder / "law.toml").write_bytes(text)
    scenario = folder / "s.toml"
    scenario.write_text(toml(bases.coach_run()))  # too short: what the law says is read before
    words = ["wear", scenario, "--out", folder / "o", "--batches", "1", "--law", folder / "law.toml"]
    return Case("wear law", f"{name}: {what}", words, folder)


def studies(rng, folder):
    """Study files over short runs, in this process."""
    base = pick(rng, [bases.coach_run, bases.train_run, bases.realtime_run])
    tree = base()
    tree["run"] |= {"duration_s": {"train_run": 2.0}.get(base.__name__, 0.01)}
    (folder / "s.toml").write_text(toml(tree))
    variable = {"train_run": "force", "realtime_run": "normal_force"}.get(base.__name__, "wheel_force")
    study = {
        "study": {"title": "x", "scenario": "s.toml", "set": []},
        "vary": [{"key": "run.speed_kmh", "name": "speed", "values": [30.0, 31.0]}],
        "figure": [{"name": "largest", "of": variable, "take": pick(rng, ["max", "rms", "mean", "min", "std", "q"])}],
    }
    text = None
    if rng.random() < 0.75:
        what = mutate_tree(rng, study)
    else:
        text, what = damage(rng, _study_text(study))
    path = folder / "study.toml"
    path.write_bytes(_study_text(study) if text is None else text)
    words = ["sweep", path, "--out", folder / "o", "--workers", "0", "--quiet"]
    return Case("study", f"{base.__name__}: {what}", words, folder)


def journals(rng, folder):
    """A study that goes on from a journal, results or plan that are damaged, or as a kill left them."""
    from .sound import results_of

    source = results_of("study")
    out = folder / "o"
    shutil.copytree(source.parent, out)
    for name in ("study.toml", "train.toml"):
        shutil.copy(source.parents[1] / name, folder / name)
    files = sorted(path for path in out.rglob("*") if path.is_file())
    what = []
    for _ in range(int(rng.integers(1, 3))):
        file = pick(rng, files + [path for path in files if path.name == "runs.jsonl"] * 4)
        if rng.random() < 0.2:
            file.unlink(missing_ok=True)
            what.append(f"{file.name} gone")
        elif file.is_file():
            content, done = damage(rng, file.read_bytes())
            file.write_bytes(content)
            what.append(f"{file.name} {done}")
    words = ["sweep", folder / "study.toml", "--out", out, "--workers", "0", "--quiet"]
    case = Case("journal", "; ".join(what), words, folder, out)
    case.left = True
    return case


def beside_results(rng, folder):
    """Files that commands leave beside results and read again (convergence, stress), damaged."""
    from .sound import results_of

    place = folder / "r"
    shutil.copytree(results_of("assessed").parent, place)
    file = pick(rng, sorted(path for path in place.rglob("*.nc") if path.name != "results.nc"))
    if rng.random() < 0.5:
        source = file.with_suffix(".sound")
        file.rename(source)
        what = change_results(rng, source, file)
        if what is None:
            source.rename(file)
        source.unlink(missing_ok=True)
        what = what or "sound"
    else:
        content, what = damage(rng, file.read_bytes())
        file.write_bytes(content)
    words = pick(rng, [["report", place], ["view", place, "--no-scenes", "--no-paraview", "--out", folder / "p"]])
    return Case("view", f"{words[0]} beside {file.name}: {what}", words, folder)


def _study_text(study):
    return toml(study).encode("utf-8", "surrogatepass")


def exports(rng, folder):
    """Functional mock-up units, wear and responses of scenarios that are not as they should be."""
    name = pick(rng, ["realtime", "coach", "coach", "vehicle"])
    tree = {"realtime": bases.realtime_run, "coach": bases.coach_run, "vehicle": bases.vehicle_run}[name]()
    what = mutate_tree(rng, tree) if rng.random() < 0.8 else "sound"
    path = folder / "s.toml"
    path.write_bytes(toml(tree).encode("utf-8", "surrogatepass"))
    command = pick(rng, ["fmu", "fmu", "wear", "response", "sensitivity"])
    words = [command, path]
    if command == "fmu":
        words += ["--out", folder / pick(rng, ["x.fmu", "x.fmu", "x"]), "--sources-only"]
        words += pick(rng, [[], ["--fmi", "3.0"], _some(rng, ["--fmi"], 1)])
    elif command == "wear":
        words += ["--out", folder / "o", "--batches", "1", *_some(rng, ["--kilometres", "--share", "--law", "--feed"])]
    else:
        words += [
            "--set",
            pick(rng, ["run.speed_kmh=0", "contact.friction=2", "track.model=x", "irregularity.seed=-1"]),
        ]
        words += _some(rng, ["--step-hz"] if command == "sensitivity" else ["--highest-hz", "--harmonics", "--step-hz"])
    return Case("export", f"{command} {name}: {what} {words[2:]}", words, folder)
