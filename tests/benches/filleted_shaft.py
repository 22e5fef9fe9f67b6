"""Shaft of 100 mm that meets one of 130 mm by a fillet of 30 mm, under tension, bending or torsion of its thin end.

Axis y, thin end at y = 0, fillet from y = 0.150 m, thick end clamped at y = 0.276 m.
"""

import numpy as np

from flexwheel.body.assembly import assemble
from flexwheel.body.statics import static_solution
from flexwheel.body.surface import outer_faces
from flexwheel.verification.meshes.box_mesh import STEEL
from flexwheel.verification.meshes.revolve import MeshSection, revolve

THIN, THICK, FILLET, START, END = 0.05, 0.065, 0.03, 0.15, 0.276
CASES = "tension", "bending", "torsion"


def shaft(split=1, sectors=20, order=1, arc=6):
    """Mesh; split: cells of the section along each edge for one of the coarsest."""
    angle = np.linspace(0.0, np.arccos(1.0 - (THICK - THIN) / FILLET), split * arc + 1)
    before = START - FILLET * np.array([5.0, 2.8, 1.4, 0.6, 0.2, 0.0])
    last = START + FILLET * np.sin(angle[-1])
    after = last + (END - last) * np.array([0.0, 0.07, 0.2, 0.5, 1.0])
    fine = lambda x: np.interp(np.arange((len(x) - 1) * split + 1) / split, np.arange(len(x)), x)  # noqa: E731
    y = np.concatenate([fine(before)[:-1], START + FILLET * np.sin(angle), fine(after)[1:]])
    r = np.concatenate([np.full(5 * split, THIN), THIN + FILLET * (1.0 - np.cos(angle)), np.full(4 * split, THICK)])
    share = fine(np.array([0.0, 0.5, 0.8, 0.93, 1.0]))
    points = np.stack([np.repeat(y, len(share)), np.outer(r, share).ravel()], axis=1)
    k = (np.arange(len(y) - 1)[:, None] * len(share) + np.arange(len(share) - 1)).ravel()
    quads = np.stack([k, k + len(share), k + len(share) + 1, k + 1], axis=1)
    return revolve(MeshSection(points, quads), sectors, order, (STEEL,))


def end_forces(mesh):
    """(D, 3) 1 N along y, 1 N m about x, 1 N m about y, as tractions linear over the thin end."""
    rows = np.flatnonzero(np.abs(mesh.nodes[:, 1]) < 1e-9)
    area = np.zeros(len(mesh.nodes))
    for faces, _ in outer_faces(mesh).values():
        own = faces[np.abs(mesh.nodes[faces][..., 1]).max(axis=1) < 1e-9]
        x = mesh.nodes[own]
        size = np.linalg.norm(np.cross(x[:, 2] - x[:, 0], x[:, -1] - x[:, 1]), axis=1) / 2
        np.add.at(area, own.ravel(), np.repeat(size / own.shape[1], own.shape[1]))
    out = np.zeros((len(mesh.nodes), 3, 3))
    x, _, z = mesh.nodes[rows].T
    weight = area[rows]
    out[rows, 1, 0] = weight / weight.sum()
    out[rows, 1, 1] = -weight * z / (weight * z**2).sum()
    polar = (weight * (x**2 + z**2)).sum()
    out[rows, 0, 2], out[rows, 2, 2] = weight * z / polar, -weight * x / polar
    return out.reshape(-1, 3)


def loaded(mesh):
    """Displacement (D, 3) of the cases, and the nodes that carry loads or are held."""
    held = np.flatnonzero(mesh.nodes[:, 1] > END - 1e-9)
    stiffness, _ = assemble(mesh)
    dofs = (3 * held[:, None] + np.arange(3)).ravel()
    ends = np.union1d(held, np.flatnonzero(np.abs(mesh.nodes[:, 1]) < 1e-9))
    return static_solution(mesh, stiffness, dofs, end_forces(mesh)), ends


def hot_places():
    """(7, 3) at the lowest line: the nodes of the coarsest mesh in the fillet and the one before it."""
    angle = np.linspace(0.0, np.arccos(1.0 - (THICK - THIN) / FILLET), 7)[:-1]
    y = np.append(START - 0.2 * FILLET, START + FILLET * np.sin(angle))
    r = np.append(THIN, THIN + FILLET * (1.0 - np.cos(angle)))
    return np.stack([0.0 * y, y, -r], axis=1)


def nodes_at(mesh, places):
    """Nodes at places."""
    rows = np.argmin(np.linalg.norm(mesh.nodes[None] - places[:, None], axis=2), axis=1)
    assert np.abs(mesh.nodes[rows] - places).max() < 1e-9
    return rows
