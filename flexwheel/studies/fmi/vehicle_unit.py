"""A vehicle run as a functional mock-up unit: its binary starts Python, which steps the vehicle.

The unit holds the scenario with every key resolved and the files it names; flexwheel has to be installed where it is
simulated, in the interpreter of the export or in that of FLEXWHEEL_PYTHON.

Verified in tests/studies/test_fmu_verified.py.
"""

import sys
from pathlib import Path

from flexwheel.run.keys.toml_text import scenario_tables, toml_text
from flexwheel.studies.fmi.held_vehicle import HeldVehicle
from flexwheel.studies.fmi.model_description import FmuModel
from flexwheel.studies.fmi.process import SCENARIO
from flexwheel.studies.fmi.unit import c_text, unit_sources, write_unit
from flexwheel.studies.fmi.unit_bodies import BODIES, bodies_said, mesh_files

WHAT = (
    "Vehicle on its track. Forces and moments act from outside on each body, in track axes. The unit starts Python "
    "with flexwheel: the interpreter of the export, or that of the environment variable FLEXWHEEL_PYTHON."
)


def vehicle_unit(path, overrides, fmi, archive, binary=True):
    """Write a vehicle scenario as a functional mock-up unit.

    Parameters
    ----------
    path : Path             of the scenario
    overrides : list        "section.key=value"
    fmi, archive, binary : as fmi, path, binary of locomotive_unit, and the FmuModel that is returned

    Raises
    ------
    ScenarioError       a scenario of another kind, with a train, or with the explicit step; no C compiler
    """
    vehicle = HeldVehicle(path, overrides)
    scenario = vehicle.scenario
    rows = [
        ({"independent": "TIME", "input": "INPUT", "parameter": "PARAMETER"}.get(v.causality, "VALUE"), k, v)
        for k, v in enumerate(vehicle.variables)
    ]
    model = FmuModel("flexwheel_vehicle", scenario.run.title, vehicle.step, float(scenario.run.duration), True)
    defines = {"PYTHON": c_text(sys.executable)}
    sources, model = unit_sources(model, fmi, "model_process.c", rows, defines=defines)
    text, files = packed(scenario)
    resources = {SCENARIO: text, **files}
    if vehicle.bodies:
        meshes = [file.read_bytes() for file in mesh_files(scenario).values()]
        resources[BODIES] = bodies_said(vehicle.bodies, text.encode(), meshes)
    write_unit(archive, model, sources, fmi, binary, (WHAT, vehicle.assumed(), text), resources)
    return model


def packed(scenario):
    """Scenario as TOML text whose files lie beside it, and those files, name -> bytes."""
    files = {}

    def beside(value):
        if isinstance(value, dict):
            return {key: beside(item) for key, item in value.items()}
        if isinstance(value, list):
            return [beside(item) for item in value]
        if isinstance(value, str) and Path(value).is_absolute() and Path(value).is_file():
            name = f"{len(files)}_{Path(value).name}"
            known = next((n for n, (place, _) in files.items() if place == value), name)
            files.setdefault(known, (value, Path(value).read_bytes()))
            return known
        return value

    text = toml_text(beside(scenario_tables(scenario)))
    return text, {name: data for name, (_, data) in files.items()}
