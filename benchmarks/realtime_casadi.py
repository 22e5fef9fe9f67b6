"""Generated code beside CasADi's C export of the same functions, both timed through the same loop.

    python benchmarks/realtime_casadi.py        needs `pip install casadi` and a C compiler

Every function of paper 000's table 2 is built once in our graph and handed to CasADi operation by operation (SX, with
its own elimination of common parts), exported to C and compiled with -O2, and once more for this processor; ours goes
to machine code through LLVM.
The mass matrix is also left to CasADi alone, as the Hessian of the kinetic energy.
"""

import ctypes
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.machine_code import call_kernel
from flexwheel.systems.locomotive.build_locomotive import read_realtime_scenario
from flexwheel.systems.locomotive.operation_counts import whole_model
from flexwheel.systems.symbolic.atoms import SYMBOL
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.compiled_program import compile_program, load_machine_code, work_array
from flexwheel.systems.symbolic.expression import Expression
from flexwheel.systems.symbolic.program import Program, WorkLayout

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "feve3000_curve.toml"
HARNESS = """
typedef long long int casadi_int;
int f(const double** arg, double** res, casadi_int* iw, double* w, int mem);
static double scratch[{scratch}];
static casadi_int integers[{integers}];
void kernel(double *w) {{
    const double *arg[{arguments}]; double *res[{results}];
    arg[0] = w; res[0] = w + {outputs};
    f(arg, res, integers, scratch, 0);
}}
"""


@kernel
def _calls(work, address, repeat):
    for _ in range(repeat):
        call_kernel(address, work)


def kernel_seconds(work, address, calls=2000, batches=50):
    """Seconds of one call of machine code `void f(double *w)` at an address, least of batches."""
    _calls(work, address, 10)
    times = np.empty(batches)
    for k in range(batches):
        begun = time.perf_counter()
        _calls(work, address, calls)
        times[k] = (time.perf_counter() - begun) / calls
    return float(times.min())


def symbols_of(graph, expressions):
    """Symbols that expressions depend on, in order of their atoms."""
    atoms = [a for a in graph.order([e.literal for e in expressions]) if graph.op[a] == SYMBOL]
    return [Expression(graph, a) for a in atoms]


def ours(graph, expressions, inputs, values, level=1):
    """(seconds per call, outputs) of our machine code."""
    layout = WorkLayout()
    first, last = layout.block("inputs", len(inputs)), layout.block("outputs", len(expressions))
    program = Program(graph, layout)
    program.inputs(inputs, first)
    program.kernel("f", [(last.at(k), e) for k, e in enumerate(expressions)])
    code = load_machine_code(compile_program(program, level=level), ("f",))
    work = work_array(layout.size)
    work[: len(inputs)] = values
    seconds = kernel_seconds(work, code.addresses["f"])
    return seconds, work[last.offset : last.offset + last.count].copy()


def theirs(function, values, folder, options=("-O2",)):
    """(seconds per call, outputs) of CasADi's C, compiled with -O2."""
    folder = Path(folder)
    function.generate("f.c", {"with_header": False, "main": False})
    (folder / "f.c").write_text(Path("f.c").read_text())
    Path("f.c").unlink()
    sizes = {
        "scratch": function.sz_w() + 1, "integers": function.sz_iw() + 1, "arguments": function.sz_arg() + 1,
        "results": function.sz_res() + 1, "outputs": len(values),
    }  # fmt: skip
    (folder / "h.c").write_text(HARNESS.format(**sizes))
    library = folder / f"f{time.perf_counter_ns()}.so"
    subprocess.run(
        ["cc", *options, "-shared", "-fPIC", str(folder / "f.c"), str(folder / "h.c"), "-o", str(library),
         "-lm"], check=True,
    )  # fmt: skip
    loaded = ctypes.CDLL(str(library))
    address = ctypes.cast(loaded.kernel, ctypes.c_void_p).value
    count = function.numel_out(0)
    work = np.zeros(len(values) + count)
    work[: len(values)] = values
    return kernel_seconds(work, address), work[len(values) :].copy()


def main():
    """Print microseconds per call and operations, ours and CasADi's; returns rows, or None without CasADi or cc."""
    try:
        import casadi as ca

        getattr(ca.GlobalOptions, "setNumpyMode", lambda mode: None)(-1)
    except ImportError:
        print("CasADi is not installed: no comparison")
        return None
    if shutil.which("cc") is None:
        print("no C compiler: no comparison with CasADi")
        return None
    values = read_realtime_scenario(EXAMPLE).values
    whole = whole_model(values)
    graph, rng, rows = whole.locomotive.system.graph, np.random.default_rng(1), []
    functions = dict(whole.functions)
    functions["M and delta"] = [*functions["M"], *functions["delta"]]
    print(f"{'':12s} {'ours':>8s} {'-O2':>8s} {'native':>8s}  us a call; CasADi's operations")
    with tempfile.TemporaryDirectory() as folder:
        for name, expressions in functions.items():
            inputs = symbols_of(graph, expressions)
            numbers = 0.5 + rng.random(len(inputs))
            x = ca.SX.sym("x", len(inputs))
            named = {graph.left[s.literal]: x[k] for k, s in enumerate(inputs)}
            outputs = ca.vertcat(*evaluate(expressions, named))
            function = ca.Function("f", [x], [ca.cse(outputs)])
            a, first = ours(graph, expressions, inputs, numbers)
            rows.append(compare(name, a, first, function, numbers, folder))
        rows.append(energy_hessian(ca, whole, rng, folder))
    return rows


def compare(name, own, first, function, numbers, folder):
    """Time CasADi's C with -O2 and with -O2 -march=native, check its outputs; prints and returns the row."""
    plain, second = theirs(function, numbers, folder)
    native, _ = theirs(function, numbers, folder, ("-O2", "-march=native"))
    apart = np.abs(first - second).max() / np.abs(second).max() if first is not None else np.nan
    row = name, 1e6 * own, 1e6 * plain, 1e6 * native, function.n_instructions(), apart
    print("{:12s} {:8.3f} {:8.3f} {:8.3f}  {:6d}  outputs apart by {:.0e}".format(*row))
    return row


def energy_hessian(ca, whole, rng, folder):
    """Mass matrix that CasADi derives itself, from the kinetic energy."""
    model = whole.locomotive
    system, graph = model.system, model.system.graph
    energy = 0.0
    for body in model.bodies:
        v, w = body.centre.velocity().components, body.base.angular_velocity().components
        spin = [
            sum((body.inertia.rows[i][j] * w[j] for j in range(1, 3)), body.inertia.rows[i][0] * w[0]) for i in range(3)
        ]
        energy = energy + 0.5 * (body.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
        energy = energy + 0.5 * (w[0] * spin[0] + w[1] * spin[1] + w[2] * spin[2])
    inputs = symbols_of(graph, [energy])
    x = ca.SX.sym("x", len(inputs))
    named = {graph.left[s.literal]: x[k] for k, s in enumerate(inputs)}
    rates = ca.vertcat(*[named[f"{n}'"] for n in system.names])
    fresh = ca.SX.sym("v", len(system.names))
    value = ca.substitute(evaluate([energy], named)[0], rates, fresh)
    matrix = ca.hessian(value, fresh)[0]
    function = ca.Function("f", [x], [ca.cse(ca.vertcat(*ca.tril(matrix).nonzeros()))])
    return compare("M, Hessian", np.nan, None, function, 0.5 + rng.random(len(inputs)), folder)


if __name__ == "__main__":
    main()
