"""Submodels against Kirsch's plate, Lame's ring, a filleted shaft of CalculiX; corners, routes, splitting of elements.

CalculiX 2.20: the shaft of tests/benches/filleted_shaft.py with `shaft(2, 40, order=2)` as C3D20 and C3D15 (39,421
nodes), loads of `end_forces`, thick end held; stress averaged at nodes, extrapolated by CalculiX.
Grounds: estimates of the error are asked to be within a factor of two (users of the wheelset).
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from flexwheel.body.elements import LINEAR_KIND
from flexwheel.body.free_surface import free_surface
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.reduced_body import MARKED
from flexwheel.body.refinement import refined
from flexwheel.body.stress import von_mises
from flexwheel.body.stress_error import node_stress_rows
from flexwheel.body.submodel import submodel_rows
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
from tests.benches.filleted_shaft import CASES, hot_places, loaded, nodes_at, shaft
from tests.benches.plate_with_hole import exact_stress, ring_displacement, ring_hoop_stress, solved

CALCULIX = (  # xx yy zz xy yz zx [Pa] at `hot_places` under 1 N, 1 N m, 1 N m: nodes above half of the largest stress
    (
        (-9.60547, -139.735, 0.29131, 0.0, 0.03813, 0.0),
        (-20.5566, -167.202, -0.42696, 0.0, 3.41875, 0.0),
        (-29.9537, -184.141, -6.86072, 0.0, 32.0543, 0.0),
        (-26.0642, -152.015, -20.3747, 0.0, 54.6155, 0.0),
        (-14.9481, -99.5325, -32.6415, 0.0, 57.0176, 0.0),
    ),
    (
        (-618.528, -10619.4, 23.5749, 0.0, 2.00866, 0.0),
        (-1398.13, -12335.5, -29.6909, 0.0, 249.532, 0.0),
        (-2061.92, -13228.2, -488.26, 0.0, 2300.66, 0.0),
        (-1822.9, -10766.1, -1439.36, 0.0, 3869.66, 0.0),
        (-1132.64, -7080.62, -2322.68, 0.0, 4057.72, 0.0),
    ),
    (
        (0.0, 0.0, 0.0, 5248.44, 0.0, -3.03648),
        (0.0, 0.0, 0.0, 5645.56, 0.0, -108.807),
        (0.0, 0.0, 0.0, 5751.54, 0.0, -1009.93),
        (0.0, 0.0, 0.0, 5001.73, 0.0, -1807.89),
        (0.0, 0.0, 0.0, 3858.67, 0.0, -2213.43),
    ),
)


def at_nodes(mesh, moved, nodes, loads, splits=2):
    """Stress (n, 6, L) of the mesh and of submodels."""
    free = free_surface(mesh, loads)
    split = [submodel_rows(mesh, int(k), None, free, splits)[-6:] for k in np.atleast_1d(nodes)]
    rows = node_stress_rows(mesh, nodes, None, free), sp.vstack(split, format="csr")
    return [(r @ moved).reshape(len(nodes), 6, -1) for r in rows]


def held_faces(mesh):
    return np.concatenate([mesh.node_sets[name] for name in ("X1", "Y0", "Y1", "Z0", "Z1")])


def test_estimate_at_seven_places_of_the_plate():
    """Every third of test_stress_error_verified: the stressed half of the hole; inside, where the error is largest."""
    mesh, moved = solved("hex8", 12)
    x, y, z = mesh.nodes.T
    r, t = np.hypot(x, y), np.arctan2(y, x)
    middle = (np.abs(z - 0.2) < 1e-9) & (t > 0.01) & (t < 1.56)
    hole, inside = np.flatnonzero(middle & (r < 1.0001)), np.flatnonzero(middle & (r > 1.15) & (r < 2.2))
    stress = (node_stress_rows(mesh, np.arange(len(x)), None, free_surface(mesh, held_faces(mesh))) @ moved).reshape(
        -1, 6
    )
    true = stress - exact_stress(x, y)
    hot = hole[von_mises(stress[hole]) > 0.5 * von_mises(stress[hole]).max()]
    places = np.append(hot, inside[np.argsort(-von_mises(true[inside]))[: 20 - len(hot)]])[::3]
    plain, fine = (part[..., 0] for part in at_nodes(mesh, moved, places, held_faces(mesh)))
    ratio = von_mises(plain - fine) / von_mises(true[places])
    assert len(ratio) == 7 and ratio.min() > 0.5 and ratio.max() < 2.0


@pytest.mark.parametrize("kind, cells", [("hex8", 6), ("hex20", 4), ("wedge15", 4)])
def test_ring_of_lame(kind, cells):
    """Hoop stress at the bore; the error of the mesh there falls to less than a third."""
    mesh, moved = solved(kind, cells, ring_displacement)
    x, y, z = mesh.nodes.T
    corner = np.unique(mesh.blocks[0].connectivity[:, :4])
    bore = corner[np.hypot(x, y)[corner] < 1.0001]
    node = bore[np.argmin(np.abs(z[bore] - 0.2) + np.abs(np.arctan2(y, x)[bore] - 0.25 * np.pi))]
    hoop = np.array([y[node] ** 2, x[node] ** 2, 0.0, -2.0 * x[node] * y[node], 0.0, 0.0])
    plain, fine = (float(hoop @ part[0, :, 0]) for part in at_nodes(mesh, moved, [node], held_faces(mesh)))
    exact = ring_hoop_stress(1.0)
    assert abs(fine - exact) < abs(plain - exact) / 3.0
    assert fine == pytest.approx(exact, rel=0.03)


def test_filleted_shaft_against_calculix():
    """The largest stress of each case within 1 %, each place within 2 %, estimates within a factor of two."""
    mesh = shaft(sectors=40)
    moved, loads = loaded(mesh)
    plain, fine = at_nodes(mesh, moved, nodes_at(mesh, hot_places())[:5], loads)
    true = np.moveaxis(np.array(CALCULIX), 0, 2)
    size, error, left = (von_mises(part, axis=1) for part in (true, plain - true, fine - true))
    estimate = von_mises(plain - fine, axis=1)
    assert len(CASES) == size.shape[1] and error.max() > 0.04 * size.min()
    assert (error / size).max() > 0.05 and (left / size).max() < 0.02
    np.testing.assert_allclose(von_mises(fine, axis=1).max(axis=0), size.max(axis=0), rtol=0.01)
    assert (estimate / error).min() > 0.5 and (estimate / error).max() < 2.0


@pytest.mark.parametrize("kind", ["hex8", "hex20", "wedge6", "wedge15", "tet4", "tet10"])
def test_uniform_strain_is_repeated(kind):
    """In a distorted box, a turn included: rows are linear in the displacement and exact for fields linear in space."""
    mesh = box_mesh(kind, (4, 4, 4), distortion=0.2, seed=3)
    gradient = 1e-3 * np.array([[1.0, 5.3, -0.2], [-5.1, -0.7, 0.4], [0.5, 0.2, 0.6]])
    inner = mesh.node_sets["INSIDE"]
    node = inner[np.argmin(np.linalg.norm(mesh.nodes[inner] - 0.5, axis=1))]
    plain, fine = at_nodes(
        mesh, (mesh.nodes @ gradient.T).reshape(-1, 1), [node], np.setdiff1d(np.arange(len(mesh.nodes)), inner)
    )
    np.testing.assert_allclose(fine, plain, atol=1e-8 * np.abs(plain).max())


@pytest.mark.parametrize("kind", ["hex8", "hex20", "wedge6", "wedge15", "tet4", "tet10"])
def test_children_fill_their_element(kind):
    mesh = box_mesh(kind, (2, 1, 2), (2.0, 1.0, 3.0))
    fine, operator, same, held = refined(mesh, mesh, driven=mesh.node_sets["Z0"])
    assert fine.element_count == 8 * mesh.element_count
    corners = fine.nodes[
        fine.blocks[0].connectivity[:, : len(box_mesh(LINEAR_KIND[kind], (1, 1, 1)).blocks[0].connectivity[0])]
    ]
    np.testing.assert_allclose(fine.nodes[same], mesh.nodes, atol=1e-12)
    np.testing.assert_allclose(operator.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_array_equal(held, fine.nodes[:, 2] < 1e-12)
    assert len(np.unique(np.round(fine.nodes, 9), axis=0)) == len(fine.nodes)
    edges = corners[:, 1:4] - corners[:, :1]
    assert (np.linalg.det(edges) > 0).all() or LINEAR_KIND[kind] != "tet4"


def test_new_nodes_lie_on_the_arcs():
    """Of the shaft: around it, in the fillet, and on the straight parts beside it."""
    mesh = shaft()
    fine, *_ = refined(mesh, mesh, free_surface(mesh).corners)
    x, y, z = fine.nodes.T
    r = np.hypot(x, z)
    skin = r > 0.0499
    arc = np.where(y < 0.15, 0.05, 0.08 - np.sqrt(np.maximum(0.03**2 - (y - 0.15) ** 2, 0.0)))
    on = skin & (np.abs(r - arc) < 3e-4) & (y < 0.1755)
    assert on.sum() > 40 * 20
    np.testing.assert_allclose(r[on], arc[on], atol=2e-5)  # chords of 10 degrees lie 114 um off, of 18 degrees 616 um


def test_corner_has_no_limit_and_the_axle_of_two_elements_is_marked():
    """Old section: its seat's corner changes with each split; the axle of two elements through its radius is off."""
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=12))
    control = ((0.0, -0.63, -0.08), (0.0, -0.4725, -0.08))
    plain, fine = (reduce_wheelset(mesh, ReductionOptions(control=control, submodel=way)) for way in (False, True))
    assert fine.control.corner[0] > 0 and fine.control.stress_error[0] > MARKED
    assert any("without a radius" in line for line in fine.audit)
    rows = [body.control.stress_rows[1, body.control.home[1]] for body in (plain, fine)]
    assert np.linalg.norm(rows[0] - rows[1]) > MARKED * np.linalg.norm(rows[1])


def test_both_routes_agree_and_a_tread_keeps_the_stress_of_the_mesh():
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=12))
    control = ((0.0, -0.4725, -0.08), "tread_right")
    options = ReductionOptions(control=control, submodel=True, modes_up_to_hz=300.0)
    cyclic, general = (reduce_wheelset(mesh, replace(options, route=route)).control for route in ("cyclic", "general"))
    np.testing.assert_allclose(cyclic.stress_error, general.stress_error, rtol=1e-6)
    at = 0, cyclic.home[0]
    for name in ("tread_stress", "interface_stress"):
        one, other = getattr(cyclic, name)[at], getattr(general, name)[at]
        np.testing.assert_allclose(one, other, atol=1e-6 * np.abs(other).max())
    body = reduce_wheelset(mesh, options)
    assert any("no submodel" in line and "tread_right" in line for line in body.audit)
    plain = reduce_wheelset(mesh, replace(options, submodel=False)).control
    np.testing.assert_allclose(body.control.stress_rows[1], plain.stress_rows[1], rtol=1e-9, atol=1e-3)
