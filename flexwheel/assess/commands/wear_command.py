"""flexwheel wear SCENARIO ...: wear of the wheels over kilometres, fed back into profile and circumference."""

from dataclasses import dataclass
from typing import Annotated

import typer

from flexwheel.base.command import Command
from flexwheel.base.errors import ScenarioError

TOPIC = "judge"
EXAMPLES = (
    "flexwheel wear examples/as4_curve.toml --kilometres 20000 --out out/wear",
    "flexwheel wear examples/as4_curve.toml examples/as4_paper.toml --share 7 --share 3 --law brr --out out/wear",
)
RARE = (
    "--depth-per-batch-mm",
    "--order-per-batch-um",
    "--highest-order",
    "--sure",
    "--feed",
    "--batches",
    "--smoothing-mm",
)
FEEDS = ("both", "profile", "circumference")


@dataclass(frozen=True)
class WearRoute:
    """How far, and which part of it is like which piece."""

    kilometres: Annotated[float, typer.Option("--kilometres", help="Total distance.", min=1e-3, max=1e7)] = 1000.0
    share: Annotated[
        list[float] | None, typer.Option("--share", help="Share of the distance for each piece; default: equal.")
    ] = None

    def shares(self, count):
        """Shares of the pieces."""
        shares = self.share or [1.0] * count
        if len(shares) != count or not all(0.0 <= x <= 1e6 for x in shares) or sum(shares) <= 0.0:
            raise ScenarioError(f"--share must be a number >= 0 for each of {count} pieces, not all 0, got {shares}")
        return shares


@dataclass(frozen=True)
class Feedback:
    """What is fed back after a batch, and how long one may be."""

    depth_mm: Annotated[
        float, typer.Option("--depth-per-batch-mm", help="Deepest wear of a profile in a batch.", min=1e-6, max=5.0)
    ] = 0.1
    order_um: Annotated[
        float, typer.Option("--order-per-batch-um", help="Largest change of an order in a batch.", min=1e-6, max=1e3)
    ] = 20.0
    smoothing_mm: Annotated[
        float, typer.Option("--smoothing-mm", help="Smoothing of the profile: standard deviation.", min=0.0, max=20.0)
    ] = 1.0
    highest_order: Annotated[
        int, typer.Option("--highest-order", help="Highest order of the circumference.", min=1, max=200)
    ] = 60
    sure: Annotated[
        float, typer.Option("--sure", help="Standard errors by which an order must grow to count; 0: all.", min=0.0)
    ] = 2.0
    feed: Annotated[str, typer.Option("--feed", help="What is fed back: both, profile or circumference.")] = "both"
    batches: Annotated[int, typer.Option("--batches", help="Largest number of batches.", min=1, max=10000)] = 100

    def settings(self, law, kilometres):
        """WearSettings with a law over so many kilometres."""
        from flexwheel.assess.wear.wear_law import wear_law
        from flexwheel.assess.wear_of_runs import WearSettings

        if self.feed not in FEEDS:
            raise ScenarioError(f"--feed must be {', '.join(FEEDS[:-1])} or {FEEDS[-1]}, got {self.feed}")
        return WearSettings(
            wear_law(law), 1e3 * kilometres, 1e-3 * self.depth_mm, 1e-6 * self.order_um, 1e-3 * self.smoothing_mm,
            self.highest_order, self.sure, self.feed != "circumference", self.feed != "profile", self.batches,
        )  # fmt: skip


def command(
    sources: Annotated[
        list[str],
        typer.Argument(help="Scenarios of vehicles, pieces of a route, or folders of runs.", metavar="SCENARIO|DIR"),
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="Folder for profiles, wear.nc and pictures.")],
    route: WearRoute,
    feedback: Feedback,
    law: Annotated[str, typer.Option("--law", help="usfd, brr, jendel, or a TOML file like them.")] = "usfd",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the files'; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Wear of every wheel by a published law on the strips of its contact patches, over kilometres in batches.

    A batch runs the scenarios, scales the loss to as many kilometres as its limits allow and continues with the worn
    wheels; from folders of runs (with profile_* and patch_*) one batch is made. Writes OUT/batch_NN/WHEEL.csv,
    OUT/worn_K.toml (the scenarios with the worn wheels), OUT/wear.nc, pictures. JSON keys: wear_law, wear_law_values,
    distance_m, distance_asked_m, ended_by, wheels ({wheel: friction_energy_n, volume_rate_m2, band_rate, turns,
    deepest_m, order_amplitude_m}), files.
    """
    import json
    from pathlib import Path

    from flexwheel.assess.wear_of_runs import Piece, wear_batches
    from flexwheel.assess.wear_results import draw_wear, wear_dataset, wear_lines, wear_values, write_wear
    from flexwheel.run.progress import progress
    from flexwheel.run.run_folder import folders_released, run_folder

    shares, how = route.shares(len(sources)), feedback.settings(law, route.kilometres)
    found = [_piece(source, settings) for source in sources]
    if len({results is None for _, results in found}) > 1:
        kinds = (
            f"{s} ({'scenario' if results is None else 'run'})" for s, (_, results) in zip(sources, found, strict=True)
        )
        raise ScenarioError(f"give scenarios or folders of runs, not both, got {', '.join(kinds)}")
    pieces = [Piece(s, f[0], x, f[1]) for s, f, x in zip(sources, found, shares, strict=True)]
    title = str(pieces[0].scenario.run.title) or Path(sources[0]).stem
    with folders_released():
        folder = run_folder(out)

        def keep(batches, states, scenarios):
            return write_wear(wear_dataset(batches, states, how, title), scenarios, folder)

        with progress("wear", not as_json) as report:
            batches, states, scenarios = wear_batches(pieces, how, folder, report, keep)
        dataset, files = wear_dataset(batches, states, how, title), keep(batches, states, scenarios)
        files += draw_wear(dataset, folder, title)
    if as_json:
        print(json.dumps(wear_values(dataset, files)))
    else:
        print("\n".join([*wear_lines(dataset), *(f"file: {file}" for file in files)]))


def _piece(source, settings):
    """Scenario and results of a piece, None for those that it has not."""
    from pathlib import Path

    from flexwheel.assess.safety import scenario_of
    from flexwheel.results.files import read_results
    from flexwheel.run.keys.reader import read_scenario

    if Path(source).is_dir() or source.endswith(".nc"):
        if settings:
            raise ScenarioError(f"--set with {source}: a run that is over has its settings")
        results = read_results(source, ["vehicle"])
        return scenario_of(results), results
    return read_scenario(source, settings or []), None


COMMAND = Command("wear", command, TOPIC, EXAMPLES, RARE)
