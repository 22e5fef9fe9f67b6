"""flexwheel wear SCENARIO ...: wear of the wheels over kilometres, fed back into profile and circumference."""

from typing import Annotated

import typer


def command(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Scenarios of kind vehicle, pieces of a route, or folders of runs.", metavar="SCENARIO|DIR"
        ),
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="Folder for profiles, wear.nc and pictures.")],
    kilometres: Annotated[float, typer.Option("--kilometres", help="Way in all.", min=1e-3, max=1e7)] = 1000.0,
    share: Annotated[
        list[float] | None, typer.Option("--share", help="Share of the way like each piece; default: equal ones.")
    ] = None,
    law: Annotated[str, typer.Option("--law", help="usfd, brr, jendel, or a TOML file like them.")] = "usfd",
    depth_mm: Annotated[
        float, typer.Option("--depth-per-batch-mm", help="Deepest wear of a profile in a batch.", min=1e-6, max=5.0)
    ] = 0.1,
    order_um: Annotated[
        float, typer.Option("--order-per-batch-um", help="Largest change of an order in a batch.", min=1e-6, max=1e3)
    ] = 20.0,
    smoothing_mm: Annotated[
        float, typer.Option("--smoothing-mm", help="Standard deviation of the smoothing across.", min=0.0, max=20.0)
    ] = 1.0,
    highest_order: Annotated[int, typer.Option("--highest-order", help="Of the circumference.", min=1, max=200)] = 60,
    sure: Annotated[
        float, typer.Option("--sure", help="Standard errors by which an order must grow to count; 0: all.", min=0.0)
    ] = 2.0,
    feed: Annotated[str, typer.Option("--feed", help="What is fed back: both, profile or circumference.")] = "both",
    batches: Annotated[int, typer.Option("--batches", help="At most.", min=1, max=10000)] = 100,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the files'; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Wear of every wheel by a published law on the strips of its contact patches, over kilometres in batches.

    A batch simulates the pieces, scales what the wheels lose to as many kilometres as the limits allow and goes on with
    the worn wheels. Of folders of runs (which must have stored profile_* and patch_*) it takes one batch. Writes
    OUT/batch_NN/WHEEL.csv, which a scenario reads again, OUT/worn_K.toml (the scenarios with the worn wheels),
    OUT/wear.nc and pictures. JSON keys: wear_law, wear_law_values, distance_m, ended_by, wheels
    ({wheel: friction_energy_n, volume_rate_m2, band_rate, turns, deepest_m, order_amplitude_m}), files.
    """
    import json
    from pathlib import Path

    from flexwheel.errors import ScenarioError
    from flexwheel.io.progress import progress
    from flexwheel.io.run_folder import folders_released, run_folder
    from flexwheel.output_files import write_whole
    from flexwheel.run.wear import Piece, WearSettings, wear_batches
    from flexwheel.run.wear_results import draw_wear, wear_dataset, wear_lines, wear_values, write_wear
    from flexwheel.scenario.toml_text import scenario_toml
    from flexwheel.wear.wear_law import wear_law

    if feed not in ("both", "profile", "circumference"):
        raise ScenarioError(f"--feed {feed}: expected both, profile or circumference")
    shares = share or [1.0] * len(sources)
    if len(shares) != len(sources) or not all(0.0 <= x <= 1e6 for x in shares) or sum(shares) <= 0.0:
        raise ScenarioError(f"--share {shares}: expected a number >= 0 for each of {len(sources)} pieces, not all 0")
    how = WearSettings(
        wear_law(law), 1e3 * kilometres, 1e-3 * depth_mm, 1e-6 * order_um, 1e-3 * smoothing_mm, highest_order,
        sure, feed != "circumference", feed != "profile", batches,
    )  # fmt: skip
    found = [_piece(source, settings) for source in sources]
    pieces = [Piece(s, f[0], x, f[1]) for s, f, x in zip(sources, found, shares, strict=True)]
    if len({piece.results is None for piece in pieces}) > 1:
        raise ScenarioError("scenarios and folders of runs together: expected one kind of them")
    with folders_released():
        folder = run_folder(out)
        with progress("wear", not as_json) as report:
            done, states, scenarios = wear_batches(pieces, how, folder, report)
        title = str(scenarios[0].run.title) or Path(sources[0]).stem
        dataset = wear_dataset(done, states, how, title)
        files = [write_wear(dataset, folder)]
        for k, scenario in enumerate(scenarios, 1):
            path = folder / f"worn_{k}.toml"
            text = scenario_toml(scenario)
            write_whole(path, lambda part, text=text: part.write_text(text, encoding="utf-8"))
            files.append(path)
        files += draw_wear(dataset, folder, title)
    if as_json:
        print(json.dumps(wear_values(dataset, files)))
    else:
        print("\n".join([*wear_lines(dataset), *(f"file: {file}" for file in files)]))


def _piece(source, settings):
    """Scenario and results of a piece, which has one or both."""
    from pathlib import Path

    from flexwheel.errors import ScenarioError
    from flexwheel.results.files import read_results
    from flexwheel.run.safety import scenario_of
    from flexwheel.scenario.reader import read_scenario

    if Path(source).is_dir() or source.endswith(".nc"):
        if settings:
            raise ScenarioError(f"--set with {source}: a run that is over has its settings")
        results = read_results(source, ["vehicle"])
        return scenario_of(results), results
    return read_scenario(source, settings or []), None
