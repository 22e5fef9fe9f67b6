"""A reduction in CalculiX beside ours: processor time for the free modes of the shipped wheelset below 2000 Hz.

    python benchmarks/calculix_reduction.py [MESH]        needs CalculiX (`ccx`, e.g. Debian calculix-ccx)

CalculiX: *FREQUENCY of the free mesh, fully integrated elements, one thread, as many modes as ours finds; nothing else
of a reduction. Ours: the whole reduced body (free modes, journal shapes, residuals, prestress, rows of treads and
control nodes), same elements, by the general and the cyclic route, each a process of its own, import included.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
OURS = """
import json, sys
from flexwheel.fe.formulation import FormulationOptions
from flexwheel.fe.reduce import ReductionOptions, reduce_wheelset
from flexwheel.io.mesh_import import read_mesh
elements = FormulationOptions(hex8="full", wedge6="reduced")
body = reduce_wheelset(read_mesh(sys.argv[1])[0], ReductionOptions(route=sys.argv[2], formulation=elements))
print(json.dumps(sorted(body.frequency_hz.tolist())))
"""


def processor_seconds(command, **keys):
    """Text that a command printed and the processor time [s] it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True, **keys)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def calculix(mesh, modes, folder):
    """Frequencies [Hz] of the elastic modes and processor seconds."""
    text = mesh.read_text()
    deck = f"{text}\n*STEP\n*FREQUENCY\n{modes + 6}\n*NODE PRINT, NSET=TREAD_LEFT, FREQUENCY=1000\nU\n*END STEP\n"
    (folder / "free.inp").write_text(deck)
    _, seconds = processor_seconds(["ccx", "-i", "free"], cwd=folder)
    rows = re.findall(r"^ +\d+ +\S+ +\S+ +(\S+) +\S+$", (folder / "free.dat").read_text(), flags=re.M)
    return [float(value) for value in rows[: modes + 6]][6:], seconds


def main():
    """Print the table."""
    import json

    mesh = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "meshes" / "wheelset.inp")
    found, table = None, []
    for route in ("cyclic", "general"):
        out, seconds = processor_seconds([sys.executable, "-c", OURS, str(mesh), route])
        frequencies = json.loads(out)
        found = [f for f in frequencies if f < 2000.0]
        table.append((f"flexwheel, {route} route, the whole reduced body", seconds, found))
    with tempfile.TemporaryDirectory() as folder:
        theirs, seconds = calculix(mesh, len(found), Path(folder))
    table.append(("CalculiX, *FREQUENCY alone", seconds, theirs))
    print(f"{mesh.name}, {len(found)} free modes below 2000 Hz\n")
    print("| | processor time, s | highest mode, Hz | largest difference of a frequency |")
    print("|---|---|---|---|")
    for name, seconds, frequencies in table:
        off = max(abs(a / b - 1.0) for a, b in zip(frequencies, theirs, strict=True))
        print(f"| {name} | {seconds:.1f} | {frequencies[-1]:.1f} | {100.0 * off:.3f} % |")


if __name__ == "__main__":
    main()
