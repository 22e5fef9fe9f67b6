"""Cyclic and general route of the reduction against each other: two independent ways to the same tables."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from flexwheel.body.assembly import assemble
from flexwheel.body.reduce import ReductionOptions, reduce_with_shapes
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

MESH = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=12))
OTHER_SECTION = int(MESH.node_ids[MESH.node_sets["WEB_INNER_LEFT"][37]])  # a node off the lowest section


@pytest.fixture(scope="module")
def matrices():
    return assemble(MESH)


@pytest.fixture(scope="module", params=[("averaging", 29), ("rigid", None)])
def options(request):
    coupling, number = request.param  # None: by frequency
    control = ("web_fillet_right", "tread_right", OTHER_SECTION)
    return ReductionOptions(coupling=coupling, fixed_interface_modes=number, control=control)


@pytest.fixture(scope="module")
def cyclic(options):
    return reduce_with_shapes(MESH, options)


@pytest.fixture(scope="module")
def general(options):
    return reduce_with_shapes(MESH, replace(options, route="general"))


def flat(shapes):
    return shapes.modes.shapes.reshape(MESH.dof_count, -1)


@pytest.fixture(scope="module")
def turn(cyclic, general, matrices):
    """Orthogonal T with general modes = cyclic modes T, where both span one space."""
    return flat(cyclic[1]).T @ (matrices[1] @ flat(general[1]))


def test_both_routes_span_one_space(cyclic, general, turn, matrices):
    outside = flat(general[1]) - flat(cyclic[1]) @ turn
    sine = np.sqrt(la.eigvalsh(outside.T @ (matrices[1] @ outside))[-1])
    print(f"largest principal angle between the routes: {sine:.1e}")
    assert sine < 1e-6  # accepted difference; 7e-13 was measured
    np.testing.assert_allclose(general[0].frequency_hz, cyclic[0].frequency_hz, rtol=1e-9)
    np.testing.assert_array_equal(general[0].order, cyclic[0].order)


def test_both_routes_give_the_same_rows_and_tables(cyclic, general, turn):
    a, b = cyclic[0], general[0]
    pairs = [
        (turn.T @ a.generator @ turn, b.generator),
        (turn.T @ a.sector_map @ turn, b.sector_map),
        (turn.T @ a.geometric_stiffness @ turn, b.geometric_stiffness),
        (a.invariants.p_xh @ turn, b.invariants.p_xh),
        (turn.T @ a.invariants.p_hh @ turn, b.invariants.p_hh),
        (a.interface_rows @ turn, b.interface_rows),
        (a.control.displacement_rows @ turn, b.control.displacement_rows),
        (a.control.stress_rows @ turn, b.control.stress_rows),
    ]
    for s, t in zip(a.treads, b.treads, strict=True):
        pairs += [(s.node_rows @ turn, t.node_rows), (s.profile_rows @ turn, t.profile_rows)]
        pairs += [(s.residual_compliance, t.residual_compliance)]
    loads = ("tread", "interface", "centrifugal")
    names = [f"{load}_{quantity}" for load in loads for quantity in ("displacement", "stress")]
    for name in (*names, *(f"{name}_dynamic" for name in names[:4])):
        pairs.append((getattr(a.control, name), getattr(b.control, name)))
    for left, right in pairs:
        assert (
            np.abs(left - right).max() < 1e-7 * np.abs(left).max()
        )  # a tenth of the difference of spaces accepted above
    np.testing.assert_array_equal(a.control.home, b.control.home)
    assert a.control.home[2] != 0
