"""Trains 2 and 4: tables 1-4 of the train paper, the tolerance study, and scipy's solvers on the same equations.

python benchmarks/train.py                     everything, about ten minutes
python benchmarks/train.py --only scipy        one part: tables, threads, tolerance, scipy
python benchmarks/train.py --stretch 60        shorter stretch for scipy
"""

import argparse
import os
import platform
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.driving import BY_TIME, Driving, fresh_controls
from flexwheel.systems.train.relative_equations import evaluate, new_rates, new_state
from flexwheel.systems.train.results import benchmark_row, format_rows
from flexwheel.systems.train.simulate_train import (
    paper_bodies,
    simulate,
    simulate_bodies,
    simulate_driven,
    simulate_with_elements,
)
from flexwheel.systems.train.train import pack_train
from flexwheel.systems.train.train_run import read_train_scenario

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PAPER = {  # tables 3-4 of the paper: LTDPoliTo, MB user force, MB bodies: CPU s, wall s (MB: 4 threads)
    "train_2.toml": {"alone": (59.36, 42.43), "element": (177.89, 45.03), "bodies": (1169.73, 296.12)},
    "train_4.toml": {"alone": (194.08, 141.11), "element": (883.05, 223.22), "bodies": (6212.14, 1567.20)},
}


def main():
    """Run the parts asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=("tables", "threads", "tolerance", "scipy"))
    parser.add_argument("--stretch", type=float, default=120.0, help="seconds of train 4 for scipy")
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    if options.only in (None, "tables"):
        for name, rake_bodies in (("train_2.toml", 1), ("train_4.toml", 2)):
            tables(name, rake_bodies)
    if options.only in (None, "threads"):
        on_threads()
    if options.only in (None, "tolerance"):
        for name in ("train_2.toml", "train_4.toml"):
            tolerance_study(name)
    if options.only in (None, "scipy"):
        against_scipy(options.stretch)


def solvers(run, rake_bodies):
    """The three models of one train."""
    return {
        "alone": lambda: simulate(run),
        "element": lambda: simulate_with_elements(run, paper_bodies(run.train, rake_bodies)),
        "bodies": lambda: simulate_bodies(run),
    }


def on_threads():
    """Trains 2 and 4 on one thread and on two.

    One train does not gain from a second thread (a step takes 50 us), so two threads take two trains at once.
    """
    runs = {
        name: solvers(replace(read_train_scenario(EXAMPLES / name).run, account=False), rake_bodies)
        for name, rake_bodies in (("train_2.toml", 1), ("train_4.toml", 2))
    }
    print(f"\n{'trains 2 and 4':<16} {'1 thread, wall s':>17} {'2 threads, wall s':>18}")
    for model in ("alone", "element", "bodies"):
        solve = [run[model] for run in runs.values()]
        solve[0]()  # compiles
        walls = []
        for threads in (1, 2):
            started = time.perf_counter()
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda call: call(), solve))
            walls.append(time.perf_counter() - started)
        print(f"{model:<16} {walls[0]:17.2f} {walls[1]:18.2f}")


def tables(name, rake_bodies):
    """Tables 1-2 (results) and 3-4 (times) for one train."""
    scenario = read_train_scenario(EXAMPLES / name)
    run = replace(scenario.run, account=False)
    models = solvers(run, rake_bodies)
    rows, times, results = [], [], {}
    for model, solve in models.items():
        started = time.perf_counter()
        results[model] = solve()
        wall = time.perf_counter() - started
        rows.append((model, benchmark_row(results[model], scenario.deflection_coupler)))
        times.append((model, results[model].seconds, wall))
    print(f"\n{scenario.title}, {run.duration:.0f} s\n{format_rows(rows)}")
    print(f"{'model':<10} {'CPU s':>8} {'/alone':>7} {'paper CPU':>10} {'paper wall':>11}   (one thread)")
    for model, seconds, _ in times:
        cpu, clock = PAPER[name][model]
        print(f"{model:<10} {seconds:8.2f} {seconds / times[0][1]:7.2f} {cpu:10.1f} {clock:11.1f}")
    reference = results["alone"]
    for model in ("element", "bodies"):
        other = results[model]
        for side, label in ((0, "draft"), (1, "buff")):
            a, b = (np.abs(r.peak_force[:, side]) for r in (reference, other))
            print(
                f"{model} against alone, {label}: {100 * (b.max() / a.max() - 1):+.4f} %, "
                f"couplers {a.argmax() + 1} and {b.argmax() + 1}; worst coupler "
                f"{100 * np.abs(b - a).max() / a.max():.3f} %"
            )
        speed = np.abs(other.speed - reference.speed) / reference.speed_max
        print(f"{model} against alone, speeds: largest difference {100 * speed.max():.4f} % of the top speed")


def tolerance_study(name):
    """Largest forces and time for tolerances from 1e-3 down."""
    run = replace(read_train_scenario(EXAMPLES / name).run, account=False)
    print(f"\n{name}: tolerance, CPU s, steps, draft kN@coupler, buff kN@coupler, change by halving")
    before = None
    for tolerance in (1e-4, 1e-5, 2e-6, 1e-6, 5e-7):
        results = simulate(replace(run, tolerance=tolerance))
        row = benchmark_row(results)
        change = ""
        if before is not None:
            change = f"{100 * max(abs(row.draft / before.draft - 1), abs(row.buff / before.buff - 1)):.4f} %"
        before = row
        print(
            f"{tolerance:8.1e} {results.seconds:6.2f} {results.steps['steps']:7d} {row.draft:8.2f}@{row.draft_at} "
            f"{row.buff:8.2f}@{row.buff_at} {change}"
        )


@kernel
def flat_rates(t, y, state, controls, chain, rates, out):
    """Rates of the interleaved states v_0, x_0, v_1, x_1 ...; fills out."""
    groups = state.v.shape[0]
    for g in range(groups):
        state.v[g] = y[2 * g]
        if g < groups - 1:
            state.x[g] = y[2 * g + 1]
    state.s0[0] = y[2 * groups - 1]
    evaluate(t, state, controls, chain, rates)
    for g in range(groups):
        out[2 * g] = rates.a[g]
        if g < groups - 1:
            out[2 * g + 1] = state.v[g] - state.v[g + 1]
    out[2 * groups - 1] = state.v[0]


@kernel
def flat_bands(rates, chain, bands):
    """Jacobian of flat_rates in band storage (5, n): row 2 + i - j; the position's influence left out."""
    groups = rates.a.shape[0]
    for i in range(bands.shape[0]):
        for j in range(bands.shape[1]):
            bands[i, j] = 0.0
    for g in range(groups):
        m = chain.group_mass[g]
        bands[2, 2 * g] += rates.slope[g] / m
        if g < groups - 1:
            m_1 = chain.group_mass[g + 1]
            k, c = rates.k[g], rates.c[g]
            bands[2, 2 * g] -= c / m
            bands[1, 2 * g + 1] = -k / m
            bands[0, 2 * g + 2] = c / m
            bands[3, 2 * g] = 1.0
            bands[1, 2 * g + 2] = -1.0
            bands[4, 2 * g] = c / m_1
            bands[3, 2 * g + 1] = k / m_1
            bands[2, 2 * g + 2] -= c / m_1


