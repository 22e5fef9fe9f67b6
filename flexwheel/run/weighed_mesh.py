"""What a mesh says of its wheelset before it is reduced: mass, inertia, treads, journals; as a run would refuse it."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import check_materials
from flexwheel.body.attached_mass import mass_points
from flexwheel.body.interfaces import find_interfaces
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.reduction_routes import symmetry_of_revolution
from flexwheel.body.section_outline import section_outline
from flexwheel.body.tread import find_treads
from flexwheel.run.build.wheelset_agreement import wheelset_disagreements
from flexwheel.run.reduced_bodies import reduction_options

_known = deque(maxlen=4)  # (mesh, options, WeighedMesh)


@dataclass(frozen=True)
class WeighedTread:
    """Running surface in the mesh's own place."""

    profile: np.ndarray  # (P, 2) y, r from the middle between the treads
    lateral: float  # [m] y of the tread datum from there


@dataclass(frozen=True)
class WeighedMesh:
    """Of a ReducedBody, what its vehicle is compared with."""

    mass: float  # [kg]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]
    treads: tuple[WeighedTread, WeighedTread]
    interface_position: np.ndarray  # (2, 3) [m] from the middle between the treads


def mesh_warnings(name, section, mesh, parts, accepted) -> list[str]:
    """Warnings on a wheelset's mesh beside its vehicle; refuses what the run would refuse before or after reduction.

    Parameters
    ----------
    name, section : of the wheelset
    mesh : Mesh              as imported
    parts : VehicleOnTrack
    accepted : sequence of str

    Raises
    ------
    MeshError, ScenarioError
    """
    try:
        weighed = weighed_mesh(mesh, reduction_options(section))
    except MeshError as error:
        raise MeshError(f"wheelset.{name}: {Path(section.mesh)}: {error}") from None
    table, wheel_y = parts.vehicle.wheelsets[name], parts.profiles.placement.wheel_y
    return wheelset_disagreements(name, weighed, table, parts.vehicle.wheel, wheel_y, accepted)


def weighed_mesh(mesh, options) -> WeighedMesh:
    """WeighedMesh of a mesh, for ReductionOptions; that of the last few meshes is kept."""
    for known, of, found in _known:
        if known is mesh and of == options:
            return found
    check_materials(mesh)
    mass_points(mesh)  # refuses what its nodes cannot carry
    weight = mass_properties(mesh)
    revolution, _ = symmetry_of_revolution(mesh, options.route)
    outline = None if revolution is None else section_outline(mesh, revolution)
    treads = find_treads(mesh, revolution, outline, options.tread)
    interfaces = find_interfaces(mesh, options.interfaces, options.journal_range)
    middle = 0.5 * (treads[0].lateral + treads[1].lateral)
    found = WeighedMesh(
        weight.mass,
        weight.inertia,
        tuple(WeighedTread(t.profile - [middle, 0.0], t.lateral - middle) for t in treads),
        np.array([interface.centre - [0.0, middle, 0.0] for interface in interfaces]),
    )
    _known.append((mesh, options, found))
    return found
