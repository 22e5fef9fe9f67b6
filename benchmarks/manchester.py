"""Cost of a step of the Manchester coach on the S-curve: eight wheels, contact found on line, one core.

    python benchmarks/manchester.py [--write]

Kernels are compiled before anything is timed; processor time of the process, so that other processes count little.
With --write the table goes to docs/speed_manchester.md. Falomi et al. give 6.2 ms a step (their model, contact by
neural networks) and 14.2 ms (SIMPACK) on a Pentium 4 at 3.0 GHz, explicit fifth order at 0.5 ms.
"""

from __future__ import annotations

import platform
import sys
import time
from pathlib import Path

from machine import processor

from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.build.vehicle_on_track import EXPLICIT
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.step.simulate import LoopSettings, simulate

ROOT = Path(__file__).resolve().parents[1]
CASES = (
    ("Newmark, semi-Hertzian, Kalker linear", ()),
    ("Newmark, Hertz, Kalker linear", ("contact.normal=hertz",)),
    ("Newmark, semi-Hertzian, FASTSIM", ("contact.tangential=fastsim",)),
    ("Newmark, semi-Hertzian, Kalker linear, massless track", ("track.model=massless",)),
    ("Dormand-Prince, semi-Hertzian, Kalker linear", ("run.integrator=dormand_prince",)),
)


def measure(overrides):
    """Processor time of a step [ms] and iterations a step over the whole S-curve."""
    scenario = read_scenario(ROOT / "examples" / "manchester_s_curve.toml", list(overrides))
    explicit = scenario.run.integrator == EXPLICIT
    for seconds in (0.01, scenario.run.duration):
        s = build_simulation(scenario, {})
        started = time.process_time()
        parts = (s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work)
        run = simulate(*parts, seconds, LoopSettings(stride=scenario.run.stride, explicit=explicit))
        spent = time.process_time() - started
    return 1e3 * spent / run.steps, run.iterations_mean


def main(write=False):
    """Measure every case; returns the lines of the table."""
    lines = [
        "# Speed of the Manchester coach",
        "",
        f"`python benchmarks/manchester.py --write` on {processor()}, Python {platform.python_version()}, one core;",
        "S-curve of 188 m at 40 km/h in steps of 0.5 ms. Falomi et al.: 6.2 ms, SIMPACK 14.2 ms, on a Pentium 4.",
        "",
        "| case | processor time of a step [ms] | iterations or stages a step |",
        "|---|---|---|",
    ]
    for name, overrides in CASES:
        cost, iterations = measure(overrides)
        lines.append(f"| {name} | {cost:.3f} | {iterations:.2f} |")
        print(lines[-1], flush=True)
    if write:
        (ROOT / "docs" / "speed_manchester.md").write_text("\n".join(lines) + "\n")
    return lines


if __name__ == "__main__":
    print("\n".join(main("--write" in sys.argv)))
