"""A spinning flexible wheelset in EXUDYN beside ours: time of a step with as many modes.

    python benchmarks/exudyn_body.py        needs `pip install exudyn`

EXUDYN: ObjectFFRFreducedOrder, the general flexible body in its floating frame, internal C++, of the coarse mesh's own
matrices and its lowest free modes, spinning free at 48.3 rad/s under a force fixed in space; no contact, no track.
Ours: the coarse wheelset reduced to as many modes in a run on rigid rails, contact law of both wheels included.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse.linalg as sla

from flexwheel.body.assembly import assemble
from flexwheel.body.mesh_format import read_mesh

ROOT = Path(__file__).resolve().parents[1]
MESH = ROOT / "meshes" / "wheelset_coarse.inp"
STEP, SPIN, FORCE = 5e-5, 80 / 3.6 / 0.46, 1e4
SCENARIO = f"""
kind = "vehicle"
[run]
speed_kmh = 80.0
duration_s = 0.5
step_s = {STEP}
output_step_s = 1e-4
[vehicle]
file = "free_460.toml"
[wheelset.wheelset]
formulation = "flexible"
mesh = "{MESH}"
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 1000.0 }}]
[irregularity]
spectrum = "none"
roughness = "none"
"""


def exudyn_step(modes, steps=200, repeats=3):
    """Least processor seconds of a step in EXUDYN, Newton iterations a step, by kind of the solver."""
    import exudyn as exu
    from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
    from exudyn.itemInterface import LoadForceVector, MarkerSuperElementPosition

    mesh, _ = read_mesh(MESH)
    fem = FEMinterface()
    fem.nodes = {"Position": np.array(mesh.nodes, float)}
    fem.stiffnessMatrix, fem.massMatrix = (matrix.tocsr() for matrix in assemble(mesh)[:2])
    squares, shapes = sla.eigsh(fem.stiffnessMatrix, modes + 6, fem.massMatrix, sigma=-1e5)
    order = np.argsort(squares)[6:]
    fem.modeBasis = {"matrix": np.ascontiguousarray(shapes[:, order]), "type": "NormalModes"}
    print(f"EXUDYN {exu.__version__}: {modes} modes, {np.sqrt(squares[order[0]]) / 6.2832:.1f} Hz to "
          f"{np.sqrt(squares[order[-1]]) / 6.2832:.0f} Hz", flush=True)  # fmt: skip
    body = ObjectFFRFreducedOrderInterface(fem)
    found = {}
    for name, solver, modified in (
        ("generalized alpha, full Newton", exu.DynamicSolverType.GeneralizedAlpha, False),
        ("generalized alpha, modified Newton", exu.DynamicSolverType.GeneralizedAlpha, True),
        ("trapezoidal, modified Newton", exu.DynamicSolverType.TrapezoidalIndex2, True),
    ):
        best = np.inf
        for _ in range(repeats):
            system = exu.SystemContainer()
            mbs = system.AddSystem()
            made = body.AddObjectFFRFreducedOrder(mbs, initialAngularVelocity=[0.0, SPIN, 0.0])
            top = int(np.argmax(fem.nodes["Position"][:, 2]))
            marker = mbs.AddMarker(MarkerSuperElementPosition(
                bodyNumber=made["oFFRFreducedOrder"], meshNodeNumbers=[top], weightingFactors=[1.0]))  # fmt: skip
            mbs.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0.0, 0.0, FORCE]))
            mbs.Assemble()
            settings = exu.SimulationSettings()
            settings.timeIntegration.numberOfSteps = steps
            settings.timeIntegration.endTime = steps * STEP
            settings.timeIntegration.newton.useModifiedNewton = modified
            settings.timeIntegration.verboseMode = 0
            settings.solution.file.write = False
            settings.solution.sensors.writePeriod = steps * STEP
            settings.parallel.numberOfThreads = 1
            begun = time.thread_time()
            mbs.SolveDynamic(settings, solverType=solver)
            best = min(best, time.thread_time() - begun)
        moved = mbs.GetNodeOutput(made["nRigidBody"], exu.OutputVariableType.Displacement)[2]
        expected = 0.5 * FORCE * (steps * STEP) ** 2 / (fem.massMatrix.sum() / 3.0)
        if abs(moved / expected - 1.0) > 0.02:  # Newton's law of the whole body
            raise SystemExit(f"{name}: moved {moved:.4e} m under the force, expected {expected:.4e}")
        found[name] = best / steps
        print(f"  {name:38s} {1e6 * best / steps:8.1f} us a step", flush=True)
    return found


def our_step():
    """Least processor seconds of a step of ours, and the number of modes."""
    path = Path(sys.argv[2])
    shipped = (ROOT / "flexwheel" / "vehicle" / "files" / "free_wheelset.toml").read_text(encoding="utf-8")
    for its, ours in (("0.43", "0.46"), ("1150.0", "1053.0"), ("600.0", "574.1"), ("80.0", "92.9")):
        shipped = shipped.replace(f"value = {its},", f"value = {ours},")
    path.with_name("free_460.toml").write_text(shipped, encoding="utf-8")
    path.write_text(SCENARIO, encoding="utf-8")
    from speed_case import vehicle

    done = [vehicle(path, [], 0.05, 5) for _ in range(3)]
    pieces = [min(x) for x in zip(*(d["seconds"] for d in done), strict=True)]
    units = done[0]["units"]
    return sum(pieces) / len(pieces) / done[0]["steps"], max(np.diff(units)) - 6, done[0]["iterations"]


def main():
    """Print both."""
    if "--ours" in sys.argv:
        seconds, modes, iterations = our_step()
        print(json.dumps([seconds, int(modes), iterations]))
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--ours", str(Path(folder) / "free.toml")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, modes, iterations = json.loads(done.stdout.splitlines()[-1])
    print(f"flexwheel: {modes} modes, both contacts, {iterations:.2f} iterations: {1e6 * seconds:.1f} us a step")
    found = exudyn_step(modes)
    print(f"EXUDYN's quickest over ours: {min(found.values()) / seconds:.1f}")


if __name__ == "__main__":
    main()
