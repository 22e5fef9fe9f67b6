"""Nodes of elements that follow the mean motion of others (RBE3, distributing couplings) by equations.

A reference node without elements needs none: the masses it carries follow the mean themselves.
"""

from dataclasses import replace

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.extensions.formats.raw_mesh import RawEquation, RawMean, RawMesh

FLAT = 1e-9  # least singular value of the rigid motions of nodes about their reference, of the largest


def follow_means(raw: RawMesh) -> RawMesh:
    """The raw mesh with equations for nodes of elements that follow a mean.

    Raises
    ------
    MeshError       a node that is not defined, or followed nodes on one line
    """
    means = [t for t in raw.ties if isinstance(t, RawMean)]
    if not means:
        return raw
    held, place = set(raw.held_nodes().tolist()), dict(zip(raw.node_ids.tolist(), raw.nodes, strict=True))
    made = []
    for mean in means:
        targets = tuple(i for i in dict.fromkeys((mean.node, *mean.targets)) if i in held)
        if not targets and (
            other := next((t for t in raw.ties if t is not mean and mean.node in np.ravel(t.nodes)), None)
        ):
            raise MeshError(f"{mean.place}: {mean.name}: its node {mean.node} follows a mean and {other.name} as well")
        made += _equations(replace(mean, targets=targets), place) if targets else ()
    return replace(raw, ties=(*(t for t in raw.ties if not isinstance(t, RawMean)), *made))


def _equations(mean, place):
    """Three equations for each node that stands for the reference."""
    if missing := [i for i in (mean.node, *mean.nodes.tolist()) if i not in place]:
        raise MeshError(f"{mean.place}: {mean.name}: node {missing[0]} is not defined")
    motion = rigid_modes(np.array([place[int(i)] for i in mean.nodes]), place[mean.node])
    size = np.linalg.svd(motion, compute_uv=False)
    if len(mean.nodes) < 3 or size[-1] < FLAT * size[0]:
        raise MeshError(f"{mean.place}: {mean.name}: its nodes lie on one line and hold no rotation about it")
    average = np.linalg.pinv(motion)
    for target in mean.targets:
        rows = rigid_modes(place[target][None], place[mean.node]) @ average
        for axis in range(3):
            own = np.vstack([np.eye(3)[axis], -rows[axis].reshape(-1, 3)])
            yield RawEquation(mean.card, mean.name, mean.place, (target, *mean.nodes.tolist()), own)
