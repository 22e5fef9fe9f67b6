"""Static residual of the truncated modes, free body with inertia relief.

K^+ f is the elastic response of the free body to forces f balanced by its own inertia: K u + M R lambda = f with
R^T M u = 0, R the rigid motions. What the retained modes leave of it is G = K^+ - H diag(1/omega^2) H^T; adding G f to
H w (mode acceleration) makes the quasi-static answer exact. G is the sum of phi phi^T / omega_k^2 over the truncated
modes; the next terms of their answer at a frequency omega are omega^2 G_2 + omega^4 G_3, with G_2 = K^+ M G the sum of
phi phi^T / omega_k^4 and G_3 = K^+ M G_2. Tabulated are
- the compliance of a profile, L G L^T under a wrench spread over the running band, less that of a half-space under the
  same load, which the contact law holds (tread_compliance), and
- the response at the control rings to such wrenches on either tread and to wrenches on the interface nodes.

Source: Rixen 2004, Journal of Computational and Applied Mathematics 168, 383-391 (residual attachment modes);
Dickens, Nakagawa, Wittbrodt 1997, Computers and Structures 62(6), 985-998 (mode acceleration).
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.body.bordered import bordered_solver
from flexwheel.body.control_rings import Ring, RingOperator, Waves, section_axes, turned_stress
from flexwheel.body.cyclic import COSINE, SINE, SectorMatrix, amplitude_count
from flexwheel.body.cyclic_modes import HarmonicModes, full_amplitudes, interface_axes, rigid_coordinates, tied_blocks
from flexwheel.body.general_modes import Truncated
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import TreadField
from flexwheel.body.revolution import Revolution
from flexwheel.body.stress_error import node_stress_rows, stress_error_rows
from flexwheel.body.tread import TreadNodes, profile_operator
from flexwheel.body.tread_compliance import SpreadLoad
from flexwheel.body.tread_field import NearNodes

IN_PLANE = (1, 2, 3)  # lateral and vertical force, moment about x: cosine family
ALONG = (0, 4, 5)  # longitudinal force, moments about y and z: sine family
FELT = np.log(1e-12)  # of the share of a tread's motion that reaches a ring: below it is the rounding of a solution
SAMPLED_SECTIONS = 4  # sections of a general mesh at which the profile compliance is taken


class Residual(NamedTuple):
    """Residual tables in the shapes of ReducedBody."""

    compliance: tuple[np.ndarray, ...]  # per tread (6, 6)
    tread: np.ndarray  # (C, lag, 9, W, 6) displacement and stress of the ring
    interface: np.ndarray  # (C, lag, 9, I, 6)
    tread_dynamic: np.ndarray  # (2, C, ...) the same of G_2 and G_3, of the first rings alone
    interface_dynamic: np.ndarray
    near: TreadField  # of control nodes on or near a running surface
    spread: float  # relative spread of the profile compliance between sections; 0 on a mesh of revolution
    tread_error: np.ndarray  # (C, lag, 6, W, 6) of the estimated error of the stress at the first rings
    interface_error: np.ndarray  # (C, lag, 6, I, 6)


def no_residual(treads, rings: list[Ring], interfaces) -> Residual:
    """Zero tables: modes only, the paper's choice."""
    sections = len(treads[0].angle)
    tread = np.zeros((len(rings), sections, 9, len(treads), 6))
    interface = np.zeros((len(rings), sections, 9, len(interfaces), 6))
    later = [np.zeros((2, *table.shape)) for table in (tread, interface)]
    errors = tread[:, :, 3:], interface[:, :, 3:]
    return Residual(tuple(np.zeros((6, 6)) for _ in treads), tread, interface, *later, TreadField(), 0.0, *errors)


