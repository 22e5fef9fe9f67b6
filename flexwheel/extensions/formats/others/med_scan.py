"""MED files (.med of Salome and Code_Aster) scanned through h5py with numbers and groups.

MED holds no material. Source: MED 3 and 4 file format (groups ENS_MAA, NOE, MAI, FAS of the HDF5 file). Verified in
tests/verification/test_cdb_unv_med_verified.py.
"""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.mesh_text import decoded, read_mesh_bytes
from flexwheel.extensions.formats.raw_mesh import RawElements, RawFlats, RawMesh

_SOLID = {
    "TE4": ("tet4", 4), "PY5": ("pyramid5", 5), "PE6": ("wedge6", 6), "HE8": ("hex8", 8), "T10": ("tet10", 10),
    "P13": ("pyramid13", 13), "P15": ("wedge15", 15), "H20": ("hex20", 20),
}  # fmt: skip
_FLAT = {"SE2": 2, "SE3": 3, "SE4": 4, "TR3": 3, "TR6": 6, "TR7": 7, "QU4": 4, "QU8": 8, "QU9": 9}
_POINT = {"PO1": 1}
_UNITS = {"m": "m", "mm": "mm", "cm": "cm", "dm": "dm", "in": "in", "inch": "in"}


def scan_med(path: Path) -> RawMesh:
    """Read the solids of a MED file; a group of faces becomes the set of their nodes.

    Raises
    ------
    MeshError  h5py is not installed; no MED file, several meshes, elements of other kinds
    """
    content = read_mesh_bytes(path)  # refuses what is no file of a sensible size
    if content[:8] != b"\x89HDF\r\n\x1a\n":
        raise MeshError(f"{path}: no HDF5 file, expected a MED file")
    try:
        import h5py
    except ImportError:
        raise MeshError(f"{path}: MED files need h5py: pip install 'flexwheel[med]'") from None
    try:
        with h5py.File(path, "r") as file:
            return _scan(path, file)
    except MeshError:
        raise
    except Exception as error:  # h5py raises anything on a broken file
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MeshError(f"{path}: cannot read MED file: {reason[:160]}") from error


def _scan(path, file):
    if "ENS_MAA" not in file:
        raise MeshError(f"{path}: no ENS_MAA in the file, expected a mesh of MED")
    names = list(file["ENS_MAA"])
    if len(names) != 1:
        raise MeshError(f"{path}: must hold one mesh, got {len(names)}: {', '.join(names)[:80]}")
    mesh = file["ENS_MAA"][names[0]]
    unit = decoded(bytes(mesh.attrs.get("UNI", b""))[:16]).strip("\0 ")
    steps = [mesh[key] for key in mesh if key not in ("NOE", "MAI")]
    mesh = steps[0] if steps and "NOE" in steps[0] else mesh
    if "NOE" not in mesh or "MAI" not in mesh:
        raise MeshError(f"{path}: mesh {names[0]} holds no nodes or no elements")
    node_ids, nodes, node_family = _nodes(path, mesh["NOE"])
    cells = _cells(path, mesh["MAI"], node_ids)
    notes = [f"mesh {names[0]}"]
    solids = {k: c for k, c in cells.items() if k in _SOLID}
    dropped = {k: c for k, c in cells.items() if k not in _SOLID}
    notes += [f"dropped: {len(ids)} elements {kind} (not solid)" for kind, (ids, _, _) in dropped.items()]
    groups = _groups(path, file["FAS"][names[0]] if "FAS" in file and names[0] in file["FAS"] else {})
    node_sets = _sets(groups.get("NOEUD", {}), [(node_ids, node_family)])
    of_dropped = {k: v for k, v in _sets(groups.get("ELEME", {}), [(r, f) for _, r, f in dropped.values()]).items()}
    for name, rows in of_dropped.items():
        node_sets.setdefault(name, np.unique(np.concatenate([row.ravel() for row in rows])))
    return RawMesh(
        format="MED by h5py",
        node_ids=node_ids,
        nodes=nodes,
        elements=tuple(RawElements(_SOLID[kind][0], ids, rows) for kind, (ids, rows, _) in solids.items()),
        node_sets={name: _joined(parts) for name, parts in node_sets.items()},
        element_sets={
            name: _joined(parts)
            for name, parts in _sets(groups.get("ELEME", {}), [(i, f) for i, _, f in solids.values()]).items()
        },
        dropped_nodes=np.unique(np.concatenate([r.ravel() for _, r, _ in dropped.values()] or [[]])).astype(np.int64),
        dropped_elements=np.concatenate([i for i, _, _ in dropped.values()] or [[]]).astype(np.int64),
        flats=tuple(
            RawFlats(kind, list(rows), [str(path)] * len(rows))
            for kind, (_, rows, _) in dropped.items()
            if kind not in _POINT
        ),
        notes=tuple(notes),
        length_unit=_UNITS.get(unit, ""),
    )


