"""Surface tables of the cyclic route against nodal stress of the whole mesh, taken without any symmetry."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.body.assembly import assemble
from flexwheel.body.interfaces import find_interfaces
from flexwheel.body.reduce import ReductionOptions, reduce_with_shapes, reduce_with_surface
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.stress import nodal_stress
from flexwheel.body.tread import TreadOptions, find_treads, profile_operator
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
from tests.benches.free_statics import free_static_solution

MESH = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=12))
SINGLE = 1e-5  # of the largest value: surface tables are kept in single precision


@pytest.fixture(scope="module", params=["cyclic", "general"])
def case(request):
    options = ReductionOptions(fixed_interface_modes=29, route=request.param)
    body, surface = reduce_with_surface(MESH, options)
    shapes = reduce_with_shapes(MESH, options)[1]
    rows = np.searchsorted(MESH.node_ids, surface.node_id)
    return body, surface, shapes.modes.shapes, rows, shapes.free


def test_motion_and_stress_of_the_modes(case):
    _, surface, shapes, rows, free = case
    np.testing.assert_allclose(surface.rows, shapes[rows], atol=1e-12 * np.abs(shapes).max())
    exact = free.applied(nodal_stress(MESH, shapes.reshape(MESH.dof_count, -1)))[rows]
    assert np.abs(surface.stress_rows - exact).max() < SINGLE * np.abs(exact).max()


def test_residual_under_loads_that_stand(case):
    """Unit wrenches on the lowest section of a tread and on a journal, and the load of spinning at 1 rad/s."""
    body, surface, shapes, rows, free = case
    omega2 = (2 * np.pi * body.frequency_hz) ** 2
    tread = find_treads(MESH, None, None, TreadOptions())[0]
    operator = profile_operator(tread.profile, tread.lateral, tread.radius)
    loads = np.zeros((len(MESH.nodes), 3, 13))
    loads[tread.nodes[0, :, 0], :, :6] = np.moveaxis(operator.reshape(6, -1, 3), 0, -1)
    journal = find_interfaces(MESH, ReductionOptions().interfaces, ReductionOptions().journal_range)[0]
    loads[journal.nodes, :, 6:12] = journal.average.T.reshape(-1, 3, 6)
    stiffness, mass = assemble(MESH)
    loads[:, :, 12] = (mass @ (MESH.nodes * [1.0, 0.0, 1.0]).ravel()).reshape(-1, 3)
    loads = loads.reshape(-1, 13)
    full = free_static_solution(stiffness, mass, rigid_modes(MESH.nodes), loads)
    flat = shapes.reshape(MESH.dof_count, -1)
    rest = full - flat @ ((flat.T @ loads) / omega2[:, None])
    exact = rest.reshape(len(MESH.nodes), 3, 13)[rows]
    off_axle = np.hypot(surface.position[:, 0], surface.position[:, 2]) > 1e-6  # on it the residual is left out
    column = [*range(6), *range(12, 18), 24]  # of two treads and two journals
    for k, at in enumerate(column):
        error = np.abs(surface.load_displacement[:, :, at] - exact[..., k])[off_axle].max()
        assert error < SINGLE * np.abs(exact[..., k]).max()
    exact = free.applied(nodal_stress(MESH, rest))[rows]
    for k, at in enumerate(column):
        error = np.abs(surface.load_stress[:, :, at] - exact[..., k])[off_axle].max()
        assert error < SINGLE * np.abs(exact[..., k]).max()


def test_families_of_the_craig_bampton_basis(case):
    _, surface, *_ = case
    assert surface.families["constraint"].shape[2] == 12
    assert surface.families["fixed_interface"].shape[2] == len(surface.family_hz["fixed_interface"])
    assert (np.diff(surface.family_hz["fixed_interface"]) > -1e-6).all()
