"""What a mesh is taken for, as a picture or as a page with the modes: `flexwheel reduce MESH --view FILE`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.colors import to_hex

from flexwheel.assess.figures.found_scene import COLOURS, body_marks, found_scene, parts_of, set_marks, wheelset_marks
from flexwheel.assess.figures.notebook_pages import Shown
from flexwheel.assess.figures.rendering import rendering_problem
from flexwheel.assess.figures.scenes import mode_scene, mode_titles
from flexwheel.base.errors import MeshError
from flexwheel.body.interfaces import find_interfaces
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.body.surface import outer_surface, surface_modes
from flexwheel.extensions.web.mesh_page import FoundBody, write_found_page
from flexwheel.results.evaluate.load_spread import on_running_surface, spread_nodes

RUNNING, SPREAD, INTERFACE = "#e8e2c8", "#3d3d3d", "#e377c2"


def found_page(mesh, body, path, title, surface=None, audit=(), mode=None):
    """Write the page of a mesh; returns the files made.

    Parameters
    ----------
    mesh : Mesh                 placed: x forward, y left, z up
    body : ReducedBody, FlexibleBody or None where it was refused
    surface : SurfaceModes      of a ReducedBody; None: no modes are shown
    audit : of str              lines that the import told
    mode : int                  from 1, shown at first
    """
    wheelset = isinstance(body, ReducedBody)
    origin = np.zeros(3) if body is None else body.centre
    if surface is None:
        surface = surface_modes(mesh, origin, np.zeros((mesh.dof_count, 0)), np.zeros(0), np.zeros(0, int), key="found")
    marks = (wheelset_marks if wheelset else body_marks)(mesh, body) if body is not None else set_marks(mesh)
    classes, of_node = _classes(mesh, body if wheelset else None, surface)
    moved = [mark._replace(points=mark.points - origin, colour=to_hex(mark.colour)) for mark in marks]
    found = FoundBody(title, surface, body, classes, of_node, moved, tuple(audit), mode)
    return write_found_page(found, path)


def draw_found(mesh, body, path, name, surface=None, audit=(), mode=None):
    """Draw a mesh and what its ReducedBody or FlexibleBody found, None where it was refused, into a PNG file, or into a
    page (.html), which has the modes of `surface` (SurfaceModes), `mode` at first, and the lines of the audit."""
    suffix = _suffix(path)
    words = f"{Path(name).name}: {len(mesh.nodes)} nodes, {mesh.element_count} elements"
    if body is None:
        words += "\nrefused; its node sets"
    else:
        words += f"\n{body.mass:.1f} kg, {len(body.frequency_hz)} modes from {body.frequency_hz.min():.1f} Hz"
    if suffix == ".html":
        return found_page(mesh, body, path, words.replace("\n", "; "), surface, audit, mode)
    if body is None:
        return found_scene(mesh, set_marks(mesh), path, words)
    marks = wheelset_marks if isinstance(body, ReducedBody) else body_marks
    return found_scene(mesh, marks(mesh, body), path, words)


def shown_mesh(mesh, body, name, path=None, surface=None, mode=None):
    """Shown of a mesh and its ReducedBody or FlexibleBody: page as of `draw_found`, and a picture of what was found or
    of `mode`; path: of a .html or .png file that is written as well."""
    file = None if path is None else Path(path)
    suffix = None if file is None else _suffix(file)
    with TemporaryDirectory() as folder:
        png, page = (Path(folder) / f"shown.{kind}" for kind in ("png", "html"))
        draw_found(mesh, body, page, name, surface, body.audit, mode)
        if suffix == ".png" or not rendering_problem():
            if mode is None:
                draw_found(mesh, body, png, name)
            else:
                mode_scene(surface, surface.rows[:, :, mode - 1], png, f"{name}, {mode_titles(surface)[mode - 1]}")
        picture = png.read_bytes() if png.exists() else b""
        shown = Shown(picture, page.read_text(encoding="utf-8"), file if suffix == ".html" else None)
    if file is not None:
        shown.save(file)
    return shown


def _suffix(path):
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".html"):
        raise MeshError(f"the picture must be a .png or .html file, got {path}")
    return suffix


def _classes(mesh, body, surface):
    """([(name, colour)], (Ns,) number of the class of each node of the surface)."""
    rows = outer_surface(mesh).node_rows
    part = parts_of(mesh)
    count = np.bincount(part)
    shown = min(len(count), len(COLOURS))
    classes = [(f"part {k + 1}: {count[k]} nodes", COLOURS[k]) for k in range(shown)]
    if len(count) > shown:
        classes[-1] = f"parts {shown} to {len(count)}", COLOURS[-1]
    row = dict(zip(mesh.node_ids[rows].tolist(), np.minimum(part[rows], len(COLOURS) - 1).tolist(), strict=True))
    of_node = np.array([row[int(node)] for node in surface.node_id])
    if body is None:
        return classes, of_node
    y, radius = surface.position[:, 1] + body.centre[1], np.hypot(*(surface.position + body.centre)[:, [0, 2]].T)
    held = find_interfaces(mesh, body.options["interfaces"], tuple(body.options["journal_range"]))
    of_interfaces = mesh.node_ids[np.concatenate([one.nodes for one in held])]
    spread = spread_nodes(surface, body.treads, body.centre)
    kinds = [
        ("running surface", RUNNING, on_running_surface(body.treads, y, radius)),
        ("the contact force at the lowest point is spread over these", SPREAD, spread),
        ("nodes of the interfaces", INTERFACE, np.isin(surface.node_id, of_interfaces)),
    ]
    for name, colour, chosen in kinds:
        of_node[chosen] = len(classes)
        classes.append((name, colour))
    return classes, of_node