class FlatTrain:
    """A stretch of a train run as y' = f(t, y) for scipy."""

    def __init__(self, run):
        self.run = run
        self.chain = pack_train(run.train, run.route)
        self.state, self.rates = new_state(self.chain), new_rates(self.chain)
        self.controls = fresh_controls(run.driving, run.duration)
        self.controls.level[0] = np.interp(
            run.driving.tick * np.arange(self.controls.level.shape[1]), run.driving.at, run.driving.level[0]
        )
        self.groups = len(self.chain.group_mass)
        self.state.direction[:] = 1.0
        self.bands = np.zeros((5, 2 * self.groups))
        self.calls = 0

    def start(self):
        """State at the start."""
        y = np.zeros(2 * self.groups)
        first = self.chain.start[:-1]
        y[0::2] = self.run.speed[first]
        y[1:-1:2] = self.run.deflection[first[1:] - 1]
        y[-1] = self.run.start - 0.5 * self.run.train.vehicles[0].length
        return y

    def f(self, t, y):
        """Rates."""
        self.calls += 1
        out = np.empty_like(y)
        flat_rates(t, y, self.state, self.controls, self.chain, self.rates, out)
        return out

    def banded(self, t, y):
        """Jacobian in bands."""
        self.f(t, y)
        flat_bands(self.rates, self.chain, self.bands)
        return self.bands

    def sparse(self, t, y):
        """Jacobian as scipy's sparse matrix."""
        from scipy.sparse import dia_matrix

        n = len(y)
        return dia_matrix((self.banded(t, y)[::-1], np.arange(-2, 3)), shape=(n, n)).tocsc()

    def forces(self, t, y):
        """Forces of the couplings that deflect."""
        self.f(t, y)
        return self.rates.coupler[:-1].copy()


