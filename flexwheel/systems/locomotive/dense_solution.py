"""Solutions of the step system beside the sparse one: coordinate partitioning and the augmented form.

Coordinate partitioning (paper 000, section 4): LU with full pivoting of the normal constraints' Jacobian picks the
dependent velocities anew at every solution, eliminates them, and a dense solution of 22 unknowns gives the rest.
The augmented form is (14) with the creep forces implicit as in (40): 102 unknowns, velocities of all coordinates and
surface coordinates, normal and tangent multipliers.

Verified in tests/systems/locomotive/test_realtime_forms_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel

WHEELS = 8
SPARSE, PARTITIONED, AUGMENTED = 0, 1, 2
SMALLEST_PIVOT = 1e-9  # of the first


class Dense(NamedTuple):
    """Structure and scratch of the dense solutions."""

    kind: int  # SPARSE, PARTITIONED or AUGMENTED
    mass_rows: np.ndarray  # (m,) places of the block `mass`
    mass_columns: np.ndarray  # (m,)
    spin: np.ndarray  # (4,) coordinate of each wheelset's spin
    matrix: np.ndarray  # (n, n) of the system (40); right, normal and gamma too
    right: np.ndarray  # (n,)
    normal: np.ndarray  # (8, n)
    gamma: np.ndarray  # (8,)
    reduced: np.ndarray  # (8, n + 1) eliminated constraints
    chosen: np.ndarray  # (n,) order of the coordinates
    rows: np.ndarray  # (8,) order of the wheels
    system: np.ndarray  # (n + 72, n + 73)
    one: np.ndarray


def make_dense(kind, mass_keys, spin, n):
    """Scratch of the dense solutions for n coordinates."""
    keys = np.array(mass_keys, np.int64).reshape(-1, 2)
    size = n + 4 * WHEELS + 5 * WHEELS
    return Dense(
        kind, keys[:, 0].copy(), keys[:, 1].copy(), np.array(spin, np.int64), np.zeros((n, n)), np.zeros(n),
        np.zeros((WHEELS, n)), np.zeros(WHEELS), np.zeros((WHEELS, n + 1)), np.zeros(n, np.int64),
        np.zeros(WHEELS, np.int64), np.zeros((size, size + 1)), np.zeros((n, n + 1)),
    )  # fmt: skip


@kernel
def eliminate(a, size):
    """Gauss elimination with partial pivoting of a[:size, :size + 1]; the solution ends in the last column."""
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if not abs(a[best, k]) > 0.0:
            return False
        if best != k:
            for j in range(k, size + 1):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        for i in range(k + 1, size):
            factor = a[i, k] / a[k, k]
            if factor != 0.0:
                for j in range(k + 1, size + 1):
                    a[i, j] -= factor * a[k, j]
    for k in range(size - 1, -1, -1):
        total = a[k, size]
        for j in range(k + 1, size):
            total -= a[k, j] * a[j, size]
        a[k, size] = total / a[k, k]
    return True


@kernel
def choose_dependent(dense, right):
    """Full-pivoting elimination of normal x = right: x[chosen[:8]] = reduced[:, n] - reduced[:, 8:n] x[chosen[8:]].

    Returns the constraint that has no pivot left, or -1.
    """
    a, normal, chosen, rows = dense.reduced, dense.normal, dense.chosen, dense.rows
    n = normal.shape[1]
    for i in range(WHEELS):
        rows[i] = i
        for j in range(n):
            a[i, j] = normal[i, j]
        a[i, n] = right[i]
    for j in range(n):
        chosen[j] = j
    first = 0.0
    for k in range(WHEELS):
        row, column = k, k
        for i in range(k, WHEELS):
            for j in range(k, n):
                if abs(a[i, j]) > abs(a[row, column]):
                    row, column = i, j
        pivot = a[row, column]
        first = max(first, abs(pivot))
        if not abs(pivot) > SMALLEST_PIVOT * first:
            return rows[k]
        if row != k:
            rows[k], rows[row] = rows[row], rows[k]
            for j in range(n + 1):
                a[k, j], a[row, j] = a[row, j], a[k, j]
        if column != k:
            chosen[k], chosen[column] = chosen[column], chosen[k]
            for i in range(WHEELS):
                a[i, k], a[i, column] = a[i, column], a[i, k]
        for j in range(k, n + 1):
            a[k, j] /= pivot
        for i in range(WHEELS):
            factor = a[i, k]
            if i != k and factor != 0.0:
                for j in range(k, n + 1):
                    a[i, j] -= factor * a[k, j]
    return -1


@kernel
def _normal_rows(core, dense, place):
    """Jacobian of the normal constraints from rows on the wheelsets' twists at a place of the work array."""
    work, at, tables = core.work, core.at, core.tables
    dense.normal[:] = 0.0
    for lane in range(WHEELS):
        wheelset = lane // 2
        for c in range(at.width):
            j = tables.columns[wheelset, c]
            if j >= 0:
                total = 0.0
                for k in range(6):
                    total += work[place + 8 * k + lane] * work[at.jacobian + (6 * wheelset + k) * at.width + c]
                dense.normal[lane, j] = total


