"""Shells as solids of the second order, of the shell's thickness about its middle surface.

Sides get nodes in their middles, those of the file where it has them: solids of the first order lock where a thin
shell is distorted. A corner of the file stays on the middle surface, or is moved there by the shell's offset; new nodes
stand below and above it, and in place of one in the middle of a side. Where shells
meet under an angle, or with another thickness or offset, each has its own nodes there, which move as a rigid body but
for motion along the thickness of each shell (a knot). So does CalculiX with its shells of the second order (user's
manual 2.20, sections 6.2.15 and 6.2.33).
"""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.elements import EDGES
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.raw_mesh import RawElements, RawEquation, RawMean, RawMesh, RawRigid, RawTie

_TRIANGLE = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)])
_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0)], dtype=float)
_POWERS = {
    6: ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)),
    8: ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2)),
}


def _slopes(places, powers):
    """Derivatives (k, n, 2) at the nodes of the functions of a shell's surface."""
    u, v = places.T
    values = np.array([u**a * v**b for a, b in powers]).T
    by_u = np.array([a * u ** max(a - 1, 0) * v**b for a, b in powers]).T
    by_v = np.array([b * u**a * v ** max(b - 1, 0) for a, b in powers]).T
    return np.stack([by_u @ np.linalg.inv(values), by_v @ np.linalg.inv(values)], axis=2)


_SLOPES = {6: _slopes(_TRIANGLE, _POWERS[6]), 8: _slopes(_SQUARE, _POWERS[8])}
SMOOTH = np.cos(np.radians(20.0))  # of the angle between normals of shells that share their nodes


