"""The multifrontal Cholesky gives the solution of any positive definite matrix, in either order."""

from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp

from flexwheel.base.errors import ConvergenceError
from flexwheel.body import metis_order
from flexwheel.body.assembly import assemble
from flexwheel.body.elimination_tree import elimination_tree
from flexwheel.body.multifrontal import multifrontal_cholesky
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


@pytest.fixture(params=["metis", "minimum degree"])
def order(request, monkeypatch):
    """METIS's order where it is installed, and scipy's, which serves without it."""
    if request.param == "metis":
        pytest.importorskip("pymetis")
    else:
        monkeypatch.setattr(metis_order, "nested_dissection", None)


@pytest.mark.parametrize("name", MATRICES)
def test_either_order_solves(name, order):
    matrix = made(name)
    right = np.random.default_rng(4).standard_normal((matrix.shape[0], 37))
    factor = multifrontal_cholesky(matrix)
    solution = factor.solve(right)
    scale = abs(matrix).sum(axis=1).max() * np.abs(solution).max()
    assert np.abs(matrix @ solution - right).max() < 1e-13 * scale
    np.testing.assert_allclose(factor.solve(right[:, 1]), solution[:, 1], atol=1e-13 * np.abs(solution).max())


@pytest.mark.parametrize("name", MATRICES)
def test_elimination_tree_holds_every_row_once_and_boundaries_lie_in_ancestors(name, order):
    tree = elimination_tree(made(name))
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


def test_an_indefinite_matrix_and_a_right_side_of_another_size_are_refused():
    matrix = definite_matrix()
    with pytest.raises(ConvergenceError, match="not positive definite"):
        multifrontal_cholesky(-matrix)
    with pytest.raises(ValueError, match="7 rows, the matrix 630"):
        multifrontal_cholesky(matrix).solve(np.ones(7))
