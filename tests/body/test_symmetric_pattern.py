"""Products of symmetric matrices have a symmetric pattern, which the factorization by rows needs."""

import numpy as np
import scipy.sparse as sp

from flexwheel.body.ties import congruent


def test_a_product_that_rounding_makes_zero_on_one_side_has_both():
    """The plain product of these has 1e-17 above the diagonal and nothing below it."""
    values, random = np.array([0.1, 0.2, 0.3, -0.3, 0.6, -0.6, 0.7]), np.random.default_rng(3002)
    matrix = random.choice(values, (3, 3))
    matrix, recover = sp.csr_matrix(matrix + matrix.T), sp.csr_matrix(random.choice(values, (3, 2)))
    plain, found = recover.T @ matrix @ recover, congruent(recover, matrix)
    assert (plain != 0).nnz == 3
    assert (found != 0).nnz == 4
    assert (found != found.T).nnz == 0
    np.testing.assert_allclose(found.toarray(), plain.toarray(), atol=1e-16)
