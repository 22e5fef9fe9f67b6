"""Contact forces that a step foresees by the tangents of the last evaluation, against the law's own."""

from pathlib import Path

import numpy as np
import pytest

from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_simulation import assemble_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import take_steps
from flexwheel.vehicle.step.contact_system import foresee, law_entry, press
from flexwheel.vehicle.step.simulate import LoopSettings, prepared

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "as4_curve.toml"
RIGID = "wheelset.front.formulation=rigid", "track.model=massless", "run.start_position_m=80", "contact.strips=16"
LATERAL, UP, YAW, ROLL, SPIN = 1, 2, 3, 4, 5


@pytest.fixture(scope="module")
def curving():
    """AS4 in its curve after 200 steps on rough rails."""
    s = assemble_simulation(read_scenario(EXAMPLE, list(RIGID)), {})
    take_steps(s, 0.02)
    return s, prepared(s.model, s.state, s.rail_state, s.work, LoopSettings())[0]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("motion", "acceleration"), [(LATERAL, 40.0), (UP, 40.0), (YAW, 30.0), (ROLL, 40.0), (SPIN, 60.0)]
)
def test_forces_are_foreseen_by_the_tangents(curving, side, motion, acceleration):
    """By tangents taken as differences (`WheelMotion.exact`), what is left is of the second order: 1 %, and 1 N."""
    (s, linked), w = curving, 0
    handles = [handle(item) for item in (linked, s.state, s.rail_state, s.contact_work, s.work)]
    model, state, rail_state, contact_work, work = handles
    law, o = law_entry(handle(linked.contact[0]), contact_work, s.work), linked.units.offset[linked.wheelsets.unit[w]]

    def pressed(step):
        s.work.step[:] = 0.0
        s.work.step[o + motion] = step
        assert press(law, model, state, rail_state, w, side, contact_work, work, True) == 0
        return s.work.contact_force[w, side].copy()

    before = pressed(0.0)
    s.work.step[o + motion] = acceleration
    foresee(model, state, rail_state, w, side, work)
    foreseen = s.work.contact_force[w, side].copy()
    change = (pressed(acceleration) - before)[:3]
    assert np.abs(change).max() > 5.0
    np.testing.assert_allclose((foreseen - before)[:3], change, rtol=0.0, atol=1.0 + 0.01 * np.abs(change).max())
