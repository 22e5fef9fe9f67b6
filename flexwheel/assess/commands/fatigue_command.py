"""flexwheel fatigue DIR: multiaxial criteria, counted cycles and damage at nodes of a wheelset over a run."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = ("flexwheel fatigue out/as4 --grades assumed --grade ER7 --zone web:0:2000",)
HEADS = (
    "node", "zone", "utilisation", "verdict", "Crossland", "Sines", "Dang Van", "range [MPa]", "K nom [MPa]",
    "peak/K nom", "damage/km",
)  # fmt: skip


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    wheelset: Annotated[str | None, typer.Option("--wheelset", help="Name; default: the first flexible one.")] = None,
    node: Annotated[
        list[int] | None,
        typer.Option("--node", help="Node id, repeatable; default: control nodes off treads."),
    ] = None,
    grades: Annotated[
        str | None, typer.Option("--grades", help="Limits by grade and zone: a TOML file, or `assumed`.")
    ] = None,
    grade: Annotated[str | None, typer.Option("--grade", help="Grade in it, e.g. EA1N.")] = None,
    zone: Annotated[
        list[str] | None,
        typer.Option(
            "--zone",
            help="ZONE:FROM:TO, |y| [mm] of a zone of the grade; then :DIAMETER[:RADIUS:LARGER of a fillet]. "
            "Repeatable.",
        ),
    ] = None,
    bending_mpa: Annotated[
        float | None, typer.Option("--bending-mpa", help="Instead: permissible amplitude in rotating bending.")
    ] = None,
    knee_cycles: Annotated[float, typer.Option("--knee-cycles", help="Cycles at that stress.")] = 2e6,
    slope: Annotated[float, typer.Option("--slope", help="Slope of the Woehler curve above it.")] = 5.0,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder of files; default DIR/fatigue.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Fatigue of material nodes as the wheelset turns, against the permissible stress of their zone.

    Utilisation is the largest amplitude of the normal stress on the plane of its largest range, about mean stress 0,
    over the permissible amplitude, as in `en13103`; Crossland, Sines and Dang Van are 1 at it too. Where the limit is
    for K times the nominal stress (`stress` in --grades), that is judged, by statics of the run's own loads. Verdict:
    holds, open (the estimated error of the stress passes 1), EXCEEDED. Damage is Miner's sum of the rainflow cycles
    per kilometre of this run after settling; one run gives no life (`flexwheel collective`).
    Writes a picture of the load spectra. JSON keys: wheelset, distance_m, comparison, limits ([text]), knee_cycles,
    slope, nodes ([{node, zone, amplitude_pa, permissible_pa, elastic_factor, nominal_pa, utilisation, verdict,
    crossland, sines, dang_van, plane, range_pa, fit_pa, damage_per_km, cycles_per_km, stress_error, corner_deg,
    mark}]), not_judged ([text]: control nodes without a limit), unfinished (text: of a run that was stopped), files.
    `mark`: the mesh does not hold the stress.
    """
    from pathlib import Path

    from flexwheel.assess.evaluate.strength_grades import given_limit, read_grades
    from flexwheel.assess.figures.stress_figures import spectrum_figure
    from flexwheel.assess.figures.style import footer_of, save_figure
    from flexwheel.assess.node_fatigue import fatigue_of_nodes, limits_at, no_life, node_histories, press_fit_words
    from flexwheel.assess.nominal_stress import parse_zone
    from flexwheel.assess.surface_stress import StressOfRun
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_folder
    from flexwheel.run.progress import progress

    if (grade is None) == (bending_mpa is None):
        raise ScenarioError("fatigue: give exactly one of --grade (with --grades) and --bending-mpa")
    if bending_mpa is not None and (grades is not None or zone):
        raise ScenarioError("fatigue: --bending-mpa is one limit for all nodes; leave out --grades and --zone")
    table = read_grades(grades) if grade is not None else None
    zones = [parse_zone(text) for text in zone or ()]
    single = given_limit(100.0 if bending_mpa is None else bending_mpa)
    single.permitted().curve(knee_cycles, slope)  # refuses a curve that is none
    place = Path(folder)
    base = place if place.is_dir() else place.parent
    with progress("fatigue") as report:
        run = StressOfRun(folder, wheelset, lambda line: report(0.0, line))
        nodes = node or run.watched_nodes()
        if not nodes:
            raise ScenarioError("fatigue: the run has no control node off the running surface; give --node ID")
        if table is None:
            found, left = dict.fromkeys(nodes, single), {}
        else:
            found, left = limits_at(run, nodes, table, grade, zones)
        if left and (node or not found):
            raise ScenarioError(f"fatigue: {next(iter(left.values()))}")
        nodes, limits = list(found), list(found.values())
        target = output_folder(out if out is not None else base / "fatigue")
        history = node_histories(run, nodes, limits)
        found = fatigue_of_nodes([history], [1.0], nodes, limits, knee_cycles, slope)
        title = f"{run.results.attrs.get('title', '')}\nwheelset {run.wheelset}, normal stress on the critical plane"
        for item in found:
            del item["damage_of_runs"]
        spectra = {item["node"]: item.pop("cycles") for item in found}
        curves = {n: limit.permitted().curve(knee_cycles, slope) for n, limit in zip(nodes, limits, strict=True)}
        figure = spectrum_figure(spectra, 1e3, curves, title)
        files = [save_figure(figure, target / f"spectra{run.ending}.png", footer=footer_of(run.results.attrs))]
    words = list(dict.fromkeys(limit.words() for limit in limits))
    if as_json:
        plain = {"wheelset": run.wheelset, "distance_m": history.way, "comparison": no_life(1, history.way)}
        plain |= {"limits": words, "knee_cycles": knee_cycles, "slope": slope, "nodes": found}
        plain |= {"not_judged": list(left.values()), "unfinished": run.unfinished}
        print(json.dumps(plain | {"files": [str(name) for name in files]}))
        return
    print("\n".join([*words, f"Woehler curve {knee_cycles:g} cycles at the permissible stress, slope {slope:g}"]))
    if run.unfinished:
        print(f"INCOMPLETE RUN: {run.unfinished}; all that follows is of this part only")
    print(no_life(1, history.way))
    print("\n".join([*node_lines(found), *press_fit_words(found), *(f"not judged: {why}" for why in left.values())]))
    print(f"file: {files[0]}")


def nominal_words(item):
    """K times the nominal stress, and the stress of the mesh over it, of an item of `fatigue_of_nodes`; - without."""
    if item["elastic_factor"] is None:
        return f"{'-':>12}{'-':>12}"
    return f"{item['nominal_pa'] / 1e6:12.2f}{item['elastic_factor']:12.3f}"


def node_lines(found):
    """Table of `fatigue_of_nodes`."""
    lines = ["".join(f"{head:>12}" for head in HEADS)]
    for item in found:
        lines.append(
            f"{item['node']:12d}{item['zone']:>12}{item['utilisation']:12.3f}{item['verdict']:>12}"
            f"{item['crossland']:12.3f}{item['sines']:12.3f}{item['dang_van']:12.3f}{item['range_pa'] / 1e6:12.2f}"
            f"{nominal_words(item)}{item['damage_per_km']:12.3g}  {item['mark']}".rstrip()
        )
    return lines


COMMAND = Command("fatigue", command, TOPIC, EXAMPLES)
