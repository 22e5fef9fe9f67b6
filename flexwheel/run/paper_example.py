"""Whether a scenario is the example of paper 004, so that its figures may stand beside those of the paper.

Source: Pogorelov et al., Simulation of railway vehicles with flexible wheelsets (paper 004), table 1 and section 4.
"""

import filecmp
from pathlib import Path

from flexwheel.base.shipped import MESHES
from flexwheel.vehicle.vehicle_file import FOLDER

VEHICLE = "as4"
MESH_FILES = ("wheelset_paper.inp", "wheelset.inp", "wheelset.msh", "wheelset.bdf")  # the last three are one mesh
TABLE = {
    "elements": 46442,
    "nodes": 56561,
    "degrees of freedom": 339366,
    "angle step [deg]": 2.0,
    "flexible modes": 35,
    "lowest frequency [Hz]": 29.6,
    "highest frequency [Hz]": 5456.6,
    "damping ratio": 0.01,
}
"""Table 1; its 339,366 are 6 per node, solid elements carry 3."""
SECONDS_PER_SECOND = (72 * 60 / 14.0, 75 * 60 / 14.0)


def is_paper_example(scenario):
    """The shipped AS4 railcar with shipped flexible wheelset meshes, on flexible track."""
    sections = [section for section in scenario.wheelset.values() if section.formulation == "flexible"]
    return (
        _same(_vehicle(scenario.vehicle.file), FOLDER / f"{VEHICLE}.toml")
        and scenario.track.model == "flexible"
        and bool(sections)
        and all(_shipped_mesh(section.mesh) for section in sections)
    )


def _vehicle(name):
    return Path(name) if str(name).endswith(".toml") else FOLDER / f"{name}.toml"


def _shipped_mesh(path):
    return any(_same(path, MESHES / name) for name in MESH_FILES)


def _same(first, second):
    """Whether two files hold the same."""
    return Path(first).is_file() and second.is_file() and filecmp.cmp(first, second, shallow=False)
