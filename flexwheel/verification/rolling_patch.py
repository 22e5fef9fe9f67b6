"""Nodes of a rim that turn under a contact patch, as a run recovers them, beside the rim solved order by order."""

from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp

from flexwheel.fe.assembly import assemble
from flexwheel.fe.control_rings import Ring, RingOperator
from flexwheel.fe.craig_bampton import TiedProblem, bordered_solver
from flexwheel.fe.cyclic import SectorMatrix, amplitude_count, harmonic_blocks
from flexwheel.fe.cyclic_modes import TiedBlock
from flexwheel.fe.revolution import detect_revolution, submesh
from flexwheel.fe.revolve import Section, revolve
from flexwheel.fe.tread import TreadNodes
from flexwheel.fe.tread_field import NearNodes
from flexwheel.fe.wheelset_section import STEEL
from flexwheel.post.control_nodes import rolling_displacement
from flexwheel.verification.registry import check, other_code, row
from flexwheel.verification.ring_under_patch import DEPTH, HALF, PATCH, RADIUS, rim_field, rim_section

SPEED = 80.0 / 3.6  # [m/s]
ORDERS = (2, 4, 8, 13, 20, 32, 52, 82, 130, 163)  # 163 passes with 1253 Hz
POINTS = {"under the patch": (0.0, 0.0), "20 mm below": (0.0, 0.02), "30 mm beside": (0.03, 0.0)}
STEPS = 8192  # of the angle
MESH = (180, 10, 3)  # sectors, cells across and deep, as wide as the shipped mesh's


def rim_of_elements(points, sectors, across, deep):
    """TreadField of nodes of the rim as a mesh, and what else a recovery asks of a body.

    Parameters
    ----------
    points : (n, 2) [m]     y and depth, taken at the nearest node
    """
    mesh = _rim_mesh(sectors, across, deep)
    revolution = detect_revolution(mesh)[0]
    orbit = np.flatnonzero(np.isin(revolution.ring[0], mesh.node_sets["TREAD"]))
    orbit = orbit[np.argsort(revolution.y[orbit])]
    nodes, angle = revolution.ring[:, orbit, None], revolution.step * np.arange(sectors)
    profile = np.column_stack([revolution.y[orbit], revolution.radius[orbit]])
    tread = TreadNodes(1, RADIUS, 0.0, angle, profile, nodes, np.ones(nodes.shape))
    sector, used = submesh(mesh, revolution.sector_elements)
    stiffness, mass = (SectorMatrix(revolution, used, a) for a in assemble(sector))
    rings = []
    for y, depth in points:
        k = int(np.argmin(np.hypot(revolution.y - y, revolution.radius - RADIUS + depth)))
        rings.append(Ring("", int(revolution.ring[0, k]), 0, revolution.ring[:, k]))
    near, operator = NearNodes(mesh, revolution, (tread,), rings), RingOperator(mesh, revolution, rings, None)
    for order in range(2, sectors // 2 + 1):  # 0 and 1 move the free rim as a whole
        for block in harmonic_blocks(stiffness, mass, order):
            size = block.stiffness.shape[0]
            free = TiedProblem(block.stiffness, block.mass, sp.csr_matrix((0, size)), None)
            solve = bordered_solver(block.stiffness, np.zeros((size, 0)))
            unmodal = np.zeros((amplitude_count(revolution, order), 6))
            near.add(TiedBlock(block, free), solve, operator, np.arange(6), unmodal)
    position = mesh.nodes[[ring.row for ring in rings]]
    return SimpleNamespace(near=near.field(), control=SimpleNamespace(position=position), treads=(tread,))


def rolling_amplitudes(body, k, component):
    """Displacement (STEPS/2 + 1, 3) of a near node that turns under a constant force of 1 N, order by order."""
    angle = 2.0 * np.pi / STEPS * np.arange(STEPS)
    wrench = np.zeros((3, STEPS, 6))
    wrench[0, :, component] = 1.0
    patches = np.tile([0.0, 0.0, 1.0, *PATCH], (STEPS, 1, 1, 1))
    moved = rolling_displacement(body, k, patches, wrench, angle, SPEED / RADIUS)
    return 2.0 / STEPS * np.fft.rfft(moved, axis=0)


def _rim_mesh(sectors, across, deep):
    y, r = np.linspace(-HALF, HALF, across + 1), np.linspace(RADIUS - DEPTH, RADIUS, deep + 1)
    at = np.arange((across + 1) * (deep + 1)).reshape(across + 1, deep + 1)
    quads = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
    points = np.stack(np.meshgrid(y, r, indexing="ij"), axis=-1).reshape(-1, 2)
    return revolve(Section(points, quads, {"TREAD": at[:, -1]}, {}), sectors, 1, (STEEL,))


def deviations(sectors, across, deep, orders=ORDERS, names=tuple(POINTS)):
    """dict (point, order) -> deviation [dB] of the vertical displacement under a vertical force from the fine rim."""
    body = rim_of_elements([POINTS[name] for name in names], sectors, across, deep)
    section = rim_section()
    at = [(p[1], RADIUS - np.hypot(p[0], p[2])) for p in body.control.position]
    found = [rolling_amplitudes(body, k, 2)[:, 2].real for k in range(len(at))]
    out = {}
    for order in orders:
        wanted = rim_field(section, order, STEEL, at, (2,))[:, 2, 2]
        for k, name in enumerate(names):
            out[name, order] = 20.0 * float(np.log10(abs(found[k][order] / wanted[k])))
    return out


@check(
    "Rolling patch", point=7,
    ground=other_code("orders of a rim on a fine section of its own; set beforehand: 1 dB"),
)  # fmt: skip
def rolling_patch():
    """Vertical displacement of nodes of a rim that pass under a patch, elements of 16 mm by 14 mm by 20 mm."""
    source = "rim order by order"
    return [
        row(f"{name}, order {order}", value, 0.0, "dB", absolute=1.0, source=source)
        for (name, order), value in deviations(*MESH).items()
    ]
