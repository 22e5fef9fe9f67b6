"""flexwheel detection-compare: the detection methods over the configurations of Falomi, Malvezzi and Meli 2011."""

import json
from pathlib import Path
from typing import Annotated

import typer

from flexwheel.base.command import Command

# Falomi, Malvezzi and Meli 2011, Wear 271, tables 2 and 3, sections 4.2.1 and 4.2.3; columns 1:40 and 1:20
PAPER_ERROR = {
    ("simplex", "GRID of the vertical difference"): (3.6, 7.1),
    ("compass search", "GRID of the vertical difference"): (3.2, 5.9),
    ("DIST", "GRID of the normal distance"): (0.7, 1.5),
    ("DIFF", "GRID of the vertical difference"): (1.1, 2.1),
    ("networks", "GRID of the vertical difference"): (1.4, 2.6),
}
PAPER_SECONDS = {
    "GRID of the vertical difference": 9.3,
    "compass search": 0.26,
    "simplex": 0.11,
    "DIST": 0.0011,
    "DIFF": 0.0006,
    "networks": 0.0003,
    "look-up table": 0.0003,
}
PAPER_CLASS_ERROR = {"planes": (0.91, 0.85)}
PAPER_NETWORK_ERROR = (2.12, 2.41)
INCLINATIONS = ("1:40", "1:20")
TOPIC = "contact"
EXAMPLES = ("flexwheel detection-compare --configurations 500 --out out/detection",)


