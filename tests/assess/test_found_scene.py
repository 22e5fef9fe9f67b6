"""Picture of what was found in a mesh: its parts and marks, and that a refused mesh is drawn as well."""

import numpy as np
import pytest

from flexwheel.assess.figures.found_scene import body_marks, set_marks, wheelset_marks
from flexwheel.assess.figures.rendering import rendering_problem
from flexwheel.body.mesh_format import read_mesh
from flexwheel.face.cli import main
from tests.rooms import ROOT

COARSE = ROOT / "meshes" / "wheelset_coarse.inp"
WRONG = ["--tread-set", "WEB_OUTER_LEFT", "--tread-set", "WEB_OUTER_RIGHT"]


def test_marks_of_a_wheelset_lie_on_the_mesh():
    """Profile nodes and control nodes are nodes of the mesh, left is y > 0."""
    import flexwheel as fw

    wheelset = fw.Wheelset.from_mesh(COARSE, control_nodes=["web_fillet_right"], fixed_interface_modes=7)
    mesh = wheelset.mesh
    marks = wheelset_marks(mesh, wheelset.body)
    section = np.stack([mesh.nodes[:, 1], np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])], axis=1)
    rings = [mark for mark in marks if mark.line and len(mark.points) > 2]
    assert len(rings) == sum(len(tread.profile) for tread in wheelset.body.treads)
    for ring in rings:
        y, r = ring.points[0, 1], np.hypot(*ring.points[0, [0, 2]])
        assert np.hypot(*(section - [y, r]).T).min() < 1e-9
        assert (ring.colour == "royalblue") == (y > 0.0)
    (fillet,) = [mark for mark in marks if mark.label.startswith("web_fillet_right")]
    assert np.linalg.norm(mesh.nodes - fillet.points[0], axis=1).min() < 1e-9
    assert fillet.label.endswith("corner without a radius") and fillet.colour == "red"
    assert {mark.name for mark in set_marks(mesh)} >= {"set TREAD_LEFT", "set AXLE_BOX_RIGHT"}


def test_attachments_of_a_body_lie_in_their_node_sets():
    import flexwheel as fw

    body = fw.Scenario.example("manchester_car_body").bodies["car_body"]
    mesh = read_mesh(ROOT / "meshes" / "car_body.inp")[0]
    marks = body_marks(mesh, body.body)
    for name, given in body.section.attachments.items():
        (mark,) = [mark for mark in marks if mark.label == name]
        assert np.allclose(mark.points[0], mesh.nodes[mesh.node_sets[given.set]].mean(axis=0), atol=1e-9)


@pytest.mark.parametrize(("words", "told"), [(WRONG, "tread datum"), (["--axle-axis", "x"], "axle_axis = 'y'")])
def test_a_picture_is_drawn_of_a_mesh_that_is_refused(words, told, tmp_path, capsys):
    if rendering_problem():
        pytest.skip("this machine cannot draw off screen")
    path = tmp_path / "found.png"
    with pytest.raises(SystemExit):
        main(["reduce", str(COARSE), *words, "--view", str(path)])
    assert told in capsys.readouterr().err
    assert path.read_bytes().startswith(b"\x89PNG")


def test_another_kind_of_picture_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["reduce", str(COARSE), "--fixed-interface-modes", "7", "--view", "found.pdf"])
    assert ".png" in capsys.readouterr().err
