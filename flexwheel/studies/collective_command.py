"""flexwheel collective FILE: fatigue of nodes under a mix of runs weighed by kilometres."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = ("flexwheel collective collective.toml",)


def command(
    file: Annotated[str, typer.Argument(help="Collective in TOML: runs, kilometres, nodes, grade.", metavar="FILE")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Fatigue of nodes under a mix of runs, each weighed by the kilometres it stands for (docs/strength.md).

    Utilisations as of `flexwheel fatigue` over all runs; damage per kilometre of the mix, its upper bound at the
    confidence of the file from the scatter of ten stretches of each run, life in km. Less than 1 km of runs, or one
    run, gives a comparison without a life. With `service_km` the verdict has the damage over it as well (open where its
    bound passes 1), and the largest amplitude of the service is extrapolated. JSON keys: way_m, ways_m, shares,
    comparison, confidence, limits, slope, knee_cycles, nodes ([{as fatigue, damage_of_runs, damage_bound_per_km,
    life_km, life_bound_km, damage_of_service, damage_bound_of_service, utilisation_of_service,
    utilisation_bound_of_service, verdict_of_stress, verdict_of_damage}]), unfinished ([text]: runs that were stopped).
    """
    from flexwheel.assess.collective import judge_collective, read_collective
    from flexwheel.assess.commands.fatigue_command import nominal_words
    from flexwheel.assess.node_fatigue import press_fit_words
    from flexwheel.run.progress import progress

    collective = read_collective(file)
    with progress("collective") as report:
        found = judge_collective(collective, lambda line: report(0.0, line))
    for item in found["nodes"]:
        del item["cycles"]
    if as_json:
        print(json.dumps(found))
        return
    lines = list(found["limits"])
    for folder, share, way in zip(collective.folders, found["shares"], found["ways_m"], strict=True):
        lines.append(f"{100.0 * share:6.2f} % of the way: {folder}, {way:.1f} m")
    lines.append(f"Woehler curve {found['knee_cycles']:g} cycles at the permissible stress, slope {found['slope']:g}")
    lines += [f"INCOMPLETE RUN {words}: the damage per km is that of the part before" for words in found["unfinished"]]
    if found["comparison"]:
        lines.append(found["comparison"])
    bound = f"bound {100.0 * found['confidence']:g} %"
    heads = (
        "node",
        "zone",
        "utilisation",
        "verdict",
        "K nom [MPa]",
        "peak/K nom",
        "Dang Van",
        "damage/km",
        bound,
        "life [km]",
        bound,
    )
    lines.append("".join(f"{head:>12}" for head in heads))
    for item in found["nodes"]:
        lives = ("-" if item[x] is None else f"{item[x]:.3g}" for x in ("life_km", "life_bound_km"))
        lines.append(
            f"{item['node']:12d}{item['zone']:>12}{item['utilisation']:12.3f}{item['verdict']:>12}"
            f"{nominal_words(item)}{item['dang_van']:12.3f}{item['damage_per_km']:12.3g}{item['damage_bound_per_km']:12.3g}"
            f"{''.join(f'{life:>12}' for life in lives)}  {item['mark']}".rstrip()
        )
    lines += press_fit_words(found["nodes"])
    if "damage_of_service" in found["nodes"][0]:
        km = collective.data["service_km"]
        for item in found["nodes"]:
            whole, most = item["damage_of_service"], item["damage_bound_of_service"]
            names = "utilisation_of_service", "utilisation_bound_of_service"
            far = ["-" if item[name] is None else f"{item[name]:.3g}" for name in names]
            lines.append(
                f"node {item['node']}: damage over {km:g} km {whole:.3g}, {bound} {most:.3g}; utilisation by its "
                f"largest amplitude, extrapolated, {far[0]}, {bound} {far[1]}"
            )
    print("\n".join(lines))


COMMAND = Command("collective", command, TOPIC, EXAMPLES)
