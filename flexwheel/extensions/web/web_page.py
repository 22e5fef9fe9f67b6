"""One HTML page of a run: what moves once as rows, shapes once, scripts inside; it asks nothing of a network."""

import html
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS, PICTURES, VEHICLE, Page, ViewOptions
from flexwheel.base.output_files import output_folder, write_whole
from flexwheel.extensions.web.body_meshes import pack_body_meshes
from flexwheel.extensions.web.marks import control_marks, force_extremes, pack_recovered, surface_errors, valid_bands
from flexwheel.extensions.web.motions import pack_motions
from flexwheel.extensions.web.packing import Packer
from flexwheel.extensions.web.page_scene import PageScene
from flexwheel.extensions.web.strip_pressures import pack_strips
from flexwheel.extensions.web.surface_tables import largest_stress, near_running_surface, pack_surface
from flexwheel.extensions.web.time_tracks import chosen_rows, flexible_fields, has_modes, pack_track, wheels_of
from flexwheel.extensions.web.vehicle_parts import vehicle_parts
from flexwheel.results.check_results import require_variables
from flexwheel.results.evaluate.load_spread import spread_nodes
from flexwheel.results.evaluate.result_bounds import SLIVER
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import body_and_surface

FOLDER = Path(__file__).with_name("page")
SCRIPTS = ("unpack", "field", "drawing", "scene", "stage", "picking", "charts", "gif", "film", "panel", "start")
INSTANTS = 250  # at which the largest stress of every node is sought
TOP, APART = 8, 0.08  # hot spots, and how far from each other they are at least [m]
PLAIN = ViewOptions()
NEEDED = ("body_position", "body_angle", "wheel_force")


def make_page(datasets, path, say, options):
    """Write the page of a run, others beside it; returns the files made.

    Parameters
    ----------
    datasets : of Dataset       the run, and those it is compared with
    path : Path                 of the page
    say : callable(str)
    options : ViewOptions       time_s: middle of the half second of all samples; samples: at most, without it

    Raises
    ------
    ScenarioError   results of another kind, or without samples or the place of the bodies
    """
    shown = [one for results in datasets for one in _runs(results)]
    return page_of_scenes(shown, path, say, options)


def page_of_scenes(shown, path, say, options=PLAIN):
    """Write the page of (name, PageScene) beside each other, bodies coloured alike; returns the files made."""
    apart = next((name for name, one in shown if _colours(one) != _colours(shown[0][1])), None)
    if apart is not None:
        raise ScenarioError(
            f"--against: {apart} and {shown[0][0]} have no page together: their bodies have different quantities"
        )
    packer, head = Packer(), {"runs": [], "surfaces": {}}
    head["bodies"] = pack_body_meshes(packer, options.body, shown, say)
    for number, (name, scene) in enumerate(shown):
        key, time = f"run{number}", scene.results.time.values
        if number:  # the half second of the first run, or that of this one nearest to it
            options = replace(options, time_s=float(np.clip(head["runs"][0]["middle"], time[0], time[-1])))
        head["runs"].append({"key": key, "name": name} | _run(packer, head["surfaces"], scene, key, say, options))
    first = shown[0][1].results
    head["title"] = str(first.attrs.get("title", "") or "flexwheel")
    head["source"] = str(first.attrs.get("source", ""))
    return write_page(head, packer, path, say)


def _colours(scene):
    return [colour.name for colour in scene.colours]


def write_page(head, packer, path, say=lambda line: None):
    """Write a page of what the scripts must know (for JSON) and the arrays of a Packer; returns the files made."""
    text = _filled(head | {"arrays": packer.entries}, packer.text())
    path = Path(path)
    output_folder(path.parent)
    write_whole(path, lambda target: target.write_text(text, encoding="utf-8"))
    say(f"{path}: {len(text) / 1e6:.1f} MB, opens in a browser without a network")
    return [path]


