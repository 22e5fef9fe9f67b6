"""Other forms of the step (paper 000, eqs 14, 15, 40 and sections 4, 5) beside the sparse one: they must agree."""

import numpy as np
import pytest

from flexwheel.base.errors import ContactError, ConvergenceError, ScenarioError
from tests.systems.locomotive.realtime_support import EXAMPLE, block, locomotive, settled

SOLUTIONS = "sparse", "partitioned", "augmented"


def in_the_curve(*settings):
    """Locomotive of the example at 4.5 s, in the sharpest part of the first curve."""
    loco = locomotive("track.knot_spacing_m=0.5")
    loco.run(4500)
    other = locomotive("track.knot_spacing_m=0.5", *settings)
    other.restore_state(loco.save_state())
    return other


@pytest.fixture(scope="module")
def sparse():
    loco = in_the_curve()
    loco.step(1)
    return loco


@pytest.mark.parametrize("solution", ["partitioned", "augmented"])
def test_one_step_gives_the_same_velocities_and_forces(sparse, solution):
    """Full-pivoting partitioning solves the same system; (14) is derived apart and must give the same motion."""
    loco = in_the_curve(f"contact.solution='{solution}'")
    loco.step(1)
    scale = np.abs(block(sparse, "solution")).max()
    assert block(loco, "solution") == pytest.approx(block(sparse, "solution"), abs=1e-11 * scale)
    assert block(loco, "new_normal_force") == pytest.approx(block(sparse, "new_normal_force"), rel=1e-7)


def test_augmented_form_runs_as_the_embedded_one():
    one, other = in_the_curve(), in_the_curve("contact.solution='augmented'")
    one.run(500)
    other.run(500)
    assert other.q == pytest.approx(one.q, abs=1e-8)
    assert other.normal_forces == pytest.approx(one.normal_forces, rel=1e-6)


def test_partitioned_run_differs_by_the_projection_only():
    """Other dependent coordinates take the projection's first-order corrections: the difference falls with the step."""
    gaps = []
    for dt in (1e-3, 5e-4):
        one, other = (in_the_curve(f"run.step_s={dt}", f"contact.solution='{s}'") for s in SOLUTIONS[:2])
        one.run(round(0.5 / dt))
        other.run(round(0.5 / dt))
        gaps.append(np.abs(other.q[:6] - one.q[:6]).max())
        assert other.normal_forces == pytest.approx(one.normal_forces, rel=3e-3)
        assert np.abs(block(other, "normal_row")[6]).max() <= 1e-6
    assert gaps[0] < 2e-4
    assert gaps[1] < 0.6 * gaps[0]


def test_trapezoidal_rule_is_of_second_order():
    """Halving the step quarters the error of a lateral transient, once the creep's own transient is over."""
    calm = "contact.flange_stiffness_n_m=0.0", "contact.method='trapezoidal'"
    start = settled("run.step_s=1e-4", *calm)
    start.q[1] += 5e-4
    start.project()
    start.run(2000)
    state, ends = start.save_state(), []
    for dt in (4e-3, 2e-3, 1e-3, 2.5e-4):
        loco = settled(f"run.step_s={dt}", *calm)
        loco.restore_state(state)
        before = loco.q[0]
        loco.run(round(0.4 / dt))
        assert loco.q[0] - before == pytest.approx(0.4 * loco.qd[0], rel=1e-4)  # it rolls on as far as it is fast
        ends.append(loco.q[[1, 3]] * [1.0, 10.0])
    errors = [np.linalg.norm(e - ends[-1]) for e in ends[:-1]]
    expected = [np.log2((16.0 - 0.0625) / (4.0 - 0.0625)), np.log2((4.0 - 0.0625) / (1.0 - 0.0625))]
    assert [np.log2(errors[k] / errors[k + 1]) for k in range(2)] == pytest.approx(expected, abs=0.05)


def test_trapezoidal_run_through_the_curve():
    """Stable at 1 ms, and the first-order step converges to it."""
    ends = {}
    for name, dt in (("trapezoidal", 1e-3), ("imex", 1e-3), ("imex", 2.5e-4)):
        loco = in_the_curve(f"contact.method='{name}'", f"run.step_s={dt}")
        loco.run(round(1.0 / dt))
        ends[name, dt] = loco.q[:6].copy()
    far = np.abs(ends["imex", 1e-3] - ends["trapezoidal", 1e-3]).max()
    near = np.abs(ends["imex", 2.5e-4] - ends["trapezoidal", 1e-3]).max()
    assert near < 0.4 * far


