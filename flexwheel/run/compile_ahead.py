"""The first run after an installation compiles in two processes: this one the equations of motion, as it comes to them,
a second one from the start contact, rails and the step, all into numba's cache.

The second process needs no mesh: the arguments of the step have the same types whether a wheelset is rigid or flexible.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

DONE = "step"  # file in the cache once a run has been compiled there
KERNELS = 165  # of a first run; for the progress line


@contextmanager
def compiling_ahead(source):
    """Compile the step of a ScenarioSource in a second process if this installation has not compiled one yet.

    Gives a function wait(say), to be called before the first step: it returns when the second process has ended, at
    once where there is none. Whatever goes wrong there is compiled here instead.
    """
    cache = os.environ.get("NUMBA_CACHE_DIR")
    process = None
    if cache and not (Path(cache) / DONE).exists() and (os.cpu_count() or 1) > 1:
        process = _start(source)
    try:
        yield lambda say: _wait(process, Path(cache or "."), say)
        if process is not None:
            with suppress(OSError):
                (Path(cache) / DONE).touch()
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


def _start(source):
    """The second process, or None where it cannot be."""
    process = None
    order = {"text": source.text, "path": str(source.path), "overrides": list(source.overrides)}
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "flexwheel.run.compile_ahead"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        process.stdin.write(json.dumps(order))
        process.stdin.close()
    except OSError:
        if process is not None:
            process.kill()
        return None
    return process


def _wait(process, cache, say):
    while process is not None:
        try:
            process.wait(0.5)
            return
        except subprocess.TimeoutExpired:
            count = sum(1 for _ in cache.rglob("*.nbi"))
            say(f"compiling, the first time only: {count} of about {KERNELS} kernels")


def compile_step(scenario):
    """Compile everything between the equilibrium and the end of a step, for a scenario with rigid wheelsets."""
    from flexwheel.build import assemble_simulation
    from flexwheel.contact.wheel_rail import wheel_rail_contact
    from flexwheel.handles import handle
    from flexwheel.run.simulation import take_steps
    from flexwheel.track.rail_model import (
        add_rail_force,
        finish,
        predict_and_free,
        rail_compliance_at,
        rail_free_at,
        shift,
    )

    s = assemble_simulation(scenario, {})
    model, work = s.model, s.work
    wheel_rail_contact(
        handle(model.contact),
        model.wheelsets.radius[0],
        work.pose[0, 0],
        work.rate[0, 0],
        work.gap_rate[0, 0, 1:4],
        model.speed,
        handle(s.contact_work),
        work.patches[0, 0],
        work.contact_force[0, 0],
        work.jac_pose[0],
        work.jac_rate[0],
    )
    rails, state, place, zero = model.rail, s.rail_state, scenario.run.start_position_m, np.zeros((3, 4))
    shift(rails, state, place)
    predict_and_free(rails, state, model.coefficients)
    rail_free_at(rails, state, 0, place, 0, *zero)
    rail_compliance_at(rails, state, place, 0, *np.zeros((2, 4, 4)))
    add_rail_force(rails, state, 0, place, 0, zero[0])
    finish(rails, state, model.coefficients)
    take_steps(s, 0.0)


def main():
    """Read what `compiling_ahead` writes, compile."""
    from flexwheel.io.scenario import parse_scenario

    order = json.load(sys.stdin)
    path = Path(order["path"])
    scenario = parse_scenario(order["text"], path, order["overrides"])
    rigid = [f"wheelset.{name}.formulation=rigid" for name in scenario.wheelset]
    compile_step(parse_scenario(order["text"], path, [*order["overrides"], *rigid]))


if __name__ == "__main__":
    main()
