"""Floating-point operations of a step by formula from the sizes of the model, and the rate of this machine.

A fused multiplication and addition counts as two, a division or root as one. Left out: kinematics of the bodies,
suspension, alignment, irregularity, logs of the peaks, all that is not arithmetic. Numbers per entry, node, cell and
point of the contact locus are counted in the kernels named.
"""

import time

import numpy as np

from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import take_steps

LANES = 4
MODE, EVEN_ENTRY, ODD_ENTRY, EVEN_SLICE, ODD_SLICE = (
    95,
    14,
    12,
    32,
    28,
)  # vehicle/floating_frame.py; the last four a lane
NODE_IN, NODE_OUT, BAY = 61, 69, 67  # a lane; track/flexible_loads.py, flexible_motion.py, of a bay: supports
LOCUS, STRIP_INTEGRAL, CELL_OPERATIONS = 75, 60, 34  # contact/gap.py penetration; semi_hertzian.py; fastsim.py
SAMPLE = 12  # contact/gap.py, the scan over the coarse points
POINTS = 8 + 8 + 8  # a patch: probes, peak, edges, in fours


def inertia(model):
    """Operations of one evaluation of the modes' inertia, structural and geometric forces."""
    w, total = model.wheelsets, 0
    for k, modes in enumerate(w.mode_count):
        if modes == 0:
            continue
        for stacked, entry, of_slice in ((w.even, EVEN_ENTRY, EVEN_SLICE), (w.odd, ODD_ENTRY, ODD_SLICE)):
            total += LANES * (
                int(stacked.start[k, -1]) * entry + np.count_nonzero(np.diff(stacked.start[k])) * of_slice
            )
        total += LANES * 4 * int(w.geometric.start[k, -1]) + (MODE + 5) * int(modes)
    return total


def corrections(model):
    """Operations of the iteration matrices on the residual."""
    return int(2 * (np.diff(model.units.offset) ** 2).sum())


def contact_system(model):
    """Operations of the contact equations of one iteration: rows, columns, elimination."""
    total = 0
    for u, modes in zip(model.wheelsets.unit, model.wheelsets.mode_count, strict=True):
        n = int(model.units.offset[u + 1] - model.units.offset[u])
        rows = 2 * 5 * 4 * int(modes) + 2 * 6 * 4 * n + 12 * 2 * n  # profile_motion, contact_law, add_columns
        total += rows + 2 * (6 * 12 * 6 * 4 + 6 * (8 + 3 * 4 * 4 + 5 * 4 * 2)) + 2 * 12**3 // 3 + 2 * 12**2
    return total


def contact_law(model, patches):
    """Operations of the contact law of one iteration: samples, points of the locus, strips, FASTSIM."""
    tables = model.contact[0]
    strips, wheels = tables.normal.nodes.place.size, 2 * len(model.wheelsets.unit)
    patch = (POINTS + strips) * LOCUS + strips * (STRIP_INTEGRAL + tables.cells.row.shape[1] * CELL_OPERATIONS)
    return wheels * tables.coarse_wheel.shape[1] * SAMPLE + patches * patch


def rails(model):
    """Operations of the flexible rails of a step: one sweep inwards, one outwards, in four lanes."""
    nodes = len(model.rail.place)
    return LANES * (nodes * (NODE_IN + NODE_OUT) + BAY * (nodes - 1) // model.rail.elements)


def operations(path, iterations):
    """Operations of each part of a step of a scenario after 0.2 s, by name."""
    scenario = read_scenario(path, ["run.compare_modes=[]", "run.duration_s=0.2"])
    s = build_simulation(scenario, {k: v.body for k, v in flexible_wheelsets(scenario).items()})
    take_steps(s, 0.2)
    patches = int(s.work.patch_count.sum())
    return {
        "inertia of the modes": iterations * inertia(s.model),
        "iteration matrices on the residual": iterations * corrections(s.model),
        "contact system": iterations * contact_system(s.model),
        f"contact law, {patches} patches": iterations * contact_law(s.model, patches),
        f"rails, {len(s.model.rail.place)} nodes": rails(s.model),
    }


def dgemm_rate(size=512, repeats=20):
    """Operations a second of a matrix product on one core, the best of some."""
    a = np.random.default_rng(1).random((size, size))
    best = np.inf
    for _ in range(repeats):
        begun = time.thread_time()
        a @ a
        best = min(best, time.thread_time() - begun)
    return 2 * size**3 / best
