"""flexwheel eigen SCENARIO: linear analysis of a scenario's vehicle on straight track."""

import json
from pathlib import Path
from typing import Annotated

import typer

from flexwheel.base.command import Command

MOST_SPEEDS = 1000
TOPIC = "linear"
EXAMPLES = (
    "flexwheel eigen examples/manchester_tight_curve.toml --speeds-kmh 20:300:20",
    "flexwheel eigen examples/as4_curve.toml --speeds-kmh 80 --web --out out/modes",
)


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file, TOML.", metavar="SCENARIO")],
    speeds_kmh: Annotated[str, typer.Option("--speeds-kmh", help="LOW:HIGH:STEP, or by comma.")] = "20:300:20",
    critical: Annotated[bool, typer.Option("--critical/--no-critical", help="Look for the critical speed.")] = True,
    friction_dampers: Annotated[
        str, typer.Option("--friction-dampers", help="Dry friction elements: sticking or sliding.")
    ] = "sticking",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder for eigenvalues.png and other pictures.")
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="OUT/modes.html: the complex modes, moving.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Eigenvalues against speed, critical speed, Campbell diagram, receptances of wheel and rail.

    Straight smooth track; rails act by their static compliance. Dry friction sticks or slides; force laws are
    linearised, and refused at a kink; a drive acts by its proportional part. Unstable motions are named at each
    speed; a critical speed is given only if the vehicle is stable at all lower speeds. JSON keys: speeds_m_s, rails
    and friction_dampers (assumed), elements (how they were taken), warnings, oscillations ([{speed_m_s,
    frequency_hz, damping_ratio, dominant: body and coordinate or mode that moves most, share: of the kinetic
    energy}]), growing ([{names, growth_rate_1_s, frequency_hz, share}] a speed), critical_speed_m_s (null: none),
    critical_speed_reason (why), campbell ({wheelset: [{speed_m_s, frequency_hz, direction: circumferential order, +
    with the wheel, - against it, 0 torsion}]}, free wheelset, non-turning frame), receptance ({frequency_hz,
    wheel_vertical, wheel_lateral, rail_vertical, rail_lateral}, [real, imag] in m/N).
    """
    from flexwheel.assess.linear_analysis import analyse
    from flexwheel.assess.linear_shapes import modes_scene
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.kind import PAGES
    from flexwheel.base.output_files import output_folder
    from flexwheel.run.keys.reader import read_scenario
    from flexwheel.run.progress import progress

    if friction_dampers not in ("sticking", "sliding"):
        raise ScenarioError(f"--friction-dampers must be sticking or sliding, got {friction_dampers}")
    if web and out is None:
        raise ScenarioError("--web needs --out DIR, the folder that it writes into")
    speeds = parse_speeds(speeds_kmh)
    chosen = read_scenario(scenario, settings or [])
    folder = output_folder(out) if out is not None else None
    with progress("linear analysis") as report:
        found = analyse(chosen, speeds, friction_dampers, critical, report)
        if web:
            speed, say = speeds[_nearest(found, chosen.run.speed)], lambda line: report(1.0, line)
            scene = modes_scene(chosen, speed, friction_dampers, say)
            PAGES.require("web", "--web").of_scenes([("", scene)], folder / "modes.html", say)
    if folder is not None:
        _draw(folder, found, {"title": chosen.run.title, "vehicle": Path(chosen.vehicle.file).stem})
    if as_json:
        print(json.dumps(_plain(found)))
    else:
        print("\n".join(_lines(found, critical, chosen.run.speed)))


def parse_speeds(text):
    """Speeds (S,) [m/s] of "LOW:HIGH:STEP", HIGH never passed, or "a,b,c" in km/h."""
    import numpy as np

    from flexwheel.base.errors import ScenarioError

    try:
        if ":" in text:
            low, high, step = (float(part) for part in text.split(":"))
            count = (high - low) / step
            speeds = low + step * np.arange(int(count + 1e-9) + 1 if 0.0 <= count < MOST_SPEEDS else 0)
        else:
            speeds = np.array([float(part) for part in text.split(",")])
        if not 0 < len(speeds) <= MOST_SPEEDS or not np.all((speeds > 0.0) & (speeds <= 1000.0)):
            raise ValueError
    except (ValueError, ZeroDivisionError):
        raise ScenarioError(
            f"--speeds-kmh must be LOW:HIGH:STEP or a list, 0 to 1000 km/h, at most {MOST_SPEEDS} speeds, got {text}"
        ) from None
    return np.sort(speeds) / 3.6


def _draw(folder, found, of):
    from functools import partial

    from flexwheel.assess.figures.linear_figures import campbell_figure, eigenvalue_figure, receptance_figure
    from flexwheel.assess.figures.style import footer_of, save_figure
    from flexwheel.base.output_files import file_stem

    folder, save = Path(folder), partial(save_figure, footer=footer_of(of))
    save(eigenvalue_figure(found.speeds, found.oscillations), folder / "eigenvalues.png")
    for name, rows in found.whirls.items():
        ending = "" if len(found.whirls) == 1 else f"_{file_stem(name)}"
        figure = campbell_figure(rows, found.radius[name], title=f"{name} wheelset, free")
        save(figure, folder / f"campbell{ending}.png")
    save(receptance_figure(found.frequency, found.wheel, found.rail), folder / "receptances.png")


def _plain(found):
    import numpy as np

    def pairs(matrix, row):
        return None if matrix is None else np.stack([matrix[:, row, row].real, matrix[:, row, row].imag], 1).tolist()

    return {
        "speeds_m_s": found.speeds.tolist(),
        **found.assumed,
        "oscillations": found.oscillations,
        "growing": [[growth_figures(one) for one in at] for at in found.growths],
        "critical_speed_m_s": None if np.isnan(found.critical) else found.critical,
        "critical_speed_reason": found.reason,
        "campbell": found.whirls,
        "receptance": {
            "frequency_hz": found.frequency.tolist(),
            "wheel_vertical": pairs(found.wheel, 2),
            "wheel_lateral": pairs(found.wheel, 1),
            "rail_vertical": pairs(found.rail, 2),
            "rail_lateral": pairs(found.rail, 1),
        },
    }


def _nearest(found, running):
    """Index of the speed nearest to the scenario's [m/s], of which oscillations are printed and drawn."""
    return int(abs(found.speeds - running).argmin())


