"""Solid meshes written as Abaqus .inp, Gmsh 2.2 .msh and Nastran .bdf, with ids, sets and materials.

meshio cannot write a mixed mesh to Gmsh 4.1, stops on large-field Nastran and loses digits in small fields; it
drops ids and sets everywhere. Coordinates are written with 12 significant digits, equal in the three formats.

The shipped meshes are made again by

    python -m flexwheel.verification.meshes.mesh_writers meshes/wheelset_section.toml paper meshes/wheelset
    python -m flexwheel.verification.meshes.mesh_writers meshes/wheelset_section.toml coarse meshes/wheelset_coarse
    python -m flexwheel.verification.meshes.mesh_writers ballast_bed meshes/ballast_bed.inp
    python -m flexwheel.verification.meshes.mesh_writers car_body meshes/car_body.inp
    python -m flexwheel.verification.meshes.mesh_writers bogie_frame meshes/bogie_frame.inp

and the one with fillets by `meshes/wheelset_fillets_section.toml paper meshes/wheelset_fillets`.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.base.output_files import write_whole
from flexwheel.body.mesh import ElementBlock, Mesh
from flexwheel.body.seat_compliance import BASE
from flexwheel.extensions.formats.element_order import ABAQUS_TYPE, GMSH_TYPE, NASTRAN_CARD, to_gmsh, to_nastran
from flexwheel.verification.meshes.ballast_bed import ballast_bed_mesh
from flexwheel.verification.meshes.bogie_frame import bogie_frame_lines
from flexwheel.verification.meshes.car_body import car_body_mesh
from flexwheel.verification.meshes.filleted_section import filleted_mesh, read_fillets
from flexwheel.verification.meshes.wheelset_section import read_dimensions, wheelset_mesh

_GMSH_POINT = 15
SINGLE = {"ballast_bed": ballast_bed_mesh, "car_body": car_body_mesh}


def write_mesh(path: str | Path, mesh: Mesh) -> None:
    """Write a mesh in the format its suffix names.

    Parameters
    ----------
    path : .inp, .msh or .bdf     written whole or not at all
    mesh : Mesh [m, Pa, kg/m3]    every element set must have a name usable in the format

    Raises
    ------
    MeshError                     unknown suffix, point masses
    FlexwheelError                the file cannot be written

    Verified in tests/verification/test_mesh_import_round_trip.py.
    """
    path = Path(path)
    writers: dict[str, Callable[[Mesh], Iterator[str]]] = {
        ".inp": abaqus_lines,
        ".msh": gmsh_lines,
        ".bdf": nastran_lines,
    }
    if path.suffix.lower() not in writers:
        raise MeshError(f"{path}: cannot write '{path.suffix}', expected one of {', '.join(writers)}")
    if mesh.beams is not None:
        raise MeshError(f"{path}: the mesh has {len(mesh.beams.ids)} beams, which are not written")
    if mesh.masses:
        raise MeshError(f"{path}: the mesh carries {len(mesh.masses)} point masses, which are not written")

    _write_lines(path, writers[path.suffix.lower()](mesh))


def _write_lines(path, lines):
    def write(part):
        with part.open("w", encoding="ascii", errors="replace", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)

    write_whole(path, write)


def abaqus_lines(mesh: Mesh) -> Iterator[str]:
    """Flat Abaqus input: nodes, elements, sets, materials, solid sections."""
    yield "*HEADING"
    what = "track bed" if BASE in mesh.node_sets else "car body" if "PIVOT_FRONT" in mesh.node_sets else "wheelset"
    yield f"{what}, SI units: m, Pa, kg/m3"
    yield "*NODE"
    for i, (x, y, z) in zip(mesh.node_ids, mesh.nodes, strict=True):
        yield f"{i}, {_number(x)}, {_number(y)}, {_number(z)}"
    for block in mesh.blocks:
        yield f"*ELEMENT, TYPE={ABAQUS_TYPE[block.kind]}, ELSET={_section_name(mesh, block)}"
        for i, nodes in zip(block.ids, mesh.node_ids[block.connectivity], strict=True):
            yield from _comma_lines([i, *nodes])
    for name, ids in mesh.element_sets.items():
        yield f"*ELSET, ELSET={name}"
        yield from _comma_lines(np.sort(ids))
    for name, rows in mesh.node_sets.items():
        yield f"*NSET, NSET={name}, UNSORTED"
        yield from _comma_lines(mesh.node_ids[rows])
    for material in mesh.materials:
        yield f"*MATERIAL, NAME={material.name}"
        yield "*ELASTIC"
        yield f"{_number(material.youngs_modulus)}, {_number(material.poissons_ratio)}"
        yield "*DENSITY"
        yield f"{_number(material.density)},"
        yield f"*SOLID SECTION, ELSET=SOLID_{material.name}, MATERIAL={material.name}"


def gmsh_lines(mesh: Mesh) -> Iterator[str]:
    """Gmsh 2.2 ASCII: element sets as physical volumes, node sets as physical points; materials have no place here.

    An element carries one physical tag: one that belongs to two sets goes into the smaller.
    """
    volume_names, volume_tag = _volume_groups(mesh)
    names = [(3, name) for name in volume_names] + [(0, name) for name in mesh.node_sets]
    yield from ("$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(names)))
    for tag, (dimension, name) in enumerate(names, 1):
        yield f'{dimension} {tag} "{name}"'
    yield from ("$EndPhysicalNames", "$Nodes", str(len(mesh.nodes)))
    for i, (x, y, z) in zip(mesh.node_ids, mesh.nodes, strict=True):
        yield f"{i} {_number(x)} {_number(y)} {_number(z)}"
    points = sum(len(rows) for rows in mesh.node_sets.values())
    yield from ("$EndNodes", "$Elements", str(mesh.element_count + points))
    for block in mesh.blocks:
        nodes = mesh.node_ids[to_gmsh(block.kind, block.connectivity)]
        for i, row in zip(block.ids.tolist(), nodes.tolist(), strict=True):
            tag = volume_tag[i]
            yield f"{i} {GMSH_TYPE[block.kind]} 2 {tag} {tag} " + " ".join(map(str, row))
    element = max(int(block.ids.max()) for block in mesh.blocks)
    for tag, rows in enumerate(mesh.node_sets.values(), len(volume_names) + 1):
        for node in mesh.node_ids[rows]:
            element += 1
            yield f"{element} {_GMSH_POINT} 2 {tag} {tag} {node}"
    yield "$EndElements"


def nastran_lines(mesh: Mesh) -> Iterator[str]:
    """Nastran bulk data: large-field GRID*, small-field elements, MAT1, PSOLID, SET1 named by $HMSET."""
    yield "$ wheelset, SI units: m, Pa, kg/m3; sets are named by the $HMSET lines (1 nodes, 2 elements)"
    yield from ("SOL 103", "CEND", "BEGIN BULK")
    for i, (x, y, z) in zip(mesh.node_ids, mesh.nodes, strict=True):
        yield f"GRID*   {i:16d}{'':16}{_number(x, 16):>16}{_number(y, 16):>16}"
        yield f"*       {_number(z, 16):>16}"
    for block in mesh.blocks:
        nodes = mesh.node_ids[to_nastran(block.kind, block.connectivity)]
        for i, row in zip(block.ids, nodes, strict=True):
            yield from _small_field(NASTRAN_CARD[block.kind], [i, block.material + 1, *row])
    for number, material in enumerate(mesh.materials, 1):
        yield f'$HMNAME PROP {number:7d}"SOLID_{material.name}"'
        yield f"PSOLID  {number:8d}{number:8d}"
        yield f'$HMNAME MAT {number:8d}"{material.name}"'
        young, poisson = _number(material.youngs_modulus, 16), _number(material.poissons_ratio, 16)
        yield f"MAT1*   {number:16d}{young:>16}{'':16}{poisson:>16}"
        yield f"*       {_number(material.density, 16):>16}"
    number = 0
    groups = [(1, name, mesh.node_ids[rows]) for name, rows in mesh.node_sets.items()]
    groups += [(2, name, np.sort(ids)) for name, ids in mesh.element_sets.items()]
    for kind, name, ids in groups:
        number += 1
        yield f'$HMSET  {number:8d}{kind:9d} "{name}"'
        yield from _small_field("SET1", [number, *_with_thru(ids)])
    yield "ENDDATA"


def _number(value: float, width: int = 24) -> str:
    """12 significant digits within the width; Nastran's exponent without E where it saves the digits."""
    text = f"{value + 0.0:.12g}"
    if width == 16:
        if len(text) > width or "e" in text:
            mantissa, exponent = f"{value:.11e}".split("e")
            text = f"{mantissa}{int(exponent):+d}"
        if "." not in text and "+" not in text[1:] and "-" not in text[1:]:
            text += "."
    return text


