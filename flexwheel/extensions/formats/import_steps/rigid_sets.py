"""Rigid sets that share a node with a rotation as one: a node of beams, or a reference node without elements."""

from dataclasses import replace

import numpy as np

from flexwheel.extensions.formats.raw_mesh import RawMesh, RawRigid


def merge_rigid_sets(raw: RawMesh) -> RawMesh:
    """The raw mesh with its rigid sets merged; knots of shells stay apart."""
    turning = {i for b in raw.beams if not b.rods for i in b.nodes.ravel().tolist()}
    held, first, out = set(raw.held_nodes().tolist()) - turning, {}, []
    for tie in raw.ties:
        if not isinstance(tie, RawRigid) or tie.stretch is not None:
            out.append(tie)
            continue
        shared = [i for i in np.ravel(tie.nodes).tolist() if i not in held]
        for known in {id(first[i]): first[i] for i in shared if i in first}.values():
            out = [t for t in out if t is not known]
            tie = replace(known, nodes=np.union1d(known.nodes, tie.nodes))
        first |= {i: tie for i in np.ravel(tie.nodes).tolist() if i not in held}
        out.append(tie)
    return replace(raw, ties=tuple(out))
