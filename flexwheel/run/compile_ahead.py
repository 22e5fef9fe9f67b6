"""The first run after an installation compiles in two processes, both into numba's cache, where each finds what the
other has done: this one as it comes to a kernel, a second one from the start contact, the step and rails.

The second process needs no mesh: the arguments of the step have the same types whether a wheelset is rigid or flexible.
The large kernels of a step are called by address, so that each can be compiled by itself; the two processes take them
from opposite ends.
"""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from flexwheel.base.capacity import collect_seldom, processors
from flexwheel.base.child_python import command
from flexwheel.numerics.kernels.cache import PACKAGE, child_environment, source_stamp, writable_folder

DONE = "step"  # file in the cache that tells which state of the step has been compiled there
_one = threading.Lock()
PARENT_SECONDS = 0.5  # between looks at whether the first process lives


@contextmanager
def compiling_ahead(source):
    """Compile the step of a ScenarioSource in a second process if this installation has not compiled it as it is now.

    Whatever goes wrong there is compiled here instead; it is ended with the block.
    """
    folder, state = writable_folder(), state_of_step()
    process, whole = None, False
    first = _one.acquire(blocking=False)  # of the threads of this process that run at once
    try:
        if first and folder is not None and _compiled(folder) != state and processors() > 1:
            process = _start(source)
        yield
        whole = True
    finally:
        if first:
            _one.release()
        if process is not None:
            if whole or process.poll() == 0:
                with suppress(OSError):
                    (folder / DONE).write_text(state, encoding="utf-8")
            process.kill()
            process.wait()


def state_of_step():
    """Stamp of the sources of the step, str, as they are now."""
    return source_stamp(str(PACKAGE / "vehicle" / "step" / "simulate.py"))


def _compiled(folder):
    """State of the step that has been compiled in a folder, or None."""
    with suppress(OSError, ValueError):
        return (folder / DONE).read_text(encoding="utf-8")


def _start(source):
    """The second process, or None where it cannot be; it ends where it is told no scenario, or with this one."""
    order = {"text": source.text, "path": str(source.path), "overrides": list(source.overrides), "parent": os.getpid()}
    try:
        process = subprocess.Popen(
            command("flexwheel.run.compile_ahead"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            env=child_environment(),
        )
        process.stdin.write(json.dumps(order))
        process.stdin.close()
    except OSError:
        return None
    return process


def _end_with(parent):
    """End this process when its parent is no more: nobody else would."""
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(0)


def compile_step(scenario):
    """Compile everything between the equilibrium and the end of a step, for a scenario with rigid wheelsets."""
    from flexwheel.numerics.kernels import handle
    from flexwheel.run.build.build_simulation import assemble_simulation
    from flexwheel.run.run_settings import loop_settings
    from flexwheel.track.rail_model import linked
    from flexwheel.vehicle.step.contact_system import law_entry
    from flexwheel.vehicle.step.coupled_step import own_entries, whole_entry
    from flexwheel.vehicle.step.simulate import simulate

    s = assemble_simulation(scenario, {})
    model, work = s.model, s.work
    contact_work = handle(s.contact_work)
    law = law_entry(handle(model.contact[0]), contact_work, work)
    arguments = *[handle(item) for item in (model, s.state, s.rail_state)], contact_work, handle(work)
    own_entries(law, *arguments)
    whole_entry(*arguments)
    linked(model.rail, s.rail_state, model.coefficients, last_first=True)
    settings = loop_settings(scenario, s.watch)
    simulate(s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, 0.0, settings, coupled=s.coupled)


def main():
    """Read what `compiling_ahead` writes, compile."""
    from flexwheel.run.keys.reader import parse_scenario

    order = json.load(sys.stdin)
    collect_seldom()
    threading.Thread(target=_end_with, args=(order["parent"],), daemon=True).start()
    path = Path(order["path"])
    scenario = parse_scenario(order["text"], path, order["overrides"])
    rigid = [f"wheelset.{name}.formulation=rigid" for name in scenario.wheelset]
    compile_step(parse_scenario(order["text"], path, [*order["overrides"], *rigid]))


if __name__ == "__main__":
    main()
