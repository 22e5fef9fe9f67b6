"""Digest of a mesh and of the choices made on it, the key of a reduced body."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields

import numpy as np

from flexwheel.body.mesh import Mesh

REDUCTION_FORMAT = 20  # raise it when a change of code changes what a reduction holds


def reduction_key(mesh: Mesh, options) -> str:
    """Hexadecimal SHA-256 of nodes, elements, materials, node sets, options (a dataclass) and the format number."""
    digest = hashlib.sha256(f"flexwheel reduction {REDUCTION_FORMAT}\n".encode())
    _add(digest, "nodes", mesh.nodes.astype("<f8"))
    _add(digest, "node ids", mesh.node_ids.astype("<i8"))
    for block in mesh.blocks:
        _add(digest, f"{block.kind} {block.material}", block.connectivity.astype("<i8"))
    for m in mesh.materials:
        digest.update(f"{m.youngs_modulus!r} {m.poissons_ratio!r} {m.density!r}\n".encode())
    for m in mesh.masses:
        digest.update(f"mass {m.mass!r} at {m.node}\n".encode())
        _add(digest, "place", np.vstack([m.position, m.inertia]).astype("<f8"))
        _add(digest, "carried by", np.asarray([] if m.nodes is None else np.sort(m.nodes)).astype("<i8"))
    for spring in mesh.springs:
        _add(digest, "spring", np.asarray(spring.nodes).astype("<i8"))
        _add(digest, "stiffness", spring.stiffness.astype("<f8"))
    for label in ("nodes", "stiffness", "position", "mass", "rows") if mesh.beams is not None else ():
        _add(digest, f"beam {label}", getattr(mesh.beams, label).astype("<i8" if label == "nodes" else "<f8"))
    for tie in mesh.ties:
        digest.update(f"{type(tie).__name__}\n".encode())
        for label in (f.name for f in fields(tie) if f.name not in ("name", "pair")):
            value = getattr(tie, label)
            if value is None:
                continue
            _add(digest, label, value.astype("<f8" if value.dtype.kind == "f" else "<i8"))
    for name in sorted(mesh.node_sets):
        _add(digest, f"set {name}", np.sort(mesh.node_sets[name]).astype("<i8"))
    digest.update(json.dumps(asdict(options), sort_keys=True, default=str).encode())
    return digest.hexdigest()


def _add(digest, label, array):
    digest.update(f"{label} {array.shape}\n".encode())
    digest.update(np.ascontiguousarray(array).tobytes())
