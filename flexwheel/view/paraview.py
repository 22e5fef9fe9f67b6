"""Deformed surfaces for ParaView: one VTU file a time, and a PVD file that lists them."""

from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from flexwheel.output_files import write_whole
from flexwheel.view.scenes import deformation, poly_data, surface_stress


def write_paraview(surface, coordinates, times, folder, name="wheelset", loads=None, hidden=None):
    """Write name_0000.vtu ... and name.pvd.

    Points stay undeformed; `displacement` [m] is a point vector, to be magnified with Warp By Vector,
    `von_mises` [Pa], `node_id` (ids of the mesh file) and `load_spread` (1 where the contact force is spread over
    nodes, so that the stress is not that of the wheel) are point scalars.

    Parameters
    ----------
    surface : SurfaceModes
    coordinates : (F, H)        modal coordinates of each time
    times : (F,) [s]
    folder : Path               must exist
    loads : (F, W, 5), optional tread wrenches for the static residual
    hidden : (Ns,) bool, optional   of post.load_spread

    Returns
    -------
    Path    of the PVD file
    """
    folder = Path(folder)
    base = poly_data(surface).cast_to_unstructured_grid()
    base["node_id"] = np.asarray(surface.node_id)
    if hidden is not None:
        base["load_spread"] = np.asarray(hidden, dtype=np.int8)
    lines = ['<?xml version="1.0"?>', '<VTKFile type="Collection" version="0.1">', "  <Collection>"]
    for k, (time, w) in enumerate(zip(times, coordinates, strict=True)):
        load = None if loads is None else loads[k]
        grid = base.copy()
        grid["displacement"] = deformation(surface, w, load)
        stress = surface_stress(surface, w, load)
        if stress is not None:
            grid["von_mises"] = stress
        part = f"{name}_{k:04d}.vtu"
        write_whole(folder / part, lambda target, grid=grid: target.write_text(vtu_text(grid), encoding="ascii"))
        lines.append(f'    <DataSet timestep="{float(time):.9g}" part="0" file="{escape(part)}"/>')
    lines += ["  </Collection>", "</VTKFile>", ""]
    path = folder / f"{name}.pvd"
    write_whole(path, lambda target: target.write_text("\n".join(lines), encoding="utf-8"))
    return path


def vtu_text(grid):
    """VTU file of a grid as text; VTK itself aborts the process where a disk is full."""
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

    writer = vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetDataModeToBinary()
    writer.WriteToOutputStringOn()
    writer.Write()
    return writer.GetOutputString()
