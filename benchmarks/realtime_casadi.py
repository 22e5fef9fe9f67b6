"""Generated code beside CasADi's C export of the same functions, all timed through the same loop in one run.

    python benchmarks/realtime_casadi.py        needs `pip install casadi` and a C compiler

Three tables, each with the largest difference of the values:

1. Every function of paper 000's table 2, built once in our graph and handed to CasADi operation by operation (SX, with
   its own elimination of common parts). Our C and CasADi's are compiled with the same options; ours also goes to
   machine code through LLVM.
2. The same derivatives left to CasADi: the mass matrix as the Hessian of the kinetic energy, Jacobians of the
   constraints by `jacobian`, gamma_n by `jtimes` of the closing velocities n . v.
3. The kernels of a time step at a state of the example, the eight wheels and four wheelsets in lanes in our C and as
   one call for each of the function of one in CasADi's, compiled for this processor; gathering CasADi's inputs is not
   counted. The solution once more with CasADi's own sparse QR factors of the assembled system.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.machine_code import call_kernel
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.locomotive import build_locomotive
from flexwheel.systems.locomotive.operation_counts import whole_model
from flexwheel.systems.locomotive.step_program import StepProgram
from flexwheel.systems.symbolic.atoms import CONSTANT, SYMBOL
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.compiled_program import compile_program, load_machine_code, work_array
from flexwheel.systems.symbolic.emit_c import emit_c
from flexwheel.systems.symbolic.expression import Expression
from flexwheel.systems.symbolic.program import PARAMETER_KERNEL, Program, WorkLayout
from flexwheel.systems.symbolic.symbolic_vectors import total

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "feve3000_curve.toml"
PLAIN, NATIVE = ("-O2",), ("-O3", "-march=native", "-fno-math-errno")
HARNESS = """
typedef long long int casadi_int;
int f(const double** arg, double** res, casadi_int* iw, double* w, int mem);
static double scratch[{scratch}];
static casadi_int integers[{integers}];
void kernel(double *w) {{
    const double *arg[{arguments}]; double *res[{results}];
    for (int k = 0; k < {repeat}; ++k) {{
        arg[0] = w + k * {inputs}; res[0] = w + {repeat} * {inputs} + k * {outputs};
        f(arg, res, integers, scratch, 0);
    }}
}}
"""


@kernel
def _calls(work, address, repeat):
    for _ in range(repeat):
        call_kernel(address, work)


def kernel_seconds(work, address, batch=2e-4, batches=1000):
    """Seconds of one call of machine code `void f(double *w)` at an address, least of batches of 0.2 ms."""

    def each(calls):
        begun = time.perf_counter()
        _calls(work, address, calls)
        return (time.perf_counter() - begun) / calls

    calls = max(1, int(batch / min(each(10) for _ in range(20))))
    return min(each(calls) for _ in range(batches))


def symbols_of(graph, expressions):
    """Symbols that expressions depend on, in order of their atoms."""
    atoms = [a for a in graph.order([e.literal for e in expressions]) if graph.op[a] == SYMBOL]
    return [Expression(graph, a) for a in atoms]


def compiled(sources, options, folder, *symbols):
    """Addresses of functions of C sources (name -> text), compiled to a library of their own."""
    place = Path(folder) / f"c{time.perf_counter_ns()}"
    place.mkdir()
    for name, text in sources.items():
        (place / name).write_text(text)
    library = place / "f.so"
    command = ["cc", *options, "-shared", "-fPIC", *(str(place / name) for name in sources), "-o", str(library), "-lm"]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))
    _LOADED.append(loaded)
    return [ctypes.cast(getattr(loaded, symbol), ctypes.c_void_p).value for symbol in symbols]


_LOADED = []


class Ours:
    """One function as a Program of ours: its machine code and its C."""

    def __init__(self, graph, expressions, inputs, values):
        layout = WorkLayout()
        first, self.last = layout.block("inputs", len(inputs)), layout.block("outputs", len(expressions))
        self.program = Program(graph, layout)
        self.program.inputs(inputs, first)
        self.program.kernel("f", [(self.last.at(k), e) for k, e in enumerate(expressions)])
        self.work = work_array(layout.size)
        self.work[: len(inputs)] = values

    def measured(self, address):
        """(seconds per call, outputs)."""
        seconds = kernel_seconds(self.work, address)
        return seconds, self.work[self.last.offset : self.last.offset + self.last.count].copy()

    def by_llvm(self):
        """Seconds and outputs of the machine code."""
        code = load_machine_code(compile_program(self.program, level=1), ("f",))
        return self.measured(code.addresses["f"])

    def by_c(self, options, folder):
        """Seconds and outputs of the C."""
        return self.measured(compiled({"f.c": emit_c(self.program)[0]}, options, folder, "f")[0])


def theirs(function, values, folder, options=PLAIN):
    """(seconds, outputs) of CasADi's C for one row of inputs, or for several one after the other."""
    values = np.atleast_2d(values)
    here = Path.cwd()
    os.chdir(folder)  # CasADi writes into the working directory only
    try:
        function.generate("f.c", {"with_header": False, "main": False})
        text = Path("f.c").read_text()
    finally:
        os.chdir(here)
    count = function.numel_out(0)
    harness = HARNESS.format(
        scratch=function.sz_w() + 1, integers=function.sz_iw() + 1, arguments=function.sz_arg() + 1,
        results=function.sz_res() + 1, repeat=len(values), inputs=values.shape[1], outputs=count,
    )  # fmt: skip
    (address,) = compiled({"f.c": text, "h.c": harness}, options, folder, "kernel")
    work = np.concatenate([values.ravel(), np.zeros(len(values) * count)])
    return kernel_seconds(work, address), work[values.size :].reshape(len(values), count).copy()


