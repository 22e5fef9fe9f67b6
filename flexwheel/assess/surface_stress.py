"""Stress of a flexible wheelset's surface over a run, from the samples that the run stored."""

from collections import deque
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import xarray as xr

from flexwheel.assess.evaluate.stress_envelope import QUANTITIES, EnvelopeSweep
from flexwheel.assess.evaluate.surface_stress_field import (
    joined,
    node_stress_rows,
    ring_stress_rows,
    stress_coefficients,
)
from flexwheel.base.errors import FlexwheelError, MeshError, ScenarioError
from flexwheel.base.output_files import file_stem
from flexwheel.base.variables import LABELS
from flexwheel.body.body_cache import cached_body
from flexwheel.body.control_node import ControlNode
from flexwheel.body.reduce import reduce_with_shapes
from flexwheel.body.revolution import detect_revolution
from flexwheel.body.stress import von_mises
from flexwheel.body.surface import outer_surface
from flexwheel.body.surface_fields import stress_at
from flexwheel.results.check_results import check_results, require_variables
from flexwheel.results.evaluate.control_nodes import POINTS, control_node_results, influences_of
from flexwheel.results.evaluate.histories import HISTORY, PATCHES, wheelset_history, with_control_nodes
from flexwheel.results.evaluate.load_spread import on_running_surface
from flexwheel.results.evaluate.stress_marks import COORDINATES
from flexwheel.results.files import BLOCK, PART_NAME, open_results, read_results, results_file
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import reduction_options
from flexwheel.run.wheelset_mesh import wheelset_mesh

SEED = 128  # samples from one to the next of those that begin an envelope; BLOCK is a multiple
SUBMODEL = "submodel_von_mises_pa", "submodel_error", "submodel_change"
SAME = 1e-6  # of mode shapes made twice, relative
FEW = 200  # nodes of a body that is kept for the next question, or the next run of the same wheelset
_few = deque(maxlen=2)  # ((key, nodes, submodel), what body_of_nodes found)


