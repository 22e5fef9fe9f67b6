"""Operations of the model's functions beside paper 000's table 2, and the sparsity of its figures 7 to 9.

The functions are formed whole, for the locomotive with all eight contacts, as the paper does; the time step itself uses
lane kernels per wheel and never forms them. A count is one per atom that is neither number nor symbol, negation free.
"""

from dataclasses import dataclass

from flexwheel.systems.locomotive.locomotive import build_locomotive, generalized_forces
from flexwheel.systems.locomotive.wheel_rail_geometry import WheelPose, contact_geometry
from flexwheel.systems.symbolic.atoms import CONSTANT, SYMBOL
from flexwheel.systems.symbolic.calculus import Derivative, jacobian, substitute
from flexwheel.systems.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.systems.symbolic.counts import count_operations
from flexwheel.systems.symbolic.expression import symbol
from flexwheel.systems.symbolic.symbolic_vectors import Vector, dot3

PAPER = {
    "M": (1795, 10910), "delta": (3648, 19015), "phi_n": (425, 1709), "phi_d": (541, 2150),
    "dphi_n/dq": (784, 4116), "dphi_n/ds": (846, 6668), "dphi_d/dq": (964, 6574), "dphi_d/ds": (1113, 8437),
    "gamma_n": (3779, 25870),
}  # fmt: skip


@dataclass(frozen=True)
class WholeModel:
    """All functions of paper 000's equations 8 to 15 as expressions."""

    locomotive: object  # Locomotive
    surface: list  # of 32 Expression
    surface_rates: list
    functions: dict  # name -> list of Expression, the keys of PAPER
    entries: dict  # name -> {(row, column): Expression} of the matrices
    spline_symbols: list


def whole_model(values, motored=(False, True), exact_tangent=True):
    """Functions of the whole vehicle; `exact_tangent` as `contact_geometry`.

    Derivatives by q are those, by q', of the rates that the wheels' motion causes. The rates are formed in the
    wheelset's axes, where velocity and angular velocity are the same atoms for both wheels.
    """
    model = build_locomotive(values, motored)
    system = model.system
    graph = system.graph
    mass = composite_mass_matrix(system, model.bodies)
    delta = generalized_forces(model)
    surface, rates, splines, phi_n, phi_d, speed, normal_rates, tangent_rates = ([] for _ in range(8))
    half = symbol(graph, "half_spacing")
    for wheel in range(8):
        wheelset = model.wheelsets[wheel // 2]
        geometry = contact_geometry(graph, f".{wheel}", False, False, exact_tangent)
        surface += geometry.surface
        rates += [symbol(graph, f"rate.{k}.{wheel}") for k in range(4)]
        splines += {s.literal: s for c in geometry.coefficients.values() for s in c}.values()
        side = half if wheel % 2 == 0 else -half
        x, y, z = geometry.wheel_point
        arm = Vector([x, y + side, z], wheelset.fixed)
        columns = zip(*wheelset.fixed.to_ground(), strict=True)
        pose = WheelPose(graph, [*wheelset.centre.place(), *(x for column in columns for x in column)])
        normal, tangents = pose.constraints(geometry, side)
        phi_n.append(normal)
        phi_d += tangents
        directions = [geometry.base_line.to_ground(v) for v in geometry.directions]
        n, tx, ty = (Vector(pose.to_wheelset(c), wheelset.fixed) for c in directions)
        wheel_tangents = [Vector(t, wheelset.fixed) for t in geometry.wheel_tangents]
        velocity = wheelset.centre.velocity().in_base(wheelset.fixed)
        turning = wheelset.fixed.angular_velocity()
        closing, slip_x, slip_y = (t.dot(velocity) + arm.cross(t).dot(turning) for t in (n, tx, ty))
        normal_rates.append(closing)
        tangent_rates += [slip_x, slip_y, *(t.cross(n).dot(turning) for t in wheel_tangents)]
        velocity = (wheelset.centre.velocity() + turning.cross(arm)).in_base(system.ground)
        speed.append(dot3(directions[0], velocity.components))
    motion = Derivative(graph, dict(zip((*system.q, *surface), (*system.qd, *rates), strict=True)))
    entries = {
        "M": mass,
        "dphi_n/dq": jacobian(normal_rates, system.qd),
        "dphi_n/ds": jacobian(phi_n, surface),
        "dphi_d/dq": jacobian(tangent_rates, system.qd),
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


def breakdown(values, motored=(False, True)):
    """What the operations of the functions of a contact are spent on.

    Columns: all; those of the coordinates alone (poses of wheelsets), of surface coordinates alone (profiles and rail
    curves), of both; all with t_x of the rail along the base line, without camber, on rails without height.

    Returns
    -------
    list of (name, operations of the paper, dict column -> operations)
    """
    exact, plain = (whole_model(values, motored, exact_tangent=choice) for choice in (True, False))
    rows = []
    for name, (_, paper) in PAPER.items():
        if name in ("M", "delta"):
            continue
        functions = exact.functions[name]
        system, graph = exact.locomotive.system, exact.locomotive.system.graph
        moved = graph.mask([s.literal for s in (*system.q, *system.qd)])
        on_surface = graph.mask([s.literal for s in (*exact.surface, *exact.surface_rates)])
        counted = {"all": count_operations(functions).total, "poses": 0, "surfaces": 0, "both": 0}
        for atom in graph.order([e.literal for e in functions]):
            if graph.op[atom] not in (CONSTANT, SYMBOL):
                depends = graph.depends[atom]
                part = "poses" if not depends & on_surface else "surfaces" if not depends & moved else "both"
                counted[part] += 1
        counted["base_line"] = count_operations(plain.functions[name]).total
        for column, curve in (("level", "camber"), ("flat", "track_z")):
            gone = {s: 0.0 for s in exact.spline_symbols if graph.left[abs(s.literal)].startswith(curve)}
            counted[column] = count_operations(substitute(functions, gone)).total
        rows.append((name, paper, counted))
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
