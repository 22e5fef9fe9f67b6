"""Lines of the steady load: sleepers that pass under it, and the node that turns through it."""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linear.bands import line_rms
from flexwheel.assess.linear.on_rails import rail_coupling, solve_harmonics


@dataclass(frozen=True)
class SteadyLines:
    """Fourier amplitudes at m times the passing frequency, m = 0, 1, ...; one-sided but for m = 0."""

    frequency: np.ndarray  # (K,) [Hz]
    inputs: np.ndarray  # (K, 10 W2) of the ContactSystem
    wrench: np.ndarray  # (K, 6 W2)
    index: np.ndarray  # (K,) on the grid

    def node_inputs(self, running, modes, wheelset):
        """(frequency, amplitudes (K, H + L)) of one wheelset, as `response.node_inputs`, the steady state at 0."""
        system = running.system
        w = np.einsum("kab,kb->ka", system.coordinate[self.index][:, modes], self.wrench)
        journal = np.einsum("kab,kb->ka", system.journal[self.index], self.inputs)
        own = slice(12 * wheelset, 12 * wheelset + 12)
        journal = journal[:, own]
        moves = np.einsum("kab,kb->ka", system.patch[self.index][:, 8 * wheelset : 8 * wheelset + 8], self.inputs)
        moves[0] = 0.0
        output = running.linear.contact.output
        w[0] = running.linear.steady[0][modes]
        journal[0] = output[10 * running.places.count :][own]
        return self.frequency, np.concatenate([w, self.wrench[:, own], journal, moves], axis=1)


def passing_lines(running, steady):
    """SteadyLines of the steady contact forces over the sleepers; the steady state alone on rails without sleepers."""
    system, count = running.system, running.places.count
    output = running.linear.contact.output
    wrench, heads = output[: 6 * count], output[6 * count : 10 * count]
    if steady is None:
        nothing = np.zeros((1, 10 * count), dtype=complex)
        return SteadyLines(np.zeros(1), nothing, wrench[None].astype(complex), np.zeros(1, dtype=int))
    most = len(steady.harmonics) // 2
    answer = rail_coupling(steady, running.places, running.linear.speed / running.rail.passing)[:, :, 0] @ heads
    drive = np.zeros((2 * most + 1, 10 * count, 1), dtype=complex)
    drive[:, : 4 * count, 0], drive[:, 4 * count : 8 * count, 0] = answer
    drive[most] = 0.0
    inputs = solve_harmonics(system, running.coupling, running.parts, np.zeros(1, dtype=int), drive[None])[
        0, most:, :, 0
    ]
    index = np.arange(most + 1) * running.parts
    inside = index < len(system.frequency)
    index, inputs = index[inside], 2.0 * inputs[inside]
    force = np.einsum("kab,kb->ka", system.wrench[index], inputs)
    force[0], inputs[0] = wrench, 0.0
    return SteadyLines(index * running.rail.frequency[1], inputs, force, index)


def turning_lines(waves, spin, lines, centre):
    """Root-mean-square (2, B, 12) of the lines in bands, rotating and fixed: displacement, acceleration, stress."""
    frequency, amplitude = lines
    both = np.concatenate([waves.modal, waves.load], axis=2)
    answer = np.einsum("kab,lb->lka", both, amplitude)  # line, order, 9 rows
    shifted = frequency[:, None] + waves.order * spin / (2.0 * np.pi)
    answer[0] *= 2.0  # the steady state's orders k and -k are conjugates and fall on one line, of amplitude 2 |a|
    hz, turning = np.abs(shifted).ravel(), answer.reshape(-1, 9).copy()
    steady = np.zeros(shifted.shape, dtype=bool)
    steady[0, waves.order <= 0] = True
    turning[steady.ravel()] = 0.0
    rate = 2j * np.pi * frequency[:, None] + 1j * spin * waves.order
    fixed = np.concatenate(
        [answer[..., :3].sum(1), (answer[..., :3] * rate[..., None] ** 2).sum(1), answer[..., 3:].sum(1)], axis=1
    )
    whole = np.concatenate(
        [turning[:, :3], -turning[:, :3] * ((2.0 * np.pi * hz) ** 2)[:, None], turning[:, 3:]], axis=1
    )
    return np.stack([line_rms(hz, whole, centre), line_rms(frequency[1:], fixed[1:], centre)])