class StressOfRun:
    """A run's stored samples, and the mesh of one of its flexible wheelsets."""

    def __init__(self, path, wheelset=None, say=lambda line: None):
        """path: folder or results.nc; wheelset: name, the first flexible one where not given.

        Raises
        ------
        ScenarioError       no such wheelset, variables that the run did not store
        """
        self.say, self.path = say, results_file(path)
        self.results = (read_results if self.path.name == PART_NAME else open_results)(self.path)
        if self.results.attrs.get("kind") != "vehicle" or "flexible" not in self.results.coords:
            raise ScenarioError(f"{self.path} must be results with a flexible wheelset for its stress, got none")
        try:
            check_results(self.results, self.path, values=False)
        except RuntimeError as error:  # of a file that is read as its values are asked for
            raise ScenarioError(f"{self.path}: not a readable netCDF-4 file: {error}") from None
        require_variables(self.results, "stress", [*HISTORY, "body_position"])
        known = [str(name) for name in self.results.flexible.values]
        self.wheelset = known[0] if wheelset is None else wheelset
        self.ending = "" if self.wheelset == known[0] else f"_{file_stem(self.wheelset)}"  # of names of files
        if self.wheelset not in known:
            raise ScenarioError(f"--wheelset must be one of {', '.join(known)}, got {wheelset}")
        scenario = parse_scenario(str(self.results.attrs.get("scenario", "")), Path("scenario of the results"))
        if self.wheelset not in scenario.wheelset:
            raise ScenarioError(f"{self.path}: attribute scenario must have the keys of wheelset {self.wheelset!r}")
        self.section = scenario.wheelset[self.wheelset]
        self.mesh, _ = wheelset_mesh(self.wheelset, self.section, scenario.accept)
        self.options = reduction_options(self.section)
        self.modal_only = self.section.residual != "static"

    @property
    def unfinished(self) -> str:
        """How far a run came that was stopped, and by what; "" of one that is complete."""
        about = self.results.attrs
        if about.get("complete", True) and about.get("status", "complete") == "complete":
            return ""
        return f"{float(self.results.time[-1]):g} s were simulated ({about.get('status', 'stopped')})"

    def body_of_nodes(self, node_ids, submodel=None):
        """(ReducedBody, mode shapes) with these nodes as control nodes and the modes that the run had.

        submodel: whether their stress is that of submodels; None: as the scenario says
        """
        own = cached_body(self.mesh, self.options, self.wheelset, self.say)
        asked = own.key, tuple(map(int, node_ids)), submodel
        for known, found in _few:
            if known == asked:
                return found
        nodes = tuple(ControlNode(id=int(node)) for node in node_ids)
        self.say("stress rows of the nodes")
        options = replace(self.options, control=nodes)
        if submodel is not None:
            options = replace(options, submodel=submodel)
        body, shapes = reduce_with_shapes(self.mesh, options, self.wheelset)
        for mine, its in zip(body.treads, own.treads, strict=True):
            a, b = mine.profile_rows, its.profile_rows
            if a.shape != b.shape or np.abs(a - b).max() > SAME * np.abs(b).max():
                raise FlexwheelError(
                    f"wheelset {self.wheelset}: modes computed again differ from those in the cache ({own.key}.npz); "
                    "remove that file and run the scenario again"
                )
        if len(nodes) <= FEW:
            _few.append((asked, (body, shapes)))
        return body, shapes

    def places(self):
        """y of (left, right) journal and of (left, right) tread datum [m], body frame."""
        own = cached_body(self.mesh, self.options, self.wheelset, self.say)
        return own.interface_position[:, 1].tolist(), [tread.lateral for tread in own.treads]

    def blocks(self, mode_count):
        """WheelsetHistory of a block of samples each."""
        for first in range(0, self.results.sizes["time"], BLOCK):
            rows = slice(first, first + BLOCK)
            history = wheelset_history(self.results.isel(time=rows), self.wheelset, mode_count)
            self._require_numbers(history)
            yield history

    def _require_numbers(self, history):
        """Raise where a whole run's history is not of numbers; one that failed may end so."""
        for name, values in vars(history).items() if self.results.attrs["complete"] else ():
            if isinstance(values, np.ndarray) and not np.all(np.isfinite(values)):
                raise ScenarioError(
                    f"{self.path}: not whole results of 'flexwheel run': {name.replace('_', ' ')} of {self.wheelset} "
                    "has values that are no numbers"
                )

    def watched_nodes(self):
        """Ids of the wheelset's control nodes off the running surface, as the run named them."""
        if "control_node_id" not in self.results:
            return []
        require_variables(self.results, "stress", ["load_spread"])
        names = [str(name).startswith(f"{self.wheelset} ") for name in self.results.control_node.values]
        mine = np.array(names) & (self.results.load_spread.values == 0)
        return [int(node) for node in self.results.control_node_id.values[mine]]

    def at_nodes(self, node_ids, submodel=None):
        """Dataset of displacement and stress tensor at nodes of the mesh, as at control nodes; any node off the axle.

        The modal coordinates that the run stored suffice; nothing is simulated.
        """
        body, _ = self.body_of_nodes(node_ids, submodel)
        needed = [*HISTORY, *(name for name in PATCHES if name in self.results)]
        results = self.results[needed].assign_attrs(self.results.attrs).load()
        self._require_numbers(wheelset_history(results, self.wheelset))
        added = with_control_nodes(results, {self.wheelset: body}, self.modal_only)
        return added.drop_vars(needed)


def tensors_at_nodes(run, node_ids, body=None, point="rotating"):
    """(T, n, 6) float32 [Pa] stress of material nodes, section axes, block by block; any nodes off the axle.

    body: `run.body_of_nodes` of them, where it is known.
    """
    body = body or run.body_of_nodes(node_ids)[0]
    parts, influences = [], None if run.modal_only else influences_of(body)
    for history in run.blocks(len(body.frequency_hz)):
        found = control_node_results(body, history, run.modal_only, influences)
        parts.append(found["stress"][:, :, POINTS.index(point)].astype(np.float32))
    return np.concatenate(parts)


