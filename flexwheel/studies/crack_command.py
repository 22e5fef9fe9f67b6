"""flexwheel crack FILE: growth of a surface crack over the kilometres, and the inspection interval."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = ("flexwheel crack crack.toml",)
LINES = 12  # of the table that is printed
NOTED = 0.05  # of the elastic factor, off 1


def command(
    file: Annotated[str, typer.Argument(help="Bar, crack, material and load in TOML.", metavar="FILE")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Growth of a semi-elliptical surface crack across a bar under a load collective (docs/strength.md).

    Depth and length over the kilometres by the law of the file (paris, forman, nasgro), from the crack that is found
    for sure to the toughness; the life over `inspections` is the interval. Constants of the material are the user's,
    with their source. JSON keys: km, depth_m, half_length_m, largest_k_pa_sqrt_m, grows, end, life_km, interval_km,
    comparison, law, elastic_factor, source, factors.
    """
    from flexwheel.studies.crack_file import read_crack
    from flexwheel.studies.crack_growth import grow

    asked = read_crack(file)
    blocks, comparison, shape = _load(asked, as_json)
    crack = grow(asked.diameter, asked.start, asked.end, blocks, asked.law, asked.material, asked.factors)
    life = float(crack.km[-1]) if crack.grows and not comparison else None
    interval = life / asked.inspections if life is not None and asked.inspections else None
    if as_json:
        found = {
            "km": crack.km.tolist(), "depth_m": crack.depth.tolist(), "half_length_m": crack.half_length.tolist(),
            "largest_k_pa_sqrt_m": (1e6 * crack.largest).tolist(), "grows": crack.grows, "end": crack.why,
            "life_km": life, "interval_km": interval, "comparison": comparison, "law": asked.law,
            "elastic_factor": shape,
            "source": asked.material["source"], "factors": asked.factors.source,
        }  # fmt: skip
        print(json.dumps(found))
        return
    print("\n".join([*_lines(asked, crack, life, interval, comparison), *_of_shape(asked, shape)]))


def _load(asked, quiet):
    """(b, 3) range, mean [MPa], cycles per km; why no life is formed; elastic factor of the node, None without."""
    import numpy as np

    from flexwheel.assess.collective import judge_collective, read_collective
    from flexwheel.base.errors import ScenarioError
    from flexwheel.run.progress import progress

    if asked.collective is None:
        return asked.blocks, "", None
    collective = read_collective(asked.collective)
    if asked.node not in collective.data["nodes"]:
        raise ScenarioError(f"{asked.collective}: nodes must have node {asked.node}, which the crack is at")
    with progress("collective", not quiet) as report:
        found = judge_collective(collective, lambda line: report(0.0, line))
    (item,) = (item for item in found["nodes"] if item["node"] == asked.node)
    if not len(item["cycles"]):
        raise ScenarioError(f"{asked.collective}: node {asked.node} has no whole cycle in these runs; take longer ones")
    factor = item["elastic_factor"]
    unit = 1e-6 * (factor or 1.0)
    return item["cycles"] * np.array([unit, unit, 1.0]), found["comparison"], factor


def _of_shape(asked, factor):
    """What a mesh's stress at a notch or seat means for a crack, which leaves it as it grows."""
    if factor is not None and abs(factor - 1.0) > NOTED:
        yield (
            f"warning: at node {asked.node} the mesh has {factor:.3g} times K times the nominal stress; this local "
            "stress was taken at all depths, and Y is that of a bar"
        )


def _lines(asked, crack, life, interval, comparison):
    of = ", ".join(f"{key} {value:g}" for key, value in asked.material.items() if key not in ("law", "source"))
    yield f"law {asked.law}: {of}; source: {asked.material['source']}"
    yield f"factors Y: {asked.factors.source}"
    if len(asked.blocks):
        top, many = float(asked.blocks[:, 0].max()) / 2.0, float(asked.blocks[:, 2].sum())
        yield f"load: amplitude to {top:g} MPa, {many:g} cycles a km in all (an axle turns 300 to 400 times a km)"
    yield f"{'km':>12}{'depth [mm]':>12}{'2c [mm]':>12}{'a/c':>8}{'K [MPa m^0.5]':>15}"
    for k in range(LINES) if len(crack.km) > LINES else range(len(crack.km)):
        row = k if len(crack.km) <= LINES else round(k * (len(crack.km) - 1) / (LINES - 1))
        a, c = crack.depth[row], crack.half_length[row]
        yield f"{crack.km[row]:12.5g}{1e3 * a:12.3f}{2e3 * c:12.3f}{a / c:8.3f}{crack.largest[row]:15.2f}"
    yield f"ends: {crack.why}"
    if (crack.depth > crack.half_length * (1.0 + 1e-9)).any():
        yield "warning: deeper than half its length: factors of a/c = 1 were taken there"
    if comparison:
        yield comparison
    if life is not None:
        yield f"life from {1e3 * asked.start[0]:g} mm: {life:.4g} km"
    if interval is not None:
        yield f"inspection interval: {interval:.4g} km ({asked.inspections} inspections within the life)"


COMMAND = Command("crack", command, TOPIC, EXAMPLES)
