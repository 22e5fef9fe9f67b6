"""Nodes of a rim that turn under a contact patch, as a run recovers them, beside the rim solved order by order."""

from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp

from flexwheel.body.assembly import assemble
from flexwheel.body.bordered import bordered_solver
from flexwheel.body.control_rings import Ring, RingOperator
from flexwheel.body.craig_bampton import TiedProblem
from flexwheel.body.cyclic import SectorMatrix, amplitude_count, harmonic_blocks
from flexwheel.body.cyclic_modes import TiedBlock
from flexwheel.body.revolution import detect_revolution, submesh
from flexwheel.body.tread import TreadNodes
from flexwheel.body.tread_field import NearNodes
from flexwheel.contact.profiles.s1002 import s1002_height
from flexwheel.results.evaluate.control_nodes import rolling_displacement
from flexwheel.verification.check_registry import check, other_code, row
from flexwheel.verification.meshes.revolve import MeshSection, revolve
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, STEEL
from flexwheel.verification.ring_under_patch import HALF, INNER, PATCH, RADIUS, rim_field, rim_section

PAPER = REFINEMENTS["paper"]
SPEED = 80.0 / 3.6  # [m/s]
ORDERS = (2, 4, 8, 13, 20, 32, 52, 82, 130, 163)  # 163 passes with 1253 Hz
POINTS = {"under the patch": (0.0, 0.0), "20 mm below": (0.0, 0.02), "27 mm beside": (0.027, 0.0)}
STEPS = 8192  # of the angle
MESH = (180, 10, 3)  # sectors, cells across and deep, as wide as the shipped mesh's
ROOT, ROOT_ORDERS = -0.032, (4, 8, 13)  # [m] of a patch in the flange root; orders in the band that runs state for it


def plain_surface(across):
    """(across + 1, 2) y and radius of the plain rim's surface at its nodes."""
    y = np.linspace(-HALF, HALF, across + 1)
    return np.column_stack([y, np.full(len(y), RADIUS)])


def rim_of_elements(points, sectors, surface, deep):
    """TreadField of nodes of the rim as a mesh, and what else a recovery asks of a body.

    Parameters
    ----------
    points : (n, 2) [m]     y and radius, taken at the nearest node
    surface : (P, 2) [m]    y ascending and radius of the nodes on the running surface
    """
    mesh = _rim_mesh(sectors, surface, deep)
    revolution = detect_revolution(mesh)[0]
    orbit = np.flatnonzero(np.isin(revolution.ring[0], mesh.node_sets["TREAD"]))
    orbit = orbit[np.argsort(revolution.y[orbit])]
    nodes, angle = revolution.ring[:, orbit, None], revolution.step * np.arange(sectors)
    profile = np.column_stack([revolution.y[orbit], revolution.radius[orbit]])
    tread = TreadNodes(1, RADIUS, 0.0, angle, profile, nodes, np.ones(nodes.shape))
    sector, used = submesh(mesh, revolution.sector_elements)
    stiffness, mass = (SectorMatrix(revolution, used, a) for a in assemble(sector))
    rings = []
    for y, radius in points:
        k = int(np.argmin(np.hypot(revolution.y - y, revolution.radius - radius)))
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


def rolling_amplitudes(body, k, component, y=0.0):
    """Displacement (STEPS/2 + 1, 3) of a near node that turns under a constant force of 1 N at y, order by order."""
    angle = 2.0 * np.pi / STEPS * np.arange(STEPS)
    wrench = np.zeros((STEPS, 3, 6))
    wrench[:, 0, component] = 1.0
    patches = np.tile([0.0, y, 1.0, *PATCH, 0.0, 1.0], (STEPS, 1, 1, 1))
    moved = rolling_displacement(body, k, patches, wrench, angle, SPEED / RADIUS)
    return 2.0 / STEPS * np.fft.rfft(moved, axis=0)


def _rim_mesh(sectors, surface, deep):
    y, top = np.asarray(surface)[..., None].swapaxes(0, 1)
    r = INNER + (top - INNER) * np.linspace(0.0, 1.0, deep + 1)
    at = np.arange(r.size).reshape(r.shape)
    quads = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
    points = np.stack(np.broadcast_arrays(y, r), axis=-1).reshape(-1, 2)
    return revolve(MeshSection(points, quads, {"TREAD": at[:, -1]}, {}), sectors, 1, (STEEL,))


def deviations(sectors, across, deep, orders=ORDERS, names=tuple(POINTS)):
    """dict (point, order) -> deviation [dB] of the vertical displacement under a vertical force from the fine rim."""
    points = [(y, RADIUS - depth) for y, depth in map(POINTS.get, names)]
    body = rim_of_elements(points, sectors, plain_surface(across), deep)
    section = rim_section()
    at = [(p[1], np.hypot(p[0], p[2])) for p in body.control.position]
    found = [rolling_amplitudes(body, k, 2)[:, 2].real for k in range(len(at))]
    out = {}
    for order in orders:
        wanted = rim_field(section, order, STEEL, at, (2,))[:, 2, 2]
        for k, name in enumerate(names):
            out[name, order] = 20.0 * float(np.log10(abs(found[k][order] / wanted[k])))
    return out


def flange_deviations(orders=ROOT_ORDERS):
    """dict (component, order) -> deviation [dB] at the tread datum under its force in the flange root."""
    y = np.array([*PAPER.tread_flange_side, -0.015, 0.0, 0.015, *PAPER.tread_field_side, 0.06])
    with np.errstate(divide="ignore"):  # the profile rises vertically at the flange back
        back = np.array([-0.07, RADIUS + s1002_height(-0.07)])
    surface = lambda at: np.vstack([back, np.column_stack([at, RADIUS + s1002_height(at)])])  # noqa: E731
    body = rim_of_elements([(0.0, RADIUS)], MESH[0], surface(y), PAPER.rim_radial)
    section = rim_section(surface(np.linspace(-0.0699, 0.06, 521)), ROOT)
    found = [rolling_amplitudes(body, 0, a, ROOT)[:, a].real for a in (1, 2)]
    out = {}
    for order in orders:
        wanted = rim_field(section, order, STEEL, [(0.0, RADIUS)], (1, 2))[0]
        for a, name in ((1, "lateral"), (2, "vertical")):
            out[name, order] = 20.0 * float(np.log10(abs(found[a - 1][order] / wanted[a, a])))
    return out


@check(
    "Rolling patch", subject="Turning mesh",
    ground=other_code("orders of a rim on a fine section of its own; set beforehand: 1 dB"),
)  # fmt: skip
def rolling_patch():
    """Vertical displacement of nodes of a rim that pass under a patch, elements of 16 mm by 14 mm by 20 mm; node at the
    tread datum of a rim with the profile S1002 under a patch in the flange root."""
    root = {(f"patch in the flange root, {name}", order): v for (name, order), v in flange_deviations().items()}
    return [
        row(f"{name}, order {order}", value, 0.0, "dB", absolute=1.0, source="rim order by order")
        for (name, order), value in (deviations(*MESH) | root).items()
    ]
