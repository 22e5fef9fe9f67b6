"""Reduced bodies of the flexible wheelsets: mesh imported, then taken from the cache or made anew."""

from dataclasses import dataclass

from flexwheel.errors import MeshError
from flexwheel.fe.control_rings import ControlNode
from flexwheel.fe.formulation import FormulationOptions
from flexwheel.fe.mesh import Material, Mesh
from flexwheel.fe.reduce import ReductionOptions
from flexwheel.fe.reduced_body import ReducedBody
from flexwheel.fe.tread import TreadOptions
from flexwheel.io.axle_line import DEFAULT_SETS
from flexwheel.io.body_cache import cached_body, cached_surface
from flexwheel.io.lost_content import WARNING
from flexwheel.io.mesh_import import read_mesh
from flexwheel.io.place_wheelset import place_wheelset

MATERIAL_KEYS = ("youngs_modulus_pa", "poissons_ratio", "density_kg_m3")
ELEMENTS = {"default": {}, "full": {"hex8": "full", "hex20": "full"}}


@dataclass(frozen=True)
class FlexibleWheelset:
    """A flexible wheelset of a scenario as imported and reduced."""

    name: str
    body: ReducedBody
    audit: tuple[str, ...]  # of the import
    nodes: int
    elements: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """Lines of both audits that a run repeats."""
        lines = (*self.audit, *self.body.audit)
        return tuple(f"wheelset {self.name}: {x.removeprefix(WARNING)}" for x in lines if x.startswith(WARNING))


def flexible_wheelsets(scenario, say=None):
    """FlexibleWheelset of every wheelset with formulation = "flexible", by name.

    Parameters
    ----------
    scenario : Scenario
    say : callable(str), optional       told of each longer part
    """
    sections = {name: part for name, part in scenario.wheelset.items() if part.formulation == "flexible"}
    meshes = {
        name: wheelset_mesh(name, part, scenario.accept) for name, part in sections.items()
    }  # all read before one is reduced
    result = {}
    for name, section in sections.items():
        mesh, audit = meshes.pop(name)
        try:
            body = cached_body(mesh, reduction_options(section), name, say)
        except MeshError as error:
            raise MeshError(f"wheelset.{name}: {section.mesh}: {error}") from None
        result[name] = FlexibleWheelset(name, body, audit, len(mesh.nodes), mesh.element_count)
    return result


def surface_of(name, section, say=None):
    """SurfaceModes of one wheelset section, for pictures."""
    mesh, _ = wheelset_mesh(name, section)
    return cached_surface(mesh, reduction_options(section), name, say)


def wheelset_mesh(name, section, accepted=(), option=None) -> tuple[Mesh, tuple[str, ...]]:
    """Mesh of a wheelset section, its axle along y, and the audit of its import.

    Parameters
    ----------
    name : str
    section : WheelsetSection
    accepted : sequence of str         names of disagreements.py that are meant
    option : function(key), optional   what messages call a key of the section; default wheelset.NAME.KEY
    """
    option = option or (lambda key: f"wheelset.{name}.{key}")
    mesh, audit = read_mesh(
        section.mesh, materials=_material(section, option), length_unit=section.mesh_unit, ignore=section.ignore
    )
    if not mesh.materials:
        keys = ", ".join(option(key) for key in MATERIAL_KEYS)
        raise MeshError(f"{section.mesh}: no material in the file; give {keys}")
    for key in ("interface_sets", "tread_sets"):
        for wanted in getattr(section, key) or ():
            if wanted not in mesh.node_sets:
                known = ", ".join(mesh.node_sets) or "none"
                raise MeshError(f"{option(key)}: {section.mesh} has no node set {wanted!r}; it has: {known}")
    given = tuple(pair for pair in (section.interface_sets, section.tread_sets) if pair)
    middle = 0.0 if section.axle_axis == "y" else None
    try:
        mesh, placed = place_wheelset(mesh, section.axle_axis, middle, given + DEFAULT_SETS, tuple(accepted))
    except MeshError as error:
        raise MeshError(f"{section.mesh}: {error}") from None
    return mesh, (*audit, *placed)


def _material(section, option):
    given = [getattr(section, key) for key in MATERIAL_KEYS]
    if all(value is None for value in given):
        return None
    if any(value is None for value in given):
        raise MeshError(f"give {', '.join(option(key) for key in MATERIAL_KEYS)} together, or none of them")
    return Material(*given, name="scenario")


def reduction_options(section) -> ReductionOptions:
    """Options of the reduction that a wheelset section states."""
    return ReductionOptions(
        fixed_interface_modes=section.fixed_interface_modes,
        modes_up_to_hz=section.modes_up_to_hz,
        exact_below_hz=section.exact_below_hz,
        damping_ratio=section.damping_ratio,
        coupling=section.coupling,
        interfaces=section.interface_sets or section.interfaces,
        route=section.route,
        formulation=FormulationOptions(**ELEMENTS[section.element], mass=section.mass),
        tread=TreadOptions() if section.tread_sets is None else TreadOptions(sets=section.tread_sets),
        control=tuple(ControlNode(node.name or "", node.id, node.position_m) for node in section.control_nodes),
        control_tolerance=1e-3 * section.control_node_tolerance_mm,
    )
