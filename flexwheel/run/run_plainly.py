"""flexwheel run on a kind that tells no more than its summary."""

import json

from flexwheel.base.errors import IncompleteRun
from flexwheel.base.kind import KINDS, PICTURES, ViewOptions
from flexwheel.results.files import RESULTS_NAME
from flexwheel.run.any_kind import run_source
from flexwheel.run.progress import progress


def run_plainly(source, folder, options, checkpoints=None):
    """Run a ScenarioSource into a folder, `say` the summary of its kind.

    JSON keys: results, complete, status, assumed, warnings.
    """
    kind = KINDS[source.scenario.kind]
    with progress(kind.name, not options.quiet) as report:
        results = run_source(source, report, None, folder, checkpoints)
    attributes, path = results.attrs, folder / RESULTS_NAME
    warnings = list(attributes.get("warnings", ()))
    options.say(*kind.summary(results), *(f"warning: {line}" for line in warnings), f"results: {path}")
    if options.as_json:
        told = {"results": str(path), "complete": bool(attributes["complete"]), "status": attributes["status"]}
        print(json.dumps(told | {"assumed": list(attributes.get("assumed", ())), "warnings": warnings}, indent=1))
    if not attributes["complete"]:
        raise IncompleteRun(f"run not complete: {attributes['status']}; partial results: {path}")
    if options.view and kind.name in PICTURES:
        PICTURES[kind.name].draw(results, folder / "pictures", options.say, ViewOptions())
