"""What grows in a linear model, slow and real growth included, and the bodies or coordinates that it is of.

    M x'' + C x' + K x + P z = 0,    z' = A z + B x

A vehicle may stand anywhere along the track and its wheels at any angle: these displacements change nothing. They are
double zeros of the characteristic equation, which rounding would split into a growth and a decay of up to 0.1 1/s.
Here they are taken out: displacements along are counted from the reference body, spin angles are not counted.
"""

from dataclasses import dataclass

import numpy as np

LEAST_RATE = 1e-3  # [1/s] a motion that doubles in less than 700 s; slower growth is longer than any run
REAL_HZ = 1e-3  # [Hz] below which an oscillation is a creeping away
MOST_NAMES = 3
NEAR = 0.2  # of the largest share of energy; coordinates that hold more are named


@dataclass(frozen=True)
class Growth:
    """A motion that grows as exp(rate t)."""

    rate: float  # [1/s]
    frequency_hz: float  # 0 where it does not oscillate
    names: tuple[str, ...]  # bodies' coordinates or modes that hold most of the kinetic energy, the largest first
    share: float  # of the first of them

    def text(self):
        """What grows and how."""
        how = f"at {self.frequency_hz:.3g} Hz" if self.frequency_hz > 0.0 else "without oscillating"
        return f"{listed(self.names)}: grows {how}, e-fold in {1.0 / self.rate:.3g} s"


def listed(names, most=MOST_NAMES):
    """Names in one text."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def growing(linear, least=LEAST_RATE) -> tuple[Growth, ...]:
    """Motions of a LinearModel or RigidLinear that grow faster than `least` [1/s], the fastest first."""
    values, shapes = poles(linear)
    found = [k for k in np.argsort(-values.real) if values[k].real > least and values[k].imag >= 0.0]
    return tuple(_growth(linear, values[k], shapes[:, k]) for k in found)


def largest_growth(linear):
    """Largest real part [1/s] of all poles but those of standing elsewhere."""
    return float(np.max(poles(linear)[0].real))


def poles(linear):
    """Poles (P,) [1/s] and the velocities (N, P) of their shapes; standing elsewhere and turned wheels left out."""
    count, states = len(linear.mass), len(linear.state_rate)
    kept = np.setdiff1d(np.arange(count), [*linear.along[:1], *linear.spins])
    relative = np.eye(count)[kept]
    if linear.along:
        relative[np.isin(kept, linear.along), linear.along[0]] = -1.0
    solve = np.linalg.solve
    force = np.zeros((count, states)) if states == 0 else linear.state_force
    drive = np.zeros((states, count)) if states == 0 else linear.state_drive
    own = len(kept)
    matrix = np.block(
        [
            [np.zeros((own, own)), relative, np.zeros((own, states))],
            [-solve(linear.mass, m) for m in (linear.stiffness[:, kept], linear.damping, force)],
            [drive[:, kept], np.zeros((states, count)), linear.state_rate.reshape(states, states)],
        ]
    )
    values, vectors = np.linalg.eig(matrix)
    return values, vectors[own : own + count]


def _growth(linear, value, shape):
    labels, shares = shares_of_energy(linear.mass, linear.labels, shape)
    order = np.argsort(-shares)
    names = tuple(labels[k] for k in order if shares[k] > NEAR * shares[order[0]])
    hz = abs(value.imag) / (2.0 * np.pi)
    return Growth(float(value.real), hz if hz > REAL_HZ else 0.0, names, float(shares[order[0]]))


def shares_of_energy(mass, labels, velocity):
    """Labels, each once, and the share of the kinetic energy of each at velocities (N,); |v_k| |(M v)_k| summed."""
    names = sorted(set(labels))
    energy = np.abs(velocity) * np.abs(mass @ velocity)
    sums = np.zeros(len(names))
    np.add.at(sums, [names.index(label) for label in labels], energy)
    return names, sums / max(float(sums.sum()), 1e-300)
