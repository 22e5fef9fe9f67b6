"""Pictures: every figure draws and says its units; scenes are drawn where the machine can."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from synthetic import synthetic_body, synthetic_results

from flexwheel.assess import draw_as_they_come, pictures
from flexwheel.assess.evaluate.contact_marks import ContactMarks
from flexwheel.assess.figures import (
    contact_figures,
    control_node_figures,
    force_figures,
    rendering,
    scenes,
    track_figures,
)
from flexwheel.assess.figures.film import ROUNDS, has_ffmpeg
from flexwheel.assess.figures.style import save_figure
from flexwheel.assess.figures.time_series import parts, write_time_series
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.body.body_cache import save
from flexwheel.body.elements import REFERENCE_NODES, element_tables
from flexwheel.body.mesh import Material
from flexwheel.body.surface import CORNER_FACES, outer_surface, surface_modes
from flexwheel.results.evaluate.histories import with_control_nodes
from flexwheel.results.files import write_results
from flexwheel.verification.meshes.revolve import revolve
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_section
from tests.paper_layout import paper_layout

NODE = "front web_fillet_right"


@pytest.fixture(scope="module")
def body():
    return synthetic_body()


@pytest.fixture(scope="module")
def runs(body):
    return {
        name: with_control_nodes(synthetic_results(body, name, duration=0.5, step=2e-4), {"front": body}).assign_attrs(
            settling_s=0.05
        )
        for name in ("lagrangian", "eulerian")
    }


@pytest.fixture(scope="module")
def surface():
    refinement = REFINEMENTS["coarse"]
    mesh = revolve(wheelset_section(None, refinement), refinement.sectors, 1, (Material(2.1e11, 0.3, 7850.0),))
    x, y, z = mesh.nodes.T
    bending = np.stack([0 * y, 0 * y, 0.01 * (y**2 - 0.3)], axis=1)
    twist = 0.01 * np.stack([z * y, 0 * y, -x * y], axis=1)
    modes = np.stack([bending.ravel(), twist.ravel()], axis=1)
    stress = np.zeros((len(y), 6, 2))
    stress[:, 1, 0] = 1e9 * z
    stress[:, 3, 1] = 1e9 * z
    return mesh, surface_modes(
        mesh, np.zeros(3), modes, [80.0, 64.0], [1, 0], stress_rows=stress, families={"constraint": modes}
    )


def test_a_body_of_a_known_key_comes_from_the_cache_whole(body, surface, tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    save(body, tmp_path / "cache" / "synthetic.npz")
    of_surface = tmp_path / "cache" / "synthetic.surface.npz"
    assert pictures._kept("synthetic", "rear") is None  # without its surface
    save(replace(surface[1], key="other"), of_surface)
    assert pictures._kept("synthetic", "rear") is None
    save(replace(surface[1], key="synthetic"), of_surface)
    assert [part.name for part in pictures._kept("synthetic", "rear")] == ["rear", "rear"]


@pytest.mark.parametrize("names", [pictures.DRAWN, pictures.COMPARED, pictures.IN_SCENES])
def test_results_in_memory_are_those_that_are_drawn(runs, tmp_path, names):
    path = write_results(runs["eulerian"], tmp_path)
    held, middle = draw_as_they_come._held(path, names), runs["eulerian"].time[100]
    assert {name for name in held.data_vars if held[name].variable._in_memory} == set(names) & set(held)
    for name in ("wheel_force", "modal_coordinate"):  # in memory, and on the disk
        found, wanted = (item[name].sel(time=middle, method="nearest").values for item in (held, runs["eulerian"]))
        assert np.array_equal(found, wanted.astype(found.dtype))


def test_white_stays_white_in_an_animation():
    image = np.full((40, 40, 3), 255, dtype=np.uint8)
    image[:, :20] = np.random.default_rng(1).integers(0, 255, (40, 20, 3))
    image[0, :20] = 254  # nearly white, as the edges of letters
    assert np.all(np.asarray(scenes._of_a_palette(image).convert("RGB"))[:, 20:] == 255)


def test_figures_draw_with_units(body, runs, tmp_path):
    run = runs["eulerian"]
    figures = {
        "layout": track_figures.layout_figure(paper_layout("left", cant_mm=100.0), 0.0, 320.0),
        "irregularities": track_figures.irregularity_figure(run),
        "forces": force_figures.force_figure(run),
        "safety": force_figures.safety_figure(run),
        "spectrum": force_figures.force_spectrum_figure(run),
        "patches": contact_figures.patch_history_figure(run, "rear"),
        "pressure": contact_figures.pressure_figure(run, 0.4),
        "displacement": control_node_figures.displacement_figure(runs, NODE),
        "stress": control_node_figures.stress_figure({"": run}, NODE),
        "acceleration": control_node_figures.acceleration_spectrum_figure(runs, NODE),
        "position": control_node_figures.position_figure(body, 0),
    }
    for name, figure in figures.items():
        assert isinstance(figure, Figure)
        labelled = [axis for axis in figure.axes if axis.get_ylabel() or axis.get_xlabel()]
        assert labelled, name
        assert any("[" in axis.get_ylabel() + axis.get_xlabel() for axis in labelled), name
    path = save_figure(figures["layout"], tmp_path / "layout.png", 40)
    assert path.stat().st_size > 1000


def test_four_curves_in_the_papers_order(runs):
    figure = control_node_figures.displacement_figure(runs, NODE)
    lines = figure.axes[0].get_lines()
    assert [line.get_label() for line in lines] == [
        "rotating mesh, lagrangian",
        "rotating mesh, eulerian",
        "non-rotating mesh, lagrangian",
        "non-rotating mesh, eulerian",
    ]
    # the same field in both runs: the curves lie on each other
    np.testing.assert_allclose(
        lines[0].get_ydata(), lines[1].get_ydata(), atol=1e-6 * np.abs(lines[0].get_ydata()).max()
    )


def test_unknown_control_node_is_named(runs):
    with pytest.raises(FlexwheelError, match="'nowhere' is not in run"):
        control_node_figures.displacement_figure(runs, "nowhere")


def test_layout_is_drawn_as_built():
    s, position, curvature, cant = track_figures.sample_layout(paper_layout("left", cant_mm=100.0), 0.0, 310.0)
    middle = np.argmin(np.abs(s - 160.0))
    assert curvature[middle] == pytest.approx(1 / 300.0)
    assert cant[middle] == pytest.approx(-0.1)  # left curve: the right rail is the high one
    assert position[-1, 1] > 50.0


def test_surface_is_closed(surface):
    """Every edge of the outer surface belongs to two faces; Euler's number of a sphere is 2."""
    mesh, modes = surface
    edges = [
        np.sort(f[:, [i, (i + 1) % f.shape[1]]], axis=1)
        for f in (modes.quads, modes.triangles)
        for i in range(f.shape[1])
    ]
    unique, count = np.unique(np.concatenate(edges), axis=0, return_counts=True)
    assert np.all(count == 2)
    assert len(modes.position) - len(unique) + len(modes.quads) + len(modes.triangles) == 2
    np.testing.assert_array_equal(modes.node_id, mesh.node_ids[outer_surface(mesh).node_rows])


