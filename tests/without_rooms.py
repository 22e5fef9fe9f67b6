"""A copy of the clone without some rooms still works: `python -m tests.without_rooms [ROOM ...] [-- PYTEST WORDS]`.

ROOM is a room outside the core or a system (`systems`, `studies`, `verification`, `systems/train`); without any, all
three go. What stands on a system goes with it (`verification/train`; locomotive and simplified vehicle with
`systems/symbolic`), and so do their tests (`tests/rooms.py`). What is left is installed into the environment of this
Python's packages, imported module by module, runs a second of the main job, and passes the tests that are left.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.rooms import OUTSIDE, ROOT, folders_of

ALL = ("systems", "studies", "verification")
IMPORT_ALL = """
import importlib, pathlib, flexwheel
root = pathlib.Path(flexwheel.__file__).parent
for path in sorted(root.rglob("*.py")):
    parts = path.relative_to(root.parent).with_suffix("").parts
    importlib.import_module(".".join(parts).removesuffix(".__init__"))
"""
RUN = ("run", "examples/as4_curve.toml", "--quiet", "--set", "run.duration_s=0.2", "--set", "run.compare_modes=[]")


def copied(folder, rooms):
    """The clone in a folder, without rooms and their tests."""
    left_out = shutil.ignore_patterns(".git", "__pycache__", "*.egg-info", ".venv", "out")
    shutil.copytree(ROOT, folder, ignore=left_out)
    unknown = sorted({*rooms} - {*OUTSIDE})
    if unknown:
        raise SystemExit(f"{', '.join(unknown)}: expected rooms of {', '.join(OUTSIDE)}")
    remove(folder, rooms)
    return folder


def remove(folder, rooms):
    """Take rooms out of a copy, with what stands on them and their tests."""
    for name in folders_of(rooms):
        shutil.rmtree(folder / name, ignore_errors=True)


def python_of(place, clone):
    """Python of an environment in which the copy is installed beside the packages of this one."""
    venv.create(place, with_pip=False, system_site_packages=False)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = next((place / "lib").glob("python*/site-packages"))
    (site / "others.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", site, clone]
    subprocess.run([*map(str, pip)], check=True)
    return python


def main(words):
    """Exit code: 0 where all holds."""
    rooms, pytest_words = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    with tempfile.TemporaryDirectory(prefix="flexwheel-without-") as name:
        clone = copied(Path(name) / "clone", rooms or ALL)
        python = python_of(Path(name) / "env", clone)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

        def run(*command):
            print("+", *command[:6], flush=True)
            return subprocess.run([str(python), *command], cwd=clone, env=environment).returncode

        code = "import sys; from flexwheel.face.cli import main; main(sys.argv[1:])"
        steps = [
            ("-c", IMPORT_ALL),
            ("-c", code, *RUN, "--out", str(Path(name) / "out")),
            ("-m", "pytest", "-q", *(pytest_words or ["tests"])),
        ]
        return max(run(*step) for step in steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
