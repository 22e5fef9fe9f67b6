"""Plate with a round hole under tension, plane strain: Kirsch's solution and a quarter of the plate as a solid mesh.

Source: Timoshenko, Goodier, Theory of Elasticity, third edition, section 35 (stress); its displacement by Hooke's law.
"""

from dataclasses import replace

import numpy as np

from flexwheel.body.assembly import assemble
from flexwheel.body.statics import static_solution
from flexwheel.verification.meshes.box_mesh import box_mesh

YOUNG, POISSON, TENSION, OUTER, THICK = 2.1e11, 0.3, 1e8, 4.0, 0.4


def exact_displacement(x, y):
    """(n, 3) [m] under tension along x, radius of the hole 1 m."""
    shear, kappa = YOUNG / 2 / (1 + POISSON), 3 - 4 * POISSON
    r, t = np.hypot(x, y), np.arctan2(y, x)
    along = r * (kappa + 1) * np.cos(t) + 2 / r * ((1 + kappa) * np.cos(t) + np.cos(3 * t)) - 2 / r**3 * np.cos(3 * t)
    across = r * (kappa - 3) * np.sin(t) + 2 / r * ((1 - kappa) * np.sin(t) + np.sin(3 * t)) - 2 / r**3 * np.sin(3 * t)
    return TENSION / (8 * shear) * np.stack([along, across, np.zeros_like(x)], axis=1)


def exact_stress(x, y):
    """(n, 6) [Pa] xx yy zz xy yz zx."""
    t, q = np.arctan2(y, x), 1 / (x**2 + y**2)
    two, four = np.cos(2 * t), np.cos(4 * t)
    xx = 1 - q * (1.5 * two + four) + 1.5 * q**2 * four
    yy = -q * (0.5 * two - four) - 1.5 * q**2 * four
    xy = -q * (0.5 * np.sin(2 * t) + np.sin(4 * t)) + 1.5 * q**2 * np.sin(4 * t)
    return TENSION * np.stack([xx, yy, POISSON * (xx + yy), xy, 0 * xx, 0 * xx], axis=1)


def ring_displacement(x, y):
    """(n, 3) [m] of a ring under radial TENSION at its outer radius: Lame's solution, plane strain."""
    scale = TENSION * (1 + POISSON) / YOUNG * OUTER**2 / (OUTER**2 - 1.0)
    share = scale * ((1.0 - 2.0 * POISSON) + 1.0 / (x**2 + y**2))
    return np.stack([share * x, share * y, np.zeros_like(x)], axis=1)


def ring_hoop_stress(r):
    """[Pa] of that ring."""
    return TENSION * OUTER**2 / (OUTER**2 - 1.0) * (1.0 + 1.0 / r**2)


def solved(kind, cells, displacement=exact_displacement):
    """Mesh of cells by cells elements around the hole, and its displacement (D, 1): exact on the outer circle."""
    box = box_mesh(kind, (cells, cells, 4))
    radius, angle = OUTER ** box.nodes[:, 0], 0.5 * np.pi * box.nodes[:, 1]
    nodes = np.stack([radius * np.cos(angle), radius * np.sin(angle), THICK * box.nodes[:, 2]], axis=1)
    mesh, sets = replace(box, nodes=nodes), box.node_sets
    stiffness, _ = assemble(mesh)
    outer = sets["X1"]
    given = np.zeros((len(nodes), 3))
    given[outer] = displacement(*nodes[outer, :2].T)
    held = [3 * outer, 3 * outer + 1, 3 * sets["Y0"] + 1, 3 * sets["Y1"], 3 * sets["Z0"] + 2, 3 * sets["Z1"] + 2]
    given = given.ravel()
    return mesh, (given + static_solution(mesh, stiffness, np.concatenate(held), -stiffness @ given))[:, None]