def test_faces_of_every_kind():
    assert {kind: len(faces) for kind, faces in CORNER_FACES.items()} == {
        "hex8": 6, "wedge6": 5, "tet4": 4, "hex20": 6, "wedge15": 5, "tet10": 4,
        "pyramid5": 5, "pyramid13": 5,
    }  # fmt: skip
    for kind, faces in CORNER_FACES.items():  # anticlockwise from outside: they enclose the element's volume
        nodes = REFERENCE_NODES[kind]
        triangles = nodes[[[face[0], *face[k : k + 2]] for face in faces for k in range(1, len(face) - 1)]]
        volume = np.linalg.det(triangles).sum() / 6
        assert volume == pytest.approx(element_tables(kind).weights.sum(), rel=1e-12)


def test_surface_stress_and_factor(surface):
    modes = surface[1]
    stress = scenes.surface_stress(modes, np.array([2.0, 0.0]))
    np.testing.assert_allclose(stress, 2e9 * np.abs(modes.position[:, 2]), atol=1e-3)
    shift = scenes.deformation(modes, np.array([1.0, 0.0]))
    factor = scenes.fitting_factor(modes, shift)
    assert factor in {m * 10.0**e for m in (1, 2, 5) for e in range(-3, 6)}
    assert factor * np.abs(shift).max() <= scenes.AMPLITUDE_SHARE * 2.2 * 1.0001


def test_section_outline_is_the_section(surface):
    outline = control_node_figures.section_outline(surface[1])
    assert outline[..., 0].min() == pytest.approx(-1.1) and outline[..., 0].max() == pytest.approx(1.1)
    assert outline[..., 1].max() == pytest.approx(0.488)


