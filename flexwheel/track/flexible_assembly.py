"""Flexible track as block-tridiagonal matrices: elements, supports, condensed semi-sleepers, factors, Green's columns.

Each rail splits into two planes of three degrees of freedom per node, V (w, b, u) and L (v, theta_z, roll), coupled
to their neighbours only; a matched element has a quadratic twist besides, whose inner value is its own. Semi-sleepers
and inner values are eliminated exactly at any frequency or step, because each hangs on one node or element.
"""

import numpy as np
import scipy

from flexwheel.base.errors import ScenarioError
from flexwheel.track.rail_mass import bar_impedance, plain_elements, without_inner
from flexwheel.track.rail_match import matched

MASS_CHOICES = {"matched": None, "blended": 0.5, "consistent": 0.0, "lumped": 1.0}
"""Share of the lumped mass. Blended (0.5) cancels the leading dispersion error of either; matched: see rail_match."""


def make_elements(rail, bay, per_bay, mass="blended", coefficients=None):
    """Element matrices of a RailSection for per_bay elements in a bay [m]; mass as in MASS_CHOICES.

    coefficients : IntegratorCoefficients or None   whose step a matched mass is matched to; None: no step
    """
    if not (isinstance(per_bay, int | np.integer) and per_bay >= 1):
        raise ScenarioError(f"elements per bay must be a whole number >= 1, got {per_bay!r}")
    if mass not in MASS_CHOICES:
        raise ScenarioError(f"rail mass must be one of {sorted(MASS_CHOICES)}, got {mass!r}")
    if mass == "matched":
        try:
            with np.errstate(all="ignore"):  # of values that are no rail: told below
                return matched(rail, bay, int(per_bay), coefficients)
        except (ValueError, np.linalg.LinAlgError) as error:
            raise ScenarioError(
                f"rail: no element matches its section, {bay / per_bay:g} m long: look at its values, or "
                f"choose another rail mass: {', '.join(list(MASS_CHOICES)[1:])}"
            ) from error
    return plain_elements(rail, bay / per_bay, np.full(3, MASS_CHOICES[mass]))


def impedance(spring, mass, coefficients, loss_factors=True):
    """cM*mass + cC*c + cK*k*(1 + i eta) of a SupportSpring."""
    c_mass, c_damping, c_stiffness = coefficients
    loss = 1j * spring.loss_factor if loss_factors and any(map(np.iscomplexobj, coefficients)) else 0.0
    return c_mass * mass + c_damping * spring.damping + c_stiffness * (spring.stiffness * (1.0 + loss))


def condensed_supports(track, coefficients, loss_factors=True):
    """What the supports put on a rail node: blocks (..., 2, 3, 3), and (..., 3, 2) of z, y, roll: 1/effective mass,
    share.

    coefficients: (c_mass, c_damping, c_stiffness), numbers or arrays (...); complex ones bring in the loss factors,
    unless these are left out.
    """
    f = track.fastener
    direct = {"x": f.longitudinal, "pitch": f.pitch, "yaw": f.yaw}
    value = {name: impedance(spring, 0.0, coefficients, loss_factors) for name, spring in direct.items()}
    below = f.vertical, f.lateral, f.roll
    shares = np.stack([impedance(spring, 0.0, coefficients, loss_factors) for spring in below], axis=-1)
    condensed = np.stack([np.zeros_like(shares), shares], axis=-1)
    if track.sleeper is not None:
        b, m = track.foundation, track.sleeper
        for j, (spring, mass) in enumerate(((b.vertical, m.mass), (b.lateral, m.mass), (b.roll, m.roll_inertia))):
            condensed[..., j, 0] = 1.0 / (impedance(spring, mass, coefficients, loss_factors) + shares[..., j])
    value |= zip(("z", "y", "roll"), np.moveaxis(shares - shares**2 * condensed[..., 0], -1, 0), strict=True)
    blocks = np.zeros((*shares.shape[:-1], 2, 3, 3), dtype=shares.dtype)
    for p, vector, name in support_vectors(track.rail):
        blocks[..., p, :, :] += np.multiply.outer(value[name], np.outer(vector, vector))
    return blocks, condensed


def support_vectors(rail):
    """(plane, nodal vector, name) of every fastener spring."""
    return (
        (0, np.array([1.0, 0.0, 0.0]), "z"),
        (0, np.array([0.0, rail.centroid_height, 1.0]), "x"),
        (0, np.array([0.0, 1.0, 0.0]), "pitch"),
        (1, np.array([1.0, 0.0, rail.shear_centre_height]), "y"),
        (1, np.array([0.0, 0.0, 1.0]), "roll"),
        (1, np.array([0.0, 1.0, 0.0]), "yaw"),
    )