def submodel_figures(run, node_ids, point="rotating") -> list[dict]:
    """What submodels say of nodes: largest von Mises stress over a run, error of the mesh's stress at that time and
    change of the submodel's by its last split, both relative; None on surfaces that carry loads.
    """
    bodies = [run.body_of_nodes(node_ids, submodel=which)[0] for which in (True, False)]
    fine, plain = (tensors_at_nodes(run, node_ids, body, point).astype(float) for body in bodies)
    found = []
    for k, change in enumerate(bodies[0].control.stress_error):
        size, apart = (np.nan_to_num(von_mises(part[:, k])) for part in (fine, fine - plain))
        worst, known = int(np.argmax(size)), apart.max() > SAME * size.max()
        figures = float(size[worst]), float(apart[worst] / max(size[worst], 1e-300)), float(change)
        found.append(dict(zip(SUBMODEL, figures if known else (None,) * 3, strict=True)))
    return found


def stress_envelope(run, point="rotating", report=lambda fraction, note="": None):
    """Envelope over all surface nodes and samples of a run.

    Parameters
    ----------
    run : StressOfRun
    point : str             rotating: of the material; fixed: of the places on the axes of the non-turning mesh

    Returns
    -------
    Dataset     von_mises, tension, compression (node) [Pa] and the time of each [s]; position (node, axis) in the
                body frame; load_spread 1 where the contact force is spread over nodes; faces as quads and triangles

    Raises
    ------
    MeshError   a mesh that is not of revolution: its nodes are had one by one, `StressOfRun.at_nodes`
    """
    revolution, reason = detect_revolution(run.mesh)
    if revolution is None:
        raise MeshError(
            f"wheelset {run.wheelset}: the mesh must be of revolution for an envelope ({reason}); give single nodes "
            "with --node"
        )
    surface = outer_surface(run.mesh)
    orbits = np.flatnonzero(np.isin(revolution.ring[0], surface.node_rows))
    body, shapes = run.body_of_nodes(run.mesh.node_ids[revolution.ring[0, orbits]], submodel=False)
    report(0.1, "envelope")
    modes, count = len(body.frequency_hz), run.results.sizes["time"]
    sweep = EnvelopeSweep(ring_stress_rows(body, point, run.modal_only))
    axis = revolution.axis[np.isin(revolution.axis, surface.node_rows)]
    stress = stress_at(shapes.mesh, axis, shapes.modes.shapes, run.options.formulation, shapes.free)
    still = EnvelopeSweep(node_stress_rows(stress))  # nodes on the axle's middle line do not move as it turns
    some = [
        stress_coefficients(body, history, point, run.modal_only).part(slice(None, None, SEED))
        for history in run.blocks(modes)
    ]
    sweep.seed(joined(some), np.arange(0, count, SEED))
    for history in run.blocks(modes):
        sweep.add(stress_coefficients(body, history, point, run.modal_only))
        still.add(stress_coefficients(body, history, "fixed", modal_only=True))
        report(0.1 + 0.9 * sweep.samples / count, "envelope")
    rows = np.concatenate([revolution.ring[:, orbits].T.ravel(), axis])
    marks = np.array([body.control.stress_error, body.control.corner])
    marks = np.concatenate([marks.repeat(revolution.sections, axis=1), np.full((2, len(axis)), np.nan)], axis=1)
    return _dataset(run, body, surface, rows, (sweep, still), point, marks)


