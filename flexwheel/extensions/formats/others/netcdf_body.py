"""The package's own file of a reduced body, netCDF-4: docs/reduced_bodies.md describes it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import flexwheel
from flexwheel.base.errors import MeshError
from flexwheel.base.output_files import write_whole
from flexwheel.body.superelement import RecoveryPoint, Superelement

FORMAT = "flexwheel superelement 1"
_MATRICES = {
    "stiffness": "generalised force per coordinate: N/m, N m/rad",
    "mass": "kg, kg m2",
    "damping": "viscous: N s/m, N m s/rad",
    "structural": "structural damping, imaginary part of the stiffness: N/m, N m/rad",
}
_NEEDED = ("stiffness", "mass", "coordinate_node", "coordinate_component", "node_id", "node_position")
_UNREADABLE = (OSError, RuntimeError, ValueError, LookupError, TypeError, AttributeError, OverflowError, MemoryError)


def write_netcdf(path: Path, body: Superelement, further=None) -> None:
    """Write a file, whole or not at all; further: name -> (dimensions, values, units, meaning) of variables beside."""
    import netCDF4

    def write(target):
        with netCDF4.Dataset(target, "w") as file:
            file.setncatts(
                {"format": FORMAT, "source": f"flexwheel {flexwheel.__version__}", "history": "\n".join(body.notes)}
            )

            def put(name, dimensions, values, units="", meaning=""):
                values = np.asarray(values, dtype=object if dimensions[1:] == () and name.endswith("_name") else None)
                for dimension, length in zip(dimensions, values.shape, strict=True):
                    if dimension not in file.dimensions:
                        file.createDimension(dimension, length)
                variable = file.createVariable(name, str if values.dtype == object else values.dtype, dimensions)
                variable[:] = values
                variable.setncatts({"units": units or "1", "long_name": meaning})

            square = ("coordinate", "coordinate_2")
            for name, units in _MATRICES.items():
                matrix = getattr(body, name)
                if matrix is not None:
                    put(name, square, matrix.toarray() if sp.issparse(matrix) else matrix, units, f"{name} matrix")
            put("coordinate_node", square[:1], body.node, "", "node of the coordinate; of a further one its own id")
            put("coordinate_component", square[:1], body.component, "", "1-3 translation, 4-6 rotation, 0 further")
            put("node_id", ("node",), np.array([*body.place], dtype=np.int64), "", "id of the node")
            places = np.array([*body.place.values()], dtype=float).reshape(-1, 3)
            put("node_position", ("node", "axis"), places, "m", "x forward, y left, z up")
            if body.attachments:
                put("attachment_name", ("attachment",), [*body.attachments], "", "where forces take hold")
                put("attachment_node", ("attachment",), [*body.attachments.values()], "", "its node")
            if body.points:
                put("point_name", ("point",), [p.name for p in body.points], "", "points of recovery")
                put("point_position", ("point", "axis"), [p.position for p in body.points], "m", "their places")
                dims = ("point", "axis", "coordinate")
                put("point_motion", dims, [p.motion for p in body.points], "m", "translation by the coordinates")
                dims = ("point", "stress_component", "coordinate")
                meaning = "stress xx yy zz xy yz zx by the coordinates"
                put("point_stress", dims, [p.stress for p in body.points], "Pa", meaning)
            if body.first_moments is not None:
                meaning = "int rho X_a u_b by the coordinates, X from the mass centre"
                put("first_moments", ("axis", "axis_2", "coordinate"), body.first_moments, "kg m", meaning)
            for name, variable in (further or {}).items():
                put(name, *variable)

    write_whole(path, write)


def read_whole(files: Sequence[Path], unit: str, places: Mapping[int, tuple]) -> Superelement:
    """Superelement of the one file of a body, as of `read_matrices`."""
    if len(files) > 1:
        raise MeshError(f"{files[0]}: a netCDF file is whole by itself: take the other files out of `matrices`")
    if unit != "m":
        raise MeshError(f"{files[0]}: is in SI units: take mesh_unit = {unit!r} out")
    body = read_netcdf(files[0])
    return replace(body, place={**body.place, **places}, notes=(f"{files[0].name}: netCDF", *body.notes))


def read_netcdf(path: Path) -> Superelement:
    """Superelement of a file of `write_netcdf`, or of another program that follows its description.

    Raises MeshError: no such file, damaged, a variable that is missing or of another size.
    """
    import netCDF4

    try:
        with netCDF4.Dataset(path) as file:
            file.set_auto_mask(False)
            if str(getattr(file, "format", "")) != FORMAT:
                raise MeshError(f"{path}: attribute format must be {FORMAT!r}, got {getattr(file, 'format', 'none')!r}")
            missing = [name for name in _NEEDED if name not in file.variables]
            if missing:
                raise MeshError(f"{path}: variable {missing[0]} is missing")
            return _read(path, file)
    except _UNREADABLE as error:
        if isinstance(error, MeshError):
            raise
        raise MeshError(f"{path}: no netCDF file of a reduced body, or damaged: {error}") from None


def _read(path, file):
    size = len(file.dimensions["coordinate"])

    def array(name, shape=None, kind=float):
        if name not in file.variables:
            return None
        values = np.asarray(file[name][:])
        if kind is not str:
            values = values.astype(kind)
        if shape is not None and values.shape != shape:
            raise MeshError(f"{path}: {name} must have the shape {shape}, got {values.shape}")
        if kind is float and not (name == "point_stress" or np.isfinite(values).all()):
            raise MeshError(f"{path}: {name} must be finite numbers")
        return values

    ids = array("node_id", kind=np.int64)
    places = array("node_position", (len(ids), 3))
    names = array("attachment_name", kind=str)
    count = 0 if names is None else len(names)
    held = array("attachment_node", (count,), np.int64) if count else []
    labels = array("point_name", kind=str)
    points = ()
    if labels is not None:
        parts = [
            array(name, (len(labels), *shape))
            for name, shape in (("point_position", (3,)), ("point_motion", (3, size)), ("point_stress", (6, size)))
        ]
        if any(part is None for part in parts):
            raise MeshError(f"{path}: point_position, point_motion and point_stress must be given with point_name")
        points = tuple(RecoveryPoint(str(name), *own) for name, *own in zip(labels, *parts, strict=True))
    try:
        return Superelement(
            array("stiffness", (size, size)),
            array("mass", (size, size)),
            array("coordinate_node", (size,), np.int64),
            array("coordinate_component", (size,), np.int64),
            dict(zip(ids.tolist(), places, strict=True)),
            array("damping", (size, size)),
            array("structural", (size, size)),
            dict(zip(map(str, names), map(int, held), strict=True)) if count else {},
            points,
            array("first_moments", (3, 3, size)),
        )
    except MeshError as error:
        raise error if str(error).startswith(str(path)) else MeshError(f"{path}: {error}") from None
