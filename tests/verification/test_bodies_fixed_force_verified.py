"""A force fixed in space on the spinning wheelset: each way of running against the direct non-rotating solution.

Direct solution: K_E w = rows^T F, no time stepping. Coarse section, 15 degree sectors and the 2 degrees of the shipped
mesh, on which the errors of turning hang; 80 km/h.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.numerics.integration import newmark, park
from flexwheel.verification.benches.fixed_force import fixed_force_response
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh


def reduced(sectors):
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=sectors))
    return reduce_wheelset(mesh, ReductionOptions(fixed_interface_modes=29, residual=False))


@pytest.fixture(scope="module")
def coarse():
    return reduced(24)


@pytest.fixture(scope="module")
def fine():
    return reduced(180)


@pytest.mark.parametrize("scheme", [newmark, park])
def test_exact_rotation_reaches_the_direct_solution(coarse, scheme):
    response = fixed_force_response(coarse, "eulerian", scheme(1e-4), revolutions=20)
    assert response.error() < 2e-6  # what is left of the transient; Park adds its truncation
    assert np.abs(response.ripple[:3]).max() < 1e-6 * np.abs(response.direct[:3]).max()


@pytest.mark.parametrize(
    ("variant", "distribution"),
    [
        ("lagrangian", "least_squares"),
        ("lagrangian", "shape_functions"),
        ("lagrangian", "inverse_distance"),
        ("eulerian_interpolated", "shape_functions"),
        ("eulerian", "shape_functions"),
    ],
)
def test_every_way_of_running_within_two_per_mille_on_sectors_of_two_degrees(fine, variant, distribution):
    response = fixed_force_response(fine, variant, newmark(1e-4), revolutions=20, distribution=distribution)
    assert response.error() < 2e-3


def test_error_of_straight_rows_falls_with_the_sector_angle_squared(coarse, fine):
    run = partial(fixed_force_response, variant="lagrangian", coefficients=newmark(1e-4), revolutions=20)
    errors = [run(body, between="linear").error() for body in (coarse, fine)]
    order = np.log(errors[0] / errors[1]) / np.log(15 / 2)
    assert 1.8 < order < 2.2
    mesh_at_rest = fixed_force_response(coarse, "eulerian", newmark(1e-4), revolutions=20)
    harmonics = run(coarse)  # on sectors of 15 degrees: the same equations seen from another mesh
    scale = np.abs(mesh_at_rest.mean).max()
    np.testing.assert_allclose(harmonics.mean, mesh_at_rest.mean, rtol=1e-6, atol=1e-9 * scale)
    assert harmonics.ripple[:3].max() < 1e-4 * np.abs(harmonics.mean[:3]).max()


def test_mesh_not_of_revolution_is_refused_by_the_exact_variant(coarse):
    body = replace(coarse, closure_defect=float("nan"))
    with pytest.raises(ScenarioError, match="not of revolution"):
        fixed_force_response(body, "eulerian", newmark(1e-4))
