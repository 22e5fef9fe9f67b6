"""Import of a solid mesh with its original ids, sets and materials, and an audit of what was done to it.

Files are scanned here, because meshio loses ids and sets; VTK files, which have neither, are read by meshio.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.base.input_files import clipped
from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.mesh_files import mesh_checks
from flexwheel.body.mesh_files.abaqus_scan import scan_abaqus
from flexwheel.body.mesh_files.cdb_scan import scan_cdb
from flexwheel.body.mesh_files.collapsed import proper_elements
from flexwheel.body.mesh_files.gmsh_scan import scan_gmsh
from flexwheel.body.mesh_files.lost_content import attached_masses, judge_content
from flexwheel.body.mesh_files.med_scan import scan_med
from flexwheel.body.mesh_files.mesh_materials import assign, split_by_material
from flexwheel.body.mesh_files.mesh_properties import mass_properties
from flexwheel.body.mesh_files.mesh_springs import springs_of, without_lost_springs
from flexwheel.body.mesh_files.mesh_ties import build_ties, links_of
from flexwheel.body.mesh_files.meshio_read import scan_with_meshio
from flexwheel.body.mesh_files.nastran_scan import scan_nastran
from flexwheel.body.mesh_files.raw_mesh import RawMesh
from flexwheel.body.mesh_files.shell_solids import expand_shells
from flexwheel.body.mesh_files.unv_scan import scan_unv

LONGEST_MESSAGE = 1500
LENGTH_UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254}
_SCANS: dict[str, Callable[[Path], RawMesh]] = {
    ".inp": scan_abaqus,
    ".msh": scan_gmsh,
    ".bdf": scan_nastran,
    ".nas": scan_nastran,
    ".dat": scan_nastran,
    ".fem": scan_nastran,
    ".cdb": scan_cdb,
    ".unv": scan_unv,
    ".med": scan_med,
    ".vtk": scan_with_meshio,
    ".vtu": scan_with_meshio,
}


def read_mesh(
    path: str | Path,
    materials: Material | Mapping[str, Material] | None = None,
    length_unit: str = "m",
    ignore: Sequence[str] = (),
    tied: Sequence[str] = (),
) -> tuple[Mesh, tuple[str, ...]]:
    """Read a solid mesh.

    Parameters
    ----------
    path : .inp (Abaqus, CalculiX), .bdf .nas .dat .fem (Nastran), .msh (Gmsh 2.2, 4.1), .cdb (Ansys),
           .unv (I-DEAS universal), .med (Salome, Code_Aster), .vtk, .vtu
    materials : Material          for all elements, in place of the file's
                {set: Material}   for element sets; other elements keep the file's material
                None              the file's; a mesh without any gets materials = ()
    length_unit : str             unit of the file's coordinates, key of LENGTH_UNITS
    ignore : sequence of str      names of cards that carry mass, stiffness or a constraint and are left out knowingly,
                                  as the error that refuses them prints them
    tied : sequence of str        contact pairs, by name or as FIRST/SECOND, that are read as ties

    Returns
    -------
    mesh : Mesh [m, Pa, kg/m3]    nodes in file order without orphans, original ids, positive volumes
    audit : tuple of str          what was read, converted, dropped; extents, volume, mass, centre, inertia; lines
                                  that start with "WARNING" belong among the warnings of a run

    Raises
    ------
    MeshError    one line with file, and line or id: unreadable, truncated or ambiguous input, see mesh_checks; cards
                 that would be lost, see lost_content

    Verified in tests/body/test_mesh_import_formats_verified.py.
    """
    try:
        return _read_mesh(Path(path), materials, length_unit, ignore, tied)
    except MeshError as error:  # what a file holds may stand in a message, at any length
        said = "".join(c if c.isprintable() else "?" for c in str(error))
        if said == str(error) and len(said) <= LONGEST_MESSAGE:
            raise
        raise MeshError(clipped(said, LONGEST_MESSAGE)) from None


def _read_mesh(path: Path, materials, length_unit: str, ignore: Sequence[str], tied: Sequence[str]):
    started = time.perf_counter()
    if length_unit not in LENGTH_UNITS:
        raise MeshError(
            f"length_unit = '{length_unit}' (mesh_unit, --unit) is not known, expected one of {', '.join(LENGTH_UNITS)}"
        )
    raw = _SCANS[check_format(path)](path)
    if raw.length_unit not in ("", length_unit):
        raise MeshError(
            f"{path}: the file is in {raw.length_unit}, length_unit (mesh_unit, --unit) must be '{raw.length_unit}', "
            f"got '{length_unit}'"
        )
    mesh, notes = build_mesh(path, raw, materials, length_unit, ignore, tied)
    audit = [f"{path.name}: {raw.format}, {len(raw.node_ids)} nodes"]
    audit += [f"unit of length: {length_unit}", *raw.notes]
    audit += [*notes, *describe(mesh), f"import took {time.perf_counter() - started:.2f} s"]
    return mesh, tuple(audit)


def check_format(path: Path) -> str:
    """Suffix of a mesh file that is read, in lower case; a MeshError names those there are."""
    if path.suffix.lower() not in _SCANS:
        raise MeshError(f"{path}: mesh format '{path.suffix}' is not read, expected one of {', '.join(_SCANS)}")
    return path.suffix.lower()


def build_mesh(
    path: Path, raw: RawMesh, materials: Material | Mapping[str, Material] | None, length_unit: str, ignore=(), tied=()
) -> tuple[Mesh, list[str]]:
    """Checked mesh in SI from what a scan found, and notes on what was changed."""
    elements, of_collapsed = proper_elements(path, raw.elements)
    raw, of_shells = expand_shells(path, replace(raw, elements=elements))
    mesh_checks.check_ids(path, raw)
    raw, of_springs = without_lost_springs(raw)
    raw, told = judge_content(path, raw, ignore, tied)
    for elements in raw.elements:
        mesh_checks.check_copies(path, elements)
    cells = [mesh_checks.rows_of(path, raw, e) for e in raw.elements]
    used = np.zeros(len(raw.node_ids), dtype=bool)
    for rows in cells:
        used[rows] = True
    keep, notes = mesh_checks.drop_orphans(path, raw, used)
    notes = told + of_springs + of_collapsed + of_shells + notes
    nodes = raw.nodes[keep] * LENGTH_UNITS[length_unit]
    mesh_checks.check_extent(path, nodes, length_unit)
    ties, tied = build_ties(path, raw, raw.node_ids[keep], nodes, LENGTH_UNITS[length_unit])
    new_row = np.cumsum(keep) - 1
    blocks = []
    for elements, rows in zip(raw.elements, cells, strict=True):
        turned, note = mesh_checks.oriented(path, nodes, elements, new_row[rows])
        notes += note
        blocks.append(ElementBlock(elements.kind, turned, elements.ids))
    links = [*(b.connectivity for b in blocks), *(links_of(t) for t in ties)]
    mesh_checks.check_connected(path, raw.node_ids[keep], nodes, links)
    element_ids = np.concatenate([b.ids for b in blocks])
    raw, note = mesh_checks.kept_sets(path, raw, raw.node_ids[keep], element_ids)
    table, material_rows, more = assign(path, raw, element_ids, LENGTH_UNITS[length_unit], materials)
    sets = _node_rows(raw, raw.node_ids[keep])
    masses, carried = attached_masses(raw, raw.node_ids[keep], LENGTH_UNITS[length_unit])
    springs, sprung = springs_of(raw, raw.node_ids[keep], LENGTH_UNITS[length_unit])
    mesh = Mesh(nodes, raw.node_ids[keep], tuple(blocks), (), sets, raw.element_sets, masses, ties, springs)
    return split_by_material(mesh, table, material_rows), notes + tied + note + more + carried + sprung


def describe(mesh: Mesh) -> list[str]:
    """Lines of the audit on the mesh as imported: counts, sets, extents, mass properties."""
    kinds: dict[str, int] = {}
    for block in mesh.blocks:
        kinds[block.kind] = kinds.get(block.kind, 0) + len(block.ids)
    low, high = mesh.nodes.min(axis=0), mesh.nodes.max(axis=0)
    body = mass_properties(mesh)
    if not (np.isfinite(body.mass) and np.isfinite(body.inertia).all()):
        raise MeshError("mass and inertia of the mesh are no finite numbers: look at its point masses and densities")
    extents = ", ".join(f"{axis} {a:.6g} to {b:.6g}" for axis, a, b in zip("xyz", low, high, strict=True))
    lines = [
        f"mesh: {len(mesh.nodes)} nodes, " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()),
        f"node sets: {', '.join(f'{k} ({len(v)})' for k, v in mesh.node_sets.items()) or 'none'}",
        f"element sets: {', '.join(f'{k} ({len(v)})' for k, v in mesh.element_sets.items()) or 'none'}",
        f"extent: {extents} m",
        f"volume: {body.volume:.9g} m3, centre {_vector(body.centre)} m",
    ]
    if mesh.materials:
        principal = np.linalg.eigvalsh(body.inertia)
        lines.append(f"mass: {body.mass:.9g} kg, principal inertia about the centre {_vector(principal)} kg m2")
    return lines


def _node_rows(raw: RawMesh, node_ids: np.ndarray) -> dict[str, np.ndarray]:
    order = np.argsort(node_ids)
    return {name: order[np.searchsorted(node_ids, ids, sorter=order)] for name, ids in raw.node_sets.items()}


def _vector(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{v + 0.0:.6g}" for v in values) + ")"
