"""A real-time locomotive as a functional mock-up unit that needs nothing but a C library.

It steps by the exported C99 (`export_c`). Inputs are the torques, held over a communication step; outputs the
coordinates, their rates, and forces and creepages of the wheels; parameters what does not decide where the bodies stand
at the start. Outputs of contact are those of the step that ended; before the first step, of that one, taken back.

Verified in tests/studies/locomotive/test_fmu_locomotive_verified.py.
"""

from flexwheel.studies.fmi.model_description import FmuModel, UnitVariable
from flexwheel.studies.fmi.unit import unit_sources, write_unit
from flexwheel.systems.locomotive.export_c import step_sources
from flexwheel.systems.locomotive.locomotive_parameters import BOUNDS, SPINNING, kind_of
from flexwheel.systems.locomotive.realtime_dataset import LENGTHS, WHEELS

PLACING = ("geometry.", "gear.teeth", "gravity", "motor_bushing.z_on_bogie")
"""First words of the names of parameters that decide where the bodies stand at the start; they are set at export."""
LARGEST_TORQUE = 1e9  # [N m] of an input
OF_WHEEL = (
    ("VALUE", "normal_force", "N", "normal force between wheel and rail"),
    ("FORCE_X", "force_x", "N", "longitudinal creep force on the wheel"),
    ("FORCE_Y", "force_y", "N", "lateral creep force on the wheel"),
    ("MOMENT_Z", "moment_z", "N m", "spin moment on the wheel"),
    ("VALUE", "stop_force", "N", "force of the lateral stop that stands for the flange, on the wheel"),
    ("CREEPAGE_X", "creepage_x", "-", "longitudinal creepage, wheel minus rail"),
    ("CREEPAGE_Y", "creepage_y", "-", "lateral creepage, wheel minus rail"),
    ("CREEPAGE_SPIN", "creepage_spin", "rad/m", "spin creepage, wheel minus rail"),
)
"""Kind in C, first word of the name (of a VALUE also the block), unit, meaning."""


def locomotive_unit(locomotive, scenario, fmi, path, binary=True):
    """Write a locomotive at its present state as a functional mock-up unit.

    Parameters
    ----------
    locomotive : RealtimeLocomotive     with the IMEX step
    scenario : LocomotiveRun            of which it was built
    fmi : str                           "2.0" or "3.0"
    path : Path                         of the archive
    binary : bool                       compile for this machine; the sources are always inside

    Returns
    -------
    FmuModel

    Raises
    ------
    ScenarioError       another method than IMEX; no C compiler, or one that fails
    """
    rows = _rows(locomotive, scenario)
    at = {v.name: k for k, (*_, v) in enumerate(rows)}
    pairs = [(at[f"{body}.Ixx"], at[f"{body}.Izz"]) for body in SPINNING if f"{body}.Ixx" in at]
    wheels = ", ".join(f'"{locomotive.wheel_name(k)}"' for k in range(WHEELS))
    of_table = {
        "variables.h": "extern const unsigned equals[EQUALS][2]; /* references of parameters that have to be equal */\n"
        "extern const char *const wheels[];",
        "variables.c": f"const unsigned equals[EQUALS][2] = {{{', '.join(f'{{{a}, {b}}}' for a, b in pairs)}}};\n"
        f"const char *const wheels[] = {{{wheels}}};",
    }
    kinds = dict.fromkeys(kind for kind, *_ in OF_WHEEL if kind != "VALUE")
    sources, model = unit_sources(
        FmuModel("flexwheel_locomotive", scenario.title, locomotive.time_step, scenario.run.duration_s), fmi,
        "model_locomotive.c", rows, step_sources(locomotive, scenario.motored) | of_table, tuple(kinds),
        {"EQUALS": len(pairs)},
    )  # fmt: skip
    page = "Locomotive on its track.", scenario.assumed, scenario.text
    write_unit(path, model, sources, fmi, binary, page)
    return model


def _rows(locomotive, scenario):
    """(kind in C, place in the work array or lane, Variable) by value reference."""
    g = locomotive.generated
    rows = [("TIME", 0, UnitVariable("time", "independent", "s", "time"))]
    for k, name in enumerate(locomotive.inputs):
        what = "drives forward" if name.startswith("motor") else "holds back"
        start = float(locomotive.torques[k])
        variable = UnitVariable(name, "input", "N m", f"torque, {what}", start, -LARGEST_TORQUE, LARGEST_TORQUE)
        rows.append(("INPUT", g.blocks["torques"].offset + k, variable))
    for k, name in enumerate(g.parameters):
        if not name.startswith(PLACING):
            least, most, _ = BOUNDS.get(kind_of(name), (-1e12, 1e12, ""))
            unit = scenario.units.get(name) or "-"
            variable = UnitVariable(name, "parameter", unit, name, locomotive.values[name], least, most)
            rows.append(("PARAMETER", g.blocks["parameters"].offset + k, variable))
    for block, what, per in (("q", "coordinate", ""), ("qd", "rate of the coordinate", "/s")):
        for k, name in enumerate(locomotive.coordinates):
            unit = ("m" if name.rpartition(".")[2] in LENGTHS else "rad") + per
            variable = UnitVariable(f"{block}.{name}", "output", unit, f"{what} {name}")
            rows.append(("VALUE", g.blocks[block].offset + k, variable))
    for kind, quantity, unit, meaning in OF_WHEEL:
        for lane in range(WHEELS):
            wheel = locomotive.wheel_name(lane)
            place = g.blocks[quantity].offset + lane if kind == "VALUE" else lane
            variable = UnitVariable(f"{quantity}.{wheel.replace(' ', '.')}", "output", unit, f"{meaning}: {wheel}")
            rows.append((kind, place, variable))
    return rows
