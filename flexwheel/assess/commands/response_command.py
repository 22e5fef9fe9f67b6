"""flexwheel response SCENARIO: spectra of the linearised running vehicle, in the frequency domain."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "linear"
EXAMPLES = (
    "flexwheel response examples/as4_curve.toml --out out/response",
    "flexwheel response examples/as4_curve.toml --highest-hz 500 --out out/response --mat --shapes-hz 12.5,63",
)


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file, TOML, of kind vehicle.", metavar="SCENARIO")],
    highest_hz: Annotated[float, typer.Option("--highest-hz", help="Highest third octave.")] = 1250.0,
    step_hz: Annotated[float, typer.Option("--step-hz", help="Largest step of the frequencies.")] = 1.5,
    modes_up_to_hz: Annotated[
        float, typer.Option("--modes-up-to-hz", help="Flexible wheelsets have every mode below it.")
    ] = 4000.0,
    harmonics: Annotated[int, typer.Option("--harmonics", help="Harmonics of the sleeper passing, to each side.")] = 2,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder for response.nc and pictures.")] = None,
    mat: Annotated[bool, typer.Option("--mat", help="Write OUT/response.mat for MATLAB as well.")] = False,
    uff: Annotated[bool, typer.Option("--uff", help="Write OUT/response.uff, universal file 58, as well.")] = False,
    shapes_hz: Annotated[
        str | None,
        typer.Option("--shapes-hz", help="By comma: OUT/shapes.html, how the vehicle moves."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Spectra of wheel-rail forces, accelerations and stresses from the spectra of the irregularity, in seconds.

    The vehicle runs straight at the scenario's speed, linear about steady running: suspension with all internal
    states, creep by the derivatives of the contact law, turning wheelsets with gyroscopic terms and prestress. Rails
    are exact under loads that move. No time step, no rail elements, no truncated modes below --modes-up-to-hz.
    JSON keys: bands_hz, contact_force_n ({wheel: {x, y, z: rms in each band}}), contact_force_lines_n (sleepers that
    pass under the steady load), acceleration_m_s2, stress_pa ({control node: {rotating, fixed: {component: rms}}}),
    von_mises_pa, body_acceleration_m_s2, body_stress_pa ({point of a flexible body: {component: rms}}),
    decay_rate_db_m, notes, results (file or null).
    """
    from flexwheel.assess.linear_shapes import response_scene
    from flexwheel.assess.response import ResponseSettings, response_of
    from flexwheel.assess.response_exchange import write_matlab, write_universal
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.kind import PAGES
    from flexwheel.base.output_files import output_folder
    from flexwheel.results.files import write_results
    from flexwheel.results.response_dataset import RESPONSE_NAME
    from flexwheel.run.keys.reader import read_scenario
    from flexwheel.run.progress import progress

    how = ResponseSettings(highest_hz, step_hz, modes_up_to_hz, harmonics)
    how.check("--")
    if (mat or uff or shapes_hz) and out is None:
        raise ScenarioError("--mat, --uff and --shapes-hz need --out DIR, the folder they write into")
    shapes = _frequencies(shapes_hz, highest_hz) if shapes_hz else ()
    chosen = read_scenario(scenario, settings or [])
    if chosen.kind != "vehicle":
        raise ScenarioError(f"{scenario}: kind must be 'vehicle' for a response, got {chosen.kind!r}")
    folder = output_folder(out) if out is not None else None
    with progress("response") as report:
        say = lambda line: report(0.0, line)  # noqa: E731
        if shapes:
            scene = response_scene(chosen, how, shapes, say)
            PAGES.require("web", "--shapes-hz").of_scenes([("", scene)], folder / "shapes.html", say)
        results = response_of(chosen, how, say)
    file = None
    if folder is not None:
        file = write_results(results, folder / RESPONSE_NAME)
        _draw(results, folder)
        if mat:
            write_matlab(results, folder / "response.mat")
        if uff:
            write_universal(results, folder / "response.uff")
    if as_json:
        print(json.dumps(_plain(results, file)))
    else:
        print("\n".join(_lines(results, file)))


def _frequencies(text, highest):
    from flexwheel.base.errors import ScenarioError

    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        raise ScenarioError(f"--shapes-hz must be frequencies [Hz] by comma, as 12.5,63, got {text!r}") from None
    if not all(0.0 < hz <= highest for hz in found):
        raise ScenarioError(f"--shapes-hz must be above 0 and up to {highest:g} (--highest-hz), got {text}")
    return found


