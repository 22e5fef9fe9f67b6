"""Turning the modal coordinates back after each step: the two Eulerian variants of a flexible wheelset.

A step is integrated in material coordinates w on a mesh that turns by d_alpha; afterwards the mesh is put
back and every stored value (w, w', w'', past values of a multistep method) is referred to it anew. The
displacement field itself is then turned forward by d_alpha relative to the mesh:

    exact:           w <- expm(J d_alpha) w                              2x2 rotations of the mode pairs
    interpolated:    w <- (1 - lambda) w + lambda X_p w,  lambda = d_alpha / sector angle    paper 004,
                     (17)-(24)

A turn by one sector maps a pair of order n to a turn by n beta, so the interpolation shortens the pair by
|1 - lambda + lambda exp(i n beta)| each step. That is artificial damping; its rate at small lambda is
n^2 beta Omega / 2 whatever the step.

Verified in tests/vehicle/test_bodies_eulerian_map_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel

LEAST_ORDER = 1e-6
"""Of an entry of the generator that couples two modes."""
CLOSURE = 0.02
"""Largest part of a turned mode outside the basis."""


def mode_pairs(generator):
    """Pairs of modes that turn into each other.

    Parameters
    ----------
    generator : (H, H)   J, skew: a field turned by +theta about y has coefficients expm(J theta) w

    Returns
    -------
    pair : (K, 2) int    mode indices i < j
    order : (K,)         J[j, i], signed; J[i, j] is minus that
    """
    generator = np.asarray(generator, dtype=float)
    i, j = np.nonzero(np.triu(np.abs(generator.T) > LEAST_ORDER, 1))
    return np.stack([i, j], axis=1), generator[j, i]


def check_closed(body, name, needs="an Eulerian mode", instead='mode = "lagrangian"'):
    """Refuse what needs a mode basis that turns into itself for one that does not.

    Parameters
    ----------
    body : ReducedBody
    name, needs, instead : str   wheelset, what asks for the closed basis, what to use in its place; for the message

    Raises
    ------
    ScenarioError                no mesh of revolution, or a mode without its partner, or with two
    """
    defect = body.closure_defect
    partners = np.sum(np.abs(np.asarray(body.generator)) > LEAST_ORDER, axis=1)
    if np.isfinite(defect) and defect <= CLOSURE and np.all(partners <= 1):
        return
    if not np.isfinite(defect):
        raise ScenarioError(
            f"wheelset {name}: its mesh is not of revolution about its axle, which {needs} needs; use {instead}"
            + (f" ({body.not_of_revolution})" if body.not_of_revolution else "")
        )
    worst = int(np.argmax(partners)) if np.any(partners > 1) else 0
    raise ScenarioError(
        f"wheelset {name}: the modes do not turn into themselves (closure defect {defect:.2g}, e.g. mode "
        f"{worst + 1} at {body.frequency_hz[worst]:.1f} Hz); {needs} needs a mesh of revolution with whole pairs; use "
        f"{instead}"
    )


@kernel
def pair_turns(order, angle, turn):
    """turn (K, 2) = cos, sin of order (K,) times angle [rad], for `turn_modes`."""
    for p in range(order.shape[0]):
        if p > 0 and order[p] == order[p - 1]:  # pairs of one order stand together
            turn[p, 0], turn[p, 1] = turn[p - 1, 0], turn[p - 1, 1]
        else:
            turn[p, 0], turn[p, 1] = np.cos(order[p] * angle), np.sin(order[p] * angle)


@kernel
def turn_modes(pair, turn, values):
    """values <- expm(J angle) values in place, values (H,); pairs of `mode_pairs`, -1: none; turn: of `pair_turns`."""
    for p in range(pair.shape[0]):
        i = pair[p, 0]
        if i < 0:
            break
        j = pair[p, 1]
        c, s = turn[p, 0], turn[p, 1]
        x = values[i]
        y = values[j]
        values[i] = c * x - s * y
        values[j] = s * x + c * y


@kernel
def interpolate_modes(sector_map, sector_angle, angle, values, scratch):
    """values (H,) <- (1 - lambda) values + lambda X_p values in place, lambda = angle / sector angle [rad].

    Whole sectors are turned by X_p itself, so that the interpolation always lies between two neighbouring meshes;
    a negative angle (rolling backwards) uses the transpose, which turns back. The norm never grows.
    """
    h = values.shape[0]
    forward = angle >= 0.0
    left = (abs(angle) / sector_angle) % (2.0 * np.pi / sector_angle)  # whole turns change nothing
    while left > 0.0:
        part = min(left, 1.0)
        for k in range(h):
            s = 0.0
            for i in range(h):
                s += (sector_map[k, i] if forward else sector_map[i, k]) * values[i]
            scratch[k] = (1.0 - part) * values[k] + part * s  # 004 (17), (23)
        for k in range(h):
            values[k] = scratch[k]
        left -= part
