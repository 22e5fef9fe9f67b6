"""Malformed and hostile mesh files of every format, one at random for each call."""

from __future__ import annotations

import numpy as np

POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
POINTS += [(2, 0, 0), (2, 1, 0), (2, 0, 1), (2, 1, 1)]
CELLS = [[1, 2, 3, 4, 5, 6, 7, 8], [2, 9, 10, 3, 6, 11, 12, 7]]
NUMBERS = """-1 0 1 2 7 99 1.5
 nan inf -inf 1e999 1e-320 1e300 -0.0 +-+-5 1_0 0x10 1,5 1e12 999999999999 9223372036854775807
9223372036854775808 1e400 4294967296 -9223372036854775809 one . - + 1..2 1e 1d3 7.85-9 ² ٣""".split()


def mesh_cases(rng):
    """One hostile mesh file.

    Parameters
    ----------
    rng : numpy Generator

    Returns
    -------
    name : str         what is wrong with it
    suffix : str       .inp, .bdf, .msh or .vtk
    content : bytes
    """
    suffix = str(rng.choice([".inp", ".bdf", ".msh", ".vtk"], p=[0.35, 0.35, 0.22, 0.08]))
    flat = rng.random() < 0.6
    text = {".inp": abaqus if flat else abaqus_assembly, ".bdf": nastran, ".msh": gmsh, ".vtk": vtk}[suffix]()
    changes = CHANGES + {".inp": ABAQUS, ".bdf": NASTRAN, ".msh": GMSH, ".vtk": []}[suffix]
    names = []
    for _ in range(int(rng.choice([1, 2], p=[0.8, 0.2]))):
        change = changes[int(rng.integers(len(changes)))]
        text = change(rng, text or " ")
        names.append(change.__name__)
    content = text if isinstance(text, bytes) else text.encode(str(rng.choice(ENCODINGS)), errors="replace")
    return " and ".join(names), suffix, content


ENCODINGS = ["utf-8"] * 12 + ["utf-8-sig", "latin-1", "utf-16"]


def abaqus():
    nodes = "\n".join(f"{i}, {x}., {y}., {z}." for i, (x, y, z) in enumerate(POINTS, 1))
    cells = "\n".join(f"{i}, {', '.join(map(str, c))}" for i, c in enumerate(CELLS, 1))
    return (
        f"*HEADING\n two cubes\n*NODE, NSET=ALL\n{nodes}\n*ELEMENT, TYPE=C3D8, ELSET=E\n{cells}\n"
        "*NSET, NSET=END\n1, 4, 5,\n8\n*NSET, NSET=RUN, GENERATE\n1, 12, 1\n*SOLID SECTION, ELSET=E, MATERIAL=M\n,\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n"
        "2.1e11, 0.3\n*DENSITY\n7850.,\n"
    )


def abaqus_assembly():
    """Two cubes as moved instances of one part, tied, a mass on a coupling, an equation, a rigid body."""
    nodes = "\n".join(f"{i}, {x}., {y}., {z}." for i, (x, y, z) in enumerate(POINTS[:8], 1))
    return (
        f"*PART, NAME=CUBE\n*NODE\n{nodes}\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n"
        "*NSET, NSET=LOW, GENERATE\n1, 4, 1\n*SURFACE, NAME=LEFT\nE, S6\n*SURFACE, NAME=RIGHT\nE, S4\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n,\n*END PART\n*ASSEMBLY, NAME=A\n"
        "*INSTANCE, NAME=ONE, PART=CUBE\n*END INSTANCE\n"
        "*INSTANCE, NAME=TWO, PART=CUBE\n1., 0., 0.\n0., 0., 0., 1., 0., 0., 90.\n*END INSTANCE\n"
        "*INSTANCE, NAME=THREE, PART=CUBE\n1., 0., -1.\n*END INSTANCE\n"
        "*NODE, NSET=POINT\n1, 0.5, 0.5, 2.\n*ELEMENT, TYPE=MASS, ELSET=BOX\n1, 1\n*MASS, ELSET=BOX\n100.\n"
        "*NSET, NSET=TOP, INSTANCE=ONE\n5, 6, 7, 8\n*SURFACE, NAME=ABOVE, TYPE=NODE\nTOP\n"
        "*COUPLING, CONSTRAINT NAME=C, REF NODE=POINT, SURFACE=ABOVE\n*KINEMATIC\n1, 6\n"
        "*TIE, NAME=T, POSITION TOLERANCE=0.01\nTHREE.LEFT, ONE.RIGHT\n"
        "*EQUATION\n2\nTWO.1, 1, 1., ONE.2, 1, -1.\n*MPC\nTIE, TWO.4, ONE.3\n"
        "*RIGID BODY, NSET=THREE.LOW\n*END ASSEMBLY\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.,\n"
    )


