"""Reads every mesh file below a folder and prints what came of it, beside counts, volume and mass worked out apart.

    python benchmarks/mesh_decks.py FOLDER [--all]

Decks of others, for example of Debian's calculix-ccx-test and of the examples of readers on PyPI. For Abaqus input a
short scan of its own finds nodes, elements, sections, densities and *MASS; other formats are read by meshio and, Ansys
archives, by mapdl_archive, where they are installed. The volume is the flux of x / 3 through the faces of the elements,
by their face functions: no shape function of a solid, no rule and no reader of the package takes part.

A deck counts as one of a free body if it has solids of stress analysis, and is neither a heat, fluid or magnetic
analysis nor a sector of a cyclic body nor several bodies without a tie. Decks of shells and beams alone are counted
apart; their mass is that of areas by thicknesses and of lengths by sections. Contact pairs that a message offers to
hold as ties are held when the deck is read a second time. Bounds on the size of a body are set aside; the unit of
length is the one that suits the file's material.
"""

import argparse
import collections
import re
from pathlib import Path

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import LENGTH_UNITS, read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.extensions.formats.import_steps import mesh_checks

STEEL = Material(2.1e11, 0.3, 7850.0, "steel")
SUFFIXES = (".inp", ".bdf", ".nas", ".fem", ".cdb", ".med", ".msh", ".vtk", ".vtu", ".unv")
FACES = {  # corners, then the middles of the sides, outward
    4: ("0 2 1", "0 1 3", "1 2 3", "0 3 2"),
    10: ("0 2 1 6 5 4", "0 1 3 4 8 7", "1 2 3 5 9 8", "0 3 2 7 9 6"),
    5: ("0 3 2 1", "0 1 4", "1 2 4", "2 3 4", "3 0 4"),
    13: ("0 3 2 1 8 7 6 5", "0 1 4 5 10 9", "1 2 4 6 11 10", "2 3 4 7 12 11", "3 0 4 8 9 12"),
    6: ("0 2 1", "3 4 5", "0 1 4 3", "1 2 5 4", "2 0 3 5"),
    15: ("0 2 1 8 7 6", "3 4 5 9 10 11", "0 1 4 3 6 13 9 12", "1 2 5 4 7 14 10 13", "2 0 3 5 8 12 11 14"),
    8: ("0 3 2 1", "4 5 6 7", "0 1 5 4", "1 2 6 5", "2 3 7 6", "3 0 4 7"),
    20: ("0 3 2 1 11 10 9 8", "4 5 6 7 12 13 14 15", "0 1 5 4 8 17 12 16", "1 2 6 5 9 18 13 17",
         "2 3 7 6 10 19 14 18", "3 0 4 7 11 16 15 19"),
}  # fmt: skip
MESHIO = {"tetra": 4, "pyramid": 5, "wedge": 6, "hexahedron": 8, "tetra10": 10, "pyramid13": 13, "wedge15": 15,
          "hexahedron20": 20}  # fmt: skip
JOINS = r"\*(TIE|CONTACT|EQUATION|MPC|COUPLING|KINEMATIC|DISTRIBUTING|RIGID|GAP|PRE-TENSION|SPRING|EMBEDDED)"
NO_FREE_BODY = {
    "heat": r"\*HEAT TRANSFER(?!\S)(?![\s\S]*\*(?:STATIC|FREQUENCY|DYNAMIC|BUCKLE|MODAL DYNAMIC))",
    "magnetic": r"\*ELECTROMAGNETICS|\*MAGNETIC PERMEABILITY",
    "fluid": r"\*CFD|TYPE\s*=\s*F3D",
    "sector": r"\*CYCLIC SYMMETRY MODEL",
}


def face_functions(sides, second, u, v):
    """Functions and derivatives (3, n) of a face at (u, v): triangle (0,0) (1,0) (0,1) or square [-1, 1]^2."""

    def values(u, v):
        if sides == 3:
            w = 1.0 - u - v
            if not second:
                return np.array([w, u, v])
            return np.array([w * (2 * w - 1), u * (2 * u - 1), v * (2 * v - 1), 4 * w * u, 4 * u * v, 4 * v * w])
        a, b = np.array([-1, 1, 1, -1]), np.array([-1, -1, 1, 1])
        corner = 0.25 * (1 + a * u) * (1 + b * v)
        if not second:
            return corner
        middle = 0.5 * np.array(
            [(1 - u * u) * (1 - v), (1 + u) * (1 - v * v), (1 - u * u) * (1 + v), (1 - u) * (1 - v * v)]
        )
        return np.concatenate([corner * (a * u + b * v - 1), middle])

    step = 1e-5  # functions of second degree: central differences are exact but for rounding
    du = (values(u + step, v) - values(u - step, v)) / (2 * step)
    dv = (values(u, v + step) - values(u, v - step)) / (2 * step)
    return values(u, v), du, dv


