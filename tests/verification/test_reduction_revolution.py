"""Detection of meshes of revolution: what is one, what is not, and where its rings lie."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.body.mesh import ElementBlock, Material
from flexwheel.body.revolution import detect_revolution, placed_on_lowest_point, section_angle
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh


def mesh_of(sectors, order=1):
    return wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=sectors), order=order)


@pytest.mark.parametrize(("sectors", "order"), [(24, 1), (24, 2), (50, 1), (7, 2), (3, 1)])
def test_rings_reproduce_the_nodes(sectors, order):
    mesh = mesh_of(sectors, order)
    found, reason = detect_revolution(mesh)
    assert found is not None, reason
    assert found.sections == sectors
    angle = found.angle
    place = np.stack([-found.radius * np.sin(angle), found.y + 0 * angle, -found.radius * np.cos(angle)], axis=-1)
    np.testing.assert_allclose(place, mesh.nodes[found.ring], atol=1e-12)  # rounding of coordinates near 1 m
    assert sorted(np.concatenate([found.ring.ravel(), found.axis])) == list(range(len(mesh.nodes)))
    taken = sum(len(rows) for rows in found.sector_elements)
    assert taken * sectors == mesh.element_count


def test_node_order_does_not_matter():
    mesh = mesh_of(24)
    order = np.random.default_rng(3).permutation(len(mesh.nodes))
    place = np.argsort(order)
    blocks = tuple(replace(b, connectivity=place[b.connectivity]) for b in mesh.blocks)
    found, reason = detect_revolution(replace(mesh, nodes=mesh.nodes[order], blocks=blocks, node_sets={}))
    assert found is not None, reason
    assert found.sections == 24


def test_coordinates_of_a_nine_digit_file_are_accepted():
    mesh = mesh_of(24)
    noise = np.random.default_rng(4).uniform(-1e-9, 1e-9, mesh.nodes.shape)
    assert detect_revolution(replace(mesh, nodes=mesh.nodes + noise))[0] is not None


def test_section_plane_is_brought_to_the_lowest_point():
    mesh = mesh_of(50)
    found, _ = detect_revolution(mesh)
    assert found.first == pytest.approx(np.radians(3.6), abs=1e-12)
    placed = placed_on_lowest_point(mesh, found)
    rim = found.ring[0, np.argmax(found.radius)]
    assert np.sin(section_angle(placed[rim])) == pytest.approx(0.0, abs=1e-12)


def displaced(mesh):
    nodes = mesh.nodes.copy()
    nodes[17, 0] += 1e-4
    return replace(mesh, nodes=nodes)


def element_missing(mesh):
    first, *others = mesh.blocks
    return replace(mesh, blocks=(replace(first, connectivity=first.connectivity[1:], ids=first.ids[1:]), *others))


def other_material_in_one_element(mesh):
    first, *others = mesh.blocks
    one = ElementBlock(first.kind, first.connectivity[:1], first.ids[:1], material=1)
    rest = replace(first, connectivity=first.connectivity[1:], ids=first.ids[1:])
    materials = (*mesh.materials, Material(7.0e10, 0.3, 2700.0))
    return replace(mesh, blocks=(one, rest, *others), materials=materials)


@pytest.mark.parametrize("spoil", [displaced, element_missing, other_material_in_one_element])
def test_spoilt_mesh_is_not_of_revolution(spoil):
    found, reason = detect_revolution(spoil(mesh_of(24)))
    assert found is None
    assert reason
