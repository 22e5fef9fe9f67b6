"""Modes, their stress and the residual on the outer surface, in body axes: what pictures of the wheelset need."""

import numpy as np

from flexwheel.body.control_rings import Ring, section_axes, turned_stress
from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import Revolution
from flexwheel.body.stress import nodal_stress
from flexwheel.body.stress_error import node_stress_rows
from flexwheel.body.surface import Surface
from flexwheel.body.truncation_residual import residual_fields


def surface_rings(surface: Surface, revolution: Revolution) -> tuple[list[Ring], np.ndarray]:
    """Rings that make up the surface of a mesh of revolution, and its nodes on the axle."""
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


def stress_at(mesh: Mesh, nodes: np.ndarray, shapes: np.ndarray, options, free=None) -> np.ndarray:
    """Stress (n, 6, m) at a few nodes under fields (N, 3, m), body axes."""
    if len(nodes) == 0:
        return np.zeros((0, 6, shapes.shape[2]))
    rows = node_stress_rows(mesh, nodes, options, free)
    return (rows @ shapes.reshape(mesh.dof_count, -1)).reshape(len(nodes), 6, -1)


def stress_everywhere(mesh: Mesh, shapes: np.ndarray, options, free) -> np.ndarray:
    """Nodal stress (N, 6, m) of fields (N, 3, m)."""
    return free.applied(nodal_stress(mesh, shapes.reshape(mesh.dof_count, -1), options)).astype(np.float32)


def cyclic_surface(mesh, modal, rings, on_axle, rows, residual, centrifugal, angle, options, free) -> dict:
    """Tables of `surface_modes` from the rows of the rings and their residual, that of the last rings of all."""
    _, stress = spread_over_rings(mesh, rings, rows, angle)
    stress[on_axle] = stress_at(mesh, on_axle, modal.shapes, options.formulation, free)
    tables = {"stress_rows": stress}
    if options.residual:
        loads = [table[-len(rings) :] for table in (residual.tread, residual.interface, centrifugal)]
        flat = np.concatenate([load.reshape(*load.shape[:3], -1) for load in loads], axis=-1)
        tables["load_displacement"], tables["load_stress"] = spread_over_rings(mesh, rings, flat, angle)
    return tables


def general_surface(mesh, modal, general, treads, spun, fitted, options, free) -> dict:
    """Tables of `surface_modes` at all nodes."""
    tables = {"stress_rows": stress_everywhere(mesh, modal.shapes, options.formulation, free)}
    if options.press_fits:
        tables["prestress"] = stress_everywhere(mesh, fitted[..., None], options.formulation, free)[..., 0]
    if options.residual:
        field = np.concatenate([residual_fields(mesh, general, treads), spun], axis=-1)
        tables["load_displacement"] = field
        tables["load_stress"] = stress_everywhere(mesh, field, options.formulation, free)
    return tables
