"""Natural modes of K x = omega^2 M x by shift-invert block Lanczos.

A block of start vectors, full reorthogonalization in the mass inner product and no restart: eigenvalues
as multiple as the block is wide (the six rigid modes, the pairs of an axisymmetric body) are all found,
which a single-vector method does only by rounding.

Source: Grimes, Lewis, Simon 1994, SIAM J. Matrix Anal. Appl. 15(1), 228-272 (without their shift
strategy).
"""

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from flexwheel.base.errors import ConvergenceError, MeshError
from flexwheel.body.multifrontal import multifrontal_cholesky

_BLOCK, _WIDE = 8, 16  # start vectors; of a large factor, whose entries are read once for all, 16 cost a fifth more
_LARGE = 20_000  # unknowns
_DENSE_SIZE = 400  # below this many unknowns the dense solver is faster and certain
_CANCELLED = 0.1  # of a vector's length left beside the earlier ones: below, it is made orthogonal a second time
_RESIDUAL = 1e-9  # of the Lanczos relation, relative to the eigenvalue of the inverse


def natural_modes(stiffness, mass, count, fixed_dofs=None, shift=None, exclude=None, factor=None, below=np.inf):
    """Lowest natural frequencies and M-orthonormal mode shapes.

    Parameters
    ----------
    stiffness, mass : (D, D) sparse     mass positive definite
    count : int                         number of modes; those of zero frequency count
    fixed_dofs : array of int, optional DOF held at zero
    shift : float [1/s2], optional      omega^2 about which the inverse is taken, <= 0; default: a small
                                        negative number, so that a free body needs no special treatment
    exclude : (D, r), optional          motions taken out first (rigid modes of a free body): every mode found
                                        is M-orthogonal to them
    factor : Factor, optional           of stiffness - shift*mass on the free DOF, made with the same shift
    below : float [Hz], optional        modes above need not be found: fewer than `count` may come, those below first

    Returns
    -------
    frequency_hz : (count,)             ascending, zero where omega^2 is negative by rounding
    shapes : (D, count)                 zero at fixed DOF; shapes.T @ mass @ shapes = 1

    Raises
    ------
    MeshError                           more modes asked for than there are unknowns, or a positive shift
    ConvergenceError                    factorization or iteration failed

    Verified in tests/verification/test_fe_frequencies_verified.py.
    """
    free = free_dofs(stiffness.shape[0], fixed_dofs)
    k, m = submatrix(stiffness, free), submatrix(mass, free)
    locked = np.zeros((len(free), 0))
    if exclude is not None:
        locked = _orthonormal(np.asarray(exclude, dtype=float)[free], m)[0]
    available = len(free) - locked.shape[1]
    if not 0 < count <= available:
        raise MeshError(f"{count} modes asked for, the mesh has {available} unknowns")
    if shift is None:
        shift = default_shift(k, m)
    if shift > 0:
        raise MeshError(f"shift {shift} 1/s2: expected a negative number or zero")
    if len(free) <= _DENSE_SIZE:
        values, vectors = _dense_modes(k, m, count, locked)
    else:
        factor = factor or multifrontal_cholesky(k - shift * m)
        values, vectors = _block_lanczos(factor, m, count, locked, 1.0 / ((2 * np.pi * below) ** 2 - shift))
        values = shift + 1.0 / values
    shapes = np.zeros((stiffness.shape[0], len(values)))
    shapes[free] = vectors / np.sqrt(np.einsum("ij,ij->j", vectors, m @ vectors))
    return np.sqrt(np.maximum(values, 0.0)) / (2 * np.pi), shapes


def default_shift(stiffness, mass):
    """Small negative shift [1/s2]: far below the elastic modes, far above rounding of the stiffness."""
    return -1e-7 * float(np.median(stiffness.diagonal() / mass.diagonal()))


def free_dofs(size, fixed_dofs):
    """Rows of the DOF that are not fixed, ascending."""
    keep = np.ones(size, dtype=bool)
    if fixed_dofs is not None:
        keep[np.asarray(fixed_dofs, dtype=int)] = False
    return np.flatnonzero(keep)


def submatrix(matrix, rows):
    """Symmetric part of a sparse matrix, the whole of it without a copy where all rows are kept."""
    matrix = sp.csr_matrix(matrix)
    return matrix if len(rows) == matrix.shape[0] else matrix[rows][:, rows]


