"""One VTKHDF file with time: a wheelset, its contact forces and the rails, for ParaView, VTK and PyVista.

The file is HDF5 as netCDF writes it, laid out after VTKHDF 2.2, type UnstructuredGrid with the group `Steps`:
https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/index.html. Each step has its points and cells, as
the number of contact patches changes. Verified in tests/verification/test_view.py.
"""

from pathlib import Path

import netCDF4
import numpy as np

from flexwheel.base.output_files import require_space, write_whole
from flexwheel.body.stress import von_mises
from flexwheel.extensions.gltf.drawn_fields import deformation, stress_tensor

PARTS = {0: "axle", 1: "left wheel", 2: "right wheel", 3: "disc", 4: "contact", 5: "left rail", 6: "right rail"}
_THICKER = 1.3  # than the axle midway between the wheels: a wheel or a disc
_VERTEX, _TRIANGLE, _QUAD = 1, 5, 9  # VTK's numbers of cells
_COUNTS = {"Points": "NumberOfPoints", "Types": "NumberOfCells", "Connectivity": "NumberOfConnectivityIds"}


def write_time_series(surface, coordinates, times, path, loads=None, hidden=None, beside=None):
    """Write a series of steps into one .vtkhdf file; returns its path.

    Points of the wheelset stay undeformed; point data: `displacement` [m], to be magnified with Warp By Vector,
    `stress` [Pa] the tensor in body axes (XX YY ZZ XY YZ XZ), `von_mises` [Pa], `node_id` (ids of the mesh file, -1
    beside the wheelset), `load_spread` (1 where the contact force is spread over nodes, so that the stress is not that
    of the wheel); of contact points `force` on the wheel [N], `normal_force` [N], `peak_pressure` [Pa]. A quantity that
    a point does not have is nan; a patch has the displacement of its wheel. `part` of a cell is one of PARTS; rails are
    their heads, where they have moved to, in the wheelset's frame, with displacement 0: the wheel meets them in its
    patches where it is warped by 1.

    Parameters
    ----------
    surface : SurfaceModes
    coordinates : (F, H)        modal coordinates of each time
    times : (F,) [s]
    path : Path
    loads : (F, K), optional    for the static residual: control_nodes.standing_loads
    hidden : (Ns,) bool, optional   of load_spread
    beside : sequence of F (ContactMarks, rails), optional     rails: two of (2, P, 3) [m], both ends of each

    Raises
    ------
    FlexwheelError  a file that cannot be written; a disk without the space
    """
    path, blocks = Path(path), [_wheelset_cells(surface)]
    base = {"node_id": np.asarray(surface.node_id, dtype=np.int64)}
    if hidden is not None:
        base["load_spread"] = np.asarray(hidden, dtype=np.int8)
    steps, fields, stresses = [], deformation(surface, coordinates, loads), stress_tensor(surface, coordinates, loads)
    for k, field in enumerate(fields):
        own = base | {"displacement": field}
        own |= {} if stresses is None else {"stress": stresses[k], "von_mises": von_mises(stresses[k])}
        grids = [(surface.position, *blocks[0], own)]
        if beside is not None:
            marks, rails = beside[k]
            grids += [_contact_points(marks), *(_rail_head(rail, 5 + side) for side, rail in enumerate(rails))]
        steps.append(_joined(grids))
    size = sum(array.nbytes for step in steps for group in step.values() for array in group.values())
    require_space(path.parent, float(size), "files for ParaView")
    write_whole(path, lambda target: _write(target, steps, times))
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


def _wheelset_cells(surface):
    """(faces, part of each cell) of a surface; faces: arrays of nodes, with VTK's number of the cell."""
    return [(_QUAD, surface.quads), (_TRIANGLE, surface.triangles)], parts(surface)


