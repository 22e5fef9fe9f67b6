"""Which assumed values change the spectra most, as `flexwheel sensitivity` found for a scenario or the AS4 example."""

import json
from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import digest, read_text
from flexwheel.run.keys.toml_text import scenario_toml

SENSITIVITY_NAME = "sensitivity.json"
SHIPPED_RANKING = Path(__file__).with_name("as4_sensitivity.json")
SHIPPED_VEHICLE = "as4"  # of SHIPPED_RANKING
"""`flexwheel sensitivity examples/as4_curve.toml --out DIR` on the coarse mesh, by its forces alone."""


def read_ranking(folder, scenario):
    """Values of sensitivity.json in a folder, the largest change first, if it is of that scenario, or else those of the
    shipped example for runs of its vehicle, none for any other; and whether they are of that scenario.

    Raises
    ------
    ScenarioError   when the file is not one of `flexwheel sensitivity`
    """
    path = Path(folder) / SENSITIVITY_NAME
    own = path.is_file()
    if not own and scenario.vehicle.file != SHIPPED_VEHICLE:
        return [], False
    try:
        record = json.loads(read_text(path if own else SHIPPED_RANKING, "a file of 'flexwheel sensitivity'"))
        if own and record["scenario_digest"] != identity(scenario):
            path, own = SHIPPED_RANKING, False
            record = json.loads(path.read_text(encoding="utf-8"))
            if scenario.vehicle.file != SHIPPED_VEHICLE:
                return [], False
        ranked = [value for value in record["values"] if "change" in value]
        [(v["key"], float(v["change"]), float(v["band_hz"]), v["quantity"], float(v["factor"])) for v in ranked]
    except (ValueError, KeyError, TypeError):
        raise ScenarioError(f"{path}: not a file of 'flexwheel sensitivity'; make it again") from None
    return ranked, own


def identity(scenario):
    """Digest of a scenario but for how long it runs, what it stores and what it is called."""
    run = scenario.run.model_copy(
        update={"title": "", "duration_s": 1.0, "end_position_m": None, "compare_modes": (), "settling_s": None}
    )
    return digest(scenario_toml(scenario.model_copy(update={"run": run, "output": type(scenario.output)()})))
