"""Picture of what a mesh is taken for, before anything runs: its parts, axle, treads, interfaces or attachments, ties,
point masses, control nodes with the estimated error of their stress."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexwheel.assess.figures.scenes import poly_data, scene_plotter
from flexwheel.base.output_files import write_whole
from flexwheel.body.mesh import Mesh, RigidSet, Tie
from flexwheel.body.reduced_body import MARKED
from flexwheel.body.surface import outer_surface

COLOURS = (
    "#6f97c2", "#d98f2b", "#66a95f", "#b4607a", "#8465b8", "#8d7445", "#2f9a93", "#b3a014", "#808080",
)  # fmt: skip
"""Of the parts, largest first; the last one is that of all others."""
SIZE, HEIGHTS = (1280, 1360), (0.55, 0.45)
LEFT, RIGHT, AXLE, TIED, MASS, NODE, BAD = "royalblue", "darkmagenta", "black", "darkorange", "black", "green", "red"


class Mark(NamedTuple):
    """Something found in a mesh."""

    name: str  # in the legend; "" for none
    points: np.ndarray  # (n, 3) [m]
    colour: str
    label: str = ""  # at the mean of the points
    line: bool = False  # through the points in order


def parts_of(mesh: Mesh):
    """Part (N,) of each node, 0 the one with most nodes: nodes that elements or rigid sets connect, as where shells
    meet; ties connect none."""
    together = [block.connectivity for block in mesh.blocks]
    together += [] if mesh.beams is None else [mesh.beams.nodes]
    together += [held.nodes[None] for held in mesh.ties if isinstance(held, RigidSet)]
    rows = [np.repeat(nodes[:, 0], nodes.shape[1] - 1) for nodes in together]
    columns = [nodes[:, 1:].ravel() for nodes in together]
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    size = len(mesh.nodes)
    _, label = connected_components(coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size)), False)
    _, label, count = np.unique(label, return_inverse=True, return_counts=True)
    rank = np.empty(len(count), dtype=int)
    rank[np.argsort(-count, kind="stable")] = np.arange(len(count))
    return rank[label]


def mesh_marks(mesh: Mesh):
    """Marks of ties, rigid sets and point masses, which a mesh has by itself."""
    ties = [tie for tie in mesh.ties if isinstance(tie, Tie)]
    marks = [Mark(f"tie {tie.pair or tie.name}", mesh.nodes[tie.nodes], TIED) for tie in ties]
    rigid = [held.nodes for held in mesh.ties if isinstance(held, RigidSet) and held.stretch is None]
    if rigid:
        marks.append(Mark(f"{len(rigid)} rigid sets", mesh.nodes[np.unique(np.concatenate(rigid))], "purple"))
    for mass in mesh.masses:
        marks.append(Mark("", mass.position[None], MASS, f"{mass.mass:.4g} kg"))
    return marks


def wheelset_marks(mesh: Mesh, body):
    """Marks of a mesh and of the ReducedBody made of it."""
    y = mesh.nodes[:, 1]
    long = 0.05 * np.ptp(y)
    marks = [Mark("axle", np.array([[0.0, y.min() - long, 0.0], [0.0, y.max() + long, 0.0]]), AXLE, line=True)]
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    for tread, side, colour in zip(body.treads, ("left", "right"), (LEFT, RIGHT), strict=True):
        for k, (lateral, radius) in enumerate(tread.profile):
            ring = np.stack([radius * np.sin(angle), np.full(len(angle), lateral), radius * np.cos(angle)], axis=1)
            marks.append(Mark(f"profile nodes, {side}" if k == 0 else "", ring + body.centre, colour, line=True))
        datum = np.array([[0.0, tread.lateral, tread.radius]]) + body.centre
        marks.append(Mark("", datum, colour, f"tread datum {side}: r = {1e3 * tread.radius:.1f} mm"))
    for place, side, colour in zip(body.interface_position, ("left", "right"), (LEFT, RIGHT), strict=True):
        marks.append(Mark("", place[None] + body.centre, colour, f"interface {side}"))
    control = body.control
    for k, name in enumerate(control.name):
        bad = control.stress_error[k] > MARKED or control.corner[k] > 0.0
        words = "corner without a radius" if control.corner[k] > 0.0 else f"{100.0 * control.stress_error[k]:.1f} %"
        place = control.position[k][None] + body.centre
        marks.append(Mark("", place, BAD if bad else NODE, f"{name}: {words}"))
    return marks + mesh_marks(mesh)


def body_marks(mesh: Mesh, body):
    """Marks of a mesh and of the FlexibleBody made of it: attachments, points."""
    places = zip(body.place_name, body.place + body.centre, strict=True)
    return [
        Mark("", place[None], LEFT if k < body.attachments else NODE, name) for k, (name, place) in enumerate(places)
    ] + mesh_marks(mesh)  # fmt: skip


def set_marks(mesh: Mesh):
    """Marks of a mesh that could not be reduced: its node sets and what it has by itself."""
    palette = (LEFT, RIGHT, NODE, "magenta", "teal", "olive")
    sets = sorted(mesh.node_sets.items())[:12]
    return [
        Mark(f"set {name}", mesh.nodes[rows], palette[k % len(palette)])
        for k, (name, rows) in enumerate(sets) if len(rows)
    ] + mesh_marks(mesh)  # fmt: skip


def found_scene(mesh: Mesh, marks, path, title):
    """Draw a mesh with marks into a PNG file, from outside; below that what is longest across, a wheelset, cut along
    the plane of y and z, any other body from above.

    The surface is coloured by parts, with elements in the second view. Left, up and the running direction are those
    of the mesh as it was placed.
    """
    part = parts_of(mesh)
    surface, across = outer_surface(mesh), np.ptp(mesh.nodes[:, 1]) > np.ptp(mesh.nodes[:, 0])
    own = part[surface.node_rows]
    shell = poly_data(_Placed(mesh.nodes[surface.node_rows], surface.quads, surface.triangles))
    faces = np.concatenate([surface.quads[:, 0], surface.triangles[:, 0]])
    shell.cell_data["part"] = np.minimum(own[faces], len(COLOURS) - 1)
    with scene_plotter(SIZE, samples=4, shape=(2, 1), row_weights=HEIGHTS) as plotter:
        for row in range(2):
            plotter.subplot(row, 0)
            plotter.set_background("white")
            look = dict(scalars="part", cmap=list(COLOURS), clim=(-0.5, len(COLOURS) - 0.5), show_scalar_bar=False)
            if mesh.blocks:
                drawn = _cut(mesh, np.minimum(part, len(COLOURS) - 1)) if row == 1 and across else shell
                plotter.add_mesh(drawn, **look, show_edges=row == 1, edge_color="dimgrey", lighting=row == 0)
            if mesh.beams is not None:
                plotter.add_mesh(_beam_lines(mesh, part), **look, line_width=4)
            (_add if row == 0 else _add_in_cut)(plotter, marks, *([across] if row == 1 else []))
            plotter.add_axes(
                color="black", xlabel="running", ylabel="left", zlabel="up", viewport=(0.87, 0.0, 1.0, 0.25)
            )
            if row == 0:
                _words(plotter, title)
                _legend(plotter, marks, part)
                plotter.camera_position = [(2.6, 1.9, 1.1), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
            else:
                plotter.enable_parallel_projection()
                eye, up = ((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)) if across else ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
                plotter.camera_position = [eye, (0.0, 0.0, 0.0), up]
            plotter.reset_camera()
            if row == 0:
                plotter.camera.zoom(1.25)
            else:
                x, y, z = np.ptp(mesh.nodes, axis=0)
                wide, high = (y, z) if across else (x, y)
                plotter.camera.parallel_scale = 0.6 * max(high, wide * SIZE[1] * HEIGHTS[1] / SIZE[0])
        return write_whole(path, lambda target: plotter.screenshot(str(target)))


class _Placed(NamedTuple):
    position: np.ndarray
    quads: np.ndarray
    triangles: np.ndarray


def _cut(mesh, part):
    """Cells of the mesh cut along the plane x = 0 of its middle, with `part`."""
    import pyvista

    cells = {"hex8": 12, "hex20": 25, "wedge6": 13, "wedge15": 26, "tet4": 10, "tet10": 24, "pyramid5": 14,
             "pyramid13": 27}  # fmt: skip
    given = [np.insert(block.connectivity, 0, block.connectivity.shape[1], axis=1).ravel() for block in mesh.blocks]
    kinds = np.concatenate([np.full(len(block.connectivity), cells[block.kind]) for block in mesh.blocks])
    grid = pyvista.UnstructuredGrid(np.concatenate(given), kinds, mesh.nodes)
    grid.cell_data["part"] = np.concatenate([part[block.connectivity[:, 0]] for block in mesh.blocks])
    middle = 0.5 * (mesh.nodes[:, 0].min() + mesh.nodes[:, 0].max())
    off = 1e-6 * np.ptp(mesh.nodes[:, 1])  # a plane of nodes has no cells of its own
    return grid.slice(normal="x", origin=(middle + off, 0.0, 0.0))


def _beam_lines(mesh, part):
    """Beams as lines between the middles of their ends, with `part`."""
    import pyvista

    ends = mesh.nodes[mesh.beams.nodes.reshape(-1, 3)].mean(axis=1)
    lines = pyvista.line_segments_from_points(ends)
    lines.cell_data["part"] = np.minimum(part[mesh.beams.nodes[:, 0]], len(COLOURS) - 1)
    return lines


def _add(plotter, marks):
    import pyvista

    for mark in marks:
        if mark.line:
            plotter.add_mesh(pyvista.lines_from_points(mark.points), color=mark.colour, line_width=2)
        else:
            plotter.add_mesh(pyvista.PolyData(mark.points), color=mark.colour, point_size=12 if mark.label else 5,
                             render_points_as_spheres=True)  # fmt: skip


def _add_in_cut(plotter, marks, across):
    """Rings as the two points where they pass the plane of a cut; what has a label with it."""
    rings = [mark for mark in marks if across and mark.line and len(mark.points) > 2]
    ends = [mark._replace(points=mark.points[[0, len(mark.points) // 2]], line=False) for mark in rings]
    _add(plotter, [mark for mark in marks if not any(mark is ring for ring in rings)] + ends)
    look = dict(show_points=False, shape_opacity=0.7, shape_color="white", always_visible=True, margin=1, font_size=11)
    for mark in marks:
        if mark.label:
            plotter.add_point_labels(mark.points.mean(axis=0)[None], [mark.label], text_color=mark.colour, **look)


def _words(plotter, title):
    words = plotter.add_text(title, position=(8, HEIGHTS[0] * SIZE[1] - 6), font_size=9, color="black")
    words.GetTextProperty().SetVerticalJustificationToTop()


def _legend(plotter, marks, part):
    count = np.bincount(part)
    shown = min(len(count), len(COLOURS))
    lines = [[f"part {k + 1}: {count[k]} nodes", COLOURS[k]] for k in range(shown)]
    if len(count) > shown:
        lines[-1][0] = f"parts {shown} to {len(count)}"
    lines += [[mark.name, mark.colour] for mark in marks if mark.name]
    plotter.add_legend(lines, bcolor=None, size=(0.3, 0.035 * len(lines)), loc="lower left", face="rectangle")