def _draw(results, folder):
    from functools import partial

    from flexwheel.assess.figures.response_figures import decay_figure, force_figure, node_figure, receptance_figure
    from flexwheel.assess.figures.style import footer_of, save_figure
    from flexwheel.base.output_files import file_stem

    save = partial(save_figure, footer=footer_of(results.attrs))
    excited = bool(results.input_density.values.any())
    if excited:
        save(force_figure(results), folder / "forces.png")
    save(receptance_figure(results), folder / "receptances.png")
    if "track_decay_rate" in results:
        save(decay_figure(results), folder / "decay_rate.png")
    for name in results.control_node.values if excited and "control_node" in results.dims else ():
        save(node_figure(results, str(name)), folder / f"{file_stem(name)}.png")


def _plain(results, file):
    def table(variable, *dims):
        return table_of(results[variable], dims)

    def table_of(array, dims):
        if not dims:
            return array.values.tolist()
        return {str(name): table_of(array.sel({dims[0]: name}), dims[1:]) for name in array[dims[0]].values}

    out = {
        "bands_hz": results.band.values.tolist(),
        "contact_force_n": table("contact_force_band", "wheel", "axis"),
        "contact_force_lines_n": table("contact_force_line_band", "wheel", "axis"),
        "notes": list(_notes(results)),
        "results": None if file is None else str(file),
    }
    if "control_node" in results.dims:
        out["acceleration_m_s2"] = table("acceleration_band", "control_node", "point", "axis")
        out["stress_pa"] = table("stress_band", "control_node", "point", "stress_component")
        out["von_mises_pa"] = table("von_mises_band", "control_node", "point")
    if "body_point" in results.dims:
        out["body_acceleration_m_s2"] = table("body_point_acceleration_band", "body_point", "axis")
        stressed = results.body_point_stress_band.dropna("body_point")
        out["body_stress_pa"] = table_of(stressed, ("body_point", "stress_component"))
    if "track_decay_rate" in results:
        out["decay_rate_db_m"] = table("track_decay_rate", "direction")
        out["frequency_hz"] = results.frequency.values.tolist()
    return out


def _notes(results):
    from flexwheel.results.evaluate.valid_band import band_lines

    yield from results.attrs["notes"]
    yield from band_lines(results, float(results.band.max()))


def _lines(results, file):
    yield from _notes(results)
    wheels = [str(name) for name in results.wheel.values]
    yield "rms in third octaves [N]: vertical and lateral force on the wheels, random part; lines of the sleepers"
    force = results.contact_force_band.values
    lines = results.contact_force_line_band.values
    for first in range(0, len(wheels), 2):  # a wheelset: two wheels fit in 80 columns
        pair = range(first, min(first + 2, len(wheels)))
        yield " " * 10 + "".join(f"{wheels[w]:>33}" for w in pair)
        yield f"{'band [Hz]':>10}" + "".join(f"{q:>11}" for _ in pair for q in ("z", "y", "z lines"))
        for b, hz in enumerate(results.band.values):
            values = (value for w in pair for value in (force[b, w, 2], force[b, w, 1], lines[b, w, 2]))
            yield f"{hz:10.1f}" + "".join(f"{value:11.4g}" for value in values)
    if "control_node" in results.dims:
        yield "rms in third octaves: radial and axial acceleration [m/s2] and von Mises stress [MPa] at control nodes"
        heads = [(str(n), str(p)) for n in results.control_node.values for p in results.point.values]
        for name, point in heads:
            at = results.sel(control_node=name, point=point)
            yield f"{name}, {point}"
            yield f"{'band [Hz]':>10}{'radial':>12}{'axial':>12}{'von Mises':>12}"
            a, s = at.acceleration_band.values, at.von_mises_band.values
            for b, hz in enumerate(results.band.values):
                yield f"{hz:10.1f}{a[b, 2]:12.4g}{a[b, 1]:12.4g}{1e-6 * s[b]:12.4g}"
    if "body_point" in results.dims:
        yield "rms in third octaves [m/s2]: acceleration at attachments and control nodes of flexible bodies"
        for name in (str(point) for point in results.body_point.values):
            yield name
            yield f"{'band [Hz]':>10}" + "".join(f"{axis:>12}" for axis in "xyz")
            values = results.body_point_acceleration_band.sel(body_point=name).values
            for hz, row in zip(results.band.values, values, strict=True):
                yield f"{hz:10.1f}" + "".join(f"{value:12.4g}" for value in row)
    if file is not None:
        yield f"results: {file}"


COMMAND = Command("response", command, TOPIC, EXAMPLES)