def _contact_points(marks):
    """Points of the patches with their forces, as the grids of a step; a wheelset in the air has none."""
    count = len(marks.position)
    fields = {name: np.reshape(getattr(marks, name), (count, 3)) for name in ("force", "displacement")}
    fields |= {name: np.asarray(getattr(marks, name)) for name in ("normal_force", "peak_pressure")}
    place = np.reshape(marks.position, (count, 3))
    return place, [(_VERTEX, np.arange(count)[:, None])], np.full(count, 4, dtype=np.int8), fields


def _rail_head(rail, part):
    """Running surface of a rail (2, P, 3), as the grids of a step."""
    k, along = np.arange(rail.shape[1] - 1), rail.shape[1]
    faces = np.stack([k, k + 1, k + along + 1, k + along], axis=1)
    place = rail.reshape(-1, 3)
    return place, [(_QUAD, faces)], np.full(len(k), part, dtype=np.int8), {"displacement": np.zeros(place.shape)}


def _joined(grids):
    """Arrays of a step by group and name: grids (points, cells, parts, point data) as one."""
    starts = np.cumsum([0] + [len(place) for place, *_ in grids[:-1]])
    pairs = zip(grids, starts, strict=True)
    faces = [(kind, nodes + start) for (_, cells, *_), start in pairs for kind, nodes in cells]
    sizes = np.concatenate([np.full(len(nodes), nodes.shape[1]) for _, nodes in faces])
    geometry = {
        "Points": np.concatenate([place for place, *_ in grids]).astype(np.float32),
        "Connectivity": np.concatenate([nodes.ravel() for _, nodes in faces]).astype(np.int64),
        "Offsets": np.insert(np.cumsum(sizes), 0, 0).astype(np.int64),
        "Types": np.concatenate([np.full(len(nodes), kind, dtype=np.uint8) for kind, nodes in faces]),
    }
    data = {}
    for name, like in {name: array for *_, fields in reversed(grids) for name, array in fields.items()}.items():
        whole = np.issubdtype(like.dtype, np.integer)
        none = {"node_id": -1, "load_spread": 0}.get(name, np.nan)
        given = [fields.get(name, np.full((len(place), *like.shape[1:]), none)) for place, *_, fields in grids]
        data[name] = np.concatenate(given).astype(like.dtype if whole else np.float32)
    return {"": geometry, "CellData": {"part": np.concatenate([part for _, _, part, _ in grids])}, "PointData": data}


def _write(path, steps, times):
    """Write the arrays of steps; a step begins where the one before ended."""
    with netCDF4.Dataset(path, "w") as file:
        root = file.createGroup("VTKHDF")
        root.Version, root.Type = np.array([2, 2], dtype=np.int64), "UnstructuredGrid"
        series = root.createGroup("Steps")
        series.NSteps = np.int64(len(steps))

        def keep(group, name, values):
            values = np.asarray(values)
            for size in set(values.shape) - {len(found) for found in file.dimensions.values()}:
                file.createDimension(f"of_{size}", size)
            options = {"zlib": True, "complevel": 1} if values.size > 1000 else {}
            group.createVariable(name, values.dtype, [f"of_{size}" for size in values.shape], **options)[:] = values

        begins = {}
        for group, arrays in steps[0].items():
            place = root if not group else root.createGroup(group)
            for name in arrays:
                keep(place, name, np.concatenate([step[group][name] for step in steps]))
                counts = np.array([len(step[group][name]) for step in steps])
                begins[group, name] = np.cumsum(counts) - counts
                if not group and name in _COUNTS:
                    keep(root, _COUNTS[name], counts)
        keep(series, "Values", np.asarray(times, dtype=float))
        keep(series, "PartOffsets", np.arange(len(steps)))
        keep(series, "NumberOfParts", np.ones(len(steps), dtype=np.int64))
        keep(series, "PointOffsets", begins["", "Points"])
        keep(series, "CellOffsets", begins["", "Types"][:, None])
        keep(series, "ConnectivityIdOffsets", begins["", "Connectivity"][:, None])
        for group in ("CellData", "PointData"):
            offsets = series.createGroup(f"{group}Offsets")
            for name in steps[0][group]:
                keep(offsets, name, begins[group, name])
