"""Approach of a wheel under Hertz's pressure: a fine mesh of the whole wheelset against Hertz and the reduced body.

The fine mesh carries the pressure of an ellipse as nodal forces on its tread and gives the displacement of the patch's
centre; Hertz's half-space under the same pressure and the static compliance of the reduced body, modes and residual,
are what a run makes of it.
"""

from dataclasses import replace

import numpy as np
from scipy.special import ellipk

from flexwheel.body.assembly import assemble
from flexwheel.body.bordered import bordered_solver
from flexwheel.body.cyclic import COSINE, SectorMatrix, amplitude_count
from flexwheel.body.cyclic_modes import full_amplitudes, rigid_coordinates, tied_blocks
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.interfaces import find_interfaces
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.revolution import detect_revolution, submesh
from flexwheel.body.section_outline import section_outline
from flexwheel.body.tread import TreadOptions, find_treads
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario
from flexwheel.verification import norms
from flexwheel.verification.as4_runs import EXAMPLE, after_running_in, band_changes
from flexwheel.verification.check_registry import check, distance, exact, other_code, row
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, STEEL, wheelset_mesh

PATCHES = ((0.016, 0.012), (0.024, 0.018), (0.032, 0.024))  # [m] semi-axes along and across
PLACES = (-0.010, 0.0, 0.015)  # [m] of their centres from the tread datum, field side positive
FINE = replace(
    REFINEMENTS["paper"],
    sectors=360,
    web_across=5,
    web_radial=22,
    rim_radial=8,
    tread_flange_side=tuple(-1e-3 * mm for mm in (64, 58, 52, 46, 40, 34, 28, 21.5)),
    tread_field_side=tuple(1e-3 * mm for mm in (21, 27, 33, 39, 45, 52)),
)
OTHERS = {"medium, hex8": ("medium", 1), "medium, hex20": ("medium", 2)}
MODES_ONLY = ReductionOptions(fixed_interface_modes=8, exact_below_hz=0.0, control=())
SHORT = ("run.duration_s=2.5",)
MIRROR = np.array([1, -1, 1, -1, 1, -1])  # of a wrench about the other wheel's origin


def pressure_forces(tread, half, place):
    """Nodal forces (K, P) of Hertz's pressure with resultant 1 N, sections -k to k and profile nodes; k."""
    spacing, y = tread.radius * (tread.angle[1] - tread.angle[0]), tread.profile[:, 0]
    k = int(np.ceil(half[0] / spacing)) + 1
    unit = (np.arange(400) + 0.5) / 200.0 - 1.0
    pressure = np.sqrt(np.maximum(0.0, 1.0 - unit[:, None] ** 2 - unit**2))
    sections = np.array([np.maximum(0.0, 1.0 - np.abs(half[0] * unit / spacing - s)) for s in range(-k, k + 1)])
    across = np.array([np.interp(tread.lateral + place + half[1] * unit, y, e) for e in np.eye(len(y))])
    forces = sections @ pressure @ across.T
    return forces / forces.sum(), k


