"""A mesh that is not the wheelset its vehicle names, or not round about its axle, is refused with both figures."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.axle_line import axle_line
from flexwheel.body.control_rings import ControlNode
from flexwheel.body.mesh import AttachedMass
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.place_wheelset import place_wheelset
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.run.build.wheelset_agreement import RADII, tread_disagreements, wheelset_disagreements
from flexwheel.run.keys.vehicle_keys import WheelsetSection
from flexwheel.run.wheelset_mesh import wheelset_mesh as mesh_of_section
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

MESH = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=8))
FAST = ReductionOptions(fixed_interface_modes=0, residual=False)


@pytest.fixture(scope="module")
def body():
    return reduce_wheelset(MESH, FAST)


@pytest.fixture(scope="module")
def agrees(body):
    inertia = {"spin_inertia_kg_m2": body.inertia[1, 1], "roll_inertia_kg_m2": body.inertia[0, 0]}
    table = {"mass_kg": body.mass, **inertia, "journal_y_m": body.interface_position[0, 1] + 0.009}
    return {"name": "front", "body": body, "table": table, "wheel": {"radius_m": 0.46}, "wheel_y": 0.75}


def test_the_same_wheelset_agrees(agrees):
    assert wheelset_disagreements(**agrees) == []


def test_journals_elsewhere_are_a_warning(agrees):
    """The vehicle's journal_y_m was read by nobody where the wheelset had a mesh."""
    (line,) = wheelset_disagreements(**agrees | {"table": agrees["table"] | {"journal_y_m": 1.1}})
    assert "y = 1007.5 mm, not at the vehicle's wheelsets.front.journal_y_m, 1100.0 mm" in line


@pytest.mark.parametrize(
    ("name", "changed", "figures"),
    [
        ("wheelset_mass", lambda table: {"table": table | {"mass_kg": 1813.0}}, "1813.0 kg"),
        (
            "wheelset_inertia",
            lambda table: {"table": table | {"spin_inertia_kg_m2": 1.1 * table["spin_inertia_kg_m2"]}},
            "spin",
        ),
        ("wheelset_inertia", lambda table: {"table": table | {"roll_inertia_kg_m2": 1120.0}}, "1120.0"),
        ("tread_radius", lambda table: {"wheel": {"radius_m": 0.4585}}, "459.9. mm.*458.50 mm"),
        ("tread_place", lambda table: {"wheel_y": 0.7475}, "750.0 mm.*747.5 mm"),
    ],
)
def test_disagreements_name_both_figures_and_can_be_accepted(agrees, name, changed, figures):
    given = agrees | changed(agrees["table"])
    with pytest.raises(ScenarioError, match=f'{figures}.*accept = ."{name}".'):
        wheelset_disagreements(**given)
    lines = wheelset_disagreements(**given, accepted=(name,))
    assert len(lines) == 1 and f"accepted: {name}" in lines[0]


@pytest.mark.parametrize("larger", [0.9, 1.1])
def test_treads_of_different_radius(body, larger):
    """A left tread larger by 0.9 and 1.1 times the bound; the reduction itself rounds radii to the millimetre."""
    left = body.treads[0]
    other = replace(left, profile=left.profile + [0.0, larger * RADII])
    body = replace(body, treads=(other, body.treads[1]))
    if larger < 1:
        assert tread_disagreements("front", body) == []
        return
    with pytest.raises(MeshError, match='460.2. mm at the left .* 459.9. mm.*accept = ."tread_radii"'):
        tread_disagreements("front", body)
    assert len(tread_disagreements("front", body, ("tread_radii",))) == 1


def test_imbalance_is_kept():
    """The axle was moved to the mass centre: a mass of 0.25 kg at r = 0.4 m, 100 g m, was gone."""
    row = int(np.argmin(np.linalg.norm(MESH.nodes - [0.4, 0.735, 0.0], axis=1)))
    radius = np.hypot(*MESH.nodes[row, [0, 2]])
    mesh = replace(MESH, masses=(AttachedMass("m", 0.25, MESH.nodes[row], np.zeros((3, 3)), node=row),))
    for shift in ([0.0, 0.0, 0.0], [0.03, 0.0, -0.02]):
        placed, audit = place_wheelset(
            replace(
                mesh, nodes=mesh.nodes + shift, masses=(replace(mesh.masses[0], position=MESH.nodes[row] + shift),)
            ),
            "y",
            middle=0.0,
        )
        np.testing.assert_allclose(placed.nodes, MESH.nodes, atol=1e-12)
        np.testing.assert_allclose(placed.masses[0].position, MESH.nodes[row], atol=1e-12)
        body = mass_properties(placed)
        np.testing.assert_allclose(body.mass * body.centre[[0, 2]], 0.25 * MESH.nodes[row, [0, 2]], atol=1e-9)
        assert any(f"imbalance: {250 * radius:.4g} g m" in line for line in audit)


