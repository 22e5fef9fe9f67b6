"""The generated kernels: wheelsets side by side in lanes, bodies likewise, suspension in one straight line.

Every kernel reads and writes a work array of doubles; quantity k of lane i stands at k * LANES + i in the lane arrays.
The numbers of the quantities are the constants of this module, so that compiled code can use them.
"""

import functools
from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.reduced import body_equations as body
from flexwheel.systems.reduced import wheelset_equations as wheelset
from flexwheel.systems.reduced.frames import TRACK_INPUTS
from flexwheel.systems.reduced.suspension_equations import suspension_forces
from flexwheel.systems.symbolic.atoms import Graph
from flexwheel.systems.symbolic.compiled_program import compile_program, load_machine_code, work_array
from flexwheel.systems.symbolic.expression import symbol
from flexwheel.systems.symbolic.program import LANES, Program, WorkLayout

WHEELSET_INPUTS = (
    *TRACK_INPUTS, "y", "yaw", "y'", "yaw'", *wheelset.RAILS, *(f"{n}'" for n in wheelset.RAILS),
    *(f"{n}''" for n in wheelset.RAILS), *wheelset.SUSPENSION, *wheelset.TREADS,
    *wheelset.CREEP, *wheelset.FLANGE, *wheelset.PARAMETERS,
)  # fmt: skip
WHEELSET_OUTPUTS = (*wheelset.CONTACT_OUTPUTS, *wheelset.BALANCE_OUTPUTS)
WHEELSET_PLACES = {name: k for k, name in enumerate((*WHEELSET_INPUTS, *WHEELSET_OUTPUTS))}

BODY_INPUTS = (
    *TRACK_INPUTS, *body.COORDINATES, *(f"{n}'" for n in body.COORDINATES), *body.FORCES, *body.PARAMETERS,
)  # fmt: skip
BODY_OUTPUTS = tuple(f"{n}''" for n in body.COORDINATES)
BODY_PLACES = {name: k for k, name in enumerate((*BODY_INPUTS, *BODY_OUTPUTS))}


@dataclass(frozen=True)
class Generated:
    """Kernels of a vehicle, by their addresses, and their work arrays."""

    contact: int
    balance: int
    bodies: int
    suspension: int
    wheelset_work: np.ndarray
    body_work: np.ndarray
    suspension_work: np.ndarray
    code: tuple  # keeps the machine code in memory
    operations: dict  # atoms of each kernel


def generate(stiffness, damping, preload, wheelsets, bodies):
    """Machine code of a vehicle.

    Parameters
    ----------
    stiffness, damping : (5 U, 5 U), preload : (5 U,)    see suspension_equations; bodies first, wheelsets after
    wheelsets, bodies : int                              how many of each

    Raises
    ------
    ScenarioError      more wheelsets or bodies than lanes
    """
    if wheelsets > LANES or bodies > LANES:
        raise ScenarioError(
            f"simplified model: there must be at most {LANES} wheelsets and bodies each, got {wheelsets} and {bodies}"
        )
    parts = (*_common_kernels(), _load(suspension_program(stiffness, damping, preload)))
    works = [work_array(size) for _, size, _ in parts]
    works[0].reshape(-1, LANES)[:] = _harmless(WHEELSET_PLACES)[:, None]
    works[1].reshape(-1, LANES)[:] = _harmless(BODY_PLACES)[:, None]
    addresses = {name: at for code, _, _ in parts for name, at in code.addresses.items()}
    operations = {name: count for _, _, counts in parts for name, count in counts.items()}
    return Generated(
        addresses["wheelset_contact"], addresses["wheelset_balance"], addresses["body_accelerations"],
        addresses["suspension_forces"], *works, tuple(code for code, _, _ in parts), operations,
    )  # fmt: skip


@functools.cache
def _common_kernels():
    """Machine code that is the same for every vehicle: wheelsets, bodies."""
    return _load(wheelset_program()), _load(body_program())


def _load(program):
    """(MachineCode, size of the work array, atoms of each kernel) of a program."""
    names = [kernel.name for kernel in program.kernels]
    counts = {k.name: len(program.graph.order([e.literal for _, e in k.outputs])) for k in program.kernels}
    return load_machine_code(compile_program(program), names), program.layout.size, counts


def wheelset_program():
    """Program with the kernels `wheelset_contact` and `wheelset_balance`."""
    graph = Graph()
    equations = wheelset.WheelsetEquations(graph)
    program, block = _lanes(graph, WHEELSET_PLACES, (*WHEELSET_INPUTS, "spin"))
    at = {name: block.at(k) for name, k in WHEELSET_PLACES.items()}
    outputs = [(at[n], e) for n, e in equations.contact.items()]
    program.kernel("wheelset_contact", outputs, LANES)
    program.kernel("wheelset_balance", [(at[n], e) for n, e in equations.balance.items()], LANES)
    return program


def body_program():
    """Program with the kernel `body_accelerations`."""
    graph = Graph()
    values = body.body_accelerations(graph)
    program, block = _lanes(graph, BODY_PLACES, BODY_INPUTS)
    outputs = [(block.at(BODY_PLACES[name]), e) for name, e in zip(BODY_OUTPUTS, values, strict=True)]
    program.kernel("body_accelerations", outputs, LANES)
    return program


def suspension_program(stiffness, damping, preload):
    """Program with the kernel `suspension_forces`: blocks q, q', force of 5 U places each."""
    graph = Graph()
    n = len(preload)
    forces = suspension_forces(graph, stiffness, damping, preload)
    layout = WorkLayout()
    program = Program(graph, layout)
    for suffix in ("", "'"):
        block = layout.block(f"q{suffix}", n)
        program.inputs([symbol(graph, f"q{i}{suffix}") for i in range(n)], block)
    block = layout.block("force", n)
    program.kernel("suspension_forces", [(block.at(i), e) for i, e in enumerate(forces)])
    return program


def _lanes(graph, places, inputs):
    """Program with one lane block; inputs are read from their places."""
    layout = WorkLayout()
    block = layout.block("lanes", len(places), LANES)
    program = Program(graph, layout)
    for name in inputs:
        program.input(symbol(graph, name), block.at(places[name]))
    return program, block


def _harmless(places):
    """Values that keep unused lanes finite."""
    unit = {"V", "m", "I", "Ix", "Iy", "Iz", "r0", "b", "h", "radius_L", "radius_R"}
    return np.array([1.0 if name in unit else 0.0 for name in places])
