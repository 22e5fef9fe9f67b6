"""Way to the stand of a wagon that coasts, by an integral: a command, and a section of the report on a run."""

from typing import Annotated

import numpy as np
import typer

from flexwheel.assess.assessment import Assessment
from flexwheel.assess.figures.report_blocks import Table
from flexwheel.base.command import Command
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.input_files import parse_toml
from flexwheel.run.keys.reader import read_scenario_source


def way_to_stand(mass_t, speed_kmh, resistance_n, resistance_ns_m, resistance_ns2_m2, gradient_permille):
    """Way [m]: integral of m v dv / (a + b v + c v^2 + m g i) from 0 to the first speed; inf where it does not stop."""
    v = np.linspace(0.0, speed_kmh / 3.6, 2001)
    force = resistance_n + resistance_ns_m * v + resistance_ns2_m2 * v * v + 9.81 * mass_t * gradient_permille
    return np.trapezoid(1e3 * mass_t * v / force, v) if np.all(force > 0.0) else np.inf


def command(scenario: Annotated[str, typer.Argument(help="Scenario of kind coasting.", metavar="SCENARIO")]):
    """Way to the stand of a wagon that coasts, without a run."""
    values = read_scenario_source(scenario).scenario
    if values.kind != "coasting":
        raise FlexwheelError(f"{scenario}: kind must be 'coasting', got {values.kind!r}")
    print(f"way to the stand: {way_to_stand(**dict(values.wagon)):.1f} m")


def section(run, say):
    """Table of the way by the run and by the integral."""
    wagon = parse_toml(run.results.attrs["scenario"], "scenario of the results")["wagon"]
    ways = float(run.results.place[-1]), way_to_stand(**wagon)
    yield Table("Way to the stand", ("run [m]", "integral [m]"), (tuple(f"{way:.1f}" for way in ways),))


WAY = Assessment("coasting_way", "Way to the stand", section, kinds=("coasting",), needs=("place",))
COMMAND = Command("coasting-way", command, "judge", ("flexwheel coasting-way examples/plugin/coasting.toml",))
