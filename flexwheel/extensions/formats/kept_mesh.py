"""Imported meshes on the disk: a file that has not changed is read once, not at the start of each run.

What is kept is named by the octets of the file, by all that its import was asked and by the program (kept_arrays.py);
a file that includes others is read each time, and so is one that takes no time.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import (
    AttachedMass,
    Beams,
    ElementBlock,
    Equation,
    Material,
    Mesh,
    RigidSet,
    Spring,
    Tie,
)
from flexwheel.extensions.formats.mesh_text import read_mesh_bytes
from flexwheel.numerics.kept_arrays import kept_arrays

SMALLEST = 1e6  # [byte] of a file whose mesh is kept: a third of a second of import at most below
MOST = 30  # meshes
_PARTS = {part.__name__: part for part in (
    Mesh, ElementBlock, Material, AttachedMass, Tie, RigidSet, Equation, Spring, Beams
)}  # fmt: skip


def kept_mesh(
    path: Path, asked: tuple, sources: list[str], make: Callable[[], tuple[Mesh, tuple[str, ...]]]
) -> tuple[Mesh, tuple[str, ...]]:
    """Mesh and audit of a file, from the disk, or made and kept there.

    Parameters
    ----------
    path : Path
    asked : tuple             of what the mesh depends on beside the file and its name
    sources : list of str     files of the program that make it
    make : function           of the mesh and its audit

    Raises
    ------
    MeshError    as `make`, for what is no mesh file, and for one that changes as it is read; what was kept and cannot
                 be read raises nothing
    """
    content = read_mesh_bytes(path)
    if len(content) < SMALLEST or b"include" in content.lower():
        return make()
    digest = hashlib.sha256(content).digest()
    del content

    def packed():
        arrays = _packed(make())
        if hashlib.sha256(read_mesh_bytes(path)).digest() != digest:  # another mesh would be kept under its name
            raise MeshError(f"{path}: the file changed while it was read; give the command again")
        return arrays

    return _unpacked(kept_arrays("meshes", repr((path.name, digest, asked)), sources, packed, MOST))


def _packed(value) -> dict[str, np.ndarray]:
    """Arrays by name of a mesh and its audit; the one named "text" is JSON that says what the others belong to."""
    arrays = []

    def words(part):
        if isinstance(part, np.ndarray):
            arrays.append(part)
            return {"array": len(arrays) - 1}
        if is_dataclass(part):
            return {"part": type(part).__name__} | {f.name: words(getattr(part, f.name)) for f in fields(part)}
        if isinstance(part, dict):
            return {"table": {name: words(item) for name, item in part.items()}}
        return [words(item) for item in part] if isinstance(part, tuple) else part

    text = json.dumps(words(value), default=lambda number: number.item()).encode()
    return {"text": np.frombuffer(text, np.uint8)} | {str(k): array for k, array in enumerate(arrays)}


def _unpacked(arrays):
    """What `_packed` made arrays of."""

    def whole(part):
        if isinstance(part, list):
            return tuple(map(whole, part))
        if not isinstance(part, dict):
            return part
        if "array" in part:
            return arrays[str(part["array"])]
        items = {name: whole(item) for name, item in part.get("table", part).items()}
        return items if "table" in part else _PARTS[items.pop("part")](**items)

    return whole(json.loads(arrays["text"].tobytes()))
