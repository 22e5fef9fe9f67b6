"""Messages and pages as a practitioner reads them, and what is to be done next: `python -m tests.readers --write`.

Each message is that of a real command in a folder with a few bad files, each answer a sentence of a page. The page
docs/readers_test.md shows them and what follows from the text alone; tests/whole/test_readers.py makes every message
again and looks for every answer in its page.
"""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from flexwheel.base.shipped import EXAMPLES, MESHES, TRACK
from flexwheel.face.cli import main
from flexwheel.run.keys.section import VEHICLES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "readers_test.md"
SHIPPED = {name: EXAMPLES / name for name in ("as4_curve.toml", "manchester_tight_curve.toml")}
SHIPPED["wheelset_coarse.inp"] = MESHES / "wheelset_coarse.inp"
UNCONVERGED = "run manchester_tight_curve.toml --set run.duration_s=0.1 --set run.contact_iterations_max=1"
FILES = {
    "broken.toml": "kind = \n",
    "bus.toml": 'kind = "bus"\n',
    "empty.toml": 'kind = "vehicle"\n',
    "short.txt": "1 2\n",
    "words.txt": "\n".join(f"{y} high" for y in range(9)),
    "no_mesh.inp": "hello\n",
    "no_element.inp": "*NODE\n1, 0., 0., 0.\n",
    "results.nc": "hello\n",
    "loads.csv": "hello\n",
    "loose.toml": (VEHICLES / "manchester_v1.toml").read_text(encoding="utf-8")
    + "[axle_box]\nmass_kg = 100.0\nroll_inertia_kg_m2 = 3.0\npitch_inertia_kg_m2 = 5.0\nyaw_inertia_kg_m2 = 5.0\n"
    "centre_m = [0.0, 0.0, 0.0]\n",
    "old/resume/run.json": json.dumps({"format": 0, "path": "", "scenario": "", "settings": []}),
    "changed/resume/run.json": json.dumps(
        {"format": 1, "path": str(SHIPPED["as4_curve.toml"]), "scenario": "kind = 'train'", "settings": []}
    ),
    "shared/file": "",
}
CASES = (  # words of the command, what to do next, and the line of standard output where the message is one
    ("run as4_curve.toml", "add `--out` and a folder"),
    ("run missing.toml --out o", "correct the name; the folder in the message is where it was looked for"),
    ("check broken.toml", "write a value in line 1, column 8"),
    ("check bus.toml", "write one of the kinds named, in line 1"),
    ("check empty.toml", "add the key named"),
    ("check as4_curve.toml --set run.speed_kph=80", "write `speed_kmh`"),
    ("check as4_curve.toml --set run.speed_kmh=-80", "give a positive speed"),
    ("check as4_curve.toml --set run.speed_kmh=fast", "give a number"),
    ("check as4_curve.toml --set run.step_s=0.1", "give a step of 0.01 s or less"),
    ("check as4_curve.toml --set contact.friction=3", "give a coefficient up to 1.5"),
    ("check as4_curve.toml --set contact.tangential=hertz", "choose one of the laws named"),
    ("check as4_curve.toml --set track.model=concrete", "choose one of the models named"),
    ("check as4_curve.toml --set irregularity.spectrum=erri", "choose one of the spectra named"),
    ("check as4_curve.toml --set vehicle.file=nothing.toml", "correct the name of the vehicle file"),
    ("check as4_curve.toml --set wheelset.front.mesh=none.inp", "correct the name of the mesh"),
    ("check as4_curve.toml --set wheelset.front.mesh=FOLDER/no_mesh.inp", "export the mesh as Abaqus input"),
    ("check as4_curve.toml --set wheelset.front.mesh=FOLDER/no_element.inp", "export the elements with the nodes"),
    ("check as4_curve.toml --set wheelset.third.mesh=none.inp", "take the name of a wheelset of the vehicle"),
    ("check as4_curve.toml --set contact.wheel_profile=FOLDER/short.txt", "give a profile of five points or more"),
    ("check as4_curve.toml --set contact.wheel_profile=FOLDER/words.txt", "write numbers in the line named"),
    ("check as4_curve.toml --set run.duration_s=0", "give a positive duration"),
    ("check as4_curve.toml --set output.output_nodes=1", "take a key of those named"),
    ("view nowhere", "give the folder of a run"),
    ("view results.nc", "give a file that `flexwheel run` has written"),
    ("report .", "give the folder of a run"),
    ("safety nowhere", "give the folder of a run"),
    ("run --resume nowhere", "give the folder that the interrupted run was writing to"),
    ("run as4_curve.toml --sett a=1", "write `--set`"),
    ("stres o", "write `stress`"),
    ("conicity short.txt", "give a table of three points or more"),
    ("sweep broken.toml --out o", "write a value in line 1, column 8"),
    ("reduce no_mesh.inp", "export the mesh as Abaqus input"),
    (f"{UNCONVERGED} --out o -q", "set one of the two keys named; the element named is too stiff for the step"),
    ("safety o", "run for longer, or set `run.settling_s`"),
    ("vibration o", "run for longer, or set `run.settling_s`"),
    ("view o", "run for longer, or store more samples"),
    ("stress o", "run with a flexible wheelset"),
    ("report o --out report.doc", "end the name in .html"),
    (
        "check manchester_tight_curve.toml --set vehicle.file=loose.toml",
        "add `revolute = false` to `[axle_box]` of the vehicle file",
    ),
    ("run --resume old", "run the scenario again"),
    ("run --resume changed", "undo the change of the line named, or run into a new folder"),
    (
        "FLEXWHEEL_CACHE=shared reduce wheelset_coarse.inp",
        "take the right to write from other users: `chmod go-w shared`",
        "cache folder",
    ),
    (
        "response as4_curve.toml --set wheelset.front.formulation=rigid --set run.compare_modes=[] --step-hz 20",
        "do not use the spectra of the longitudinal force above 800 Hz",
        "hold to",
    ),
    (
        "response manchester_tight_curve.toml",
        "give an irregularity, for example `--set irregularity.spectrum=erri_b176`",
        "is zero",
    ),
)


