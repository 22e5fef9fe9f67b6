"""Binary glTF 2.0 (.glb) of triangles with a colour at each corner.

glTF is right-handed with y up and z forward, in metres; a wheelset has x forward, y left, z up, so that (x, y, z)
becomes (y, z, x). Colours of corners are linear. Source: Khronos Group, glTF 2.0 Specification, 2021, sections 3.4, 3.7
and 4. Verified in tests/extensions/test_gltf.py.
"""

import json
import struct
from dataclasses import dataclass, field

import numpy as np

AXES = [1, 2, 0]  # of glTF, from x forward, y left, z up
CREASE = 40.0  # [deg] between faces, from which an edge is drawn sharp
_FLOAT, _SHORT, _INT = 5126, 5123, 5125  # types of numbers of glTF
_VERTICES, _FACES = 34962, 34963  # what a part of the buffer is for


@dataclass(frozen=True, eq=False)
class Shell:
    """A body as triangles.

    points : (N, 3) [m]         x forward, y left, z up
    triangles : (F, 3)          rows of points, counterclockwise from outside
    colour : (N, 3)             sRGB, 0 to 1
    values : dict of (N,)       further numbers of each point, kept as attributes `_NAME`
    place : (3,) [m]            of the body in the scene
    """

    name: str
    points: np.ndarray
    triangles: np.ndarray
    colour: np.ndarray
    values: dict = field(default_factory=dict)
    place: tuple = (0.0, 0.0, 0.0)


def gltf_bytes(shells, about):
    """The file as bytes; about: dict of words and numbers that go with it (asset.extras)."""
    blob, views, accessors, meshes, nodes = bytearray(), [], [], [], []

    def keep(array, target, kind, number, **more):
        octets = np.ascontiguousarray(array).tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(octets), "target": target})
        accessor = {"bufferView": len(views) - 1, "componentType": number, "count": len(array), "type": kind}
        accessors.append(accessor | more)
        blob.extend(octets + b"\0" * (-len(octets) % 4))
        return len(accessors) - 1

    for number, shell in enumerate(shells):
        corner, normal, faces = _corners(shell)
        place = shell.points[corner][:, AXES].astype("<f4")
        colour = np.append(_linear(shell.colour[corner]), np.ones((len(corner), 1)), axis=1)
        bounds = {"min": place.min(axis=0).tolist(), "max": place.max(axis=0).tolist()}
        attributes = {
            "POSITION": keep(place, _VERTICES, "VEC3", _FLOAT, **bounds),
            "NORMAL": keep(normal[:, AXES].astype("<f4"), _VERTICES, "VEC3", _FLOAT),
            "COLOR_0": keep(np.rint(65535.0 * colour).astype("<u2"), _VERTICES, "VEC4", _SHORT, normalized=True),
        }
        for name, values in shell.values.items():
            attributes[f"_{name.upper()}"] = keep(values[corner].astype("<f4"), _VERTICES, "SCALAR", _FLOAT)
        indices = keep(faces.astype("<u4").ravel(), _FACES, "SCALAR", _INT)
        meshes.append(
            {"name": shell.name, "primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}
        )
        place = np.asarray(shell.place, dtype=float)[AXES].tolist()
        nodes.append({"name": shell.name, "mesh": number, "translation": place})
    look = {"name": "steel", "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.7}}
    head = {
        "asset": {"version": "2.0", "generator": "flexwheel", "extras": about}, "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": nodes, "meshes": meshes, "materials": [look],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}],
    }  # fmt: skip
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + bytes(blob)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _corners(shell):
    """(rows of points, normals, faces): a point once for each normal that its faces, up to CREASE apart, have there."""
    faces = shell.triangles
    a, b, c = (shell.points[faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    size = np.linalg.norm(area, axis=1, keepdims=True)
    unit = np.divide(area, size, out=np.zeros_like(area), where=size > 0.0)
    at = faces.ravel()  # a corner of a face: its point
    order = np.argsort(at, kind="stable")
    count = np.bincount(at, minlength=len(shell.points))
    start = np.cumsum(count) - count
    mine = np.repeat(np.arange(len(at)), count[at])  # pairs of a corner with the faces at its point
    within = np.arange(len(mine)) - np.repeat(np.cumsum(count[at]) - count[at], count[at])
    other = order[start[at[mine]] + within] // 3
    near = np.einsum("kj,kj->k", unit[mine // 3], unit[other]) >= np.cos(np.deg2rad(CREASE))
    normal = np.stack([np.bincount(mine[near], area[other[near], k], len(at)) for k in range(3)], axis=1)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.where(size > 0.0, normal / np.where(size > 0.0, size, 1.0), (0.0, 0.0, 1.0))
    keys = np.column_stack([at, np.rint(1e4 * normal).astype(np.int64)])
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return at[first], normal[first], back.reshape(-1, 3)


def _linear(colour):
    """sRGB -> linear (IEC 61966-2-1)."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
