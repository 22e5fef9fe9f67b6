"""The line of an axle from what is round about it: journals, running surfaces, or the ends of the axle."""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Mesh

ROUND = 1e-4  # [m] rms distance from a surface of revolution above which a set is cut down to its outer nodes
NOT_ROUND = 1e-3  # [m] above which what is left is not round
ALONG = 5e-3  # [m] by which the centres of both ends may miss a line along the axis given
_STATIONS = 12  # along the axle, between which the radius of the surface is linear
_OUTER = 0.97  # of the radius: nodes taken where a set is no surface
DEFAULT_SETS = (("AXLE_BOX_LEFT", "AXLE_BOX_RIGHT"), ("TREAD_LEFT", "TREAD_RIGHT"))


class AxleLine(NamedTuple):
    """Where the axle, along y, passes x = z = 0 of its own frame."""

    centre: np.ndarray  # (2,) x, z [m]
    rms: float  # [m] distance of the nodes from the surfaces of revolution about it
    source: str


def axle_line(mesh: Mesh, nodes: np.ndarray, sets: tuple[tuple[str, str], ...] = DEFAULT_SETS) -> AxleLine | None:
    """Line through the centres of a pair of round node sets, else of the axle's ends; None where nothing is round.

    Parameters
    ----------
    mesh : Mesh
    nodes : (N, 3) [m]              its nodes, axle along y
    sets : pairs of node sets       the first pair that the mesh has and that is round is taken

    Raises
    ------
    MeshError    the centres of the two lie further than ALONG from one line along y

    Verified in tests/verification/test_mesh_import_place_verified.py.
    """
    candidates = [
        (f"{a} and {b}", [nodes[mesh.node_sets[a]], nodes[mesh.node_sets[b]]])
        for a, b in sets
        if len(mesh.node_sets.get(a, ())) > 3 and len(mesh.node_sets.get(b, ())) > 3
    ]
    low, high = nodes[:, 1].min(), nodes[:, 1].max()
    near = 1e-6 * (high - low)
    candidates.append(("the ends of the axle", [nodes[nodes[:, 1] > high - near], nodes[nodes[:, 1] < low + near]]))
    for source, pair in candidates:
        fits = [_centre(points) for points in pair]
        if any(fit is None or fit[1] > NOT_ROUND for fit in fits):
            continue
        (first, rms_first), (second, rms_second) = fits
        apart = float(np.linalg.norm(first - second))
        if apart > ALONG:
            raise MeshError(
                f"axle_axis: the centres of {source} lie {1e3 * apart:.1f} mm off a line along the axis given, "
                f"expected at most {1e3 * ALONG:g} mm"
            )
        return AxleLine((first + second) / 2, max(rms_first, rms_second), source)
    return None


def _centre(points):
    """Centre (2,) x, z and rms distance of nodes of a surface of revolution about a line along y; None if too few."""
    if len(points) < 6 or np.ptp(points[:, 0]) == 0 or np.ptp(points[:, 2]) == 0:
        return None
    centre, rms = _fit(points)
    if rms > ROUND:
        outer = _outermost(points, centre)
        if len(outer) >= 6:
            centre, rms = _fit(outer)
    return centre, rms


def _fit(points):
    """Least squares of x^2 + z^2 = 2 c_x x + 2 c_z z + g(y), g linear between stations."""
    shift = points.mean(axis=0)
    x, y, z = (points - shift).T
    length = np.ptp(y)
    stations = min(_STATIONS, len(np.unique(np.round(y, 9))))
    place = (y - y.min()) / length * (stations - 1) if length > 1e-6 and stations > 1 else np.zeros(len(y))
    left = np.minimum(place.astype(int), max(stations - 2, 0))
    hats = np.zeros((len(y), max(stations, 1)))
    hats[np.arange(len(y)), left] = 1 - (place - left)
    if stations > 1:
        hats[np.arange(len(y)), left + 1] += place - left
    used = hats.any(axis=0)
    matrix = np.column_stack([2 * x, 2 * z, hats[:, used]])
    solution = np.linalg.lstsq(matrix, x * x + z * z, rcond=None)[0]
    centre = solution[:2]
    radius = np.sqrt(np.maximum(hats[:, used] @ solution[2:] + centre @ centre, 0.0))
    rms = float(np.sqrt(np.mean((np.hypot(x - centre[0], z - centre[1]) - radius) ** 2)))
    return centre + shift[[0, 2]], rms


def _outermost(points, centre):
    """Nodes near the largest radius of their station along y."""
    radius = np.hypot(points[:, 0] - centre[0], points[:, 2] - centre[1])
    y = points[:, 1]
    station = np.round((y - y.min()) / max(np.ptp(y), 1e-9) * _STATIONS).astype(int)
    largest = np.array([radius[station == k].max(initial=0.0) for k in range(_STATIONS + 1)])
    return points[radius > _OUTER * largest[station]]
