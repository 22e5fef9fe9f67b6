"""Results of a train run, and the rows the benchmark of train simulators asks for."""

from dataclasses import dataclass

import numpy as np

from flexwheel.systems.train.train_energy import AIR_BRAKE, COUPLERS, CURVING, DYNAMIC_BRAKE, ORDINARY, TRACTION


@dataclass(frozen=True)
class TrainResults:
    """What a run leaves. T ticks, n vehicles, n - 1 couplings from head to tail, bars included."""

    time: np.ndarray  # (T,) [s]
    position: np.ndarray  # (T, n) [m] centre of each vehicle
    speed: np.ndarray  # (T, n) [m/s]
    force: np.ndarray  # (T, n - 1) [N] coupling force, draft positive
    deflection: np.ndarray  # (T, n - 1) [m] zero in rigid bars
    pressure: np.ndarray  # (T, n) [-] brake cylinder, fraction of full service
    level: np.ndarray  # (T, channels) notch driven
    peak_force: np.ndarray  # (n - 1, 2) [N] largest draft and buff (negative) force, located between ticks
    peak_time: np.ndarray  # (n - 1, 2) [s]
    peak_deflection: np.ndarray  # (n - 1, 2) [m]
    speed_max: float  # [m/s]
    speed_mean: float  # [m/s]
    steps: dict  # steps, rejected, located, stops
    energy: "EnergyLedger | None"
    seconds: float  # [s] time the solver took
    tolerance: float
    complete: bool = True  # False: interrupted, the reason in `status`
    status: str = "complete"


@dataclass(frozen=True)
class EnergyLedger:
    """Energy of a run [J]; closes to the error of the integration."""

    traction: float
    dynamic_brake: float
    air_brake: float
    ordinary: float
    curving: float
    couplers: float
    kinetic_change: float
    height_change: float
    coupler_change: float

    @property
    def residual(self):
        """What goes in minus what comes out and what is stored [J]."""
        out = self.dynamic_brake + self.air_brake + self.ordinary + self.curving + self.couplers
        return self.traction - out - self.kinetic_change - self.height_change - self.coupler_change

    @property
    def turnover(self):
        """Sum of all sizes [J], to measure the residual against."""
        values = (self.traction, self.dynamic_brake, self.air_brake, self.ordinary, self.curving, self.couplers)
        changes = (self.kinetic_change, self.height_change, self.coupler_change)
        return sum(values) + sum(abs(c) for c in changes)


def make_ledger(records, height_change):
    """Ledger from the raw records of a run and the work of lifting, exact from the route [J]."""
    e = records.energy
    change = records.held[1] - records.held[0]
    forces = e[[TRACTION, DYNAMIC_BRAKE, AIR_BRAKE, ORDINARY, CURVING, COUPLERS]]
    return EnergyLedger(*map(float, (*forces, change[0], height_change, change[1])))


@dataclass(frozen=True)
class BenchmarkRow:
    """One row of tables 1-2 of the paper: speeds in km/h, forces in kN, deflections in mm, couplers from 1."""

    speed_max: float
    speed_mean: float
    draft: float
    draft_at: int
    buff: float
    buff_at: int
    draft_mean: float
    buff_mean: float
    deflection_at: int
    deflection_draft: float
    deflection_buff: float


def benchmark_row(results, deflection_coupler=1) -> BenchmarkRow:
    """Row of tables 1-2.

    Parameters
    ----------
    results : TrainResults
    deflection_coupler : int     reference coupler, from 1 at the head
    """
    draft, buff = results.peak_force[:, 0], results.peak_force[:, 1]
    deflection = results.peak_deflection[deflection_coupler - 1] * 1e3
    return BenchmarkRow(
        speed_max=results.speed_max * 3.6,
        speed_mean=results.speed_mean * 3.6,
        draft=float(draft.max()) / 1e3,
        draft_at=int(draft.argmax()) + 1,
        buff=-float(buff.min()) / 1e3,
        buff_at=int(buff.argmin()) + 1,
        draft_mean=float(draft.mean()) / 1e3,
        buff_mean=-float(buff.mean()) / 1e3,
        deflection_at=deflection_coupler,
        deflection_draft=float(deflection[0]),
        deflection_buff=-float(deflection[1]),
    )


def format_rows(rows):
    """Text table of several rows.

    Parameters
    ----------
    rows : sequence of (name, BenchmarkRow)
    """
    head = (
        f"{'model':<22} {'vmax':>7} {'vavg':>7} {'draft':>11} {'buff':>11} {'mean draft':>10} {'mean buff':>10} "
        f"{'deflection':>10} {'draft':>7} {'buff':>7}"
    )
    unit = (
        f"{'':<22} {'km/h':>7} {'km/h':>7} {'kN@coupler':>11} {'kN@coupler':>11} {'kN':>10} {'kN':>10} "
        f"{'coupler':>10} {'mm':>7} {'mm':>7}"
    )
    lines = [head, unit]
    for name, r in rows:
        lines.append(
            f"{name:<22} {r.speed_max:7.2f} {r.speed_mean:7.2f} {f'{r.draft:.0f}@{r.draft_at}':>11} "
            f"{f'{r.buff:.0f}@{r.buff_at}':>11} {r.draft_mean:10.0f} {r.buff_mean:10.0f} {r.deflection_at:10d} "
            f"{r.deflection_draft:7.1f} {r.deflection_buff:7.1f}"
        )
    return "\n".join(lines)