def approaches(mesh):
    """(patch, place) vertical displacement [m/N] of the patch's centre on the left wheel, free body."""
    revolution, _ = detect_revolution(mesh)
    tread = find_treads(mesh, revolution, section_outline(mesh, revolution), TreadOptions())[0]
    sector, nodes = submesh(mesh, revolution.sector_elements)
    stiffness, mass = (SectorMatrix(revolution, nodes, a) for a in assemble(sector, FormulationOptions()))
    place = np.full(len(revolution.following), -1)
    place[revolution.ring[0]] = np.arange(revolution.orbits)
    dof = 3 * place[tread.nodes[0, :, 0]] + 2
    cases = [(half, at) for half in PATCHES for at in PLACES]
    loads = [pressure_forces(tread, *case) for case in cases]
    found = np.zeros((len(tread.profile), len(cases)))
    for order in range(revolution.sections // 2 + 1):
        size = amplitude_count(revolution, order)
        for tied in tied_blocks(stiffness, mass, find_interfaces(mesh, "journals"), "averaging", order):
            if COSINE not in tied.block.phases:
                continue
            forces = np.zeros((size, len(cases)))
            for c, (nodal, k) in enumerate(loads):
                forces[dof, c] = np.cos(order * revolution.step * np.arange(-k, k + 1)) @ nodal
            recover = tied.problem.recover
            x = forces[tied.block.dof] if recover is None else recover.T @ forces[tied.block.dof]
            border = tied.problem.mass @ rigid_coordinates(revolution, tied)
            found += full_amplitudes(tied, bordered_solver(tied.problem.stiffness, border)(x), size)[dof]
    offset = tread.profile[:, 0] - tread.lateral
    out = []
    for c, (_, at) in enumerate(cases):
        i = int(np.argmin(np.abs(offset - at)))
        out.append(np.polyfit(offset[i - 1 : i + 2] - at, found[i - 1 : i + 2, c], 2)[-1])
    return np.reshape(out, (len(PATCHES), len(PLACES)))


def hertz_approach(half):
    """Displacement [m/N] of the centre of an elliptic Hertzian pressure on a half-space of steel, per resultant."""
    long, short = max(half), min(half)
    modulus = STEEL.youngs_modulus / (1.0 - STEEL.poissons_ratio**2)
    return 1.5 / (np.pi * long * modulus) * ellipk(1.0 - (short / long) ** 2)


def static_compliance(body):
    """(6, 6) of the left tread: modes and residual."""
    tread, omega = body.treads[0], 2.0 * np.pi * body.frequency_hz
    return tread.profile_rows[0] @ (tread.profile_rows[0].T / omega[:, None] ** 2) + tread.residual_compliance


def compliance_at(compliance, place):
    """Vertical compliance [m/N] at a distance across [m] from the tread datum."""
    return compliance[2, 2] + 2.0 * place * compliance[2, 3] + place**2 * compliance[3, 3]


@check(
    "Approach of a wheel under Hertz's pressure", subject="Track", slow=True,
    ground=other_code("a mesh of 8 x 6 x 7.5 mm elements that carries the pressure itself; 2 % accepted"),
)  # fmt: skip
def approach_of_a_wheel():
    """Hertz plus reduced body against the fine mesh, three patches at three places; shipped and quadratic elements."""
    quadratic = wheelset_mesh(refinement=REFINEMENTS["medium"], order=2)
    bodies = {"shipped": _shipped().body, "medium, hex20": reduce_wheelset(quadratic, MODES_ONLY)}
    exact_ones = approaches(wheelset_mesh(refinement=FINE))
    rows = []
    for name, body in bodies.items():
        compliance = static_compliance(body)
        for half, line in zip(PATCHES, exact_ones, strict=True):
            for at, reference in zip(PLACES, line, strict=True):
                text = f"{name}: patch {2e3 * half[0]:g} x {2e3 * half[1]:g} mm at {1e3 * at:+g} mm"
                value = hertz_approach(half) + compliance_at(compliance, at)
                rows.append(row(text, 1e12 * value, 1e12 * reference, "m/TN", relative=0.02, source="fine mesh"))
    return rows


@check(
    "Forces on meshes of other size", subject="Track", slow=True,
    ground=exact("one wheel has one compliance; 0.3 dB accepted above 1 kHz, where a contact spring of 830 m/TN "
                 "carries the roughness"),
)  # fmt: skip
def forces_of_other_meshes():
    """Third octaves above 1 kHz with the vertical compliance of another mesh in the shipped reduced body.

    That of a vertical force and its moment alone: in the others a coarse mesh's own bending, which its modes hold, is
    many times the indentation.
    """
    shipped = _shipped()
    own = static_compliance(shipped.body)
    scenario = read_scenario(EXAMPLE, SHORT)
    reference = after_running_in(run_scenario(scenario, wheelsets={"front": shipped}))
    rows = []
    for name, (refinement, order) in OTHERS.items():
        mesh = wheelset_mesh(refinement=REFINEMENTS[refinement], order=order)
        change = static_compliance(reduce_wheelset(mesh, MODES_ONLY)) - own
        vertical = np.zeros((6, 6))
        vertical[2:4, 2:4] = change[2:4, 2:4]
        changed = (vertical, np.outer(MIRROR, MIRROR) * vertical)
        treads = tuple(
            replace(t, residual_compliance=t.residual_compliance + c)
            for t, c in zip(shipped.body.treads, changed, strict=True)
        )
        body = replace(shipped.body, treads=treads)
        other = after_running_in(run_scenario(scenario, wheelsets={"front": replace(shipped, body=body)}))
        source = "run with the shipped mesh"
        rows.append(row(f"{name}: compliance at the datum", 1e12 * (own + change)[2, 2], 1e12 * own[2, 2], "m/TN"))
        for force in ("Q", "Y"):
            for wheel in ("front left", "front right"):
                pick = {"wheel": wheel, "force": force}
                pair = (other.wheel_force.sel(pick), reference.wheel_force.sel(pick))
                text = f"{name}: {force} {wheel}, bands above 1 kHz"
                rows.append(distance(text, *band_changes(*pair, least_hz=990.0), 0.3, "dB", source, norms.largest))
    return rows


def _shipped():
    return flexible_wheelsets(read_scenario(EXAMPLE))["front"]
