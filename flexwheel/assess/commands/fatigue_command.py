"""flexwheel fatigue DIR: multiaxial criteria, counted cycles and damage at nodes of a wheelset over a run."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

ASSUMED = "assumed for an axle steel, no source"
TOPIC = "judge"
EXAMPLES = ("flexwheel fatigue out/as4",)


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    wheelset: Annotated[str | None, typer.Option("--wheelset", help="Name; default: the first flexible one.")] = None,
    node: Annotated[
        list[int] | None,
        typer.Option("--node", help="Node id; may be repeated. Default: control nodes off the running surface."),
    ] = None,
    bending_mpa: Annotated[
        float | None, typer.Option("--bending-mpa", help="Fatigue limit, amplitude, in rotating bending; default 240.")
    ] = None,
    torsion_mpa: Annotated[
        float | None, typer.Option("--torsion-mpa", help="Amplitude in reversed torsion; default 0.625 of it.")
    ] = None,
    repeated_mpa: Annotated[
        float | None, typer.Option("--repeated-mpa", help="Amplitude in bending from zero; default 0.83 of it.")
    ] = None,
    knee_cycles: Annotated[float, typer.Option("--knee-cycles", help="Cycles at the fatigue limit.")] = 2e6,
    slope: Annotated[float, typer.Option("--slope", help="Slope of the Woehler curve above the limit.")] = 5.0,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder of files; default DIR/fatigue.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Fatigue of material nodes as the wheelset turns: Crossland, Sines, Dang Van, range on the critical plane, damage.

    Utilisations are 1 at the fatigue limit. Damage is Miner's sum of the rainflow cycles of the normal stress on the
    plane of its largest range, each with its mean stress, per kilometre of the run after settling. Writes a picture of
    the load spectra. JSON keys: wheelset, distance_m, limits ({bending_pa, torsion_pa, repeated_bending_pa,
    knee_cycles, slope, mean_sensitivity, assumed}), nodes ([{node, crossland, sines, dang_van, plane, range_pa,
    damage_per_km, life_km, cycles_per_km, stress_error,
    corner_deg, mark}]), files. A node whose stress the mesh does not hold is marked.
    """
    from pathlib import Path

    from flexwheel.assess.evaluate.fatigue import FatigueLimits
    from flexwheel.assess.figures.stress_figures import spectrum_figure
    from flexwheel.assess.figures.style import footer_of, save_figure
    from flexwheel.assess.surface_stress import StressOfRun, fatigue_of_nodes
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_folder
    from flexwheel.run.progress import progress

    given = (None if value is None else 1e6 * value for value in (torsion_mpa, repeated_mpa))
    limits = FatigueLimits.of_bending(240e6 if bending_mpa is None else 1e6 * bending_mpa, *given)
    curve = limits.curve(knee_cycles, slope)
    place = Path(folder)
    base = place if place.is_dir() else place.parent
    with progress("fatigue") as report:
        run = StressOfRun(folder, wheelset, lambda line: report(0.0, line))
        nodes = node or run.watched_nodes()
        if not nodes:
            raise ScenarioError("fatigue: every control node of the run is on the running surface; give --node ID")
        target = output_folder(out if out is not None else base / "fatigue")
        found, distance = fatigue_of_nodes(run, nodes, limits, curve)
        title = f"{run.results.attrs.get('title', '')}\nwheelset {run.wheelset}, normal stress on the critical plane"
        spectra = {item["node"]: item.pop("cycles") for item in found}
        figure = spectrum_figure(spectra, distance, curve, title)
        files = [save_figure(figure, target / f"spectra{run.ending}.png", footer=footer_of(run.results.attrs))]
    assumed = [
        name for name, value in (("bending", bending_mpa), ("torsion", torsion_mpa), ("repeated", repeated_mpa))
        if value is None
    ]  # fmt: skip
    stated = {
        "bending_pa": limits.bending, "torsion_pa": limits.torsion, "repeated_bending_pa": limits.repeated_bending,
        "knee_cycles": knee_cycles, "slope": slope, "mean_sensitivity": curve.mean_sensitivity, "assumed": assumed,
    }  # fmt: skip
    if as_json:
        plain = {"wheelset": run.wheelset, "distance_m": distance, "limits": stated, "nodes": found}
        print(json.dumps(plain | {"files": [str(name) for name in files]}))
        return
    print(
        f"fatigue limits [MPa]: bending {limits.bending / 1e6:g}, torsion {limits.torsion / 1e6:g}, from zero "
        f"{limits.repeated_bending / 1e6:g}" + (f" ({', '.join(assumed)} {ASSUMED})" if assumed else "")
    )
    print(
        f"{distance:.1f} m of the run after settling; Woehler curve {knee_cycles:g} cycles, slope {slope:g} (assumed), "
        f"mean stress sensitivity {curve.mean_sensitivity:.3g}"
    )
    heads = ("node", "Crossland", "Sines", "Dang Van", "range [MPa]", "damage/km", "life [km]")
    print("".join(f"{head:>12}" for head in heads))
    for item in found:
        life = "-" if item["life_km"] is None else f"{item['life_km']:.3g}"
        print(
            f"{item['node']:12d}{item['crossland']:12.3f}{item['sines']:12.3f}{item['dang_van']:12.3f}"
            f"{item['range_pa'] / 1e6:12.2f}{item['damage_per_km']:12.3g}{life:>12}  {item['mark']}".rstrip()
        )
    print(f"file: {files[0]}")


COMMAND = Command("fatigue", command, TOPIC, EXAMPLES)