def nastran():
    grid = "\n".join(f"GRID,{i},,{x}.,{y}.,{z}." for i, (x, y, z) in enumerate(POINTS, 1))
    cells = "\n".join(
        f"CHEXA,{i},1,{','.join(map(str, c[:6]))}\n,{','.join(map(str, c[6:]))}" for i, c in enumerate(CELLS, 1)
    )
    return (
        f"SOL 103\nCEND\nSET 5 = 1 THRU 4, 8\nBEGIN BULK\n{grid}\n{cells}\nPSOLID,1,1\nMAT1,1,2.1+11,,.3,7850.\n"
        "SET1,9,1,THRU,8\nENDDATA\n"
    )


def gmsh():
    nodes = "\n".join(f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(POINTS, 1))
    cells = "\n".join(f"{i} 5 2 1 1 {' '.join(map(str, c))}" for i, c in enumerate(CELLS, 1))
    return (
        '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 "body"\n$EndPhysicalNames\n$Nodes\n12\n'
        f"{nodes}\n$EndNodes\n$Elements\n2\n{cells}\n$EndElements\n"
    )


def vtk():
    points = "  ".join(f"{x} {y} {z}" for x, y, z in POINTS)
    cells = "\n".join("8 " + " ".join(str(i - 1) for i in c) for c in CELLS)
    return (
        f"# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n{points}\n"
        f"CELLS 2 18\n{cells}\nCELL_TYPES 2\n12\n12\n"
    )


def _line(rng, text):
    lines = text.split("\n")
    return lines, int(rng.integers(len(lines)))


def cut(rng, text):
    return text[: int(rng.integers(len(text)))]


def cut_at_a_line(rng, text):
    lines, k = _line(rng, text)
    return "\n".join(lines[:k]) + "\n"


def line_lost(rng, text):
    lines, k = _line(rng, text)
    return "\n".join(lines[:k] + lines[k + 1 :])


def line_twice(rng, text):
    lines, k = _line(rng, text)
    return "\n".join(lines[: k + 1] + lines[k:])


def lines_swapped(rng, text):
    lines, k = _line(rng, text)
    other = int(rng.integers(len(lines)))
    lines[k], lines[other] = lines[other], lines[k]
    return "\n".join(lines)


def number_replaced(rng, text):
    """A whole word of digits, replaced."""
    lines, k = _line(rng, text)
    for _ in range(20):
        if any(c.isdigit() for c in lines[k]):
            break
        k = int(rng.integers(len(lines)))
    mark = "," if "," in lines[k] else " "
    words = lines[k].split(mark)
    words[int(rng.integers(len(words)))] = str(rng.choice(NUMBERS))
    lines[k] = mark.join(words)
    return "\n".join(lines)


def character_replaced(rng, text):
    k = int(rng.integers(len(text)))
    return text[:k] + str(rng.choice(list("\0\x85\t*$,=\"'é\n\r ;-+#/\\{"))) + text[k + 1 :]


def bytes_replaced(rng, text):
    content = bytearray(text.encode("utf-8"))
    for _ in range(int(rng.integers(1, 20))):
        content[int(rng.integers(len(content)))] = int(rng.integers(256))
    return content.decode("latin-1")


def empty_line(rng, text):
    lines, k = _line(rng, text)
    return "\n".join([*lines[:k], str(rng.choice(["", ",", ",,,", "  ", "\t"])), *lines[k:]])


def long_line(rng, text):
    lines, k = _line(rng, text)
    lines[k] += str(rng.choice([",", " ", "9", "x"])) * int(rng.integers(100, 20000))
    return "\n".join(lines)


def nothing_left(rng, text):
    return str(rng.choice(["", "\n\n", " ", "\ufeff", "hello\n"]))


CHANGES = [
    cut,
    cut,
    cut_at_a_line,
    line_lost,
    line_twice,
    lines_swapped,
    number_replaced,
    number_replaced,
    number_replaced,
    character_replaced,
    bytes_replaced,
    empty_line,
    long_line,
    nothing_left,
]


def _after(text, mark, more):
    return text.replace(mark, mark + more, 1)


