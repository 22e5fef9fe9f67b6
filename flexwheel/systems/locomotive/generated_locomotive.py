"""The generated kernels of a locomotive: from the cache when sources, structure and processor are the same."""

from dataclasses import dataclass
from pathlib import Path

import flexwheel.systems.symbolic
from flexwheel.systems.locomotive.locomotive import build_locomotive
from flexwheel.systems.locomotive.step_program import KERNELS, StepProgram
from flexwheel.systems.symbolic.compiled_program import (
    MachineCode,
    compile_program,
    load_machine_code,
    object_key,
    target_words,
)
from flexwheel.systems.symbolic.object_cache import load_object, save_object
from flexwheel.systems.symbolic.program import Block

MODEL_SOURCES = tuple(
    f"{name}.py"
    for name in ("locomotive", "wheel_rail_geometry", "step_program", "condensed_step", "augmented_program")
)


@dataclass(frozen=True)
class GeneratedStep:
    """Kernels and what the driver must know of them."""

    code: MachineCode
    size: int  # of the work array
    blocks: dict  # name -> Block
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    torques: tuple[str, ...]
    wheelsets: tuple[str, ...]
    columns: tuple  # coordinates that move each wheelset
    constants: tuple  # (place, value): entries of the Jacobian that are numbers
    mass_keys: tuple  # (row, column) of each entry of the block `mass`
    from_cache: bool


def generate_step(values, motored=(False, True), fused=True, folder=None):
    """Generated kernels of a locomotive, built or from the cache.

    Parameters
    ----------
    values : dict              parameter values; only their names and zeros matter here
    motored : (bool, bool)     front and rear bogie
    fused : bool               multiply-add contraction allowed
    folder : Path              of the cache; default `object_cache.object_folder()`

    Raises
    ------
    ScenarioError              when a parameter is missing
    """
    key = object_key(*_sources(), target_words(), repr(sorted(values)), repr(tuple(motored)), repr(bool(fused)))
    found = load_object(key, folder)
    if found is not None:
        description, code = found
    else:
        program, description = describe(values, motored)
        code = compile_program(program, fused)
        save_object(key, description, code, folder)
    return _generated(description, load_machine_code(code, KERNELS), found is not None)


def describe(values, motored=(False, True)):
    """Program of a locomotive and its description as plain lists (what the cache keeps beside the object)."""
    model = build_locomotive(values, motored)
    step = StepProgram(model)
    program = step.build()
    graph = program.graph
    description = {
        "size": program.layout.size,
        "blocks": {b.name: [b.offset, b.count, b.width] for b in program.layout.blocks.values()},
        "coordinates": list(model.system.names),
        "parameters": list(model.system.parameters),
        "torques": [graph.left[t.literal] for t in model.torques],
        "wheelsets": [w.name for w in model.wheelsets],
        "columns": [list(w.coordinates) for w in model.wheelsets],
        "constants": [
            [step.jacobian_place(w, row, column), graph.value(entry.literal)]
            for (w, row, column), entry in step.jacobian.items()
            if graph.is_constant(entry.literal)
        ],
        "mass_keys": [list(k) for k in step.mass_keys],
    }
    return program, description


def _generated(d, code, from_cache):
    return GeneratedStep(
        code=code,
        size=int(d["size"]),
        blocks={name: Block(name, *map(int, v)) for name, v in d["blocks"].items()},
        coordinates=tuple(d["coordinates"]),
        parameters=tuple(d["parameters"]),
        torques=tuple(d["torques"]),
        wheelsets=tuple(d["wheelsets"]),
        columns=tuple(tuple(map(int, c)) for c in d["columns"]),
        constants=tuple((int(p), float(v)) for p, v in d["constants"]),
        mass_keys=tuple((int(i), int(j)) for i, j in d["mass_keys"]),
        from_cache=from_cache,
    )


def _sources():
    files = sorted(Path(flexwheel.systems.symbolic.__file__).parent.glob("*.py"))
    here = Path(__file__).parent
    return [p.read_bytes() for p in (*files, *(here / name for name in MODEL_SOURCES))]
