"""A wheelset turned and moved by a known amount is brought back; exact up to the turn about its own axle."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.place_wheelset import place_wheelset
from flexwheel.verification.meshes.wheelset_section import wheelset_mesh

MESHES = Path(__file__).parents[2] / "meshes"
OFFSET = np.array([0.3, -0.7, 1.9])


def turned(mesh, rotation):
    return replace(mesh, nodes=mesh.nodes @ rotation.T + OFFSET)


def cylinder_coordinates(mesh):
    return np.column_stack([mesh.nodes[:, 1], np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])])


def test_a_mesh_in_place_is_left_alone():
    mesh = wheelset_mesh()
    placed, audit = place_wheelset(mesh)
    assert placed is mesh and "left where it is" in audit[-1]


@pytest.mark.parametrize("axis", ["x", "z"])
def test_coordinate_axes_and_offset(axis):
    mesh = wheelset_mesh()
    swap = {"x": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "z": [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}[axis]
    for given in (axis, "auto"):
        placed, _ = place_wheelset(turned(mesh, np.array(swap, dtype=float)), given)
        assert np.allclose(placed.nodes, mesh.nodes, rtol=0, atol=1e-12)


def test_any_axis_found_from_inertia():
    mesh = wheelset_mesh()
    rotation = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    placed, audit = place_wheelset(turned(mesh, rotation))
    back = cylinder_coordinates(placed)
    if rotation[:, 1] @ placed.nodes[0] < 0 or not np.allclose(back, cylinder_coordinates(mesh), rtol=0, atol=1e-9):
        back[:, 0] *= -1  # the direction along the axle is not to be known from a symmetric body
    assert np.allclose(back, cylinder_coordinates(mesh), rtol=0, atol=1e-9)
    assert np.linalg.det(np.linalg.lstsq(turned(mesh, rotation).nodes - OFFSET, placed.nodes, rcond=None)[0]) > 0
    assert "found from inertia" in audit[0]


def test_an_irregular_mesh_on_a_coordinate_axis_is_not_tilted():
    """Inertia of an irregular mesh is round to 1e-4 only; nodes of its axle stay on the axis."""
    mesh = wheelset_mesh()
    nodes = mesh.nodes.copy()
    rim = np.hypot(nodes[:, 0], nodes[:, 2]) > 0.45
    nodes[rim & (nodes[:, 0] > 0.3) & (nodes[:, 1] > 0)] += [1e-3, 0.0, 5e-4]
    placed, audit = place_wheelset(replace(mesh, nodes=nodes[:, [1, 2, 0]]))
    assert np.allclose(placed.nodes[-1], [0.0, nodes[-1, 1], 0.0], rtol=0, atol=1e-15)
    assert "taken as none" in audit[0] and "axle through AXLE_BOX_LEFT" in audit[1]
    assert "imbalance: " in audit[-2] and "imbalance: 0 g m" not in audit[-2]


def test_mass_properties_of_a_box():
    """Box a x b x c: m (b^2 + c^2) / 12 about its centre."""
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    size = np.array([0.4, 1.0, 2.0])
    block = ElementBlock("hex8", np.arange(8)[None], np.array([1]))
    steel = Material(2.1e11, 0.3, 7850.0)
    box = Mesh(np.array(corners) * size + OFFSET, np.arange(1, 9), (block,), (steel,))
    body = mass_properties(box)
    assert body.mass == pytest.approx(7850 * 0.8, rel=1e-13)
    assert np.allclose(body.centre, OFFSET + size / 2, rtol=0, atol=1e-13)
    square = size**2
    assert np.allclose(body.inertia, np.diag(square.sum() - square) * body.mass / 12, rtol=0, atol=1e-9)


def test_bodies_without_a_single_axis_are_refused():
    mesh = wheelset_mesh()
    with pytest.raises(MeshError, match="no axis of revolution"):
        place_wheelset(replace(mesh, nodes=mesh.nodes * [1.0, 1.0, 0.5]))
    with pytest.raises(MeshError, match="expected 'x', 'y', 'z'"):
        place_wheelset(mesh, "axle")
    with pytest.raises(MeshError, match="three numbers"):
        place_wheelset(mesh, np.zeros(3))


def test_shipped_mesh_is_in_place():
    mesh, _ = read_mesh(MESHES / "wheelset_coarse.inp")
    assert place_wheelset(mesh)[0] is mesh
