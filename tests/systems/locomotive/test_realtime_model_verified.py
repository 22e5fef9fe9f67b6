"""Model of the FEVE 3000 against kinetic energy, Lagrange's equations, balances and paper 000's operation counts."""

import numpy as np
import pytest

from flexwheel.systems.locomotive.build_locomotive import read_realtime_scenario
from flexwheel.systems.locomotive.locomotive import build_locomotive
from flexwheel.systems.locomotive.operation_counts import PAPER, breakdown, table_2
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.systems.symbolic.points import position
from flexwheel.systems.symbolic.symbolic_vectors import Vector
from flexwheel.systems.symbolic.virtual_power import VirtualPower, equations_of_motion
from tests.systems.locomotive.realtime_support import EXAMPLE

VALUES = read_realtime_scenario(EXAMPLE).values
TOTAL_MASS = 34250.68  # sum of the published masses [kg]


@pytest.fixture(scope="module")
def model():
    return build_locomotive(VALUES)


def forces(model):
    power = VirtualPower(model.system)
    power.inertia(model.bodies)
    model.load(power)
    return power.generalized_forces()


def point_in_state(model, seed, still=False):
    s = model.system
    rng = np.random.default_rng(seed)
    q, qd = 0.1 * rng.normal(size=30), np.zeros(30) if still else rng.normal(size=30)
    values = {**VALUES, **dict(zip(s.names, q, strict=True)), **{f"{n}'": v for n, v in zip(s.names, qd, strict=True)}}
    values |= {s.graph.left[t.literal]: 0.0 for t in model.torques}
    return q, qd, values


def dense(mass, values):
    matrix = np.zeros((30, 30))
    for (i, j), number in zip(mass, evaluate(list(mass.values()), values), strict=True):
        matrix[i, j] = number
    return matrix


def test_thirty_coordinates_and_total_mass(model):
    assert len(model.system.q) == 30
    assert sum(evaluate([b.mass for b in model.bodies], VALUES)) == pytest.approx(TOTAL_MASS, rel=1e-12)


def test_composite_equals_differentiated_and_kinetic_energy(model):
    generalized_forces = forces(model)
    composite = composite_mass_matrix(model.system, model.bodies)
    mass, delta = equations_of_motion(model.system, model.bodies, model.load)
    for seed in range(3):
        _, qd, values = point_in_state(model, seed)
        m = dense(mass, values)
        assert np.abs(dense(composite, values) - m).max() <= 1e-12 * np.abs(m).max()
        energy = 0.0
        for body in model.bodies:
            v = np.array(evaluate(list(body.centre.velocity().components), values))
            w = np.array(evaluate(list(body.base.angular_velocity().components), values))
            inertia = np.array([evaluate(list(row), values) for row in body.inertia.rows])
            energy += 0.5 * evaluate([body.mass], values)[0] * v @ v + 0.5 * w @ inertia @ w
        assert 0.5 * qd @ m @ qd == pytest.approx(energy, rel=1e-12)
        one, other = np.array(evaluate(generalized_forces, values)), np.array(evaluate(delta, values))
        assert np.abs(one - other).max() <= 1e-12 * np.abs(one).max()


def potential_energy(model, values):
    """Weight and every spring, written down independently of the virtual power."""
    s = model.system
    energy = 0.0
    for body in model.bodies:
        height = position(s.origin, body.centre, s.ground).components[2]
        mass, z = evaluate([body.mass, height], values)
        energy = energy + mass * VALUES["gravity"] * z
    for first, second, base, k, _, free_z in model.springs:
        x, y, z = evaluate(list(position(first, second, base).components), values)
        stiffness = evaluate([k], values)[0]
        free = free_z if isinstance(free_z, float) else evaluate([free_z], values)[0]
        energy = energy + 0.5 * stiffness * (x * x + y * y + (z - free) * (z - free))
    ratio = VALUES["gear.teeth_wheel"] / VALUES["gear.teeth_rotor"]
    small = VALUES["geometry.gear_centre_distance"] / (1.0 + ratio)
    for name in ("rear.1", "rear.2"):
        roll, angle = values[f"{name}.roll"], values[f"{name}.housing"]
        energy = energy + 0.5 * VALUES["motor_bushing.k_rot"] * (roll * roll + angle * angle)
        mesh = small * ratio * (values[f"{name}.spin"] - angle) + small * (values[f"{name}.rotor"] - angle)
        energy = energy + 0.5 * VALUES["gear.k_mesh"] * mesh * mesh
    return energy


