"""Wrong meshes and options are refused with the reason; unusual but sound ones are taken."""

import re
from dataclasses import replace

import numpy as np
import pytest

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.control_rings import ControlNode
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.tread import TreadOptions, find_treads
from flexwheel.vehicle.eulerian_map import check_closed
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

MESH = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=8))
FAST = ReductionOptions(fixed_interface_modes=0, residual=False)


def displaced(mesh):
    nodes = mesh.nodes.copy()
    nodes[17, 0] += 1e-4
    return replace(mesh, nodes=nodes)


def without(mesh, *names):
    return replace(mesh, node_sets={k: v for k, v in mesh.node_sets.items() if k not in names})


@pytest.mark.parametrize(
    ("mesh", "options", "words"),
    [
        (displaced(MESH), replace(FAST, route="cyclic"), "not of revolution"),
        (without(displaced(MESH), "TREAD_LEFT", "TREAD_RIGHT"), FAST, "mesh without tread nodes"),
        (without(MESH, "TREAD_RIGHT"), FAST, "TREAD_RIGHT"),
        (MESH, replace(FAST, interfaces=("AXLE_BOX_LEFT", "BEARING")), "BEARING"),
        (MESH, replace(FAST, interfaces=("AXLE_BOX_RIGHT", "AXLE_BOX_LEFT")), "left must have the larger y"),
        (without(MESH, "AXLE_BOX_LEFT", "AXLE_BOX_RIGHT"), replace(FAST, journal_range=(2.0, 3.0)), "journal"),
        (MESH, replace(FAST, control=("nose",)), "presets"),
        (MESH, replace(FAST, control=(999999,)), "no such node id"),
        (MESH, replace(FAST, control=((0.0, np.nan, 0.0),)), "not finite"),
        (MESH, replace(FAST, control=([1.0],)), "control node must be a name"),
        (MESH, replace(FAST, tread=TreadOptions(wheel_radius=0.42)), "420.00 mm is stated"),
        (MESH, replace(FAST, tread=TreadOptions(lateral=0.9)), "outside its profile nodes"),
    ],
)
def test_refused(mesh, options, words):
    with pytest.raises(MeshError, match=words):
        reduce_wheelset(mesh, options)


@pytest.mark.parametrize(
    "wrong",
    [
        {"route": "fast"},
        {"coupling": "glue"},
        {"fixed_interface_modes": -1},
        {"damping_ratio": 1.5},
        {"exact_below_hz": float("nan")},
    ],
)
def test_options_refused(wrong):
    with pytest.raises(ScenarioError):
        ReductionOptions(**wrong)


def test_a_preset_that_nobody_asked_for_is_left_out_with_the_reason():
    """A mesh not of revolution without node sets of its web: the reason is kept; the preset is refused if asked for."""
    mesh = without(displaced(MESH), "WEB_INNER_LEFT", "WEB_INNER_RIGHT")
    body = reduce_wheelset(mesh, FAST)
    assert list(body.control.name) == ["tread_right"]
    assert any(x.startswith("WARNING: control node 'web_fillet_right'") and "left out" in x for x in body.audit)
    node = f"leaves node {MESH.node_ids[17]} 0.1 mm from the next node"
    assert re.search(f"one of 45 degrees {node}|{node}", body.not_of_revolution), body.not_of_revolution
    with pytest.raises(ScenarioError, match=r"not of revolution about its axle.*\(no angle step.* 0\.1 mm"):
        check_closed(body, "front")
    with pytest.raises(MeshError, match="'web_fillet_right': the mesh is not of revolution and has no node set"):
        reduce_wheelset(mesh, replace(FAST, control=("web_fillet_right",)))


def test_bare_mesh_of_revolution_needs_no_sets():
    body = reduce_wheelset(replace(MESH, node_sets={}), FAST)
    same = reduce_wheelset(MESH, FAST)
    np.testing.assert_array_equal(body.control.node_id, same.control.node_id)
    np.testing.assert_allclose(body.interface_position, same.interface_position, atol=1e-12)
    np.testing.assert_allclose(body.treads[0].profile, same.treads[0].profile, atol=1e-12)


def test_control_nodes_by_id_place_and_name():
    row = MESH.node_sets["WEB_OUTER_RIGHT"][3]
    wanted = (
        int(MESH.node_ids[row]),
        tuple(MESH.nodes[row] + 1e-3),
        ControlNode("rim", position=tuple(MESH.nodes[row])),
    )
    control = reduce_wheelset(MESH, replace(FAST, control=wanted)).control
    assert len(set(control.node_id.tolist())) == 1
    assert control.name[2] == "rim"


def test_twelve_constraint_modes_alone():
    body = reduce_wheelset(MESH, FAST)
    assert len(body.frequency_hz) == 6


def test_end_faces_as_interfaces():
    body = reduce_wheelset(MESH, replace(FAST, interfaces="end_faces"))
    np.testing.assert_allclose(np.abs(body.interface_position[:, 1]), 1.1, atol=1e-9)


def test_sections_not_at_the_lowest_point_are_turned():
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=10))
    body = reduce_wheelset(mesh, FAST)
    assert body.treads[0].angle[0] == 0.0
    assert body.control.position[0] @ [1, 0, 0] == pytest.approx(0.0, abs=1e-9)
    assert body.control.position[0][2] < 0
    assert any("turned by" in line for line in body.audit)


def test_irregular_tread_nodes_are_interpolated():
    rng = np.random.default_rng(2)
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=60))
    some = {n: mesh.node_sets[n][rng.random(len(mesh.node_sets[n])) < 0.9] for n in ("TREAD_LEFT", "TREAD_RIGHT")}
    mesh = replace(mesh, node_sets={**mesh.node_sets, **some})
    for tread in find_treads(mesh, None, None, TreadOptions(sections=36)):
        assert tread.nodes.shape[0] == 36
        np.testing.assert_allclose(tread.weights.sum(axis=-1), 1.0, atol=1e-12)
        place = np.einsum("spk,spka->spa", tread.weights, mesh.nodes[tread.nodes])
        np.testing.assert_allclose(place[..., 1], tread.profile[None, :, 0] + 0 * place[..., 1], atol=1e-9)
        angle = np.arctan2(-place[..., 0], -place[..., 2])
        turn = np.angle(np.exp(1j * (angle - tread.angle[:, None])))
        assert np.abs(turn).max() < 2e-3  # chords of 6 to 12 degrees shorten the arc unevenly
