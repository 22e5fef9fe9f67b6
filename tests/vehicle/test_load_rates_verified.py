"""Derivatives of the loads that the time loop forms: exact for swings, whatever is sampled, through ends and resumes.

Errors of the differences: Fornberg 1988, Mathematics of Computation 51, 699-706: (w h)^8/630 of the first derivative,
(w h)^8/3150 of the second.
"""

from collections import namedtuple
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.base.variables import PATCH
from flexwheel.numerics.kernels.arrays_within import arrays_within
from flexwheel.results.checkpoint import Checkpoint
from flexwheel.results.evaluate.histories import wheelset_history, wrench_in_frame
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.run_settings import loop_settings
from flexwheel.run.simulation import execute
from flexwheel.vehicle.step.load_rates import (
    ORDERS,
    RATE_TIME,
    REACH,
    begin_loads,
    form_rates,
    hold_loads,
    keep_loads,
    make_load_rates,
    rate_delay,
    rate_spacing,
    rate_weights,
)
from flexwheel.vehicle.step.simulate import simulate

ROOT = Path(__file__).parents[2]
STEP = 5e-5
KEYS = (
    "wheelset.front.formulation=flexible", f"wheelset.front.mesh={ROOT / 'meshes' / 'wheelset_coarse.inp'}",
    "wheelset.front.fixed_interface_modes=7", "wheelset.front.exact_below_hz=0.0", "run.compare_modes=[]",
    "track.elements_per_bay=4", f"run.step_s={STEP}", f"run.output_step_s={STEP}", "output.start_s=0",
    "run.duration_s=0.03",
)  # fmt: skip
Patches = namedtuple("Patches", "patch_count patches")
MOTION = ("displacement", "velocity", "acceleration", "absolute_acceleration", "stress")


@pytest.mark.parametrize("step", [1e-5, 5e-5, 7e-5, 1e-4])
def test_derivatives_of_a_swing(step):
    """Every order at 1250 Hz within the differences' own error; of loads that stand, nothing."""
    loads, w = make_load_rates([0], step), 2.0 * np.pi * 1250.0
    size, phase = np.arange(1.0, 25.0), np.linspace(0.0, 3.0, 24)
    for k in range(len(loads.history) + 5):  # the ring has come round
        loads.place[0] = (loads.place[0] + 1) % len(loads.history)
        loads.history[loads.place[0]] = size * np.sin(w * k * step + phase)
    form_rates(loads)
    middle = w * (k - rate_delay(loads)) * step
    of_first, of_second = (w * rate_spacing(step) * step) ** 8 / np.array([630.0, 3150.0])
    for order in range(1, ORDERS + 1):
        exact = size * (w * RATE_TIME) ** order * np.sin(middle + phase + 0.5 * np.pi * order)
        limit = order % 2 * of_first + order // 2 * of_second + 1e-9
        found = np.concatenate(
            [loads.load_rate[0, :, order - 1].ravel(), loads.interface_rate[0, :, order - 1].ravel()]
        )
        assert np.all(np.abs(found - exact) <= limit * size * (w * RATE_TIME) ** order)
    for _ in range(len(loads.history)):
        hold_loads(loads)
    form_rates(loads)
    np.testing.assert_allclose(loads.load_rate, 0.0, atol=1e-11)


def test_no_frequency_is_blown_up():
    """No factor of the second derivative above the square of 4.1 kHz; an alternation of steps of 50 us is no motion."""
    place = np.arange(-REACH, REACH + 1)
    angle = np.linspace(0.0, np.pi, 500)
    gain = np.abs(np.exp(1j * np.outer(angle, place)) @ rate_weights().T)
    for half in range(1, ORDERS // 2 + 1):
        assert gain[:, 2 * half - 1].max() <= (2.0 * np.pi * 4100.0 * 1e-4) ** (2 * half)
    np.testing.assert_allclose(rate_weights().sum(axis=1), 0.0, atol=1e-12)


def test_loads_are_kept_in_the_frame_of_the_residual():
    rng, loads = np.random.default_rng(4), make_load_rates([0, 1], 1e-4)
    history = np.zeros((3, 3, 12))
    history[0, 0] = rng.normal(size=12)
    wrench, journal = rng.normal(size=(2, 2, 2, 6))
    model = SimpleNamespace(
        units=SimpleNamespace(offset=np.array([0, 6, 12])), wheelsets=SimpleNamespace(unit=np.array([0, 1]))
    )
    state = SimpleNamespace(loads=loads, history=history, wrench=wrench, interface_force=journal)
    keep_loads.py_func(model, state, Patches(np.zeros((2, 2), int), np.zeros((2, 2, 1, len(PATCH)))))
    kept = loads.history[loads.place[0]].reshape(2, 2, 2, 6)
    for w in range(2):
        yaw, roll = history[0, 0, 6 * w + 3 : 6 * w + 5, None]
        np.testing.assert_allclose(kept[w, 0], wrench_in_frame(wrench[w][None], yaw, roll)[0], rtol=1e-13)
    np.testing.assert_array_equal(kept[:, 1], journal)


@pytest.fixture(scope="module")
def made():
    """Simulation of the AS4 at rest, and its moving arrays as they are then."""
    scenario = read_scenario(ROOT / "examples" / "as4_curve.toml", list(KEYS))
    simulation = build_simulation(scenario, {n: w.body for n, w in flexible_wheelsets(scenario, str).items()})
    begin_loads(simulation.model, simulation.state, simulation.work)
    moving = moved(simulation)
    return simulation, {name: array.copy() for name, array in moving.items()}


def moved(s):
    return arrays_within(state=s.state, rail_state=s.rail_state, contact_work=s.contact_work, work=s.work)


def at_rest(made, **keys):
    """The simulation at its start with other keys of [run]."""
    simulation, start = made
    for name, array in moved(simulation).items():
        array[...] = start[name]
    scenario = simulation.scenario
    return replace(simulation, scenario=scenario.model_copy(update={"run": scenario.run.model_copy(update=keys)}))


@pytest.fixture(scope="module")
def every_step(made):
    return execute(at_rest(made))


@pytest.mark.parametrize("steps", [2, 5, 10])
def test_motion_at_an_instant_is_that_of_any_output_step(made, every_step, steps):
    found = execute(at_rest(made, output_step_s=steps * STEP))
    wanted = every_step.isel(time=slice(None, None, steps))
    np.testing.assert_array_equal(found.time, wanted.time)
    for name in MOTION:
        rms = np.sqrt(np.mean(wanted[name].values ** 2))
        np.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=1e-6 * rms, err_msg=name)


