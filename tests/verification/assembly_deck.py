"""Abaqus decks of an assembly: an axle, two wheels and two brake discs, each a part of its own with its own sectors."""

import numpy as np

from flexwheel.body.elements import EDGES

STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n"
PLACES = {  # part, place along the axle [m], turn about it [degrees]
    "AXLE-1": ("AXLE", 0.0, 0.0),
    "WHEEL-1": ("WHEEL", 0.75, 7.0),
    "WHEEL-2": ("WHEEL", -0.75, 14.0),
    "DISC-1": ("DISC", 0.3, 0.0),
    "DISC-2": ("DISC", -0.3, 0.0),
}
BOX_KG = 80.0
BOX_PLACE = 1.05, 0.1  # [m] along the axle, above it: where CalculiX has them


def ring(inner, outer, low, high, counts, quadratic=True):
    """Nodes (N, 3) and elements (E, 8 or 20) of a hollow cylinder about y; counts of sectors, rings, layers.

    Side S6 of the elements points to the axle, S4 away from it.
    """
    sectors, rings, layers = counts
    n = 2 if quadratic else 1
    r, y = np.linspace(inner, outer, n * rings + 1), np.linspace(low, high, n * layers + 1)
    angle = 2 * np.pi * np.arange(n * sectors) / (n * sectors)
    shape = len(r), len(y), len(angle)
    grid = np.stack(np.meshgrid(r, y, angle, indexing="ij"), axis=-1).reshape(-1, 3)
    points = np.column_stack([grid[:, 0] * np.cos(grid[:, 2]), grid[:, 1], grid[:, 0] * np.sin(grid[:, 2])])
    corner = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)])
    own = n * corner
    if quadratic:
        own = np.vstack([own, [corner[a] + corner[b] for a, b in EDGES["hex20"]]])
    cells = np.meshgrid(*map(np.arange, (rings, layers, sectors)), indexing="ij")
    start = n * np.stack(cells, axis=-1).reshape(-1, 1, 3)
    at = (start + own) % np.array([10**6, 10**6, shape[2]])
    rows = np.ravel_multi_index(tuple(np.moveaxis(at, -1, 0)), shape)
    used, rows = np.unique(rows, return_inverse=True)
    return points[used], rows.reshape(len(start), -1)


def parts(quadratic=True):
    """Nodes and elements by part."""
    return {
        "AXLE": ring(0.03, 0.09, -1.1, 1.1, (12, 2, 22), quadratic),
        "WHEEL": ring(0.09, 0.46, -0.065, 0.065, (16, 4, 1), quadratic),
        "DISC": ring(0.09, 0.30, -0.03, 0.03, (10, 2, 1), quadratic),
    }


def sides(nodes, elements):
    """Rows of the elements at the bore and at the outer surface."""
    radius = np.hypot(nodes[:, 0], nodes[:, 2])
    near, far = radius[elements].min(axis=1), radius[elements].max(axis=1)
    return np.flatnonzero(np.isclose(near, radius.min())), np.flatnonzero(np.isclose(far, radius.max()))


def journal(nodes, side):
    """Rows of the nodes of a journal, side +-1: on the surface, 1.0 to 1.1 m from the middle."""
    radius = np.hypot(nodes[:, 0], nodes[:, 2])
    return np.flatnonzero(np.isclose(radius, radius.max()) & (side * nodes[:, 1] > 0.999))


def assembly_deck(quadratic=True, above=BOX_PLACE[1]):
    """The deck with parts, moved and turned instances, ties, and axle boxes as masses on couplings."""
    lines = []
    for name, (nodes, elements) in parts(quadratic).items():
        bore, skin = sides(nodes, elements)
        lines += [f"*PART, NAME={name}", "*NODE", *_rows(nodes)]
        lines += [f"*ELEMENT, TYPE=C3D{elements.shape[1]}, ELSET=ALL", *_rows(elements + 1)]
        lines += ["*ELSET, ELSET=INNER", *map(str, bore + 1), "*ELSET, ELSET=OUTER", *map(str, skin + 1)]
        lines += ["*SURFACE, NAME=BORE, TYPE=ELEMENT", "INNER, S6", "*SURFACE, NAME=SKIN, TYPE=ELEMENT", "OUTER, S4"]
        lines += ["*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL", "*END PART"]
    axle = parts(quadratic)["AXLE"][0]
    lines.append("*ASSEMBLY, NAME=WHEELSET")
    for name, (part, place, turn) in PLACES.items():
        moved = [f"0., {place}, 0.", f"0., 0., 0., 0., 1., 0., {turn}"] if place else []
        lines += [f"*INSTANCE, NAME={name}, PART={part}", *moved, "*END INSTANCE"]
    for number, (label, side) in enumerate((("LEFT", 1), ("RIGHT", -1)), 1):
        lines += [f"*NODE, NSET=BOX_{label}", f"{number}, 0., {side * BOX_PLACE[0]}, {above}"]
        lines += [f"*ELEMENT, TYPE=MASS, ELSET=MASS_{label}", f"{number}, {number}"]
        lines += [f"*MASS, ELSET=MASS_{label}", f"{BOX_KG}"]
        lines += [f"*NSET, NSET=JOURNAL_{label}, INSTANCE=AXLE-1", *map(str, journal(axle, side) + 1)]
        lines += [f"*SURFACE, NAME=ON_{label}, TYPE=NODE", f"JOURNAL_{label}"]
        lines += [f"*COUPLING, CONSTRAINT NAME={label}, REF NODE=BOX_{label}, SURFACE=ON_{label}", "*KINEMATIC", "1, 6"]
    tread = np.flatnonzero(np.isclose(np.hypot(*parts(quadratic)["WHEEL"][0][:, [0, 2]].T), 0.46)) + 1
    for label, name in (("LEFT", "WHEEL-1"), ("RIGHT", "WHEEL-2")):
        lines += [f"*NSET, NSET=TREAD_{label}, INSTANCE={name}", *map(str, tread)]
    for name in list(PLACES)[1:]:
        lines += [f"*TIE, NAME={name}, POSITION TOLERANCE=0.005", f"{name}.BORE, AXLE-1.SKIN"]
    return "\n".join([*lines, "*END ASSEMBLY", STEEL])


def _rows(table):
    """Numbered data lines, ten fields at most on one."""
    for number, row in enumerate(table.tolist(), 1):
        words = [str(number), *map(repr, row)]
        yield ",\n".join(", ".join(words[k : k + 10]) for k in range(0, len(words), 10))