def stretch_of_train_4(duration):
    """Train 4 from the moment all vehicles move, with the largest draft in it; no brake application, no standstill."""
    run = replace(read_train_scenario(EXAMPLES / "train_4.toml").run, account=False, duration=duration + 60.0)
    results, driven = simulate_driven(run)
    k = int(np.argmax(results.speed.min(axis=1) > 0.05))
    assert results.pressure.max() < 1e-6, "the stretch must be free of air brake"
    assert results.speed[k:].min() > 0, "the stretch must be free of standstill"
    driving = Driving(BY_TIME, driven.at[k:] - driven.at[k], driven.level[:, k:], tick=driven.tick)
    train = replace(run.train, delay=np.zeros(len(run.train.vehicles)))
    return replace(
        run,
        train=train,
        driving=driving,
        start=float(results.position[k, 0]) + 0.5 * run.train.vehicles[0].length,
        speed=results.speed[k],
        deflection=results.deflection[k],
        duration=duration,
    )


def against_scipy(duration):
    """Time and error of this solver and of scipy's on one stretch of train 4."""
    from scipy.integrate import solve_ivp

    run = stretch_of_train_4(duration)
    flat = FlatTrain(run)
    flat.f(0.0, flat.start()), flat.banded(0.0, flat.start())
    coupled = flat.chain.start[1:-1] - 1
    reference = simulate(replace(run, tolerance=1e-8, longest_step=0.05))
    exact = reference.force[:, coupled]
    top = np.abs(exact).max()
    print(
        f"\ntrain 4, {duration:.0f} s from the moment all vehicles move; error: coupler forces at every second against "
        f"tolerance 1e-8, worst coupler and instant, of the largest force ({top / 1e3:.0f} kN)"
    )
    print(f"{'solver':<28} {'tolerance':>9} {'CPU s':>8} {'s per 3863 s':>12} {'rates':>8} {'error %':>8} {'rms %':>8}")

    def line(label, tolerance, seconds, calls, force):
        difference = (force - exact) / top
        print(
            f"{label:<28} {tolerance:9.0e} {seconds:8.2f} {seconds * 3863 / duration:12.1f} {calls:8d} "
            f"{100 * np.abs(difference).max():8.3f} {100 * np.sqrt(np.mean(difference**2)):8.4f}",
            flush=True,
        )

    for tolerance in (1e-3, 1e-4, 1e-5, 1e-6):
        results = simulate(replace(run, tolerance=tolerance))
        line("flexwheel RODAS3", tolerance, results.seconds, sum(results.steps.values()) * 3, results.force[:, coupled])
    cases = [
        ("LSODA", {"lband": 2, "uband": 2, "jac": flat.banded}, (1e-4, 1e-5, 1e-6)),
        ("BDF", {"jac": flat.sparse}, (1e-4, 1e-5, 1e-6, 1e-7)),
        ("Radau", {"jac": flat.sparse}, (1e-2, 1e-3, 1e-4)),
    ]
    scale = np.ones(2 * flat.groups)
    scale[1:-1:2] = 0.05
    for method, given, tolerances in cases:
        for tolerance in tolerances:
            flat.calls = 0
            started = time.thread_time()
            solution = solve_ivp(
                flat.f,
                (0.0, duration),
                flat.start(),
                method,
                t_eval=reference.time,
                rtol=1e-10 if method != "LSODA" else 1e-9,
                atol=tolerance * scale,
                max_step=run.longest_step,
                **given,
            )
            seconds = time.thread_time() - started
            force = np.array([flat.forces(t, y) for t, y in zip(solution.t, solution.y.T, strict=True)])
            line(f"scipy {method}, bands given", tolerance, seconds, flat.calls, force)


if __name__ == "__main__":
    main()