@pytest.mark.parametrize("seed", range(2))
def test_forces_are_lagranges(model, seed):
    """delta at any velocity, dampers off: -dM/dt q' + d(T - V)/dq by complex steps; every spring law with it."""
    undamped = {k: (0.0 if k.split(".")[-1].startswith("c") and "cg" not in k else 1.0) for k in VALUES}
    off = {
        k: VALUES[k] * undamped[k]
        for k in VALUES
        if k.startswith(("primary", "secondary", "motor_bushing", "gear", "slider"))
    }
    s = model.system
    q, qd, values = point_in_state(model, seed)
    values |= {
        k: v
        for k, v in off.items()
        if k in ("primary.c", "secondary.c", "motor_bushing.c", "motor_bushing.c_rot", "gear.c_mesh")
    }
    mass = composite_mass_matrix(s, model.bodies)
    h = 1e-30
    slopes, gradient = np.zeros((30, 30, 30)), np.zeros(30)
    for k in range(30):
        stepped = {**values, s.names[k]: q[k] + 1j * h}
        for (i, j), number in zip(mass, evaluate(list(mass.values()), stepped), strict=True):
            slopes[i, j, k] = complex(number).imag / h
        gradient[k] = complex(potential_energy(model, stepped)).imag / h
    expected = -np.einsum("ijk,k,j->i", slopes, qd, qd) + 0.5 * np.einsum("ijk,i,j->k", slopes, qd, qd) - gradient
    got = np.array(evaluate(forces(model), values))
    assert np.abs(got - expected).max() <= 1e-11 * np.abs(expected).max()


def test_dampers_only_take_energy(model):
    s = model.system
    for seed in range(5):
        _, qd, values = point_in_state(model, seed)
        power = VirtualPower(s)
        model.load(power)
        rows = power.generalized_forces()
        still = {**values, **{f"{n}'": 0.0 for n in s.names}}
        damping = np.array(evaluate(rows, values)) - np.array(evaluate(rows, still))
        assert damping @ qd < 0.0


DAMPERS = [f"{name}.c" for name in ("primary", "secondary", "motor_bushing")]
DAMPERS += ["motor_bushing.c_rot", "gear.c_mesh", "slider.c_yaw"]


def test_every_damper_takes_energy_by_itself(model):
    _, qd, values = point_in_state(model, 3)
    power = VirtualPower(model.system)
    model.load(power)
    rows = power.generalized_forces()
    none = {**values, **dict.fromkeys(DAMPERS, 0.0)}
    undamped = np.array(evaluate(rows, none))
    for name in DAMPERS:
        alone = np.array(evaluate(rows, {**none, name: 1e4}))  # slider.c_yaw is published as 0
        assert (alone - undamped) @ qd < 0.0, name


def test_suspension_gives_no_resultant(model):
    """Applied forces do no work on a translation, nor on a turn of the whole vehicle about a vertical axis."""
    s = model.system
    power = VirtualPower(s)
    model.load(power)
    q, _, values = point_in_state(model, 1)
    values |= {s.graph.left[t.literal]: 1234.0 for t in model.torques}
    rows = np.array(evaluate(power.generalized_forces(), values))
    scale = np.abs(rows).max()
    assert np.abs(rows[:3]).max() <= 1e-12 * scale
    turn = np.zeros(30)
    turn[[0, 1, 3]] = -q[1], q[0], 1.0
    assert abs(rows @ turn) <= 1e-12 * scale


