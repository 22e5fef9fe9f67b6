"""Compliance of running surfaces without the half-space: Boussinesq and Cerruti in real space (Johnson 1985, Contact
Mechanics, eqs (3.19) and (3.75)) for the Fourier integral; the compliance of a fine mesh for coarse ones.
"""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.body.mesh import Material
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.revolution import detect_revolution
from flexwheel.body.section_outline import section_outline
from flexwheel.body.tread import TreadNodes, TreadOptions, find_treads
from flexwheel.body.tread_compliance import (
    HALF_ALONG,
    PLACES,
    _serendipity_shares,
    half_space_compliance,
    nodal_shares,
    quadratic_surface,
    spread_load,
)
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

STEEL = Material(2.1e11, 0.3, 7850.0)
FINE = 375e-12  # [m/N] at the datum of the shipped wheelset by elements of 8 x 6 x 7.5 mm, half widths of 16 to 48 mm


def spline(t):
    """Autocorrelation of a unit hat of half width 1: the cubic B-spline."""
    t = np.abs(t)
    return np.where(t < 1, 2 / 3 - t**2 + t**3 / 2, np.where(t < 2, (2 - t) ** 3 / 6, 0.0))


@pytest.mark.parametrize("distance", [0.0, 0.02, 0.05])
def test_half_space_by_quadrature_in_real_space(distance):
    a, b = 0.048, 0.030
    shear, nu = 0.5 * STEEL.youngs_modulus / 1.3, STEEL.poissons_ratio
    rho, angle = np.meshgrid((np.arange(4000) + 0.5) * 5e-5, (np.arange(720) + 0.5) * np.pi / 360, indexing="ij")
    x, y = rho * np.cos(angle), rho * np.sin(angle)
    weight = spline(x / a) / a * spline((y - distance) / b) / b * 5e-5 * np.pi / 360  # rho cancels the pole 1/rho
    c, s = np.cos(angle) ** 2, np.sin(angle) ** 2
    exact = [np.sum(weight * ((1 - nu) + nu * g)) / (2 * np.pi * shear) for g in (c, s)]
    exact.append(np.sum(weight) * (1 - nu) / (2 * np.pi * shear))
    found = half_space_compliance(a, b, np.array([distance]), STEEL)[0]
    np.testing.assert_allclose(found, exact, rtol=1e-4)  # the quadrature's own error, 1e-5


def test_nodal_forces_of_a_pressure_do_its_work():
    """A hat of pressure over unequal elements, on the linear shape functions and on those of the mid-side nodes."""
    y = np.array([0.0, 0.012, 0.02, 0.035, 0.04, 0.06, 0.07])
    place, half = 0.033, 0.025
    corner, middle = nodal_shares(y, place, half)
    at = place + half * (np.arange(2000) + 0.5) / 1000 - half
    pressure = (1.0 - np.abs(at - place) / half) / 1000
    for k, unit in enumerate(np.eye(len(y))):
        assert corner[k] == pytest.approx(pressure @ np.interp(at, y, unit), abs=1e-5)  # midpoint rule
    for k, (low, high) in enumerate(zip(y[:-1], y[1:], strict=True)):
        t = np.clip((at - low) / (high - low), 0.0, 1.0)
        assert middle[k] == pytest.approx(pressure @ (4.0 * t * (1.0 - t)), abs=1e-5)


def test_spread_load_is_a_unit_wrench():
    """Resultants of its nodal forces about the profile origin are unit wrenches; it has none about the axle."""
    y = np.linspace(0.68, 0.81, 14)
    profile = np.column_stack([y, 0.46 - (y - 0.75) / 20])
    angle = 2 * np.pi / 360 * np.arange(360)
    tread = TreadNodes(1, 0.46, 0.75, angle, profile, np.zeros((360, 14, 1), int), np.ones((360, 14, 1)))
    load = spread_load(tread, STEEL)
    spacing = 0.46 * angle[1]
    spread = load.rows[:, 2, :, 2].sum(axis=1) @ (spacing * load.offset) ** 2
    assert spread == pytest.approx((HALF_ALONG**2 + spacing**2) / 6.0, rel=0.02)  # a hat, on elements 1/6 as long
    d_y, d_z = y - 0.75, 0.46 - profile[:, 1]
    fx, fy, fz = np.moveaxis(load.rows.sum(axis=0), 2, 0)
    wrench = np.stack([fx.sum(1), fy.sum(1), fz.sum(1), fz @ d_y - fy @ d_z, -fx @ d_y], axis=1)[[0, 1, 2, 3, 5]]
    np.testing.assert_allclose(wrench, np.eye(5), atol=1e-9)
    assert len(load.offset) < PLACES * 3
    told = [0, 1, 2, 3, 5]
    assert not load.rows[:, 4].any()
    assert np.linalg.eigvalsh(load.half_space[np.ix_(told, told)]).min() > 0.0


