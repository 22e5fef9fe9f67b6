"""flexwheel export DIR --to FILE: histories of a run for other programs."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = (
    "flexwheel export out/as4 --to out/as4/forces.csv -v wheel_force --where force=Q --rate-hz 1000",
    "flexwheel export out/as4 --to out/as4/nodes.mf4 -v von_mises -v acceleration --from-s 2 --to-s 4",
)


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    to: Annotated[str, typer.Option("--to", help="File; its suffix is the format: csv, mat, uff, mf4, parquet, rsp.")],
    variable: Annotated[
        list[str] | None, typer.Option("--variable", "-v", help="Name in docs/results.md, or its beginning and *.")
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="DIMENSION=LABEL, as wheel='front left'; may be repeated.")
    ] = None,
    from_s: Annotated[float | None, typer.Option("--from-s", help="First time.")] = None,
    to_s: Annotated[float | None, typer.Option("--to-s", help="Last time.")] = None,
    rate_hz: Annotated[float | None, typer.Option("--rate-hz", help="New sampling rate; filtered before.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Histories of a run, of chosen span and sampling rate, in a file for other programs.

    A lower rate is filtered: flat to 0.4 of it, 80 dB down from 0.6 of it. JSON keys: file, format, samples, rate_hz,
    from_s, to_s, resampled, complete, channels ([{name, units, meaning}]).
    """
    import sys
    from pathlib import Path

    from flexwheel.assess.export import export_results
    from flexwheel.base.errors import ScenarioError
    from flexwheel.extensions.exports.channels import EXPORTS
    from flexwheel.results.files import read_results

    places = dict(part.split("=", 1) if "=" in part else (part, None) for part in where or ())
    if wrong := [dim for dim, label in places.items() if label is None]:
        raise ScenarioError(f"--where must be DIMENSION=LABEL, got {wrong[0]!r}")
    if len(places) < len(where or ()):
        raise ScenarioError("--where must name a dimension once: several labels need several exports")
    results = read_results(folder)
    found = export_results(results, to, variable or [], places, (from_s, to_s), rate_hz)
    complete = found.about.get("complete", "true") == "true"
    if not complete:
        print(f"warning: the run is not complete: {found.about.get('status', '')}", file=sys.stderr)
    time, rate = found.frame.index, 1.0 / found.step
    if as_json:
        words = {"file": to, "format": EXPORTS.by_suffix()[Path(to).suffix.lower()].name, "samples": len(time)}
        words |= {"rate_hz": rate, "from_s": float(time[0]), "to_s": float(time[-1]), "complete": complete}
        words |= {"resampled": found.about.get("resampled", "no")}
        words["channels"] = [{"name": c.name, "units": c.units, "meaning": c.meaning} for c in found.channels]
        print(json.dumps(words, indent=1))
        return
    print(f"{to}: {len(found.channels)} channels of {len(time)} samples, {time[0]:g} to {time[-1]:g} s, {rate:g} Hz")
    if found.about.get("resampled", "no") != "no":
        print(f"resampled {found.about['resampled']}")


COMMAND = Command("export", command, TOPIC, EXAMPLES)
