"""Modes, their stress and the residual on the outer surface, in body axes: what pictures of the wheelset need."""

import numpy as np

from flexwheel.body.control_rings import Ring, section_axes, turned_stress
from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import Revolution, elements_around, submesh
from flexwheel.body.stress import nodal_stress, stress_rows
from flexwheel.body.surface import outer_surface
from flexwheel.body.truncation_residual import residual_fields


def surface_rings(mesh: Mesh, revolution: Revolution) -> tuple[list[Ring], np.ndarray]:
    """Rings that make up the surface of a mesh of revolution, and its nodes on the axle."""
    surface = outer_surface(mesh)
    orbits = np.flatnonzero(np.isin(revolution.ring[0], surface.node_rows))
    rings = [Ring("", int(revolution.ring[0, k]), 0, revolution.ring[:, k]) for k in orbits]
    return rings, revolution.axis[np.isin(revolution.axis, surface.node_rows)]


def spread_over_rings(
    mesh: Mesh, rings: list[Ring], rows: np.ndarray, angle: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Displacement (N, 3, m) and stress (N, 6, m), body axes, zero off the rings; rows (C, S, 9, m) section frames."""
    displacement = np.zeros((len(mesh.nodes), 3, rows.shape[-1]), dtype=np.float32)
    stress = np.zeros((len(mesh.nodes), 6, rows.shape[-1]), dtype=np.float32)
    nodes = np.array([ring.nodes for ring in rings])
    for s, a in enumerate(angle):
        turn = section_axes(a)
        displacement[nodes[:, s]] = turn @ rows[:, s, :3]
        stress[nodes[:, s]] = turned_stress(turn) @ rows[:, s, 3:]
    return displacement, stress


def stress_at(mesh: Mesh, nodes: np.ndarray, shapes: np.ndarray, options) -> np.ndarray:
    """Averaged stress (n, 6, m) at a few nodes under fields (N, 3, m), body axes."""
    if len(nodes) == 0:
        return np.zeros((0, 6, shapes.shape[2]))
    around, used = submesh(mesh, elements_around(mesh, nodes))
    rows = stress_rows(around, np.searchsorted(used, nodes), options)
    return (rows @ shapes[used].reshape(3 * len(used), -1)).reshape(len(nodes), 6, -1)


def stress_everywhere(mesh: Mesh, shapes: np.ndarray, options) -> np.ndarray:
    """Averaged nodal stress (N, 6, m) of fields (N, 3, m)."""
    return nodal_stress(mesh, shapes.reshape(mesh.dof_count, -1), options).astype(np.float32)


def cyclic_surface(mesh, modal, rings, on_axle, rows, residual, centrifugal, angle, options) -> dict:
    """Tables of `surface_modes` from the rows of the rings and their residual, that of the last rings of all."""
    _, stress = spread_over_rings(mesh, rings, rows, angle)
    stress[on_axle] = stress_at(mesh, on_axle, modal.shapes, options.formulation)
    tables = {"stress_rows": stress}
    if options.residual:
        loads = [table[-len(rings) :] for table in (residual.tread, residual.interface, centrifugal)]
        flat = np.concatenate([load.reshape(*load.shape[:3], -1) for load in loads], axis=-1)
        tables["load_displacement"], tables["load_stress"] = spread_over_rings(mesh, rings, flat, angle)
    return tables


def general_surface(mesh, modal, general, treads, spun, fitted, options) -> dict:
    """Tables of `surface_modes` at all nodes."""
    tables = {"stress_rows": stress_everywhere(mesh, modal.shapes, options.formulation)}
    if options.press_fits:
        tables["prestress"] = stress_everywhere(mesh, fitted[..., None], options.formulation)[..., 0]
    if options.residual:
        field = np.concatenate([residual_fields(mesh, general, treads), spun], axis=-1)
        tables["load_displacement"] = field
        tables["load_stress"] = stress_everywhere(mesh, field, options.formulation)
    return tables
