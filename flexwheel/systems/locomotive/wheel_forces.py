"""Forces of the eight wheels on their rails: Hertz and Kalker by table, saturation, a lateral stop.

Source: paper 000, section 3.4. Verified in tests/systems/locomotive: test_realtime_contact_verified.py,
test_realtime_run_verified.py.
"""

import numpy as np

from flexwheel.contact.saturation import saturation_factor
from flexwheel.numerics.kernels import kernel

STANDING = 1e-3  # [m/s] of a wheel; creepages are counted over no less


@kernel
def between(table, row, share, column):
    """Value of a column `share` of the way from one row to the next."""
    return table[row, column] + share * (table[row + 1, column] - table[row, column])


@kernel
def creep_coefficients(core, scale):
    """G [ab c11, ab c22, (ab)^1.5 c23, (ab)^2 c33]/V times `scale`, with last step's normal force."""
    work, at, law = core.work, core.at, core.law
    table, limit = core.tables.hertz_kalker, core.tables.t_limit
    last = table.shape[0] - 1
    for lane in range(8):
        long = 0.5 * work[at.curvature + lane]  # 000 (21)
        across = 0.5 * (work[at.curvature + 8 + lane] + work[at.curvature + 16 + lane])  # 000 (21)
        if across < 1e-3 * long:
            across = 1e-3 * long
        t = (long - across) / (long + across)
        x = min(max((t + limit) / (2.0 * limit), 0.0), 1.0) * last
        k = min(int(x), last - 1)
        x -= k
        normal = work[at.normal_force + lane]
        size = np.cbrt(law.compliance * normal / (long + across))  # 000 (20)
        a, b = size * between(table, k, x, 0), size * between(table, k, x, 1)
        c11, c22 = between(table, k, x, 2), between(table, k, x, 3)
        c23, c33 = between(table, k, x, 4), between(table, k, x, 5)
        speed = max(work[at.creep + 24 + lane], STANDING)
        ab = a * b
        root = np.sqrt(ab)
        factor = law.shear_modulus * ab / speed
        f11, f22, f23, f33 = factor * c11, factor * c22, factor * root * c23, factor * ab * c33  # 000 (24), (33)
        if law.friction > 0.0:
            vx, vy, spin = work[at.creep + lane], work[at.creep + 8 + lane], work[at.creep + 16 + lane]
            fx, fy = f11 * vx, f22 * vy + f23 * spin
            saturation = saturation_factor(np.sqrt(fx * fx + fy * fy), law.friction * normal)
            f11, f22, f23, f33 = saturation * f11, saturation * f22, saturation * f23, saturation * f33
        work[at.creep_coefficient + lane] = scale * f11
        work[at.creep_coefficient + 8 + lane] = scale * f22
        work[at.creep_coefficient + 16 + lane] = scale * f23
        work[at.creep_coefficient + 24 + lane] = scale * f33


@kernel
def push_wheel(core, lane, fx, fy, mz):
    """Force [N] along t_x and t_y and moment [N m] about the normal at the contact of a wheel, into delta."""
    work, at, wheelset = core.work, core.at, lane // 2
    for column in range(at.width):
        j = core.tables.columns[wheelset, column]
        if j < 0:
            continue
        total = 0.0
        for k in range(6):
            wrench = work[at.rows + 8 * k + lane] * fx + work[at.rows + 8 * (6 + k) + lane] * fy  # 000 (23)
            if k >= 3:
                wrench += work[at.rows + 8 * (9 + k) + lane] * mz
            total += work[at.jacobian + (6 * wheelset + k) * at.width + column] * wrench
        work[at.delta + j] += total


@kernel
def add_creep_forces(core):
    """Creep forces of the present velocities into delta, and the implicit part away (explicit methods only)."""
    work, at = core.work, core.at
    for lane in range(8):
        c11, c22 = work[at.creep_coefficient + lane], work[at.creep_coefficient + 8 + lane]
        c23, c33 = work[at.creep_coefficient + 16 + lane], work[at.creep_coefficient + 24 + lane]
        vx, vy, spin = work[at.creep + lane], work[at.creep + 8 + lane], work[at.creep + 16 + lane]
        for i in range(4):
            work[at.creep_coefficient + 8 * i + lane] = 0.0
        push_wheel(core, lane, -c11 * vx, -c22 * vy - c23 * spin, c23 * vy - c33 * spin)  # 000 (29), (30)


@kernel
def add_stop_forces(core):
    """Lateral stop of each wheel against its rail, on the shift and its rate, into delta; it pushes, it never pulls."""
    work, at, law = core.work, core.at, core.law
    for lane in range(8):
        side = 1.0 if lane % 2 == 0 else -1.0
        shift = side * (work[at.surface + 24 + lane] - work[at.surface + 8 + lane]) - law.flange_clearance
        work[at.stop_force + lane] = 0.0
        if shift <= 0.0:
            continue
        rate = side * (work[at.surface_rate + 24 + lane] - work[at.surface_rate + 8 + lane])
        force = -side * max(law.flange_stiffness * shift + law.flange_damping * rate, 0.0)
        work[at.stop_force + lane] = force
        push_wheel(core, lane, 0.0, force, 0.0)
