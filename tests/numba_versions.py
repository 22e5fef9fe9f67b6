"""README's test command on the oldest and on the newest numba that pyproject.toml admits.

    python -m tests.numba_versions                                       # all tests, on both
    python -m tests.numba_versions --only oldest tests/base/test_handles.py tests/numerics/test_far_call.py

Each numba gets a virtual environment in a temporary folder, with the numpy and the other packages that pip finds
for it, and an empty cache. Ends with one line for each, and with code 1 where tests fail.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOW = "from importlib.metadata import version as v; print(*(f'{n} {v(n)}' for n in ('numba', 'llvmlite', 'numpy')))"


def admitted():
    """{"oldest": constraint, "newest": constraint} for pip, from the metadata."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = next(text for text in project["dependencies"] if text.startswith("numba"))
    return {"oldest": bounds.split(",")[0].replace(">=", "==") + ".0", "newest": bounds}


def readme_command():
    """README's line that ends in "# tests"."""
    return re.search(r"^(.*\S) *# tests$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)[1]


def run(constraint, arguments):
    """Run the tests under a constraint of pip; (exit code, versions found, pytest's closing line)."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "constraint").write_text(constraint + "\n")
        environment = {
            **os.environ,
            "PIP_CONSTRAINT": str(place / "constraint"),
            "NUMBA_CACHE_DIR": str(place / "numba"),
            "FLEXWHEEL_CACHE": str(place / "bodies"),
        }
        environment.pop("PYTHONPATH", None)
        command = " ".join([readme_command().replace(".venv", str(place / "venv")), *arguments])
        last = ""
        with subprocess.Popen(
            command, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as tests:
            for line in tests.stdout:
                print(line, end="", flush=True)
                last = line.strip() or last
        found = subprocess.run([place / "venv/bin/python", "-c", SHOW], capture_output=True, text=True)
        return tests.returncode, found.stdout.strip() or f"nothing installed for {constraint}", last


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", choices=["oldest", "newest"])
    options, arguments = parser.parse_known_args()
    failed, lines = False, []
    for name, constraint in admitted().items():
        if options.only in (None, name):
            code, found, last = run(constraint, arguments)
            failed |= code != 0
            lines.append(f"{name}: {found}: {last}")
    print(*lines, sep="\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
