"""Which unpublished data of trains 2 and 4 move the entries of paper 002's tables, one at a time.

    python benchmarks/train_sensitivity.py [--by 0.1] [--train 2]

Each datum of the open stand-ins is raised by a share of itself; printed are the changes of the tables' entries in per
cent of theirs, and what is missing to the paper's values. The driving follows the distance, so that it is the same.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import tomlkit

from flexwheel.base.shipped import EXAMPLES, TRACK
from flexwheel.systems.train.results import benchmark_row
from flexwheel.systems.train.simulate_train import simulate
from flexwheel.systems.train.train_run import read_train_scenario
from flexwheel.vehicle.vehicle_file import FOLDER
from flexwheel.verification.train.train_tables_checks import COLUMNS, PAPER

STOCK, COUPLERS, ROUTE = "train_stock.toml", "train_couplers.toml", "open_heavy_haul.csv"


def scaled(*path):
    """Change of a parts' table: the value at a path times the factor; of a curve, the forces of all its rows."""

    def change(files, factor):
        table = files[STOCK] if path[0] in ("vehicle", "traction", "air_brake") else files[COUPLERS]
        for key in path:
            table = table[key]
        value = table["value"]
        rows = [[row[0], *(factor * force for force in row[1:])] for row in value] if isinstance(value, list) else None
        table["value"] = rows if rows else factor * value

    return change


def unloading(files, factor):
    """Unloading forces of the draft gear times the factor."""
    table = files[COUPLERS]["coupler"]["autocoupler"]["draft"]
    table["value"] = [[x, up, factor * down] for x, up, down in table["value"]]


def gradients(files, factor):
    """Gradients of the route times the factor."""
    files[ROUTE]["gradient_permille"] *= factor


def both(*changes):
    """Several changes at once."""
    return lambda files, factor: [change(files, factor) for change in changes]


CHANGES = {
    "mass of wagons": scaled("vehicle", "ore_wagon", "mass_t"),
    "mass of locomotives": scaled("vehicle", "locomotive", "mass_t"),
    "rolling resistance": both(*(scaled("vehicle", v, "resistance_factor") for v in ("locomotive", "ore_wagon"))),
    "tractive effort": scaled("traction", "diesel_3100", "tractive_effort_kn"),
    "power": scaled("traction", "diesel_3100", "power_kw"),
    "dynamic brake": both(*(scaled("traction", "diesel_3100", k) for k in ("brake_effort_kn", "brake_power_kw"))),
    "air brake force": both(*(scaled("vehicle", v, "brake_force_kn") for v in ("locomotive", "ore_wagon"))),
    "speed of brake waves": both(*(scaled("air_brake", k) for k in ("apply_m_s", "release_m_s"))),
    "forces of the draft gear": scaled("coupler", "autocoupler", "draft"),
    "its unloading forces": unloading,
    "gradients": gradients,
}


def row(number, change=None, factor=1.0):
    """Entries of the paper's table of a train, (10,), after a change."""
    files = {name: tomlkit.parse((FOLDER / name).read_text()).unwrap() for name in (STOCK, COUPLERS)}
    files[ROUTE] = pandas.read_csv(TRACK / "routes" / ROUTE, comment="#")
    if change:
        change(files, factor)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in (STOCK, COUPLERS):
            (folder / name).write_text(tomlkit.dumps(files[name]))
        files[ROUTE].to_csv(folder / ROUTE, index=False)
        text = (EXAMPLES / f"train_{number}.toml").read_text()
        text = text.replace(f'"{STOCK}"', f'"{folder / STOCK}"').replace(f'"{COUPLERS}"', f'"{folder / COUPLERS}"')
        text = text.replace(f"../track/routes/{ROUTE}", str(folder / ROUTE))
        text = text.replace("../track/", f"{TRACK}/")
        (folder / "train.toml").write_text(text)
        scenario = read_train_scenario(folder / "train.toml")
        made = benchmark_row(simulate(replace(scenario.run, account=False)), scenario.deflection_coupler)
    return np.array([getattr(made, key) for _, key, _ in COLUMNS], dtype=float)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--by", type=float, default=0.1, help="share by which a datum is raised")
    parser.add_argument("--train", type=int, choices=(2, 4), action="append")
    asked = parser.parse_args()
    for number in asked.train or (2, 4):
        base = row(number)
        names = [f"{text} [{unit}]" if unit else text for text, _, unit in COLUMNS]
        table = {"here": base, "paper": np.array(PAPER[number])}
        table["missing [%]"] = 100.0 * (table["paper"] / base - 1.0)
        for name, change in CHANGES.items():
            table[name] = 100.0 * (row(number, change, 1.0 + asked.by) / base - 1.0)
        print(f"train {number}: change in per cent of each entry for {100 * asked.by:g} % more of each datum")
        print(pandas.DataFrame(table, index=names).T.round(1).to_string(), flush=True)


if __name__ == "__main__":
    main()
