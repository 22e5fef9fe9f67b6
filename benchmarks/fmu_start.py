"""Processor time of the units of two examples from their start to the end of the first step, caches warm.

python benchmarks/fmu_start.py [--rounds 3] [SCENARIO ...]

Each unit is exported (FMI 2.0 and 3.0) and simulated by fmpy's instance for one step; counted is the time of this
process between instantiation and the end of the step, and all of the process that the unit starts, user and system.
The first round fills caches and is not printed.
"""

import argparse
import contextlib
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCENARIOS = ("examples/as4_curve.toml", "examples/feve3000_curve.toml")


def main(scenarios=SCENARIOS, rounds=3):
    """Print a line a unit; returns {(scenario, fmi): [s]} of processor time."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="fmu_start_") as place:
        for scenario in scenarios:
            for fmi in ("2.0", "3.0"):
                archive = Path(place) / f"{Path(scenario).stem}_{fmi}.fmu"
                with contextlib.redirect_stdout(None):
                    exported(scenario, fmi, archive)
                spent = [first_step(archive) for _ in range(rounds + 1)][1:]
                found[scenario, fmi] = spent
                print(f"{scenario}, FMI {fmi}: {', '.join(f'{s:.2f}' for s in spent)} s of processor time", flush=True)
    return found


def exported(scenario, fmi, archive):
    """The unit of a scenario."""
    command = [Path(sys.executable).with_name("flexwheel"), "fmu", scenario, "--out", str(archive), "--fmi", fmi, "-q"]
    subprocess.run(command, check=True)


def first_step(archive):
    """Processor time [s] of one instance to the end of its first step."""
    import fmpy
    from fmpy.fmi2 import FMU2Slave
    from fmpy.fmi3 import FMU3Slave

    folder = fmpy.extract(str(archive))
    try:
        about = fmpy.read_model_description(folder)
        kind = FMU2Slave if about.fmiVersion == "2.0" else FMU3Slave
        of = about.coSimulation.modelIdentifier
        unit = kind(guid=about.guid, unzipDirectory=folder, modelIdentifier=of, instanceName="one")
        step = float(about.defaultExperiment.stepSize)
        before = _spent()
        unit.instantiate()
        if kind is FMU2Slave:
            unit.setupExperiment(startTime=0.0)
        unit.enterInitializationMode()
        unit.exitInitializationMode()
        unit.doStep(currentCommunicationPoint=0.0, communicationStepSize=step)
        unit.terminate()
        unit.freeInstance()
        return _spent() - before
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _spent():
    """User and system time of this process and of those that it has waited for."""
    of = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in of)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", nargs="*", default=SCENARIOS)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    main(given.scenario, given.rounds)
