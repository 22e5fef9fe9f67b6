"""Contact of the real-time core alone: ACCF beside ECCF, creep forces, ellipse, look-up, geometry, saturation."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.systems.locomotive import wheel_forces
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.operation_counts import whole_model
from flexwheel.systems.locomotive.step_program import CURVES
from flexwheel.systems.locomotive.wheel_rail_geometry import contact_geometry
from flexwheel.systems.symbolic.atoms import Graph
from flexwheel.systems.symbolic.calculus import Derivative, differentiate, evaluate, jacobian
from tests.hertz_contact import solve
from tests.systems.locomotive.realtime_support import CONES, EXAMPLE, block, locomotive, settled

E, NU = 210e9, 0.27


def contact_state(loco):
    """Per wheel: half curvatures A, B, normal force of the last step before, and the four coefficients."""
    kx, kw, kr = block(loco, "curvature")
    return 0.5 * kx, 0.5 * (kw + kr), block(loco, "creep_coefficient") / loco.time_step, block(loco, "creep")


@pytest.mark.parametrize("choice, modulus", [("right", E / (2 * (1 + NU))), ("paper", E / (2 * (1 - NU)))])
def test_creep_coefficients_by_the_books(choice, modulus):
    """G ab c11/V and the rest, from Hertz with elliptic integrals and Kalker's table at the wheel's own curvatures."""
    loco = locomotive(f"contact.shear_modulus='{choice}'", "contact.flange_stiffness_n_m=0.0")
    loco.run(400)
    before = loco.normal_forces
    loco.step(1)
    A, B, coefficients, creep = contact_state(loco)
    for wheel in range(8):
        ellipse = solve(A[wheel], B[wheel], before[wheel], E / (2.0 * (1.0 - NU**2)))
        c11, c22, c23, c33 = kalker_coefficients(ellipse.a / ellipse.b, NU)
        ab = ellipse.a * ellipse.b
        expected = modulus / creep[3, wheel] * np.array([ab * c11, ab * c22, ab**1.5 * c23, ab**2 * c33])
        assert coefficients[:, wheel] == pytest.approx(expected, rel=2e-3)  # linear interpolation in 401 rows


def test_curvatures_of_cone_and_rail():
    """A cone's radius along its normal is r/cos(gamma) and its section is straight; the rail's is its spline's."""
    loco = settled()
    loco.step(1)
    kx, kw, kr = block(loco, "curvature")
    _, u, _, v = loco.surface
    gamma = np.arctan(0.025)
    radius = 0.5 - 0.025 * np.where(np.arange(8) % 2 == 0, u, -u)
    assert 1.0 / kx == pytest.approx(radius / np.cos(gamma), rel=1e-4)  # the wheelset is turned by some 1e-5 rad
    assert kw == pytest.approx(np.zeros(8), abs=1e-12)
    rail = loco._profiles.rail_left
    assert kr == pytest.approx(-rail(v, 2) / (1.0 + rail(v, 1) ** 2) ** 1.5, rel=1e-3)


def test_saturation_bounds_the_force():
    """With friction 0.02 no tangential force passes 0.02 N; with it large the law is the linear one."""
    still = "contact.flange_stiffness_n_m=0.0"
    free, bound = locomotive(still), locomotive(still, "contact.friction=0.02")
    source = read_realtime_scenario(EXAMPLE, [*CONES, still])
    large = source.contact.model_copy(update={"friction": 1e4})  # beyond what the key allows
    loose = build_locomotive_run(dataclasses.replace(source, contact=large))
    for loco in (free, bound, loose):
        loco.run(400)
    out = bound.outputs()
    use = np.hypot(out["longitudinal_force"], out["lateral_force"]) / (0.02 * out["normal_force"])
    assert use.max() <= 1.02  # the normal force is one step older than the bound
    assert use.max() > 0.5
    assert loose.q == pytest.approx(free.q, rel=1e-4, abs=1e-6)


