"""Checks of the finite elements (point 2): patch test, frequencies and statics against CalculiX, converged solution.

The CalculiX meshes are those of `wheelset_mesh`: coarse section, linear (C3D8, C3D8I) or quadratic (C3D20, C3D20R).
Files of numbers in `data/`; the same numbers stand behind tests/verification/test_fe_*.py.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from flexwheel.assess.node_selection import clamped_dofs
from flexwheel.body.assembly import assemble
from flexwheel.body.cyclic import SectorMatrix, harmonic_blocks
from flexwheel.body.eigen import natural_modes
from flexwheel.body.elements import REFERENCE_NODES
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.revolution import placed_on_lowest_point, require_revolution, submesh
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.statics import load_vector, static_solution
from flexwheel.body.stress import nodal_stress, stress_rows, von_mises
from flexwheel.verification import norms
from flexwheel.verification.check_registry import bound, check, distance, exact, information, other_code
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
from flexwheel.verification.reference_rows import reference_rows

STATIC_LOADS = {  # case -> (node id from 1, axis, newton)
    "R_radial_-x_100kN": [(80, 0, -1e5)],
    "R_lateral_+y_10kN": [(80, 1, 1e4)],
    "R_tangential_+z_10kN": [(80, 2, 1e4)],
    "RL_radial_-x_100kN": [(80, 0, -1e5), (114, 0, -1e5)],
}
PARITY = (  # case, order of the mesh, formulation
    ("coarse_ff_C3D8", 1, FormulationOptions(hex8="full", wedge6="reduced")),
    ("coarse_ff_C3D20", 2, FormulationOptions(hex20="full")),
    ("coarse_ff_C3D20R", 2, FormulationOptions()),
    ("coarse_fix_C3D20R", 2, FormulationOptions()),
)


def calculix_frequencies(case):
    """(m,) [Hz] of one CalculiX run."""
    return np.array([r["hz"] for r in reference_rows("calculix_frequencies.csv") if r["case"] == case])


def converged_frequencies():
    """(20,) [Hz] first flexible modes of the free wheelset, converged."""
    return np.array([r["hz"] for r in reference_rows("converged_frequencies.csv")])


@cache
def coarse_frequencies(order, options, count, clamped=False):
    """(count,) [Hz] of the coarse wheelset, free (flexible modes only) or with both end faces clamped."""
    mesh = wheelset_mesh(order=order)
    stiffness, mass = assemble(mesh, options)
    if clamped:
        return natural_modes(stiffness, mass, count, clamped_dofs(mesh, ["|y|=1.1"]))[0]
    return natural_modes(stiffness, mass, count, exclude=rigid_modes(mesh.nodes))[0]


def frequencies_by_harmonics(mesh, count, options=None, orders=range(6), held_at=np.inf):
    """(count,) [Hz] lowest flexible frequencies of a mesh of revolution, pairs twice: one sector, one solve per
    circumferential order; free, or clamped where |y| = held_at [m]."""
    revolution = require_revolution(mesh)
    mesh = replace(mesh, nodes=placed_on_lowest_point(mesh, revolution))
    sector, nodes = submesh(mesh, revolution.sector_elements)
    stiffness, mass = (SectorMatrix(revolution, nodes, a) for a in assemble(sector, options))
    held = np.repeat(np.isclose(np.abs(revolution.y), held_at), 3)
    held = np.concatenate([held, np.isclose(np.abs(revolution.axis_y), held_at)])
    found = []
    for order in orders:
        for block in harmonic_blocks(stiffness, mass, order):
            hz, _ = natural_modes(block.stiffness, block.mass, count, np.flatnonzero(held[block.dof]))
            found.append(np.repeat(hz, len(block.phases)))
    found = np.sort(np.concatenate(found))
    return found[found > 1.0][:count]  # the rigid motions stand below 0.01 Hz


C3D6 = FormulationOptions(wedge6="full")
"""Wedges without an internal mode, as beside C3D8I."""


@cache
def coarse_statics(order):
    """Coarse wheelset, both end faces clamped: mesh and displacement (D, 4) under STATIC_LOADS."""
    mesh = wheelset_mesh(order=order)
    stiffness, _ = assemble(mesh, C3D6)
    loads = np.stack([load_vector(mesh, case) for case in STATIC_LOADS.values()], axis=1)
    return mesh, static_solution(mesh, stiffness, clamped_dofs(mesh, ["|y|=1.1"]), loads)


def c3d20r_statics(case):
    """Displacement (n, 3) and that of CalculiX; von Mises (n,) and that of CalculiX."""
    mesh, displacement = coarse_statics(2)
    column = list(STATIC_LOADS).index(case)
    rows = [r for r in reference_rows("calculix_c3d20r_statics.csv") if r["case"] == case.removeprefix("R_")]
    nodes = np.array([int(r["node"]) for r in rows]) - 1
    wanted = np.array([[r[k] for k in ("ux", "uy", "uz")] for r in rows])
    found = displacement[:, column].reshape(-1, 3)[nodes]
    stress = (stress_rows(mesh, nodes) @ displacement[:, column]).reshape(-1, 6)
    mises = np.array([r["von_mises"] for r in rows])
    return (found, wanted), (von_mises(stress), mises)


def _of_vectors(found, wanted):
    """Largest length of a difference over the largest length."""
    return np.linalg.norm(found - wanted, axis=1).max() / np.linalg.norm(wanted, axis=1).max()


def _each_vector(found, wanted):
    """Largest length of a difference, each over its own length."""
    return (np.linalg.norm(found - wanted, axis=1) / np.linalg.norm(wanted, axis=1)).max()


def c3d8i_statics(case):
    """Displacement (n, 3) at the named points and that of C3D8I; von Mises over that of C3D8I at the web."""
    mesh, displacement = coarse_statics(1)
    column = list(STATIC_LOADS).index(case)
    rows = [r for r in reference_rows("calculix_c3d8i_statics.csv") if r["case"] == case]
    nodes = np.array([int(r["node_1based"]) for r in rows]) - 1
    wanted = np.array([[r[k] for k in ("ux", "uy", "uz")] for r in rows])
    moved = displacement[:, column].reshape(-1, 3)[nodes]
    web = next(k for k, r in enumerate(rows) if "web" in r["point"])
    found = von_mises(nodal_stress(mesh, displacement[:, column], C3D6)[nodes[web]])
    return (moved, wanted), found / rows[web]["vonMises_nodal"]


def patch(kind, options=None, distortion=0.25):
    """Displacement of a distorted patch whose surface moves with constant strain, and the exact one: (D,), (D,)."""
    mesh = box_mesh(kind, (3, 3, 3), (1.0, 1.2, 0.8), distortion, seed=3)
    stiffness, _ = assemble(mesh, options)
    gradient = 1e-3 * np.array([[1.0, 0.3, -0.2], [0.1, -0.7, 0.4], [0.5, 0.2, 0.6]])
    wanted = (mesh.nodes @ gradient.T).ravel()
    outside = np.setdiff1d(np.arange(len(mesh.nodes)), mesh.node_sets["INSIDE"])
    held = (3 * outside[:, None] + np.arange(3)).ravel()
    moved = np.zeros(mesh.dof_count)
    moved[held] = wanted[held]
    solution = moved + static_solution(mesh, stiffness, held, -(stiffness @ moved))
    return solution, wanted


def rigid_force(mesh):
    """Largest force of a rigid motion over the largest row sum of K: rounding only."""
    stiffness, _ = assemble(mesh)
    return np.abs(stiffness @ rigid_modes(mesh.nodes)).max() / abs(stiffness).sum(axis=1).max()


@check(
    "Patch test and rigid motions of every element", subject="Finite elements",
    ground=exact("constant strain and rigid motions; what is left is rounding, 1e-16 times the condition of the solve"),
)  # fmt: skip
def patch_and_rigid():
    """Exact: distorted patches reproduce constant strain, rigid motions cost no force."""
    rows = [distance(f"patch, {kind}", *patch(kind), 1e-11, source="exact") for kind in REFERENCE_NODES]
    full = patch("hex8", FormulationOptions(hex8="full"))
    rows.append(distance("patch, hex8 full", *full, 1e-11, source="exact"))
    for order in (1, 2):
        rows.append(bound(f"K on rigid modes, coarse wheelset, order {order}", rigid_force(wheelset_mesh(order=order)),
                          1e-14, source="exact"))  # fmt: skip
    return rows


@check(
    "Frequencies of the same formulation as CalculiX", subject="Finite elements",
    ground=other_code("CalculiX 2.20, the same elements on the same mesh; its values are written to 5 to 7 digits"),
)  # fmt: skip
def parity():
    """Largest deviation of all tabulated modes."""
    rows = []
    for case, order, options in PARITY:
        wanted = calculix_frequencies(case)
        found = coarse_frequencies(order, options, len(wanted), clamped="_fix_" in case)
        text = f"{case}, {len(wanted)} modes"
        rows.append(distance(text, found, wanted, 0.05, "%", "CalculiX 2.20", norms.each, 100.0))
    wanted = calculix_frequencies("coarse_ff_C3D8I")
    found = coarse_frequencies(1, FormulationOptions(), len(wanted))
    rows.append(information("incompatible modes against C3D8I (another element), coarse",
                            100 * np.abs(found / wanted - 1).max(), "%", source="CalculiX 2.20"))  # fmt: skip
    return rows


@check(
    "Default element on the mesh of the paper's size", subject="Finite elements",
    ground=exact("converged Fourier solution; the mesh was asked to be within 3 % of it before it was tried"),
)  # fmt: skip
def converged():
    """First 20 flexible frequencies of the free wheelset, 56,021 nodes."""
    wanted = converged_frequencies()
    found = frequencies_by_harmonics(wheelset_mesh(refinement=REFINEMENTS["paper"]), len(wanted))
    deviation = 100 * (found / wanted - 1)
    source = "Fourier-harmonic solution, converged"
    rows = [distance("largest deviation of 20", found, wanted, 3.0, "%", source, norms.each, 100.0)]
    return rows + [information(f"mode {k + 1}: {w:.2f} Hz", d, "%", source)
                   for k, (w, d) in enumerate(zip(wanted, deviation, strict=True))]  # fmt: skip


@check(
    "Static displacement and von Mises stress", subject="Finite elements",
    ground=other_code("CalculiX 2.20 on the same mesh; set beforehand: 1 % and 3 % for the same element, 2.5 % for the "
                      "default one beside C3D8I, another element with incompatible modes"),
)  # fmt: skip
def statics():
    """Both end faces clamped, loads on the right tread."""
    rows = []
    for case in list(STATIC_LOADS)[:3]:
        displacement, mises = c3d20r_statics(case)
        text, source = f"C3D20R displacement, {case}", "CalculiX 2.20"
        rows.append(distance(text, *displacement, 1.0, "%", source, _of_vectors, 100.0))
        rows.append(distance(f"C3D20R von Mises, {case}", *mises, 3.0, "%", source, norms.each, 100.0))
    for case in STATIC_LOADS:
        displacement, mises = c3d8i_statics(case)
        text = f"default element, displacement, {case}"
        rows.append(distance(text, *displacement, 2.5, "%", "CalculiX 2.20 C3D8I", _each_vector, 100.0))
        rows.append(information(f"default element, von Mises over C3D8I in the web, {case}", mises))
    return rows