def test_more_imbalance_than_any_wheelset_has_is_refused():
    row = int(np.argmax(np.hypot(MESH.nodes[:, 0], MESH.nodes[:, 2])))
    mesh = replace(MESH, masses=(AttachedMass("m", 20.0, MESH.nodes[row], np.zeros((3, 3)), node=row),))
    with pytest.raises(MeshError, match=r'imbalance of 9.* kg m, expected at most 1 kg m.*accept = ."axle_place"'):
        place_wheelset(mesh, "y", 0.0)
    placed, audit = place_wheelset(mesh, "y", 0.0, accepted=("axle_place",))
    assert any(line.startswith("WARNING") and "imbalance" in line for line in audit)


def test_the_first_moment_enters_the_frame():
    """Invariants of a body with an off-centre mass, about the axle; interfaces and treads stay on it."""
    row = int(np.argmin(np.linalg.norm(MESH.nodes - [0.4, 0.735, 0.0], axis=1)))
    mesh = replace(MESH, masses=(AttachedMass("m", 2.0, MESH.nodes[row], np.zeros((3, 3)), node=row),))
    body = reduce_wheelset(mesh, FAST)
    whole = mass_properties(mesh)
    np.testing.assert_allclose(body.invariants.s_x, whole.mass * whole.centre, atol=1e-8)
    np.testing.assert_allclose(body.inertia, whole.inertia, atol=1e-8)
    np.testing.assert_allclose(body.interface_position[:, [0, 2]], 0.0)
    np.testing.assert_allclose([t.lateral for t in body.treads], [0.75, -0.75], atol=1e-12)
    assert np.isnan(body.closure_defect)  # an Eulerian mode is refused


@pytest.mark.parametrize("axis", ["x", "z"])
def test_a_wrong_axle_axis_is_recognised(axis):
    with pytest.raises(MeshError, match=f"axle_axis = '{axis}' does not fit: .* expected axle_axis = 'y'"):
        place_wheelset(MESH, axis)


def test_the_axle_line_of_sets_that_are_no_surfaces():
    """A volume of the journal instead of its surface: the outer nodes are taken; axle 7 and 3 mm off."""
    inside = np.abs(MESH.nodes[:, 1]) > 0.9
    sets = {"L": np.flatnonzero(inside & (MESH.nodes[:, 1] > 0)), "R": np.flatnonzero(inside & (MESH.nodes[:, 1] < 0))}
    line = axle_line(replace(MESH, node_sets=sets), MESH.nodes + [0.007, 0.0, 0.003], (("L", "R"),))
    np.testing.assert_allclose(line.centre, [0.007, 0.003], atol=1e-9)
    bare = axle_line(replace(MESH, node_sets={}), MESH.nodes + [0.007, 0.0, 0.003])
    assert bare.source == "the ends of the axle"
    np.testing.assert_allclose(bare.centre, [0.007, 0.003], atol=1e-9)


def test_control_nodes_far_from_their_place():
    place = MESH.nodes[MESH.node_sets["WEB_OUTER_RIGHT"][3]] + [0.0, 0.0, 0.004]
    near = reduce_wheelset(MESH, replace(FAST, control=(tuple(place),)))
    assert any("4.00 mm from the place asked for" in line for line in near.audit)
    with pytest.raises(MeshError, match=r"control node at .*lies 4.0 mm away, expected at most 3 mm .control_node_tol"):
        reduce_wheelset(MESH, replace(FAST, control=(tuple(place),), control_tolerance=3e-3))
    with pytest.raises(MeshError, match="control node at .5.0, 5.0, 5.0. m: the nearest node"):
        reduce_wheelset(MESH, replace(FAST, control=(ControlNode(position=(5.0, 5.0, 5.0)),)))
    with pytest.raises(MeshError, match="control node 'tread_right': .* lies 15.0 mm away"):
        reduce_wheelset(MESH, replace(FAST, control=("tread_right",), control_tolerance=1e-3))


def test_messages_name_keys_that_exist(tmp_path):
    from flexwheel.assess.commands.reduce_command import _option
    from flexwheel.verification.meshes.mesh_writers import write_mesh

    write_mesh(tmp_path / "m.msh", MESH)
    section = WheelsetSection(formulation="flexible", mesh=str(tmp_path / "m.msh"))
    with pytest.raises(MeshError, match=r"give wheelset.front.youngs_modulus_pa, wheelset.front.poissons_ratio, "):
        mesh_of_section("front", section)
    with pytest.raises(MeshError, match="give --youngs-modulus-pa, --poissons-ratio, --density-kg-m3"):
        mesh_of_section("mesh", section, (), _option)
    with pytest.raises(MeshError, match="interface_sets, --interface-set"):
        nodes = {k: v for k, v in MESH.node_sets.items() if "AXLE_BOX" not in k}
        reduce_wheelset(replace(MESH, node_sets=nodes), replace(FAST, journal_range=(2.0, 3.0)))
