"""Wheels with holes reduced by one sector, against the matrices of the whole mesh by the sparse solver."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.body.assembly import assemble
from flexwheel.body.multifrontal import multifrontal_cholesky
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset, reduce_with_shapes, reduce_with_surface
from flexwheel.extensions.symmetry.n_fold import detect_n_fold
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import FlexibleWheelset
from flexwheel.run.simulation import run_scenario
from flexwheel.vehicle.eulerian_map import check_closed
from flexwheel.verification.meshes.wheelset_section import wheelset_mesh
from tests.holed_wheelset import holed_wheelset

CASES = {
    "eight holes": dict(n=8),
    "six holes, twisted": dict(n=6, twist=0.1),
    "five holes, quadratic": dict(n=5, sectors=15, order=2),
    "three holes": dict(n=3),
}
EQUAL = 1e-6  # accepted


@pytest.mark.parametrize("case", CASES)
def test_sectors_are_found(case):
    mesh = holed_wheelset(**CASES[case])
    fold, reason = detect_n_fold(mesh)
    assert (
        fold.sections == CASES[case]["n"]
        and (fold.mirror is None) == ("twisted" in case)
        and reason == f"{fold.sections}-fold about y"
    )
    whole = np.sort(np.concatenate([fold.ring.ravel(), fold.axis]))
    np.testing.assert_array_equal(whole, np.arange(len(mesh.nodes)))
    np.testing.assert_array_equal(np.roll(fold.ring, -1, axis=0), fold.following[fold.ring])
    assert fold.sections * sum(map(len, fold.sector_elements)) == mesh.element_count


def test_what_breaks_the_symmetry_is_seen():
    mesh = holed_wheelset(8)
    assert detect_n_fold(wheelset_mesh())[0].sections == 24  # of revolution, too
    moved = mesh.nodes.copy()
    moved[np.argmax(np.abs(mesh.nodes[:, 0]) + mesh.nodes[:, 1])] += 1e-4
    assert detect_n_fold(replace(mesh, nodes=moved))[0] is None
    block = mesh.blocks[0]
    split = [replace(block, connectivity=block.connectivity[k], ids=block.ids[k]) for k in (slice(5), slice(5, None))]
    other = replace(split[0], material=1)
    blocks = (other, split[1], *mesh.blocks[1:])
    found, reason = detect_n_fold(replace(mesh, blocks=blocks, materials=mesh.materials * 2))
    assert found is None and "maps the mesh onto itself" in reason


def test_holds_back_where_the_general_route_is_needed():
    mesh = holed_wheelset(8)
    with pytest.raises(MeshError, match="8-fold about y: coupling = 'rigid'"):
        reduce_with_shapes(mesh, ReductionOptions(route="cyclic", coupling="rigid", control=()))
    sets = mesh.node_sets | {"AXLE_BOX_LEFT": mesh.node_sets["AXLE_BOX_LEFT"][3:]}
    body, _ = reduce_with_shapes(replace(mesh, node_sets=sets), ReductionOptions(control=(), residual=False))
    assert (
        "8-fold about y; by the sparse solver: the nodes of an interface are not the same in every sector" in body.audit
    )
    assert "route: sparse solver" in body.audit


def test_complex_factor():
    rng = np.random.default_rng(3)
    a = sp.random(300, 300, 0.02, random_state=rng) + 1j * sp.random(300, 300, 0.02, random_state=rng)
    a = (a @ a.conj().T + sp.identity(300)).tocsr()
    x = rng.normal(size=(300, 20)) + 1j * rng.normal(size=(300, 20))
    np.testing.assert_allclose(multifrontal_cholesky(a).solve(a @ x), x, atol=1e-12 * 300)  # rounding


REDUCED = (
    ("eight holes", None), ("six holes, twisted", 29), ("five holes, quadratic", None), ("three holes", 29),
)  # fmt: skip


@pytest.fixture(scope="module", params=REDUCED, ids=str)
def both(request):
    """(mesh, bodies and shapes by either route), the one by sectors first."""
    case, modes = request.param
    mesh = holed_wheelset(**CASES[case])
    options = ReductionOptions(fixed_interface_modes=modes, control=("web_fillet_right", "web_rim_left"))
    found = [reduce_with_shapes(mesh, replace(options, route=route)) for route in ("auto", "general")]
    assert f"route: {CASES[case]['n']}-fold symmetry" in found[0][0].audit
    return mesh, *found


def test_eulerian_modes_are_refused_with_the_reason(both):
    with pytest.raises(ScenarioError, match="-fold: a mode of harmonic k holds the orders k, . - k, . [+] k"):
        check_closed(both[1][0], "front")
    assert "takes out of the basis" in both[1][0].audit[0]


def test_eulerian_run_by_whole_sectors_is_the_lagrangian_one():
    mesh = holed_wheelset(8)
    options = ReductionOptions(fixed_interface_modes=11, residual=False, control=("web_fillet_right",))
    at_hand = {"front": FlexibleWheelset("front", reduce_wheelset(mesh, options), (), len(mesh.nodes), 1)}
    keys = ["run.duration_s=0.04", "wheelset.front.residual=modal_only", 'accept=["wheelset_mass"]']
    said, found = {}, {}
    for mode in ("eulerian", "lagrangian", "eulerian_interpolated"):
        scenario = read_scenario(EXAMPLES / "as4_curve.toml", [*keys, f"wheelset.front.mode={mode}"])
        if mode == "eulerian_interpolated":
            with pytest.raises(ScenarioError, match="8-fold"):
                run_scenario(scenario, wheelsets=at_hand)
            continue
        found[mode] = run_scenario(scenario, wheelsets=at_hand)
        said[mode] = [line for line in found[mode].attrs["warnings"] if "eulerian by whole sectors (8)" in line]
    assert [len(said[mode]) for mode in ("eulerian", "lagrangian")] == [1, 0]
    one, other = found["eulerian"], found["lagrangian"]
    assert one.mesh_mode.values.tolist() == ["lagrangian"]  # what the modal coordinates are of
    assert np.ptp(one.body_angle.sel(body="front", rotation="spin").values) > 2 * np.pi / 8  # by more than a sector
    for name in other.data_vars:  # forces, motion and stress at the rotating and the fixed control node
        np.testing.assert_array_equal(one[name].values, other[name].values, err_msg=name)


def close(one, other, part=EQUAL):
    np.testing.assert_allclose(one, other, rtol=0, atol=part * np.abs(other).max())


def test_modes_are_those_of_the_whole_mesh(both):
    mesh, (body, shapes), (general, other) = both
    np.testing.assert_allclose(body.frequency_hz, general.frequency_hz, rtol=EQUAL)
    stiffness, mass = assemble(mesh)
    one, two = (s.modes.shapes.reshape(mesh.dof_count, -1) for s in (shapes, other))
    close(one.T @ (mass @ one), np.eye(one.shape[1]))
    close(one.T @ (stiffness @ one), np.diag((2 * np.pi * body.frequency_hz) ** 2))
    shared = one.T @ (mass @ two)
    close(shared @ shared.T, np.eye(one.shape[1]))  # the same space
    np.testing.assert_allclose(body.mesh_error, general.mesh_error, rtol=EQUAL)
    np.testing.assert_allclose(body.mass, general.mass, rtol=1e-12)


def responses(body):
    """Static answers of the modes to wrenches on a tread: they do not depend on the basis of equal frequencies."""
    compliance = 1.0 / (2 * np.pi * body.frequency_hz) ** 2
    left = compliance[:, None] * body.treads[0].profile_rows[1].T
    there = np.nan_to_num(body.control.stress_rows)
    yield "stress", there @ left
    yield "displacement", np.nan_to_num(body.control.displacement_rows) @ left
    yield "interfaces", body.interface_rows @ left
    yield "other tread", body.treads[1].profile_rows @ left
    yield "prestress", left.T @ body.geometric_stiffness @ left
    yield "inertia", np.einsum("abhk,hi,kj->abij", body.invariants.p_hh, left, left)
    yield "moments", body.invariants.p_xh @ left


def test_rows_of_treads_interfaces_and_control_nodes(both):
    _, (body, _), (general, _) = both
    for (name, one), (_, other) in zip(responses(body), responses(general), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=EQUAL * np.abs(other).max(), err_msg=name)


def test_residual(both):
    _, (body, _), (general, _) = both
    loads = [f"{on}_{of}{more}" for on in ("tread", "interface") for of in ("displacement", "stress")
             for more in ("", "_dynamic")]  # fmt: skip
    for name in [*loads, "centrifugal_displacement", "centrifugal_stress", "stress_error"]:
        one, other = (getattr(b.control, name) for b in (body, general))
        np.testing.assert_allclose(one, other, rtol=0, atol=EQUAL * np.nanmax(np.abs(other)), err_msg=name)
    for one, other in zip(body.treads, general.treads, strict=True):
        close(one.residual_compliance, other.residual_compliance)


def test_tables_for_pictures():
    mesh = holed_wheelset(8)
    options = ReductionOptions(fixed_interface_modes=11, control=())
    one, other = (reduce_with_surface(mesh, replace(options, route=r))[1] for r in ("cyclic", "general"))
    close(one.load_displacement, other.load_displacement, 1e-5)  # kept in single precision
    close(one.load_stress, other.load_stress, 1e-5)
