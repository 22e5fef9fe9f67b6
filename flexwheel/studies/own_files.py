"""`fw.irregularity`, `fw.profile`, `fw.mesh`: arrays of Python as the files a scenario names, kept in the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.face.kept import kept_file
from flexwheel.studies.numbers import numbers
from flexwheel.track.irregularity import FILE_COLUMNS

ELEMENTS = {"tetra": "C3D4", "tetra10": "C3D10", "wedge": "C3D6", "hexahedron": "C3D8", "hexahedron20": "C3D20"}


def irregularity(s_m: npt.ArrayLike, **heights_m: npt.ArrayLike) -> str:
    """Irregularity of both rails from arrays, for `irregularity.file`.

    Parameters
    ----------
    s_m : (n,)          arc length [m], rising; or (n, 2) or (n, 5) alone: arc length and the height of both rails,
                        or all four columns
    **heights_m : (n,)  left_lateral, left_vertical, right_lateral, right_vertical [m], left and up positive; those left
                        out are zero

    Returns
    -------
    str                 path of a table in the cache

    Example
    -------
    >>> scenario.changed({"irregularity": {"file": fw.irregularity(s, left_vertical=z, right_vertical=z)}})
    """
    if np.ndim(s_m) == 2 and not heights_m:
        s_m, *columns = numbers("irregularity", s_m, 2).T
        if len(columns) not in (1, 4):
            raise ScenarioError(f"irregularity: an array must have 2 or 5 columns, got {len(columns) + 1}")
        names = FILE_COLUMNS if len(columns) == 4 else ("left_vertical", "right_vertical")
        heights_m = dict(zip(names, columns * (2 if len(columns) == 1 else 1), strict=True))
    wrong = [name for name in heights_m if name not in FILE_COLUMNS]
    if wrong or not heights_m:
        raise ScenarioError(f"irregularity: heights must be of {', '.join(FILE_COLUMNS)}, got {wrong or 'none'}")
    columns = {name: numbers(name, values, 1) for name, values in {"s_m": s_m, **heights_m}.items()}
    for name, values in columns.items():
        if len(values) != len(columns["s_m"]):
            raise ScenarioError(f"irregularity: {name} must be {len(columns['s_m'])} numbers as s_m, got {len(values)}")
    if len(columns["s_m"]) < 4 or np.any(np.diff(columns["s_m"]) <= 0.0):
        raise ScenarioError("irregularity: s_m must be four numbers or more, rising")
    head = ",".join(name if name == "s_m" else f"{name}_m" for name in columns)
    return _kept("irregularity", ".csv", [head, *_rows(np.stack(list(columns.values()), axis=1), ",")])


def profile(y_mm: npt.ArrayLike, z_mm: npt.ArrayLike) -> str:
    """Profile of a wheel or rail from points, for `contact.wheel_profile` and `contact.rail_profile`.

    Parameters
    ----------
    y_mm, z_mm : (n,)   [mm], y to the field side, z down, as in a file of points; wheel: y = 0 at the tread datum

    Returns
    -------
    str                 path of a file in the cache

    Example
    -------
    >>> scenario.changed({"contact.wheel_profile": fw.profile(y, z)})
    """
    y, z = numbers("y_mm", y_mm, 1), numbers("z_mm", z_mm, 1)
    if len(y) != len(z):
        raise ScenarioError(f"profile: z_mm must be {len(y)} numbers as y_mm, got {len(z)}")
    return _kept("profile", ".txt", _rows(np.stack([y, z], axis=1), " "))


def mesh(points: npt.ArrayLike, cells: Mapping[str, npt.ArrayLike], material: Sequence[float]) -> str:
    """Mesh of solid elements from arrays, for `fw.Wheelset.from_mesh` and `fw.VehicleBody.from_mesh`.

    Parameters
    ----------
    points : (n, 3)     [m]
    cells : dict        tetra, tetra10, wedge, hexahedron, hexahedron20 -> (e, nodes) rows of points, order of VTK
    material : 3 floats Young's modulus [Pa], Poisson's ratio, density [kg/m3]

    Returns
    -------
    str                 path of a file in the cache

    Example
    -------
    >>> fw.Wheelset.from_mesh(fw.mesh(points, {"hexahedron": hexahedra}, (2.1e11, 0.3, 7850.0)))
    """
    places, values = numbers("points", points, 2), numbers("material", material, 1)
    if places.shape[1] != 3 or len(values) != 3:
        raise MeshError("mesh: points must be (n, 3) [m], and material three numbers")
    lines, number = ["*NODE", *(f"{k}, {row}" for k, row in enumerate(_rows(places, ", "), 1))], 1
    for kind, rows in dict(cells).items():
        if kind not in ELEMENTS:
            raise MeshError(f"mesh: cells must be of {', '.join(ELEMENTS)}, got {kind!r}")
        lines.append(f"*ELEMENT, TYPE={ELEMENTS[kind]}, ELSET=ALL")
        for row in numbers(kind, rows, 2).astype(int):
            if row.min() < 0 or row.max() >= len(places):
                raise MeshError(f"mesh: {kind} must name points 0 to {len(places) - 1}, got {row.tolist()}")
            words = [str(number), *(str(node + 1) for node in row)]
            lines += [
                ", ".join(words[k : k + 8]) + ("," if k + 8 < len(words) else "") for k in range(0, len(words), 8)
            ]
            number += 1
    young, poisson, density = map(float, values)
    lines += ["*MATERIAL, NAME=OWN", "*ELASTIC", f"{young!r}, {poisson!r}", "*DENSITY", f"{density!r}"]
    return _kept("mesh", ".inp", [*lines, "*SOLID SECTION, ELSET=ALL, MATERIAL=OWN"])


def _rows(values, between):
    return [between.join(map(repr, row)) for row in values.tolist()]


def _kept(name, suffix, lines):
    return kept_file(name, suffix, "\n".join(lines) + "\n")
