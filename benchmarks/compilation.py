"""CPU seconds to compile the step of the main job, and of one step, as kernels are compiled and otherwise.

    python benchmarks/compilation.py            # each way in a process and a kernel cache of its own, one after another
    python benchmarks/compilation.py plain      # one of WAYS

Rigid wheelsets: their step has the types of flexible ones, and needs no mesh. Steps are measured in batches, the least
is printed; the first quarter of a second on a straight.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAYS = {
    "plain": {},
    "references counted": {"_nrt": True},
    "wrapper for C": {"no_cfunc_wrapper": False},
    "errors of Python": {"error_model": "python"},
}
"""What differs from the regime of flexwheel.numerics.kernels."""
EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "as4_curve.toml"
STEPS, BATCHES = 500, 10


def measure(way):
    """CPU seconds of compilation, of a step; this process must not have compiled anything yet."""
    from flexwheel.numerics.kernels.decorator import REGIME

    REGIME.update(WAYS[way])
    import numba  # noqa: F401  # loaded by now, and not part of what is measured

    from flexwheel.run.build.build_simulation import assemble_simulation
    from flexwheel.run.keys.reader import read_scenario
    from flexwheel.run.simulation import take_steps

    scenario = read_scenario(EXAMPLE, ["wheelset.front.formulation=rigid"])
    begun = time.process_time()
    simulation = assemble_simulation(scenario, {})
    take_steps(simulation, 0.0)
    compiled = time.process_time() - begun
    least = 1e9
    for _ in range(BATCHES):
        begun = time.process_time()
        take_steps(simulation, STEPS * scenario.run.step_s)
        least = min(least, time.process_time() - begun)
    return compiled, least / STEPS


def main(ways):
    if len(ways) == 1:
        compiled, step = measure(ways[0])
        print(f"{ways[0]:20} {compiled:6.1f} s to compile, {1e6 * step:6.1f} us a step", flush=True)
        return
    for way in ways:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            subprocess.run([sys.executable, __file__, way], env=environment, check=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(WAYS))
