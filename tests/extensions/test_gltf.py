"""glTF files as VTK's reader has them: a body whose volume, normals and colours are known."""

import json
import struct

import numpy as np
import pytest

from flexwheel.extensions.gltf.gltf_file import Shell, gltf_bytes

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
    [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def read(path):
    """{name: PolyData} of a file and its head."""
    pyvista = pytest.importorskip("pyvista")
    from vtkmodules.vtkIOGeometry import vtkGLTFReader

    reader = vtkGLTFReader()
    reader.SetFileName(str(path))
    reader.ApplyDeformationsToGeometryOn()
    reader.Update()
    octets = path.read_bytes()
    magic, version, whole = struct.unpack("<4sII", octets[:12])
    assert (magic, version, whole) == (b"glTF", 2, len(octets)) and len(octets) % 4 == 0
    size = struct.unpack("<I", octets[12:16])[0]
    parts = []

    def walk(block):
        for one in block:
            walk(one) if isinstance(one, pyvista.MultiBlock) else parts.append(one)

    walk(pyvista.wrap(reader.GetOutput()))
    return parts, json.loads(octets[20 : 20 + size])


def test_box_stands_upright_with_its_volume(tmp_path):
    """2 to the left, 3 up, 1 forward: in glTF x is left, y up, z forward; a mirrored box would have -6 m3."""
    heat = np.arange(8.0)
    grey = np.full((8, 3), 0.5)
    shells = [Shell("box", CUBE, FACES, grey, {"heat": heat}), Shell("other", CUBE, FACES, grey, {}, (10.0, 0.0, 0.0))]
    path = tmp_path / "box.glb"
    path.write_bytes(gltf_bytes(shells, {"time_s": 2.0}))
    (box, other), head = read(path)
    assert head["asset"]["extras"] == {"time_s": 2.0} and [node["name"] for node in head["nodes"]] == ["box", "other"]
    np.testing.assert_allclose(box.bounds, (0.0, 2.0, 0.0, 3.0, 0.0, 1.0))
    np.testing.assert_allclose(other.bounds, (0.0, 2.0, 0.0, 3.0, 10.0, 11.0))
    corners = np.asarray(box.points)[box.faces.reshape(-1, 4)[:, 1:]]
    assert np.einsum("fk,fk->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0 == pytest.approx(6.0)
    assert box.n_points == 24  # edges of a box are sharp: a corner has three normals
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    np.testing.assert_allclose(box["NORMAL"][box.faces.reshape(-1, 4)[:, 1]], normal, atol=1e-6)
    at = np.argmin(np.linalg.norm(CUBE[:, None, [1, 2, 0]] - np.asarray(box.points)[None], axis=2), axis=0)
    np.testing.assert_array_equal(box["_HEAT"], heat[at])
    # IEC 61966-2-1: half of the full sRGB signal is 0.21404 of the light
    np.testing.assert_allclose(np.asarray(box["COLOR_0"], dtype=float)[:, :3], 0.21404, atol=1e-4)


def test_smooth_surface_shares_its_corners(tmp_path):
    """A cylinder of 36 sides: 10 degrees apart are smooth, the ends sharp: two normals a corner."""
    angle = 2.0 * np.pi * np.arange(36) / 36
    ring = np.stack([np.sin(angle), 0.0 * angle, np.cos(angle)], axis=1)
    points = np.concatenate([ring, ring + (0.0, 1.0, 0.0)])
    k, n = np.arange(36), (np.arange(36) + 1) % 36
    sides = np.concatenate([np.stack([k, n, n + 36], axis=1), np.stack([k, n + 36, k + 36], axis=1)])
    lids = np.array([[0, j + 1, j] for j in range(1, 35)] + [[36, 36 + j, 37 + j] for j in range(1, 35)])
    path = tmp_path / "c.glb"
    path.write_bytes(gltf_bytes([Shell("c", points, np.concatenate([sides, lids]), np.ones((72, 3)))], {}))
    (found,), _ = read(path)
    assert found.n_points == 144
    lateral = np.asarray(found["NORMAL"])[np.abs(np.asarray(found["NORMAL"])[:, 0]) < 0.5]
    place = np.asarray(found.points)[np.abs(np.asarray(found["NORMAL"])[:, 0]) < 0.5]
    across = np.abs(np.einsum("nk,nk->n", lateral[:, 1:], place[:, 1:]))
    assert len(lateral) == 72 and across.min() > np.cos(np.deg2rad(5.0))