def test_a_run_ends_as_a_longer_one_goes_on(made, every_step):
    """The last samples take loads after the end, of steps that leave nothing behind."""
    short = execute(at_rest(made, duration_s=0.0212))
    assert short.sizes["time"] == 425
    for name in ("load_force_rate", "load_moment_rate", "interface_force_rate", "interface_moment_rate", "wheel_force"):
        np.testing.assert_array_equal(short[name], every_step[name][:425], err_msg=name)
    for name in MOTION:  # products of matrices of another size are rounded otherwise
        wanted = every_step[name][:425].values
        np.testing.assert_allclose(short[name], wanted, rtol=0, atol=1e-12 * np.abs(wanted).max(), err_msg=name)
    simulation = at_rest(made, duration_s=0.0212)
    execute(simulation)
    assert simulation.state.time[0] == pytest.approx(0.0212, abs=1e-9)


def test_rates_of_a_start_are_those_of_a_vehicle_that_stood(every_step):
    """Differences of the loads of every step, before the first those of the equilibrium: no leap from nothing."""
    history = wheelset_history(every_step, "front")
    m = rate_spacing(STEP)
    for load, rate in (
        (history.tread_wrench, history.tread_rate), (history.interface_wrench, history.interface_rate)
    ):  # fmt: skip
        around = np.pad(load, [(REACH * m, 0), (0, 0), (0, 0)], mode="edge")
        count = len(load) - REACH * m
        taps = np.array([around[k * m : k * m + count] for k in range(2 * REACH + 1)])
        for order in range(ORDERS):
            wanted = np.tensordot(rate_weights()[order], taps, axes=1) / (m * STEP) ** (order + 1)
            scale = np.abs(load).max() / (m * STEP) ** (order + 1)
            np.testing.assert_allclose(rate[:count, order], wanted, rtol=0, atol=1e-10 * scale)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_resumed_run_has_the_rates_of_one_that_was_not_stopped(made, tmp_path, streamed):
    """Interrupted where samples wait for what is late; the checkpoints lie between two samples."""
    settings = replace(loop_settings(made[0].scenario), stride=4)
    parts = {}

    def rates(stop, checkpoint=None):
        """Samples of a run, by their time."""
        s, taken = at_rest(made), parts if checkpoint else {}

        def look(now, end):
            if now >= stop:
                raise KeyboardInterrupt

        def sink(records):
            both = np.concatenate([records.load_rate, records.interface_rate], axis=2)
            taken.update(zip(records.time, both, strict=True))

        run = simulate(
            s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, 0.02, settings, progress=look,
            sink=sink if streamed else None, checkpoint=checkpoint,
        )  # fmt: skip
        if not streamed:
            sink(run.records)
        return run, taken

    def checkpoint():
        return Checkpoint(tmp_path / "loop.npz", 0.0035)

    assert not rates(0.008, checkpoint())[0].complete
    kept = dict(parts)
    assert max(kept) < 0.02 - 5e-4
    resumed, found = rates(np.inf, checkpoint())
    whole, wanted = rates(np.inf)
    assert resumed.complete and whole.complete and resumed.steps == whole.steps
    assert list(found) == list(wanted) and len(wanted) == 101
    for time, value in wanted.items():
        np.testing.assert_array_equal(found[time], value)
    for time, value in kept.items():  # so does what an interrupted run shows
        np.testing.assert_array_equal(wanted[time], value)


def test_a_run_that_fails_keeps_its_last_samples(made):
    """Their loads are taken to stand still after the last step."""
    s = at_rest(made)

    def spoil(now, end):
        s.state.history[:] = np.nan

    run = simulate(
        s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, 0.02, loop_settings(s.scenario),
        progress=spoil,
    )  # fmt: skip
    assert not run.complete and len(run.records.time) == run.steps + 1
    assert np.all(np.isfinite(run.records.load_rate)) and np.any(run.records.load_rate[-1])


def test_few_modes_leave_accelerations_of_the_size_of_many(every_step):
    """Modes to some 300 Hz: their series goes 1e4 times too far at 4 kHz. Statically they are off by a few times."""
    more = "wheelset.front.fixed_interface_modes=29", "wheelset.front.exact_below_hz=1300"
    scenario = read_scenario(ROOT / "examples" / "as4_curve.toml", [*KEYS, *more])
    many = execute(build_simulation(scenario, {n: w.body for n, w in flexible_wheelsets(scenario, str).items()}))
    assert np.abs(every_step.acceleration).max() < 10.0 * np.abs(many.acceleration).max()