def volumes(nodes, rows):
    """(E,) volume of elements of one kind; rows (E, n) of nodes."""
    x, w = np.polynomial.legendre.leggauss(4)
    total = np.zeros(len(rows))
    for face in FACES[rows.shape[1]]:
        columns = [int(k) for k in face.split()]
        sides, second = (3, len(columns) == 6) if len(columns) in (3, 6) else (4, len(columns) == 8)
        places = nodes[rows[:, columns]]
        for a, wa in zip(x, w, strict=True):
            for b, wb in zip(x, w, strict=True):
                if sides == 3:  # the square folded onto the triangle
                    u, share = 0.5 * (1 + a), 0.25 * wa * wb * 0.5 * (1 - a)
                    v = 0.5 * (1 + b) * (1 - u)
                else:
                    u, v, share = a, b, wa * wb
                n, du, dv = (np.einsum("n,enc->ec", f, places) for f in face_functions(sides, second, u, v))
                total += share / 3.0 * np.einsum("ec,ec->e", n, np.cross(du, dv))
    return np.abs(total)


def areas(nodes, rows):
    """(E,) area of shells of 3, 4, 6 or 8 nodes."""
    x, w = np.polynomial.legendre.leggauss(4)
    sides, second, total = (3 if rows.shape[1] in (3, 6) else 4), rows.shape[1] > 4, np.zeros(len(rows))
    for a, wa in zip(x, w, strict=True):
        for b, wb in zip(x, w, strict=True):
            u, share = (0.5 * (1 + a), 0.25 * wa * wb * 0.5 * (1 - a)) if sides == 3 else (a, wa * wb)
            v = 0.5 * (1 + b) * (1 - u) if sides == 3 else b
            _, du, dv = (np.einsum("n,enc->ec", f, nodes[rows]) for f in face_functions(sides, second, u, v))
            total += share * np.linalg.norm(np.cross(du, dv), axis=1)
    return total


def lines_of(path, folder=None):
    """Lines of a deck with those it includes."""
    for line in path.read_text(encoding="latin-1").splitlines():
        found = re.match(r"\s*\*\s*INCLUDE\s*,.*INPUT\s*=\s*\"?([^\"]+)", line, re.I)
        if found:
            yield from lines_of((folder or path.parent) / found.group(1).strip(), folder or path.parent)
        elif not line.lstrip().startswith("**") and line.strip():
            yield line.strip()


def scan_deck(path):
    """Nodes, {nodes of an element: [(id, row)]}, {id: density}, sum of *MASS of an Abaqus deck; what is no solid under
    -3, -4, -6, -8 of shells and "2", "3" of beams, and {id: thickness or area}."""
    thin = {}
    nodes, elements, sets, sections, density, lumps, masses = {}, {}, {}, [], {}, {}, []
    word, options, material, record = "", {}, "", []
    for line in lines_of(path):
        if line.startswith("*"):
            head, *rest = line.lstrip("*").split(",")
            word = head.upper().replace(" ", "")
            options = {
                p.partition("=")[0].strip().upper(): p.partition("=")[2].strip().strip('"').upper() for p in rest
            }
            record = []
            if word == "STEP":
                break
            if word == "MATERIAL":
                material = options.get("NAME", "")
            if word in ("SOLIDSECTION", "SHELLSECTION", "BEAMSECTION", "BEAMGENERALSECTION"):
                sections.append((options.get("ELSET", ""), options.get("MATERIAL", "")))
            continue
        fields = [f.strip() for f in line.rstrip(",").split(",")]
        if word == "NODE":
            nodes[int(fields[0])] = [float(re.sub("[dD]", "e", f) or 0) for f in (*fields[1:4], "0", "0", "0")][:3]
        elif word == "ELEMENT":
            kind = options.get("TYPE", "")
            record += [int(f) for f in fields if f]
            found = re.match(r"C3D(\d+)", kind)
            if found and len(record) > int(found.group(1)):
                elements.setdefault(int(found.group(1)), []).append((record[0], record[1 : 1 + int(found.group(1))]))
                sets.setdefault(options.get("ELSET", ""), []).append(record[0])
                record = []
            elif (flat := re.match(r"(S)([3468])R?$|(B)3([12])R?$", kind)) and not found:
                count = int(flat.group(2)) if flat.group(1) else int(flat.group(4)) + 1
                if len(record) > count:
                    key = -count if flat.group(1) else str(count)
                    elements.setdefault(key, []).append((record[0], record[1 : 1 + count]))
                    sets.setdefault(options.get("ELSET", ""), []).append(record[0])
                    record = []
            elif kind == "MASS":
                lumps.setdefault(options.get("ELSET", ""), []).append(record[0])
                record = []
        elif word == "ELSET":
            name = options.get("ELSET", "")
            if "GENERATE" in options:
                a, b, c = (*map(int, fields), 1)[:3]
                sets.setdefault(name, []).extend(range(a, b + 1, c))
            else:
                for f in fields:
                    sets.setdefault(name, []).extend(
                        sets.get(f.upper(), []) if not f.lstrip("-").isdigit() else [int(f)]
                    )
        elif word == "SHELLSECTION" and sections[-1][0] not in thin:
            thin[sections[-1][0]] = float(fields[0])
        elif word in ("BEAMSECTION", "BEAMGENERALSECTION") and sections[-1][0] not in thin:
            sizes = [float(f) for f in fields if f]
            shape = {"RECT": lambda a, b: a * b, "CIRC": lambda a, b: 0.25 * np.pi * a * b}.get(options.get("SECTION"))
            pipe = options.get("SECTION") == "PIPE" and np.pi * (sizes[0] ** 2 - (sizes[0] - sizes[1]) ** 2)
            box = options.get("SECTION") == "BOX" and sizes[0] * sizes[1] - (sizes[0] - sizes[2] - sizes[4]) * (
                sizes[1] - sizes[3] - sizes[5]
            )
            thin[sections[-1][0]] = shape(sizes[0], sizes[-1]) if shape else pipe or box or np.nan
        elif word == "DENSITY" and material not in density:
            density[material] = float(fields[0])
        elif word == "MASS":
            masses.append(float(fields[0]) * len(lumps.get(options.get("ELSET", ""), [])))
    of = {i: density.get(m) for name, m in sections for i in sets.get(name, [])}
    return nodes, elements, of, sum(masses), {i: thin.get(name) for name, _ in sections for i in sets.get(name, [])}