def _section_name(mesh: Mesh, block: ElementBlock) -> str:
    return f"SOLID_{mesh.materials[block.material].name}" if mesh.materials else f"SOLID_{block.material + 1}"


def _comma_lines(values: Iterable[int], per_line: int = 16) -> Iterator[str]:
    items = [str(v) for v in values]
    for start in range(0, len(items), per_line):
        more = "," if start + per_line < len(items) else ""
        yield ", ".join(items[start : start + per_line]) + more


def _small_field(card: str, values: list) -> Iterator[str]:
    items = [f"{v:>8}" for v in values]
    for start in range(0, len(items), 8):
        head = f"{card:<8}" if start == 0 else "+       "
        yield head + "".join(items[start : start + 8]) + ("+" if start + 8 < len(items) else "")


def _with_thru(ids: np.ndarray) -> list:
    """One run of consecutive ids as `first THRU last`; a card holds either one such run or a plain list."""
    run = len(ids) > 3 and (np.diff(ids) == 1).all()
    return [int(ids[0]), "THRU", int(ids[-1])] if run else [int(i) for i in ids]


def _volume_groups(mesh: Mesh) -> tuple[list[str], dict[int, int]]:
    """Names of the physical volumes and the 1-based tag of every element."""
    names = list(mesh.element_sets) or ["SOLID"]
    tag = {int(i): 1 for block in mesh.blocks for i in block.ids}
    order = sorted(range(len(names)), key=lambda k: -len(mesh.element_sets.get(names[k], ())))
    for k in order:
        tag |= {int(i): k + 1 for i in mesh.element_sets.get(names[k], ())}
    return names, tag


def main(arguments: list[str]) -> int:
    """Write the files of a refinement of a wheelset section (with fillets Abaqus' alone) or of another mesh."""
    if len(arguments) == 2 and arguments[0] in SINGLE:
        write_mesh(arguments[1], SINGLE[arguments[0]]())
        return 0
    if len(arguments) == 2 and arguments[0] == "bogie_frame":
        _write_lines(arguments[1], bogie_frame_lines())
        return 0
    if len(arguments) != 3:
        sys.stderr.write(
            "usage: python -m flexwheel.verification.meshes.mesh_writers SECTION.toml REFINEMENT STEM "
            "| ballast_bed FILE | car_body FILE | bogie_frame FILE\n"
        )
        return 2
    section, refinement, stem = arguments
    try:
        filleted = read_fillets(section)
        *drawing, refinements = filleted or read_dimensions(section)
        if refinement not in refinements:
            raise MeshError(f"{section}: no refinement '{refinement}', expected one of {', '.join(refinements)}")
        mesh = (filleted_mesh if filleted else wheelset_mesh)(*drawing, refinements[refinement])
        for suffix in (".inp",) if filleted else (".inp", ".msh", ".bdf"):
            write_mesh(stem + suffix, mesh)
    except MeshError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
