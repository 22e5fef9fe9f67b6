"""flexwheel stress DIR: largest stress of the whole wheelset over a run, and the tensor at any node."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

HEAD = (
    ("node", 13), ("y [m]", 10), ("r [m]", 9), ("von Mises [MPa]", 17), ("at [s]", 10), ("tension", 10), ("compr.", 10),
    ("mesh error", 12),
)  # fmt: skip
HEAD_OF_SUBMODELS = ("submodel [MPa]", 16), ("last split", 12)
TOPIC = "judge"
EXAMPLES = (
    "flexwheel stress out/as4",
    "flexwheel stress out/as4 --point fixed --json",
    "flexwheel stress out/as4 --submodel --top 5",
)


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    wheelset: Annotated[str | None, typer.Option("--wheelset", help="Name; default: the first flexible one.")] = None,
    point: Annotated[
        str, typer.Option("--point", help="rotating: points of the wheelset; fixed: points fixed in space.")
    ] = "rotating",
    node: Annotated[
        list[int] | None,
        typer.Option("--node", help="Stress tensor over time at this node id instead; may be repeated."),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, max=200, help="Hot spots listed.")] = 15,
    spread_nodes: Annotated[
        bool, typer.Option("--spread-nodes", help="Rank also the nodes over which the contact force is spread.")
    ] = False,
    submodel: Annotated[
        bool, typer.Option("--submodel", help="Stress of the nodes listed also from split elements around them.")
    ] = False,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder of files; default DIR/stress.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Largest stress of every surface node of a wheelset over all samples of a run.

    Writes stress.nc and pictures; with --node, nodes.nc with displacement and stress tensor (rotating and
    fixed, section axes) there. Names of files end in the wheelset where it is not the first flexible one, and in _fixed
    for fixed points. JSON keys: wheelset, point, hot_spots ([{node, position_m, radius_m,
    von_mises_pa, von_mises_time_s, tension_pa, compression_pa, stress_error,
    corner_deg}]), nodes (the same figures of --node), files; with --submodel each spot also
    submodel_von_mises_pa, submodel_error, submodel_change.
    """
    from pathlib import Path

    from flexwheel.assess.surface_stress import StressOfRun, hot_spots, stress_envelope, submodel_figures
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_folder
    from flexwheel.results.files import write_results
    from flexwheel.run.progress import progress

    if point not in ("rotating", "fixed"):
        raise ScenarioError(f"--point must be rotating or fixed, got {point}")
    place = Path(folder)
    base = place if place.is_dir() else place.parent
    with progress("stress") as report:
        run = StressOfRun(folder, wheelset, lambda line: report(0.0, line))
        target = output_folder(out if out is not None else base / "stress")
        if node:
            dataset = run.at_nodes(node, submodel=False)
            listed, files = _at_nodes(dataset, point), [target / f"nodes{run.ending}.nc"]
        else:
            dataset = stress_envelope(run, point, report)
            ending = run.ending + ("_fixed" if point == "fixed" else "")
            rows = hot_spots(dataset, top, with_spread=spread_nodes)
            listed, files = [_spot(dataset, row) for row in rows], [target / f"stress{ending}.nc"]
        write_results(dataset, files[0])
        if submodel:
            report(0.0, "submodels")
            off_axle = [spot for spot in listed if spot.get("radius_m", 1.0) > 0.0]
            figures = submodel_figures(run, [spot["node"] for spot in off_axle], point)
            for spot, figure in zip(off_axle, figures, strict=True):
                spot |= figure
        if not node:
            files += _draw(dataset, rows, spread_nodes, target, ending)
    if as_json:
        kind = "nodes" if node else "hot_spots"
        plain = {"wheelset": run.wheelset, "point": point, kind: listed, "files": [str(name) for name in files]}
        print(json.dumps(plain))
    else:
        head = f"wheelset {run.wheelset}, {point} points, whole run with its start"
        print("\n".join([head, *_lines(listed), *(f"file: {name}" for name in files)]))