def cyclic_residual(
    revolution: Revolution,
    stiffness: SectorMatrix,
    mass: SectorMatrix,
    harmonics: list[HarmonicModes],
    interfaces,
    coupling: str,
    treads: tuple[TreadNodes, TreadNodes],
    spread: tuple[SpreadLoad, SpreadLoad],
    operator: RingOperator,
    watched: int,
    near: NearNodes,
) -> Residual:
    """Residual of a mesh of revolution: every order, load in section 0; G_2 and G_3 for the first `watched` rings.

    The last `watched` rings of the operator are those of the estimated error of the stress at the first.

    Verified in tests/verification/test_reduction_residual_verified.py and test_tread_compliance.py.
    """
    loads = _TreadLoads(revolution, treads)
    least = min(tread.profile[:, 1].min() for tread in treads)
    bands = _TreadLoads(revolution, [load.surface for load in spread])
    width = loads.count + 6 * len(interfaces)
    compliance = np.zeros((loads.count, loads.count))
    waves = Waves(revolution.sections, (operator.count, 9, width))
    dynamic = [Waves(revolution.sections, (watched, 9, width)) for _ in range(2)]
    modes = {(h.tied.block.order, h.tied.block.phases): h for h in harmonics}
    for order in range(revolution.sections // 2 + 1):
        size = amplitude_count(revolution, order)
        for tied in tied_blocks(stiffness, mass, interfaces, coupling, order):
            block, problem = tied.block, tied.problem
            forces, column, phase = loads.in_block(block, size, [_profile_rows(tread) for tread in treads])
            wide = bands.in_block(block, size, [_rows_of_order(load, order * revolution.step) for load in spread])[0]
            x, band = _tied(problem, forces[block.dof]), _tied(problem, wide[block.dof])
            if order < 2:
                x, column, phase = _with_interface_loads(tied, interfaces, x, column, phase, loads.count)
            if x.shape[1] == 0:
                continue
            m, n = forces.shape[1], x.shape[1]
            solve, retained = _elastic_solver(revolution, tied), modes.get((order, block.phases))
            both = np.hstack([x, band])
            truncated = solve(both) - _modal_response(retained, both)
            own = wide.T @ full_amplitudes(tied, truncated[:, n:], size)
            compliance[np.ix_(column[:m], column[:m])] += (phase[:m, None] == phase[None, :m]) * own
            left = truncated[:, :n]
            # an order decays inwards as (r/R)^(n-2), Michell's solution: rounding times n^2 is an acceleration
            felt = ((order - 2) * np.log(np.minimum(operator.radius / least, 1.0)) > FELT)[:, None, None]
            waves.add(order, phase, column, felt * operator.rows(order, full_amplitudes(tied, left, size)))
            modal = full_amplitudes(tied, _modal_response(retained, x[:, :m]), size)
            near.add(tied, solve, operator, column[:m], modal)
            for term in dynamic:
                inertia = tied.problem.mass @ left
                left = solve(inertia) - _modal_response(retained, inertia)  # the latter for rounding
                rows = felt * operator.rows(order, full_amplitudes(tied, left, size))
                term.add(order, phase, column, rows[:watched])
    tables = []
    for influence in (np.moveaxis(waves.around(), -1, 1), np.array([np.moveaxis(w.around(), -1, 1) for w in dynamic])):
        tables.append(influence[..., : loads.count].reshape(*influence.shape[:-1], len(treads), 6))
        tables.append(influence[..., loads.count :].reshape(*influence.shape[:-1], len(interfaces), 6))
    own = [compliance[6 * w : 6 * w + 6, 6 * w : 6 * w + 6] - load.half_space for w, load in enumerate(spread)]
    first = operator.count - watched
    errors = [table[first:, :, 3:] for table in tables[:2]]
    tables[:2] = (table[:first] for table in tables[:2])
    return Residual(tuple((c + c.T) / 2 for c in own), *tables, near.field(), 0.0, *errors)


class _TreadLoads:
    """Unit wrenches on section 0 in amplitude space; columns 6 w + component."""

    def __init__(self, revolution, treads):
        self.count = 6 * len(treads)
        place = np.full(len(revolution.following), -1)
        place[revolution.ring[0]] = np.arange(revolution.orbits)
        self._dof = []
        for tread in treads:
            orbit = place[tread.nodes[0, :, 0]]
            self._dof.append((3 * orbit[:, None] + np.arange(3)).ravel())

    def in_block(self, block, size, rows):
        """Forces (size, m) from nodal forces (6, P, 3) of each tread, their columns and phases. In its phase an
        in-plane load meets cos 0 = 1, a longitudinal one sin(-pi/2) = -1."""
        parts = (IN_PLANE if COSINE in block.phases else ()) + (ALONG if SINE in block.phases else ())
        columns = np.array([6 * w + c for w in range(len(self._dof)) for c in sorted(parts)], dtype=int)
        forces = np.zeros((size, len(columns)))
        phase = np.zeros(len(columns))
        for k, column in enumerate(columns):
            w, c = divmod(int(column), 6)
            sign = -1.0 if c in ALONG else 1.0
            forces[self._dof[w], k] = sign * rows[w][c].ravel()
            phase[k] = SINE if c in ALONG else COSINE
        return forces, columns, phase


def _with_interface_loads(tied, interfaces, x, column, phase, first):
    """Append unit wrench components on the interface nodes; the sine member of n = 1 is force x and moment -z."""
    axes = interface_axes(tied.block)
    member = [(COSINE if tied.block.order else tied.block.phases[0], axes, (1.0,) * len(axes))]
    if tied.block.order == 1:
        member.append((SINE, (0, 5), (1.0, -1.0)))
    for p, components, signs in member:
        for i in range(len(interfaces)):
            for k, (c, sign) in enumerate(zip(components, signs, strict=True)):
                row = tied.problem.rows[i * len(axes) + k]
                x = np.hstack([x, sign * row.toarray().T])
                column = np.append(column, first + 6 * i + c)
                phase = np.append(phase, p)
    return x, column, phase


def _elastic_solver(revolution, tied):
    """Function f -> K^+ f, coordinates of the tied problem."""
    return bordered_solver(tied.problem.stiffness, tied.problem.mass @ rigid_coordinates(revolution, tied))


def _modal_response(modes, forces):
    """Share of the retained modes in it."""
    if modes is None:
        return np.zeros_like(forces)
    omega = 2 * np.pi * modes.frequency
    return modes.shapes @ ((modes.shapes.T @ forces) / omega[:, None] ** 2)


def _rows_of_order(load, angle):
    """Nodal forces (6, Q, 3) of a load spread over sections in the order whose phase step is `angle`."""
    return np.einsum("kq,kcqa->cqa", np.cos((load.offset[:, None] + load.ahead) * angle), load.rows)


def _profile_rows(tread):
    """Nodal forces (6, P, 3) of unit wrenches spread over a whole profile, section frame."""
    return profile_operator(tread.profile, tread.lateral, tread.radius).reshape(6, -1, 3)


def general_residual(
    mesh: Mesh,
    general: Truncated,
    interfaces,
    treads,
    loads: tuple[SpreadLoad, SpreadLoad],
    rings,
    options,
    free,
    fold=None,
) -> Residual:
    """Residual of any mesh by direct solutions.

    The response matrix is symmetric, so the influence of all load sections on a control node takes one solution per
    component there. Only the control node itself is served: the entry `lag` belongs to a load in section home - lag,
    values in the frame of section `home`, tread loads in the frame of the loaded section; interface loads in the
    frame of section home - lag as well, as they stand still while the mesh turns.
    """
    angle, size = treads[0].angle, len(mesh.nodes) * 3
    compliance, spread = [], 0.0
    sections = np.unique(np.linspace(0, len(angle), SAMPLED_SECTIONS, endpoint=False).astype(int))
    sections, times = np.unique(sections % _period(treads, fold), return_counts=True)
    force = np.zeros((len(loads), len(sections), 6, size))
    for w, load in enumerate(loads):
        for k, s in enumerate(sections):
            for offset, carried in zip(load.offset, load.rows, strict=True):
                place = (s + offset) % len(angle)
                force[w, k] += _section_forces(load.surface, place, size, carried, load.ahead).T
    columns = _on_coordinates(general, sp.csr_matrix(force.reshape(-1, size)))
    home = [_home_rows(mesh, ring, angle, options, free) for ring in rings]
    watched = [rows[k] for k in (slice(9, 15), slice(9)) for rows in home]  # errors of all rings first
    watched = [_on_coordinates(general, sp.vstack(watched).tocsr())] if rings else []
    response = general.solve(np.hstack([columns, *watched]))
    elastic = (columns.T @ response[:, : columns.shape[1]]).reshape(force.shape[:3] * 2)
    for w, load in enumerate(loads):
        samples = [elastic[w, k, :, w, k] - load.half_space for k in range(len(sections))]
        mean = np.average(samples, axis=0, weights=times)
        compliance.append((mean + mean.T) / 2)
        spread = max(spread, np.abs(np.array(samples) - mean).max() / np.abs(mean).max())
    shapes = [(len(rings), len(angle), 9, len(treads), 6), (len(rings), len(angle), 9, len(interfaces), 6)]
    tables = [np.zeros((3, *shape)) for shape in shapes]
    errors = [np.zeros((*shape[:2], 6, *shape[3:])) for shape in shapes]
    if rings:
        on = np.unique(np.concatenate([tread.nodes.ravel() for tread in treads]))
        lags = _Lags(general, treads, on, general.recover(on))
        first, solution = np.split(response[:, columns.shape[1] :], [6 * len(rings)], axis=1)
        lags.fill(rings, first, *errors)
        for term, (on_treads, on_interfaces) in enumerate(zip(*tables, strict=True)):
            solution = general.solve(general.mass @ solution) if term else solution
            lags.fill(rings, solution, on_treads, on_interfaces)
    tables = [*(t[0] for t in tables), *(t[1:] for t in tables)]
    return Residual(tuple(compliance), *tables, TreadField(), float(spread), *errors)


def _period(treads, fold):
    """Sections after which the nodes of both treads repeat."""
    sections = len(treads[0].angle)
    if fold is None or sections % fold.sections:
        return sections
    period = sections // fold.sections
    nodes = [tread.nodes for tread in treads if tread.nodes.shape[2] == 1]
    same = all(np.array_equal(fold.following[own], np.roll(own, -period, axis=0)) for own in nodes)
    return period if same and len(nodes) == len(treads) else sections


class _Lags(NamedTuple):
    """What the rows of control nodes are read from."""

    general: Truncated
    treads: tuple[TreadNodes, TreadNodes]
    nodes: np.ndarray  # (L,) of the treads, ascending
    recover: object  # (3 L, D) their displacements

    def fill(self, rings, solution, tread_table, interface_table):
        """Rows (C, lag, r, W, 6) and (C, lag, r, I, 6) from solutions (D, C r)."""
        angle, (many, _, width, count, _) = self.treads[0].angle, interface_table.shape
        profiles = [profile_operator(tread.profile, tread.lateral, tread.radius) for tread in self.treads]
        fields = (self.recover @ solution).reshape(len(self.nodes), 3, many, width)
        ends = (self.general.rows @ solution).reshape(count, 2, 3, many, width)
        places = [np.searchsorted(self.nodes, tread.nodes) for tread in self.treads]
        for c, ring in enumerate(rings):
            field, at_interface = fields[:, :, c], ends[..., c, :]
            for lag in range(len(angle)):
                s = (ring.home - lag) % len(angle)
                turn = section_axes(angle[s])
                for w, tread in enumerate(self.treads):
                    nodes = np.einsum("pk,pkac->pac", tread.weights[s], field[places[w][s]])
                    local = np.einsum("ba,pbc->pac", turn, nodes).reshape(-1, width)
                    tread_table[c, lag, :, w] = (profiles[w] @ local).T
                turned = np.einsum("ba,iobc->cioa", turn, at_interface)
                interface_table[c, lag] = turned.reshape(width, count, 6)


def residual_fields(mesh: Mesh, general: Truncated, treads) -> np.ndarray:
    """Residual displacement (N, 3, 6 W + 6 I) of all nodes under unit wrenches on the lowest section of each tread and
    on each interface."""
    forces = [_section_forces(tread, 0, mesh.dof_count, _profile_rows(tread)) for tread in treads]
    solution = general.solve(
        np.hstack([_on_coordinates(general, sp.csr_matrix(np.hstack(forces).T)), general.rows.T.toarray()])
    )
    some = np.array_split(np.arange(len(mesh.nodes)), 1 + len(mesh.nodes) // 10_000)  # not to hold all at once
    return np.concatenate([general.recover(nodes) @ solution for nodes in some]).reshape(len(mesh.nodes), 3, -1)


def _section_forces(tread, s, size, rows, ahead=0.0):
    """Nodal forces (3 N, 6) of unit wrenches on section s, from those (6, P, 3) in the frame of each node, which lies
    `ahead` (P,) sections of its own."""
    angle = tread.angle[s] + np.broadcast_to(ahead, rows.shape[1]) * (tread.angle[1] - tread.angle[0])
    body = np.einsum("pab,cpb->pac", np.array([section_axes(a) for a in angle]), rows)
    out = np.zeros((size // 3, 3, 6))
    np.add.at(out, tread.nodes[s], tread.weights[s][:, :, None, None] * body[:, None])
    return out.reshape(size, 6)


def _home_rows(mesh, ring, angle, options, free):
    """(15, 3 N) displacement, stress and error of the stress at the control node in the frame of its section."""
    turn = section_axes(angle[ring.home]).T
    own = sp.csr_matrix((turn.ravel(), (np.repeat(np.arange(3), 3), 3 * ring.row + np.tile(np.arange(3), 3))),
                        shape=(3, mesh.dof_count))  # fmt: skip
    stress = [
        turned_stress(turn) @ rows_of(mesh, ring.row, options, free)
        for rows_of in (node_stress_rows, stress_error_rows)
    ]
    return sp.vstack([own, *map(sp.csr_matrix, stress)]).tocsr()


def _on_coordinates(general, forces):
    """Loads on the coordinates of a route by forces (m, 3 N), sparse."""
    loaded = np.unique(forces.indices // 3)
    return general.recover(loaded).T @ forces[:, (3 * loaded[:, None] + np.arange(3)).ravel()].T.toarray()


def _tied(problem, forces):
    return forces if problem.recover is None else problem.recover.T @ forces