@kernel
def assemble(core, dense):
    """Matrix, right-hand side and constraints of (40)."""
    work, at, tables = core.work, core.at, core.tables
    n, dt = at.n, work[at.time_step]
    matrix, right = dense.matrix, dense.right
    matrix[:] = 0.0
    for k in range(dense.mass_rows.size):
        i, j = dense.mass_rows[k], dense.mass_columns[k]
        matrix[i, j] = matrix[j, i] = work[at.mass + k]
    for i in range(n):
        right[i] = work[at.delta + i] * dt
        for j in range(n):
            right[i] += matrix[i, j] * work[at.qd + j]  # 000 (39), (40)
    for wheelset in range(WHEELS // 2):
        place = at.jacobian + 6 * wheelset * at.width
        for c in range(at.width):
            j = tables.columns[wheelset, c]
            if j < 0:
                continue
            for a in range(6):
                force = 0.0
                for b in range(6):
                    pair = at.creep_matrix + 8 * (6 * a + b) + 2 * wheelset
                    force += (work[pair] + work[pair + 1]) * work[place + b * at.width + c]
                for r in range(at.width):
                    i = tables.columns[wheelset, r]
                    if i >= 0:
                        matrix[i, j] += work[place + a * at.width + r] * force
    _normal_rows(core, dense, at.rows + 96)
    for lane in range(WHEELS):
        total = work[at.gamma + lane] * dt
        for j in range(n):
            total += dense.normal[lane, j] * work[at.qd + j]
        dense.gamma[lane] = total


@kernel
def solve_partitioned(core, dense):
    """Velocities and normal forces of (40) by coordinate partitioning; -1, or the wheel without a pivot."""
    work, at = core.work, core.at
    n = at.n
    assemble(core, dense)
    bad = choose_dependent(dense, dense.gamma)
    if bad >= 0:
        return bad
    a, one, chosen, matrix = dense.reduced, dense.one, dense.chosen, dense.matrix
    free = n - WHEELS
    x = dense.system[0]
    for j in range(n):  # particular solution: independent velocities zero
        x[j] = 0.0
    for k in range(WHEELS):
        x[chosen[k]] = a[k, n]
    # columns of T: independent velocity j moves the dependent ones by -a[:, 8 + j]
    product = dense.system[1 : 1 + n]
    for i in range(n):
        rest = dense.right[i]
        for j in range(n):
            rest -= matrix[i, j] * x[j]
        product[i, free] = rest
        for j in range(free):
            total = matrix[i, chosen[WHEELS + j]]
            for k in range(WHEELS):
                total -= matrix[i, chosen[k]] * a[k, WHEELS + j]
            product[i, j] = total
    for i in range(free):
        for j in range(free + 1):
            total = product[chosen[WHEELS + i], j]
            for k in range(WHEELS):
                total -= a[k, WHEELS + i] * product[chosen[k], j]
            one[i, j] = total
    if not eliminate(one, free):
        return 0
    for j in range(free):
        value = one[j, free]
        x[chosen[WHEELS + j]] = value
        for k in range(WHEELS):
            x[chosen[k]] -= a[k, WHEELS + j] * value
    for k in range(WHEELS):  # multipliers from the dependent rows
        i = chosen[k]
        rest = dense.right[i]
        for j in range(n):
            rest -= matrix[i, j] * x[j]
        one[k, WHEELS] = rest
        for lane in range(WHEELS):
            one[k, lane] = dense.normal[lane, i]
    for j in range(n):
        work[at.solution + j] = x[j]
    if not eliminate(one, WHEELS):
        return 0
    for lane in range(WHEELS):
        work[at.new_normal_force + lane] = -one[lane, WHEELS] / work[at.time_step]
    return -1


@kernel
def solve_augmented(core, dense):
    """Velocities and normal forces of the augmented form; False when it is singular. Needs the kernel `augmented`."""
    work, at, tables = core.work, core.at, core.tables
    n, dt = at.n, work[at.time_step]
    assemble(core, dense)
    a = dense.system
    size = n + 9 * WHEELS
    a[:] = 0.0
    for i in range(n):
        a[i, size] = dense.right[i]
        for j in range(n):
            a[i, j] = dense.matrix[i, j]
    for lane in range(WHEELS):
        wheelset = lane // 2
        for i in range(5):
            row = n + 4 * WHEELS + (lane if i == 0 else WHEELS + 4 * lane + i - 1)
            right = work[at.augmented_gamma + 8 * i + lane] * dt
            for c in range(at.width):
                j = tables.columns[wheelset, c]
                if j < 0 or j == dense.spin[wheelset]:
                    continue
                total = 0.0
                for k in range(6):
                    jacobian = work[at.jacobian + (6 * wheelset + k) * at.width + c]
                    total += work[at.augmented_rows + 8 * (6 * i + k) + lane] * jacobian
                a[row, j] = a[j, row] = total  # 000 (14)
                right += total * work[at.qd + j]
            for k in range(4):
                j = n + 4 * lane + k
                entry = work[at.augmented_surface + 8 * (4 * i + k) + lane]
                a[row, j] = a[j, row] = entry
                right += entry * work[at.surface_rate + 8 * k + lane]
            a[row, size] = right
    if not eliminate(a, size):
        return False
    for j in range(n):
        work[at.solution + j] = a[j, size]
    for lane in range(WHEELS):
        work[at.new_normal_force + lane] = -a[n + 4 * WHEELS + lane, size] / dt
    return True


@kernel
def project_partitioned(core, dense, velocity):
    """Newton step of the normal constraints on the dependent coordinates, or the same for velocities; as above -1."""
    work, at = core.work, core.at
    n = at.n
    _normal_rows(core, dense, at.normal_row)
    for lane in range(WHEELS):
        total = work[at.normal_row + 48 + lane]
        if velocity:
            total = 0.0
            for j in range(n):
                total += dense.normal[lane, j] * work[at.qd + j]
        dense.gamma[lane] = -total
    bad = choose_dependent(dense, dense.gamma)
    if bad >= 0:
        return bad
    place = at.qd if velocity else at.q
    for k in range(WHEELS):
        work[place + dense.chosen[k]] += dense.reduced[k, n]  # 000 (18), (43)
    return -1
