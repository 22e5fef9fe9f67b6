"""A flexible body of a vehicle that does not spin, a bogie frame or car body, from a mesh with attachments.

Free modes of the whole mesh up to a frequency; beside them the static responses of the free body to unit loads on the
attachments, balanced by its inertia, so that its compliance there is that of the mesh. Body frame: origin in the mass
centre, axes of the mesh (x forward, y left, z up).

Source: Craig, Chang 1977, AIAA Dynamics Specialist Conference, paper 77-405 (inertia-relief attachment modes).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import ConvergenceError, MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.attached_mass import attached_matrix, mass_points, with_points
from flexwheel.body.coupling import COUPLINGS
from flexwheel.body.craig_bampton import ModeChoice
from flexwheel.body.digest import reduction_key
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.free_surface import free_surface
from flexwheel.body.general_modes import general_modes
from flexwheel.body.interfaces import attachment_of, nodes_of_set
from flexwheel.body.invariants import mass_centre_inertia, scalar_mass_matrix
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import MARKED, FlexibleBody
from flexwheel.body.reduction_memory import require_reduction_memory
from flexwheel.body.stress_error import node_stress_rows, relative_error, stress_error_rows, stress_warning

LOOSE = 1e-3
"""[Hz] frequency beside the rigid motions below which a part hangs loose; rounding gives 1e-5, no body has less."""
LOOSE_PART = "the mesh has a part that moves freely"
HOLD_IT = "(a hinge, or a beam that turns about the normal of a shell): hold it by a rigid set of three nodes or more"


@dataclass(frozen=True)
class BodyOptions:
    """Choices of a reduction; all enter the key."""

    attachments: Mapping[str, str]  # name -> node set of the mesh
    points: Mapping[str, int] = field(default_factory=dict)  # name -> node id: where motion and stress are wanted
    modes_up_to_hz: float = 100.0
    damping_ratio: float = 0.01
    coupling: str = "averaging"  # | "rigid"
    formulation: FormulationOptions = field(default_factory=FormulationOptions)

    def __post_init__(self):
        if self.coupling not in COUPLINGS:
            raise MeshError(f"coupling must be one of {', '.join(COUPLINGS)}, got {self.coupling!r}")
        if not self.attachments:
            raise MeshError("attachments must name at least one node set at which the body is held, got none")


def reduce_body(mesh: Mesh, options: BodyOptions, name: str = "body", say=lambda line: None) -> FlexibleBody:
    """Reduced flexible body.

    Parameters
    ----------
    mesh : Mesh                  x forward, y left, z up; anywhere in space
    options : BodyOptions
    say : callable(str)          told of each longer part

    Raises
    ------
    MeshError                    no such set or node; rigid coupling of an attachment that is no face; a loose part
    ConvergenceError             an eigenvalue problem failed

    Verified in tests/verification/test_flexible_body_verified.py.
    """
    interfaces = tuple(
        attachment_of(mesh, label, nodes_of_set(mesh, members), options.coupling)
        for label, members in options.attachments.items()
    )
    nodes = np.array([_row(mesh, label, node) for label, node in options.points.items()], dtype=np.int64)
    require_reduction_memory(mesh, None, options.modes_up_to_hz)
    say(f"stiffness and mass of {len(mesh.nodes)} nodes")
    stiffness, mass = assemble(mesh, options.formulation)
    say(f"modes of {mesh.dof_count} unknowns by the sparse solver")
    choice = ModeChoice(None, options.modes_up_to_hz, 0.0)
    try:
        modal, _ = general_modes(mesh, stiffness, mass, interfaces, options.coupling, choice, of_free_body=True)
    except ConvergenceError as error:
        if "not positive definite" not in str(error):
            raise
        raise MeshError(f"{LOOSE_PART} {HOLD_IT}") from error
    if modal.frequency[0] < LOOSE:
        node = mesh.node_ids[np.argmax(np.linalg.norm(modal.shapes[..., 0], axis=1))]
        raise MeshError(f"{LOOSE_PART}, most at node {node} {HOLD_IT}")
    own = scalar_mass_matrix(mass - attached_matrix(mass_points(mesh)) if mesh.has_points else mass)
    scalar_mass, positions, moved = with_points(mesh, own, modal.shapes)
    total, centre, inertia = mass_centre_inertia(scalar_mass, positions)
    count = len(modal.frequency)
    weighted = (scalar_mass @ moved.reshape(len(moved), -1)).reshape(len(moved), 3 * count)
    rows = [i.average @ modal.shapes[i.nodes].reshape(-1, count) for i in interfaces]
    still = np.zeros((3, count))
    rows += [np.vstack([modal.shapes[node], still]) for node in nodes]
    surface, flat = free_surface(mesh, np.concatenate([i.nodes for i in interfaces])), modal.shapes.reshape(-1, count)
    stress, error = (
        (rows_of(mesh, nodes, options.formulation, surface) @ flat).reshape(-1, 6, count)
        for rows_of in (node_stress_rows, stress_error_rows)
    )
    free = int((modal.frequency < options.modes_up_to_hz).sum())
    audit = [
        f"attachment {i.name}: {len(i.nodes)} nodes, {options.coupling} coupling, at "
        + ", ".join(f"{x:.4g}" for x in i.centre - centre)
        + " m from the mass centre"
        for i in interfaces
    ]
    audit += [
        f"WARNING: attachment {i.name} is no face: the elements around its nodes turn it, and the compliance of a "
        "point or line grows as elements get smaller: take three nodes or more, of the part that is held"
        for i in interfaces
        if i.turned_by_elements
    ]
    unit = np.concatenate([r[:3] for r in rows[: len(interfaces)]]) / (2.0 * np.pi * modal.frequency) ** 2
    errors = relative_error(*(np.moveaxis(part @ unit.T, 1, -1) for part in (stress, error)))
    corners = surface.turn_at(nodes)
    audit += [
        f"WARNING: point {label}: {stress_warning(size, corner)}"
        for label, size, corner in zip(options.points, errors, corners, strict=True)
        if corner > 0.0 or size > MARKED
    ]
    audit.append(
        f"modes: {count}, {free} below {options.modes_up_to_hz:g} Hz (the first at "
        + ", ".join(f"{f:.4g}" for f in modal.frequency[:6])
        + f" Hz), the others static shapes of {len(interfaces)} attachments"
    )
    return FlexibleBody(
        name=name,
        key=reduction_key(mesh, options),
        mass=total,
        centre=centre,
        inertia=inertia,
        frequency_hz=modal.frequency,
        damping_ratio=np.full(count, options.damping_ratio),
        s_h=weighted.sum(axis=0).reshape(3, count),
        p_xh=((positions - centre).T @ weighted).reshape(3, 3, count),
        place_name=(*options.attachments, *options.points),
        attachments=len(interfaces),
        place=np.array([*(i.centre for i in interfaces), *mesh.nodes[nodes]]) - centre,
        place_rows=np.array(rows),
        stress_rows=stress,
        stress_error=errors,
        corner=corners,
        complete_hz=options.modes_up_to_hz,
        audit=tuple(audit),
    )


def _row(mesh, label, node):
    found = np.flatnonzero(mesh.node_ids == node)
    if not len(found):
        raise MeshError(f"point {label}: the mesh has no node {node}")
    return int(found[0])