def messages():
    """What every command prints, one after the other in one folder."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for file, text in FILES.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "shared").chmod(0o777)
        os.chdir(folder)
        try:
            return [_message(folder, *case) for case in CASES]
        finally:
            os.chdir(here)


def _message(folder, words, _, line=""):
    """Standard error of a command, or a line of its output; without the folders of this machine and the words of its
    libraries."""
    given = [word.replace("FOLDER", str(folder)) for word in words.split()]
    told, printed = io.StringIO(), io.StringIO()
    setting = dict(word.split("=") for word in given[:1] if "=" in word)
    before = {name: os.environ.get(name) for name in setting}
    os.environ.update(setting)
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        main([str(SHIPPED.get(word, word)) for word in given[len(setting) :]])
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})
    text = next(found for found in printed.getvalue().splitlines() if line in found) if line else told.getvalue()
    for path, name in ((folder, "here"), (EXAMPLES, "examples"), (MESHES, "meshes"), (TRACK, "track")):
        text = text.replace(f"{path}{os.sep}", "").replace(str(path), name)
    return re.sub(r"\[Errno.*", "...", " ".join(text.split()))


PAGES = (  # page, question, answer in words of the page, what the page lacked when it was first read with the question
    (
        "start",
        "I have a clone and Python. What do I type to see a first result?",
        "`flexwheel run work/examples/as4_curve.toml --out out/as4 --view --set run.duration_s=3`; pictures are in "
        "`out/as4`",
        "",
    ),
    (
        "contact",
        "I have a wheel profile measured in mm, z up, with noise. What do I type to run it?",
        "`--set contact.wheel_profile=wheel.csv`, and `mirror_z` for z up",
        "an example of a measured profile",
    ),
    (
        "meshes",
        "My Nastran mesh is in mm, its axle is not along y, and it has no material. How do I bring it in?",
        "`flexwheel reduce own.bdf --unit mm --axle-axis auto -E 2.1e11 --nu 0.3 --rho 7850`, then the keys "
        '`mesh_unit = "mm"`, `axle_axis = "auto"` and `youngs_modulus_pa` of the scenario',
        "the command, and the keys of the scenario",
    ),
    (
        "vehicles",
        "How do I begin a vehicle file of my own?",
        "`cp flexwheel/vehicle/files/as4.toml own.toml`, change values, "
        "`flexwheel check SCENARIO --set vehicle.file=own.toml`",
        "a file to begin with, and an element as an example",
    ),
    (
        "running_safety",
        "Does my vehicle keep the limits of EN 14363 in this run, and may I put the figures into a report?",
        "`flexwheel safety DIR`; with limits of your own: `copy it and enter those of your edition`",
        "what to do about limits that were not read",
    ),
    (
        "spectra",
        "Up to which frequency may I use the spectrum of the axle-box acceleration, and how large is its error?",
        "`force_valid_to_hz`, `node_valid_to_hz` in the results; `flexwheel converge SCENARIO --seconds 2`",
        "a way in: the answer was spread over the page",
    ),
    (
        "strength",
        "I need the fatigue utilisation at node 1203 of the web. What do I type, and with which fatigue limits?",
        "`flexwheel fatigue DIR --grades FILE --grade GRADE` with `--node`; limits: a table of your own, `copy it and "
        "enter yours`",
        "",
    ),
    (
        "wear",
        "How do I wear a wheel over 50,000 km of 70 % straight and 30 % curve?",
        "`flexwheel wear straight.toml curve_400.toml --share 0.7 --share 0.3 --kilometres 50000`; `calibrate` the law "
        "before a figure is used",
        "what the first command does",
    ),
    (
        "studies",
        "I want all combinations of four speeds and a range of masses. What do I write?",
        '`sampling = "grid"`, `values` for the speeds, `low` and `high` for `vehicle.bodies.car_body.mass_kg`',
        "what a grid is",
    ),
    (
        "long_runs",
        "The machine was switched off during a run. Is the run lost?",
        "no: `flexwheel run --resume runs/as4`; `only what was simulated since the last checkpoint is computed again`",
        "",
    ),
    (
        "train",
        "How do I compute coupler forces of my own train?",
        "`flexwheel examples train_2 --to work`, change `[train] formation`, the tables of its parts, `[route]` and "
        "`[driving]`",
        "where to begin; which paper the page follows",
    ),
    (
        "realtime",
        "I want the locomotive as a co-simulation unit for FMI 3. What do I type, and what can I change in it?",
        "`flexwheel fmu examples/feve3000_curve.toml --out locomotive.fmu --fmi 3.0`; "
        "`masses, inertias, springs, dampers`",
        "what the core is for; which paper the page follows",
    ),
    (
        "reduced",
        "May I trust Y of the fast model in a curve of 300 m?",
        "only to within its known difference: `Y in curves** differs by 0.3 to 0.7 kN on the leading wheelsets`; a run "
        "warns where `yaw and forces are not`",
        "what the model is for; which paper the page follows",
    ),
    (
        "detection",
        "Do I have to choose a detection method for an ordinary run?",
        "no: the default `needs no choice`",
        "which method is the default, said in the text",
    ),
    (
        "commands",
        "How does my script find out that a run went wrong?",
        "exit code 2, with `one line on standard error`; `complete` is false",
        "",
    ),
    (
        "results",
        "Which variable is the vertical force of a wheel on its rail, and which sign has it?",
        "`wheel_force`, component Q, `Q positive downward`",
        "",
    ),
)
HEAD = """# What messages and pages tell a reader

