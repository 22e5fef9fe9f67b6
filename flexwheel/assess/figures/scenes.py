"""Scenes of the wheelset drawn off screen: mode shapes, deformation coloured by stress, animation.

A scene takes the surface shapes of a reduced body (surface.SurfaceModes) and modal coordinates; nothing is
read from files. Displacements are magnified by a factor that stands in the picture.
"""

import contextlib

import numpy as np
from matplotlib.ticker import MaxNLocator
from PIL import Image

from flexwheel.assess.figures.film import has_ffmpeg, write_film
from flexwheel.assess.figures.rendering import require_rendering
from flexwheel.assess.figures.style import PNG
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import write_whole
from flexwheel.extensions.gltf.drawn_fields import AMPLITUDE_SHARE, deformation, fitting_factor, surface_stress

WINDOW = (1280, 800)
FRAMES_PER_SECOND = 15
ARROW = 3e-6  # [m/N] length of a force


def poly_data(surface, displacement=None, factor=1.0):
    """Surface as pyvista PolyData, moved by factor * displacement (Ns, 3) [m]."""
    import pyvista

    points = surface.position if displacement is None else surface.position + factor * displacement
    faces = [np.insert(surface.quads, 0, 4, axis=1).ravel(), np.insert(surface.triangles, 0, 3, axis=1).ravel()]
    return pyvista.PolyData(np.asarray(points, dtype=float), np.concatenate(faces))


def edges(surface):
    """Edges of the body at rest, as pyvista PolyData."""
    return poly_data(surface).extract_feature_edges(40.0)


def mode_scene(surface, shape, path, title, footer="", window=None, rest=None):
    """One mode shape (Ns, 3), coloured by the size of its displacement, in a `scene_plotter` that is open already or in
    one of its own, over the `edges` of the body at rest; returns the factor drawn."""
    with fresh_scene(window) if window else scene_plotter() as plotter:
        size = np.linalg.norm(shape, axis=1)
        scale = AMPLITUDE_SHARE * float(np.ptp(surface.position, axis=0).max()) / max(size.max(), 1e-300)
        mesh = poly_data(surface, shape, scale)
        mesh["displacement"] = size / max(size.max(), 1e-300)
        lines = plotter.add_mesh(rest or edges(surface), color="grey", line_width=1, opacity=0.65)
        lines.mapper.SetResolveCoincidentTopologyToPolygonOffset()  # a line within the body's face is whole
        lines.mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -16.0)
        _add_body(plotter, mesh, scalars="displacement", cmap="viridis", clim=(0.0, 1.0))
        _bar(plotter, "displacement / largest", 1.0)
        _finish(plotter, title, path, footer)
    return scale


def mode_titles(surface, family=None):
    """Title of each mode: number, frequency, circumferential order."""
    if family is None:
        return [
            f"mode {k + 1}: {f:.1f} Hz" + (f", order n = {n}" if n >= 0 else "")
            for k, (f, n) in enumerate(zip(surface.frequency_hz, surface.order, strict=True))
        ]
    frequency = surface.family_hz.get(family, np.full(surface.families[family].shape[2], np.nan))
    name = family.replace("_", "-")
    return [f"{name} mode {k + 1}" + (f": {f:.1f} Hz" if np.isfinite(f) else "") for k, f in enumerate(frequency)]


def stress_scene(
    surface, coordinates, path, title, loads=None, factor=None, highest_pa=None, hidden=None, footer="", marks=None
):
    """Deformed wheelset coloured by von Mises stress [MPa]; returns (factor, top of the colour scale [Pa]) as drawn.

    The picture names the largest stress shown and where it is; what lies beyond a given top of the scale has a colour
    of its own, and so have hidden nodes.

    Parameters
    ----------
    surface : SurfaceModes
    coordinates : (H,)          modal coordinates in the frame of the surface
    path : str or Path          PNG
    title : str                 time and place; the factor is added
    loads : (K,), optional      for the static residual: control_nodes.standing_loads
    factor : float, optional    magnification; by default a round number that shows the shape
    highest_pa : float, optional    top of the colour scale; by default the largest stress shown
    hidden : (Ns,) bool, optional   nodes without a stress to show, grey: load_spread
    footer : str                small line at the bottom
    marks : contact_marks.ContactMarks, optional   patches as dots and the force on each wheel as an arrow
    """
    displacement = deformation(surface, coordinates, loads)
    stress = surface_stress(surface, coordinates, loads)
    factor = factor or fitting_factor(surface, displacement)
    with scene_plotter() as plotter:
        mesh = poly_data(surface, displacement, factor)
        top = _paint(plotter, mesh, displacement, stress, highest_pa, hidden)
        note = "" if stress is None else "\n" + stress_words(surface, stress, hidden)
        _mark(plotter, marks, factor)
        _finish(plotter, f"{title}\ndisplacement x {factor:g}{note}", path, footer, surface.position)
    return factor, top


