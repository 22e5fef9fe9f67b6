"""Look at all that the scenario of a vehicle names, without running, reducing or compiling anything."""

import numpy as np

from flexwheel.base.coupled_system import coupled_section
from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.base.input_files import regular_file

READ_WHOLE = 25e6
"""[byte] of a mesh file that is read whole; of a larger one the keyword lines. Some 3 CPU seconds for 10 MB."""


def check_vehicle(source):
    """Warnings of a vehicle's scenario; compiled is the normal contact at most."""
    return [*common_warnings(source), *_rail_warnings(source.scenario)]


def common_warnings(source):
    """Warnings of a scenario with the keys of a vehicle, whatever the model."""
    from flexwheel.run.build.build_contact import build_contacts, friction_rows
    from flexwheel.run.build.vehicle_on_track import vehicle_on_track
    from flexwheel.run.flexible_bodies import check_body, require_body
    from flexwheel.run.keys.plausibility import plausibility_warnings, vehicle_warnings
    from flexwheel.run.rest_check import require_rest
    from flexwheel.run.run_size import run_size
    from flexwheel.run.standing import standing_warnings

    scenario = source.scenario
    run_size(scenario)
    rigid = {name: part.model_copy(update={"formulation": "rigid"}) for name, part in scenario.wheelset.items()}
    parts = vehicle_on_track(scenario.model_copy(update={"wheelset": rigid, "body": {}}), {})
    friction_rows(scenario.contact)
    if scenario.track.check_rail or scenario.contact.detection in ("network", "table"):  # trained for a pair
        build_contacts(scenario.contact, parts.of_wheels, scenario.track.check_rail)
    require_rest(parts, scenario.contact)
    _check_track(scenario.track)
    ends = _check_irregularity(scenario, parts.end)
    system, section = coupled_section(scenario)
    if system is not None:
        system.check(section, parts)
    meshes = []
    for name, section in scenario.wheelset.items():
        if section.formulation == "flexible":
            meshes += _check_wheelset(name, section, parts, scenario.accept, source.places.at("wheelset", name))
    for name, section in getattr(scenario, "body", {}).items():
        require_body(name, parts.vehicle)
        meshes += check_body(name, section)
    grows = standing_warnings(parts, scenario.vehicle.file, scenario.accept)
    return [*plausibility_warnings(scenario), *vehicle_warnings(parts.vehicle), *parts.warnings, *meshes, *grows, *ends]


def _rail_warnings(scenario):
    """Lines on the rail elements' error, as far as it hangs on nothing but elements and step."""
    from flexwheel.run.build.build_simulation import build_integrator
    from flexwheel.run.build.build_track import error_lines

    if scenario.track.model != "flexible" or scenario.run.integrator == "dormand_prince":
        return []
    return error_lines(scenario.track, build_integrator(scenario.run))


def _check_track(track):
    """Rail, supports and the mesh of the bed, as far as the rail model reads them."""
    from flexwheel.body.mesh_format import read_mesh_header
    from flexwheel.run.build.build_bed import check_bed_keys
    from flexwheel.run.build.build_track import own_supports
    from flexwheel.track.rail_models import RAIL_MODELS
    from flexwheel.track.track_parameters import rail_section

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


def _check_irregularity(scenario, end):
    """The tables in files, and the excitations up to `end` [m]; warnings of what ends before."""
    from flexwheel.run.keys.plausibility import file_end_warnings
    from flexwheel.track.irregularity import excitation_record, file_record
    from flexwheel.track.roughness import roughness_table

    section = scenario.irregularity
    excitation_record(section, end)
    if section.roughness != "none":
        roughness_table(section.roughness)
    if section.file is None:
        return []
    record = file_record(section.file)
    last = record.start + record.step * (len(record.values) - 1)
    return file_end_warnings(scenario, record.start, last, end)


def _check_wheelset(name, section, parts, accepted, place):
    """Mesh of a flexible wheelset: sets, material and control nodes that the scenario names, mass, treads, journals.

    Returns warnings.
    """
    from flexwheel.body.control_node import PRESETS
    from flexwheel.body.mesh_format import read_mesh_header
    from flexwheel.run.wheelset_mesh import MATERIAL_KEYS, wheelset_mesh

    nodes, ids, mesh = None, None, None
    try:
        path = regular_file(section.mesh, "a mesh file")
    except ScenarioError as error:
        raise MeshError(f"{place.of(('mesh',))}: {error}") from None
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
            f"wheelset.{name}.mesh: {path}, {size}: only its header was checked; `run` checks mass, treads and nodes"
        ]
    from flexwheel.run.weighed_mesh import mesh_warnings

    return mesh_warnings(name, section, mesh, parts, accepted)