def _dataset(run, body, surface, rows, sweeps, point, marks):
    order = np.argsort(rows)
    rows, marks = rows[order], marks[:, order]
    time = run.results.time.values
    found = [np.reshape(sweep.values(), (2, len(QUANTITIES), -1)) for sweep in sweeps]
    values, sample = np.concatenate(found, axis=2)[..., order]
    if not np.any(np.isfinite(values[0])):
        raise FlexwheelError(f"{run.path}: the stress is no number at any time; status: {run.results.attrs['status']}")
    sample = sample.astype(np.int64)
    place = run.mesh.nodes[rows]
    origin = np.array(
        [0.0, body.control.position[0, 1] - run.mesh.nodes[_row(run.mesh, body.control.node_id[0]), 1], 0]
    )
    radius = np.hypot(place[:, 0], place[:, 2])
    spread = on_running_surface(body.treads, place[:, 1] + origin[1], radius)
    if point == "fixed":
        spread &= np.abs(np.arctan2(place[:, 0], -place[:, 2])) < 2.5 * body.sector_angle
    back = np.full(len(run.mesh.nodes), -1)
    back[rows] = np.arange(len(rows))
    faces = {name: back[surface.node_rows[getattr(surface, name)]] for name in ("quads", "triangles")}
    marked = spread.copy()
    for members in faces.values():
        marked[members[spread[members].any(axis=1)]] = True
    words = {
        "von_mises": "largest von Mises stress",
        "tension": "largest principal stress",
        "compression": "smallest principal stress",
    }
    data = {"position": (("node", "axis"), place + origin, {"units": "m", "long_name": "place in the body frame"})}
    for k, name in enumerate(QUANTITIES):
        data[name] = ("node", values[k], {"units": "Pa", "long_name": words[name]})
        at = np.where(sample[k] >= 0, time[sample[k]], np.nan)
        data[f"{name}_time"] = ("node", at, {"units": "s", "long_name": f"time of the {words[name]}"})
    for name, members in faces.items():
        data[name] = ((name, f"{name}_corner"), members, {"long_name": "faces by numbers of nodes from 0"})
    coordinates = {
        "node_id": ("node", run.mesh.node_ids[rows]),
        "load_spread": ("node", marked.astype("i4"), {"long_name": "1: the contact force is spread over nodes there"}),
        **{n: ("node", v, a) for (n, a), v in zip(COORDINATES.items(), marks, strict=True)},
        "axis": list(LABELS["axis"]),
    }
    names = ("title", "vehicle", "scenario", "versions", "source", "date_created")
    attributes = {name: run.results.attrs[name] for name in names if name in run.results.attrs}
    attributes |= {
        "kind": "stress envelope", "wheelset": run.wheelset, "point": point, "first_time_s": float(time[0]),
        "last_time_s": float(time[-1]), "samples": len(time), "results": str(run.path.name),
        "stress": "modal only" if run.modal_only else "with static residual; nodes on the axle: modal only",
    }  # fmt: skip
    return xr.Dataset(data, coordinates, attributes)


def _row(mesh, node_id):
    return int(np.flatnonzero(mesh.node_ids == node_id)[0])


def shape_of(envelope):
    """What pictures take: position, quads, triangles."""
    return SimpleNamespace(**{name: envelope[name].values for name in ("position", "quads", "triangles")})


def hot_spots(envelope, top, quantity="von_mises", with_spread=False):
    """Rows of the nodes of largest stress, one of each ring (same y and radius), largest first.

    Nodes over which the contact force is spread are left out unless asked for; no other is.
    """
    size = np.abs(np.nan_to_num(envelope[quantity].values))
    if not with_spread:
        size = np.where(envelope.load_spread.values == 1, -1.0, size)
    x, y, z = envelope.position.values.T
    ring = np.unique(np.round(np.stack([y, np.hypot(x, z)], axis=1), 6), axis=0, return_inverse=True)[1].ravel()
    order = np.argsort(-size, kind="stable")
    first = order[np.sort(np.unique(ring[order], return_index=True)[1])]
    return [int(row) for row in first[:top] if size[row] >= 0.0]