def test_torques_work_on_their_own_rotation(model):
    """A motor drives its rotor backwards (the wheel forwards through the gear), a brake holds its wheelset."""
    s = model.system
    _, _, values = point_in_state(model, 2, still=True)
    power = VirtualPower(s)
    model.load(power)
    rows = power.generalized_forces()
    base = np.array(evaluate(rows, values))
    for torque in model.torques:
        name = s.graph.left[torque.literal]
        change = np.array(evaluate(rows, {**values, name: 1.0})) - base
        kind, wheelset = name.split(".", 1)
        expected = np.zeros(30)
        if kind == "brake":
            expected[s.names.index(f"{wheelset}.spin")] = -1.0
        else:
            expected[s.names.index(f"{wheelset}.rotor")] = -1.0
            expected[s.names.index(f"{wheelset}.housing")] = 1.0
        assert change == pytest.approx(expected, abs=1e-9)  # differences of forces of 1e5 N


def test_operation_counts():
    counts = {name: total for name, total, *_ in table_2(VALUES)}
    assert counts["M"] <= 2500
    assert counts["delta"] <= 5000
    assert counts["gamma_n"] <= 9000
    for name, (_, paper) in PAPER.items():
        assert counts[name] <= paper
    for _, paper, parts in breakdown(VALUES):
        assert parts["base_line"] <= paper
        assert parts["poses"] + parts["surfaces"] + parts["both"] == parts["all"]


@pytest.mark.parametrize("damped", [False, True])
def test_free_locomotive_keeps_its_momenta_and_energy(model, damped):
    """Rates of linear and angular momentum and of energy at random states, by complex step along q', q''.

    No contact, no weight, no torques. With dampers the momenta still stay, and energy falls by the dampers' power.
    """
    s = model.system
    _, qd, values = point_in_state(model, 7)
    values |= {"gravity": 0.0}
    if not damped:
        values |= {k: 0.0 for k in VALUES if k.split(".")[-1] in ("c", "c_rot", "c_mesh", "c_yaw")}
    mass = dense(composite_mass_matrix(s, model.bodies), values)
    delta = np.array(evaluate(forces(model), values))
    acceleration = np.linalg.solve(mass, delta)
    h = 1e-30
    along = {name: values[name] + 1j * h * rate for name, rate in zip(s.names, qd, strict=True)} | {
        f"{name}'": v + 1j * h * a for name, v, a in zip(s.names, qd, acceleration, strict=True)
    }
    at = {**values, **along}
    linear, angular, energy = np.zeros(3, complex), np.zeros(3, complex), 0.0
    for body in model.bodies:
        r = np.array(evaluate(list(position(s.origin, body.centre, s.ground).components), at))
        v = np.array(evaluate(list(body.centre.velocity().in_base(s.ground).components), at))
        w = body.base.angular_velocity().components
        spin = [sum((x * y for x, y in zip(row[1:], w[1:], strict=True)), row[0] * w[0]) for row in body.inertia.rows]
        own = np.array(evaluate(list(Vector(spin, body.base).in_base(s.ground).components), at))
        m = evaluate([body.mass], values)[0]
        linear += m * v
        angular += m * np.cross(r, v) + own
        energy += 0.5 * m * (v @ v) + 0.5 * np.array(evaluate(list(w), at)) @ np.array(evaluate(spin, at))
    energy += potential_energy(model, at | {"gravity": 0.0}) - weight_energy(model, at)
    power = qd @ delta
    assert np.abs(linear.imag / h).max() <= 1e-11 * np.abs(delta).max()
    assert np.abs(angular.imag / h).max() <= 1e-10 * np.abs(delta).max()
    loss = energy.imag / h
    if damped:
        assert loss < 0.0
    else:
        assert abs(loss) <= 1e-10 * abs(power)


def weight_energy(model, values):
    """Part of `potential_energy` that is weight."""
    s = model.system
    total = 0.0
    for body in model.bodies:
        mass, z = evaluate([body.mass, position(s.origin, body.centre, s.ground).components[2]], values)
        total = total + mass * VALUES["gravity"] * z
    return total
