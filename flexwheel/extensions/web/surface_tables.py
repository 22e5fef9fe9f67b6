"""Surface of a flexible wheelset for a page: geometry, shapes and stress of its modes, static residual.

On a mesh of revolution a node is a ring and a section; components are those of the section's axes (x along the running
direction at the lowest point, y along the axle, z towards the axle). There a mode of order n varies as cos and sin of n
times the angle, so one section holds it. What does not follow this (other meshes, nodes on the axle) is kept node by
node in body axes.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.body.control_rings import section_axes, turned_stress
from flexwheel.body.stress import von_mises
from flexwheel.body.tread_field import FLANGE_SIDE, NEAR

SAME = 1e-3  # of the largest value of a mode: what its order may leave out
PLACE = 1e-5  # [m] to which radius and height of a ring agree


@dataclass(frozen=True)
class Rings:
    """How the nodes of a surface lie: rings times sections first, the others after them."""

    rows: np.ndarray  # (C, S) rows of the surface's nodes, by section; (0, 0) where there are none
    others: np.ndarray  # (n,) rows of those on no ring
    angle: np.ndarray  # (S,) [rad]

    @property
    def order(self):
        """Rows of the surface's nodes as the page has them."""
        return np.concatenate([self.rows.ravel(), self.others]).astype(int)


def surface_rings(surface):
    """Rings of a surface whose modes have orders; of any other no ring."""
    count, place = len(surface.position), surface.position
    none = Rings(np.zeros((0, 0), int), np.arange(count), np.zeros(0))
    if np.any(surface.order < 0):
        return none
    radius = np.hypot(place[:, 0], place[:, 2])
    key = np.rint(np.stack([place[:, 1], radius], axis=1) / PLACE).astype(int)
    ring = np.unique(key, axis=0, return_inverse=True)[1].ravel()
    size = np.bincount(ring)
    sections = int(np.bincount(size).argmax()) if len(size) else 0
    whole = np.flatnonzero((size == sections) & (sections > 2))
    angle = np.arctan2(-place[:, 0], -place[:, 2]) % (2.0 * np.pi)
    step = 2.0 * np.pi / max(sections, 1)
    section = np.rint(angle / step).astype(int) % max(sections, 1)
    rows = np.full((len(size), sections), -1)
    rows[ring, section] = np.arange(count)
    rows = rows[whole]
    if rows.size == 0 or np.any(rows < 0):
        return none
    others = np.setdiff1d(np.arange(count), rows.ravel())
    return Rings(rows, others, step * np.arange(sections))


def in_section_axes(rings, values):
    """Values (Ns, 3 or 6, k) in body axes -> (C, S, 3 or 6, k) in section axes."""
    out = np.empty((*rings.rows.shape, *values.shape[1:]), dtype=np.float32)
    for s, angle in enumerate(rings.angle):
        turn = section_axes(angle).T
        turn = turn if values.shape[1] == 3 else turned_stress(turn)
        out[:, s] = turn @ values[rings.rows[:, s]]
    return out


def pack_surface(packer, name, surface, body, spread, of_nodes=()):
    """Add a surface to a Packer; returns what the page must know of it besides.

    body : ReducedBody, or one without treads, or None
    spread : (Ns,) bool or None     nodes over which the contact force is spread
    of_nodes : (name, (Ns,) values, type) of what else nodes have
    """
    unknown = np.full(surface.rows.shape[2], np.nan)
    treads, errors = getattr(body, "treads", ()), getattr(body, "mesh_error", unknown)
    modes = _joined(surface.rows, surface.stress_rows)
    rings = surface_rings(surface)
    waves = _waves(rings, modes, surface.order) if rings.rows.size else None
    if waves is None:
        rings = Rings(np.zeros((0, 0), int), np.arange(len(surface.position)), np.zeros(0))
    order, left = rings.order, rings.others
    back = np.empty(len(order), int)
    back[order] = np.arange(len(order))
    quads, triangles = back[surface.quads], back[surface.triangles]
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]], triangles])
    packer.add(f"{name}/position", surface.position[order])
    packer.add(f"{name}/faces", faces, "<u4")
    packer.add(f"{name}/edges", _edges(quads, triangles), "<u4")
    packer.add(f"{name}/node_id", surface.node_id[order], "<u4")
    near = 2 * near_running_surface(surface, body) if treads else np.zeros(len(order), int)
    packer.add(f"{name}/spread", (near + (0 if spread is None else spread))[order], "<u2")
    for part, values, kind in of_nodes:
        packer.add(f"{name}/{part}", values[order], kind)
    if waves is not None:
        packer.add(f"{name}/waves", waves)
    # node by node, body axes: (columns x components, nodes)
    packer.add_rows(f"{name}/modes", modes[left].transpose(2, 1, 0).reshape(-1, len(left)))
    if surface.load_displacement is not None:
        loads = _joined(surface.load_displacement, surface.load_stress)
        table = [loads[rings.others]]
        if rings.rows.size:
            parts = [in_section_axes(rings, part) for part in (loads[:, :3], loads[:, 3:]) if part.shape[1]]
            table.insert(0, np.concatenate(parts, axis=2).reshape(-1, *loads.shape[1:]))
        table = np.concatenate(table)
        packer.add_rows(f"{name}/loads", table.transpose(2, 1, 0).reshape(-1, len(order)))
    if surface.prestress is not None and np.any(surface.prestress):
        packer.add(f"{name}/prestress", surface.prestress[order].T)
    return {
        "harmonic": waves is not None, "rings": int(rings.rows.shape[0]), "sections": int(rings.rows.shape[1]),
        "nodes": len(order), "modes": int(surface.rows.shape[2]), "stress": surface.stress_rows is not None,
        "loads": 0 if surface.load_displacement is None else int(surface.load_displacement.shape[2]),
        "frequency": [round(float(f), 3) for f in surface.frequency_hz], "order": [int(n) for n in surface.order],
        "mesh_error": [round(float(e), 5) if np.isfinite(e) else None for e in errors],
        "damping": [None if np.isnan(d) else float(d) for d in getattr(body, "damping_ratio", unknown)],
        "treads": [{"side": t.side, "lateral": t.lateral, "radius": t.radius} for t in treads],
    }  # fmt: skip


