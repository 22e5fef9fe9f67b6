"""Modes and static residual against full static solutions of the coarse mesh, which are exact for it.

Free body: loads balanced by the inertia of the whole mesh. Held body: interface nodes fixed, as the journals are by
stiff axle boxes. Von Mises stress on the inner and outer web face and their fillets, lowest section, right wheel.
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse.linalg as sla

from flexwheel.body.assembly import assemble
from flexwheel.body.bordered import bordered_solvers
from flexwheel.body.free_surface import free_surface
from flexwheel.body.geometric_stiffness import centrifugal_load
from flexwheel.body.interfaces import find_interfaces
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset, reduce_with_shapes
from flexwheel.body.revolution import section_angle
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.stress import von_mises
from flexwheel.body.stress_error import node_stress_rows
from flexwheel.body.tread import TreadOptions, find_treads, profile_operator
from flexwheel.body.tread_compliance import ARM, LEAST, bounded_below, spread_load
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
from tests.benches.free_statics import free_static_solution

MESH = wheelset_mesh(refinement=REFINEMENTS["coarse"])
WRENCHES = ("longitudinal", "lateral", "radial", "moment about x", "moment about y", "moment about z")


def lowest(name):
    rows = MESH.node_sets[name]
    return rows[np.sin(section_angle(MESH.nodes[rows]) / 2) < 1e-6]


WEB = np.concatenate([lowest("WEB_INNER_RIGHT"), lowest("WEB_OUTER_RIGHT")])
OPTIONS = ReductionOptions(fixed_interface_modes=29, control=tuple(int(i) for i in MESH.node_ids[WEB]))


@pytest.fixture(scope="module")
def matrices():
    return assemble(MESH)


@pytest.fixture(scope="module")
def reduced():
    return reduce_with_shapes(MESH, OPTIONS)


@pytest.fixture(scope="module")
def body(reduced):
    return reduced[0]


@pytest.fixture(scope="module")
def shapes(reduced):
    return reduced[1].modes.shapes


def nodal_loads(section, rows=None):
    """Unit wrenches on the right tread, section frame, as nodal forces (3 N, 6): over the profile, or by rows."""
    tread = find_treads(MESH, None, None, TreadOptions())[1]
    if rows is None:
        rows = profile_operator(tread.profile, tread.lateral, tread.radius).reshape(6, -1, 3)
    c, s = np.cos(tread.angle[section]), np.sin(tread.angle[section])
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    out = np.zeros((len(MESH.nodes), 3, 6))
    out[tread.nodes[section, :, 0]] = np.einsum("ab,cpb->pac", turn, rows)
    return out.reshape(-1, 6)


def exact_stress(displacement):
    rows = node_stress_rows(MESH, WEB, None, free_surface(MESH))
    return (rows @ displacement).reshape(len(WEB), 6, -1)


def compare(title, exact, modal, complete):
    """Errors of von Mises with the residual, share of it in the modes alone, printed; the largest error."""
    worst = 0.0
    for k, name in enumerate(WRENCHES):
        full, plain, better = (von_mises(s[..., k], axis=1) for s in (exact, modal, complete))
        inner = slice(0, len(WEB) // 2)
        share = (plain / full)[inner]
        error = np.abs(better / full - 1).max()
        worst = max(worst, error)
        print(
            f"{title}, {name}: error with residual {100 * error:.1e} %, 35 modes alone give "
            f"{100 * share[0]:.0f} % at the hub fillet, {100 * share[-1]:.0f} % at the rim, inner web face"
        )
    return worst


def test_free_body_under_tread_loads(body, matrices):
    exact = exact_stress(free_static_solution(*matrices, rigid_modes(MESH.nodes), nodal_loads(0)))
    omega2 = (2 * np.pi * body.frequency_hz) ** 2
    modal = body.control.stress_rows[:, 0] @ (body.treads[1].profile_rows[0].T / omega2[:, None])
    worst = compare("free", exact, modal, modal + body.control.tread_stress[:, 0, :, 1])
    assert worst < 0.03  # accepted; rounding was measured
    assert worst < 1e-7  # exact by construction, solver rounding remains


def test_load_in_another_section_and_its_lag(body, matrices):
    """Load in section t, stress in section 0: lag -t; from the table, and by the full solution."""
    t = 5
    exact = exact_stress(free_static_solution(*matrices, rigid_modes(MESH.nodes), nodal_loads(t)))
    omega2 = (2 * np.pi * body.frequency_hz) ** 2
    modal = body.control.stress_rows[:, 0] @ (body.treads[1].profile_rows[t].T / omega2[:, None])
    complete = modal + body.control.tread_stress[:, -t, :, 1]
    np.testing.assert_allclose(complete, exact, atol=1e-7 * np.abs(exact).max())  # solver rounding


def test_profile_compliance(body, shapes, matrices):
    """Under a load on the running band: the full solution less that of the modes and of the half-space."""
    nodes = find_treads(MESH, None, None, TreadOptions())[1]
    band = spread_load(nodes, MESH.materials[0])
    loads = sum(
        nodal_loads(offset % len(nodes.angle), rows) for offset, rows in zip(band.offset, band.rows, strict=True)
    )
    exact = loads.T @ free_static_solution(*matrices, rigid_modes(MESH.nodes), loads)
    tread = body.treads[1]
    rows = shapes.reshape(MESH.dof_count, -1).T @ loads
    left = exact - band.half_space - rows.T @ (rows / (2 * np.pi * body.frequency_hz[:, None]) ** 2)
    assert bounded_below(left)[1] > LEAST
    np.testing.assert_allclose(tread.residual_compliance, left, atol=1e-8 * np.abs(exact).max())  # solver rounding


def test_compliance_below_its_least_is_bounded():
    """One that outweighs a contact spring, by a force between up and across."""
    across = np.array([0.0, 0.6, 0.8, 0.0, 0.0, 0.0])
    bounded, lowest = bounded_below(np.diag([3.0, 3.0, 3.0, 0.1, 0.0, 0.1]) * 1e-10 - 8e-10 * np.outer(across, across))
    assert lowest == pytest.approx(-5e-10)
    scale = np.array([1.0, 1.0, ARM])
    assert across @ bounded @ across == pytest.approx(LEAST)
    assert np.linalg.eigvalsh(bounded[1:4, 1:4] * np.outer(scale, scale))[0] > LEAST * (1 + 1e-9)


def test_interface_loads_on_a_free_body(body, matrices):
    left = find_interfaces(MESH)[0]
    loads = np.zeros((MESH.dof_count, 6))
    loads[(3 * left.nodes[:, None] + np.arange(3)).ravel()] = left.average.T
    exact = exact_stress(free_static_solution(*matrices, rigid_modes(MESH.nodes), loads))
    omega2 = (2 * np.pi * body.frequency_hz) ** 2
    modal = body.control.stress_rows[:, 0] @ (body.interface_rows[0].T / omega2[:, None])
    complete = modal + body.control.interface_stress[:, 0, :, 0]
    np.testing.assert_allclose(complete, exact, atol=1e-6 * np.abs(exact).max())  # solver rounding, small stresses


@pytest.fixture(scope="module")
def by_frequency():
    return reduce_wheelset(MESH, replace(OPTIONS, fixed_interface_modes=None))


def test_next_terms_of_the_truncated_modes(by_frequency, matrices):
    """Harmonic tread loads at 1250 Hz on the undamped free body, by direct solution of K - omega^2 M.

    All modes below 2 kHz are held: each truncated mode's error falls by more than (1250 / 2000)^2 = 0.39 a term.
    """
    body = by_frequency
    w2 = (2 * np.pi * 1250.0) ** 2
    exact = exact_stress(sla.spsolve((matrices[0] - w2 * matrices[1]).tocsc(), nodal_loads(0)))
    omega2 = (2 * np.pi * body.frequency_hz) ** 2
    static = body.control.stress_rows[:, 0] @ (body.treads[1].profile_rows[0].T / (omega2 - w2)[:, None])
    static = static + body.control.tread_stress[:, 0, :, 1]
    for term in range(2):
        complete = static + w2 ** (term + 1) * body.control.tread_stress_dynamic[term, :, 0, :, 1]
        assert np.abs(complete - exact).max() < 0.39 * np.abs(static - exact).max()
        static = complete


def test_journals_under_harmonic_loads(by_frequency, matrices):
    """Equal and opposite loads on both journals, undamped, by direct solution of K - omega^2 M.

    A Ritz basis of K^+ f and K^+ M K^+ f matches four terms in omega^2 of the truncated modes' answer, K^+ f alone two
    (Craig, Hale 1988): half the frequency leaves 2^-8 of the error, or 2^-4.
    """
    left, right = find_interfaces(MESH)
    loads = np.zeros((MESH.dof_count, 2))
    for journal, sign in ((left, 1.0), (right, -1.0)):
        loads[(3 * journal.nodes[:, None] + np.arange(3)).ravel()] += sign * journal.average[[1, 3]].T
    rows = by_frequency.interface_rows[0, [1, 3]] - by_frequency.interface_rows[1, [1, 3]]
    omega2, errors = (2 * np.pi * by_frequency.frequency_hz) ** 2, []
    for hz in (1400.0, 700.0):
        w2 = (2 * np.pi * hz) ** 2
        exact = loads.T @ sla.spsolve((matrices[0] - w2 * matrices[1]).tocsc(), loads)
        errors.append(np.abs(rows @ (rows.T / (omega2 - w2)[:, None]) - exact).diagonal())
    assert (errors[1] < errors[0] / 2**7).all()


def test_centrifugal_load(body, matrices):
    """Stress of the free body that spins at 1 rad/s: modes plus residual equal the full solution."""
    load = centrifugal_load(MESH, matrices[1])[:, None]
    exact = exact_stress(free_static_solution(*matrices, rigid_modes(MESH.nodes), load))[..., 0]
    p, omega2 = body.invariants.p_xh, (2 * np.pi * body.frequency_hz) ** 2
    modal = body.control.stress_rows[:, 0] @ ((p[0, 0] + p[2, 2]) / omega2)
    complete = modal + body.control.centrifugal_stress[:, 0]
    np.testing.assert_allclose(complete, exact, atol=1e-7 * np.abs(exact).max())  # solver rounding
    assert np.abs(modal - exact).max() > 0.05 * np.abs(exact).max()  # the truncated modes matter


def test_held_journals_under_tread_loads(body, matrices):
    """Interface nodes fixed; the reduced body's reactions follow from its own modes, without interface residual."""
    rigid, loads = rigid_modes(MESH.nodes), nodal_loads(0)
    interfaces = find_interfaces(MESH)
    rows = np.zeros((12, MESH.dof_count))
    for k, interface in enumerate(interfaces):
        rows[6 * k : 6 * k + 6, (3 * interface.nodes[:, None] + np.arange(3)).ravel()] = interface.average
    (solve,) = bordered_solvers(matrices[0], rigid, [rows.T])
    exact = exact_stress(solve(loads))
    count = len(body.frequency_hz)
    held = np.hstack([rows @ rigid, body.interface_rows.reshape(12, count)])
    omega2 = np.concatenate([np.zeros(6), (2 * np.pi * body.frequency_hz) ** 2])
    saddle = np.block([[np.diag(omega2), held.T], [held, np.zeros((12, 12))]])
    right = np.vstack([rigid.T @ loads, body.treads[1].profile_rows[0].T, np.zeros((12, 6))])
    answer = np.linalg.solve(saddle, right)
    reaction = answer[-12:].reshape(2, 6, 6)
    modal = body.control.stress_rows[:, 0] @ answer[6:-12]
    complete = modal + body.control.tread_stress[:, 0, :, 1]
    complete = complete - np.einsum("csij,ijl->csl", body.control.interface_stress[:, 0], reaction)
    assert compare("held", exact, modal, complete) < 0.03  # accepted; 0.1 % was measured


def test_modal_only_has_no_residual():
    plain = reduce_wheelset(MESH, replace(OPTIONS, residual=False, control=("tread_left",)))
    assert not plain.treads[0].residual_compliance.any()
    assert not plain.control.tread_stress.any()
