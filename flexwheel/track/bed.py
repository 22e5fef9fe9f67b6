"""Elastic bed under the foundation springs: eliminated statically into stiffness and damping between semi-sleepers.

With the bed's compliance C (Toeplitz in the bays) and the foundation springs k and dampers c of each semi-sleeper,
the force on the semi-sleepers is K s + D s', K = (I + k C)^-1 k and D = W^T c W with W = I - C K, the share of a
semi-sleeper's motion that its spring takes. This is exact at rest and to first order in frequency;
docs/decisions/track_bed.md has the error. The bed has no mass. The inverse is taken wave number by wave number on a
ring of bays and cut where it has decayed.

The own entries go into the foundation springs of the step's matrix. The rest, `coupling`, acts as a force at the
predicted state: in Newmark's scheme the same as -beta dt^2 K_coupling, some grams at most, added to the mass matrix.
"""

from dataclasses import replace

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import FAST, kernel

RING = 256
"""Bays of the ring on which the inverse is taken."""

CUT = 1e-4
"""Part of the largest own entry below which coupling is left out."""


def check_bed(bed, foundation):
    """ScenarioError unless the bed is (2 m + 1, 6, 6), finite, reciprocal, and its foundation linear."""
    if foundation is None:
        raise ScenarioError("track bed: track.support must have semi-sleepers and a foundation")
    shape = np.shape(bed)
    if len(shape) != 3 or shape[0] % 2 == 0 or shape[0] >= RING or shape[1:] != (6, 6) or not np.all(np.isfinite(bed)):
        raise ScenarioError(f"track bed: compliance must be finite numbers of shape (2 m + 1, 6, 6), got {shape}")
    if np.max(np.abs(bed - np.transpose(bed[::-1], (0, 2, 1)))) > 1e-9 * np.max(np.abs(bed)):
        raise ScenarioError("track bed: compliance must be reciprocal, block(o) = block(-o) transposed")
    if foundation.vertical.law is not None or foundation.lateral.law is not None:
        raise ScenarioError("track bed: force laws and lift-off of the foundation cannot stand on an elastic bed")


def bed_symbol(bed):
    """Compliance at the wave numbers 2 pi k / RING per bay: (RING, 6, 6) complex Hermitian; what truncation has made
    negative is set to zero."""
    m = len(bed) // 2
    ring = np.zeros((RING, 6, 6))
    for o in range(-m, m + 1):
        ring[o] += bed[m + o]
    values, vectors = np.linalg.eigh(np.fft.fft(ring, axis=0))
    if values.max() <= 0.0:
        raise ScenarioError("track bed: compliance is not positive")
    return (vectors * np.maximum(values, 0.0)[:, None, :]) @ vectors.conj().transpose(0, 2, 1)


def foundation_diagonals(foundation):
    """Stiffness, damping and loss factor (6,) of both semi-sleepers of a bay."""
    springs = [s for s in (foundation.vertical, foundation.lateral, foundation.roll) for _ in range(2)]
    return (np.array([getattr(s, name) for s in springs]) for name in ("stiffness", "damping", "loss_factor"))


def bed_matrices(bed, foundation):
    """Stiffness and damping between the semi-sleepers of bays n apart at most.

    Returns
    -------
    stiffness, damping : (2 n + 1, 6, 6) [N/m ..., N s/m ...]   force on those of bay j per motion of bay j + o
    """
    check_bed(bed, foundation)
    compliance = bed_symbol(np.asarray(bed, dtype=float))
    k, c, _ = foundation_diagonals(foundation)
    one = np.eye(6)
    stiffness = np.linalg.solve(one + k[:, None] * compliance, np.broadcast_to(np.diag(k), compliance.shape))
    share = one - compliance @ stiffness
    damping = share.conj().transpose(0, 2, 1) @ (c[:, None] * share)
    out = [np.fft.ifft(x, axis=0).real for x in (stiffness, damping)]
    scale = np.sqrt(np.diag(out[0][0])[:, None] * np.diag(out[0][0])) + np.finfo(float).tiny
    size = np.max(np.abs(out[0]) / scale, axis=(1, 2))[: RING // 2]
    reach = int(np.flatnonzero(size > CUT)[-1])
    order = np.arange(-reach, reach + 1)
    stiffness, damping = (0.5 * (x[-order] + np.transpose(x[order], (0, 2, 1))) for x in out)
    return stiffness, damping


def on_bed(track):
    """The track with the own entries of the bed in its foundation springs, and the coupling (2, 2 n + 1, 6, 6).

    Entry (q, n + o, a, b): force a per displacement (q = 0) or velocity (q = 1) b, o bays on, order z, y, roll (left,
    right). Without a bed the coupling has no rows.
    """
    if track.bed is None:
        return track, np.zeros((2, 0, 6, 6))
    coupling = np.array(bed_matrices(track.bed, track.foundation))
    middle = coupling.shape[1] // 2
    springs = {}
    for component, name in enumerate(("vertical", "lateral", "roll")):
        at = [2 * component, 2 * component + 1]
        own = coupling[:, middle, at, at].mean(axis=1)
        coupling[:, middle, at, at] -= own[:, None]
        springs[name] = replace(
            getattr(track.foundation, name), stiffness=float(own[0]), damping=float(max(own[1], 0.0))
        )
    return replace(track, foundation=replace(track.foundation, **springs), bed=None), coupling


@kernel(fastmath=FAST)
def coupling_load(coupling, d, v, out):
    """out (B, 4, 2) = -(coupling with the semi-sleepers of the other bays and sides); beyond the ends at rest.

    d, v, out : as RailState.sleeper, whose third component is at rest
    """
    bays, reach = d.shape[0], coupling.shape[1] // 2
    s, r, f = d.reshape((bays, 8)), v.reshape((bays, 8)), out.reshape((bays, 8))
    for j in range(bays):
        for a in range(8):
            f[j, a] = 0.0
    if coupling.shape[1] == 0:
        return
    for j in range(bays):
        for i in range(max(j - reach, 0), min(j + reach, bays - 1) + 1):
            o = reach + i - j
            for a in range(6):
                total = 0.0
                for b in range(6):
                    at = b + 2 * (b // 4)
                    total += coupling[0, o, a, b] * s[i, at] + coupling[1, o, a, b] * r[i, at]
                f[j, a + 2 * (a // 4)] -= total