Made by `python -m tests.readers --write`.

## Messages

For each command: what it prints, and what the reader does next by the text alone. `tests/whole/test_readers.py` makes
every message again and compares it.

| command | message | what to do next |
|---|---|---|
"""
MIDDLE = """
## Pages

For each page: a question that a practitioner has, the answer by the words of the page alone, and what the page lacked
when it was first read with that question; that was added. The test looks for the quoted words in the page.

| page | question | answer | lacked |
|---|---|---|---|
"""


def page():
    """Text of the page."""
    cell = lambda text: text.replace("|", "\\|")  # noqa: E731
    made = zip(CASES, messages(), strict=True)
    rows = "".join(f"| `{command(words)}` | {cell(told)} | {after} |\n" for (words, after, *_), told in made)
    asked = "".join(f"| [{name}]({name}.md) | {' | '.join(cell(x) for x in told)} |\n" for name, *told in PAGES)
    return HEAD + rows + MIDDLE + asked


def command(words):
    """A command as it is typed: settings of the environment before the program."""
    setting, _, rest = words.partition(" ") if "=" in words.partition(" ")[0] else ("", "", words)
    return f"{setting} flexwheel {rest}".strip()


if __name__ == "__main__":
    text = page()
    PAGE.write_text(text, encoding="utf-8") if sys.argv[1:] == ["--write"] else sys.stdout.write(text)
