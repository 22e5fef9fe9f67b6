"""The coarse wheelset with n holes through each web."""

from dataclasses import replace

import numpy as np

from flexwheel.body.revolution import section_angle, submesh, turned_nodes
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

WEB = 0.24, 0.33  # [m] radii between which the holes lie


def holed_wheelset(n, sectors=24, order=1, twist=0.0, refinement="coarse"):
    """Mesh with holes a third of a sector wide.

    n, sectors : int       holes; sections of the mesh, a multiple of n
    order : int            of the elements
    twist : float [rad]    by which the web is twisted about the axle in its middle, so that it has no plane of symmetry
    """
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS[refinement], sectors=sectors), order=order)
    left = []
    for block in mesh.blocks:
        centre = mesh.nodes[block.connectivity].mean(axis=1)
        radius, angle = np.hypot(centre[:, 0], centre[:, 2]), section_angle(centre) * n / (2 * np.pi) % 1.0
        hole = (radius > WEB[0]) & (radius < WEB[1]) & (abs(angle - 0.5) < 0.2) & (abs(abs(centre[:, 1]) - 0.75) < 0.15)
        left.append(np.flatnonzero(~hole))
    part, used = submesh(mesh, tuple(left))
    place = np.full(len(mesh.nodes), -1)
    place[used] = np.arange(len(used))
    radius = np.hypot(part.nodes[:, 0], part.nodes[:, 2])
    angle = twist * np.sin(np.pi * np.clip((radius - 0.2) / 0.17, 0.0, 1.0))
    return replace(
        part,
        nodes=turned_nodes(part.nodes, angle),
        node_sets={name: place[rows][place[rows] >= 0] for name, rows in mesh.node_sets.items()},
    )
