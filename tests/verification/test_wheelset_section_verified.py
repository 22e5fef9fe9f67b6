"""Against the size of the mesh of paper 004 (2 degrees, 46,400 elements) and exact volumes of bodies of revolution.

A solid of revolution made of flat sectors has the volume of Pappus' theorem times (n / 2 pi) sin(2 pi / n).
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh_properties import mass_properties, vertex_jacobians
from flexwheel.verification.meshes.revolve import revolve
from flexwheel.verification.meshes.wheelset_section import (
    REFINEMENTS,
    WheelsetDimensions,
    read_dimensions,
    wheelset_mesh,
    wheelset_section,
)

MESHES = Path(__file__).parents[2] / "meshes"


def pappus_volume(section):
    """Volume of the section's exact solid of revolution."""
    y, r = np.moveaxis(section.points[section.quads], -1, 0)
    total = 0.0
    for a, b, c in ((0, 1, 2), (0, 2, 3)):
        area = 0.5 * ((y[:, b] - y[:, a]) * (r[:, c] - r[:, a]) - (y[:, c] - y[:, a]) * (r[:, b] - r[:, a]))
        total += (2 * np.pi * area * (r[:, a] + r[:, b] + r[:, c]) / 3).sum()
    return total


@pytest.mark.parametrize(
    ("name", "nodes", "hexahedra", "wedges"),
    [("coarse", 2955, 1632, 624), ("medium", 15697, 10800, 2160), ("paper", 56021, 39240, 7200)],
)
def test_shipped_refinements_have_the_stated_counts(name, nodes, hexahedra, wedges):
    mesh = wheelset_mesh(refinement=REFINEMENTS[name])
    assert len(mesh.nodes) == nodes
    assert [(b.kind, len(b.ids)) for b in mesh.blocks] == [("hex8", hexahedra), ("wedge6", wedges)]


def test_toml_file_holds_the_defaults():
    dimensions, refinements = read_dimensions(MESHES / "wheelset_section.toml")
    assert dimensions == WheelsetDimensions()
    assert refinements == REFINEMENTS


@pytest.mark.parametrize("bore", [0.0, 0.03])
@pytest.mark.parametrize("sectors", [3, 24, 60])
def test_volume_of_the_faceted_body(bore, sectors):
    section = wheelset_section(WheelsetDimensions(bore_radius=bore))
    mesh = revolve(section, sectors)
    exact = pappus_volume(section) * sectors / (2 * np.pi) * np.sin(2 * np.pi / sectors)
    assert mass_properties(mesh).volume == pytest.approx(exact, rel=1e-12)  # rounding only


def test_quadratic_body_approaches_the_exact_solid_of_revolution():
    section = wheelset_section()
    exact = pappus_volume(section)
    error = [abs(mass_properties(revolve(section, n, order=2)).volume / exact - 1) for n in (12, 24)]
    assert error[1] < 1e-4
    assert error[0] / error[1] == pytest.approx(16, rel=0.1)  # a parabola through an arc errs with the 4th power


def test_mid_nodes_lie_on_the_arcs_and_elements_are_positive():
    mesh = wheelset_mesh(order=2)
    assert [b.kind for b in mesh.blocks] == ["hex20", "wedge15"]
    tread = mesh.nodes[mesh.node_sets["TREAD_LEFT"]]
    radius = np.hypot(tread[:, 0], tread[:, 2])
    at_datum = np.abs(tread[:, 1] - 0.75) < 1e-9
    assert np.ptp(radius[at_datum]) < 1e-12
    for block in mesh.blocks:
        assert vertex_jacobians(block.kind, mesh.nodes[block.connectivity]).min() > 0


def test_tread_is_s1002_and_left_is_positive_y():
    mesh = wheelset_mesh()
    left, right = (mesh.nodes[mesh.node_sets[f"TREAD_{s}"]] for s in ("LEFT", "RIGHT"))
    assert left[:, 1].min() > 0 > right[:, 1].max()
    first_ring = left[:8]
    lateral, height = first_ring[:, 1] - 0.75, np.hypot(first_ring[:, 0], first_ring[:, 2]) - 0.46
    assert np.all(np.diff(lateral) > 0)
    assert height[lateral < -0.05].max() == pytest.approx(0.028, abs=1e-6)  # S1002 flange height 28 mm
    assert height[-1] == pytest.approx(1.364323640e-3 - 0.066666667 * 0.060, abs=1e-9)  # EN 13715, section A


def test_node_order_is_rings_then_axis():
    mesh = wheelset_mesh()
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    axis = 2955 - 24 * 122
    assert np.all(radius[-axis:] == 0) and np.all(radius[:-axis] > 0)
    rings = mesh.nodes[:-axis].reshape(24, 122, 3)
    angle = np.arctan2(-rings[..., 2], rings[..., 0])
    assert np.allclose(np.mod(angle, 2 * np.pi), (2 * np.pi * np.arange(24) / 24)[:, None], rtol=0, atol=1e-12)


def test_element_sets_partition_the_mesh():
    mesh = wheelset_mesh()
    members = np.concatenate([mesh.element_sets[k] for k in ("AXLE", "WHEEL_LEFT", "WHEEL_RIGHT")])
    assert np.array_equal(np.sort(members), np.arange(1, 2257))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"hub_radius": 0.5}, "hub_radius"),
        ({"bore_radius": 0.07}, "bore_radius"),
        ({"journal_start": 0.85}, "abutment_end"),
        ({"web_thickness_rim": -0.01}, "thickness"),
        ({"axle_half_length": float("nan")}, "axle_half_length"),
        ({"web_centre_hub": 0.9}, "web foot"),
    ],
)
def test_dimensions_that_are_no_wheelset_are_refused_by_name(change, named):
    with pytest.raises(MeshError, match=named):
        wheelset_section(replace(WheelsetDimensions(), **change))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[dimensions]\nbore_radius = 3\n", "dimensions.bore_radius'"),
        ("[dimensions]\nbore_radius_mm = '3'\n", "must be a number"),
        ("[refinement.mine]\nsectors = 12\n", "lacks 'axle_radial'"),
        ("[dimension]\n", "unknown table"),
        ("dimensions = [", "cannot read"),
    ],
)
def test_broken_dimension_files_name_the_key(tmp_path, text, named):
    path = tmp_path / "section.toml"
    path.write_text(text)
    with pytest.raises(MeshError, match=named):
        read_dimensions(path)


def test_too_few_sectors_and_strange_order():
    with pytest.raises(MeshError, match="sectors"):
        revolve(wheelset_section(), 2)
    with pytest.raises(MeshError, match="order"):
        revolve(wheelset_section(), 12, order=3)
