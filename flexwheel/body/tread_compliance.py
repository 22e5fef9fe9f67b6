"""Load by which the static compliance of a running surface is taken, and the half-space part that it holds.

The indentation under a wheel is held by the contact law, which takes the wheel for a half-space: Hertz and what follows
from it give the approach of two bodies whose surfaces far from the patch stay where they are. A finite element solution
under a load on the running surface holds the same indentation once more, as far as its elements resolve it. What the
contact law leaves out is the difference

    C = L (G - G_half_space) L^T

G of the mesh and G_half_space of the half-space under the same load, which is smooth at the patch: it depends neither
on the size of the load, as long as the elements resolve it, nor on the mesh. L are the rows of the profile's rigid
motion (tread) over PLACES on the running band; the load at each is a pyramid of pressure HALF_ALONG by HALF_ACROSS,
or as wide as an element where that is more, as consistent nodal forces; on quadratic elements with the mid-side nodes,
those between two sections included (serendipity: a corner's shape function is the bilinear one less half of its two
neighbours').

The half-space is a Fourier integral: unit pressures p of transform p^ yield, at a distance y across,
C = 1/(4 pi^2) int |p^|^2 g(k) cos(k_y y) dk, g = 2 (1 - nu^2)/(E |k|) for the normal direction and
(1 - nu (k_a/|k|)^2)/(G |k|) for the tangential direction a. The coupling of normal and tangential directions, which is
odd in the distance and cancels between two bodies of one material, is left out on both sides.

Source: Johnson 1985, Contact Mechanics, sections 3.2, 3.6 (Boussinesq, Cerruti), 4.2 (approach of distant points).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexwheel.body.elements import EDGES
from flexwheel.body.mesh import Material, Mesh
from flexwheel.body.tread import TreadNodes, profile_operator

HALF_ALONG, HALF_ACROSS = 0.048, 0.030  # [m] three elements of a fine mesh, a third of a rim's width
BAND = (-0.020, 0.030)  # [m] of the running band from the tread datum, flange side negative
PLACES = 6
LEAST_BAND = 0.005  # [m]
LEAST = -2e-10  # [m/N] of a residual compliance: beside a contact spring of 3e9 N/m (333 m/TN) the sum stays positive
ARM = 0.070  # [m] by which a rotation counts as a shift there


class SpreadLoad(NamedTuple):
    """Unit wrenches on the running band of a wheel, around section 0, over Q nodes a section."""

    surface: TreadNodes  # profile nodes, on quadratic elements all nodes of the surface instead
    ahead: np.ndarray  # (Q,) sections by which a node lies ahead of its section: 0, or 1/2 between two
    offset: np.ndarray  # (K,) sections that carry it, counted from the loaded one
    rows: np.ndarray  # (K, 6, Q, 3) nodal forces of unit wrenches, in the frame of the node's own angle
    half_space: np.ndarray  # (6, 6) compliance of a half-space under it


class _Surface(NamedTuple):
    """Nodes (S, ...) of a surface of 8-node quadrilaterals: corners in their order across, and mid-side nodes."""

    corner: np.ndarray  # (P,) columns of the tread
    across: np.ndarray  # (S, P - 1) between neighbours of a section
    along: np.ndarray  # (S, P) between two sections


def spread_load(tread: TreadNodes, material: Material, mesh: Mesh | None = None) -> SpreadLoad:
    """Load of one running surface, of the material at its surface; quadratic elements need the mesh.

    Verified in tests/verification/test_tread_compliance_verified.py and `flexwheel verify tread`.
    """
    quadratic = None if mesh is None else quadratic_surface(mesh, tread)
    corner = np.arange(len(tread.profile)) if quadratic is None else quadratic.corner
    y, radius = tread.profile[corner].T
    step = float(tread.angle[1] - tread.angle[0])
    spacing = tread.radius * step
    along = max(HALF_ALONG, spacing)
    reach = min(int(np.ceil(along / spacing)), (len(tread.angle) - 1) // 2)
    offset = np.arange(-reach, reach + 1)
    pressure = np.maximum(0.0, 1.0 - np.abs(offset) * spacing / along)
    share = np.convolve(pressure, (1.0, 4.0, 1.0), "same")  # consistent with linear elements
    bubble = (pressure + np.append(pressure[1:], 0.0)) * 2.0 / share.sum()  # of the mid-side node ahead
    share /= share.sum()
    ends = sorted(tread.lateral + tread.side * np.array(BAND))
    within = (y >= ends[0]) & (y <= ends[1])
    widest = float(np.diff(y[within]).max()) if within.sum() > 1 else 0.0
    across = min(max(HALF_ACROSS, widest), 0.25 * (y[-1] - y[0]))
    low, high = max(ends[0], y[0] + across), min(ends[1], y[-1] - across)
    if high - low < LEAST_BAND:  # a datum near the edge of its profile
        low, high = y[0] + across, y[-1] - across
    place = np.linspace(low, high, PLACES)
    nodal, middle = (np.array(shares) for shares in zip(*(nodal_shares(y, p, across) for p in place), strict=True))
    operator = profile_operator(np.column_stack([place, nodal @ radius]), tread.lateral, tread.radius)
    operator = operator.reshape(6, PLACES, 3)
    if quadratic is None:
        surface, ahead = tread, np.zeros(len(tread.profile))
        shares = np.empty((PLACES, len(offset), len(y)))
        shares[:, :, corner] = share[:, None] * nodal[:, None]
    else:
        surface, ahead = all_nodes(tread, quadratic)
        shares = _serendipity_shares(share, bubble, nodal, middle)
    rows = np.einsum("cia,ikp->kcpa", operator, shares)
    distance = np.abs(place[:, None] - place[None])
    green = half_space_compliance(along, across, distance.ravel(), material).reshape(PLACES, PLACES, 3)
    half_space = np.einsum("cia,ija,dja->cd", operator, green, operator)
    return SpreadLoad(surface, ahead, offset, rows, half_space)


def quadratic_surface(mesh, tread):
    """Corners and mid-side nodes of a running surface that is joined to the datum; None of linear elements."""
    middle = {}
    for block in mesh.blocks:
        if block.kind in EDGES and tread.nodes.shape[2] == 1:
            touched = block.connectivity[np.isin(block.connectivity, tread.nodes).any(axis=1)]
            ends, first_mid = np.array(EDGES[block.kind]), touched.shape[1] - len(EDGES[block.kind])
            pairs = np.sort(touched[:, ends], axis=2).reshape(-1, 2).tolist()
            middle |= dict(zip(map(tuple, pairs), touched[:, first_mid:].ravel().tolist(), strict=True))
    between = lambda a, b: [[middle.get((min(p), max(p)), -1) for p in zip(*s, strict=True)] for s in zip(a, b)]  # noqa
    nodes = tread.nodes[:, :, 0]
    along = np.array(between(nodes.tolist(), np.roll(nodes, -1, axis=0).tolist()))
    corner = np.flatnonzero((along >= 0).all(axis=0))
    if len(corner) < 2:
        return None
    plane = nodes[:, corner]
    across = np.array(between(plane[:, :-1].tolist(), plane[:, 1:].tolist()))
    gap = np.flatnonzero((across < 0).any(axis=0))
    datum = np.searchsorted(tread.profile[corner, 0], tread.lateral) - 1  # the side that holds it
    low, high = gap[gap < datum].max(initial=-1) + 1, gap[gap >= datum].min(initial=len(corner) - 1)
    corner = corner[low : high + 1]
    return _Surface(corner, across[:, low:high], along[:, corner]) if len(corner) > 1 else None


def bounded_below(compliance: np.ndarray) -> tuple[np.ndarray, float]:
    """Residual compliance (6, 6) whose lateral, vertical and roll part has no eigenvalue below LEAST; its lowest.

    Modes hold local deflection that the contact law holds too, so that the residual may be negative. Where elements do
    not resolve the rim it gets so negative that it outweighs the contact spring, and the contact force grows by itself.
    """
    scale = np.array([1.0, 1.0, ARM])
    value, vector = np.linalg.eigh(compliance[1:4, 1:4] * np.outer(scale, scale))
    out = compliance.copy()
    out[1:4, 1:4] += (vector * np.maximum(LEAST - value, 0.0)) @ vector.T / np.outer(scale, scale)
    return out, float(value[0])


def material_at(mesh: Mesh, tread: TreadNodes) -> Material:
    """Material of an element at the running surface."""
    row = tread.nodes[0, 0, 0]
    for block in mesh.blocks:
        if (block.connectivity == row).any():
            return mesh.materials[block.material]
    raise ValueError(f"node row {row} of a running surface belongs to no element")


def half_space_compliance(along: float, across: float, distance: np.ndarray, material: Material) -> np.ndarray:
    """Mean displacement under one pyramid of pressure by another at a distance across, both weighted with the pressure.

    Parameters
    ----------
    along, across : float [m]      half widths of the pyramids, resultant 1 N
    distance : (n,) [m]            across, between their centres

    Returns
    -------
    (n, 3) [m/N]                   along, across and normal to the surface
    """
    shear = 0.5 * material.youngs_modulus / (1.0 + material.poissons_ratio)
    nu = material.poissons_ratio
    nodes, weights = np.polynomial.legendre.leggauss(12)
    edge = np.pi / max(along, across) * np.arange(0, 80)
    k = (0.5 * (edge[1:] + edge[:-1])[:, None] + 0.5 * edge[1] * nodes).ravel()
    w = np.tile(0.5 * edge[1] * weights, len(edge) - 1)
    angle = (np.arange(48) + 0.5) * np.pi / 96.0  # a quadrant; the integrand is even in both
    kx, ky = k[:, None] * np.cos(angle), k[:, None] * np.sin(angle)
    square = (np.sinc(kx * along / (2.0 * np.pi)) * np.sinc(ky * across / (2.0 * np.pi))) ** 4
    square *= w[:, None] * 4.0 * np.pi / 96.0 / (4.0 * np.pi**2)
    yields = (1.0 - nu * np.cos(angle) ** 2, 1.0 - nu * np.sin(angle) ** 2, np.full(48, 1.0 - nu))
    waves = {d: np.cos(ky * d) for d in np.unique(np.round(distance, 12))}
    out = {d: [float(np.sum(square * wave * g)) / shear for g in yields] for d, wave in waves.items()}
    return np.array([out[d] for d in np.round(distance, 12)])


def all_nodes(tread, quadratic):
    """The tread with corners, mid-side nodes across and along as its nodes, and how far these are ahead."""
    nodes = np.hstack([tread.nodes[:, quadratic.corner, 0], quadratic.across, quadratic.along])[:, :, None]
    corner = tread.profile[quadratic.corner]
    profile = np.vstack([corner, 0.5 * (corner[1:] + corner[:-1]), corner])
    ahead = np.repeat([0.0, 0.0, 0.5], [len(corner), len(corner) - 1, len(corner)])
    return replace(tread, profile=profile, nodes=nodes, weights=np.ones(nodes.shape)), ahead


def _serendipity_shares(share, bubble, nodal, middle):
    """(PLACES, K, Q) shares of corners, mid-side nodes across and along.

    share, bubble (K,): of the linear and the mid-side shape functions along; nodal (PLACES, P), middle (PLACES, P - 1):
    the same across.
    """
    across = share[:, None] * middle[:, None]
    along = bubble[:, None] * nodal[:, None]
    corner = share[:, None] * nodal[:, None] - 0.5 * (along + np.roll(along, 1, axis=1))
    corner[..., 1:] -= 0.5 * across
    corner[..., :-1] -= 0.5 * across
    return np.concatenate([corner, across, along], axis=-1)


def nodal_shares(y, place, half):
    """Consistent nodal forces of a unit hat of pressure over a profile with nodes y, ascending: (P,) of linear
    elements, (P - 1,) of the mid-side shape functions 4 t (1 - t) on top."""
    breaks = np.unique(np.concatenate([y[np.abs(y - place) < half], place + half * np.array([-1.0, 0.0, 1.0])]))
    at = np.stack([breaks[:-1], 0.5 * (breaks[:-1] + breaks[1:]), breaks[1:]])
    weight = np.diff(breaks) * np.array([1.0, 4.0, 1.0])[:, None] / 6.0  # Simpson: exact for linear times linear
    weight = weight * np.maximum(0.0, 1.0 - np.abs(at - place) / half)
    shares = np.array([np.sum(weight * np.interp(at, y, unit)) for unit in np.eye(len(y))])
    t = (at - y[:-1, None, None]) / np.diff(y)[:, None, None]
    middle = np.sum(weight * np.clip(4.0 * t * (1.0 - t), 0.0, None), axis=(1, 2))
    return shares / shares.sum(), middle / shares.sum()