def abaqus_card(rng, text):
    """A keyword that carries something, or nothing."""
    cards = [
        "*MASS, ELSET=E\n5.\n",
        "*BOUNDARY\n1, 1, 3\n",
        "*TIE, NAME=T\na, b\n",
        "*SPRING, ELSET=E\n1\n5.\n",
        "*EQUATION\n2\n1,1,1.,2,1,-1.\n",
        "*MATRIX ASSEMBLE, STIFFNESS=K\n",
        "*NONSTRUCTURAL MASS, UNITS=TOTAL MASS\n3.\n",
        "*RIGID BODY, REF NODE=1, ELSET=E\n",
        "*ELEMENT, TYPE=MASS, ELSET=P\n50, 1\n*MASS, ELSET=P\n120.\n",
        "*ELEMENT, TYPE=MASS, ELSET=P\n50, 1\n*MASS, ELSET=P\n-1.\n",
        "*ELEMENT, TYPE=ROTARYI, ELSET=P\n50, 1\n*ROTARY INERTIA, ELSET=P\n1., 2., 3.\n",
        "*ELEMENT, TYPE=S4\n50, 1, 2, 3, 4\n",
        "*ELEMENT, TYPE=B31\n50, 1, 12\n",
        "*ELEMENT, TYPE=B32, ELSET=B\n50, 1, 2, 12\n*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT\n1, .1\n",
        "*NODE\n98, 4.\n99, 5.\n*ELEMENT, TYPE=B31, ELSET=B\n50, 98, 99\n*BEAM SECTION, ELSET=B, SECTION=RECT\n.1\n",
        "*ELEMENT, TYPE=T3D2, ELSET=R\n50, 1, 12\n*SOLID SECTION, ELSET=R, MATERIAL=M\n-1.\n",
        "*ELEMENT, TYPE=S8R, ELSET=S\n50, 1, 2, 3, 4, 5, 6, 7, 8\n*SHELL SECTION, ELSET=S, MATERIAL=M\n.01\n",
        "*MPC\nBEAM, 1, 2\n",
        "*OUTPUT, FIELD\n",
        "*NO SUCH KEYWORD\n1, 2\n",
        "*\n",
        "*,\n",
        "*STEP\n*STATIC\n",
        "*PART, NAME=P\n",
        "*INSTANCE, NAME=I, PART=P\n1., 0., 0.\n",
        "*NODE, SYSTEM=S\n",
        "*ASSEMBLY\n*NODE\n1, 0., 0., 0.\n*END ASSEMBLY\n",
    ]
    return text + str(rng.choice(cards))


def abaqus_set(rng, text):
    """A set that is too wide, endless, deep or misspelt."""
    kind = int(rng.integers(7))
    deep = int(rng.choice([50, 5000]))
    return (
        text
        + [
            "*NSET, NSET=W, GENERATE\n1, 1000000000000, 1\n",
            "*ELSET, ELSET=W, GENERATE\n1, 999999999999999999, 3\n",
            "*NSET, NSET=W\n+-+-5\n",
            "*NSET, NSET=S0\n1\n" + "".join(f"*NSET, NSET=S{k}\nS{k - 1}\n" for k in range(1, deep)),
            "*NSET, NSET=A\nB\n*NSET, NSET=B\nA\n",
            "*NSET, NSET=W, GENERATE\n,\n",
            "*NSET, NSET=W\n9223372036854775808\n",
        ][kind]
    )


def abaqus_include(rng, text):
    names = ["nothing.inp", "/dev/zero", "/dev/stdin", "..", "mesh.inp", "", "x" * 300, "/", "~nouser/x"]
    return f"*INCLUDE, INPUT={rng.choice(names)}\n{text}"


def abaqus_continued(rng, text):
    return text + "*NSET, NSET=W,\n" * int(rng.choice([2, 3000]))


ABAQUS = [abaqus_card, abaqus_card, abaqus_card, abaqus_set, abaqus_set, abaqus_include, abaqus_continued]


def nastran_card(rng, text):
    cards = [
        "CONM2,50,1,,10.,0.1,0.,0.\n,1.,0.,1.,0.,0.,1.",
        "CONM2,50,99,,10.",
        "CONM2,50,1,,-10.",
        "CONM1,50,1,,1.",
        "CELAS2,50,1.+6,1,1,2,1",
        "CBUSH,50,1,1,2",
        "RBE2,50,1,123456,2,3",
        "RBE3,50,,20,123456,1.,123,1,2\n,3,4",
        "MPC,1,1,1,1.,2,1,-1.",
        "SPC1,1,123,1,THRU,4",
        "DMIG,K2GG,0,6,1,0",
        "CBAR,50,7,1,2,0.,0.,1.",
        "CBAR,50,7,1,99,0.,0.,1.\nGRID,99,,5.,5.,5.\nPBAR,7,1,1.-3,1.-6,1.-6,1.-6",
        "CBEAM,50,7,98,99,0.,0.,1.\nGRID,98,,4.,5.,5.\nGRID,99,,5.,5.,5.\nPBEAML,7,1,,BOX,,,,,\n,1.,1.,.6,.1",
        "CROD,50,7,1,2\nPROD,7,1,1.-3",
        "RBE3,50,,1,123456,1.,123,2,3\n,4,5",
        "CQUAD4,50,7,1,2,3,4",
        "PSHELL,7,1,0.01",
        "NSM,1,PSOLID,1,3.",
        "SEBULK,1,PRIMARY",
        "CORD2R,4,4,0.,0.,0.,0.,0.,1.\n,1.,0.,0.",
        "MAT1,1,2.1+11,0.",
        "MAT1,2,,,,",
        "NOSUCH,1,2",
        "GRID,13,4,0.,0.,0.",
        "GRID,13,,0.,0.,0.,,123",
        "PARAM,WTMASS,nan",
        "PARAM,POST,-1",
        "FORCE,1,1,0,1.,1.,0.,0.",
        "BEGIN SUPER=1",
        "+,1,2",
        "SET1,3,1,THRU,1000000000000",
        "SET1,3,1,THRU",
        "SET1,3,1,THRU,12,EXCEPT,5",
        "SET1,3,1,2,3,4,5,6,7,8,9",
        "CHEXA,1,1,1,2,3,4,5,6,7,8",
        "CPYRAM,5,1,1,2,3,4,5",
        "INCLUDE '/dev/zero'",
        "INCLUDE 'nothing.bdf'",
        "INCLUDE '",
        "INCLUDE",
    ]
    return _after(text, "BEGIN BULK\n", str(rng.choice(cards)) + "\n")