def lowest_modes(factor, mass, count, below=np.inf):
    """As `natural_modes` with a factor for shift 0; `factor` and `mass` may be complex Hermitian."""
    values, vectors = _block_lanczos(factor, mass, count, np.zeros((mass.shape[0], 0)), 1.0 / (2 * np.pi * below) ** 2)
    size = np.einsum("ij,ij->j", vectors.conj(), mass @ vectors).real
    return 1.0 / (2 * np.pi * np.sqrt(values)), vectors / np.sqrt(size)


def _orthonormal(block, mass, gram=None, relative=1e-10):
    """M-orthonormal basis of the columns and M times it, dependent ones dropped; gram: block^H M block."""
    gram = block.conj().T @ (mass @ block) if gram is None else gram
    scale = np.sqrt(np.maximum(np.diag(gram).real, np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
    keep = values > relative * values[-1]
    basis = block @ (vectors[:, keep] / np.outer(scale, np.sqrt(values[keep])))
    inertia = mass @ basis
    upper = np.linalg.inv(np.linalg.cholesky(basis.conj().T @ inertia)).conj().T  # second pass: to rounding level
    return basis @ upper, inertia @ upper


def _dense_modes(k, m, count, locked):
    k, m = k.toarray(), m.toarray()
    if locked.shape[1]:
        complement = scipy.linalg.null_space((m @ locked).T)
        values, vectors = scipy.linalg.eigh(
            complement.T @ k @ complement, complement.T @ m @ complement, subset_by_index=[0, count - 1]
        )
        return values, complement @ vectors
    return scipy.linalg.eigh(k, m, subset_by_index=[0, count - 1])


def _block_lanczos(factor, mass, count, locked, least):
    """Largest eigenvalues of (K - shift M)^-1 M with their vectors, both ordered by descending eigenvalue.

    Fewer than `count` once all above `least` are found and the next one is known to lie below it.
    """
    size, kind = mass.shape[0], mass.dtype
    width = min(_WIDE if size > _LARGE else _BLOCK, size)
    limit = min(size - locked.shape[1], 8 * count + 20 * width)
    basis = np.empty((size, limit), dtype=kind, order="F")
    projected = np.zeros((limit, limit), dtype=kind)
    heavy = mass @ locked
    block = np.random.default_rng(20040101).standard_normal((size, width)).astype(kind)
    block -= locked @ (heavy.T @ block)
    block, inertia = _orthonormal(block, mass)
    used = 0
    while True:
        width = min(block.shape[1], limit - used)
        columns = slice(used, used + width)
        basis[:, columns] = block[:, :width]
        used += width
        image = factor.solve(inertia[:, :width])  # of the new vectors, made orthogonal below
        image -= locked @ (heavy.T @ image)
        filled, coefficients = basis[:, :used], 0.0
        inertia = mass @ image
        for _ in range(2):  # twice is enough, once where hardly anything cancels
            before = np.einsum("ij,ij->j", image.conj(), inertia).real
            part = filled.conj().T @ inertia
            image -= filled @ part
            image -= locked @ (heavy.T @ image)
            inertia = mass @ image
            coefficients = coefficients + part
            remainder = image.conj().T @ inertia
            if np.all(np.diag(remainder).real > _CANCELLED**2 * before):
                break
        projected[:used, columns] = coefficients
        projected[columns, :used] = coefficients.conj().T
        values, vectors = np.linalg.eigh(projected[:used, :used])
        order = np.argsort(-values)[:count]
        exhausted = np.sqrt(np.max(np.diag(remainder).real)) < 1e-14 * abs(values[-1])
        tail, found = vectors[columns][:, order], values[order]
        residual = np.sqrt(np.maximum(np.einsum("ij,ik,kj->j", tail.conj(), remainder, tail).real, 0.0))
        above = int((found > least).sum())
        whole = above < len(found) and found[above] + residual[above] < least  # the next one is not among them
        whole &= above > 0 or residual[0] < _RESIDUAL * abs(found[0])  # the first blocks hold none of the low modes yet
        if whole:
            order, found, residual = order[:above], found[:above], residual[:above]
        if (whole or used >= count) and (exhausted or np.all(residual < _RESIDUAL * np.abs(found))):
            return found, filled @ vectors[:, order] + image @ (
                vectors[columns][:, order] / found
            )  # once more inverted
        if exhausted or used >= limit:
            if used == size - locked.shape[1] and used >= count:
                return found, filled @ vectors[:, order]
            raise ConvergenceError(f"block Lanczos: {count} modes of {size} unknowns not converged with {used} vectors")
        block, inertia = _orthonormal(image, mass, remainder)
