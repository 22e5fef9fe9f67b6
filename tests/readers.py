"""Messages as a practitioner meets them, and what is to be done next: `python -m tests.readers --write`.

Each case is a real command in a folder with a few bad files. The page docs/readers_test.md shows its message and what
follows from its text alone; tests/whole/test_readers.py makes every message anew.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

from flexwheel.base.shipped import EXAMPLES
from flexwheel.face.cli import main

PAGE = Path(__file__).resolve().parents[1] / "docs" / "readers_test.md"
SHIPPED = ("as4_curve.toml", "manchester_tight_curve.toml")
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
}
CASES = (  # words of the command, what to do next
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
)


def messages():
    """What every command prints to standard error, one after the other in one folder."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            return [_message(words, folder) for words, _ in CASES]
        finally:
            os.chdir(here)


def _message(words, folder):
    """Standard error of a command, without the folders of this machine and the words of its libraries."""
    given = [word.replace("FOLDER", str(folder)) for word in words.split()]
    told = io.StringIO()
    with (
        contextlib.redirect_stderr(told),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        main([str(EXAMPLES / word) if word in SHIPPED else word for word in given])
    text = told.getvalue()
    for path in (folder, EXAMPLES):
        text = text.replace(f"{path}{os.sep}", "").replace(str(path), ".")
    return re.sub(r"\[Errno.*", "...", " ".join(text.split()))


HEAD = """# What messages tell a reader

Made by `python -m tests.readers --write`. For each command: what it prints, and what the reader does next by the text
alone. `tests/whole/test_readers.py` makes every message anew and compares it.

| command | message | what to do next |
|---|---|---|
"""


def page():
    """Text of the page."""
    rows = zip(CASES, messages(), strict=True)
    cell = lambda text: text.replace("|", "\\|")  # noqa: E731
    return HEAD + "".join(f"| `flexwheel {words}` | {cell(told)} | {after} |\n" for (words, after), told in rows)


if __name__ == "__main__":
    text = page()
    PAGE.write_text(text, encoding="utf-8") if sys.argv[1:] == ["--write"] else sys.stdout.write(text)