def test_mode_titles(surface):
    assert scenes.mode_titles(surface[1]) == ["mode 1: 80.0 Hz, order n = 1", "mode 2: 64.0 Hz, order n = 0"]
    assert scenes.mode_titles(surface[1], "constraint")[0] == "constraint mode 1"


def read_steps(path):
    """(time, grid) of each step, by VTK's own reader."""
    import pyvista

    reader = pyvista.get_reader(path).reader
    reader.UpdateInformation()
    steps = []
    for k in range(reader.GetNumberOfSteps()):
        reader.SetStep(k)
        reader.Update()
        steps.append((reader.GetTimeValue(), pyvista.wrap(reader.GetOutput()).copy()))
    return steps


def test_series_is_one_file_that_vtk_reads_at_every_time(surface, tmp_path):
    modes, times = surface[1], [0.0, 0.01, 0.03]
    coordinates = np.array([[1.0, 0.0], [0.5, 0.1], [-0.2, 2.0]])
    hidden = modes.position[:, 2] < 0.0
    path = write_time_series(modes, coordinates, times, tmp_path / "front.vtkhdf", hidden=hidden)
    steps = read_steps(path)
    assert [path.name for path in tmp_path.iterdir()] == ["front.vtkhdf"] and [time for time, _ in steps] == times
    for w, (_, grid) in zip(coordinates, steps, strict=True):
        np.testing.assert_allclose(grid.points, modes.position, rtol=1e-6, atol=1e-9)  # of four bytes
        np.testing.assert_allclose(grid["displacement"], modes.rows @ w, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(grid["stress"], modes.stress_rows @ w, rtol=1e-6)
        np.testing.assert_array_equal(grid["node_id"], modes.node_id)
        np.testing.assert_array_equal(grid["load_spread"], hidden)
        assert grid["von_mises"].shape == (len(modes.position),)
        np.testing.assert_array_equal(np.sort(grid.cells_dict[9]), np.sort(modes.quads))


def test_series_has_parts_forces_and_rails_of_each_time(surface, tmp_path):
    modes = surface[1]
    marks = ContactMarks(
        np.array([[0.0, 0.75, -0.46]]), np.array([[1.0, 2.0, 3.0]]), np.array([3.0]), np.array([9.0]), ("left",),
        np.array([[0.0, 0.002, 0.0]]),
    )  # fmt: skip
    none = ContactMarks(np.empty((0, 3)), np.empty((0, 3)), np.empty(0), np.empty(0), (), np.empty((0, 3)))
    across = np.stack([np.linspace(0.7, 0.8, 5), np.full(5, -0.46)], axis=1)
    ends = [np.insert(across, 0, x, axis=1) for x in (-1.0, 1.0)]
    rails = [np.stack(ends) * (1.0, side, 1.0) for side in (1.0, -1.0)]
    beside = [(none, rails), (marks, rails), (none, rails)]  # in the air, on the rails, in the air
    path = write_time_series(modes, np.ones((3, 2)), [0.0, 1.0, 2.0], tmp_path / "a.vtkhdf", beside=beside)
    count = len(modes.quads) + len(modes.triangles)
    for (shown, _), (_, grid) in zip(beside, read_steps(path), strict=True):
        own = grid.cell_data["part"][:count]
        np.testing.assert_array_equal(own, parts(modes))
        centre = grid.cell_centers().points[:count]
        far = np.hypot(centre[:, 0], centre[:, 2]) > 0.3
        assert set(own) == {0, 1, 2} and np.all(own[np.abs(centre[:, 1]) < 0.5] == 0)
        assert np.all(own[far] == np.where(centre[far, 1] > 0, 1, 2))
        contact = grid.extract_cells(grid.cell_data["part"] == 4)
        assert contact.n_points == len(shown.position)
        if contact.n_points:
            np.testing.assert_allclose(contact["force"], marks.force)
            np.testing.assert_allclose(contact.points, marks.position, rtol=1e-6)
            np.testing.assert_allclose(contact["displacement"], marks.displacement, rtol=1e-6)
            assert np.isnan(contact["von_mises"]).all() and contact["node_id"] == -1
        for part, side in ((5, 1.0), (6, -1.0)):
            head = grid.extract_cells(grid.cell_data["part"] == part)
            assert head.n_cells == 4 and np.all(side * head.points[:, 1] > 0.69)


def test_scenes_where_they_can_be_drawn(surface, tmp_path):
    if rendering.rendering_problem():
        pytest.skip(f"no off-screen rendering here: {rendering.rendering_problem()}")
    modes = surface[1]
    scenes.mode_scene(modes, modes.rows[:, :, 0], tmp_path / "mode.png", "mode 1")
    factor, top = scenes.stress_scene(modes, np.array([1.0, 0.0]), tmp_path / "stress.png", "t = 0 s")
    assert top == pytest.approx(scenes.surface_stress(modes, np.array([1.0, 0.0])).max())
    files = scenes.animation(modes, np.array([[1.0, 0.0], [-1.0, 0.2]]), tmp_path / "move.gif", ["a", "b"])
    assert [path.suffix for path in files] == [".gif", ".mp4"][: 1 + has_ffmpeg()]
    if has_ffmpeg():
        import imageio_ffmpeg

        assert imageio_ffmpeg.count_frames_and_secs(str(files[1]))[0] == 2 * ROUNDS
    from PIL import Image

    with Image.open(tmp_path / "move.gif") as moving:
        assert moving.n_frames == 2
    with Image.open(tmp_path / "stress.png") as picture:
        assert np.asarray(picture.convert("L")).std() > 5.0


def test_faces_that_are_not_drawn_are_hidden(surface, tmp_path, monkeypatch):
    """Faces seen from inside are left out, which no pixel shows but some of a silhouette; the other half would."""
    if rendering.rendering_problem():
        pytest.skip(f"no off-screen rendering here: {rendering.rendering_problem()}")
    import pyvista
    from PIL import Image

    plain, found, modes = pyvista.Plotter.add_mesh, [], surface[1]
    for change in ({}, {"culling": None}, {"culling": "front"}):

        def add_mesh(*arguments, change=change, **look):
            return plain(*arguments, **look | (change if "culling" in look else {}))

        monkeypatch.setattr(pyvista.Plotter, "add_mesh", add_mesh)
        scenes.mode_scene(modes, modes.rows[:, :, 0], tmp_path / "mode.png", "mode 1")
        found.append(np.asarray(Image.open(tmp_path / "mode.png")).astype(int))
    drawn, whole, other_half = found
    share = [np.mean(np.abs(one - whole).max(axis=2) > 2) for one in (drawn, other_half)]
    assert share[0] < 1e-4 and share[1] > 0.02


def test_no_rendering_is_one_clear_error(monkeypatch):
    monkeypatch.setattr(rendering, "rendering_problem", lambda: "libGL.so.1: cannot open shared object file")
    with pytest.raises(rendering.RenderingError, match="no three-dimensional pictures.*libGL"):
        rendering.require_rendering()


def test_a_wheel_off_its_rail_is_said(runs):
    """One wheel without contact leaves the other's patches; with neither there is no picture."""
    run = runs["eulerian"].copy(deep=True)
    run.patch_normal_force.loc[{"wheel": "front left"}] = 0.0
    texts = [text.get_text() for axis in contact_figures.pressure_figure(run, 0.4, "front").axes for text in axis.texts]
    assert any("does not touch" in text for text in texts) and any("kN" in text for text in texts)
    run.patch_normal_force.loc[{"wheel": "front right"}] = 0.0
    with pytest.raises(FlexwheelError, match="neither wheel"):
        contact_figures.pressure_figure(run, 0.4, "front")


@pytest.mark.parametrize(("share", "drawn"), [(0.009, False), (0.02, True)])
def test_a_patch_next_to_no_load_is_left_out_of_the_histories(runs, share, drawn):
    """The edge of a flange that bears some newtons under 4,000 MPa hid the pressure of the patches that bear."""
    run = runs["eulerian"].isel(patch=[0, 0]).assign_coords(patch=[0, 1]).copy(deep=True)
    run.patch_normal_force.loc[{"patch": 1}] = share * run.patch_normal_force.sel(patch=0)
    run.patch_peak_pressure.loc[{"patch": 1}] = 4e9
    axis = contact_figures.patch_history_figure(run, "front").axes[2]
    points = np.concatenate([np.asarray(line.get_ydata()) for line in axis.lines])
    assert (points.max() > 3999.0) == drawn
    assert np.any(np.isclose(points, 1e-6 * float(run.patch_peak_pressure.sel(patch=0).max())))


def test_what_a_picture_or_a_window_does_not_heed_is_refused():
    from flexwheel.base.kind import PAGES, PICTURES, ViewOptions

    for shows, said in ((PICTURES["vehicle"], "results of kind 'vehicle'"), (PAGES["window"], "the window")):
        with pytest.raises(ScenarioError, match=f"view: --body: without effect on {said}"):
            shows.require_heeded(ViewOptions(body=("rear=a.stl",)))
