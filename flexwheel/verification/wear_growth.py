"""Growth of a wheel's polygon by wear: batches of runs in time against the linear theory in the frequency domain.

The linear theory takes the vehicle's matrices, its contact laws and the sensitivity of the lost volume to pose, load
and creepages about steady running; it has no time step, no samples and no sums over the circumference.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flexwheel.assess.linear_analysis import straight_scenario
from flexwheel.assess.linearise import DISPLACEMENT_STEP, HELD, RATE_STEP, SIDES, derivative, linearise
from flexwheel.assess.wear.accumulate import Samples
from flexwheel.assess.wear.wear_law import LawTable, WearLaw
from flexwheel.assess.wear.worn_wheel import order_growth, orders_of, wheel_loss
from flexwheel.assess.wear_of_runs import Piece, WearSettings, piece_losses, run_piece, wear_batches
from flexwheel.base.variables import PATCH
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.keys.roundness_keys import RoundnessSection, WheelOrder
from flexwheel.vehicle.step.balance import balance, balance_arguments
from flexwheel.verification.check_registry import check, distance, other_code

TEXT = """[run]
speed_kmh = 80.0
duration_s = {duration}
settling_s = 0.5
contact_tolerance_n = 0.05
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 100.0 }}]
[irregularity]
spectrum = "none"
roughness = "none"
[contact]
strips = 16
"""
WHEEL = "front left"
PER_JOULE = 7e-13  # [m3/J]
NONE = np.zeros(0)
LAW = WearLaw("linear", "by energy", LawTable(0, np.zeros(1), np.zeros(1), np.full(1, PER_JOULE), *[NONE] * 3), ())
POSE = (1, 2, 3, 5)
PATCHES = (PATCH.normal_force, PATCH.xi, PATCH.eta, PATCH.phi)
STEPS = (1e-6, 1e-8, 1e-6, 1e-6, 10.0, 1e-7, 1e-7, 1e-5)
"""[m, m, rad, rad, N, -, -, 1/m] of the sensitivity of the lost volume: y, z, roll, yaw, load, creepages."""


def polygon_scenario(order, amplitude, duration=0.85):
    """AS4 with rigid wheelsets on smooth rigid rails, its left front wheel a polygon of an amplitude [m]."""
    scenario = parse_scenario(TEXT.format(duration=duration))
    part = RoundnessSection(orders=(WheelOrder(order=order, amplitude_mm=1e3 * amplitude),))
    return scenario.model_copy(update={"roundness": {WHEEL: part}} if amplitude else {})


def linear_growth(scenario, order):
    """Complex growth [1/m] of the left front wheel's deviation by way, over the wear rate of its running band.

    Its angle over the turn is Re(c exp(i n angle)), c' = growth times band rate times c.
    """
    straight = straight_scenario(scenario.model_copy(update={"roundness": {}}), scenario.run.speed)
    s = build_simulation(straight, {})
    linear = linearise(s.model, s.assembly, s.state, s.work, s.contact_work, np.zeros((4, 4)))
    at = _perturbed(s, linear)
    n, wrenches = len(linear.steady[0]), linear.contact.force.shape[1]
    by_place = _columns(n, DISPLACEMENT_STEP, lambda e: at(place=e))
    by_rate = _columns(n, RATE_STEP, lambda e: at(rate=e))
    by_radius = _columns(1, DISPLACEMENT_STEP, lambda e: at(radius=e[0]))[:, 0]
    by_slope = _columns(1, DISPLACEMENT_STEP, lambda e: at(slope=e[0]))[:, 0]
    first = s.assembly.units.offset[s.assembly.wheelsets.unit[0]]
    p = 1j * order * linear.steady[1][first + 5]
    dynamic = linear.mass * p * p + linear.free_damping * p + linear.free_stiffness
    pistons = len(linear.state_rate)
    inner = np.linalg.solve(p * np.eye(pistons) - linear.state_rate, linear.state_drive.astype(complex))
    dynamic = dynamic + linear.state_force @ inner
    excited = by_radius + 1j * order * by_slope
    moved = by_place + p * by_rate
    state, law, rest = slice(len(STEPS)), slice(len(STEPS), len(STEPS) + wrenches), slice(len(STEPS) + wrenches, None)
    matrix = np.block(
        [[dynamic, linear.contact.force], [-moved[law], np.eye(wrenches) - linear.contact.output_force[:wrenches]]]
    )
    answer = np.linalg.solve(matrix, np.concatenate([-excited[rest], excited[law]]))
    change = moved[state] @ answer[:n] + excited[state]
    tables, radius, steady = s.model.contact[0], s.model.wheelsets.radius[0], at()[state]
    place = s.work.patches[0, 0, 0, PATCH.y_wheel]

    def lost(values):
        return _lost(tables, radius, values, place, order)

    unit = np.eye(len(STEPS))
    slopes = [(lost(steady + h * unit[k])[1] - lost(steady - h * unit[k])[1]) / (2.0 * h) for k, h in enumerate(STEPS)]
    return -complex(np.array(slopes) @ change) / lost(steady)[0].real


def _perturbed(s, linear):
    """at(place, rate, radius, slope): pose and patch of the left front wheel, all wrenches by the law, residual."""
    place0, rate0, acceleration, wrench = linear.steady
    compiled = balance_arguments(s.model, s.state, s.work, s.contact_work)
    heads, forces = np.zeros((*wrench.shape[:2], 3, 4)), np.zeros(wrench.shape)

    def at(place=0.0, rate=0.0, radius=0.0, slope=0.0):
        s.work.q[:], s.work.qd[:], s.work.qdd[:] = place0 + place, rate0 + rate, acceleration
        s.state.wrench[:] = wrench
        s.work.roundness[:] = 0.0
        s.work.roundness[0, 0] = radius, slope
        if balance(*compiled, np.zeros((4, 4)), heads, HELD, forces) != 0:
            raise ArithmeticError("a wheel leaves its rail")
        patch = s.work.patches[0, 0, 0]
        return np.concatenate([s.work.pose[0, 0, list(POSE)], patch[list(PATCHES)], forces.ravel(), s.work.residual])

    return at


def _columns(count, step, call):
    """Derivatives (outputs, count)."""
    rows = [derivative([call(side * e) for side in SIDES], step) for e in step * np.eye(count)]
    return np.array(rows).T


def _lost(tables, radius, values, place, order):
    """Volume lost by way, and its part of an order round the wheel, by a patch that stands below the axle."""
    pose, load = np.zeros((1, 6)), np.full((1, 1), values[4])
    pose[:, POSE] = values[:4]
    one = np.ones(1)
    samples = Samples(
        pose, load, np.full((1, 1), place), np.reshape(values[5:], (1, 1, 3)), one, 20.0 * one, 0.0 * one, np.pi * one
    )
    loss = wheel_loss(tables, radius, LAW.table, samples, 1)
    found = orders_of(loss.around_rate[0])
    return loss.volume * np.array([1.0, found[order] / (2.0 * found[0]) * np.exp(1j * np.pi * order)])


def run_growth(order, amplitude):
    """The same growth from a run in time of a polygon, less that of round wheels."""
    found = []
    for size in (amplitude, 0.0):
        scenario = polygon_scenario(order, size)
        loss = piece_losses(run_piece(Piece("", scenario, 1.0), None, None), scenario, LAW)[WHEEL]
        found.append(order_growth(loss)[0][order] / loss.band_rate)
    return (found[0] - found[1]) / amplitude


def batch_growth(order, amplitude, growth, gain=1.3, batches=2):
    """Amplitude and phase of an order after some batches over the way in which a growth [1/m] has it grow by `gain`."""
    scenario = polygon_scenario(order, amplitude)
    rate = piece_losses(run_piece(Piece("", scenario, 1.0), None, None), scenario, LAW)[WHEEL].band_rate
    way = np.log(gain) / (growth.real * rate)
    settings = WearSettings(LAW, way, order_per_batch=(gain - 1.0) / batches * amplitude, profiles=False)
    with TemporaryDirectory() as folder:
        done, states, _ = wear_batches([Piece("polygon", scenario, 1.0)], settings, Path(folder))
    grown = orders_of(states[WHEEL].around)[order] + amplitude
    return grown / amplitude, np.exp(growth * rate * way), len(done)


@check(
    "Growth of a polygon by wear", subject="Wear",
    ground=other_code("linear theory in the frequency domain of the same vehicle; 5 % of the task"),
)  # fmt: skip
def polygon_growth():
    """Left front wheel of the AS4 at 80 km/h, orders 12 to 45 (92 to 346 Hz), wear by friction energy."""
    rows = []
    for order in (12, 20, 30, 45):
        theory = linear_growth(polygon_scenario(order, 0.0), order)
        found = run_growth(order, 2e-7)
        text = f"order {order}: growth by way over the wear rate"
        rows.append(distance(text, found, theory, 0.05, "", "linear theory"))
    grown, exact, count = batch_growth(20, 1e-6, linear_growth(polygon_scenario(20, 0.0), 20))
    rows.append(distance(f"order 20 after {count} batches", grown, exact, 0.05, "", "linear theory"))
    return rows
