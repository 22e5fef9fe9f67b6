"""Classes of configurations for the networks: regions whose minima lie on the same branches.

Configurations with one minimum can have it on the tread, in the flange root or on the flange, with a jump between them
where a band of two minima is thin. A network cannot follow a jump; regions that are connected without one are therefore
classes of their own, found on the nodes of the look-up table. The number of minima follows from the class.
"""

from typing import NamedTuple

import numpy as np
import scipy

_JUMP = 4e-3  # [m] between neighbouring nodes
_RARE = 2e-4  # share of the range below which a region has no class


class Regions(NamedTuple):
    """Classes of the nodes of a look-up table."""

    classes: np.ndarray  # (a, b, u) class of each node, -1: none
    points: np.ndarray  # (c,) number of minima of each class
    share: np.ndarray  # (c,) of the nodes inside the range


def label_regions(table, by_number=False) -> Regions:
    """Classes of the nodes of a look-up table.

    Parameters
    ----------
    table : dict             counts (a, b, u), places (a, b, u, m), shear (2,)
    by_number : bool         classes are the numbers of minima themselves
    """
    counts, places = table["counts"].astype(np.int64), table["places"]
    label = counts.copy() if by_number else _components(counts, places)
    inside = np.abs(node_boxes(table)[..., 2]) <= 1.0
    names, number = np.unique(label[inside], return_counts=True)
    share = number / inside.sum()
    names, share = names[share >= _RARE], share[share >= _RARE]
    points = np.array([counts[label == name][0] for name in names], np.int64)
    order = np.lexsort((-share, points))
    classes = np.full(label.shape, -1)
    for k, name in enumerate(names[order]):
        classes[label == name] = k
    return Regions(classes, points[order], share[order])


def node_boxes(table):
    """Box coordinates (a, b, u, 3) of the nodes of a sheared look-up table."""
    axes = [np.linspace(-1.0, 1.0, n) for n in table["counts"].shape]
    boxes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    boxes[..., 2] = boxes[..., 2] / table["shear"][1] - table["shear"][0] * boxes[..., 1]
    return boxes


def region_of(table, regions, boxes, counts, places):
    """Class (n,) of configurations at box coordinates (n, 3): that of the corner of its cell most like it; -1: none."""
    shape = np.array(table["counts"].shape)
    at = boxes.copy()
    at[:, 2] = (boxes[:, 2] + table["shear"][0] * boxes[:, 1]) * table["shear"][1]
    low = np.clip((0.5 * (at + 1.0) * (shape - 1)).astype(int), 0, shape - 2)
    best, nearest = np.full(len(boxes), -1), np.full(len(boxes), _JUMP)
    rows = np.arange(places.shape[1])
    for corner in range(8):
        node = tuple((low + [corner & 1, corner >> 1 & 1, corner >> 2]).T)
        used = rows < counts[:, None]
        apart = np.max(np.where(used, np.abs(table["places"][node] - places), 0.0), axis=1)
        good = (table["counts"][node] == counts) & (apart < nearest) & (regions.classes[node] >= 0)
        best[good], nearest[good] = regions.classes[node][good], apart[good]
    return best


def nodes_of(table, regions, number, count, random):
    """Random box coordinates (count, 3) in cells around the nodes of one class, denser where nodes are."""
    nodes = np.argwhere(regions.classes == number)
    shape = np.array(table["counts"].shape)
    pick = nodes[random.integers(0, len(nodes), 2 * count)] + random.uniform(-1.0, 1.0, (2 * count, 3))
    boxes = np.clip(2.0 * pick / (shape - 1) - 1.0, -1.0, 1.0)
    boxes[:, 2] = boxes[:, 2] / table["shear"][1] - table["shear"][0] * boxes[:, 1]
    return boxes


def _components(counts, places):
    """Label of the connected region of every node; neighbours are connected when their minima move without a jump."""
    index = np.arange(counts.size).reshape(counts.shape)
    first, second = [], []
    for axis in range(3):
        low = tuple(slice(None, -1) if k == axis else slice(None) for k in range(3))
        high = tuple(slice(1, None) if k == axis else slice(None) for k in range(3))
        moved = np.abs(places[low] - places[high]).max(axis=-1)
        joined = (counts[low] == counts[high]) & (moved < _JUMP)
        first.append(index[low][joined])
        second.append(index[high][joined])
    first, second = np.concatenate(first), np.concatenate(second)
    graph = scipy.sparse.coo_matrix((np.ones(first.size, bool), (first, second)), shape=(counts.size, counts.size))
    return scipy.sparse.csgraph.connected_components(graph, directed=False)[1].reshape(counts.shape)