def envelope_scene(surface, stress, path, title, hidden=None, footer=""):
    """Surface coloured by stress (Ns,) [Pa]; the scale ends at the largest shown; returns its top [Pa]."""
    with scene_plotter() as plotter:
        top = _paint(plotter, poly_data(surface), None, stress, None, hidden)
        _finish(plotter, f"{title}\n{stress_words(surface, stress, hidden)}", path, footer)
    return top


def stress_words(surface, stress, hidden=None):
    """The largest stress shown and its place, and what hidden nodes are, in a line or two."""
    shown = stress if hidden is None else np.where(hidden, -np.inf, stress)
    k = int(np.argmax(shown))
    x, y, z = surface.position[k]
    words = f"largest {shown[k] / 1e6:.1f} MPa at y = {y:.3f} m, r = {np.hypot(x, z):.3f} m"
    if hidden is None or not np.any(hidden):
        return words
    return f"{words}; grey: the contact force is spread over nodes\nthere (up to {stress[hidden].max() / 1e6:.1f} MPa)"


def animation(
    surface, coordinates, path, titles, loads=None, factor=None, report=None, hidden=None, footer="", marks=None
):
    """Animated GIF of the deforming wheelset coloured by von Mises stress, and beside it an MP4 file where
    imageio-ffmpeg is installed; returns the files written.

    Parameters
    ----------
    coordinates : (F, H)        modal coordinates of each frame
    titles : sequence of F str
    loads : (F, K), optional
    hidden : (Ns,) bool, optional   as in `stress_scene`; the colour scale ends at the largest stress of all frames
    marks : sequence of F ContactMarks, optional
    """
    if len(coordinates) == 0:
        raise FlexwheelError("animation: no frame")
    fields, stresses = deformation(surface, coordinates, loads), surface_stress(surface, coordinates, loads)
    stresses = [None] * len(fields) if stresses is None else stresses
    factor = factor or fitting_factor(surface, np.array([f[np.abs(f).sum(axis=1).argmax()] for f in fields]))
    top = None if stresses[0] is None else max(float(_shown(s, hidden).max()) for s in stresses)
    images = []
    with scene_plotter((960, 600), smooth=False) as window:
        for k, (field, stress) in enumerate(zip(fields, stresses, strict=True)):
            with fresh_scene(window) as plotter:
                _paint(plotter, poly_data(surface, field, factor), field, stress, top, hidden)
                note = "" if stress is None else "\n" + stress_words(surface, stress, hidden)
                _mark(plotter, marks[k] if marks else None, factor)
                words = f"{titles[k]}\ndisplacement x {factor:g}{note}"
                images.append(_finish(plotter, words, None, footer, surface.position))
            if report:
                report((k + 1) / len(fields))
    frames = [_of_a_palette(image) for image in images]
    timing = dict(duration=round(1000 / FRAMES_PER_SECOND), loop=0)
    write_whole(path, lambda target: frames[0].save(target, save_all=True, append_images=frames[1:], **timing))
    if not has_ffmpeg():
        return [path]
    return [path, write_film(images, path.with_suffix(".mp4"), FRAMES_PER_SECOND)]


def _of_a_palette(image):
    """A frame of a GIF: its 255 colours by an octree, a tenth of the time of Pillow's own way; white stays white."""
    frame = Image.fromarray(image).quantize(255, Image.Quantize.FASTOCTREE)
    frame.putpalette([255 if part > 252 else part for part in frame.getpalette()])
    return frame


def _mark(plotter, marks, factor):
    """Patches on the wheel as drawn as dots, and the force on each wheel as an arrow that ends where it touches."""
    if marks is None or len(marks.position) == 0:
        return
    import pyvista

    drawn = marks.position + factor * marks.displacement
    dots = pyvista.PolyData(drawn)
    plotter.add_mesh(dots, color="magenta", point_size=14, render_points_as_spheres=True)
    for side in sorted(set(marks.wheel)):
        mine = np.array([wheel == side for wheel in marks.wheel])
        force, share = marks.force[mine].sum(axis=0), marks.normal_force[mine] / marks.normal_force[mine].sum()
        tip = share @ drawn[mine]
        size = np.linalg.norm(force)
        arrow = pyvista.Arrow(start=tip - ARROW * force, direction=force, tip_radius=0.06, shaft_radius=0.02,
                              scale=ARROW * size)  # fmt: skip
        plotter.add_mesh(arrow, color="magenta")
        look = dict(show_points=False, shape=None, always_visible=True, text_color="magenta", font_size=13)
        plotter.add_point_labels([tip - 1.15 * ARROW * force], [f"{size / 1e3:.0f} kN"], **look)


def _shown(stress, hidden):
    """Stress of the nodes that are shown."""
    return stress if hidden is None or hidden.all() else stress[~hidden]