def nastran_replica(rng, text):
    lines = [
        "=,*(1),=,*(0.5),==",
        "=(3)",
        "=(1000000000)",
        "=,*1,=",
        "==",
        "=,=(,=",
        "=,*(x),==",
        "=(0)",
        "=(-1)",
        "=,*(1),=,*(0.5),==\n=(4)",
    ]
    place = str(rng.choice(["BEGIN BULK\n", "GRID,12,,2.,1.,1.\n", "PSOLID,1,1\n", "SET1,9,1,THRU,8\n"]))
    return _after(text, place, str(rng.choice(lines)) + "\n")


def nastran_case(rng, text):
    sets = [
        "1 THRU 1000000000000",
        "1 THRU 12 EXCEPT 5, 6",
        "1 THRU 12 EXCEPT",
        "ALL",
        "THRU 5",
        "12 THRU 1",
        "1,2,3,",
        "K2GG = X",
        "1/2",
    ]
    return _after(
        text,
        "CEND\n",
        f"SET 6 = {rng.choice(sets)}\nK2GG = A\n" if rng.random() < 0.3 else f"SET 6 = {rng.choice(sets)}\n",
    )


def nastran_systems(rng, text):
    deep = int(rng.choice([3, 60, 3000]))
    cards = "".join(f"CORD2R,{k},{k - 1},0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n" for k in range(1, deep))
    return _after(text, "BEGIN BULK\n", cards + f"GRID,13,{deep - 1},0.,0.,0.\n")


def nastran_no_end(rng, text):
    return text.replace("ENDDATA\n", str(rng.choice(["", "END", "$ENDDATA\n"])))


NASTRAN = [
    nastran_card,
    nastran_card,
    nastran_card,
    nastran_replica,
    nastran_replica,
    nastran_case,
    nastran_systems,
    nastran_no_end,
]


def gmsh_section(rng, text):
    sections = [
        "$PhysicalNames\n1\nbody\n$EndPhysicalNames\n",
        "$PhysicalNames\n1\nx y z\n$EndPhysicalNames\n",
        "$Periodic\n0\n$EndPeriodic\n",
        "$NodeData\n1\n$EndNodeData\n",
        "$Entities\n1 0 0 0\n$EndEntities\n",
        "$Nodes\n",
        "$Elements\n99999999999\n$EndElements\n",
        "$Nodes\n1\n1.5 0 0 0\n$EndNodes\n",
    ]
    mark = "$EndMeshFormat\n"
    return _after(text, mark, str(rng.choice(sections)))


def gmsh_format(rng, text):
    heads = ["4.1 0 8", "4.1 1 8", "2.2 1 8", "2.2 0 4", "1 0 8", "2.2", "2.2 0 8 9", "x y z"]
    return text.replace("2.2 0 8", str(rng.choice(heads)), 1)


def gmsh_elements(rng, text):
    rows = [
        "3 2 2 2 1 1 2 3",
        "3 2 2 2 1 1 2 12",
        "3 1 2 2 1 1 12",
        "3 15 2 2 1 1",
        "3 5 -1 1 2 3 4 5 6 7 8",
        "3 99 2 1 1 1",
        "3 7 2 1 1 1 2 3 4 5",
    ]
    text = text.replace("$Elements\n2\n", "$Elements\n3\n")
    return text.replace("$EndElements", str(rng.choice(rows)) + "\n$EndElements")


GMSH = [gmsh_section, gmsh_section, gmsh_format, gmsh_elements, gmsh_elements]


if __name__ == "__main__":
    for seed in range(20):
        print(mesh_cases(np.random.default_rng(seed)))
