"""Springs of a file: those between nodes of solids become part of the body, those to ground are supports.

A spring must not hold the free body: a turn of it may not stretch the spring, so its direction is that of its length.
"""

from dataclasses import replace

import numpy as np

from flexwheel.body.mesh import Spring
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.raw_mesh import LostCards, RawMesh

STRETCH = 1e-6  # of the length, across the direction


def without_lost_springs(raw: RawMesh) -> tuple[RawMesh, list[str]]:
    """The raw mesh with the springs that are read, the others as content that would be lost, and notes."""
    if not raw.springs:
        return raw, []
    solid = set(raw.held_nodes().tolist())
    positions = dict(zip(raw.node_ids.tolist(), raw.nodes, strict=True))
    kept, lost, notes = [], [], []
    for spring in raw.springs:
        if len(spring.nodes) == 1:
            if not any(spring.card in note for note in notes):
                said = "springs to ground are supports, which are not taken over: the body is free"
                notes.append(f"{WARNING}{spring.card} ({spring.place}): {said}")
            continue
        outside = [n for n in spring.nodes if n not in solid]
        if outside:
            what = f"stiffness to node {outside[0]}, which no solid holds"
        elif spring.stiffness is None:
            what = "stiffness of other kinds than between equal directions of two nodes"
        elif _turns(spring, *(np.asarray(positions[n]) for n in spring.nodes)):
            what = "stiffness across the line of its nodes, which would hold the body against turning"
        else:
            kept.append(spring)
            continue
        lost.append(LostCards(spring.card, 1, spring.place, what))
    return replace(raw, springs=tuple(kept), lost=(*raw.lost, *lost)), notes


def springs_of(raw: RawMesh, node_ids: np.ndarray, scale: float) -> tuple[tuple[Spring, ...], list[str]]:
    """Springs in SI on rows of the mesh, and a note; scale [m] is the file's unit of length."""
    order = np.argsort(node_ids)
    found = tuple(
        Spring(s.name, order[np.searchsorted(node_ids, s.nodes, sorter=order)], np.asarray(s.stiffness) / scale)
        for s in raw.springs
    )
    return found, [f"springs: {len(found)}"] if found else []


def along(first: np.ndarray, second: np.ndarray, stiffness: float) -> np.ndarray | None:
    """(3, 3) of a spring along the line of two points; None where they coincide."""
    arm = np.asarray(second, dtype=float) - first
    length = np.linalg.norm(arm)
    return stiffness * np.outer(arm, arm) / length**2 if length > 0.0 else None


def _turns(spring, first, second):
    arm = second - first
    size = np.linalg.norm(arm)
    scale = np.abs(spring.stiffness).max()
    skew = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
    return bool(np.abs(spring.stiffness @ skew).max() > STRETCH * scale * max(size, 1e-12))
