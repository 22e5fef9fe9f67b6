"""Envelope of stress over the whole surface of a run: CPU time, and direct recovery at random nodes and samples.

    python benchmarks/stress_envelope.py DIR [--nodes 50] [--point rotating|fixed]

The direct recovery is that of the control nodes (control_nodes), another code, at every sample of the run.
"""

import argparse
import time

import numpy as np

from flexwheel.assess.surface_stress import StressOfRun, stress_envelope
from flexwheel.results.evaluate.control_nodes import POINTS, control_node_results

TOGETHER = 5  # nodes recovered at once


def direct(run, ids, point):
    """(T, n) von Mises stress [Pa] of nodes at all samples."""
    body, _ = run.body_of_nodes(ids)
    parts = []
    for history in run.blocks(len(body.frequency_hz)):
        found = control_node_results(body, history, run.modal_only)["von_mises"]
        parts.append(found[:, :, POINTS.index(point)])
    return np.concatenate(parts)


def main(folder, nodes, point, seed):
    """Print the table; returns the largest relative difference."""
    start = time.process_time()
    run = StressOfRun(folder)
    envelope = stress_envelope(run, point)
    print(f"envelope of {envelope.sizes['node']} nodes, {envelope.attrs['samples']} samples, {point}: "
          f"{time.process_time() - start:.1f} CPU s with reading and reduction")  # fmt: skip
    ranked = envelope.load_spread.values == 0
    on_axle = np.hypot(envelope.position[:, 0], envelope.position[:, 2]).values > 1e-6  # recovered by their ring
    chosen = np.random.default_rng(seed).choice(np.flatnonzero(on_axle), nodes, replace=False)
    worst = 0.0
    print(f"{'node':>8} {'y [m]':>8} {'r [m]':>7} {'envelope [MPa]':>15} {'direct [MPa]':>13} {'difference':>11}")
    for first in range(0, nodes, TOGETHER):
        rows = chosen[first : first + TOGETHER]
        stress = direct(run, envelope.node_id.values[rows], point)
        for k, row in enumerate(rows):
            value, largest = float(envelope.von_mises[row]), float(stress[:, k].max())
            at = int(np.searchsorted(run.results.time.values, float(envelope.von_mises_time[row])))
            apart = max(abs(value / largest - 1.0), abs(value / stress[at, k] - 1.0))  # value, and at its time
            worst = max(worst, apart)
            x, y, z = envelope.position.values[row]
            note = "" if ranked[row] else "  load spread there"
            print(f"{int(envelope.node_id[row]):8d} {y:8.4f} {np.hypot(x, z):7.4f} {value / 1e6:15.4f} "
                  f"{largest / 1e6:13.4f} {apart:11.1e}{note}", flush=True)  # fmt: skip
    print(f"largest difference at {nodes} random nodes, {len(stress)} samples: {worst:.1e}")
    return worst


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--nodes", type=int, default=50)
    parser.add_argument("--point", choices=POINTS, default="rotating")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    raise SystemExit(main(given.folder, given.nodes, given.point, given.seed) > 1e-3)
