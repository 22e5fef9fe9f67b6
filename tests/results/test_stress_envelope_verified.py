"""Envelope of the surface's stress against the control nodes' recovery, sample by sample (paper 004, section 2.6).

The recovery is a code of its own (modal rows of one node, series of its tables); both hold every term. Errors stay
below 0.1 %, what the command promises.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flexwheel.assess.evaluate.stress_envelope import EnvelopeSweep
from flexwheel.assess.evaluate.surface_stress_field import principal_stresses, ring_stress_rows, stress_coefficients
from flexwheel.assess.figures.scenes import deformation, surface_stress
from flexwheel.body.control_node import ControlNode
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.reduce import ReductionOptions, reduce_with_surface
from flexwheel.body.revolution import detect_revolution
from flexwheel.body.surface import outer_surface
from flexwheel.results.evaluate.control_nodes import WheelsetHistory, control_node_results, standing_loads

MESH = Path(__file__).parents[2] / "meshes" / "wheelset_coarse.inp"
SAMPLES, STEP = 700, 1e-4


@pytest.fixture(scope="module")
def both():
    mesh, _ = read_mesh(MESH)
    revolution, _ = detect_revolution(mesh)
    orbits = np.flatnonzero(np.isin(revolution.ring[0], outer_surface(mesh).node_rows))[::6]
    nodes = tuple(ControlNode(id=int(mesh.node_ids[revolution.ring[0, k]])) for k in orbits)
    return reduce_with_surface(mesh, ReductionOptions(control=nodes))


@pytest.fixture(scope="module")
def body(both):
    return both[0]


def history(body, mode, highest):
    """A wheelset that turns at 48 rad/s under loads and modes that swing by chance below a frequency [Hz]."""
    rng = np.random.default_rng(5)
    time = STEP * np.arange(SAMPLES)

    def swing(*shape):
        """Values (T, ...) and their derivatives 1 to 6 (T, 6, ...)."""
        rate = 2j * np.pi * rng.uniform(1.0, highest, (6, *shape))
        waves = np.exp(rate * time.reshape(-1, *[1] * (len(shape) + 1))) * rng.normal(size=(6, *shape))
        values = np.stack([(waves * rate**n).real.sum(axis=1) for n in range(7)], axis=1)
        return values[:, 0], values[:, 1:]

    modes = len(body.frequency_hz)
    scale = 30.0 / (2 * np.pi * body.frequency_hz) ** 2 * 300.0
    rates = np.zeros((SAMPLES, 6))
    rates[:, 5] = 48.0
    tread, tread_rate = (x * np.array([5e3, 5e3, 1e4, 1e3, 1e3, 1e3]) for x in swing(2, 6))
    zero, modal, (journal, journal_rate) = np.zeros((SAMPLES, modes)), swing(modes)[0], swing(2, 6)
    return WheelsetHistory(
        mode, 48.0 * time, rates, np.zeros((SAMPLES, 6)), scale * modal, zero, zero,
        tread + np.array([0.0, 4e3, 6e4, 0.0, 0.0, 0.0]), journal * 1e3 - np.array([0.0, 0.0, 5e4, 0.0, 0.0, 0.0]),
        tread_rate, 1e3 * journal_rate,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "point", "highest"),
    [("eulerian", "rotating", 500.0), ("eulerian", "rotating", 40.0), ("eulerian", "fixed", 40.0),
     ("lagrangian", "rotating", 40.0)],
)  # fmt: skip
def test_envelope_is_that_of_every_sample(body, mode, point, highest):
    moved = history(body, mode, highest)
    coefficients = stress_coefficients(body, moved, point)
    sweep = EnvelopeSweep(ring_stress_rows(body, point))
    numbers = np.arange(0, SAMPLES, 90)
    sweep.seed(coefficients.part(numbers), numbers)
    for part in (slice(0, 300), slice(300, SAMPLES)):
        sweep.add(coefficients.part(part))
    found, chosen = sweep.values()
    for section in (0, 3, found.shape[2] // 2):
        control = replace(body.control, home=np.full_like(body.control.home, section))
        direct = control_node_results(replace(body, control=control), moved)
        mises = direct["von_mises"][:, :, int(point == "fixed")]
        principal = principal_stresses(direct["stress"][:, :, int(point == "fixed")])
        sought = 0.25 * mises.max(axis=0)  # below it a principal stress is not sought
        for values, k in ((mises, 0), (principal[..., 2], 1), (-principal[..., 0], 2)):
            largest, at = values.max(axis=0), chosen[k, :, section]
            rows = np.flatnonzero(largest > sought)
            np.testing.assert_allclose(np.abs(found[k, rows, section]), largest[rows], rtol=1e-3)
            np.testing.assert_allclose(values[at, np.arange(len(at))][rows], largest[rows], rtol=1e-3)
    if highest < 100.0:  # most samples are left out, those of fast swings are all needed
        assert sweep.computed < 0.3 * found[0].size * SAMPLES


def test_deformed_view_is_that_of_the_control_nodes(both):
    """Stress and motion that a picture draws in the mesh that does not turn, under loads too slow for inertia."""
    body, surface = both
    moved = history(body, "eulerian", 1.0)
    direct = control_node_results(body, moved)
    at = np.searchsorted(surface.node_id, body.control.node_id)
    assert (body.control.home == 0).all()
    loads = standing_loads(moved)
    for k in (0, 350, SAMPLES - 1):
        expected = direct["von_mises"][k, :, 1]
        drawn = surface_stress(surface, moved.modal_position[k], loads[k])[at]
        assert drawn == pytest.approx(expected, abs=1e-4 * expected.max())
        expected = direct["displacement"][k, :, 1]
        drawn = deformation(surface, moved.modal_position[k], loads[k])[at]
        assert drawn == pytest.approx(expected, abs=1e-4 * np.abs(expected).max())