def _paint(plotter, mesh, displacement, stress, highest_pa, hidden=None):
    """Add the body coloured by stress, or by displacement where there is none; returns the top of the scale."""
    beyond = {}
    if stress is None:
        mesh["colour"] = 1e6 * np.linalg.norm(displacement, axis=1)
        text, top = "displacement [um]", float(mesh["colour"].max())
    else:
        mesh["colour"] = stress / 1e6 if hidden is None else np.where(hidden, np.nan, stress / 1e6)
        largest = float(_shown(stress, hidden).max()) / 1e6
        text, top = "von Mises stress [MPa]", largest if highest_pa is None else highest_pa / 1e6
        if largest > top * (1.0 + 1e-9):
            beyond = {"above_color": "magenta"}
            text += f", up to {largest:.4g}"
    look = dict(cmap="turbo", clim=(0.0, max(top, 1e-12)), nan_color="lightgrey")
    _add_body(plotter, mesh, scalars="colour", **look, **beyond)
    _bar(plotter, text, max(top, 1e-12))
    return top * (1.0 if stress is None else 1e6)


def _add_body(plotter, mesh, **look):
    """Add a closed body: its faces are numbered as seen from outside, what is seen from inside others hide."""
    mesh.compute_normals(cell_normals=False, consistent_normals=False, inplace=True)
    plotter.add_mesh(mesh, smooth_shading=True, culling="back", show_scalar_bar=False, **look)


def _bar(plotter, title, top):
    """A scale from 0 to top beside the body, at round numbers and at its top."""
    bar = plotter.add_scalar_bar(
        title.replace(" [", "\n[").replace(", up", ",\nup") + "\n", vertical=True, position_x=0.87, position_y=0.2,
        width=0.06, height=0.6, color="black", fmt="%.4g",
    )  # fmt: skip
    from vtkmodules.util.numpy_support import numpy_to_vtk

    ticks = [tick for tick in MaxNLocator(6).tick_values(0.0, top) if 0.0 <= tick < 0.95 * top]
    bar.SetCustomLabels(numpy_to_vtk(np.array([*ticks, top]), deep=True))
    bar.SetUseCustomLabels(True)


@contextlib.contextmanager
def scene_plotter(window=WINDOW, smooth=True, samples=0, **options):
    """A plotter; smooth: edges by a filter of the picture; samples: of a pixel, thrice the time, for thin lines."""
    require_rendering()
    import pyvista
    from vtkmodules.vtkCommonCore import vtkObject

    pyvista.OFF_SCREEN = True
    vtkObject.GlobalWarningDisplayOff()  # VTK tells of every window system it tries
    plotter = pyvista.Plotter(off_screen=True, window_size=window, **options)
    plotter.renderer.SetUseOIT(False)  # a way to order transparent faces; a sixth of a picture's time for a few lines
    plotter.render_window.SetMultiSamples(samples)
    plotter.renderer.SetUseFXAA(smooth and not samples)
    try:
        yield plotter
    finally:
        plotter.close()


@contextlib.contextmanager
def fresh_scene(plotter):
    """An open plotter without what it showed, drawn once at the end: to open a window takes as long as a picture."""
    for bar in list(plotter.scalar_bars.keys()):
        plotter.remove_scalar_bar(bar, render=False)
    plotter.renderer.clear_actors()
    plotter.suppress_rendering = True  # after its first picture it would draw all at each thing added
    yield plotter


def _finish(plotter, title, path, footer="", body=None):
    """Camera, axes, sides, title and the line below; writes the picture, or returns it when there is no path.

    body (n, 3): points that the camera keeps in view wherever they have moved; everything in the scene by default
    """
    plotter.set_background("white")
    words = plotter.add_text(title, position=(8, plotter.window_size[1] - 6), font_size=9, color="black")
    words.GetTextProperty().SetVerticalJustificationToTop()
    if footer:
        plotter.add_text(footer, position=(8, 6), font_size=8, color="dimgrey")
    plotter.add_axes(color="black", xlabel="running", ylabel="left", zlabel="up")
    box = plotter.bounds if body is None else np.stack([body.min(axis=0), body.max(axis=0)], axis=1).ravel()
    right, left, _, top = box[2:6]
    if body is not None:
        box[4] -= 0.5 * top  # room for the forces
    above = [(0.0, 0.7 * y, 1.12 * top) for y in (left, right)]
    look = dict(show_points=False, shape=None, always_visible=True, text_color="black", font_size=16)
    plotter.add_point_labels(above, ["left", "right"], **look)
    plotter.camera_position = [(2.6, -1.9, 1.1), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    plotter.reset_camera(bounds=box)
    plotter.camera.zoom(1.2)
    plotter.suppress_rendering = False
    plotter.render()
    if path is None:
        return plotter.screenshot(None, return_img=True)
    image = Image.fromarray(plotter.screenshot(None, return_img=True))
    return write_whole(path, lambda target: image.save(target, "PNG", **PNG))