def expand_shells(path: Path, raw: RawMesh) -> tuple[RawMesh, list[str]]:
    """The raw mesh with solids for its shells, and a note; nodes of beams are knots.

    Rigid sets with a node of a shell have all its nodes, sets and masses those of one of the shells that meet there, so
    that a mean over a set weighs all nodes of the file alike. Nodes of solids have the displacement of the shell there,
    and no rotation: an edge of shells on them is a hinge, as in Abaqus and CalculiX, of which a note warns.

    Raises
    ------
    MeshError       a shell without area or thickness; a node of a shell in an equation or a tie
    """
    if not raw.shells:
        return raw, []
    if not len(raw.node_ids):
        raise MeshError(f"{path}: no nodes in the file")
    solid = np.unique(np.concatenate([e.nodes.ravel() for e in raw.elements] or [np.zeros(0, dtype=np.int64)]))
    solid = set(solid.tolist())
    place = dict(zip(raw.node_ids.tolist(), raw.nodes, strict=True))
    normals = [_normals(path, raw, shells) for shells in raw.shells]
    fresh = itertools.count(int(raw.node_ids.max()) + 1)
    rows, sides = _with_middles(raw.shells, place, fresh, _middles_of_solids(raw.elements))
    corners = np.concatenate([r.ravel() for r in rows])
    of = np.concatenate([n.reshape(-1, 3) for n in normals])
    thick = np.concatenate([np.repeat(s.thickness, r.shape[1]) for s, r in zip(raw.shells, rows, strict=True)])
    off = np.concatenate([np.repeat(s.offset, r.shape[1]) for s, r in zip(raw.shells, rows, strict=True)])
    moved: dict[int, np.ndarray] = {}  # places on the middle surface
    hinges = []
    own = {i for r in rows for i in r[:, : r.shape[1] // 2].ravel().tolist()}  # with a node on the middle surface
    given = {i for s, r in zip(raw.shells, rows, strict=True) if s.nodes.shape[1] > 4 for i in r.ravel().tolist()} - own
    beams = {i for b in raw.beams if not b.rods for i in b.nodes.ravel().tolist()}
    level, new, members, knots = np.zeros((3, len(corners)), dtype=np.int64), {}, {}, []
    order = np.argsort(corners, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(corners[order])) + 1):
        node = int(corners[at[0]])
        found, ends, apart = members.setdefault(node, []), [], []
        for number, (group, director) in enumerate(_groups(at, of, thick, off)):
            low, high, middle = next(fresh), next(fresh), node
            centre = place[node] + off[group[0]] * director
            if number and node in own:
                middle = next(fresh)
                new[middle] = centre
            elif node in own and off[group[0]] and node not in solid:
                moved[node] = centre
            elif node in own and off[group[0]]:
                middle = next(fresh)
                new[middle] = centre
            half = 0.5 * thick[group[0]] * director
            new[low], new[high] = centre - half, centre + half
            through = np.array([middle, low, high] if node in own else [low, high])
            if not number and node in solid and (node not in own or off[group[0]]):
                share = 0.5 - off[group[0]] / thick[group[0]]  # of the node's place between low and high
                hinges += _equal(path, (node,), (low, high), (1.0 - share, share))
            elif not number and solid.issuperset(sides.get(node, (-1,))):  # along a straight edge of solids
                share = 0.5 - off[group[0]] / thick[group[0]]
                hinges += _equal(path, sides[node], (low, high), (1.0 - share, share))
            found += through.tolist()
            ends.append(through)
            apart += [np.outer(line, director) for line in _stretches(len(through))]
            along = of[group] @ director > 0.0
            level[0, group], level[1, group] = np.where(along, low, high), middle
            level[2, group] = np.where(along, high, low)
        if len(ends) > 1 or node in beams:
            stretch = np.zeros((len(ends), len(through), 3, len(apart)))
            for column, shape in enumerate(apart):
                stretch[column * len(ends) // len(apart), :, :, column] = shape
            name = f"knot of shells at node {node}"
            nodes, stretch = np.concatenate(ends), stretch.reshape(-1, 3, len(apart))
            if node in beams and node not in own:  # the middle of a side, which the beams need
                nodes, stretch = np.append(nodes, node), np.concatenate([stretch, np.zeros((1, 3, len(apart)))])
            knots.append(RawRigid("shell", name, str(path), nodes, stretch))
    ties = tuple(_tied(path, t, members) for t in raw.ties)
    rigid = {i for t in ties if isinstance(t, RawRigid) for i in np.ravel(t.nodes).tolist()}
    knots = [k for k in knots if not rigid.issuperset(k.nodes.tolist())]
    elements, start = list(raw.elements), 0
    for shells, r in zip(raw.shells, rows, strict=True):
        low, middle, high = level[:, start : start + r.size].reshape(3, *r.shape)
        elements.append(_solids(shells.ids, low, middle, high))
        start += r.size
    note = f"shells: {sum(len(s.ids) for s in raw.shells)} as solids of their thickness, {len(knots)} knots"
    on = len(solid.intersection(corners.tolist()))
    warned = f"{WARNING}{on} nodes of shells are of solids, which hold their displacement alone: an edge is a hinge"
    note += f", {len(moved)} nodes moved to the middle surface" * bool(moved)
    nodes = np.array([moved.get(i, x) for i, x in zip(raw.node_ids.tolist(), raw.nodes, strict=True)])
    one = {node: found[1:3] if given and node in own else found[:3] for node, found in members.items()}
    return replace(
        raw,
        node_ids=np.concatenate([raw.node_ids, np.array(list(new), dtype=np.int64)]),
        nodes=np.vstack([nodes, *new.values()]),
        elements=tuple(elements),
        node_sets={name: _all_of(ids, one) for name, ids in raw.node_sets.items()},
        masses=tuple(_on_all(m, one, given - solid) for m in raw.masses),
        ties=(*ties, *hinges, *knots),
        dropped_nodes=np.concatenate([raw.dropped_nodes, np.array(list(given), dtype=np.int64)]),
        shells=(),
    ), [note, warned] if on else [note]


def _middles_of_solids(elements):
    """{(first, second) corner: node in the middle} of the edges of solids of the second order."""
    known = {}
    for block in elements:
        corners = block.nodes.shape[1] - len(EDGES.get(block.kind, ()))
        for k, edge in enumerate(EDGES.get(block.kind, ())):
            ends = np.sort(block.nodes[:, edge], axis=1)
            known |= dict(zip(map(tuple, ends.tolist()), block.nodes[:, corners + k].tolist(), strict=True))
    return known


def _with_middles(all_shells, place, fresh, known):
    """Corners and middles of the sides of every shell (E, 2 n), the middles shared, and {new middle: ends of its side};
    places of new ones are added. known: middles that solids have."""
    rows, new = {}, {}
    for number in sorted(range(len(all_shells)), key=lambda k: -all_shells[k].nodes.shape[1]):
        nodes = all_shells[number].nodes
        n = nodes.shape[1] // (2 if nodes.shape[1] > 4 else 1)
        middles = nodes[:, n:].copy() if nodes.shape[1] > 4 else np.empty_like(nodes)
        for side in range(n):
            ends = np.sort(np.stack([nodes[:, side], nodes[:, (side + 1) % n]], axis=1), axis=1)
            for k, pair in enumerate(map(tuple, ends.tolist())):
                if nodes.shape[1] > 4:
                    known[pair] = int(middles[k, side])
                elif pair not in known:
                    known[pair] = next(fresh)
                    new[known[pair]] = pair
                    place[known[pair]] = 0.5 * (place[pair[0]] + place[pair[1]])
                middles[k, side] = known[pair]
        rows[number] = np.hstack([nodes[:, :n], middles])
    return [rows[k] for k in range(len(all_shells))], new


def _equal(path, mean, nodes, shares):
    """Equations of the mean of nodes and of what shares of others make of theirs; the first to follow is one node, or
    that of the largest share."""
    order = np.argsort(shares)[::-1]
    terms = [(nodes[k], shares[k]) for k in order]
    others = [(node, -1.0 / len(mean)) for node in mean]
    terms = others + terms if len(mean) == 1 else terms + others
    for axis in np.eye(3):
        own = np.array([factor * axis for _, factor in terms])
        name = f"shell at node {mean[0]} of a solid"
        yield RawEquation("shell", name, str(path), tuple(node for node, _ in terms), own)


def _solids(ids, low, middle, high):
    """Solids of the second order from the lower, middle and upper nodes (E, 2 n) of shells."""
    n = low.shape[1] // 2
    kind = {3: "wedge15", 4: "hex20"}[n]
    columns = [*low[:, :n].T, *high[:, :n].T]
    sides = {frozenset((k, (k + 1) % n)): n + k for k in range(n)}
    for a, b in EDGES[kind]:
        if b == a + n:
            columns.append(middle[:, a])
        else:
            columns.append((low if max(a, b) < n else high)[:, sides[frozenset((a % n, b % n))]])
    return RawElements(kind, ids, np.stack(columns, axis=1))


def _normals(path, raw, shells):
    """Unit normals (E, 2 n, 3) at corners and middles of sides; one for all of a shell without nodes in its middles."""
    order = np.argsort(raw.node_ids)
    found = order[np.minimum(np.searchsorted(raw.node_ids, shells.nodes, sorter=order), len(order) - 1)]
    if np.any(raw.node_ids[found] != shells.nodes):
        missing = shells.nodes[raw.node_ids[found] != shells.nodes][0]
        raise MeshError(f"{path}: a shell names node {missing}, which is not defined")
    x = raw.nodes[found]
    if x.shape[1] > 4:
        along = [np.einsum("knd,enc->ekcd", _SLOPES[x.shape[1]], x)[..., d] for d in (0, 1)]
        normal = np.cross(*along)
    else:
        normal = np.repeat(np.cross(x[:, 2] - x[:, 0], x[:, -1] - x[:, 1])[:, None], 2 * x.shape[1], axis=1)
    size = np.linalg.norm(normal, axis=2, keepdims=True)
    good = (size > 0.0).all(axis=(1, 2)) & (size < np.inf).all(axis=(1, 2)) & (shells.thickness > 0.0)
    wrong = ~(good & (np.abs(shells.offset) < np.inf))
    if wrong.any():
        bad = shells.ids[np.argmax(wrong)]
        raise MeshError(f"{path}: shell {bad} has no area or no positive thickness")
    return normal / size


def _groups(at, normals, thickness, offset):
    """(corners, director) of smooth shells around a node, equally thick and far off, whichever way they face."""
    left = list(at)
    while left:
        first = left[0]
        alike = [k for k in left if abs(normals[k] @ normals[first]) > SMOOTH and thickness[k] == thickness[first]]
        along = {k: offset[k] * np.sign(normals[k] @ normals[first]) for k in alike}
        near = [k for k in alike if abs(along[k] - offset[first]) <= 1e-9 * thickness[first]]
        director = sum(np.sign(normals[k] @ normals[first]) * normals[k] for k in near)
        yield np.array(near), director / np.linalg.norm(director)
        left = [k for k in left if k not in near]


def _stretches(count):
    """Motion along the director of (low, high) or (middle, low, high): of the ends apart, of the middle between them.

    The middle moves so in bending, as the thickness changes on either side of it.
    """
    return [(-1.0, 1.0)] if count == 2 else [(0.0, -1.0, 1.0), (1.0, 0.0, 0.0)]


def _all_of(ids, members):
    return np.array([j for i in ids.tolist() for j in members.get(i, [i])], dtype=np.int64)


def _on_all(mass, members, given):
    """The mass on all nodes that stand for its carriers; one at a corner stays, one between is on both faces."""
    if mass.carriers is None and mass.node in given:
        return replace(mass, carriers=np.array(members[mass.node]))
    return mass if mass.carriers is None else replace(mass, carriers=_all_of(mass.carriers, members))


def _tied(path, tie, members):
    if isinstance(tie, RawRigid):
        pinned = [] if tie.pinned is None else [int(i) for i in tie.pinned if int(i) in members]
        if middle := [i for i in pinned if i not in members[i]]:
            raise MeshError(
                f"{tie.place}: {tie.name} leaves the rotation of node {middle[0]} free, the middle of a side: "
                "bind directions 1 to 6, or take corners"
            )
        whole = {i: own for i, own in members.items() if i not in pinned}
        return replace(tie, nodes=_all_of(np.asarray(tie.nodes), whole))
    if isinstance(tie, RawMean):
        own = members.get(tie.node, [])
        if own and not tie.turns:
            raise MeshError(f"{tie.place}: {tie.name} leaves the rotation of node {tie.node} of a shell free")
        return replace(tie, nodes=_all_of(tie.nodes, members), targets=tuple(own))
    nodes = tie.nodes if isinstance(tie, RawEquation | RawTie) else ()
    if any(int(i) in members for i in np.ravel(nodes)):
        raise MeshError(
            f"{tie.place}: {tie.name}: node of a shell, expected nodes of solids: hold shells by rigid sets"
        )
    return tie
