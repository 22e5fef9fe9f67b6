"""What a mesh file holds beyond solids: used where it can be, else refused, unless the user names it as to be ignored.

Nothing that carries mass, stiffness or constraint is left out in silence. Elements that are not solid are harmless
where they only mark faces, edges or nodes of solids and no section gives them anything.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import AttachedMass
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.raw_mesh import LostCards, RawMesh, RawRigid

_SHOWN = 6  # kinds of cards in one message


def plain_name(name: str) -> str:
    """Name of a card as it is compared: without star, upper case, single blanks."""
    return " ".join(str(name).strip().lstrip("*$").upper().split())


def judge_content(
    path: Path, raw: RawMesh, ignore: Sequence[str] = (), tied: Sequence[str] = ()
) -> tuple[RawMesh, list[str]]:
    """The raw mesh without what is ignored by name, and notes.

    Parameters
    ----------
    path : Path
    raw : RawMesh
    ignore : sequence of str      names of cards as the messages print them
    tied : sequence of str        contact pairs, by name or as FIRST/SECOND, that are ties

    Raises
    ------
    MeshError     one line with every kind of card that would be lost: name, count, first place, what it carries;
                  a name to ignore that the file does not hold
    """
    wanted = {plain_name(name) for name in ignore}
    ties, carriers = raw.ties, {m.carried_by for m in raw.masses if m.carried_by}
    left = [t for t in ties if plain_name(t.card) in wanted]
    masses = (replace(m, carriers=None) if plain_name(m.carried_by) in wanted else m for m in raw.masses)
    raw = replace(raw, ties=tuple(t for t in raw.ties if plain_name(t.card) not in wanted), masses=tuple(masses))
    held = {name.strip().upper() for name in tied}
    open_pairs = [t for t in raw.ties if t.card == "*CONTACT PAIR" and not held & {t.name[14:].upper(), t.pair.upper()}]
    found: dict[str, LostCards] = {}
    for item in (
        *raw.lost,
        *map(_open_contact, open_pairs),
        *_off_the_solids(raw),
        *_loose(raw),
        *_unconnected_masses(raw),
    ):
        same = found.get(item.name)
        found[item.name] = replace(same, count=same.count + item.count) if same else item
    present = {plain_name(name) for name in (*found, *(t.card for t in ties), *(m.card for m in raw.masses), *carriers)}
    of_no_weight = plain_name(" ".join(raw.notes)).replace("*", "").split()  # cards not read that carry nothing
    if unknown := sorted(name for name in wanted - present if name.split()[-1] not in of_no_weight):
        raise MeshError(
            f"{path}: ignore (wheelset.NAME.ignore, --ignore) must name what the file holds, "
            f"got {', '.join(unknown)}; known: {', '.join(sorted(present)) or 'none, as all of the file is used'}"
        )
    lost = [item for item in found.values() if plain_name(item.name) not in wanted]
    if lost:
        listed = "; ".join(_shown(path, i) for i in lost[:_SHOWN])
        more = f"; and {len(lost) - _SHOWN} more kinds" if len(lost) > _SHOWN else ""
        names = ", ".join(f'"{i.name}"' for i in lost)
        raise MeshError(
            f"{path}: the file holds what is not read and the model would lose: {listed}{more}; take it out of the "
            f"file, or leave it out knowingly: ignore = [{names}] (wheelset.NAME.ignore, --ignore)"
        )
    notes = [f"{WARNING}{path.name}: ignored as asked: {_shown(path, i)}" for i in found.values()]
    notes += [
        f"{WARNING}{path.name}: ignored as asked: {card} ({sum(t.card == card for t in left)}, first in "
        f"{next(t.place for t in left if t.card == card).removeprefix(f'{path}:')}: a constraint)"
        for card in dict.fromkeys(t.card for t in left)
    ]
    left_out = [m.card for m in raw.masses if plain_name(m.card) in wanted and m.card not in found]
    notes += [f"{WARNING}{path.name}: ignored as asked: {left_out.count(n)} {n}" for n in dict.fromkeys(left_out)]
    return replace(raw, masses=tuple(m for m in raw.masses if plain_name(m.card) not in wanted)), notes


def _open_contact(tie):
    keys = f'press_fits = [{{ pair = "{tie.pair}", interference_mm = 0 }}]'
    return LostCards(tie.card, 1, tie.place, f"a contact; to hold it as a tie name it: {keys}, --fit {tie.pair}:0")


def _shown(path: Path, item: LostCards) -> str:
    where = item.place.removeprefix(f"{path}:")
    first = "line " + where if where.isdigit() else where
    return f"{item.name} ({item.count}, first in {first}: {item.carries})"


def attached_masses(raw: RawMesh, node_ids: np.ndarray, scale: float) -> tuple[tuple[AttachedMass, ...], list[str]]:
    """Masses of the file in SI on rows of the mesh, and a note.

    scale [m] is the file's unit of length, newton its force and so N s2 / length its mass.
    """
    order = np.argsort(node_ids)
    rows = lambda ids: order[np.searchsorted(node_ids, ids, sorter=order)]  # noqa: E731
    out = []
    for m in raw.masses:
        carriers = None if m.carriers is None else rows(m.carriers)
        out.append(
            AttachedMass(
                name=m.name,
                mass=m.mass / scale,
                position=np.asarray(m.position, dtype=float) * scale,
                inertia=np.asarray(m.inertia, dtype=float) * scale,
                node=int(rows(np.array([m.node]))[0]) if carriers is None else None,
                nodes=carriers,
            )
        )
    if not out:
        return (), []
    total = sum(m.mass for m in out)
    largest = max(out, key=lambda m: m.mass)
    note = f"point masses: {len(out)}, {total:.6g} kg in all (largest: {largest.name}, {largest.mass:.6g} kg)"
    return tuple(out), [note]


def _off_the_solids(raw: RawMesh) -> list[LostCards]:
    """Elements without section that are no face, edge or node of a solid."""
    lost = []
    if not raw.flats:
        return lost
    solids = [e.nodes for e in raw.elements]
    known = np.unique(np.concatenate([n.ravel() for n in solids])) if solids else np.empty(0, dtype=np.int64)
    incidence = _incidence(solids, known)
    for flat in raw.flats:
        width = max((len(row) for row in flat.nodes), default=0)
        if not width or not len(flat.nodes):
            continue
        outside = np.zeros(len(flat.nodes), dtype=bool)
        sizes = np.array([len(row) for row in flat.nodes])
        for size in np.unique(sizes):
            pick = np.flatnonzero(sizes == size)
            nodes = np.array([flat.nodes[k] for k in pick], dtype=np.int64).reshape(len(pick), size)
            outside[pick] = ~_on_one_solid(nodes, known, incidence)
        if outside.any():
            carries = "elements that are no face, edge or node of a solid"
            lost.append(LostCards(flat.kind, int(outside.sum()), flat.places[int(np.argmax(outside))], carries))
    return lost


def _incidence(solids, known):
    """(known nodes, elements) matrix of ones."""
    columns, rows, start = [], [], 0
    for nodes in solids:
        rows.append(np.searchsorted(known, nodes).ravel())
        columns.append(np.repeat(np.arange(start, start + len(nodes)), nodes.shape[1]))
        start += len(nodes)
    if not rows:
        return scipy.sparse.csr_matrix((0, 0))
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    return scipy.sparse.csr_matrix((np.ones(len(rows), dtype=np.int16), (rows, columns)), shape=(len(known), start))


def _on_one_solid(nodes, known, incidence):
    """Whether all nodes (F, n) of each element belong to one solid."""
    if not len(known):
        return np.zeros(len(nodes), dtype=bool)
    place = np.minimum(np.searchsorted(known, nodes), len(known) - 1)
    inside = (known[place] == nodes).all(axis=1)
    good = np.zeros(len(nodes), dtype=bool)
    if not inside.any():
        return good
    rows = place[inside]
    flat = scipy.sparse.csr_matrix(
        (np.ones(rows.size, dtype=np.int16), (np.repeat(np.arange(len(rows)), rows.shape[1]), rows.ravel())),
        shape=(len(rows), len(known)),
    )
    flat.data[:] = 1
    flat.sum_duplicates()
    wanted = np.asarray(flat.sum(axis=1)).ravel()
    shared = flat @ incidence
    most = np.asarray(shared.max(axis=1).todense()).ravel()
    good[inside] = most >= wanted
    return good


def _loose(raw: RawMesh) -> list[LostCards]:
    """Rigid sets of one or two nodes, which hold no rotation."""
    solid, lost = raw.held_nodes(), []
    for tie in raw.ties:
        if isinstance(tie, RawRigid) and np.isin(tie.nodes, solid).sum() < 3:
            lost.append(LostCards(tie.card, 1, tie.place, "a constraint of fewer than three nodes of solids"))
    return lost


def _unconnected_masses(raw: RawMesh) -> list[LostCards]:
    """Masses whose node no solid holds."""
    solid, lost = raw.held_nodes(), []
    for m in raw.masses:
        carriers = np.array([m.node]) if m.carriers is None else m.carriers
        if not np.isin(carriers, solid).all():
            what = f"mass {m.mass:g} at node {m.node}, which no solid holds"
            lost.append(LostCards(m.card, 1, m.place, what))
    return lost
