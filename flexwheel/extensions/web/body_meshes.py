"""Meshes of the user in a page: `NAME=FILE` or `NAME=FILE@UNIT` draws a body of a run in place of its box.

The file's axes are x along running, y to the left, z up, its origin the body's centre of mass; it moves with the body
as a rigid one. It changes nothing of the results.
"""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.mesh_format import LENGTH_UNITS, MESH_FORMATS, read_mesh
from flexwheel.body.surface import outer_surface
from flexwheel.extensions.formats.others.meshio_read import read_with_meshio

FACES = 20_000  # triangles of a body at most
HALVINGS = 30
SURFACES = (".stl", ".obj", ".ply", ".off")  # suffixes of files of faces alone
LONGEST, SHORTEST = 200.0, 0.05  # [m] between which a body's largest extent must lie


def body_files(texts):
    """{body: (path, unit)} of texts NAME=FILE or NAME=FILE@UNIT."""
    found = {}
    for text in texts:
        name, _, file = text.partition("=")
        path, at, unit = file.rpartition("@")
        path, unit = (path, unit) if at and "/" not in unit and "." not in unit else (file, "m")
        if not name or not path:
            raise ScenarioError(f"--body must be NAME=FILE or NAME=FILE@UNIT, got {text!r}")
        if unit not in LENGTH_UNITS:
            raise ScenarioError(f"--body {text}: unit must be one of {', '.join(LENGTH_UNITS)}, got {unit!r}")
        if name in found:
            raise ScenarioError(f"--body {name}: given twice")
        found[name] = path, unit
    return found


def pack_body_meshes(packer, texts, shown, say):
    """Add meshes to a Packer; returns {body: what the page must know of its mesh}.

    texts : of --body
    shown : [(name, PageScene)]     beside each other; a body of any of them may have a mesh
    """
    files = body_files(texts)
    names = {str(name): None for _, scene in shown for name in scene.results.body.values}
    meshed = {str(n) for _, s in shown if "flexible" in s.results.coords for n in s.results.flexible.values}
    for name in files:
        if name not in names or name in meshed:
            what = "has its own mesh" if name in meshed else "is no body of the run"
            known = ", ".join(n for n in names if n not in meshed)
            raise ScenarioError(f"--body {name}: {name!r} {what}; bodies are {known}")
    found = {}
    for name, (path, unit) in files.items():
        points, faces, count = drawn_mesh(Path(path), unit)
        low, high = points.min(axis=0), points.max(axis=0)
        part = f"{len(faces):,} triangles in place of its {count:,}" if len(faces) < count else f"{count:,} triangles"
        words = f"{name}: {Path(path).name}, {part}, {' x '.join(f'{x:.3g}' for x in high - low)} m"
        say(words)
        packer.add(f"body/{name}/position", points)
        packer.add(f"body/{name}/faces", faces, "<u4")
        box = [*np.maximum(high, -low)[:2], low[2], high[2]]  # as vehicle_parts has it
        found[name] = {"words": words, "box": [round(float(x), 6) for x in box]}
    return found


def drawn_mesh(path, unit):
    """(points (n, 3) [m], triangles (m, 3), count of triangles before they became fewer) of a mesh file's surface.

    Raises
    ------
    MeshError       one line: unreadable, without faces, no number, an extent that no body has
    """
    if path.suffix.lower() in SURFACES:
        mesh = read_with_meshio(path)
        parts = [block.data for block in mesh.cells if block.type in ("triangle", "quad", "polygon")]
        points, faces = LENGTH_UNITS[unit] * np.asarray(mesh.points, dtype=float), _triangles(parts)
    elif path.suffix.lower() in MESH_FORMATS.by_suffix():
        mesh = read_mesh(path, length_unit=unit)[0]
        surface = outer_surface(mesh)
        points, faces = mesh.nodes[surface.node_rows], _triangles([surface.triangles, surface.quads])
    else:
        known = ", ".join((*MESH_FORMATS.by_suffix(), *SURFACES))
        raise MeshError(f"{path}: a body's mesh is read from {known}, got {path.suffix or 'no ending'}")
    if not len(faces):
        raise MeshError(f"{path}: no triangles or quadrilaterals to draw")
    if faces.min() < 0 or faces.max() >= len(points) or points.shape[1] != 3 or not np.all(np.isfinite(points)):
        raise MeshError(f"{path}: faces must name points of the file, and points be three finite numbers")
    used, faces = np.unique(faces, return_inverse=True)
    points, faces = points[used], faces.reshape(-1, 3)
    size = float(np.ptp(points, axis=0).max())
    if not SHORTEST <= size <= LONGEST:
        raise MeshError(
            f"{path}: {size:.3g} m long in {unit}, a body has {SHORTEST:g} to {LONGEST:g} m; give FILE@UNIT"
        )
    return *_fewer(points, faces), len(faces)


def _triangles(parts):
    """(m, 3) of convex faces of three and more corners."""
    parts = [np.asarray(part, dtype=np.int64) for part in parts if len(part)]
    split = [part[:, [0, k, k + 1]] for part in parts for k in range(1, part.shape[1] - 1)]
    return np.concatenate(split) if split else np.zeros((0, 3), dtype=np.int64)


def _fewer(points, faces):
    """Points and at most FACES triangles: points within cubes, as small as that allows, become one in their middle.

    Source: Rossignac, Borrel 1993, Modeling in Computer Graphics, 455-465 (vertex clustering).
    """
    if len(faces) <= FACES:
        return points, faces
    low, high = 0.0, float(np.ptp(points, axis=0).max())
    best = None
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = _clustered(points, faces, middle)
        if len(found[1]) > FACES:
            low = middle
        else:
            high, best = middle, found
        if best is not None and len(best[1]) > 0.9 * FACES:
            break
    return best


def _clustered(points, faces, size):
    cube = np.floor((points - points.min(axis=0)) / size).astype(np.int64)
    of = np.unique(cube @ (cube.max() + 1) ** np.arange(3), return_inverse=True)[1].ravel()
    count = np.bincount(of)
    middles = np.stack([np.bincount(of, points[:, k]) for k in range(3)], axis=1) / count[:, None]
    corners = of[faces]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    return middles, corners[np.unique(np.sort(corners, axis=1), axis=0, return_index=True)[1]]
