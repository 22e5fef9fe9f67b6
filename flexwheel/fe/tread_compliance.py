"""Load by which the static compliance of a running surface is taken, and the half-space part that it holds.

The indentation under a wheel is held by the contact law, which takes the wheel for a half-space: Hertz and what follows
from it give the approach of two bodies whose surfaces far from the patch stay where they are. A finite element solution
under a load on the running surface holds the same indentation once more, as far as its elements resolve it. What the
contact law leaves out is the difference

    C = L (G - G_half_space) L^T

G of the mesh and G_half_space of the half-space under the same load, which is smooth at the patch: it depends neither
on the size of the load, as long as the elements resolve it, nor on the mesh. L are the rows of the profile's rigid
motion (fe.tread) over PLACES on the running band; the load at each is a pyramid of pressure HALF_ALONG by HALF_ACROSS,
or as wide as an element where that is more, as consistent nodal forces.

The half-space is a Fourier integral: unit pressures p of transform p^ yield, at a distance y across,
C = 1/(4 pi^2) int |p^|^2 g(k) cos(k_y y) dk, g = 2 (1 - nu^2)/(E |k|) for the normal direction and
(1 - nu (k_a/|k|)^2)/(G |k|) for the tangential direction a. The coupling of normal and tangential directions, which is
odd in the distance and cancels between two bodies of one material, is left out on both sides.

Source: Johnson 1985, Contact Mechanics, sections 3.2, 3.6 (Boussinesq, Cerruti), 4.2 (approach of distant points).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexwheel.fe.mesh import Material, Mesh
from flexwheel.fe.tread import TreadNodes, profile_operator

HALF_ALONG, HALF_ACROSS = 0.048, 0.030  # [m] three elements of a fine mesh, a third of a rim's width
BAND = (-0.020, 0.030)  # [m] of the running band from the tread datum, flange side negative
PLACES = 6
LEAST_BAND = 0.005  # [m]


class SpreadLoad(NamedTuple):
    """Unit wrenches on the running band of a wheel, around section 0."""

    offset: np.ndarray  # (K,) sections that carry it, counted from the loaded one
    share: np.ndarray  # (K,) of each, sum 1
    rows: np.ndarray  # (5, P, 3) nodal forces of unit wrenches in one section, section frame
    half_space: np.ndarray  # (5, 5) compliance of a half-space under it


def spread_load(tread: TreadNodes, material: Material) -> SpreadLoad:
    """Load of one running surface, of the material at its surface.

    Verified in tests/verification/test_tread_compliance.py and `flexwheel verify tread`.
    """
    y, radius = tread.profile[:, 0], tread.profile[:, 1]
    order = np.argsort(y)
    y, radius = y[order], radius[order]
    step = float(tread.angle[1] - tread.angle[0])
    spacing = tread.radius * step
    along = max(HALF_ALONG, spacing)
    reach = min(int(np.ceil(along / spacing)), (len(tread.angle) - 1) // 2)
    offset = np.arange(-reach, reach + 1)
    pressure = np.maximum(0.0, 1.0 - np.abs(offset) * spacing / along)
    share = np.convolve(pressure, (1.0, 4.0, 1.0), "same")  # consistent with linear elements
    share /= share.sum()
    ends = sorted(tread.lateral + tread.side * np.array(BAND))
    within = (y >= ends[0]) & (y <= ends[1])
    widest = float(np.diff(y[within]).max()) if within.sum() > 1 else 0.0
    across = min(max(HALF_ACROSS, widest), 0.25 * (y[-1] - y[0]))
    low, high = max(ends[0], y[0] + across), min(ends[1], y[-1] - across)
    if high - low < LEAST_BAND:  # a datum near the edge of its profile
        low, high = y[0] + across, y[-1] - across
    place = np.linspace(low, high, PLACES)
    nodal = np.array([_nodal_shares(y, p, across) for p in place])
    operator = profile_operator(np.column_stack([place, nodal @ radius]), tread.lateral, tread.radius)
    operator = operator.reshape(5, PLACES, 3)
    rows = np.empty((5, len(y), 3))
    rows[:, order] = np.einsum("cia,ip->cpa", operator, nodal)
    distance = np.abs(place[:, None] - place[None])
    green = half_space_compliance(along, across, distance.ravel(), material).reshape(PLACES, PLACES, 3)
    return SpreadLoad(offset, share, rows, np.einsum("cia,ija,dja->cd", operator, green, operator))


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


def _nodal_shares(y, place, half):
    """(P,) consistent nodal forces of a unit hat of pressure over a profile with nodes y, ascending, linear between."""
    breaks = np.unique(np.concatenate([y[np.abs(y - place) < half], place + half * np.array([-1.0, 0.0, 1.0])]))
    at = np.stack([breaks[:-1], 0.5 * (breaks[:-1] + breaks[1:]), breaks[1:]])
    weight = np.diff(breaks) * np.array([1.0, 4.0, 1.0])[:, None] / 6.0  # Simpson: exact for linear times linear
    weight = weight * np.maximum(0.0, 1.0 - np.abs(at - place) / half)
    shares = np.array([np.sum(weight * np.interp(at, y, unit)) for unit in np.eye(len(y))])
    return shares / shares.sum()