def near_running_surface(surface, body):
    """(Ns,) bool: nodes that have the field of the contact patches, which a page is without, as in `tread_field`."""
    x, y, z = (surface.position + body.centre).T
    found = np.zeros(len(y), dtype=bool)
    for tread in body.treads:
        across, radius = tread.profile[np.argsort(tread.profile[:, 0])].T
        within = (tread.side * (y - tread.lateral) >= FLANGE_SIDE) & (across[0] <= y) & (y <= across[-1])
        found |= within & (np.interp(y, across, radius) - np.hypot(x, z) <= NEAR)
    return found


def _joined(displacement, stress):
    parts = [displacement] if stress is None else [displacement, stress]
    return np.concatenate([np.asarray(part, dtype=np.float32) for part in parts], axis=1)


def _edges(quads, triangles):
    """(E, 2) edges of the faces, each once."""
    pairs = [faces[:, [k, (k + 1) % faces.shape[1]]] for faces in (quads, triangles) for k in range(faces.shape[1])]
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def _waves(rings, modes, orders):
    """(H, components, 2, C): factors of cos and sin of order times angle; None where that does not give the modes."""
    count = len(rings.angle)
    parts = [in_section_axes(rings, part) for part in (modes[:, :3], modes[:, 3:]) if part.shape[1]]
    values = np.concatenate(parts, axis=2)  # (C, S, components, H)
    out = np.empty((modes.shape[2], modes.shape[1], 2, len(rings.rows)), dtype=np.float32)
    for h, order in enumerate(orders):
        turn = order * rings.angle
        weight = (1.0 if order == 0 or 2 * order == count else 2.0) / count
        cosine, sine = weight * np.cos(turn), weight * np.sin(turn)
        a, b = (np.einsum("csk,s->ck", values[..., h], wave) for wave in (cosine, sine))
        given = a[:, None] * np.cos(turn)[:, None] + b[:, None] * np.sin(turn)[:, None]
        for part in (slice(0, 3), slice(3, None)):
            apart = np.abs(values[:, :, part, h] - given[:, :, part]).max(initial=0.0)
            if apart > SAME * np.abs(values[:, :, part, h]).max(initial=0.0):
                return None
        out[h, :, 0], out[h, :, 1] = a.T, b.T
    return out


def largest_stress(surface, coordinates, loads):
    """Largest von Mises stress (Ns,) [Pa] over samples, and the sample of each, of coordinates (T, H), loads (T, K)."""
    rows = surface.stress_rows
    if loads is not None and surface.load_stress is not None:
        rows, coordinates = np.concatenate([rows, surface.load_stress], axis=2), np.concatenate([coordinates, loads], 1)
    flat = np.ascontiguousarray(rows.reshape(-1, rows.shape[2]), dtype=np.float32)
    still = 0.0 if surface.prestress is None else surface.prestress
    best, sample = np.full(len(rows), -1.0, dtype=np.float32), np.zeros(len(rows), int)
    for t, one in enumerate(np.asarray(coordinates, dtype=np.float32)):
        size = von_mises((flat @ one).reshape(-1, 6) + still)
        higher = size > best
        best[higher], sample[higher] = size[higher], t
    return best, sample