def apart(first, second):
    """Largest difference over the largest value."""
    first, second = np.ravel(first), np.ravel(second)
    return float(np.abs(first - second).max() / np.abs(second).max()) if second.any() else float(np.abs(first).max())


HEAD = "".join(f"{word:>8s}" for word in ("C -O2", "CasADi", "ratio", "native", "CasADi", "ratio"))


def row(name, plain, other, native, other_native, difference, more=""):
    """Print a row; returns (name, our C, CasADi's, our C and CasADi's native, apart), times in us."""
    times = [1e6 * result[0] for result in (plain, other, native, other_native)]
    cells = times[0], times[1], times[0] / times[1], times[2], times[3], times[2] / times[3]
    print(f"{name:14s}" + "".join(f"{x:8.3f}" for x in cells) + more + f"  apart by {difference:.0e}")
    return name, *times, difference


def same_functions(ca, whole, folder):
    """Table 1: the same graph in both; rows of (name, LLVM, our C, CasADi's, our C and CasADi's native, apart)."""
    graph, rng, rows = whole.locomotive.system.graph, np.random.default_rng(1), []
    functions = dict(whole.functions)
    functions["M and delta"] = [*functions["M"], *functions["delta"]]
    print(f"{'us a call':14s}{HEAD}{'LLVM':>8s}  values")
    for name, expressions in functions.items():
        inputs = symbols_of(graph, expressions)
        numbers = 0.5 + rng.random(len(inputs))
        x = ca.SX.sym("x", len(inputs))
        named = {graph.left[s.literal]: x[k] for k, s in enumerate(inputs)}
        function = ca.Function("f", [x], [ca.cse(ca.vertcat(*evaluate(expressions, named)))])
        own = Ours(graph, expressions, inputs, numbers)
        llvm, c = own.by_llvm(), own.by_c(PLAIN, folder)
        other = theirs(function, numbers, folder)
        native, other_native = own.by_c(NATIVE, folder), theirs(function, numbers, folder, NATIVE)
        difference = max(apart(a[1], other[1]) for a in (llvm, c, native, other_native))
        rows.append(row(name, c, other, native, other_native, difference, f"{1e6 * llvm[0]:8.3f}"))
    return rows


