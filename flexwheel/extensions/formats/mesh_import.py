"""Import of a solid mesh with its original ids, sets and materials, and an audit of what was done to it.

Files are scanned here, because meshio loses ids and sets; VTK files, which have neither, are read by meshio.
"""

import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.mesh_format import LENGTH_UNITS
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.extensions.formats.import_steps import mesh_checks
from flexwheel.extensions.formats.import_steps.beam_frames import beams_of, frame_beams
from flexwheel.extensions.formats.import_steps.collapsed import proper_elements
from flexwheel.extensions.formats.import_steps.lost_content import attached_masses, judge_content
from flexwheel.extensions.formats.import_steps.mean_motion import follow_means
from flexwheel.extensions.formats.import_steps.mesh_materials import assign, split_by_material
from flexwheel.extensions.formats.import_steps.mesh_springs import springs_of, without_lost_springs
from flexwheel.extensions.formats.import_steps.mesh_ties import build_ties, links_of
from flexwheel.extensions.formats.import_steps.rigid_sets import merge_rigid_sets
from flexwheel.extensions.formats.import_steps.shell_solids import expand_shells
from flexwheel.extensions.formats.kept_mesh import kept_mesh
from flexwheel.extensions.formats.raw_mesh import RawMesh


def read_scanned(
    scan: Callable[[Path], RawMesh], path: Path, materials, length_unit: str, ignore: Sequence[str], tied: Sequence[str]
) -> tuple[Mesh, tuple[str, ...]]:
    """Mesh and audit of what a scan finds in a file, as of `read_mesh`; from the disk where it was read before."""
    started, made = time.perf_counter(), []

    def make():
        made.append(True)
        return _read(scan, path, materials, length_unit, ignore, tied)

    asked = materials, length_unit, tuple(ignore), tuple(tied)
    mesh, audit = kept_mesh(path, asked, [__file__, inspect.getfile(scan)], make)
    kept = "" if made else ", as kept from an earlier one"
    return mesh, (*audit, f"import took {time.perf_counter() - started:.2f} s{kept}")


def _read(scan, path, materials, length_unit, ignore, tied):
    """Mesh and audit but for its last line, of a file."""
    raw = scan(path)
    if raw.length_unit not in ("", length_unit):
        raise MeshError(
            f"{path}: the file is in {raw.length_unit}, length_unit (mesh_unit, --unit) must be '{raw.length_unit}', "
            f"got '{length_unit}'"
        )
    mesh, notes = build_mesh(path, raw, materials, length_unit, ignore, tied)
    audit = [f"{path.name}: {raw.format}, {len(raw.node_ids)} nodes"]
    audit += [f"unit of length: {length_unit}", *raw.notes]
    return mesh, (*audit, *notes, *describe(mesh))


def build_mesh(
    path: Path, raw: RawMesh, materials: Material | Mapping[str, Material] | None, length_unit: str, ignore=(), tied=()
) -> tuple[Mesh, list[str]]:
    """Checked mesh in SI from what a scan found, and notes on what was changed."""
    elements, of_collapsed = proper_elements(path, raw.elements)
    raw, of_shells = expand_shells(path, replace(raw, elements=elements))
    raw, of_beams = frame_beams(path, raw)
    raw = follow_means(merge_rigid_sets(raw))
    mesh_checks.check_ids(path, raw)
    raw, of_springs = without_lost_springs(raw)
    raw, told = judge_content(path, raw, ignore, tied)
    for elements in raw.elements:
        mesh_checks.check_copies(path, elements)
    cells = [mesh_checks.rows_of(path, raw, e) for e in raw.elements]
    used = np.zeros(len(raw.node_ids), dtype=bool)
    for rows in cells:
        used[rows] = True
    used |= np.isin(raw.node_ids, raw.held_nodes())
    keep, notes = mesh_checks.drop_orphans(path, raw, used)
    notes = told + of_springs + of_collapsed + of_shells + of_beams + notes
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
    order = np.argsort(raw.node_ids[keep])
    links += [order[np.searchsorted(raw.node_ids[keep], b.frames.reshape(-1, 6), sorter=order)] for b in raw.beams]
    mesh_checks.check_connected(path, raw.node_ids[keep], nodes, links)
    solids = sum(len(b.ids) for b in blocks)
    element_ids = np.concatenate([*(b.ids for b in blocks), *(b.ids for b in raw.beams)])
    raw, note = mesh_checks.kept_sets(path, raw, raw.node_ids[keep], element_ids)
    table, material_rows, more = assign(path, raw, element_ids, LENGTH_UNITS[length_unit], materials)
    sets = _node_rows(raw, raw.node_ids[keep])
    masses, carried = attached_masses(raw, raw.node_ids[keep], LENGTH_UNITS[length_unit])
    springs, sprung = springs_of(raw, raw.node_ids[keep], LENGTH_UNITS[length_unit])
    of_beam = [table[k] for k in material_rows[solids:]] if table else []
    beams = beams_of(path, raw, raw.node_ids[keep], nodes, of_beam, LENGTH_UNITS[length_unit])
    mesh = Mesh(nodes, raw.node_ids[keep], tuple(blocks), (), sets, raw.element_sets, masses, ties, springs, beams)
    return split_by_material(mesh, table, material_rows[:solids]), notes + tied + note + more + carried + sprung


def describe(mesh: Mesh) -> list[str]:
    """Lines of the audit on the mesh as imported: counts, sets, extents, mass properties."""
    kinds: dict[str, int] = {}
    for block in mesh.blocks:
        kinds[block.kind] = kinds.get(block.kind, 0) + len(block.ids)
    if mesh.beams is not None:
        kinds["beams"] = len(np.unique(mesh.beams.ids))
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
        (f"volume: {body.volume:.9g} m3, centre" if mesh.blocks else "mass centre:") + f" {_vector(body.centre)} m",
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
