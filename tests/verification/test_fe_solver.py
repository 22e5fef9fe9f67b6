"""Every solver at hand gives the solution of any symmetric matrix it accepts."""

from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp

from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.body import metis_order
from flexwheel.body.assembly import assemble
from flexwheel.body.multifrontal import multifrontal_cholesky
from flexwheel.body.nested_dissection import elimination_tree
from flexwheel.body.solver import factorize
from flexwheel.verification.meshes.box_mesh import box_mesh


def definite_matrix(kind="hex8", cells=(6, 5, 4)):
    mesh = box_mesh(kind, cells, distortion=0.2)
    stiffness, mass = assemble(mesh)
    return (stiffness + 1e7 * mass).tocsr()


def random_definite(size, density, seed):
    half = sp.random(size, size, density, random_state=np.random.default_rng(seed), format="csr")
    return (half @ half.T + sp.identity(size)).tocsr()


MATRICES = {  # made when a test asks for one: both processes of the suite read this file
    "hexahedra": definite_matrix,
    "tetrahedra": lambda: definite_matrix("tet10", (3, 3, 2)),
    "random": lambda: random_definite(400, 0.004, 1),
    "dense": lambda: sp.csr_matrix(random_definite(150, 0.4, 2)),
    "two bodies": lambda: sp.block_diag([definite_matrix(cells=(3, 3, 3)), definite_matrix(cells=(2, 2, 5))]).tocsr(),
    "diagonal": lambda: sp.diags(np.arange(1.0, 300.0)).tocsr(),
}


@cache
def made(name):
    return MATRICES[name]()


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("solver", [None, "multifrontal", "superlu"])
def test_solution_satisfies_the_equations(name, solver):
    matrix = made(name)
    right = np.random.default_rng(3).standard_normal((matrix.shape[0], 37))
    factor = factorize(matrix, solver=solver)
    solution = factor.solve(right)
    scale = abs(matrix).sum(axis=1).max() * np.abs(solution).max()
    assert np.abs(matrix @ solution - right).max() < 1e-13 * scale
    np.testing.assert_allclose(factor.solve(right[:, 1]), solution[:, 1], atol=1e-13 * np.abs(solution).max())
    assert factor.name and (solver or "") in factor.name


@pytest.fixture(params=["metis", "level sets"])
def dissection(request, monkeypatch):
    """The order by METIS where it is installed, and the one that serves without it."""
    if request.param == "metis":
        pytest.importorskip("pymetis")
    else:
        monkeypatch.setattr(metis_order, "nested_dissection", None)


@pytest.mark.parametrize("name", MATRICES)
def test_either_order_solves(name, dissection):
    matrix = made(name)
    right = np.random.default_rng(4).standard_normal((matrix.shape[0], 2))
    solution = multifrontal_cholesky(matrix).solve(right)
    scale = abs(matrix).sum(axis=1).max() * np.abs(solution).max()
    assert np.abs(matrix @ solution - right).max() < 1e-13 * scale


@pytest.mark.parametrize("name", MATRICES)
def test_elimination_tree_holds_every_row_once_and_boundaries_lie_in_ancestors(name, dissection):
    tree = elimination_tree(made(name), leaf_size=40)
    pivots = np.concatenate([node.pivots for node in tree])
    assert np.array_equal(np.sort(pivots), np.arange(made(name).shape[0]))
    owner = np.empty(len(pivots), dtype=int)
    parent = np.full(len(tree), -1)
    for number, node in enumerate(tree):
        owner[node.pivots] = number
        parent[list(node.children)] = number
    for number, node in enumerate(tree):
        ancestors, at = set(), parent[number]
        while at >= 0:
            ancestors.add(at)
            at = parent[at]
        assert set(owner[node.boundary]) <= ancestors


def test_singular_and_unknown_are_refused():
    matrix = definite_matrix()
    with pytest.raises(ConvergenceError, match="not positive definite"):
        multifrontal_cholesky(-matrix)
    with pytest.raises(ScenarioError, match="expected one of"):
        factorize(matrix, solver="magic")
    with pytest.raises(ScenarioError, match="positive definite"):
        factorize(matrix, definite=False, solver="multifrontal")


def test_indefinite_matrix_is_solved_by_a_pivoting_solver():
    mesh = box_mesh("hex8", (4, 4, 4))
    stiffness, mass = assemble(mesh)
    matrix = (stiffness - (2 * np.pi * 2000.0) ** 2 * mass).tocsr()
    right = np.random.default_rng(3).standard_normal(matrix.shape[0])
    solution = factorize(matrix, definite=False).solve(right)
    assert np.linalg.norm(matrix @ solution - right) < 1e-8 * np.linalg.norm(right)
