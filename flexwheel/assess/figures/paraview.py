"""Series for ParaView: VTU files of a wheelset, its contact forces and the rails, and a PVD file that lists them."""

from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from flexwheel.assess.figures.scenes import deformation, poly_data, stress_tensor
from flexwheel.base.output_files import write_whole
from flexwheel.body.stress import von_mises

PARTS = {0: "axle", 1: "left wheel", 2: "right wheel", 3: "disc"}
_THICKER = 1.3  # than the axle midway between the wheels: a wheel or a disc


def write_paraview(surface, coordinates, times, folder, name="wheelset", loads=None, hidden=None, beside=None):
    """Write name_0000.vtu ... and name.pvd.

    Points stay undeformed; `displacement` [m] is a point vector, to be magnified with Warp By Vector, `stress` [Pa] the
    tensor in body axes (XX YY ZZ XY YZ XZ), `von_mises` [Pa], `node_id` (ids of the mesh file) and `load_spread` (1
    where the contact force is spread over nodes, so that the stress is not that of the wheel) are point scalars; `part`
    of a cell is one of PARTS. Parts of the PVD file: 0 wheelset, 1 contact (points with `force` on the wheel [N],
    `normal_force` [N], `peak_pressure` [Pa]), 2 rails (their heads, where they have moved to), in the wheelset's frame.

    Parameters
    ----------
    surface : SurfaceModes
    coordinates : (F, H)        modal coordinates of each time
    times : (F,) [s]
    folder : Path               must exist
    loads : (F, K), optional    for the static residual: control_nodes.standing_loads
    hidden : (Ns,) bool, optional   of load_spread
    beside : sequence of F (ContactMarks, rails), optional     rails: list of (2, P, 3) [m], both ends of each

    Returns
    -------
    Path    of the PVD file
    """
    folder = Path(folder)
    base = poly_data(surface).cast_to_unstructured_grid()
    base["node_id"] = np.asarray(surface.node_id)
    base.cell_data["part"] = parts(surface)
    if hidden is not None:
        base["load_spread"] = np.asarray(hidden, dtype=np.int8)
    lines = ['<?xml version="1.0"?>', '<VTKFile type="Collection" version="0.1">', "  <Collection>"]

    def write(grid, k, number, word=""):
        file = f"{name}{word}_{k:04d}.vtu"
        write_whole(folder / file, lambda target: target.write_text(vtu_text(grid), encoding="ascii"))
        lines.append(f'    <DataSet timestep="{float(times[k]):.9g}" part="{number}" file="{escape(file)}"/>')

    for k, w in enumerate(coordinates):
        load = None if loads is None else loads[k]
        grid = base.copy()
        grid["displacement"] = deformation(surface, w, load)
        stress = stress_tensor(surface, w, load)
        if stress is not None:
            grid["stress"], grid["von_mises"] = stress, von_mises(stress)
        write(grid, k, 0)
        if beside is not None:
            marks, rails = beside[k]
            if len(marks.position):  # a wheelset in the air has none
                write(contact_points(marks), k, 1, "_contact")
            write(rail_heads(rails), k, 2, "_rails")
    lines += ["  </Collection>", "</VTKFile>", ""]
    path = folder / f"{name}.pvd"
    write_whole(path, lambda target: target.write_text("\n".join(lines), encoding="utf-8"))
    return path


def parts(surface):
    """Part (cells,) of each face, quads first: where the body is thicker than the axle midway, wheels lie outermost."""
    y, radius = surface.position[:, 1], np.hypot(surface.position[:, 0], surface.position[:, 2])
    places, ring = np.unique(np.round(y, 4), return_inverse=True)
    outer = np.zeros(len(places))
    np.maximum.at(outer, ring.ravel(), radius)
    thick = outer > _THICKER * outer[np.argmin(np.abs(places))]
    piece = np.cumsum(np.diff(thick, prepend=False) & thick) * thick  # 1, 2 ... from right to left, 0 the axle
    number = np.full(piece.max(initial=0) + 1, 3)
    number[0] = 0
    if piece.any():
        number[piece.max()], number[1] = 1, 2
    of_node = number[piece][ring.ravel()]
    return np.concatenate([of_node[faces].max(axis=1) for faces in (surface.quads, surface.triangles)]).astype(np.int8)


def contact_points(marks):
    """Unstructured grid of the patches with their forces."""
    import pyvista

    points = pyvista.PolyData(np.asarray(marks.position, dtype=float).reshape(-1, 3))
    points["force"] = np.asarray(marks.force, dtype=float).reshape(-1, 3)
    points["normal_force"], points["peak_pressure"] = marks.normal_force, marks.peak_pressure
    return points.cast_to_unstructured_grid()


def rail_heads(rails):
    """Unstructured grid of the rails' running surfaces; `side` 0 left, 1 right."""
    import pyvista

    points = np.concatenate([rail.reshape(-1, 3) for rail in rails])
    faces, start = [], 0
    for rail in rails:
        k = start + np.arange(rail.shape[1] - 1)
        beyond = k + rail.shape[1]
        faces.append(np.stack([np.full_like(k, 4), k, k + 1, beyond + 1, beyond], axis=1))
        start += rail.shape[0] * rail.shape[1]
    heads = pyvista.PolyData(points, np.concatenate(faces).ravel())
    heads.cell_data["side"] = np.repeat(np.arange(len(rails), dtype=np.int8), [len(face) for face in faces])
    return heads.cast_to_unstructured_grid()


def vtu_text(grid):
    """VTU file of a grid as text; VTK itself aborts the process where a disk is full."""
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

    writer = vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetDataModeToBinary()
    writer.WriteToOutputStringOn()
    writer.Write()
    return writer.GetOutputString()
