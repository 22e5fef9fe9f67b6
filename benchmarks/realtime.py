"""Speed of the real-time core: model build cold and from cache, step times, table 1 of paper 000 beside ours.

    python benchmarks/realtime.py

Paper 000: 256 us per step on an i5 at 3.5 GHz. CasADi's C export of the same functions: benchmarks/realtime_casadi.py.
"""

import platform
import tempfile
import time
from pathlib import Path

import numpy as np

from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.generated_locomotive import generate_step
from flexwheel.systems.locomotive.step_times import compiled_step_times, step_times, table_1

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "feve3000_curve.toml"


def main(steps=35_000):
    """Print all figures; returns them as a dict."""
    scenario = read_realtime_scenario(EXAMPLE)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        generate_step(scenario.values, scenario.motored, folder=Path(folder) / "objects")
        cold = time.perf_counter() - begun
        begun = time.perf_counter()
        kernels = generate_step(scenario.values, scenario.motored, folder=Path(folder) / "objects")
        cached = time.perf_counter() - begun
    begun = time.perf_counter()
    locomotive = build_locomotive_run(scenario, kernels)
    locomotive.step(10)
    placed = time.perf_counter() - begun
    saved = locomotive.save_state()
    batches = np.empty(steps // 100)
    for k in range(len(batches)):
        begun = time.perf_counter()
        locomotive.step(100)
        batches[k] = (time.perf_counter() - begun) / 100
    locomotive.restore_state(saved)
    inside = compiled_step_times(locomotive, steps)
    single = step_times(locomotive, steps)
    locomotive.restore_state(saved)
    figures = {
        "machine": f"{platform.processor() or platform.machine()}, {platform.system()}",
        "model build and compile, cold [s]": cold,
        "the same from cache [s]": cached,
        "track, tables, driver, first steps [s]": placed,
        "step, mean of 100, median [us]": 1e6 * np.median(batches),
        "step, mean of 100, 99th percentile [us]": 1e6 * np.percentile(batches, 99),
        "step inside the compiled loop, median [us]": 1e6 * np.median(inside),
        "step inside the compiled loop, 99.9th percentile [us]": 1e6 * np.percentile(inside, 99.9),
        "step inside the compiled loop, longest [us]": 1e6 * inside.max(),
        "step from Python, median [us]": 1e6 * np.median(single),
        "step from Python, 99.9th percentile [us]": 1e6 * np.percentile(single, 99.9),
    }
    for name, value in figures.items():
        print(f"{name:54s} {value if isinstance(value, str) else f'{value:.3f}'}")
    for task, here, paper in table_1(locomotive):
        print(f"{task:66s} {here:8.2f} us   paper {paper} us")
    return figures


if __name__ == "__main__":
    main()