def scan_other(path):
    """As `scan_deck` by meshio or mapdl_archive; None where neither reads it."""
    try:
        if path.suffix.lower() == ".cdb":
            import mapdl_archive

            archive = mapdl_archive.Archive(str(path))
            grid = archive.grid
            kinds = {10: 4, 14: 5, 13: 6, 12: 8, 24: 10, 27: 13, 26: 15, 25: 20}
            cells = [(kinds[t], grid.get_cell(k).point_ids) for k, t in enumerate(grid.celltypes) if t in kinds]
            nodes = dict(enumerate(grid.points.tolist()))
        else:
            import meshio

            mesh = meshio.read(path)
            nodes = {k: (*row, 0.0)[:3] for k, row in enumerate(mesh.points.tolist())}
            cells = [(MESHIO[b.type], row.tolist()) for b in mesh.cells if b.type in MESHIO for row in b.data]
    except (Exception, SystemExit):
        return None
    elements = {}
    for number, (count, row) in enumerate(cells):
        elements.setdefault(count, []).append((number, row))
    return nodes, elements, {}, 0.0, {}


def expected(path):
    """(elements, nodes, volume, mass or None) in the file's unit; None where nothing reads it."""
    scan = scan_deck(path) if path.suffix.lower() == ".inp" else scan_other(path)
    if scan is None:
        return None
    nodes, elements, density, lumps, thin = scan
    place = {number: k for k, number in enumerate(nodes)}
    x, volume, mass, used = np.array(list(nodes.values())).reshape(-1, 3), 0.0, lumps, set()
    for count, cells in elements.items():
        rows = np.array([[place[n] for n in row] for _, row in cells])
        size = np.array([thin.get(i) or np.nan for i, _ in cells])
        if isinstance(count, str):  # beams: no part of the volume
            own = size * sum(np.linalg.norm(x[rows[:, k]] - x[rows[:, k + 1]], axis=1) for k in range(int(count) - 1))
        else:
            own = size * areas(x, rows) if count < 0 else volumes(x, rows)
            volume += own.sum()
        used |= set(rows.ravel().tolist())
        weights = [density.get(i) for i, _ in cells]
        mass = None if mass is None or None in weights else mass + float(np.dot(weights, own))
    solid = all(not isinstance(count, str) and count > 0 for count in elements)
    return sum(map(len, elements.values())), len(used) if solid else 0, volume, mass


def pieces(path):
    """Bodies of an Abaqus deck that share no node."""
    nodes, elements, *_ = scan_deck(path)
    place = {number: k for k, number in enumerate(nodes)}
    pairs = [(place[row[0]], place[n]) for cells in elements.values() for _, row in cells for n in row]
    used = np.unique(pairs)
    graph = scipy.sparse.coo_matrix((np.ones(len(pairs)), np.array(pairs).T), shape=(len(nodes),) * 2)
    return len(np.unique(scipy.sparse.csgraph.connected_components(graph, directed=False)[1][used]))