def growth_figures(growth):
    """A Growth as a dict."""
    return {
        "names": list(growth.names),
        "growth_rate_1_s": growth.rate,
        "frequency_hz": growth.frequency_hz,
        "share": growth.share,
    }


def _lines(found, looked, running, shown=60):
    import numpy as np

    speeds, table, assumed = found.speeds, found.oscillations, found.assumed
    nearest = _nearest(found, running)
    at = table[nearest]
    yield f"straight smooth track; rails: {assumed['rails']}; friction dampers {assumed['friction_dampers']}"
    yield from (f"force elements: {line}" for line in assumed["elements"])
    yield from (f"warning: {line}" for line in assumed["warnings"])
    yield f"oscillations at {3.6 * speeds[nearest]:.0f} km/h"
    yield f"{'frequency [Hz]':>16}{'damping ratio':>16}  moves most, share of kinetic energy"
    for f, damping, name, share in list(
        zip(at["frequency_hz"], at["damping_ratio"], at["dominant"], at["share"], strict=True)
    )[:shown]:
        yield f"{f:16.3f}{damping:16.4f}  {name}, {100.0 * share:.0f} %"
    yield "least damped oscillation below 20 Hz"
    for row in table:
        f, damping = np.array(row["frequency_hz"]), np.array(row["damping_ratio"])
        low = (f < 20.0) & (f > 0.2)
        if np.any(low):
            k = np.flatnonzero(low)[np.argmin(damping[low])]
            yield (
                f"{3.6 * row['speed_m_s']:8.0f} km/h: {f[k]:7.3f} Hz, damping ratio {damping[k]:8.4f}, "
                f"{row['dominant'][k]}"
            )
    for speed, growths in zip(speeds, found.growths, strict=True):
        more = f"; {len(growths) - 1} further motions" if len(growths) > 1 else ""
        yield from (f"unstable at {3.6 * speed:.0f} km/h: {growth.text()}{more}" for growth in growths[:1])
    if looked:
        yield (
            f"no critical speed: {found.reason}"
            if np.isnan(found.critical)
            else f"critical speed: {3.6 * found.critical:.1f} km/h"
        )


COMMAND = Command("eigen", command, TOPIC, EXAMPLES)
