"""flexwheel eigen SCENARIO: linear analysis of a scenario's vehicle on straight track."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file, TOML.", metavar="SCENARIO")],
    speeds_kmh: Annotated[
        str, typer.Option("--speeds-kmh", help="LOW:HIGH:STEP of the Campbell diagram, or speeds by comma.")
    ] = "20:300:20",
    critical: Annotated[bool, typer.Option("--critical/--no-critical", help="Look for the critical speed.")] = True,
    friction_dampers: Annotated[
        str, typer.Option("--friction-dampers", help="Dry friction elements: sticking or sliding.")
    ] = "sticking",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder for campbell.png, receptances.png.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Eigenvalues against speed, critical speed, Campbell diagram, receptances of wheel and rail.

    The vehicle runs on straight smooth track; rails take part by their static compliance. JSON keys: speeds_m_s,
    oscillations ([{speed_m_s, frequency_hz, damping_ratio}]), critical_speed_m_s (null: none between the outer
    speeds), receptance ({frequency_hz, wheel_vertical, wheel_lateral, rail_vertical, rail_lateral}, [real, imag]
    pairs in m/N).
    """
    import numpy as np

    from flexwheel.errors import ScenarioError
    from flexwheel.io.paths import output_folder
    from flexwheel.io.progress import progress
    from flexwheel.io.scenario import read_scenario
    from flexwheel.run import linear_analysis as linear
    from flexwheel.run.reduced_bodies import flexible_wheelsets

    if friction_dampers not in ("sticking", "sliding"):
        raise ScenarioError(f"--friction-dampers {friction_dampers}: expected sticking or sliding")
    speeds = parse_speeds(speeds_kmh)
    chosen = read_scenario(scenario, settings or [])
    folder = output_folder(out) if out else None
    with progress("linear analysis") as report:
        wheelsets = flexible_wheelsets(chosen, lambda line: report(0.0, line))
        bodies = {name: item.body for name, item in wheelsets.items()}
        table = linear.eigen_table(chosen, bodies, speeds, friction_dampers, lambda f, note: report(0.5 * f, note))
        found = float("nan")
        if critical:
            report(0.5, "critical speed")
            found = linear.critical_speed_of(chosen, bodies, speeds[0], speeds[-1], friction_dampers)
        report(0.9, "receptances")
        frequency = np.geomspace(10.0, 2000.0, 400)
        wheel, rail = linear.receptances(chosen, bodies, frequency)
    if folder is not None:
        _draw(folder, table, frequency, wheel, rail, chosen)
    if as_json:
        print(json.dumps(_plain(table, found, frequency, wheel, rail)))
    else:
        print("\n".join(_lines(table, found, critical, chosen.run.speed)))


def parse_speeds(text):
    """Speeds (S,) [m/s] of "LOW:HIGH:STEP" or "a,b,c" in km/h."""
    import numpy as np

    from flexwheel.errors import ScenarioError

    try:
        if ":" in text:
            low, high, step = (float(part) for part in text.split(":"))
            speeds = np.arange(low, high + 0.5 * step, step)
        else:
            speeds = np.array([float(part) for part in text.split(",")])
        if len(speeds) == 0 or not np.all(np.isfinite(speeds)) or speeds.min() <= 0.0 or speeds.max() > 1000.0:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        raise ScenarioError(f"--speeds-kmh {text}: expected LOW:HIGH:STEP or a list, 0 to 1000 km/h") from None
    return np.sort(speeds) / 3.6


def _draw(folder, table, frequency, wheel, rail, scenario):
    from flexwheel.vehicles.vehicle_file import read_vehicle
    from flexwheel.view.linear_figures import campbell_figure, receptance_figure
    from flexwheel.view.style import save_figure

    radius = read_vehicle(scenario.vehicle.file).wheel["radius_m"]
    save_figure(campbell_figure(table.speed, table.values, radius), Path(folder) / "campbell.png")
    save_figure(receptance_figure(frequency, wheel, rail), Path(folder) / "receptances.png")


def _plain(table, critical, frequency, wheel, rail):
    import numpy as np

    from flexwheel.run.linear_analysis import frequencies_and_damping

    oscillations = []
    for speed, values in zip(table.speed, table.values, strict=True):
        f, damping = frequencies_and_damping(values)
        oscillations.append({"speed_m_s": float(speed), "frequency_hz": f.tolist(), "damping_ratio": damping.tolist()})

    def pairs(matrix, row):
        return None if matrix is None else np.stack([matrix[:, row, row].real, matrix[:, row, row].imag], 1).tolist()

    return {
        "speeds_m_s": table.speed.tolist(),
        "oscillations": oscillations,
        "critical_speed_m_s": None if np.isnan(critical) else critical,
        "receptance": {
            "frequency_hz": frequency.tolist(),
            "wheel_vertical": pairs(wheel, 2),
            "wheel_lateral": pairs(wheel, 1),
            "rail_vertical": pairs(rail, 2),
            "rail_lateral": pairs(rail, 1),
        },
    }


def _lines(table, critical, looked, running):
    import numpy as np

    from flexwheel.run.linear_analysis import frequencies_and_damping

    nearest = int(np.argmin(np.abs(table.speed - running)))
    f, damping = frequencies_and_damping(table.values[nearest])
    order = np.argsort(f)
    yield f"oscillations at {3.6 * table.speed[nearest]:.0f} km/h"
    yield f"{'frequency [Hz]':>16}{'damping ratio':>16}"
    for k in order[:60]:
        yield f"{f[k]:16.3f}{damping[k]:16.4f}"
    yield "least damped oscillation below 20 Hz"
    for speed, values in zip(table.speed, table.values, strict=True):
        f, damping = frequencies_and_damping(values)
        low = (f < 20.0) & (f > 0.2)
        if np.any(low):
            k = np.flatnonzero(low)[np.argmin(damping[low])]
            yield f"{3.6 * speed:8.0f} km/h: {f[k]:7.3f} Hz, damping ratio {damping[k]:8.4f}"
    if looked:
        between = f"{3.6 * table.speed[0]:.0f} and {3.6 * table.speed[-1]:.0f} km/h"
        yield (
            f"critical speed: {3.6 * critical:.1f} km/h"
            if critical == critical
            else f"no critical speed between {between}"
        )
