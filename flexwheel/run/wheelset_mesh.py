"""Mesh of a flexible wheelset of a scenario, as it is imported."""

from collections import deque
from pathlib import Path

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material, Mesh
from flexwheel.body.mesh_format import read_mesh

MOST_KEPT = 25e6  # [byte] of a file whose mesh is kept: `check`, run and several wheelsets read it once
_read = deque(maxlen=2)  # (identity, mesh and audit)
MATERIAL_KEYS = ("youngs_modulus_pa", "poissons_ratio", "density_kg_m3")


def wheelset_mesh(name, section, accepted=(), option=None) -> tuple[Mesh, tuple[str, ...]]:
    """Mesh of a wheelset section, its axle along y, and the audit of its import.

    Parameters
    ----------
    name : str
    section : WheelsetSection
    accepted : sequence of str         names of disagreements.py that are meant
    option : function(key), optional   what messages call a key of the section; default wheelset.NAME.KEY
    """
    from flexwheel.body.axle_line import DEFAULT_SETS
    from flexwheel.body.place_wheelset import place_wheelset
    from flexwheel.body.press_fit import tie_rows

    option = option or (lambda key: f"wheelset.{name}.{key}")
    key = _identity(section, accepted)
    if (known := dict(_read).get(key)) is not None:
        return known
    mesh, audit = mesh_of(section, option, [fit.pair for fit in section.press_fits])
    for word in ("interface_sets", "tread_sets"):
        for wanted in getattr(section, word) or ():
            if wanted not in mesh.node_sets:
                known = ", ".join(mesh.node_sets) or "none"
                raise MeshError(f"{option(word)}: {section.mesh} has no node set {wanted!r}; it has: {known}")
    for fit in section.press_fits:
        tie_rows(mesh, fit.pair)
    given = tuple(pair for pair in (section.interface_sets, section.tread_sets) if pair)
    middle = 0.0 if section.axle_axis == "y" else None
    try:
        mesh, placed = place_wheelset(mesh, section.axle_axis, middle, given + DEFAULT_SETS, tuple(accepted))
    except MeshError as error:
        raise MeshError(f"{section.mesh}: {error}") from None
    found = mesh, (*audit, *placed)
    if key is not None:
        _read.append((key, found))
    return found


def mesh_of(section, option, tied=()) -> tuple[Mesh, tuple[str, ...]]:
    """Mesh of a section of MeshKeys as its file has it, with a material, and the audit; option as `wheelset_mesh`."""
    mesh, audit = read_mesh(
        section.mesh,
        materials=_material(section, option),
        length_unit=section.mesh_unit,
        ignore=section.ignore,
        tied=tied,
    )
    if not mesh.materials:
        keys = ", ".join(option(key) for key in MATERIAL_KEYS)
        raise MeshError(f"{section.mesh}: no material in the file; give {keys}")
    return mesh, audit


def _identity(section, accepted):
    """What a mesh as imported depends on; None where the file is large or cannot be looked at."""
    try:
        stat = Path(section.mesh).stat()
    except OSError:
        return None
    if stat.st_size > MOST_KEPT:
        return None
    keys = [
        getattr(section, key)
        for key in (*MATERIAL_KEYS, "mesh_unit", "ignore", "interface_sets", "tread_sets", "press_fits")
    ]
    file = str(Path(section.mesh).resolve()), stat.st_mtime_ns, stat.st_size, stat.st_ino
    return repr((file, keys, section.axle_axis, tuple(accepted)))


def _material(section, option):
    given = [getattr(section, key) for key in MATERIAL_KEYS]
    if all(value is None for value in given):
        return None
    if any(value is None for value in given):
        raise MeshError(f"give {', '.join(option(key) for key in MATERIAL_KEYS)} together, or none of them")
    return Material(*given, name="scenario")
