"""`fw.linear`: the linearised vehicle as matrices with names, for control design, identification, own analyses.

    M x'' + C x' + K x + P z = F - G r - H r',    z' = Z z + Y x,    s = (x, x', z),    s' = A s + B u,    y = C s + D u

about steady straight running (`assess.linearise`). Inputs u: irregularity r under each wheel [m], its rate r' [m/s] as
the wheel passes, force F on each coordinate [N, N m]. Outputs y: force on each wheel [N], acceleration of each one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xarray as xr

from flexwheel.assess.figures.notebook_pages import html_table
from flexwheel.assess.linear_analysis import running_at
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import VEHICLE
from flexwheel.face.calls import scenario_of
from flexwheel.face.display import Displayed
from flexwheel.face.scenario import Scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.studies.numbers import numbers

Matrix = npt.NDArray[np.float64]
ACROSS = ("lateral", "vertical")
FORCE_AXES = "xyz"


@dataclass(frozen=True, repr=False)
class LinearSystem(Displayed):
    """Matrices of a running vehicle; rows and columns in the order of the names.

    Example
    -------
    >>> system = fw.linear(fw.Scenario.example("manchester_s_curve"), speed_kmh=160.0)
    >>> scipy.signal.StateSpace(system.A, system.B, system.C, system.D)
    """

    speed_kmh: float
    coordinates: tuple[str, ...]  # (N,) body and direction
    mass: Matrix  # (N, N)
    damping: Matrix  # (N, N) contact forces included
    stiffness: Matrix  # (N, N) contact forces included
    states: tuple[str, ...]  # (S,) coordinates, their rates, pistons of dampers in series with a spring
    inputs: tuple[str, ...]  # (U,)
    outputs: tuple[str, ...]  # (Y,)
    A: Matrix  # (S, S)
    B: Matrix  # (S, U)
    C: Matrix  # (Y, S)
    D: Matrix  # (Y, U)
    notes: tuple[str, ...] = ()  # how rails and force elements were taken

    @cached_property
    def eigenvalues(self) -> npt.NDArray[np.complex128]:
        """Eigenvalues of A [1/s], those of `fw.eigen` and their conjugates, and those of motion along the track.

        Example
        -------
        >>> system.eigenvalues.real.max()
        """
        return np.linalg.eigvals(self.A)

    def transfer(self, frequency_hz: Sequence[float]) -> xr.DataArray:
        """C (jw - A)^-1 B + D, complex (frequency, output, input); rates of irregularities folded into them, r' = jw r.

        Example
        -------
        >>> abs(system.transfer([1.0, 10.0]).sel(output="front left force z", input="front left irregularity vertical"))
        """
        hz = np.atleast_1d(numbers("transfer: frequency_hz", frequency_hz))
        if not np.all(hz > 0.0):
            raise ScenarioError(f"transfer: frequency_hz must be numbers above 0, got {frequency_hz!r}")
        s = 2j * np.pi * hz[:, None, None]
        found = self.C @ np.linalg.solve(s * np.eye(len(self.A)) - self.A, self.B.astype(complex)) + self.D
        rates = [k for k, name in enumerate(self.inputs) if name.endswith(" rate")]
        own = [k for k in range(len(self.inputs)) if k not in rates]
        found[:, :, [self.inputs.index(self.inputs[k].removesuffix(" rate")) for k in rates]] += s * found[:, :, rates]
        names = [self.inputs[k] for k in own]
        return xr.DataArray(
            found[:, :, own], {"frequency": hz, "output": list(self.outputs), "input": names}, name="transfer"
        )

    def _head(self):
        sizes = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        return f"at {self.speed_kmh:g} km/h", f"{len(self.coordinates)} coordinates, {sizes}"

    def _parts(self):
        rows = [(name, len(getattr(self, name)), ", ".join(getattr(self, name)[:6]) + " ..") for name in (
            "coordinates", "states", "inputs", "outputs")]  # fmt: skip
        return [html_table(("names", "count", "first"), rows)]


def linear(
    scenario: Scenario | str | Path, speed_kmh: float | None = None, *, friction_dampers: str = "sticking"
) -> LinearSystem:
    """The linearised vehicle in steady running on straight track, as matrices with names.

    Parameters
    ----------
    scenario : Scenario, or the path of one, of kind vehicle
    speed_kmh : float           default: run.speed_kmh
    friction_dampers : str      sticking or sliding

    Returns
    -------
    LinearSystem        rails yield by their static compliance, as in `fw.eigen`; with track.model = "rigid" its
                        transfer functions are those of `fw.response`

    Raises
    ------
    ScenarioError       another kind of scenario, a speed that is none
    ConvergenceError    no steady running

    Example
    -------
    >>> system = fw.linear(fw.Scenario.example("manchester_s_curve"), 160.0)
    >>> system.A.shape, system.inputs[0]
    """
    chosen = scenario_of(scenario)
    if chosen.kind != VEHICLE:
        raise ScenarioError(f"{chosen.source.path}: kind must be 'vehicle', got {chosen.kind!r}")
    if friction_dampers not in ("sticking", "sliding"):
        raise ScenarioError(f"friction_dampers must be sticking or sliding, got {friction_dampers!r}")
    keys = chosen.source.scenario
    speed = keys.run.speed if speed_kmh is None else float(numbers("linear: speed_kmh", speed_kmh, 0)) / 3.6
    if not 0.0 < speed < 300.0:
        raise ScenarioError(f"speed_kmh must be a number above 0, at most 1000, got {speed_kmh!r}")
    bodies = {name: item.body for name, item in flexible_wheelsets(keys).items()}
    found = running_at(keys, bodies, friction_dampers)(speed)
    return system_of(found, [w for w in chosen.vehicle.wheelsets])


def system_of(found, wheelsets) -> LinearSystem:
    """LinearSystem of a LinearModel that has its `contact`; wheelsets: their names in order."""
    n, pistons, contact = len(found.mass), len(found.state_rate), found.contact
    count = contact.force.shape[1]
    wheels = [f"{name} {side}" for name in wheelsets for side in ("left", "right")]
    closed = np.linalg.inv(np.eye(count) - contact.output_force[:count])  # wrenches by what moves them
    across = np.arange(4 * len(wheels)).reshape(-1, 4)[:, 1:3].ravel()
    displacement, _, slope = contact.output_rail[:, :count][:, :, across]
    excited = closed @ np.hstack([displacement, slope / found.speed])  # (F, 4 W2)
    by_state = closed @ np.hstack([*contact.output_motion[:2, :count], contact.output_state[:count]])
    force = np.zeros((n, 0)) if pistons == 0 else found.state_force
    drive = np.zeros((0, n)) if pistons == 0 else found.state_drive
    rate = np.zeros((0, 0)) if pistons == 0 else found.state_rate
    fall = np.linalg.solve(found.mass, np.hstack([-found.stiffness, -found.damping, -force]))
    push = np.linalg.solve(found.mass, np.hstack([-contact.force @ excited, np.eye(n)]))
    a = np.block([[np.zeros((n, n)), np.eye(n), np.zeros((n, pistons))], [fall], [drive, np.zeros((pistons, n)), rate]])
    b = np.vstack([np.zeros((n, push.shape[1])), push, np.zeros((pistons, push.shape[1]))])
    forces = np.concatenate([6 * k + np.arange(3) for k in range(len(wheels))])
    through = np.hstack([excited, np.zeros((count, n))])
    labels = _numbered(found.labels)
    uneven = [f"{wheel} irregularity {way}" for wheel in wheels for way in ACROSS]
    return LinearSystem(
        3.6 * found.speed,
        labels,
        found.mass,
        found.damping,
        found.stiffness,
        (*labels, *(f"{label} rate" for label in labels), *(f"piston {k + 1}" for k in range(pistons))),
        (*uneven, *(f"{name} rate" for name in uneven), *(f"force on {label}" for label in labels)),
        (*(f"{wheel} force {axis}" for wheel in wheels for axis in FORCE_AXES), *(f"{x} acceleration" for x in labels)),
        a,
        b,
        np.vstack([by_state[forces], fall]),
        np.vstack([through[forces], push]),
        (*found.notes, *found.warnings),
    )


def _numbered(labels):
    """The labels, those that stand more than once (the modes of a pair) with a letter."""
    seen: dict[str, int] = {}
    out = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        out.append(label if labels.count(label) == 1 else f"{label} {'abcdef'[seen[label] - 1]}")
    return tuple(out)
