"""The system of a step (40) by wheelsets, which stand in lanes.

Lane kernel `condense` assembles what a wheelset adds to (40) and eliminates its own velocities (height, roll, spin) and
its two normal forces; kernel `solve` sums the rest over the wheelsets, solves it and substitutes back. Unknowns are
changes of velocity u, so that M v need not be formed, with J the normal constraints' rows and p the normal forces:

    (M + G^T C G) u - J^T p dt = delta dt - G^T C G v,    J u = gamma dt

Verified in tests/systems/locomotive/test_realtime_forms_verified.py (coordinate partitioning of the dense system).
"""

from flexwheel.systems.symbolic.expression import constant
from flexwheel.systems.symbolic.program import LANES
from flexwheel.systems.symbolic.sparse_lu import eliminate, substitute
from flexwheel.systems.symbolic.symbolic_vectors import total

WHEELSETS = LANES // 2
OWN = 3  # height, roll and spin: the last of the coordinates that move a wheelset


def add_solution(step):
    """Kernels `condense` and `solve` of a StepProgram."""
    wheelsets, dt = step.model.wheelsets, step.step
    own = [w.coordinates[-OWN:] for w in wheelsets]
    shared = [_shared(step, w) for w in wheelsets]
    size = max(map(len, shared))
    a, b = _of_wheelset(step, own, shared)
    order = (size + 2, size, size + 1, size + 3, size + 4)  # spin, height, roll, normal forces
    inverse = eliminate(a, b, order, range(size))
    parts = {"a": a, "b": b, "inverse": inverse}
    keys = [(name, key) for name, part in parts.items() for key in part]
    block = step.layout.block("condensed", len(keys), WHEELSETS)
    step.program.kernel("condense", [(block.at(k), parts[n][key]) for k, (n, key) in enumerate(keys)], WHEELSETS)

    rest = [k for k in step.model.pivots if k < step.n and not any(k in o for o in own)]
    matrix = {key: value for key, value in step.mass.items() if key[0] in rest and key[1] in rest}
    right = {k: step.read(f"delta[{k}]", step.layout["delta"].at(k)) * dt for k in rest}
    condensed = []
    for w, outer in enumerate(shared):
        read = {"a": {}, "b": {}, "inverse": {}}
        for k, (name, key) in enumerate(keys):
            if name == "inverse" or all(p not in range(len(outer), size) for p in (key if name == "a" else (key,))):
                read[name][key] = step.read(f"condensed[{k}].{w}", block.at(k) + w)
        condensed.append(read)
        for (p, q), value in read["a"].items():
            if max(p, q) < size:
                key = outer[p], outer[q]
                matrix[key] = matrix[key] + value if key in matrix else value
        for p, j in enumerate(outer):
            right[j] = right[j] + read["b"][p]
    x = substitute(matrix, right, eliminate(matrix, right, rest), rest, {})
    forces = []
    for read, mine, outer in zip(condensed, own, shared, strict=True):
        known = {p: x[j] for p, j in enumerate(outer)}
        found = substitute(*read.values(), order, known, range(len(outer)))
        x |= {j: found[size + k] for k, j in enumerate(mine)}
        forces += [-found[size + OWN + side] / dt for side in range(2)]
    outputs = [(step.layout["solution"].at(k), step.system.qd[k] + x[k]) for k in range(step.n)]
    step.program.kernel("solve", outputs + [(step.layout["new_normal_force"].at(k), f) for k, f in enumerate(forces)])


def _shared(step, wheelset):
    """Coordinates that a wheelset's own ones are coupled with: those that move it too, then those of masses on it."""
    own = wheelset.coordinates[-OWN:]
    coupled = {j for i, j in step.mass if i in own} - set(wheelset.coordinates)
    return (*wheelset.coordinates[:-OWN], *sorted(coupled))


def _of_wheelset(step, own, shared):
    """What a wheelset adds to (40): entries by (row, column), right-hand side by row; shared, own, normal forces."""
    size, layout, wheels = max(map(len, shared)), step.layout, (0, 1)
    moved = len(step.model.wheelsets[0].coordinates) - OWN
    columns = {p: p for p in range(moved)} | {size + k: moved + k for k in range(OWN)}  # of the Jacobian
    zero = layout.block("zero", 1).at(0)

    def each(name, place):
        return step.read(f"wheelset {name}", tuple(place(w) for w in range(WHEELSETS)))

    def coordinate(p, w):
        return own[w][p - size] if p >= size else shared[w][p] if p < len(shared[w]) else None

    def jacobian(k, c):
        first = step.jacobian[0, k, c]
        if all(step.jacobian[w, k, c].literal == first.literal for w in range(WHEELSETS)):
            return first  # a number
        return each(f"J[{k},{c}]", lambda w: step.jacobian_place(w, k, c))

    def mass(p, q):
        keys = [(coordinate(p, w), coordinate(q, w)) for w in range(WHEELSETS)]
        places = [step.mass_place.get((min(k), max(k)), zero) if None not in k else zero for k in keys]
        return each(f"M[{p},{q}]", places.__getitem__) if any(x != zero for x in places) else None

    def wheel(name, index, side):
        return each(f"{name}[{index}].{side}", lambda w: layout[name].at(index) + 2 * w + side)

    dt = each("dt", lambda w: layout["time_step"].at(0))
    jac = [{p: jacobian(k, c) for p, c in columns.items()} for k in range(6)]
    damping = [[total(wheel("creep_matrix", 6 * i + j, s) for s in wheels) for j in range(6)] for i in range(6)]
    turned = [{p: total(damping[i][k] * jac[k][p] for k in range(6)) for p in columns} for i in range(6)]
    rates = {p: each(f"qd[{p}]", lambda w, p=p: layout["qd"].at(coordinate(p, w))) for p in columns}
    twist = [total(jac[k][p] * rates[p] for p in columns) for k in range(6)]
    force = [total(damping[i][k] * twist[k] for k in range(6)) for i in range(6)]
    a = {(p, q): total(jac[k][p] * turned[k][q] for k in range(6)) for p in columns for q in columns}  # 000 (36)
    b = {p: constant(step.graph, 0.0) for p in range(size)}
    b |= {p: -total(jac[k][p] * force[k] for k in range(6)) for p in columns}
    for p in range(size, size + OWN):
        b[p] = b[p] + each(f"delta[{p}]", lambda w, p=p: layout["delta"].at(coordinate(p, w))) * dt
        for q in range(size + OWN):
            entry = mass(p, q)
            for key in {(p, q), (q, p)} if entry is not None and (q < size or q >= p) else ():
                a[key] = a[key] + entry if key in a else entry
    for side in wheels:
        row = size + OWN + side
        normal = [wheel("rows", 12 + k, side) for k in range(6)]
        for p in columns:
            a[row, p] = a[p, row] = total(normal[k] * jac[k][p] for k in range(6))  # 000 (15)
        b[row] = wheel("gamma", 0, side) * dt
    return {key: value for key, value in a.items() if not value.is_zero()}, b
