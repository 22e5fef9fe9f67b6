"""C99 source of a program: one function per kernel, lanes as a loop.

Verified in tests/systems/symbolic/test_symbolic_code.py.
"""

from flexwheel.systems.symbolic.atoms import CONSTANT


def emit_c(program):
    """C source of all kernels of a Program, in its order.

    Returns
    -------
    source : str      function definitions; includes math.h
    header : str      their declarations
    """
    source = ["#include <math.h>", ""]
    header = []
    for kernel in program.kernels:
        signature = f"void {kernel.name}(double *restrict w)"
        header.append(f"{signature};")
        source += [signature, "{", *_body(program, kernel), "}", ""]
    return "\n".join(source), "\n".join(header) + "\n"


def c_number(value):
    """A double that reads back exactly."""
    return repr(float(value))


def _body(program, kernel):
    graph, leaves = program.graph, program.leaves(kernel)
    at = "+l" if kernel.lanes else ""

    def operand(literal):
        atom = abs(literal)
        if literal == 0:
            return "0.0"
        text = c_number(graph.left[atom]) if graph.op[atom] == CONSTANT else f"t{atom}"
        return text if literal > 0 else f"(-{text})"

    lines, gathered = [f"for (int l = 0; l < {kernel.lanes}; ++l) {{"] if kernel.lanes else [], []
    for atom in graph.order([e.literal for _, e in kernel.outputs], leaves):
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if op == CONSTANT:
            continue
        if atom in leaves:
            text, place = f"w[{leaves[atom]}{at}]", leaves[atom]
            if isinstance(place, tuple):  # copied before the loop, which compilers then know to be free of overlap
                gathered.append(f"const double p{atom}[] = {{{', '.join(f'w[{x}]' for x in place)}}};")
                text = f"p{atom}[l]"
        elif op == "symbol":
            raise KeyError(f"kernel {kernel.name}: symbol {a!r} has no place")
        elif op == "+":
            text = f"{operand(a)} {'+' if b > 0 else '-'} {operand(abs(b))}"
        elif op in "*/":
            text = f"{operand(a)} {op} {operand(b)}"
        else:
            text = f"{op}({operand(a)})"
        lines.append(f"const double t{atom} = {text};")
    lines += [f"w[{place}{at}] = {operand(e.literal)};" for place, e in kernel.outputs]
    return [*gathered, *lines, "}"] if kernel.lanes else lines