def _draw(envelope, rows, spread_nodes, target, ending=""):
    from flexwheel.assess.figures import scenes
    from flexwheel.assess.figures.rendering import RenderingError, require_rendering
    from flexwheel.assess.figures.stress_figures import envelope_figure
    from flexwheel.assess.figures.style import footer_of, save_figure
    from flexwheel.assess.surface_stress import shape_of

    footer, figure = footer_of(envelope.attrs), envelope_figure(envelope, rows[:8], with_spread=spread_nodes)
    files = [save_figure(figure, target / f"stress{ending}.png", footer=footer)]
    try:
        require_rendering()
    except RenderingError:
        return files
    hidden = None if spread_nodes else envelope.load_spread.values == 1
    title = f"wheelset {envelope.attrs['wheelset']}: largest von Mises stress, {envelope.attrs['point']} points"
    files.append(target / f"stress{ending}_3d.png")
    scenes.envelope_scene(shape_of(envelope), envelope.von_mises.values, files[-1], title, hidden, footer)
    return files


def _spot(envelope, row):
    import numpy as np

    from flexwheel.results.evaluate.stress_marks import plain_marks

    at = envelope.isel(node=row)
    x, y, z = at.position.values.tolist()
    plain = lambda value: None if np.isnan(value) else float(value)  # noqa: E731
    return {
        "node": int(at.node_id), "position_m": [x, y, z], "radius_m": float(np.hypot(x, z)),
        "von_mises_pa": plain(at.von_mises), "von_mises_time_s": plain(at.von_mises_time),
        "tension_pa": plain(at.tension), "compression_pa": plain(at.compression),
        **plain_marks(float(at.stress_error), float(at.stress_corner)),
    }  # fmt: skip


def _at_nodes(dataset, point):
    import numpy as np

    from flexwheel.assess.evaluate.surface_stress_field import principal_stresses
    from flexwheel.results.evaluate.stress_marks import plain_marks

    listed = []
    for k, node in enumerate(dataset.control_node_id.values):
        at = dataset.isel(control_node=k).sel(point=point)
        principal, worst = principal_stresses(at.stress.values), int(np.nanargmax(at.von_mises.values))
        listed.append(
            {
                "node": int(node), "von_mises_pa": float(at.von_mises[worst]),
                "von_mises_time_s": float(dataset.time[worst]), "tension_pa": float(np.nanmax(principal[:, 2])),
                "compression_pa": float(np.nanmin(principal[:, 0])),
                **plain_marks(float(at.stress_error), float(at.stress_corner)),
            }
        )  # fmt: skip
    return listed


def _lines(listed):
    from flexwheel.body.reduced_body import MARKED

    fine = any("submodel_error" in spot for spot in listed)
    yield "".join(f"{head:>{width}}" for head, width in HEAD + (HEAD_OF_SUBMODELS if fine else ()))
    show = lambda value: "-" if value is None else f"{value / 1e6:.2f}"  # noqa: E731
    for number, spot in enumerate(listed, 1):
        place = f"{spot['position_m'][1]:9.4f} {spot['radius_m']:8.4f}" if "position_m" in spot else " " * 18
        yield (
            f"{number:3d} {spot['node']:9d} {place} {spot['von_mises_pa'] / 1e6:16.2f} "
            f"{spot['von_mises_time_s']:9.4f} {show(spot['tension_pa']):>9} {show(spot['compression_pa']):>9}"
            f"{_error(spot, MARKED)}{_submodel(spot, MARKED) if fine else ''}"
        )
    if any(
        (spot.get("submodel_error") or spot["stress_error"] or 0.0) > MARKED or spot["corner_deg"] for spot in listed
    ):
        yield f"!: the mesh does not hold the stress to {100 * MARKED:g} %; corner: no radius, so that it has no limit"
    if any((spot.get("submodel_change") or 0.0) > MARKED for spot in listed):
        yield f"no limit: splitting the elements once more changed the stress by more than {100 * MARKED:g} %"


def _submodel(spot, limit):
    if spot.get("submodel_error") is None:
        return f"{'-':>16}{'-':>12}"
    change = spot["submodel_change"]
    last = "no limit !" if change > limit or spot["corner_deg"] else f"{100 * change:.2g} %"
    return f"{spot['submodel_von_mises_pa'] / 1e6:16.2f}{last:>12}"


def _error(spot, limit):
    error = spot.get("submodel_error") or spot["stress_error"]
    text = "" if error is None else f"{100 * error:.2g} %"
    return f"{'corner !' if spot['corner_deg'] else text + ' !' * ((error or 0.0) > limit):>12}"


COMMAND = Command("stress", command, TOPIC, EXAMPLES)
