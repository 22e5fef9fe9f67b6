"""Nodes of a flexible wheelset by the rows of `response`, beside the whole mesh solved directly at each frequency."""

import numpy as np
from scipy.sparse.linalg import splu

from flexwheel.assess.linear.node_motion import fixed_rows, node_waves
from flexwheel.assess.response import ResponseSettings
from flexwheel.body.assembly import assemble
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.stress import stress_rows
from flexwheel.body.tread import TreadOptions, find_treads, profile_operator
from flexwheel.verification.check_registry import check, other_code, row
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

FREQUENCY = np.geomspace(31.5, 1250.0, 20)
NODES = ("web_fillet_right", "tread_right")
LOADS = {"lateral": 1, "radial": 2}  # components of a wrench on the right profile


def whole_mesh(mesh, nodes, force):
    """Displacement (F, C, 3, L) and stress (F, C, 6, L) of nodes (C,) under nodal forces (3 N, L), free body."""
    stiffness, mass = assemble(mesh)
    rows = stress_rows(mesh, nodes)
    dof = (3 * nodes[:, None] + np.arange(3)).ravel()
    moved, stress = [], []
    for hz in FREQUENCY:
        dynamic = stiffness - mass * (2.0 * np.pi * hz) ** 2
        u = splu(dynamic.tocsc()).solve(force)
        moved.append(u[dof].reshape(len(nodes), 3, -1))
        stress.append((rows @ u).reshape(len(nodes), 6, -1))
    return np.array(moved), np.array(stress)


def reduced_body(body, mesh, nodes, force, components):
    """The same by modes and their static residual, as `response` has them, with the rigid motion."""
    tread = body.treads[1]
    rigid = rigid_modes(mesh.nodes)
    _, mass = assemble(mesh)
    moved = rigid @ np.linalg.solve(rigid.T @ (mass @ rigid), rigid.T @ force)
    dof = (3 * nodes[:, None] + np.arange(3)).ravel()
    w2 = (2.0 * np.pi * FREQUENCY) ** 2
    modal = tread.profile_rows[0].T[:, components] / (
        (2.0 * np.pi * body.frequency_hz)[:, None] ** 2 - w2[:, None, None]
    )
    loads = np.zeros((12 + 6 * len(body.interface_position), len(components)))
    loads[[6 + c for c in components], range(len(components))] = 1.0
    drive = np.concatenate([modal, np.broadcast_to(loads, (len(w2), *loads.shape))], axis=1)
    rows = np.stack([fixed_rows(node_waves(body, k), 0.0, FREQUENCY) for k in range(len(nodes))], axis=1)
    found = rows @ drive[:, None]
    free = -moved[dof].reshape(len(nodes), 3, -1) / w2[:, None, None, None]
    return found[:, :, :3] + free, found[:, :, 6:]


@check(
    "Response of nodes and the whole mesh", subject="Response",
    ground=other_code("direct solution of the unreduced mesh; 0.3 dB set beforehand"),
)  # fmt: skip
def nodes_and_whole_mesh():
    """Coarse mesh, free, undamped, still, 20 frequencies to 1.25 kHz: motion and stress per force on the profile."""
    mesh = wheelset_mesh(refinement=REFINEMENTS["coarse"])
    below = ResponseSettings().modes_up_to_hz
    options = ReductionOptions(
        fixed_interface_modes=None, modes_up_to_hz=below, control=NODES, control_tolerance=np.inf
    )
    body = reduce_wheelset(mesh, options)
    nodes = np.searchsorted(mesh.node_ids, body.control.node_id)
    tread = find_treads(mesh, None, None, TreadOptions())[1]
    operator = profile_operator(tread.profile, tread.lateral, tread.radius).reshape(6, -1, 3)
    components = list(LOADS.values())
    force = np.zeros((len(mesh.nodes), 3, len(components)))
    force[tread.nodes[0, :, 0]] = np.moveaxis(operator[components], 0, 2)
    force = force.reshape(-1, len(components))
    wanted, found = whole_mesh(mesh, nodes, force), reduced_body(body, mesh, nodes, force, components)
    rows = []
    for what, full, mine in zip(("acceleration", "stress"), wanted, found, strict=True):
        size, error = np.linalg.norm(full, axis=2), np.linalg.norm(mine, axis=2)
        level = 20.0 * np.log10(error / size)
        for c, name in enumerate(NODES):
            for k, load in enumerate(LOADS):
                worst = np.argmax(np.abs(level[:, c, k]))
                text = f"{what}, {name}, {load} force, largest deviation, at {FREQUENCY[worst]:.0f} Hz"
                rows.append(row(text, level[worst, c, k], 0.0, "dB", absolute=0.3, source="whole mesh"))
    return rows
