"""Bogie frame of shells for the Manchester coach: an H of welded boxes, drawn for this package.

Two side beams, lower in the middle, two cross members between them and a bridge between these. The density gives the
benchmark's mass, with what the frame carries. Axes x forward from the middle, y left, z from the rails.
"""

from collections.abc import Iterator

import numpy as np

from flexwheel.body.mesh import Material

THICKNESS = 0.016  # [m]
PLATES = Material(2.1e11, 0.3, 19252.3, "PLATES")
SIDE_Y, HALF, HEIGHT = 1.0, 0.1, 0.2  # [m] middle of a side beam, half its width, height between middle surfaces
END, AXLE, CROSS, BRIDGE = 1.5, 1.28, 0.35, 0.2  # [m] half length, half wheelbase, middle of a cross member, half width
LOW, DROP, SLOPE = 0.455, 0.15, (0.6, 0.95)  # [m] bottom in the middle, rise of the ends, where along x


def bogie_frame(size: float = 0.05):
    """Quadrilaterals of the middle surfaces.

    Parameters
    ----------
    size : float [m]    of the shells, at most

    Returns
    -------
    nodes : (N, 3) [m]
    shells : (E, 4) int           rows of nodes
    sets : dict                   PRIMARY_FRONT_LEFT ... _REAR_RIGHT below the side beams, SECONDARY_LEFT, _RIGHT on
                                  them, DAMPER_LEFT, _RIGHT at the bridge's sides, CENTRE below it -> rows of nodes
    """
    lines = {
        "along": _lines((-END, -AXLE - HALF, -AXLE + HALF, -SLOPE[1], -SLOPE[0], *_middle(), *SLOPE, AXLE - HALF,
                         AXLE + HALF, END), size),
        "z": _lines((0.0, HEIGHT), size),
        "inner": _lines((HALF - SIDE_Y, -BRIDGE, -0.1, 0.1, BRIDGE, SIDE_Y - HALF), size),
        "flange": _lines((-HALF, HALF), size),
    }  # fmt: skip
    along, z, inner, flange = lines.values()
    middle = along[np.abs(along) < CROSS - HALF + 1e-9]
    parts = []
    for side in (-1.0, 1.0):
        parts += _box(0, along, flange + side * SIDE_Y, z)
        parts.append(_plate(0, [-END], flange + side * SIDE_Y, z))
        parts.append(_plate(0, [END], flange + side * SIDE_Y, z))
        parts += _box(1, flange + side * CROSS, inner, z)
    parts += _box(0, middle, inner[np.abs(inner) < BRIDGE + 1e-9], z)
    corners = np.concatenate(parts)
    _, first, rows = np.unique(
        np.round(corners.reshape(-1, 3) / 1e-6).astype(int), axis=0, return_index=True, return_inverse=True
    )
    nodes = corners.reshape(-1, 3)[first]
    sets = _sets(nodes)
    rise = np.interp(np.abs(nodes[:, 0]), SLOPE, (0.0, DROP))
    return nodes + np.outer(LOW + rise, [0.0, 0.0, 1.0]), rows.reshape(-1, 4), sets


def bogie_frame_lines(size: float = 0.05, kind: str = "S4") -> Iterator[str]:
    """Abaqus input of the frame."""
    nodes, shells, sets = bogie_frame(size)
    yield "*HEADING"
    yield "bogie frame of shells, SI units: m, Pa, kg/m3"
    yield "*NODE"
    for i, place in enumerate(nodes.tolist(), 1):
        yield f"{i}, " + ", ".join(f"{x + 0.0:.9g}" for x in place)
    yield f"*ELEMENT, TYPE={kind}, ELSET=PLATES"
    for i, row in enumerate((shells + 1).tolist(), 1):
        yield f"{i}, " + ", ".join(map(str, row))
    for name, rows in sets.items():
        yield f"*NSET, NSET={name}"
        ids = (rows + 1).tolist()
        yield from (", ".join(map(str, ids[k : k + 12])) for k in range(0, len(ids), 12))
    yield f"*MATERIAL, NAME={PLATES.name}"
    yield from ("*ELASTIC", f"{PLATES.youngs_modulus:g}, {PLATES.poissons_ratio:g}", "*DENSITY", f"{PLATES.density:g},")
    yield from (f"*SHELL SECTION, ELSET=PLATES, MATERIAL={PLATES.name}", f"{THICKNESS:g}")


def _middle():
    """Lines along x of cross members and patches, whole."""
    return (-CROSS - HALF, HALF - CROSS, -HALF, HALF, CROSS - HALF, CROSS + HALF)


def _lines(stops, size):
    """Coordinates through the stops, at most `size` apart."""
    parts = [np.linspace(a, b, int(np.ceil((b - a) / size - 1e-6)) + 1) for a, b in zip(stops, stops[1:], strict=False)]
    return np.concatenate([parts[0][:1], *(p[1:] for p in parts)])


def _plate(axis, at, *across):
    """Quadrilaterals (E, 4, 3) normal to an axis, at one coordinate, over the lines of the two other axes."""
    u, v = across
    corner = lambda i, j: np.stack(np.meshgrid(u[i : len(u) - 1 + i], v[j : len(v) - 1 + j], indexing="ij"), -1)  # noqa: E731
    flat = np.stack([corner(i, j).reshape(-1, 2) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))], axis=1)
    return np.insert(flat, axis, at[0], axis=2)


def _box(axis, x, y, z):
    """Four walls of a box along an axis (0: x, 1: y), open at its ends."""
    walls = [_plate(2, [end], x, y) for end in (z[0], z[-1])]
    return walls + [_plate(1 - axis, [end], x if axis == 0 else y, z) for end in ((y, x)[axis][0], (y, x)[axis][-1])]


def _sets(nodes):
    x, y, z = nodes.T
    below, above = z < 1e-9, z > HEIGHT - 1e-9
    near = lambda at, a, half: np.abs(a - at) < half + 1e-9  # noqa: E731
    sets = {}
    for end, at in (("FRONT", AXLE), ("REAR", -AXLE)):
        for side, sign in (("LEFT", SIDE_Y), ("RIGHT", -SIDE_Y)):
            sets[f"PRIMARY_{end}_{side}"] = below & near(at, x, HALF) & near(sign, y, HALF)
    for side, sign in (("LEFT", 1.0), ("RIGHT", -1.0)):
        sets[f"SECONDARY_{side}"] = above & near(0.0, x, HALF) & near(sign * SIDE_Y, y, HALF)
    for side, sign in (("LEFT", 1.0), ("RIGHT", -1.0)):
        sets[f"DAMPER_{side}"] = near(sign * BRIDGE, y, 0.0) & near(0.0, x, HALF)
    sets["CENTRE"] = below & near(0.0, x, HALF) & near(0.0, y, HALF)
    return {name: np.flatnonzero(found) for name, found in sets.items()}