def track_blocks(track, elements, per_bay, bays, coefficients, layer=None):
    """Block-tridiagonal matrix of one rail with condensed semi-sleepers.

    Parameters
    ----------
    track : FlexibleTrack
    elements : Elements
    per_bay, bays : int
    coefficients : (c_mass, c_damping, c_stiffness)   e.g. (1, gamma dt, beta dt^2)
    layer : (N,) [1/s] or None                        mass-proportional damping of each node; ends damp the bar

    Returns
    -------
    diagonal : (2, N, 3, 3)
    upper : (2, N - 1, 3, 3)      symmetric matrix: the lower blocks are its transposes
    """
    nodes = bays * per_bay + 1
    c_mass, c_damping, c_stiffness = coefficients
    rail_factor = c_stiffness + c_damping * track.rail.stiffness_damping
    diagonal, upper = np.zeros((2, nodes, 3, 3)), np.zeros((2, nodes - 1, 3, 3))
    supports, _ = condensed_supports(track, coefficients)
    for p in range(2):
        matrix = without_inner(c_mass * elements.mass[p] + rail_factor * elements.stiffness[p])
        diagonal[p, :-1] += matrix[:3, :3]
        diagonal[p, 1:] += matrix[3:, 3:]
        upper[p] += matrix[:3, 3:]
        diagonal[p, ::per_bay] += supports[p]
        if layer is not None:
            diagonal[p] += c_damping * layer[:, None, None] * np.diag(elements.node_mass[p])
    if layer is not None and layer[0] != 0.0:
        diagonal[0, [0, -1], 2, 2] += c_damping * bar_impedance(track.rail)
    return diagonal, upper


def solved(diagonal, upper, right):
    """Solution of one plane of `track_blocks`, positive definite, for right (N, 3, k)."""
    band = np.zeros((6, len(diagonal), 3))
    for i in range(3):
        for j in range(3):
            band[2 + i - j, 1:, j] = upper[:, i, j]
            if j >= i:
                band[5 + i - j, :, j] = diagonal[:, i, j]
    columns = right.reshape(3 * len(right), -1)
    return scipy.linalg.solveh_banded(band.reshape(6, -1), columns, check_finite=False).reshape(right.shape)


def from_both_ends(diagonal, upper):
    """Factors of one plane that meet at the node n = N // 2: inverse pivots and multipliers (N, 3, 3).

    A node's multiplier takes it onto its neighbour towards the middle, which has none.
    """
    nodes, middle = len(diagonal), len(diagonal) // 2
    inverse, onto = np.empty_like(diagonal), np.zeros_like(diagonal)
    left, right = diagonal[0], diagonal[-1]
    for i in range(middle):
        inverse[i] = np.linalg.inv(left)
        onto[i] = upper[i].T @ inverse[i]
        left = diagonal[i + 1] - onto[i] @ upper[i]
    for i in range(nodes - 1, middle, -1):
        inverse[i] = np.linalg.inv(right)
        onto[i] = upper[i - 1] @ inverse[i]
        right = diagonal[i - 1] - onto[i] @ upper[i - 1].T
    inverse[middle] = np.linalg.inv(left + right - diagonal[middle])
    return inverse, onto


def green_columns(track, elements, per_bay, coefficients, tolerance=1e-9, most_bays=400):
    """Columns of the inverse of the matrix of an endless track, cut where they have decayed to tolerance.

    Returns
    -------
    green : (per_bay, 2, 3, 2 m + 1, 3)   loaded node of the bay, plane, component, node - m, component
    pair : (per_bay, 2, 6, 6)             response of the nodes of element k to forces on them
    """
    bays = 8
    while True:
        diagonal, upper = track_blocks(track, elements, per_bay, 2 * bays, coefficients)
        centre = bays * per_bay
        unit = np.zeros((len(diagonal[0]), 3, per_bay + 1, 3))
        for t in range(per_bay + 1):
            unit[centre + t, :, t] = np.eye(3)
        try:
            columns = [solved(diagonal[p], upper[p], unit) for p in range(2)]
        except np.linalg.LinAlgError:
            columns = np.full((2, *unit.shape), np.nan)
        columns = np.moveaxis(columns, (3, 0, 4, 1, 2), range(5))
        if not np.all(np.isfinite(columns)) or not np.any(columns):
            raise ScenarioError(
                "track: rail and supports have no finite compliance; their stiffnesses or masses differ by too many "
                "orders of magnitude"
            )
        reach = _reach(columns, centre, per_bay, tolerance)
        if reach is not None and reach < (bays - 2) * per_bay:
            break
        bays *= 2
        if bays > most_bays:
            reach = (bays // 2 - 2) * per_bay
            bays //= 2
            break
    centre = bays * per_bay
    green = np.zeros((per_bay, 2, 3, 2 * reach + 1, 3))
    pair = np.zeros((per_bay, 2, 6, 6))
    for t in range(per_bay):
        green[t] = columns[t, :, :, centre + t - reach : centre + t + reach + 1]
        for p in range(2):
            for a in range(2):
                for b in range(2):
                    pair[t, p, 3 * b : 3 * b + 3, 3 * a : 3 * a + 3] = columns[t + a, p, :, centre + t + b].T
    return green, pair


def _reach(columns, centre, per_bay, tolerance):
    """Nodes to either side beyond which every column is below tolerance of its peak; None if never."""
    scale = np.max(np.abs(columns), axis=3, keepdims=True)
    scale[scale == 0.0] = 1.0
    size = np.max(np.abs(columns) / scale, axis=(0, 1, 2, 4))
    large = np.flatnonzero(size > tolerance)
    reach = int(max(centre - large[0], large[-1] - centre - per_bay)) + 1
    nodes = len(size)
    return None if large[0] == 0 or large[-1] == nodes - 1 else reach
