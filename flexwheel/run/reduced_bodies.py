"""Reduced bodies of the flexible wheelsets: mesh imported, then taken from the cache or made anew.

What reduces a mesh is imported where one is: a vehicle with rigid wheelsets starts without it."""

from dataclasses import dataclass

from flexwheel.base.errors import MeshError
from flexwheel.body.control_node import ControlNode
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import WARNING
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.body.tread import TreadOptions
from flexwheel.run.wheelset_mesh import wheelset_mesh

ELEMENTS = {"default": {}, "full": {"hex8": "full", "hex20": "full", "wedge6": "full"}}


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
            body, unkept = reduced_body(mesh, section, name, say)
        except MeshError as error:
            raise MeshError(f"wheelset.{name}: {section.mesh}: {error}") from None
        result[name] = FlexibleWheelset(name, body, (*audit, *unkept), len(mesh.nodes), mesh.element_count)
    return result


def reduced_body(mesh, section, name="wheelset", say=None):
    """(ReducedBody, warnings) of an imported mesh.

    A warning says that the cache cannot be used: then every run reduces the mesh again.
    """
    from flexwheel.body.body_cache import cached_body

    warnings = []

    def tell(line):
        if line.startswith("cache "):
            warnings.append(WARNING + line)
        if say is not None:
            say(line)

    return cached_body(mesh, reduction_options(section), name, tell), tuple(warnings)


def body_and_surface(name, section, accepted=(), say=None):
    """(ReducedBody, SurfaceModes) of one wheelset section, for pictures: the mesh is read once."""
    from flexwheel.body.body_cache import cached_body, cached_surface

    mesh, options = wheelset_mesh(name, section, accepted)[0], reduction_options(section)
    return cached_body(mesh, options, name, say), cached_surface(mesh, options, name, say)


def reduction_options(section):
    """ReductionOptions that a wheelset section states."""
    from flexwheel.body.press_fit import PressFit
    from flexwheel.body.reduce import ReductionOptions

    return ReductionOptions(
        fixed_interface_modes=section.fixed_interface_modes,
        modes_up_to_hz=section.modes_up_to_hz,
        exact_below_hz=section.exact_below_hz,
        damping_ratio=section.damping_ratio,
        coupling=section.coupling,
        interfaces=section.interface_sets or section.interfaces,
        route=section.route,
        formulation=FormulationOptions(**ELEMENTS[section.element], mass=section.mass),
        tread=_tread_options(section),
        control=tuple(ControlNode(node.name or "", node.id, node.position_m) for node in section.control_nodes),
        control_tolerance=1e-3 * section.control_node_tolerance_mm,
        submodel=section.submodel,
        press_fits=tuple(PressFit(fit.pair, 1e-3 * fit.interference_mm) for fit in section.press_fits),
    )


def _tread_options(section):
    """TreadOptions of a wheelset section."""
    lateral = None if section.tread_datum_mm is None else 1e-3 * section.tread_datum_mm
    sets = {} if section.tread_sets is None else {"sets": section.tread_sets}
    return TreadOptions(**sets, lateral=lateral)