@pytest.mark.parametrize("solution", SOLUTIONS)
def test_singular_constraints_end_in_an_error(solution, tmp_path):
    """Cylinders, both of every axle on one rail: their two constraints are one, in whichever form."""
    cone = (EXAMPLE.parents[1] / "flexwheel" / "vehicle" / "files" / "feve3000_profiles_cone.csv").read_text()
    flat = [line.split(",") for line in cone.splitlines()]
    flat = [[*f[:3], "0", "0", "0", "0.5"] if f[0].startswith("wheel_") else f for f in flat]
    (tmp_path / "flat.csv").write_text("\n".join(",".join(f) for f in flat))
    one_rail = 'vehicle.values={"geometry.wheel_reference_spacing"=0.0,"geometry.rail_reference_spacing"=0.0}'
    with pytest.raises(ConvergenceError, match=r"wheel (front|rear)\.[12] (left|right) at t = 0.0000 s.*singular"):
        locomotive(
            one_rail, f"vehicle.profiles='{tmp_path / 'flat.csv'}'", "track.amplitude_mm=0.0",
            f"contact.solution='{solution}'",
        )  # fmt: skip


def test_constraints_that_become_singular_keep_the_last_good_state():
    loco = locomotive("track.amplitude_mm=0.0")
    loco.run(100)
    before = loco.save_state()
    loco._block("fixed")[:8] = 0.0  # half the wheel spacing
    with pytest.raises((ConvergenceError, ContactError), match=r"wheel .* at t = 0\.1000 s"):
        loco.step(1)
    assert np.array_equal(loco.save_state(), before)


def test_unknown_solution():
    with pytest.raises(ScenarioError, match="'sparse', 'partitioned' or 'augmented'"):
        locomotive("contact.solution='magic'")


def test_constraint_jacobians_by_differences():
    """Rows of all five constraints of every wheel on q' and on the surface rates, against central differences."""
    loco = in_the_curve()
    loco.step(1)
    code, work = loco.generated.code, loco._work

    def constraints(q=None, surface=None):
        saved = work.copy()
        if q is not None:
            loco.q[q[0]] += q[1]
        if surface is not None:
            block(loco, "surface")[surface[0]] += surface[1]
        code.call("kinematics", work)
        code.call("tangent_newton", work)
        values = block(loco, "residual")[[4, 0, 1, 2, 3]].copy()  # the normal one first
        work[:] = saved
        return values

    code.call("kinematics", work)
    code.call("augmented", work)
    rows = block(loco, "augmented_rows").reshape(5, 6, 8)
    h = 1e-6
    width = loco.generated.blocks["jacobian"].count // 24
    jacobian = block(loco, "jacobian").reshape(4, 6, width)
    for index, name in enumerate(loco.coordinates):
        if name.endswith(".spin"):
            continue  # the constraints know the non-spinning frame only
        expected = (constraints(q=(index, h)) - constraints(q=(index, -h))) / (2.0 * h)
        got = np.zeros((5, 8))
        for w, columns in enumerate(loco.generated.columns):
            if index in columns:
                column = jacobian[w][:, columns.index(index)]
                got[:, 2 * w : 2 * w + 2] = np.einsum("ikl,k->il", rows[:, :, 2 * w : 2 * w + 2], column)
        assert got == pytest.approx(expected, abs=1e-7), name
    for k in range(4):
        expected = (constraints(surface=(k, h)) - constraints(surface=(k, -h))) / (2.0 * h)
        got = block(loco, "augmented_surface").reshape(5, 4, 8)[:, k]
        assert got == pytest.approx(expected, abs=1e-6, rel=1e-6)
    assert block(loco, "augmented_rows").reshape(5, 6, 8)[0] == pytest.approx(normal_rows(loco), abs=1e-12)


def normal_rows(loco):
    """Rows of the normal constraint as the step has them, (6, 8)."""
    loco.generated.code.call("normal_rows", loco._work)
    return block(loco, "normal_row")[:6]
