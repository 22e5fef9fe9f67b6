"""Runs every tutorial as the pages show it and keeps its picture: python docs/tutorials/run_all.py [NAME ...]."""

import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = (
    "own_mesh", "own_vehicle", "measured_input", "stress_and_fatigue", "spectra_and_error", "study", "realtime_and_fmu",
)  # fmt: skip


def load(name):
    """The module of a tutorial."""
    spec = importlib.util.spec_from_file_location(f"tutorial_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(names=NAMES):
    """Run tutorials; their pictures go to docs/images/tutorials."""
    pictures = HERE.parent / "images" / "tutorials"
    pictures.mkdir(parents=True, exist_ok=True)
    for name in names or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            *_, picture = load(name).main(Path(folder))
            shutil.copy(picture, pictures / f"{name}.png")
        print(f"{name}: {pictures / f'{name}.png'}")


if __name__ == "__main__":
    main(sys.argv[1:])