def test_spread_load_on_quadratic_elements():
    """A unit wrench as well; a pressure that is linear over four elements presses their common corner back.

    Uniform pressure on an 8-node face gives -1/12 at corners and 1/3 at mid-side nodes (Zienkiewicz, Taylor 2000, The
    Finite Element Method 1, section 8.2).
    """
    mesh = wheelset_mesh(refinement=REFINEMENTS["coarse"], order=2)
    revolution = detect_revolution(mesh)[0]
    tread = find_treads(mesh, revolution, section_outline(mesh, revolution), TreadOptions())[0]
    load = spread_load(tread, STEEL, mesh)
    y, r = load.surface.profile.T
    d_y, d_z = y - tread.lateral, tread.radius - r
    fx, fy, fz = np.moveaxis(load.rows.sum(axis=0), 2, 0)
    wrench = np.stack([fx.sum(1), fy.sum(1), fz.sum(1), fz @ d_y - fy @ d_z, -fx @ d_y], axis=1)[[0, 1, 2, 3, 5]]
    np.testing.assert_allclose(wrench, np.eye(5), atol=1e-4)  # radii of the mid-side nodes: means of their neighbours
    position = mesh.nodes[load.surface.nodes[0, :, 0]]
    angle = load.ahead * (tread.angle[1] - tread.angle[0])
    np.testing.assert_allclose(position[:, 1], y, atol=1e-12)
    np.testing.assert_allclose(np.arctan2(-position[:, 0], -position[:, 2]), angle, atol=1e-9)
    uniform = _serendipity_shares(np.ones(9), np.full(9, 2 / 3), np.ones((1, 9)), np.full((1, 8), 2 / 3))[0, 4]
    np.testing.assert_allclose(uniform[[4, 13, 21]], [-4 / 12, 2 / 3, 2 / 3], atol=1e-14)


@pytest.fixture(scope="module")
def medium():
    return reduce_wheelset(wheelset_mesh(refinement=REFINEMENTS["medium"]), ReductionOptions(control=()))


def test_rows_belong_to_the_radius_that_touches(medium):
    """First torsion: profile and node at the tread datum. Residual along and across, a refined mesh of the shipped
    section: 42.3 and 98.7 m/TN; 20 and 30 are 0.14 % of the wheel's compliance along and across."""
    tread = medium.treads[0]
    torsion = np.flatnonzero(medium.order == 0)[0]
    node = np.argmin(np.abs(tread.profile[:, 0] - tread.lateral))
    assert tread.profile[node] == pytest.approx([tread.lateral, tread.radius], abs=1e-4)
    ratio = tread.profile_rows[0, 0, torsion] / tread.node_rows[0, node, 0, torsion]
    along, across = 1e12 * np.diag(tread.residual_compliance)[:2]
    print(f"row over node {ratio:.7f}, residual compliance {along:.1f} along, {across:.1f} across [m/TN]")
    assert abs(ratio - 1.0) < 1e-3
    assert abs(along - 42.3) < 20.0 and abs(across - 98.7) < 30.0


def test_compliance_does_not_hang_on_the_mesh(medium):
    """At the tread datum; 18 m/TN are 2 % of the approach of a wheel with Hertz's 1/(1.2e9 N/m) on top."""
    tread, omega = medium.treads[0], 2 * np.pi * medium.frequency_hz
    total = tread.profile_rows[0] @ (tread.profile_rows[0].T / omega[:, None] ** 2) + tread.residual_compliance
    print(f"medium mesh: {1e12 * total[2, 2]:.1f} m/TN")
    assert abs(total[2, 2] - FINE) < 18e-12


@pytest.mark.parametrize("tip", [True, False])
def test_walls_and_gaps_of_a_tread_set(tip):
    """Nodes of flange back and field face in the set are no running surface; without the ring on the flange tip the
    quadratic surface reaches as far as it is joined, and stays quadratic."""
    mesh = wheelset_mesh(refinement=REFINEMENTS["coarse"], order=2)
    revolution = detect_revolution(mesh)[0]
    alone = find_treads(mesh, revolution, section_outline(mesh, revolution), TreadOptions())
    outward, rim = np.abs(mesh.nodes[:, 1]), np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2]) > 0.43
    chosen = np.isin(np.arange(len(rim)), [t.nodes for t in alone]) | (rim & np.isin(outward.round(6), (0.68, 0.81)))
    chosen &= tip | (outward.round(6) != 0.695)
    sets = {name: np.flatnonzero(chosen & (s * mesh.nodes[:, 1] > 0)) for s, name in ((1, "L"), (-1, "R"))}
    given = find_treads(replace(mesh, node_sets=sets), revolution, None, TreadOptions(sets=("L", "R")))
    for tread, without in zip(given, alone, strict=True):
        assert (np.diff(tread.profile[:, 0]) > 0.0).all()
        corner = tread.profile[quadratic_surface(mesh, tread).corner]
        expected = without.profile[quadratic_surface(mesh, without).corner]
        np.testing.assert_array_equal(corner, expected if tip else expected[np.abs(expected[:, 0]) > 0.7])