def own_derivatives(ca, whole, folder):
    """Table 2: the derivatives formed by CasADi; rows of (name, our C, CasADi's, apart)."""
    system, graph = whole.locomotive.system, whole.locomotive.system.graph
    energy = kinetic_energy(whole.locomotive)
    known = [*whole.functions["phi_n"], *whole.functions["phi_d"], *whole.functions["gamma_n"], energy]
    groups = system.q, system.qd, whole.surface, whole.surface_rates
    inputs = {s.literal: s for s in (*symbols_of(graph, known), *(s for group in groups for s in group))}
    inputs = list(inputs.values())
    numbers = 0.5 + np.random.default_rng(2).random(len(inputs))
    x = ca.SX.sym("x", len(inputs))
    named = {graph.left[s.literal]: x[k] for k, s in enumerate(inputs)}
    q, v, s, rates = (ca.vertcat(*[named[graph.left[e.literal]] for e in group]) for group in groups)
    phi = {name: ca.vertcat(*evaluate(whole.functions[name], named)) for name in ("phi_n", "phi_d")}
    fresh = [ca.SX.sym(name, e.numel()) for name, e in (("q", q), ("v", v), ("s", s), ("r", rates))]

    def in_fresh(value):
        return ca.substitute(value, ca.vertcat(q, v, s, rates), ca.vertcat(*fresh))

    def in_inputs(value):
        return ca.substitute(value, ca.vertcat(*fresh), ca.vertcat(q, v, s, rates))

    kinetic = in_fresh(evaluate([energy], named)[0])
    matrices = {"M": ca.hessian(kinetic, fresh[1])[0]}
    for name, value in phi.items():
        value = in_fresh(value)
        matrices[f"d{name}/dq"], matrices[f"d{name}/ds"] = ca.jacobian(value, fresh[0]), ca.jacobian(value, fresh[2])
    rows_n = whole.entries["dphi_n/dq"]  # on contacts that are not closed n . v is not the rate of phi_n
    entries = dict(zip(rows_n, evaluate(list(rows_n.values()), named), strict=True))
    closing = [sum((e * v[j] for (i, j), e in entries.items() if i == wheel), ca.SX(0.0)) for wheel in range(8)]
    motion = ca.vertcat(fresh[0], fresh[2]), ca.vertcat(fresh[1], fresh[3])
    matrices["gamma_n"] = -ca.jtimes(in_fresh(ca.vertcat(*closing)), *motion)
    rows = []
    print(f"{'CasADi derives':14s}{HEAD}  values")
    for name, matrix in matrices.items():
        expressions = whole.functions[name]
        keys = list(whole.entries[name]) if name in whole.entries else [(k, 0) for k in range(8)]
        wanted = ca.vertcat(*[in_inputs(matrix[i, j]) for i, j in keys])
        function = ca.Function("f", [x], [ca.cse(wanted)])
        needed = symbols_of(graph, expressions)
        order = {s.literal: k for k, s in enumerate(inputs)}
        own = Ours(graph, expressions, needed, [numbers[order[s.literal]] for s in needed])
        results = [own.by_c(PLAIN, folder), theirs(function, numbers, folder),
                   own.by_c(NATIVE, folder), theirs(function, numbers, folder, NATIVE)]  # fmt: skip
        rows.append(row(name, *results, max(apart(r[1], results[1][1]) for r in results)))
    return rows


