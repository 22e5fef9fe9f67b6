"""A vehicle at rest on smooth rails, built in numbers and not from a scenario."""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linearise import linearise
from flexwheel.contact.contact_tables import make_contact_scratch
from flexwheel.extensions.rails.massless import make_massless
from flexwheel.numerics.kernels import Each
from flexwheel.track.irregularity import make_irregularity
from flexwheel.track.rail_types import make_state as make_rail_state
from flexwheel.vehicle.elements.columns import make_suspension_state
from flexwheel.vehicle.step.assemble import make_state, make_workspace, prepare
from flexwheel.vehicle.step.equilibrium import static_equilibrium
from flexwheel.vehicle.step.model import Drive, Model
from flexwheel.vehicle.step.simulate import simulate

RIGID = np.zeros((4, 4))  # compliance of rails that do not move


@dataclass(frozen=True)
class Standing:
    """Model at rest with everything that a run or a linearisation needs."""

    model: Model
    assembly: object
    state: object
    rail_state: object
    contact_work: object
    work: object

    def linearised(self):
        """LinearModel about this state."""
        return linearise(self.model, self.assembly, self.state, self.work, self.contact_work, RIGID)

    def run(self, duration, settings):
        """Outcome of `simulate` over a duration [s]."""
        parts = self.model, self.assembly, self.state, self.rail_state, self.contact_work, self.work
        return simulate(*parts, duration, settings)


def stand(assembly, contact, suspension, layout, coefficients, speed, gravity, start=0.0, rail=1e12, **options):
    """Vehicle in static equilibrium on rails of stiffness `rail` [N/m, N m/rad], at `speed` [m/s] and `start` [m].

    options: of `static_equilibrium`
    """
    contacts = Each([contact] * (2 * len(assembly.wheelset_specs)))
    model = Model(
        coefficients, layout, make_irregularity(), make_massless([rail] * 4, [0.0] * 4, coefficients), assembly.units,
        assembly.wheelsets, contacts, suspension, Drive(0, 0, 0.0, 0.0, 0.0, 0.0), gravity, speed,
        np.zeros((0, 2, 0)), assembly.flexible,
    )  # fmt: skip
    state = make_state(assembly, start, speed)
    rail_state = make_rail_state(model.rail, len(assembly.wheelset_specs), coefficients.depth, start)
    work = make_workspace(assembly, make_suspension_state(suspension))
    contact_work = make_contact_scratch(contact)
    prepare(model, work)
    static_equilibrium(model, assembly, state, work, contact_work, RIGID, **options)
    return Standing(model, assembly, state, rail_state, contact_work, work)
