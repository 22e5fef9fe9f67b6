"""Nodes on and near the tread by meshes of 2, 1 and 0.5 degrees: third octaves of acceleration, in decibels apart.

    python benchmarks/tread_meshes.py [--seconds 1.5] [--smooth] [--curve] [--degrees 2 1]

AS4 at 80 km/h on straight track, or in its arc of 300 m, where the outer front wheel (right) runs on its flange.
Meshes of the package's generator, which differ in their sections alone; differences from the finest, 10 to 1250 Hz,
bands within 60 dB of the highest of their component.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flexwheel.numerics.spectra import third_octaves
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import run_scenario
from flexwheel.verification.meshes.mesh_writers import write_mesh
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "as4_curve.toml"
NODES = (
    '["tread_right", "web_fillet_right", {name = "below", position_m = [0.0, -0.75, -0.44]},'
    ' {name = "beside", position_m = [0.0, -0.78, -0.46]}]'
)
STRAIGHT = 'track.layout=[{kind="straight", length_m=400.0}]'
CURVE = (
    'track.layout=[{kind="straight", length_m=5.0}, {kind="transition", length_m=30.0},'
    ' {kind="arc", length_m=400.0, radius_m=300.0, cant_mm=120.0}]'
)
KEYS = (
    "run.compare_modes=[]",
    f"wheelset.front.control_nodes={NODES}",
    "wheelset.front.control_node_tolerance_mm=30.0",
)
SMOOTH = ('irregularity.spectrum="none"', 'irregularity.roughness="none"')
SETTLED_S, SETTLED_IN_CURVE_S, BELOW_DB = 0.5, 2.0, 60.0


def bands(degrees, seconds, smooth, curve, folder):
    """(centres, levels (node, point, axis, B) [dB], names) of a mesh."""
    mesh = Path(folder) / f"sections_{degrees:g}.inp"
    write_mesh(mesh, wheelset_mesh(refinement=replace(REFINEMENTS["paper"], sectors=round(360.0 / degrees))))
    settled = SETTLED_IN_CURVE_S if curve else SETTLED_S
    keys = (*KEYS, CURVE if curve else STRAIGHT, *(SMOOTH if smooth else ()), f"run.duration_s={settled + seconds}")
    results = run_scenario(read_scenario(EXAMPLE, (*keys, f"wheelset.front.mesh={str(mesh)!r}")))
    results = results.isel(time=results.time.values > settled)
    values = results.acceleration.values  # time, node, point, axis
    step = float(results.time[1] - results.time[0])
    centre, level = third_octaves(values.reshape(len(values), -1), step, 10.0, 1250.0)
    level = np.moveaxis(level, 0, -1).reshape(*values.shape[1:], -1)
    return centre, level, list(map(str, results.control_node.values))


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.5, help="after settling")
    parser.add_argument("--smooth", action="store_true")
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--degrees", type=float, nargs="+", default=[2.0, 1.0, 0.5])
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = {d: bands(d, args.seconds, args.smooth, args.curve, folder) for d in args.degrees}
    centre, finest, names = found[args.degrees[-1]]
    below = 20.0 * np.log10(finest / np.nanmax(finest, axis=-1, keepdims=True))
    counts = below > -BELOW_DB  # nan: not told
    print("largest difference [dB], its band [Hz] and that band's level below the highest")
    for degrees in args.degrees[:-1]:
        apart = np.where(counts, 20.0 * np.log10(found[degrees][1] / finest), 0.0)
        print(f"mesh of {degrees:g} degrees beside {args.degrees[-1]:g}")
        for n, name in enumerate(names):
            for p, point in enumerate(("turning", "fixed")):
                worst = [int(np.argmax(np.abs(apart[n, p, a]))) for a in range(3)]
                text = "  ".join(
                    f"{axis} {apart[n, p, a, b]:+6.2f} at {centre[b]:6.1f} ({below[n, p, a, b]:3.0f} dB)"
                    for a, (axis, b) in enumerate(zip("xyz", worst, strict=True))
                )
                print(f"  {name:24s} {point:8s} {text}")


if __name__ == "__main__":
    main()