def _nodes(path, group):
    """Ids, places (N, 3), families of nodes."""
    flat = np.asarray(group["COO"][()], dtype=float)
    count = int(group["COO"].attrs.get("NBR", 0))
    if count < 1 or len(flat) != 3 * count:
        raise MeshError(f"{path}: {len(flat)} coordinates of {count} nodes, expected three of each (a mesh in space)")
    ids = np.asarray(group["NUM"][()], dtype=np.int64) if "NUM" in group else np.arange(1, count + 1)
    family = np.asarray(group["FAM"][()], dtype=np.int64) if "FAM" in group else np.zeros(count, dtype=np.int64)
    if len(ids) != count or len(family) != count:
        raise MeshError(f"{path}: {len(ids)} numbers and {len(family)} families of {count} nodes")
    return ids, flat.reshape(3, count).T.copy(), family


def _cells(path, group, node_ids):
    """Ids, node ids (E, n), families of elements by MED type; numbered through where numbers are not their own."""
    found, start = {}, 1
    for kind in group:
        width = _SOLID.get(kind, ("", 0))[1] or _FLAT.get(kind) or _POINT.get(kind)
        count = int(group[kind]["NOD"].attrs.get("NBR", 0)) if "NOD" in group[kind] else 0
        if not width:
            raise MeshError(
                f"{path}: {count} elements of the MED type {kind} are not read: expected {', '.join(_SOLID)}, mesh "
                "again without them"
            )
        rows = np.asarray(group[kind]["NOD"][()], dtype=np.int64)
        if len(rows) != width * count:
            raise MeshError(f"{path}: {len(rows)} nodes of {count} elements {kind}, expected {width} of each")
        rows = rows.reshape(width, count).T - 1
        if count and not (0 <= rows.min() and rows.max() < len(node_ids)):
            raise MeshError(f"{path}: elements {kind} name node {rows.max() + 1} of {len(node_ids)}")
        family = np.asarray(group[kind]["FAM"][()], dtype=np.int64) if "FAM" in group[kind] else np.zeros(count, int)
        ids = (
            np.asarray(group[kind]["NUM"][()], dtype=np.int64)
            if "NUM" in group[kind]
            else np.arange(start, start + count)
        )
        if len(family) != count or len(ids) != count:
            raise MeshError(f"{path}: {len(ids)} numbers and {len(family)} families of {count} elements {kind}")
        found[kind] = ids, node_ids[rows], family
        start += count
    every = np.concatenate([ids for ids, _, _ in found.values()] or [np.zeros(0, int)])
    if len(np.unique(every)) < len(every):
        start = 1
        for kind, (ids, rows, family) in found.items():
            found[kind] = np.arange(start, start + len(ids)), rows, family
            start += len(ids)
    return found


def _groups(path, group):
    """{NOEUD or ELEME: {family: names of its groups}}."""
    found = {}
    for kind in group:
        for name in group[kind] if kind in ("NOEUD", "ELEME") else ():
            family = group[kind][name]
            texts = np.asarray(family["GRO"]["NOM"][()]) if "GRO" in family else ()
            names = [bytes(np.asarray(t).astype(np.uint8)).decode("latin-1").split("\0")[0].strip() for t in texts]
            found.setdefault(kind, {})[int(family.attrs["NUM"])] = names
    return found


def _sets(names, parts):
    """{group: [what belongs to it]} of parts (values, families)."""
    sets = {}
    for values, families in parts:
        for family in np.unique(families):
            for name in names.get(int(family), ()):
                sets.setdefault(name, []).append(values[families == family])
    return sets


def _joined(parts):
    return parts if isinstance(parts, np.ndarray) else np.unique(np.concatenate(parts))