def command(
    configurations: Annotated[
        int, typer.Option("--configurations", help="Number, spread evenly over 2,099,601.", metavar="N")
    ] = 2099601,
    inclination: Annotated[str, typer.Option("--inclination", help="1:40, 1:20 or both.")] = "both",
    every_search: Annotated[
        int, typer.Option("--every-search", help="Simplex and compass run on every N-th one only.")
    ] = 10,
    epochs: Annotated[
        int, typer.Option("--epochs", help="Largest number of training epochs, if networks must be trained.")
    ] = 300,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder for tables.md, figures and disagreements.csv.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Errors and times of every detection method, S1002 on UIC60, beside those of the paper.

    Networks and table are trained and stored first where they are missing. JSON: one entry an inclination:
    {inclination, configurations, errors: [{method, reference, percent, missed, extra, reference_points,
    paper_percent}], times: [{method, microseconds, paper_seconds}], classification: [{classifier, percent,
    paper_percent}], network_error: {percent, paper_percent, by_points: [{points, errors, reference_points}]}, minima:
    [{points, configurations}], grid: {finest_step_m, changes_percent: {normal, vertical: {step_m: percent}},
    surface_percent: {normal, vertical}}, disagreements, explained}. Times are processor time per wheel and
    configuration.
    """
    from flexwheel.assess.commands.detection_pair import trained_for
    from flexwheel.assess.detection.configurations import COUNT
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_folder, write_whole
    from flexwheel.contact.detection.trained_detection import TrainingOptions

    if not 10 <= configurations <= COUNT:
        raise ScenarioError(f"--configurations must be 10 to {COUNT}, got {configurations}")
    if every_search < 1:
        raise ScenarioError(f"--every-search must be 1 or more, got {every_search}")
    if inclination not in (*INCLINATIONS, "both"):
        raise ScenarioError(f"--inclination must be 1:40, 1:20 or both, got {inclination}")
    chosen = INCLINATIONS if inclination == "both" else (inclination,)
    folder = output_folder(out) if out is not None else None
    options = TrainingOptions(epochs=epochs)
    results, tables, rows = [], [], []
    for lean in chosen:
        result, shown, wrong = _one(lean, configurations, every_search, options, folder, trained_for, quiet)
        results.append(result)
        tables.append(shown)
        rows += wrong
    text = "\n\n".join(tables)
    if folder is not None:
        for name, words in (("tables.md", text + "\n"), ("detection.json", json.dumps(results, indent=1))):
            write_whole(folder / name, lambda target, words=words: target.write_text(words, encoding="utf-8"))
        _write_rows(folder / "disagreements.csv", rows)
    print(json.dumps(results, indent=1) if as_json else text)


def _one(lean, configurations, every_search, options, folder, trained_for, quiet):
    """Result as plain numbers, the tables as text, and the disagreements of one inclination."""
    from flexwheel.assess.commands.detection_pair import contact_pair
    from flexwheel.assess.detection.compare import compare
    from flexwheel.assess.detection.configurations import chosen
    from flexwheel.assess.detection.detection_convergence import grid_convergence, surface_difference_share
    from flexwheel.assess.detection.explain import explain
    from flexwheel.assess.detection.planes import fit_planes
    from flexwheel.contact.detection.detection_tables import make_detection_tables
    from flexwheel.run.progress import progress

    contact, placement = contact_pair("S1002", "UIC60", lean, 0.46)
    trained, _ = trained_for(contact, options, quiet=quiet)
    tables = make_detection_tables(contact, trained)
    where = {"radius": placement.radius, "wheel_y": placement.wheel_y}
    with progress(f"detection, {lean}", not quiet) as report:
        report(0.0)
        planes = fit_planes(tables, **where)
        sums = compare(tables, chosen(configurations), planes=planes, every_search=every_search, report=report, **where)
        few = chosen(min(configurations, 2000))
        changes = {name: grid_convergence(tables, few, name == "normal", **where) for name in ("normal", "vertical")}
        few = chosen(min(configurations, 200))
        surface = {
            name: surface_difference_share(tables, few, name == "normal", **where) for name in ("normal", "vertical")
        }
        rows = [(lean, row) for row in explain(tables, sums.disagreements, **where)]
    if folder is not None:
        _draw(folder, lean, tables, planes, where)
    result = _plain(lean, sums, changes, surface, rows)
    return result, "\n".join(_lines(result)), rows


def _plain(lean, sums, changes, surface, rows):
    """Everything of one inclination as numbers and words."""
    from flexwheel.assess.detection.compare import NAMES, PAIRS

    column = INCLINATIONS.index(lean)
    errors = [
        {
            "method": NAMES[pair[0]],
            "reference": NAMES[pair[1]],
            "percent": sums.error(pair),
            "missed": sums.missed[pair],
            "extra": sums.extra[pair],
            "reference_points": int(sums.points[pair]),
            "paper_percent": PAPER_ERROR.get((NAMES[pair[0]], NAMES[pair[1]]), (None, None))[column],
        }
        for pair in PAIRS
        if sums.points[pair]
    ]
    times = [
        {"method": NAMES[m], "microseconds": sums.microseconds(m), "paper_seconds": PAPER_SECONDS.get(NAMES[m])}
        for m in sums.seconds
    ]
    classification = [
        {
            "classifier": name,
            "percent": sums.class_error(name),
            "paper_percent": PAPER_CLASS_ERROR.get(name, (None, None))[column],
        }
        for name in sums.class_errors
    ]
    return {
        "inclination": lean,
        "configurations": sums.configurations,
        "errors": errors,
        "times": times,
        "classification": classification,
        "network_error": {
            "percent": sums.network_error(),
            "paper_percent": PAPER_NETWORK_ERROR[column],
            "by_points": [
                {"points": k + 1, "errors": int(e), "reference_points": int(n)}
                for k, (e, n) in enumerate(sums.network_errors)
                if n
            ],
        },
        "minima": [{"points": k, "configurations": int(n)} for k, n in enumerate(sums.numbers) if n],
        "grid": {"finest_step_m": sums.finest, "changes_percent": changes, "surface_percent": surface},
        "disagreements": len(rows),
        "explained": sum(row.explained for _, row in rows),
    }


def _lines(result):
    """Tables in Markdown."""

    def paper(value, digits):
        return "" if value is None else f"{value:.{digits}f}"

    yield f"S1002 on UIC60 {result['inclination']}, {result['configurations']} configurations\n"
    yield "| tested | reference | error [%] | missed | extra | points of the reference | paper [%] |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for row in result["errors"]:
        yield (
            f"| {row['method']} | {row['reference']} | {row['percent']:.4f} | {row['missed']} | {row['extra']} | "
            f"{row['reference_points']} | {paper(row['paper_percent'], 1)} |"
        )
    yield "\n| method | time [us] | paper [us] |"
    yield "|---|---:|---:|"
    for row in result["times"]:
        seconds = row["paper_seconds"]
        yield f"| {row['method']} | {row['microseconds']:.2f} | {paper(seconds and 1e6 * seconds, 0)} |"
    yield "\n| number of minima | error [%] | paper [%] |"
    yield "|---|---:|---:|"
    for row in result["classification"]:
        yield f"| {row['classifier']} (Ec) | {row['percent']:.3f} | {paper(row['paper_percent'], 2)} |"
    error = result["network_error"]
    yield f"| networks (E_NN, 1 mm, eq 24) | {error['percent']:.3f} | {error['paper_percent']:.2f} |"
    for row in error["by_points"]:
        share = 100.0 * row["errors"] / row["reference_points"]
        yield f"| network for {row['points']} (E_k, eq 23) | {share:.3f} | 0.3 to 4 |"
    shares = ", ".join(f"{row['points']}: {row['configurations']}" for row in result["minima"])
    yield f"\nConfigurations by number of minima: {shares}.\n"
    yield "| GRID, distance of samples [mm] | normal: changes when halved [%] | vertical [%] |"
    yield "|---|---:|---:|"
    changes = result["grid"]["changes_percent"]
    for step in changes["normal"]:
        yield f"| {1e3 * step:g} | {changes['normal'][step]:.3f} | {changes['vertical'][step]:.3f} |"
    surface = result["grid"]["surface_percent"]
    yield (
        f"\nA grid over the whole wheel surface differs from GRID in {surface['normal']:.2f} % (normal) and "
        f"{surface['vertical']:.2f} % (vertical) of the configurations looked at. Disagreements of DIST and DIFF with "
        f"GRID: {result['disagreements']}, with the root of the derivative shown: {result['explained']}."
    )


def _draw(folder, lean, tables, planes, where):
    import numpy as np

    from flexwheel.assess.detection.maps import number_map
    from flexwheel.assess.figures.detection_figures import number_figure
    from flexwheel.assess.figures.style import save_figure

    maps = [number_map(tables, np.radians(yaw), **where) for yaw in (0.0, 1.0)]
    figure = number_figure(maps, planes, f"Number of local minima, S1002 on UIC60 {lean}")
    save_figure(figure, Path(folder) / f"minima_{lean.replace(':', '_')}.png")


def _write_rows(path, rows):
    """Disagreements as CSV."""
    import csv
    import io

    from flexwheel.assess.detection.explain import Disagreement
    from flexwheel.base.output_files import write_whole

    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(("inclination", *Disagreement._fields))
    for lean, row in rows:
        writer.writerow((lean, *(f"{v:.9g}" if isinstance(v, float) else v for v in row)))
    write_whole(path, lambda target: target.write_bytes(stream.getvalue().encode("utf-8")))


COMMAND = Command("detection-compare", command, TOPIC, EXAMPLES)