def test_augmented_system_gives_the_same_accelerations():
    """Equation 14 with all 40 constraints differentiated twice symbolically, beside the step's embedded equation 15."""
    moved = locomotive("contact.flange_stiffness_n_m=0.0")
    moved.run(1800)
    loco = locomotive("contact.method='explicit'", "contact.flange_stiffness_n_m=0.0")
    loco.restore_state(moved.save_state())
    loco._block("time_step")[0] = 1e-9
    q, qd = loco.q.copy(), loco.qd.copy()
    surface, rates = block(loco, "surface").copy(), block(loco, "surface_rate").copy()
    loco.step(1)
    acceleration = (block(loco, "solution") - qd) / 1e-9
    moved._block("time_step")[0] = 1e-9  # creep forces on the left of (40): the same ones in the limit
    moved.step(1)
    implicit = (block(moved, "solution") - qd) / 1e-9
    assert implicit == pytest.approx(acceleration, abs=1e-5 * np.abs(acceleration).max())
    force = loco.normal_forces
    whole = whole_model(loco.values)
    system = whole.locomotive.system
    values = {**loco.values, "half_spacing": 0.5 * loco.values["geometry.wheel_reference_spacing"]}
    values |= dict(zip(system.names, q, strict=True)) | {f"{n}'": v for n, v in zip(system.names, qd, strict=True)}
    spline = block(loco, "spline")
    for wheel in range(8):
        for k, name in enumerate(("angle", "u_wheel", "s_rail", "u_rail")):
            values[f"{name}.{wheel}"] = surface[k, wheel]
            values[f"rate.{k}.{wheel}"] = rates[k, wheel]
        for c, curve in enumerate(CURVES):
            for k, part in enumerate(("a", "b", "c", "d", "break")):
                values[f"{curve}.{part}.{wheel}"] = spline[5 * c + k, wheel]
    graph = system.graph
    motion = Derivative(graph, dict(zip((*system.q, *whole.surface), (*system.qd, *whole.surface_rates), strict=True)))
    constraints = [*whole.functions["phi_n"], *whole.functions["phi_d"]]
    gamma = [-motion(motion(phi)) for phi in constraints]
    unknowns = [*system.q, *whole.surface]
    for name, rows in (("phi_n", range(8)), ("phi_d", range(8, 40))):  # formed from rates, beside differentiated ones
        formed = whole.entries[f"d{name}/dq"]
        formed = dict(zip(formed, evaluate(list(formed.values()), values), strict=True))
        direct = jacobian([constraints[row] for row in rows], list(system.q))
        direct = dict(zip(direct, evaluate(list(direct.values()), values), strict=True))
        for key in {*formed, *direct}:
            assert formed.get(key, 0.0) == pytest.approx(direct.get(key, 0.0), abs=1e-12)
    matrix = np.zeros((102, 102))
    mass_keys = loco.generated.mass_keys
    for (i, j), value in zip(mass_keys, block(loco, "mass"), strict=True):
        matrix[i, j] = matrix[j, i] = value
    entries = jacobian(constraints, unknowns)
    for (row, column), value in zip(entries, evaluate(list(entries.values()), values), strict=True):
        matrix[62 + row, column] = matrix[column, 62 + row] = value
    right = np.concatenate([block(loco, "delta"), np.zeros(32), evaluate(gamma, values)])
    solution = np.linalg.solve(matrix, right)
    scale = np.abs(acceleration).max()
    assert solution[:30] == pytest.approx(acceleration, abs=1e-5 * scale)  # difference quotient over 1e-9 s
    assert -solution[62:70] == pytest.approx(force, rel=1e-4)
    assert np.abs(solution[70:]).max() <= 1e-4 * force.max()  # tangent constraints carry no force


def test_tangents_and_normal_of_a_twisting_rail():
    """t_x along d(rail point)/ds, by symbolic derivatives; n of unit length, square to that and to d/du."""
    graph = Graph()
    geometry = contact_geometry(graph)
    random = np.random.default_rng(5)
    parts = "a", "b", "c", "d", "break"
    values = {f"{curve}.{c}": random.uniform(-0.3, 0.3) for curve in geometry.coefficients for c in parts}
    values |= {"angle": 0.1, "u_wheel": 0.02, "s_rail": 0.4, "u_rail": -0.3, "track_x.c": 1.0}
    along, across = (
        np.array(evaluate([differentiate(x, geometry.surface[k]) for x in geometry.rail_point], values)) for k in (2, 3)
    )
    normal, tangent, sideways = (
        np.array(evaluate(list(geometry.base_line.to_ground(v)), values)) for v in geometry.directions
    )
    assert np.abs(np.cross(tangent, along)).max() < 1e-12
    assert np.abs(np.cross(sideways, across)).max() < 1e-12
    assert [normal @ along, normal @ across, normal @ normal, tangent @ tangent] == pytest.approx(
        [0, 0, 1, 1], abs=1e-12
    )


def test_lateral_stop_is_a_spring_and_a_damper_that_push(monkeypatch):
    """Left wheel 2 mm into its stop, going in at 0.05 m/s: 1e6 * 2e-3 + 1e4 * 0.05 inwards; out at 0.5 m/s: nothing."""
    pushed = {}
    monkeypatch.setattr(wheel_forces, "push_wheel", lambda core, lane, fx, fy, mz: pushed.update({lane: (fx, fy, mz)}))
    at = SimpleNamespace(surface=0, surface_rate=32, stop_force=64)
    law = SimpleNamespace(flange_clearance=5e-3, flange_stiffness=1e6, flange_damping=1e4)
    work = np.zeros(72)
    for lane, rate in ((0, 0.05), (1, 0.05), (2, -0.5)):
        side = 1.0 if lane % 2 == 0 else -1.0
        work[at.surface + 24 + lane], work[at.surface_rate + 24 + lane] = side * 7e-3, side * rate
    wheel_forces.add_stop_forces.py_func(SimpleNamespace(work=work, at=at, law=law))
    assert work[at.stop_force : at.stop_force + 8] == pytest.approx([-2500.0, 2500.0, 0, 0, 0, 0, 0, 0])
    assert pushed[0] == pytest.approx((0.0, -2500.0, 0.0)) and pushed[1] == pytest.approx((0.0, 2500.0, 0.0))
    assert set(pushed) == {0, 1, 2}
