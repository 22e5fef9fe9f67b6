"""Memory that a reduction will take, from the counts of its mesh, and a refusal before it begins where it does not fit.

General route: matrices of the pattern of node pairs, and the factor of a solid by nested dissection, whose entries grow
with the power 4/3 of the unknowns (George, Liu 1981, chapter 8). Cyclic route: one sector's matrices, which are small,
and fields of the modes on all nodes. Figures that are not of the pattern are fitted to measured peaks of a process:
docs/speed.md (`benchmarks/reduction.py`, with --large).
"""

from flexwheel.base.capacity import available_memory
from flexwheel.base.errors import MeshError
from flexwheel.body.revolution import Revolution

PAIRS = {"hex8": 27.0, "hex20": 59.0, "wedge6": 21.0, "wedge15": 43.0, "tet4": 15.0, "tet10": 28.0, "pyramid5": 18.0,
         "pyramid13": 38.0}  # fmt: skip
"""Nodes that share an element with a node inside a solid of one kind, itself included, in the mean over its nodes."""
MATRICES = 9 * (8 + 4) + 3 * (8 + 4)  # [byte] a pair: blocks of stiffness with their columns, and mass
FACTOR = 14.0 * 8.0  # [byte] by unknowns^(4/3), fronts and fields of modes within: 1.72 and 12.4 GB measured
START = 0.35e9  # [byte] of Python, its modules and compiled kernels
FIELDS = 2.4 * 8.0  # [byte] an unknown and mode, shapes and what is made of them
SPREAD = 1.5  # of a forecast: slender meshes take less; between 1 and this the factor's own figure decides


def reduction_memory(mesh, symmetry=None, modes_up_to_hz=2000.0) -> float:
    """Forecast [byte] of the peak memory of a reduction.

    Parameters
    ----------
    mesh : Mesh
    symmetry : Revolution, that of a SymmetryRoute or None    None: the general route
    modes_up_to_hz : float   a mode each 50 Hz, beside 12 for the journals
    """
    unknowns = 3.0 * len(mesh.nodes)
    fields = FIELDS * unknowns * (12.0 + modes_up_to_hz / 50.0)
    if isinstance(symmetry, Revolution):
        return START + fields
    elements = {kind: sum(len(b.ids) for b in mesh.blocks if b.kind == kind) for kind in {b.kind for b in mesh.blocks}}
    near = sum(PAIRS[kind] * count for kind, count in elements.items()) / max(1, sum(elements.values()))
    if symmetry is None:
        return START + MATRICES * near * len(mesh.nodes) + FACTOR * unknowns ** (4.0 / 3.0)
    n = symmetry.sections  # n/2 + 1 harmonics, complex ones of four real numbers each
    return START + fields + 2.0 * MATRICES * near * len(mesh.nodes) + 2.0 * n * FACTOR * (unknowns / n) ** (4.0 / 3.0)


def require_reduction_memory(mesh, symmetry, modes_up_to_hz) -> None:
    """Refuse a reduction whose forecast is SPREAD times what this process may take.

    Raises
    ------
    MeshError      nodes, forecast, what there is, and what to do
    """
    wanted, there = reduction_memory(mesh, symmetry, modes_up_to_hz), available_memory()
    if wanted > SPREAD * there:
        cure = (
            "" if symmetry is not None else ", or a mesh of revolution, which the cyclic route reduces in a tenth of it"
        )
        raise MeshError(
            f"reduction of {len(mesh.nodes)} nodes, {mesh.element_count} elements: some {wanted / 1e9:.3g} GB of "
            f"memory needed, {there / 1e9:.3g} GB available; take a coarser mesh or linear elements{cure}"
        )