def _runs(results):
    """[(name, PageScene)] of what stands beside each other: a run, or what its kind makes of it."""
    kind = str(results.attrs.get("kind", VEHICLE))
    scenes = PICTURES[kind].scenes if kind in PICTURES else None
    if scenes is None and kind != VEHICLE:
        known = ", ".join(repr(k) for k in (VEHICLE, *(k for k, p in PICTURES.items() if p.scenes)))
        raise ScenarioError(f"view --web: results must be of kind {known}, got {kind!r}; draw them without --web")
    if results.sizes["time"] < 2:
        raise ScenarioError(f"view --web: results must have 2 samples or more, got {results.sizes['time']}")
    source = results.encoding.get("source")
    name = Path(source).parent.name if source else str(results.attrs.get("title", ""))
    if scenes is not None:
        return [(", ".join(filter(None, (name, one.name))), one) for one in scenes(results)]
    require_variables(results, "view --web", NEEDED)
    return [(name, PageScene("", results))]


def _run(packer, surfaces, scene, key, say, options):
    """What a page must know of one run; its arrays go to the Packer."""
    results = scene.results
    time, kind = results.time.values, str(results.attrs.get("kind", VEHICLE))
    wheelsets = [str(name) for name in results.wheelset.values]
    run = {
        "title": str(results.attrs.get("title", "")),
        "flexible": {},
        "tracks": [],
        "hot": [],
        "notes": [],
        "rest": scene.rest,
        "sliver": SLIVER,
    }
    run |= {"complete": bool(results.attrs.get("complete", True)), "status": str(results.attrs.get("status", ""))}
    run["bodies"] = [str(name) for name in results.body.values]
    run["wheels"] = [name for wheelset in wheelsets for name in wheels_of(wheelset)]
    run["colours"] = [{"name": c.name, "label": c.label, "unit": c.unit, "factor": c.factor} for c in scene.colours]
    run["extremes"] = [{"text": text, "time": at} for text, at in scene.extremes]
    run["extremes"] += [] if scene.rest else force_extremes(results)
    scenario = parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"), kinds=(kind,))
    run["parts"] = scene.parts or vehicle_parts(scenario, wheelsets)
    steady = kind not in KINDS or KINDS[kind].constant_speed
    steady = steady and not getattr(scenario.run, "speed_profile_s_kmh", ())
    run["speed"] = float(scenario.run.speed_kmh) if steady else None
    if scene.line is not None:
        packer.add(f"{key}/line", scene.line.T)
    if scene.note:
        run["notes"].append(scene.note)
    named = [str(name) for name in results.flexible.values] if "flexible" in results.coords else []
    flexible = named if scene.rest or has_modes(results) else []
    if named and not flexible:
        run["notes"].append("modal coordinates were not stored: wheelsets are drawn rigid")
        say(run["notes"][-1])
    if bending := [name for name in getattr(scenario, "body", ()) if name in run["bodies"]]:
        run["notes"].append(f"{', '.join(bending)}: flexible, drawn where its floating frame is, without deformation")
        say(run["notes"][-1])
    run["valid"], bodies, near, wanted = valid_bands(results), {}, {}, options.time_s
    for wheelset in flexible:
        section = scenario.wheelset[wheelset]
        body, surface = body_and_surface(wheelset, section, scenario.accept, say)
        spinning = bool(np.any(surface.order < 0))
        standing = section.residual == "static" and not spinning and surface.load_displacement is not None
        standing = standing and not scene.rest
        bodies[wheelset] = body, surface, standing
        near[wheelset] = set(surface.node_id[near_running_surface(surface, body)].tolist())
        if scene.rest:
            surface = replace(surface, stress_rows=None, load_displacement=None, load_stress=None, prestress=None)
        elif not standing:
            why = "its mesh turns and is not of revolution" if spinning else "without static residual"
            run["notes"].append(f"wheelset {wheelset}: displacement and stress of its modes only, {why}")
            say(run["notes"][-1])
        if surface.key not in surfaces:
            spread = None if spinning else spread_nodes(surface, body.treads, body.centre)
            errors = None if scene.rest else surface_errors(results, wheelset, surface.node_id)
            more = () if errors is None else [("error", errors, "<f4")]
            surfaces[surface.key] = pack_surface(packer, surface.key, surface, body, spread, more)
        run["flexible"][wheelset] = {"surface": surface.key, "spinning": spinning, "standing": standing}
        run["flexible"][wheelset]["centre"] = [round(float(x), 6) for x in body.centre]
        if surface.stress_rows is not None:
            spots = _hot_spots(results, wheelset, body, surface, standing)
            run["hot"] += spots
            wanted = spots[0]["time"] if wanted is None and spots else wanted
    motions = scene.motions
    if options.motions:
        make = PICTURES[kind].motions if kind in PICTURES else None
        if make is None:
            raise ScenarioError(f"view --motions: results of kind {kind!r} have no linear vehicle")
        motions = make(results, say)
    still = [name for name, (_, surface, _) in bodies.items() if np.any(surface.order < 0)]
    rows = {name: surface.rows for name, (_, surface, _) in bodies.items() if name not in still}
    if motions and still:
        run["notes"].append(
            f"{', '.join(still)}: not of revolution, drawn without deformation in motions of the vehicle"
        )
    run["motions"] = pack_motions(packer, key, motions, run["bodies"], rows)
    wanted = float(time[len(time) // 2]) if wanted is None else wanted
    if not time[0] <= wanted <= time[-1]:
        raise ScenarioError(f"--time-s {wanted:g}: the run goes from {time[0]:g} to {time[-1]:g} s")
    run["middle"], tracks = wanted, chosen_rows(time, wanted, options.samples)
    run["control"] = control_marks(results, near)
    named_rows = [(f"track{number}", rows) for number, (_, rows) in enumerate(tracks)]
    run["strips"] = None if scene.rest else pack_strips(packer, key, results, scenario, named_rows, run)
    for number, (label, rows) in enumerate(tracks):
        fields = {
            name: (np.zeros((len(rows), len(body.frequency_hz))), None) if scene.rest
            else flexible_fields(results, rows, name, body, standing)
            for name, (body, _, standing) in bodies.items()
        }  # fmt: skip
        run["tracks"].append(pack_track(packer, f"{key}/track{number}", results, rows, label, fields))
        pack_recovered(packer, f"{key}/track{number}", results, rows, run["control"])
        for colour in scene.colours:
            packer.add_rows(f"{key}/track{number}/{colour.name}", colour.values[rows].T)
    return run


def _hot_spots(results, wheelset, body, surface, standing):
    """Nodes of the largest von Mises stress at INSTANTS, APART from each other, those under the load left out."""
    count = results.sizes["time"]
    rows = np.unique(np.linspace(0.1 * count, count - 1, min(count, INSTANTS)).astype(int))
    stress, sample = largest_stress(surface, *flexible_fields(results, rows, wheelset, body, standing))
    if not np.any(surface.order < 0):
        stress = np.where(spread_nodes(surface, body.treads, body.centre), -1.0, stress)
    found, places = [], np.empty((0, 3))
    for k in np.argsort(-stress):
        if len(found) == TOP or stress[k] <= 0.0:
            break
        if np.all(np.linalg.norm(places - surface.position[k], axis=1) >= APART):
            places = np.vstack([places, surface.position[k]])
            spot = {"wheelset": wheelset, "node": int(surface.node_id[k]), "von_mises": float(stress[k])}
            found.append(spot | {"time": float(results.time[rows[sample[k]]])})
    return found


def _filled(head, blob):
    """Text of the page: its frame with style, scripts and data."""
    read = lambda name: (FOLDER / name).read_text(encoding="utf-8")  # noqa: E731
    scripts = "\n".join(read(f"{name}.js") for name in SCRIPTS)
    parts = {
        "TITLE": html.escape(f"{head['title']} - flexwheel"), "STYLE": read("page.css"), "SCRIPTS": scripts,
        "HEAD": json.dumps(head).replace("<", "\\u003c"), "DATA": blob,
    }  # fmt: skip
    text = read("page.html")
    for name, value in parts.items():
        text = text.replace(f"@{name}@", value, 1)
    return text


PAGE = Page("web", make_page, (".html",), ("against", "time_s", "motions", "body", "samples"), page_of_scenes)
