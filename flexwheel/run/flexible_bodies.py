"""Flexible bodies of a scenario that are no wheelsets: of a mesh, taken from the cache or made anew, or of matrices."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import FlexwheelError, MeshError, ScenarioError
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import WARNING
from flexwheel.body.reduced_body import FlexibleBody
from flexwheel.run.reduced_bodies import ELEMENTS
from flexwheel.run.wheelset_mesh import mesh_of

SAME = 0.01  # relative difference of mass and inertia of mesh and vehicle file that is none
_read = deque(maxlen=8)  # (identity, FlexibleUnit)


@dataclass(frozen=True)
class FlexibleUnit:
    """A flexible body of a scenario as imported and reduced."""

    name: str
    body: FlexibleBody
    reach: float  # [m] from the end of a force element to its attachment
    audit: tuple[str, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Lines of the audit that a run repeats."""
        return tuple(f"body {self.name}: {x.removeprefix(WARNING)}" for x in self.audit if x.startswith(WARNING))


def flexible_bodies(scenario, vehicle, say=lambda line: None) -> dict[str, FlexibleUnit]:
    """FlexibleUnit of every `body` section, by name.

    Raises
    ------
    ScenarioError, MeshError      a body that the vehicle has not, sets or nodes that the mesh has not
    """
    found = {}
    for name, section in scenario.body.items():
        require_body(name, vehicle)
        found[name] = flexible_unit(name, section, say)
    return found


def flexible_unit(name, section, say=lambda line: None) -> FlexibleUnit:
    """FlexibleUnit of one `body` section; the last ones are kept."""
    key = _identity(name, section)
    if (known := dict(_read).get(key)) is None:
        try:
            known = _made(name, section, say)
        except FlexwheelError as error:
            raise type(error)(f"body.{name}: {error}") from None
        _read.append((key, known))
    return known


def require_body(name, vehicle):
    """Refuse a name that no body of the vehicle has."""
    if name not in vehicle.bodies:
        raise ScenarioError(
            f"body.{name} must name a body of the vehicle {vehicle.name} ({', '.join(vehicle.bodies) or 'none'}), got "
            f"{name!r}"
        )


def check_body(name, section) -> list[str]:
    """Warnings of a section; its mesh is read, nothing is reduced."""
    if section.matrices:
        return [f"body {name}: {x.removeprefix(WARNING)}" for x in of_matrices(name, section).audit if WARNING in x]
    mesh, audit = mesh_of(section, lambda key: f"body.{name}.{key}")
    body_options(mesh, section)
    for label, members in attachments_of(section).items():
        if members not in mesh.node_sets:
            known = ", ".join(mesh.node_sets) or "none"
            raise MeshError(
                f"body.{name}.attachments.{label}: {section.mesh} has no node set {members!r}; it has: {known}"
            )
    return [f"body {name}: {line.removeprefix(WARNING)}" for line in audit if line.startswith(WARNING)]


def body_options(mesh, section):
    """BodyOptions of the reduction that a section states."""
    from flexwheel.body.flexible_body import BodyOptions

    points = {}
    for number, node in enumerate(section.control_nodes, 1):
        if node.id is None and node.position_m is None:
            raise MeshError(f"control_nodes: {node.name!r} must have an id or position_m")
        row = np.argmin(np.linalg.norm(mesh.nodes - (node.position_m or 0.0), axis=1))
        points[node.name or f"node {number}"] = int(mesh.node_ids[row]) if node.id is None else node.id
    return BodyOptions(
        attachments_of(section), points, section.modes_up_to_hz, section.damping_ratio, section.coupling,
        FormulationOptions(**ELEMENTS[section.element], mass=section.mass),
    )  # fmt: skip


def attachments_of(section):
    """Attachment -> node set, or node ids, or name in the file of matrices."""
    return {name: attachment.set or attachment.nodes for name, attachment in section.attachments.items()}


def of_matrices(name, section) -> FlexibleBody:
    """FlexibleBody of a section with matrices."""
    from flexwheel.body.matrix_format import read_matrices
    from flexwheel.body.reduce_superelement import MatrixOptions, reduce_superelement

    files = ", ".join(Path(file).name for file in section.matrices)
    held = [(a.nodes[0], a.position_m) for a in section.attachments.values() if a.position_m is not None]
    held += [(n.id, n.position_m) for n in section.control_nodes if n.id is not None and n.position_m is not None]
    body = read_matrices(section.matrices, section.mesh_unit, dict(held))
    held = attachments_of(section) or {label: label for label in body.attachments}
    if not held:
        raise MeshError(f"attachments must be given: {files} names none")
    nodes = {}
    for label, members in held.items():
        if isinstance(members, str):
            if members not in body.attachments:
                known = ", ".join(body.attachments) or "none"
                raise MeshError(f"attachments.{label}: {files} has no attachment {members!r}; it has: {known}")
            members = (body.attachments[members],)
        nodes[label] = members
    points = {}
    for number, node in enumerate(section.control_nodes, 1):
        if node.id is None and (node.name is None or node.position_m is not None):
            raise MeshError(f"control_nodes: number {number} must have an id, or be the name of a point of {files}")
        points[node.name or f"node {number}"] = node.name if node.id is None else node.id
    return reduce_superelement(body, MatrixOptions(nodes, points, section.modes_up_to_hz, section.damping_ratio), name)


def taken_from_mesh(vehicle_body, unit) -> list[str]:
    """Lines on mass and inertia of a mesh that are not those of the vehicle file, whose place they take."""
    keys = ("mass_kg", "roll_inertia_kg_m2", "pitch_inertia_kg_m2", "yaw_inertia_kg_m2")
    of_mesh = dict(zip(keys, (unit.body.mass, *np.diag(unit.body.inertia)), strict=True))
    off = [
        f"{k} {of_mesh[k]:.6g}, not {vehicle_body[k]:.6g}" for k in keys if abs(of_mesh[k] / vehicle_body[k] - 1) > SAME
    ]
    return [f"body {unit.name}: of its mesh or matrices, in place of the vehicle file: {', '.join(off)}"] if off else []


def _made(name, section, say):
    if section.matrices:
        body = of_matrices(name, section)
        return FlexibleUnit(name, body, 1e-3 * section.attachment_reach_mm, body.audit)
    from flexwheel.body.body_cache import cached_flexible

    mesh, audit = mesh_of(section, lambda key: f"body.{name}.{key}")
    lines = []

    def tell(line):
        if line.startswith("cache "):
            lines.append(WARNING + line)
        say(f"{name}: {line}")

    body = cached_flexible(mesh, body_options(mesh, section), name, tell)
    return FlexibleUnit(name, body, 1e-3 * section.attachment_reach_mm, (*audit, *lines, *body.audit))


def _identity(name, section):
    stats = [Path(file).stat() for file in section.matrices or (section.mesh,)]
    return repr((name, section.model_dump(), [(stat.st_mtime_ns, stat.st_size) for stat in stats]))
