"""The only place that calls meshio: VTK files, and surfaces for pictures."""

import contextlib
import io
import re
import sys
import threading
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.element_order import MESHIO_TYPE
from flexwheel.extensions.formats.mesh_text import read_mesh_bytes
from flexwheel.extensions.formats.raw_mesh import RawElements, RawFlats, RawMesh

_KIND = {name: kind for kind, name in MESHIO_TYPE.items()}
_FLAT = ("vertex", "line", "triangle", "quad", "polygon")
_PRINTING = threading.Lock()  # sys.stdout is of the whole process
_MOST_SETS = 100  # values of integer cell data above which they are no part numbers


def scan_with_meshio(path: Path) -> RawMesh:
    """Read the solids of a .vtk or .vtu file; these formats have no ids: rows counted from 1 take their place."""
    content = read_mesh_bytes(path)  # refuses what is no file of a sensible size
    mesh, flats = read_with_meshio(path), []
    _check_counts(path, content, mesh)
    elements, notes, kept = [], ["the format has no ids: nodes and elements are numbered from 1 in file order"], []
    dropped_nodes, start = [np.empty(0, dtype=np.int64)], 0
    for number, block in enumerate(mesh.cells):
        ids = np.arange(start + 1, start + len(block.data) + 1)
        start += len(block.data)
        if block.type in _KIND:
            elements.append(RawElements(_KIND[block.type], ids, np.asarray(block.data, dtype=np.int64) + 1))
            kept.append(number)
        elif block.type.startswith(_FLAT):
            notes.append(f"dropped: {len(ids)} cells of type {block.type} (not solid)")
            rows = [np.asarray(row, dtype=np.int64) + 1 for row in block.data]
            dropped_nodes.append(np.unique(np.concatenate(rows or [[]])).astype(np.int64))
            if block.type != "vertex":
                flats.append(RawFlats(block.type, rows, [str(path)] * len(rows)))
        else:
            raise MeshError(f"{path}: {len(ids)} cells of type {block.type} are not read: expected {', '.join(_KIND)}")
    return RawMesh(
        format=f"VTK ({path.suffix}) by meshio",
        node_ids=np.arange(1, len(mesh.points) + 1),
        nodes=np.asarray(mesh.points, dtype=float).reshape(len(mesh.points), -1)[:, :3],
        elements=_merged(elements),
        node_sets=_value_sets(
            {name: (np.arange(1, len(mesh.points) + 1), np.asarray(data)) for name, data in mesh.point_data.items()}
        ),
        element_sets=_part_sets(mesh, [(elements[i].ids, kept[i]) for i in range(len(kept))]),
        dropped_nodes=np.unique(np.concatenate(dropped_nodes)),
        dropped_elements=np.setdiff1d(np.arange(1, start + 1), np.concatenate([e.ids for e in elements] or [[]])),
        flats=tuple(flats),
        notes=tuple(notes),
    )


def _check_counts(path: Path, content: bytes, mesh) -> None:
    """Refuse a legacy VTK file that holds fewer cells than it says: meshio takes what is there."""
    said = re.search(rb"^CELLS[ \t]+(\d{1,18})[ \t]", content, re.M | re.I)
    version = re.match(rb"# vtk DataFile Version (\d+)", content)
    if not said or not version or int(version.group(1)) > 4:
        return
    read = sum(len(block.data) for block in mesh.cells)
    if read != int(said.group(1)):
        raise MeshError(f"{path}: {int(said.group(1))} cells by its count, {read} read: is the file truncated?")


class _OfThisThread(io.TextIOBase):
    """Takes what this thread writes; what others write goes where it would."""

    def __init__(self, taken, other):
        self.taken, self.other, self.thread = taken, other, threading.get_ident()

    def write(self, text):
        return (self.taken if threading.get_ident() == self.thread else self.other).write(text)

    def flush(self):
        if threading.get_ident() != self.thread:
            self.other.flush()


def read_with_meshio(path: Path):
    """meshio's mesh of a file; its exits, prints and exceptions become a MeshError."""
    import meshio

    printed = io.StringIO()
    try:
        with _PRINTING, contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.redirect_stdout(_OfThisThread(printed, sys.stdout)))
            stack.enter_context(contextlib.redirect_stderr(_OfThisThread(printed, sys.stderr)))
            stack.enter_context(np.errstate(over="ignore"))  # of text, which meshio reads as a binary STL's size first
            return meshio.read(path)
    except (Exception, SystemExit) as error:  # meshio raises anything on a broken file, and calls sys.exit
        said = str(error) if isinstance(error, Exception) else printed.getvalue()
        reason = " ".join(said.split()) or type(error).__name__
        raise MeshError(f"{path}: cannot read mesh: {reason[:160]}") from error


def _merged(elements: list[RawElements]) -> tuple[RawElements, ...]:
    """Cells of one kind together, as one block."""
    kinds = dict.fromkeys(e.kind for e in elements)
    return tuple(
        RawElements(
            kind,
            np.concatenate([e.ids for e in elements if e.kind == kind]),
            np.concatenate([e.nodes for e in elements if e.kind == kind]),
        )
        for kind in kinds
    )


def _part_sets(mesh, kept: list[tuple[np.ndarray, int]]) -> dict[str, np.ndarray]:
    """Integer cell data as element sets; kept: element ids and cell block of the solids."""
    if not kept:
        return {}
    ids = np.concatenate([i for i, _ in kept])
    data = {
        name: (ids, np.concatenate([np.asarray(blocks[number]) for _, number in kept]))
        for name, blocks in mesh.cell_data.items()
    }
    return _value_sets(data)


def _value_sets(data: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, np.ndarray]:
    """Sets NAME_VALUE of ids with one value of integer data, where the values are few enough to be numbers of parts."""
    sets: dict[str, np.ndarray] = {}
    for name, (ids, values) in data.items():
        values = values[:, 0] if values.shape[1:] == (1,) else values
        if values.ndim == 1 and np.issubdtype(values.dtype, np.integer) and len(np.unique(values)) <= _MOST_SETS:
            sets |= {f"{name}_{value}": ids[values == value] for value in np.unique(values)}
    return sets
