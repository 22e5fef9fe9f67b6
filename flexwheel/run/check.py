"""Look at everything a run would read, without running or reducing anything."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.errors import MeshError, ScenarioError
from flexwheel.scenario.idle_keys import idle_lines
from flexwheel.scenario.reader import ScenarioSource, read_scenario_source
from flexwheel.scenario.section import NamesFile, Section

READ_WHOLE = 25e6
"""[byte] of a mesh file that is read whole; of a larger one the keyword lines. Some 3 CPU seconds for 10 MB."""


@dataclass(frozen=True)
class Checked:
    """A scenario in which nothing was found wrong."""

    source: ScenarioSource
    files: tuple[str, ...]  # that its keys name
    warnings: tuple[str, ...]


def check_scenario(path, overrides=()) -> Checked:
    """Check a scenario of any kind and all files it names: profiles, tables, vehicle, track, parts of trains, meshes.

    Parameters
    ----------
    path : str or Path
    overrides : sequence of str     "section.key=value"

    Raises
    ------
    ScenarioError, MeshError        one line: file, line where it is known, key, what came, what was expected
    """
    source = read_scenario_source(path, overrides)
    warnings = CHECKS[source.scenario.kind](source)
    return Checked(source, tuple(named_files(source.scenario)), (*idle_lines(source.scenario), *warnings))


def named_files(section):
    """Names of the files that the keys of a section and of those in it name."""
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if any(isinstance(item, NamesFile) for item in field.metadata) and value:
            yield from (value,) if isinstance(value, str) else value
        items = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        for item in items:
            if isinstance(item, Section):
                yield from named_files(item)


def check_vehicle(source):
    """Warnings of a vehicle's scenario, or of the simplified model's; compiled is the normal contact at most."""
    from flexwheel.builders.contact import build_contacts
    from flexwheel.builders.vehicle_on_track import vehicle_on_track
    from flexwheel.run.profile_noise import noise_warnings
    from flexwheel.run.run_size import require_fit, run_size
    from flexwheel.run.standing import standing_warnings
    from flexwheel.scenario.plausibility import plausibility_warnings, vehicle_warnings

    scenario = source.scenario
    size = run_size(scenario)
    if scenario.kind == "reduced":  # a vehicle's samples go to the disk
        require_fit(size, scenario)
    rigid = {name: part.model_copy(update={"formulation": "rigid"}) for name, part in scenario.wheelset.items()}
    parts = vehicle_on_track(scenario.model_copy(update={"wheelset": rigid}), {})
    if scenario.contact.detection in ("network", "table"):  # which are trained for the pair of profiles
        build_contacts(scenario.contact, parts.of_wheels)
    noise = noise_warnings(parts, scenario.contact)
    _check_track(scenario.track)
    _check_irregularity(scenario.irregularity)
    if scenario.train is not None:
        from flexwheel.builders.train import train_of

        train_of(scenario.train, parts.vehicle, parts.assembly)
    meshes = []
    for name, section in scenario.wheelset.items():
        if section.formulation == "flexible":
            meshes += _check_wheelset(name, section, parts, scenario.accept, source.places.at("wheelset", name))
    grows = standing_warnings(parts, scenario.vehicle.file, scenario.accept)
    return [
        *plausibility_warnings(scenario),
        *vehicle_warnings(parts.vehicle),
        *parts.warnings,
        *meshes,
        *noise,
        *grows,
        *_rail_warnings(scenario),
    ]


def check_realtime(source):
    """Warnings of a real-time scenario."""
    from flexwheel.builders.locomotive import locomotive_of, profile_curves

    profile_curves(locomotive_of(source))
    return []


def check_train(source):
    """Warnings of a train's scenario."""
    from flexwheel.builders.train_run import build_train_run

    build_train_run(source)
    return []


CHECKS = {"vehicle": check_vehicle, "reduced": check_vehicle, "realtime": check_realtime, "train": check_train}


def _rail_warnings(scenario):
    """Lines on the rail elements' error, as far as it hangs on nothing but elements and step."""
    from flexwheel.builders.simulation import build_integrator
    from flexwheel.builders.track import error_lines

    if scenario.kind != "vehicle" or scenario.track.model != "flexible" or scenario.run.integrator == "dormand_prince":
        return []
    return error_lines(scenario.track, build_integrator(scenario.run))


