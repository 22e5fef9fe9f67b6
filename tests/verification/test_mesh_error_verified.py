"""Estimated mesh error of natural frequencies against meshes so fine that theirs does not count.

The estimate's accuracy is a factor of two (Zienkiewicz, Zhu 1987 find effectivities of 0.5 to 1.5 for linear and
quadratic elements on smooth solutions); a wrong constant, a pair counted once or a sector for the whole falls outside.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse.linalg as spla

from flexwheel.body.assembly import assemble
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_error import cyclic_frequency_errors, frequency_errors
from flexwheel.body.revolution import require_revolution
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

MODES, SIZE = 10, (1.2, 0.4, 0.6)


def modes(mesh, options, count):
    """Frequencies [Hz] and shapes (N, 3, L), modal mass 1, of the lowest flexible modes of a free mesh."""
    stiffness, mass = assemble(mesh, options)
    value, vector = spla.eigsh(stiffness, count + 6, mass, sigma=-1e5, v0=np.ones(mesh.dof_count))
    order = np.argsort(value)[6:]
    return np.sqrt(value[order]) / (2 * np.pi), vector[:, order].reshape(len(mesh.nodes), 3, count)


@pytest.fixture(scope="module")
def exact():
    """Frequencies of the box [Hz], quadratic elements a third as long."""
    return modes(box_mesh("hex20", (12, 4, 6), SIZE), FormulationOptions(hex20="full"), MODES)[0]


@pytest.mark.parametrize(
    "kind, cells",
    [("hex8", (9, 3, 5)), ("hex20", (4, 2, 2)), ("wedge15", (5, 2, 3)), ("tet10", (6, 2, 3))],
)
def test_estimate_for_a_box_is_within_a_factor_of_two(kind, cells, exact):
    """Block of 1.2 x 0.4 x 0.6 m, ten modes."""
    mesh, options = box_mesh(kind, cells, SIZE), FormulationOptions(hex20="full")
    hz, shapes = modes(mesh, options, MODES)
    true, estimate = hz / exact - 1.0, frequency_errors(mesh, shapes, hz, options)
    assert 0.5 < estimate.sum() / true.sum() < 2.0
    large = true > 0.2 * true.max()  # close pairs change places below
    assert np.all(estimate[large] > true[large] / 2.5) and np.all(estimate[large] < 2.5 * true[large])


def test_a_sector_gives_what_the_whole_mesh_gives():
    """Energy of cos and sin together is the same in all sectors, so the mean of a pair is exact."""
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=10))
    options = FormulationOptions()
    hz, shapes = modes(mesh, options, 8)
    order = np.where(np.isclose(hz[:, None], hz[None], rtol=1e-5).sum(axis=1) > 1, 1, 0)
    whole = frequency_errors(mesh, shapes, hz, options)
    paired = np.flatnonzero(order[:-1] * (np.diff(hz) < 1e-5 * hz[:-1]))
    for k in paired:
        whole[k : k + 2] = whole[k : k + 2].mean()
    modal = SimpleNamespace(shapes=shapes, frequency=hz, order=order)
    found = cyclic_frequency_errors(mesh, require_revolution(mesh), modal, np.arange(8), options)
    np.testing.assert_allclose(found, whole, rtol=1e-5)
