"""Operations of the model's functions beside paper 000's table 2, and the sparsity of its figures 7 to 9.

The functions are formed whole, for the locomotive with all eight contacts, as the paper does; the time step itself uses
lane kernels per wheel and never forms them. A count is one per atom that is neither number nor symbol, negation free.
"""

from __future__ import annotations

from dataclasses import dataclass

from flexwheel.realtime.contact_geometry import contact_geometry
from flexwheel.realtime.locomotive import build_locomotive, generalized_forces
from flexwheel.symbolic.calculus import Derivative, jacobian
from flexwheel.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.symbolic.counts import count_operations
from flexwheel.symbolic.expression import constant, symbol
from flexwheel.symbolic.points import position
from flexwheel.symbolic.vectors import Vector, dot3

PAPER = {
    "M": (1795, 10910), "delta": (3648, 19015), "phi_n": (425, 1709), "phi_d": (541, 2150),
    "dphi_n/dq": (784, 4116), "dphi_n/ds": (846, 6668), "dphi_d/dq": (964, 6574), "dphi_d/ds": (1113, 8437),
    "gamma_n": (3779, 25870),
}  # fmt: skip


@dataclass(frozen=True)
class WholeModel:
    """All functions of paper 000's equations 8 to 15 as expressions.

    Attributes
    ----------
    locomotive : Locomotive
    surface, surface_rates : list of 32 Expression
    functions : dict       name -> list of Expression, the keys of PAPER
    entries : dict         name -> {(row, column): Expression} of the matrices
    spline_symbols : list
    """

    locomotive: object
    surface: list
    surface_rates: list
    functions: dict
    entries: dict
    spline_symbols: list


def whole_model(values, motored=(False, True)):
    """Functions of the whole vehicle."""
    model = build_locomotive(values, motored)
    system = model.system
    graph = system.graph
    mass = composite_mass_matrix(system, model.bodies)
    delta = generalized_forces(model)
    surface, rates, splines, phi_n, phi_d, speed = [], [], [], [], [], []
    half = symbol(graph, "half_spacing")
    unit = [[constant(graph, 1.0 if k == j else 0.0) for k in range(3)] for j in range(3)]
    for wheel in range(8):
        wheelset = model.wheelsets[wheel // 2]
        geometry = contact_geometry(graph, f".{wheel}", unit_normal=False, polynomials=False)
        surface += geometry.surface
        rates += [symbol(graph, f"rate.{k}.{wheel}") for k in range(4)]
        splines += {s.literal: s for c in geometry.coefficients.values() for s in c}.values()
        side = half if wheel % 2 == 0 else -half
        x, y, z = geometry.wheel_point
        arm = Vector([x, y + side, z], wheelset.fixed)
        centre = position(system.origin, wheelset.centre, system.ground).components
        axes = [Vector(unit[k], wheelset.fixed).in_base(system.ground).components for k in range(3)]

        def to_ground(c, axes=axes):
            return [dot3([axis[k] for axis in axes], c) for k in range(3)]

        gap = [a + b - c for a, b, c in zip(centre, to_ground([x, y + side, z]), geometry.rail_point, strict=True)]
        tangents = [to_ground(t) for t in geometry.wheel_tangents]
        n, (tx, ty) = geometry.normal, geometry.rail_tangents
        phi_n.append(dot3(n, gap))
        phi_d += [dot3(tx, gap), dot3(ty, gap), dot3(tangents[0], n), dot3(tangents[1], n)]
        velocity = (wheelset.centre.velocity() + wheelset.fixed.angular_velocity().cross(arm)).in_base(system.ground)
        speed.append(dot3(n, velocity.components))
    motion = Derivative(graph, dict(zip((*system.q, *surface), (*system.qd, *rates), strict=True)))
    entries = {
        "M": mass,
        "dphi_n/dq": jacobian(speed, system.qd),
        "dphi_n/ds": jacobian(phi_n, surface),
        "dphi_d/dq": jacobian(phi_d, system.q),
        "dphi_d/ds": jacobian(phi_d, surface),
    }
    functions = {name: list(matrix.values()) for name, matrix in entries.items()}
    functions |= {"delta": delta, "phi_n": phi_n, "phi_d": phi_d, "gamma_n": [-motion(v) for v in speed]}
    return WholeModel(model, surface, rates, functions, entries, splines)


def table_2(values, motored=(False, True)):
    """Rows (function, operations here, of them at run time, atoms and operations of the paper)."""
    whole = whole_model(values, motored)
    system = whole.locomotive.system
    run_time = [*system.q, *system.qd, *whole.surface, *whole.surface_rates, *whole.spline_symbols]
    run_time += list(whole.locomotive.torques)
    rows = []
    for name, (atoms, operations) in PAPER.items():
        count = count_operations(whole.functions[name], run_time)
        rows.append((name, count.total, count.at_run_time, atoms, operations))
    return rows


def patterns(generated):
    """Non-zero entries of the step system (figures 8 and 9) and of the augmented one (figure 7).

    Parameters
    ----------
    generated : GeneratedStep

    Returns
    -------
    list of (file name, title, set of (row, column), size)
    """
    n = len(generated.coordinates)
    mass = {(i, j) for i, j in generated.mass_keys} | {(j, i) for i, j in generated.mass_keys}
    wheels = [(w, generated.columns[w // 2]) for w in range(8)]
    spins = {k for k, name in enumerate(generated.coordinates) if name.endswith(".spin")}
    embedded, damped = set(mass), set(mass)
    for wheel, columns in wheels:
        damped |= {(i, j) for i in columns for j in columns}
        pairs = {(n + wheel, j) for j in columns if j not in spins}
        embedded |= pairs | {(j, i) for i, j in pairs}
    damped |= {p for p in embedded if max(p) >= n}
    full, size = set(mass), n + 32 + 8 + 32
    for wheel, columns in wheels:
        tangent = range(n + 40 + 4 * wheel, n + 44 + 4 * wheel)
        pairs = {(n + 32 + wheel, j) for j in columns if j not in spins}
        pairs |= {(i, j) for i in tangent for j in columns if j not in spins}
        pairs |= {(i, n + 4 * wheel + k) for i in tangent for k in range(4)}
        full |= pairs | {(j, i) for i, j in pairs}
    return [
        ("figure_7_augmented.png", "Augmented system, equation (14)", full, size),
        ("figure_8_embedded.png", "Embedded system, equation (15)", embedded, n + 8),
        ("figure_9_step.png", "System of the IMEX step, equation (40)", damped, n + 8),
    ]
