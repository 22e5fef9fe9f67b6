"""Which element is of which material: the file's sections, one material for all, or one for each element set."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material, Mesh
from flexwheel.extensions.formats.raw_mesh import RawMesh

_STIFFNESS = 1e6, 2e12  # [Pa] between which Young's modulus of an engineering solid lies
_DENSITY = 10.0, 3e4  # [kg/m3]


def assign(
    path: Path, raw: RawMesh, ids: np.ndarray, scale: float, given: Material | Mapping[str, Material] | None
) -> tuple[tuple[Material, ...], np.ndarray, list[str]]:
    """Table of materials, row of each element (-1 without), and notes; ids (E,) of all elements, scale [m/unit]."""
    own, rows, notes = _from_file(path, raw, ids, strict=given is None)
    table = own
    if given is not None:
        table, rows = _given(str(path), raw.element_sets, ids, rows, own, given)
        notes.append(
            "material given from outside" + (", that of the file is not used" if own and table[0] is given else "")
        )
    kept = [any(material is one for one in own) for material in table]
    table = tuple(_in_si(path, m, scale) if of_file else m for m, of_file in zip(table, kept, strict=True))
    if scale != 1.0 and any(kept):
        notes.append("materials of the file taken as newton and file length unit, converted to Pa and kg/m3")
    if not table:
        notes.append("no material in the file and none given")
    for k, material in enumerate(table):
        notes.append(
            f"material {material.name}: E = {material.youngs_modulus:.6g} Pa, nu = {material.poissons_ratio:.6g}, "
            f"density = {material.density:.6g} kg/m3, {int((rows == k).sum())} elements"
        )
    return table, rows, notes


def split_by_material(mesh: Mesh, table: tuple[Material, ...], rows: np.ndarray) -> Mesh:
    """Blocks of one kind and one material each; rows (E,) material of the elements in block order."""
    blocks, start = [], 0
    for block in mesh.blocks:
        own = rows[start : start + len(block.ids)]
        start += len(block.ids)
        for k in np.unique(own) if table else [0]:
            pick = own == k if table else slice(None)
            blocks.append(
                replace(block, connectivity=block.connectivity[pick], ids=block.ids[pick], material=max(int(k), 0))
            )
    return replace(mesh, blocks=tuple(blocks), materials=table)


def _from_file(path: Path, raw: RawMesh, ids: np.ndarray, strict: bool):
    """Materials of the file's sections in its units; with `strict`, elements left without one are an error."""
    rows, table, notes = np.full(len(ids), -1), [], []
    names: list[str] = []
    for members, name in raw.sections:
        if name not in raw.materials:
            if not strict:
                continue
            raise MeshError(f"{path}: a section names material '{name}', which is not defined")
        material = raw.materials[name]
        if material is None:
            continue
        if name not in names:
            names.append(name)
            table.append(material)
        rows[np.isin(ids, members)] = names.index(name)
    if not table:
        if raw.materials:
            notes.append(f"materials of the file not assigned to elements: {', '.join(raw.materials)}")
        return (), rows, notes
    if strict and (rows < 0).any():
        bare = ids[rows < 0]
        raise MeshError(f"{path}: {len(bare)} elements have no material (first: element {bare.min()})")
    return tuple(table), rows, notes


def _given(source, element_sets, ids, rows, table, given):
    """Table and rows with the materials given from outside."""
    if isinstance(given, Material):
        _check(source, given)
        return (given,), np.zeros(len(ids), dtype=int)
    rows, table, done = rows.copy(), list(table), np.zeros(len(ids), dtype=bool)
    for name, material in given.items():
        if name not in element_sets:
            known = ", ".join(element_sets) or "none"
            raise MeshError(f"{source}: no element set '{name}' to give a material to; the file has: {known}")
        _check(source, material)
        inside = np.isin(ids, element_sets[name])
        if (inside & done).any():
            raise MeshError(f"{source}: element {ids[inside & done].min()} gets two materials (again in set '{name}')")
        done |= inside
        rows[inside] = len(table)
        table.append(material)
    if (rows < 0).any():
        raise MeshError(
            f"{source}: {int((rows < 0).sum())} elements are in none of the sets {', '.join(given)} and have no "
            f"material (first: element {ids[rows < 0].min()})"
        )
    used = np.unique(rows)
    return tuple(table[k] for k in used), np.searchsorted(used, rows)


def _check(source: str, material: Material) -> None:
    """Refuse numbers no elastic solid has."""
    for label, value in (("E", material.youngs_modulus), ("density", material.density)):
        if not (np.isfinite(value) and value > 0):
            raise MeshError(f"{source}: material '{material.name}': {label} must be a positive number, got {value}")
    if not -1 < material.poissons_ratio < 0.5:
        raise MeshError(f"{source}: material '{material.name}': nu must be -1 to 0.5, got {material.poissons_ratio}")


def _in_si(path: Path, material: Material, scale: float) -> Material:
    """Material of the file in Pa and kg/m3: force unit newton, length unit `scale` m, mass unit N s2 / length."""
    si = replace(material, youngs_modulus=material.youngs_modulus / scale**2, density=material.density / scale**4)
    _check(str(path), si)
    for label, value, unit, (low, high) in (
        ("E", si.youngs_modulus, "Pa", _STIFFNESS),
        ("density", si.density, "kg/m3", _DENSITY),
    ):
        if not low <= value <= high:
            raise MeshError(
                f"{path}: material '{material.name}': {label} = {value:.6g} {unit} cannot be; the file's units do not "
                "fit length_unit: give the material from outside"
            )
    return si
