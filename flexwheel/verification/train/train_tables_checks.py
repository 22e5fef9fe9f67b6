"""Trains 2 and 4 in the three ways of paper 002, beside its tables 1 and 2.

The benchmark's vehicles, couplers, route and driving are not public and the shipped ones are open stand-ins, so that
the paper's figures stand beside ours without a verdict. What the paper claims of its three ways is judged: they agree.
"""

from dataclasses import replace

import numpy as np

from flexwheel.base.shipped import EXAMPLES
from flexwheel.systems.train.results import benchmark_row
from flexwheel.systems.train.simulate_train import paper_bodies, simulate, simulate_bodies, simulate_with_elements
from flexwheel.systems.train.train_run import read_train_scenario
from flexwheel.verification import norms
from flexwheel.verification.check_registry import check, claim, distance, information, row

COLUMNS = (
    ("largest speed", "speed_max", "km/h"), ("mean speed", "speed_mean", "km/h"),
    ("largest draft", "draft", "kN"), ("coupler of the largest draft", "draft_at", ""),
    ("largest buff", "buff", "kN"), ("coupler of the largest buff", "buff_at", ""),
    ("mean of the largest draft", "draft_mean", "kN"), ("mean of the largest buff", "buff_mean", "kN"),
    ("reference coupler, draft", "deflection_draft", "mm"), ("reference coupler, buff", "deflection_buff", "mm"),
)  # fmt: skip
PAPER = {  # tables 1 and 2, LTDPoliTo; the ways there differ by 0.4 % in the largest force, 0.05 % in speed
    2: (89.44, 64.56, 772.0, 54, 407.0, 54, 459.0, 264.0, 89.3, 48.0),
    4: (81.81, 45.00, 1309.0, 123, 866.0, 122, 946.0, 501.0, 161.7, 96.2),
}
REAR_BODIES = {2: 1, 4: 2}  # of each rake, as the paper cuts its trains


@check(
    "Trains 2 and 4: tables 1 and 2 of paper 002", slow=True,
    ground=claim("paper 002: three ways, same couplers, forces within 0.4 %; 0.5 % and speeds 0.1 % set beforehand"),
)  # fmt: skip
def tables():
    """Train by itself, force elements, one body per vehicle; the paper's row beside that of the train by itself."""
    rows = []
    for number, paper in PAPER.items():
        scenario = read_train_scenario(EXAMPLES / f"train_{number}.toml")
        run = replace(scenario.run, account=False)
        results = {
            "alone": simulate(run),
            "force elements": simulate_with_elements(run, paper_bodies(run.train, REAR_BODIES[number])),
            "one body per vehicle": simulate_bodies(run),
        }
        made = {name: benchmark_row(found, scenario.deflection_coupler) for name, found in results.items()}
        for name, found in made.items():
            way, source = ("", "paper 002, other data") if name == "alone" else (f", {name}", "")
            for (text, key, unit), theirs in zip(COLUMNS, paper if source else [None] * len(paper), strict=True):
                rows.append(information(f"train {number}{way}: {text}", getattr(found, key), unit, source, theirs))
        for name in list(made)[1:]:
            start, pair = f"train {number}, {name} against alone", (made[name], made["alone"])
            for key in ("draft", "buff"):
                text = f"{start}: largest {key}"
                rows.append(row(text, *(getattr(r, key) for r in pair), "kN", 0.005, source="train alone"))
                text = f"{start}: coupler of the largest {key}"
                rows.append(row(text, *(getattr(r, f"{key}_at") for r in pair), "", absolute=0.0, source="train alone"))
            speeds = [[r.speed_max, r.speed_mean] for r in pair]
            text = f"{start}: largest and mean speed"
            rows.append(distance(text, *np.array(speeds), 0.1, "%", "train alone", norms.each, 100.0))
    return rows