def read(path):
    """Mesh, unit and how it was read; a MeshError where it is not."""
    tied, how, error = [], "read", None
    for _ in range(3):
        for materials in (None, STEEL):
            for unit in ("m", "mm", "cm", "in", "dm"):
                try:
                    mesh, _ = read_mesh(path, materials, unit, tied=tied)
                    return (
                        mesh,
                        LENGTH_UNITS[unit],
                        how + ("" if mesh.materials and materials is None else ", steel given"),
                    )
                except MeshError as caught:
                    error = caught
                    if "cannot be" not in str(caught) and "must be '" not in str(caught):
                        break
        pairs = re.findall(r"--fit (\S+):0", str(error))
        if not pairs or set(pairs) <= set(tied):
            raise error
        tied, how = tied + pairs, "read, contact pairs named"
    raise error


def judged(path):
    """(what came of a file, why)."""
    text = path.read_text(encoding="latin-1") if path.suffix.lower() == ".inp" else ""
    solid = not text or re.search(r"^\*ELEMENT\b.*TYPE\s*=\s*C3D", text, re.M | re.I)
    if not solid and not re.search(r"^\*ELEMENT\b.*TYPE\s*=\s*(S[3468]R?|B3[12]R?)\b", text, re.M | re.I):
        return "no solids", ""
    wanted = expected(path)
    if wanted is not None and wanted[0] == 0:
        return "no solids", ""
    parts = pieces(path) if text and not re.search(JOINS, text, re.I) else 1
    apart = "" if solid else "shells, beams"
    apart = f"{parts} bodies" if parts > 1 else apart
    apart = apart or next((name for name, pattern in NO_FREE_BODY.items() if re.search(pattern, text, re.I)), "")
    try:
        mesh, scale, how = read(path)
    except MeshError as error:
        one_line = "\n" not in str(error)
        what = "refused" if one_line else "REFUSED IN SEVERAL LINES"
        return f"{what} ({apart})" if apart else what, str(error).replace(str(path), path.name)
    body = mass_properties(mesh)
    if wanted is None:
        return "read, nothing to compare with", ""
    elements, nodes, volume, mass = wanted
    tied = {int(k) for t in mesh.ties for k in np.ravel(t.nodes)} if "named" in how else set()
    bad = [f"{mesh.element_count} elements, expected {elements}"] if mesh.element_count != elements else []
    bad += [f"{len(mesh.nodes)} nodes, expected {nodes}"] if nodes and len(mesh.nodes) != nodes else []
    near = 1e-2 if mesh.ties or tied else 1e-9 if nodes else 1e-3  # ties move nodes onto surfaces
    if volume and abs(body.volume / scale**3 / volume - 1) > near:
        bad.append(f"volume {body.volume / scale**3:.9g}, expected {volume:.9g}")
    if mass and "steel" not in how and abs(body.mass * scale / mass - 1) > near:
        bad.append(f"mass {body.mass * scale:.9g}, expected {mass:.9g}")
    what = "WRONG" if bad else how.split(", steel")[0]
    return f"{what} ({apart})" if apart else what, "; ".join(bad)


def main():
    """Table of a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="a line for every file, not only for those refused or wrong")
    options = parser.parse_args()
    mesh_checks.SMALLEST, mesh_checks.LARGEST = 0.0, np.inf
    counts = collections.Counter()
    for path in sorted(p for p in options.folder.rglob("*") if p.suffix.lower() in SUFFIXES):
        try:
            what, why = judged(path)
        except Exception as error:  # what the package let through
            what, why = "FAILED", repr(error)
        counts[what] += 1
        if options.all or not (what.startswith("read") or what == "no solids"):
            print(f"{path.name:28} {what:28} {why[:200]}")
    print()
    for what, count in sorted(counts.items()):
        print(f"{count:5d} {what}")
    free = {k: n for k, n in counts.items() if k != "no solids" and "(" not in k}
    thin = {k: n for k, n in counts.items() if k.endswith("(shells, beams)")}
    solid = {k: n for k, n in counts.items() if k != "no solids" and k not in thin}
    groups = ("decks with solids", solid), ("of free bodies", free), ("of shells and beams alone", thin)
    for name, group in groups:
        total = max(1, sum(group.values()))
        plain = sum(n for k, n in group.items() if k.startswith("read") and "named" not in k)
        named = sum(n for k, n in group.items() if k.startswith("read") and "named" in k)
        print(
            f"{name}: {total}; read as they are {plain / total:.1%}, contact pairs named {(plain + named) / total:.1%}"
        )


if __name__ == "__main__":
    main()