def _check_track(track):
    """Rail, supports and the mesh of the bed, as far as the rail model reads them."""
    from flexwheel.builders.bed import check_bed_keys
    from flexwheel.builders.track import own_supports
    from flexwheel.io.mesh_header import read_mesh_header
    from flexwheel.track.parameters import rail_section
    from flexwheel.track.rail_models import RAIL_MODELS

    reads = RAIL_MODELS[track.model].reads
    if "support" not in reads:
        if "rail" in reads:
            rail_section(track.rail)
        return
    supports = own_supports(track)
    if track.foundation.mesh is not None:
        check_bed_keys(track.foundation, supports)
        header = read_mesh_header(track.foundation.mesh)
        if header.sets is not None and not {"SEAT_LEFT_1", "SEAT_RIGHT_1"} <= header.sets:
            raise MeshError(
                f"track.foundation.mesh: {track.foundation.mesh} has no node sets SEAT_LEFT_1 and SEAT_RIGHT_1; it "
                f"has: {', '.join(sorted(header.sets)) or 'none'}"
            )
        if header.material is False:
            raise MeshError(f"track.foundation.mesh: {track.foundation.mesh}: no material in the file")


def _check_irregularity(section):
    """The tables in files."""
    from flexwheel.track.irregularity import file_record
    from flexwheel.track.roughness import roughness_table

    if section.file is not None:
        file_record(section.file)
    if section.roughness != "none":
        roughness_table(section.roughness)


def _check_wheelset(name, section, parts, accepted, place):
    """Mesh of a flexible wheelset: sets, material and control nodes that the scenario names, mass, treads, journals.

    Returns warnings.
    """
    from flexwheel.fe.control_node import PRESETS
    from flexwheel.io.mesh_header import read_mesh_header
    from flexwheel.run.wheelset_mesh import MATERIAL_KEYS, wheelset_mesh

    path, nodes, ids, mesh = Path(section.mesh), None, None, None
    if path.stat().st_size <= READ_WHOLE:
        mesh, _ = wheelset_mesh(name, section, accepted)
        sets, nodes, ids = {label.upper() for label in mesh.node_sets}, mesh.nodes, mesh.node_ids
    else:
        header = read_mesh_header(path)
        sets = header.sets
        given = [getattr(section, word) is not None for word in MATERIAL_KEYS]
        if header.material is False and not all(given):
            raise MeshError(f"{path}: no material in the file; give {', '.join(MATERIAL_KEYS)} of wheelset.{name}")
        for word in ("interface_sets", "tread_sets"):
            for wanted in getattr(section, word) or ():
                if sets is not None and wanted.upper() not in sets:
                    known = ", ".join(sorted(sets)) or "none"
                    raise MeshError(f"{place.of((word,))}: {path} has no node set {wanted!r}; it has: {known}")
    for number, node in enumerate(section.control_nodes):
        where = place.of(("control_nodes", number))
        if node.id is not None:
            if ids is not None and node.id not in ids:
                raise MeshError(f"{where}: {path} has no node {node.id}; ids run from {ids.min()} to {ids.max()}")
        elif node.position_m is not None:
            off = 0.0 if nodes is None else 1e3 * np.linalg.norm(nodes - node.position_m, axis=1).min()
            if off > section.control_node_tolerance_mm:
                raise MeshError(
                    f"{where}: the nearest node of {path} is {off:.1f} mm off {node.position_m}, expected at most "
                    f"{section.control_node_tolerance_mm:g} mm (control_node_tolerance_mm)"
                )
        elif sets is not None and node.name not in PRESETS and (node.name or "").upper() not in sets:
            raise ScenarioError(
                f"{where}: {node.name!r} is neither a node set of {path} nor one of the presets {', '.join(PRESETS)}"
            )
    if mesh is None:
        size = f"{1e-6 * path.stat().st_size:.0f} MB"
        return [
            f"wheelset.{name}.mesh: {path}, {size}: its header was read; mass, treads, nodes are looked at in the run"
        ]
    from flexwheel.run.weighed_mesh import mesh_warnings

    return mesh_warnings(name, section, mesh, parts, accepted)
