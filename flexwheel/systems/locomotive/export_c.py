"""Standalone C99 of a locomotive on its track, for hardware in the loop.

Files: kernels.c/.h (generated), locomotive.c/.h (the step), data.c (profiles, track, tables, state), reference.h and
main.c (reproduce a reference trajectory), Makefile. The C program allocates nothing and keeps all state in one array.
It knows the IMEX step with Newton's method; the search for contacts that jump stays in Python.

Verified in tests/systems/locomotive/test_realtime_export_verified.py.
"""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import write_whole
from flexwheel.systems.locomotive.generated_locomotive import describe
from flexwheel.systems.symbolic.emit_c import emit_c

OWN = Path(__file__).resolve().parent / "c_sources"
"""Hand-written part: the step of step.py and seek_contact.py in C99, line for line, and what runs the reference."""
STATUSES = ("GOOD", "LEFT_PROFILE", "LIFTED", "NOT_FINITE", "NOT_CONVERGED", "LEFT_TRACK")


def export_c(locomotive, folder, steps=1000, every=10, motored=(False, True)):
    """Write the C sources of a locomotive at its present state, and a reference of the next `steps` steps.

    Parameters
    ----------
    locomotive : RealtimeLocomotive     made with unfused kernels, so that the reference has the C program's roundings
    folder : Path                       exists
    steps, every : int                  length of the reference and steps between its rows
    motored : (bool, bool)

    Returns
    -------
    list of Path

    Raises
    ------
    ScenarioError       when the locomotive does not use the IMEX step
    """
    folder, files = Path(folder), step_sources(locomotive, motored)
    saved = locomotive.save_state()
    record = locomotive.run(steps, every, locomotive.record_places("q") + locomotive.record_places("qd"))
    locomotive.restore_state(saved)
    files["reference.h"] = _reference(record[:, :-3], steps, every)
    files |= {name: (OWN / name).read_text(encoding="utf-8") for name in ("main.c", "Makefile")}
    for name, text in files.items():
        write_whole(folder / name, lambda target, text=text: target.write_text(text, encoding="utf-8"))
    return [folder / name for name in files]


def step_sources(locomotive, motored=(False, True)):
    """Text by file name of the step in C99 with all its data: kernels.c/.h, locomotive.c/.h, data.c.

    Raises
    ------
    ScenarioError       when the locomotive does not use the IMEX step
    """
    if locomotive.law.method != "imex":
        raise ScenarioError(f"C export: method must be imex, got {locomotive.law.method!r}")
    program, description = describe(locomotive.values, motored)
    program.kernels[:] = [k for k in program.kernels if k.name != "augmented"]  # of no use to the IMEX step
    kernels, declarations = emit_c(program)
    return {
        "kernels.c": kernels,
        "kernels.h": declarations,
        "locomotive.h": _header(locomotive, description),
        "data.c": _data(locomotive, locomotive._work),
        "locomotive.c": (OWN / "locomotive.c").read_text(encoding="utf-8"),
    }


def _header(locomotive, description):
    at, tables, law = locomotive._places, locomotive._tables, locomotive._law
    lines = ["/* Locomotive: one work array holds parameters, inputs, state and scratch. */", "#ifndef LOCOMOTIVE_H",
             "#define LOCOMOTIVE_H", f"#define WORK {description['size']}", f"#define N {at.n}",
             f"#define WIDTH {at.width}", f"#define STATE {locomotive._backup.size}"]  # fmt: skip
    lines += [f"#define AT_{name} {value}" for name, value in at._asdict().items() if name not in ("n", "width")]
    lines += [f"#define AT_{name} {locomotive.generated.blocks[name].offset}" for name in ("torques", "parameters")]
    constants = {
        "TRACK_START": tables.track_start, "TRACK_SPACING": tables.track_spacing, "T_LIMIT": tables.t_limit,
        "COMPLIANCE": law.compliance, "SHEAR_MODULUS": law.shear_modulus, "FRICTION": law.friction,
        "TOLERANCE": law.tolerance, "FLANGE_STIFFNESS": law.flange_stiffness, "FLANGE_DAMPING": law.flange_damping,
        "FLANGE_CLEARANCE": law.flange_clearance,
    }  # fmt: skip
    lines += [f"#define {name} ({float(value)!r})" for name, value in constants.items()]
    lines += [
        f"#define WHEEL_KNOTS {tables.wheel_knots.shape[1]}",
        f"#define RAIL_KNOTS {tables.rail_knots.shape[1]}",
        f"#define TRACK_PIECES {tables.track.shape[1]}",
        f"#define TABLE_ROWS {tables.hertz_kalker.shape[0]}",
        f"enum {{ {', '.join(STATUSES)} }};",
        "extern const double wheel_knots[], wheel_pieces[], rail_knots[], rail_pieces[], track_pieces[];",
        "extern const double hertz_kalker[], initial_work[];",
        "extern const int columns[];",
        "/* After a change of parameters at w + AT_parameters. */",
        "void locomotive_parameters(double *w);",
        "/* One step; returns a status. w + AT_torques holds the inputs in the order",
        f"   {', '.join(locomotive.inputs)} [N m]. */",
        "int locomotive_step(double *w, int *wheel);",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _data(locomotive, initial):
    tables = locomotive._tables
    arrays = {
        "wheel_knots": tables.wheel_knots, "wheel_pieces": tables.wheel, "rail_knots": tables.rail_knots,
        "rail_pieces": tables.rail, "track_pieces": tables.track, "hertz_kalker": tables.hertz_kalker,
        "initial_work": initial,
    }  # fmt: skip
    parts = ['#include "locomotive.h"', *(_array(name, values) for name, values in arrays.items())]
    numbers = ", ".join(str(int(x)) for x in tables.columns.ravel())
    return "\n".join([*parts, f"const int columns[] = {{{numbers}}};", ""])


def _reference(rows, steps, every):
    head = f"#define REFERENCE_STEPS {steps}\n#define REFERENCE_EVERY {every}\n"
    return head + "static " + _array("reference", rows) + "\n"


def _array(name, values):
    numbers = [repr(float(x)) for x in np.asarray(values).ravel()]
    lines = [", ".join(numbers[k : k + 6]) for k in range(0, len(numbers), 6)]
    return f"const double {name}[] = {{\n" + ",\n".join(lines) + "};"
