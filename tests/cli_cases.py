"""Scenarios and arguments for tests of the command line: each maker takes an empty folder and gives the arguments."""

from pathlib import Path

from flexwheel.face.cli import main

ROOT = Path(__file__).resolve().parents[1]
MESHES = ROOT / "meshes"
VEHICLE = (ROOT / "flexwheel" / "vehicle" / "files" / "as4.toml").read_text(encoding="utf-8")
SCENARIO = f"""[run]
speed_kmh = 80.0
duration_s = 0.02

[vehicle]
file = "as4"

[wheelset.front]
formulation = "flexible"
mesh = "{MESHES / "wheelset_coarse.inp"}"
fixed_interface_modes = 7
exact_below_hz = 0.0

[track]
model = "massless"
layout = [
    {{ kind = "straight", length_m = 10.0 }},
    {{ kind = "straight", length_m = 90.0 }},
]

[irregularity]
spectrum = "none"
roughness = "none"

[contact]
friction = 0.3
"""


def command(*arguments):
    """Exit code of the command line."""
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as stop:
        return stop.code or 0
    return 0


def run(*overrides, replace=(), scenario=None):
    """`flexwheel run` of the scenario above with texts replaced in it, or of another text."""

    def make(folder):
        path = folder / "s.toml"
        text = SCENARIO if scenario is None else scenario
        for old, new in replace:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return ["run", path, "--out", folder / "out", "--quiet", *(p for o in overrides for p in ("--set", o))]

    return make


def with_file(name, content, *overrides, replace=()):
    """As run, with a file beside the scenario."""

    def make(folder):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return run(*overrides, replace=replace)(folder)

    return make


def with_mesh(text, *overrides, name="bad.inp"):
    return with_file(name, text, f"wheelset.front.mesh={name}", *overrides)


def with_vehicle(old, new):
    assert old in VEHICLE
    return with_file("v.toml", VEHICLE.replace(old, new), "vehicle.file=v.toml")


def plain(*arguments):
    """A command whose FOLDER is that of the case."""
    return lambda folder: [str(a).replace("FOLDER", str(folder)) for a in arguments]
