"""All pictures of a run, by name; each is made on its own, so that one that fails leaves the others."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.assess.convergence import SIGNALS, band_factor, read_convergence, signal_name
from flexwheel.assess.evaluate.contact_marks import marks_of_samples, rails_seen
from flexwheel.assess.evaluate.contact_strips import PATCH_NAMES
from flexwheel.assess.evaluate.strips_of_run import strip_finder, wheel_profiles
from flexwheel.assess.evaluate.track_sections import track_sections
from flexwheel.assess.figures import (
    contact_figures,
    control_node_figures,
    force_figures,
    scenes,
    time_series,
    track_figures,
)
from flexwheel.assess.figures.film import MISSING, has_ffmpeg
from flexwheel.assess.figures.rendering import RenderingError, rendering_problem, require_rendering
from flexwheel.assess.figures.style import footer_of, save_figure, shade
from flexwheel.base.cache_root import cache_root
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.kind import PICTURES, VEHICLE
from flexwheel.base.output_files import file_stem
from flexwheel.base.variables import SIDES
from flexwheel.body.body_cache import ENDINGS, load
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.body.surface import SurfaceModes
from flexwheel.results.check_results import require_variables
from flexwheel.results.evaluate.control_nodes import standing_loads
from flexwheel.results.evaluate.en14363 import safety_quantities
from flexwheel.results.evaluate.histories import wheelset_history
from flexwheel.results.evaluate.load_spread import spread_nodes
from flexwheel.results.evaluate.mode_turning import mode_turning, turned
from flexwheel.results.evaluate.span import settled
from flexwheel.run.build.build_track import build_layout
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import body_and_surface

MODE_PICTURES = 12
FRAMES = 36
PARAVIEW_TIMES = 20
RAIL_NAMES = ("irregularity", "rail_displacement", "rail_roll")  # that a picture of the rails needs
COMPARED = ("radial_displacement", "von_mises", "absolute_acceleration")
IN_SCENES = ("body_position", "body_angular_velocity", "von_mises")
DRAWN = (
    *COMPARED, "body_position", "body_angular_velocity", "irregularity", "wheel_force", "coupler_force",
    "check_rail_gap", "patch_y_rail", "patch_normal_force", "patch_area", "patch_peak_pressure",
)  # fmt: skip
"""Histories that more than one picture draws: curves of several runs, scenes, all."""
MARKED = ("body_angle", "body_position")  # that marks on a wheelset need besides its patches


class PictureBook:
    """Draws the pictures of one run, and its curves beside those of others, into a folder."""

    def __init__(self, results, folder, say=print, spread_nodes=False, keys=None):
        """results: Dataset; folder: Path; say: told of what is left out; spread_nodes: whether nodes over which the
        contact force is spread are coloured by their stress as well; keys: wheelset -> key of its reduced body in the
        cache, where it is known, so that its mesh need not be read."""
        self.folder, self.say, self.results, self._names = Path(folder), say, results, {}
        if not str(results.attrs.get("scenario", "")).strip():
            raise ScenarioError("results without their scenario (attribute `scenario`): nothing to draw from")
        self.scenario = parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"))
        self.footer = footer_of(results.attrs)
        self.made, self.spread_nodes, self._keys = [], spread_nodes, keys or {}
        self._reduced, self._placed, self._find = {}, None, None

    def figures(self):
        """Figures 14 to 16 of the paper, forces, safety, contact."""
        results, run = self.results, self.scenario.run
        end = float(results.body_position.sel(body=str(results.wheelset.values[0]), path="s")[-1])
        layout = build_layout(self.scenario.track, self.scenario.contact.gauge_mm)
        self._figure("track_layout", track_figures.layout_figure, layout, run.start_position_m, end)
        self._figure("track_irregularities", track_figures.irregularity_figure, results, along="place")
        safety = None
        with suppress(FlexwheelError):  # the figures say why they are left out
            safety = safety_quantities(results)
        self._figure("forces", force_figures.force_figure, results, safety, along="place")
        self._figure("safety_en14363", force_figures.safety_figure, results, safety, along="place")
        body, wheel = str(results.body.values[0]), str(results.wheel.values[0])
        self._figure(f"lateral_displacement_{body}", force_figures.body_lateral_figure, results, body, along="time")
        for force in ("Q", "Y"):
            name = f"{force}_{wheel.replace(' ', '_')}"
            self._figure(name, force_figures.wheel_force_figure, results, wheel, force, safety, along="time")
        if "check_rail_gap" in results:
            self._figure("check_rails", force_figures.check_rail_figure, results, along="place")
        if "coupler_force" in results:
            self._figure("couplers", force_figures.coupler_figure, results, safety, along="time")
        self._figure("force_third_octaves", force_figures.force_spectrum_figure, results)
        for wheelset in map(str, results.wheelset.values):
            self._figure(
                f"contact_patches_{wheelset}", contact_figures.patch_history_figure, results, wheelset, along="place"
            )
            time_s = self.chosen_time(wheelset)
            name, figure = f"contact_pressure_{wheelset}", contact_figures.pressure_figure
            self._figure(name, figure, results, time_s, wheelset, self._strips(wheelset, time_s))
        for node, name in self._nodes():
            self._figure(f"control_node_{name}", self._position, node)

    def compared(self, runs, some=slice(None)):
        """Figures 17 to 19 of the paper: curves of some control nodes of runs, name -> Dataset, beside each other."""
        runs = dict(sorted(runs.items(), key=lambda item: not item[0].startswith("Lagrangian")))  # as the paper
        for node, name in self._nodes()[some]:
            of_node = control_node_figures
            self._figure(f"radial_displacement_{name}", of_node.displacement_figure, runs, node, along="time")
            self._figure(f"von_mises_{name}", of_node.stress_figure, runs, node, along="time")
            spectrum, factors = of_node.acceleration_spectrum_figure, self._factors(runs, node)
            self._figure(f"acceleration_{name}", spectrum, runs, node, factors=factors)

    def _nodes(self):
        """Control nodes, and what they are called in names of files."""
        nodes = map(str, self.results.control_node.values) if "control_node" in self.results.coords else ()
        return [(node, node.replace(" ", "_", 1)) for node in nodes]

    def _strips(self, wheelset, time_s):
        """Strips of the patches of both wheels, or why there are none."""
        at = self.results.sel(time=time_s, method="nearest")
        if any(name not in self.results for name in PATCH_NAMES.values()):
            return {}
        self._find = self._find or strip_finder(self.scenario, self._profiles())
        return {side: self._find(at, f"{wheelset} {side}") for side in SIDES}

    def _factors(self, runs, node):
        """Bounds of the run's radial acceleration by convergence.nc beside its results, as the figure takes them."""
        source = self.results.encoding.get("source")
        found = None if source is None else read_convergence(Path(source).parent, self.scenario)
        own = next(name for name, results in runs.items() if results is self.results)
        factors = {}
        for point in ("rotating", "fixed") if found is not None else ():
            signal = signal_name(node, SIGNALS["absolute_acceleration"], point, "z")
            if signal in found.signal.values:
                factors[own, point] = found.band.values, band_factor(found, signal)
        return factors

    def scenes(self, time_s=None, factor=None, frames=FRAMES, report=None):
        """The deformed wheelset at a time, an animation; needs an OpenGL library."""
        report = report or (lambda fraction, note="": None)
        for wheelset in self._flexible() if not rendering_problem() else ():
            surface = self.surface(wheelset)
            report(0.6, "deformed wheelset")
            if self._spinning(wheelset):
                self.say(f"wheelset {wheelset}: stress of its modes only, the mesh spins and is not of revolution")
            self._deformed(wheelset, surface, time_s, factor)
            self._animation(wheelset, surface, time_s, factor, frames, report)

    def shapes(self, report=lambda fraction, note="": None):
        """Mode shapes; needs an OpenGL library, and says so. Of the results it asks for names of wheelsets alone."""
        try:
            require_rendering()
        except RenderingError as error:
            self.say(str(error))
            return
        for wheelset in self._flexible():
            surface = self.surface(wheelset)
            report(0.1, "mode shapes")
            self._shapes(wheelset, "mode", surface.rows, scenes.mode_titles(surface))
            for k, (family, shapes) in enumerate(surface.families.items()):
                report(0.2 + 0.2 * k, f"{family.replace('_', '-')} modes")
                self._shapes(wheelset, family, shapes, scenes.mode_titles(surface, family))

    def _shapes(self, wheelset, family, shapes, titles):
        """Pictures of the first MODE_PICTURES shapes (Ns, 3, K) of a family."""
        surface = self.surface(wheelset)
        edges = scenes.edges(surface)
        with scenes.scene_plotter() as window:
            for k, text in enumerate(titles[:MODE_PICTURES]):
                path, words = self._path(f"{family}_{wheelset}_{k + 1:02d}"), f"wheelset {wheelset}, {text}"
                scenes.mode_scene(surface, shapes[:, :, k], path, words, self.footer, window, edges)
                self.made.append(path)

    def paraview(self, time_s=None):
        """VTKHDF file of one wheel revolution, for each flexible wheelset."""
        for wheelset in self._flexible():
            rows, times, coordinates, loads = self._revolution(wheelset, time_s, PARAVIEW_TIMES)
            path, surface = self._path(f"wheelset_{wheelset}", ".vtkhdf"), self.surface(wheelset)
            hidden, beside = self.hidden(wheelset), self._beside(wheelset, rows, coordinates, loads)
            self.made.append(time_series.write_time_series(surface, coordinates, times, path, loads, hidden, beside))

    def chosen_time(self, wheelset=None):
        """Time of the largest von Mises stress of a wheelset's control nodes after settling, or the middle of the run.

        Nodes on the running surface, over which the contact force is spread, count where there are no others.
        """
        results = self.results
        with suppress(FlexwheelError):  # a run that ends before it settles is drawn from all it has
            results = settled(results)
        nodes = [str(name) for name in results.control_node.values] if "von_mises" in results else []
        mine = np.array([wheelset is None or name.startswith(f"{wheelset} ") for name in nodes], dtype=bool)
        if not mine.any():
            return float(results.time[len(results.time) // 2])
        if "load_spread" in results.coords and np.any(mine & (results.load_spread.values == 0)):
            mine &= results.load_spread.values == 0
        stress = results.von_mises.values[:, mine].reshape(results.sizes["time"], -1)
        return float(results.time[int(np.argmax(np.where(np.isnan(stress), -np.inf, stress).max(axis=1)))])

    def hidden(self, wheelset):
        """(Ns,) bool: surface nodes whose stress is not shown, as the contact force is spread over them; or None."""
        if self.spread_nodes or self._spinning(wheelset):
            return None
        body = self._body(wheelset)
        return spread_nodes(self.surface(wheelset), body.treads, body.centre)

    def _parts(self, wheelset):
        if wheelset not in self._reduced:
            section = self.scenario.wheelset[wheelset]
            self._reduced[wheelset] = _kept(self._keys.get(wheelset), wheelset) or body_and_surface(
                wheelset, section, self.scenario.accept, self.say
            )
        return self._reduced[wheelset]

    def _body(self, wheelset):
        return self._parts(wheelset)[0]

    def surface(self, wheelset):
        """SurfaceModes of a flexible wheelset."""
        return self._parts(wheelset)[1]

    def _flexible(self):
        return [str(name) for name in self.results.flexible.values] if "flexible" in self.results.coords else []

    def _position(self, node):
        wheelset, name = node.split(" ", 1)
        body = self._body(wheelset)
        outline = control_node_figures.section_outline(self.surface(wheelset))
        return control_node_figures.position_figure(body, body.control.name.index(name), outline)

    def _figure(self, name, make, *arguments, along=None, **named):
        """Draw a figure; along: what its axes go along, "place" or "time", so that the track's stretches are shaded."""
        path = self._path(name)
        try:
            figure = make(*arguments, **named)
        except FlexwheelError as error:
            self.say(f"{path.name} left out: {error}")
            return
        if along:
            shade(figure.axes, self._stretches(along))
        self.made.append(save_figure(figure, path, footer=self.footer))

    def _stretches(self, along):
        """Stretches of the track (kind, start, end) [m], or [s] as the leading wheelset passes them."""
        place = self.results.body_position.sel(body=str(self.results.wheelset.values[0]), path="s").values
        parts = [part for part in track_sections(self.scenario) if part.start < place[-1]]
        if along == "place":
            return [(part.kind, part.start, part.end) for part in parts]
        ends = [np.interp((part.start, part.end), place, self.results.time.values) for part in parts]
        return [(part.kind, *pair) for part, pair in zip(parts, ends, strict=True)]

    def _path(self, name, ending=".png"):
        """File of a picture; names that differ get files that differ, whatever characters they are made of."""
        stem = file_stem(name)
        taken = self._names.setdefault(stem + ending, [])
        if name not in taken:
            taken.append(name)
        place = taken.index(name)
        return self.folder / (f"{stem}_{place + 1}{ending}" if place else stem + ending)

    def _fields(self, wheelset, rows):
        """Modal coordinates (F, H) in the non-turning mesh and standing loads (F, K) at samples."""
        surface = self.surface(wheelset)
        history = wheelset_history(self.results.isel(time=rows), wheelset, len(surface.frequency_hz))
        coordinates = history.modal_position
        if history.mode == "lagrangian" and np.all(surface.order >= 0):
            coordinates = turned(mode_turning(self._body(wheelset).generator), coordinates, history.spin)
        static = self.scenario.wheelset[wheelset].residual == "static" and not self._spinning(wheelset)
        return coordinates, standing_loads(history) if static else None

    def _spinning(self, wheelset):
        """Whether the mesh turns in the pictures as well, so that the contact force has no fixed place on it."""
        return bool(np.any(self.surface(wheelset).order < 0))

    def _deformed(self, wheelset, surface, time_s, factor):
        time_s = self.chosen_time(wheelset) if time_s is None else time_s
        row = int(np.argmin(np.abs(self.results.time.values - time_s)))
        coordinates, loads = self._fields(wheelset, [row])
        place = float(self.results.body_position.sel(body=wheelset, path="s")[row])
        title = f"wheelset {wheelset}, t = {float(self.results.time[row]):.4f} s, s = {place:.1f} m"
        path = self._path(f"deformed_{wheelset}")
        load = None if loads is None else loads[0]
        scenes.stress_scene(
            surface, coordinates[0], path, title, load, factor, hidden=self.hidden(wheelset), footer=self.footer,
            marks=self._marks(wheelset, [row], coordinates, loads)[0],
        )  # fmt: skip
        self.made.append(path)

    def _revolution(self, wheelset, time_s, frames):
        """Times, coordinates and loads of one wheel revolution about a time."""
        time = self.results.time.values
        time_s = self.chosen_time(wheelset) if time_s is None else time_s
        rate = float(np.mean(self.results.body_angular_velocity.sel(body=wheelset, rotation="spin")))
        period = 2.0 * np.pi / max(abs(rate), 1e-6)
        start = min(max(time_s - 0.5 * period, time[0]), max(time[-1] - period, time[0]))
        wanted = start + period * np.arange(frames) / frames
        rows = np.unique(np.clip(np.searchsorted(time, wanted), 0, len(time) - 1))
        return rows, time[rows], *self._fields(wheelset, rows)

    def _marks(self, wheelset, rows, coordinates, loads):
        """ContactMarks at samples; None where the mesh turns in the picture, or the run did not store the patches."""
        if self._spinning(wheelset) or any(name not in self.results for name in PATCH_NAMES.values()):
            return [None] * len(rows)
        fields, treads = (self.surface(wheelset), coordinates, loads), self._body(wheelset).treads
        return marks_of_samples(self._samples(rows), wheelset, fields, treads, self._under(wheelset))

    def _under(self, wheelset):
        """Rails for `rails_seen`; None where they change along the track, or their motion was not stored."""
        both = {side: self._profiles()[f"{wheelset} {side}"] for side in SIDES}
        if any(one.along for one in both.values()) or any(name not in self.results for name in RAIL_NAMES):
            return None
        return {side: (one.rail, one.placement.rail_y) for side, one in both.items()}

    def _samples(self, rows):
        """Dataset of the variables that marks and rails need, at samples, in memory."""
        names = [name for name in (*MARKED, *RAIL_NAMES, *PATCH_NAMES.values()) if name in self.results]
        return self.results[names].isel(time=list(rows)).load()

    def _beside(self, wheelset, rows, coordinates, loads):
        """ContactMarks and rails at samples; None where the run did not store what they need."""
        marks, under = self._marks(wheelset, rows, coordinates, loads), self._under(wheelset)
        if marks[0] is None or under is None:
            return None
        some = self._samples(rows)
        return [(mark, rails_seen(some.isel(time=k), wheelset, under)) for k, mark in enumerate(marks)]

    def _profiles(self):
        """PlacedProfiles of each wheel of the run, by its name."""
        self._placed = self._placed or wheel_profiles(self.results, self.scenario)
        return self._placed

    def _animation(self, wheelset, surface, time_s, factor, frames, report):
        rows, times, coordinates, loads = self._revolution(wheelset, time_s, frames)
        path = self._path(f"animation_{wheelset}", ".gif")
        titles = [f"wheelset {wheelset}, t = {t:.4f} s" for t in times]
        self.made += scenes.animation(
            surface, coordinates, path, titles, loads, factor,
            report=lambda f: report(0.65 + 0.35 * f, "animation"), hidden=self.hidden(wheelset),
            footer=self.footer, marks=self._marks(wheelset, rows, coordinates, loads),
        )  # fmt: skip
        if not has_ffmpeg():
            self.say(MISSING)


def _kept(key, name):
    """(ReducedBody, SurfaceModes) that the cache holds under a key; None where it does not."""
    with suppress(FlexwheelError, OSError):
        found = [load(cache_root() / f"{key}{ENDINGS[kind]}.npz", kind) for kind in (ReducedBody, SurfaceModes)]
        if all(value.key == key for value in found):
            return tuple(replace(value, name=name) for value in found)
    return None


def picture_of(results, folder, time_s=None):
    """PNG (bytes) of the first flexible wheelset, deformed, or of the forces where there is none; b"" of other kinds.

    folder : str or Path    for the file while it is drawn
    """
    if results.attrs.get("kind", VEHICLE) != VEHICLE:
        return b""
    book = PictureBook(results, folder, lambda line: None)
    flexible = book._flexible() if "modal_coordinate" in results and not rendering_problem() else []
    if flexible:
        book._deformed(flexible[0], book.surface(flexible[0]), time_s, None)
    else:
        book._figure("forces", force_figures.force_figure, results, along="place")
    return b"".join(path.read_bytes() for path in book.made)


def run_names(datasets):
    """Names of runs for legends: the mesh motion of their first flexible wheelset."""
    words = {"lagrangian": "Lagrangian", "eulerian": "Eulerian", "eulerian_interpolated": "Eulerian, interpolated"}
    runs = {}
    for results in datasets:
        name = words.get(str(results.mesh_mode.values[0]), "") if "mesh_mode" in results.coords else ""
        while name in runs:
            name += " (2)"
        runs[name] = results
    return runs


def require_drawable(results):
    """Refuse results that the pictures cannot be drawn from."""
    PICTURES[VEHICLE].require_samples(results.sizes["time"])
    require_variables(results, "view")