def kinetic_energy(model):
    """Kinetic energy of all bodies as an expression."""
    energy = 0.0
    for body in model.bodies:
        v, w = body.centre.velocity().components, body.base.angular_velocity().components
        spin = [
            sum((body.inertia.rows[i][j] * w[j] for j in range(1, 3)), body.inertia.rows[i][0] * w[0]) for i in range(3)
        ]
        energy = energy + 0.5 * (body.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
        energy = energy + 0.5 * (w[0] * spin[0] + w[1] * spin[1] + w[2] * spin[2])
    return energy


def step_kernels(ca, folder):
    """Table 3: the kernels of a step; rows of (name, our C, CasADi's, apart)."""
    locomotive = build_locomotive_run(read_realtime_scenario(EXAMPLE))
    locomotive.run(2000)
    step = StepProgram(build_locomotive(locomotive.values))
    program = step.build()
    program.kernels[:] = [k for k in program.kernels if k.name not in ("augmented", PARAMETER_KERNEL)]
    state, rows, names = locomotive._work.copy(), [], [k.name for k in program.kernels]
    addresses = compiled({"kernels.c": emit_c(program)[0]}, NATIVE, folder, *names)
    print(f"{'step, native':18s} {'C':>7s} {'CasADi':>7s} {'ratio':>6s}  values")
    for one, address in zip(program.kernels, addresses, strict=True):
        work = work_array(len(state))
        work[:] = state
        _calls(work, address, 1)
        lanes = max(one.lanes, 1)
        mine = np.array([[work[place + lane] for place, _ in one.outputs] for lane in range(lanes)])
        x, places, outputs = as_casadi(ca, program, one.name, [e for _, e in one.outputs])
        function = ca.Function("f", [x], [ca.cse(ca.vertcat(*outputs))])
        values = [[state[p[lane] if isinstance(p, tuple) else p + lane] for p in places] for lane in range(lanes)]
        other = theirs(function, values, folder, NATIVE)
        work[:] = state
        seconds = kernel_seconds(work, address)
        times = 1e6 * seconds, 1e6 * other[0]
        rows.append((one.name, *times, apart(mine, other[1])))
        print(f"{one.name:18s} {times[0]:7.3f} {times[1]:7.3f} {times[0] / times[1]:6.2f}  apart by {rows[-1][3]:.0e}")
    whole = [sum(r[k] for r in rows) for k in (1, 2)]
    print(f"{'all':18s} {whole[0]:7.3f} {whole[1]:7.3f} {whole[0] / whole[1]:6.2f}")
    own = [sum(r[k] for r in rows if r[0] in ("condense", "solve")) for k in (1, 2)]
    seconds, found = own_solution(ca, step, state, folder)
    work[:] = state
    for name in ("condense", "solve"):
        _calls(work, addresses[names.index(name)], 1)
    mine = work[step.layout["solution"].offset :][: step.n]
    rows.append(("solve, CasADi's qr", own[0], 1e6 * seconds, apart(mine, found[0, : step.n])))
    print("{:18s} {:7.3f} {:7.3f} {:6.2f}  apart by {:.0e}".format(*rows[-1][:3], own[0] / rows[-1][2], rows[-1][3]))
    whole[1] += rows[-1][2] - own[1]
    print(f"{'all, with it':18s} {whole[0]:7.3f} {whole[1]:7.3f} {whole[0] / whole[1]:6.2f}")
    return rows


def step_system(step):
    """Matrix and right-hand side of (40) as a whole, multipliers -N dt, in the step's symbols."""
    n, matrix, rates, right = step.n, dict(step.mass), step.system.qd, []
    for i in range(n):
        terms = [step.mass[i, j] * rates[j] for j in range(n) if (i, j) in step.mass]  # 000 (39), (40)
        right.append(total([step.read(f"delta[{i}]", step.layout["delta"].at(i)) * step.step, *terms]))
    for w, wheelset in enumerate(step.model.wheelsets):
        columns, pair = dict(enumerate(wheelset.coordinates)), (2 * w, 2 * w + 1)
        jacobian = [{j: step.jacobian[w, k, c] for c, j in columns.items()} for k in range(6)]
        damping = [[total(step.lane("creep_matrix", 6 * i + j, x) for x in pair) for j in range(6)] for i in range(6)]
        turned = [{c: total(damping[i][k] * jacobian[k][c] for k in range(6)) for c in jacobian[0]} for i in range(6)]
        for r in jacobian[0]:
            for c in jacobian[0]:
                entry = total(jacobian[k][r] * turned[k][c] for k in range(6))  # 000 (36)
                matrix[r, c] = matrix[r, c] + entry if (r, c) in matrix else entry
        for wheel in pair:
            normal = [step.lane("rows", 12 + k, wheel) for k in range(6)]
            row = {c: total(normal[k] * jacobian[k][c] for k in range(6)) for c in jacobian[0]}  # 000 (15)
            for c, entry in row.items():
                matrix[n + wheel, c] = matrix[c, n + wheel] = entry
            moved = [entry * rates[c] for c, entry in row.items()]
            right.append(total([step.lane("gamma", 0, wheel) * step.step, *moved]))
    return {key: value for key, value in matrix.items() if not value.is_zero()}, right


def own_solution(ca, step, state, folder):
    """(seconds, unknowns) of the assembled system solved by CasADi's sparse QR factors."""
    matrix, right = step_system(step)
    keys = list(matrix)
    x, places, found = as_casadi(ca, step.program, "solve", [*(matrix[key] for key in keys), *right])
    a, size = ca.SX(len(right), len(right)), len(keys)
    for key, value in zip(keys, found[:size], strict=True):
        a[key] = value
    assembled = ca.Function("assembled", [x], [a, ca.vertcat(*found[size:])])
    given = ca.MX.sym("x", len(places))
    function = ca.Function("f", [given], [ca.solve(*assembled(given), "qr")])
    return theirs(function, np.array([state[place] for place in places]), folder, NATIVE)


def as_casadi(ca, program, name, expressions):
    """Inputs as SX, their places, and expressions as SX, with the leaves that the kernel `name` reads."""
    graph = program.graph
    leaves = program.leaves({k.name: k for k in program.kernels}[name])
    atoms = graph.order([e.literal for e in expressions], leaves)
    reads = [a for a in atoms if a in leaves]
    x = ca.SX.sym("x", len(reads))
    known = {a: x[k] for k, a in enumerate(reads)}

    def of(literal):
        return ca.SX(0.0) if literal == 0 else (known[literal] if literal > 0 else -known[-literal])

    for atom in atoms:
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if atom in known:
            continue
        if op == CONSTANT:
            known[atom] = ca.SX(a)
        elif op == "+":
            known[atom] = of(a) + of(b)
        elif op == "*":
            known[atom] = of(a) * of(b)
        elif op == "/":
            known[atom] = of(a) / of(b)
        else:
            known[atom] = getattr(ca, op)(of(a))
    return x, [leaves[a] for a in reads], [of(e.literal) for e in expressions]


def main():
    """Print the three tables; returns their rows, or None without CasADi or cc."""
    try:
        import casadi as ca

        getattr(ca.GlobalOptions, "setNumpyMode", lambda mode: None)(-1)
    except ImportError:
        print("CasADi is not installed: no comparison")
        return None
    if shutil.which("cc") is None:
        print("no C compiler: no comparison with CasADi")
        return None
    whole = whole_model(read_realtime_scenario(EXAMPLE).values)
    with tempfile.TemporaryDirectory() as folder:
        return same_functions(ca, whole, folder), own_derivatives(ca, whole, folder), step_kernels(ca, folder)


if __name__ == "__main__":
    main()
