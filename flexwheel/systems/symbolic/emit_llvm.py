"""LLVM intermediate representation of a program, scalar and lane kernels.

The text is made straight from the atoms: one instruction per operation, no optimizer passes needed. With `fused` a
multiplication and an addition may be joined into one rounding by processors that can.

Verified in tests/systems/symbolic/test_symbolic_code.py.
"""

import math
import struct

from flexwheel.systems.symbolic.atoms import CONSTANT

LIBRARY = ("sin", "cos", "exp", "log", "atan")


def emit_llvm(program, fused=True, opaque_pointers=True):
    """LLVM assembly of all kernels.

    Parameters
    ----------
    program : Program
    fused : bool                multiply-add contraction allowed
    opaque_pointers : bool      `ptr` (LLVM 16 and later) or `double*`
    """
    parts = [f"declare double @{name}(double)" for name in LIBRARY]
    parts.append("declare double @llvm.sqrt.f64(double)")
    for lanes in {k.lanes for k in program.kernels} - {0}:
        parts.append(f"declare <{lanes} x double> @llvm.sqrt.v{lanes}f64(<{lanes} x double>)")
    parts.extend(_function(program, kernel, fused, opaque_pointers) for kernel in program.kernels)
    return "\n".join(parts) + "\n"


def _function(program, kernel, fused, opaque):
    graph, leaves = program.graph, program.leaves(kernel)
    lanes = kernel.lanes
    kind = f"<{lanes} x double>" if lanes else "double"
    pointer = "ptr" if opaque else "double*"
    typed = "ptr" if opaque else f"{kind}*"
    flags = "contract nsz" if fused else ""
    align = 8 * lanes if lanes else 8
    lines = []
    negated = {}

    def number(value):
        bits = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        return bits if not lanes else "<" + ", ".join([f"double {bits}"] * lanes) + ">"

    def operand(literal):
        atom = abs(literal)
        if literal == 0:
            return number(0.0)
        if graph.op[atom] == CONSTANT:
            return number(math.copysign(graph.left[atom], literal))
        if literal > 0:
            return f"%t{atom}"
        if atom not in negated:
            negated[atom] = f"%n{atom}"
            lines.append(f"%n{atom} = fneg {kind} %t{atom}")
        return negated[atom]

    def address(name, place, typed=typed):
        lines.append(f"%{name} = getelementptr inbounds double, {pointer} %w, i64 {place}")
        if typed == pointer:
            return f"%{name}"
        lines.append(f"%{name}c = bitcast double* %{name} to {typed}")
        return f"%{name}c"

    def gather(atom, places):
        """A lane's double from each place."""
        vector = "undef"
        for lane, place in enumerate(places):
            where = address(f"p{atom}l{lane}", place, pointer)
            lines.append(f"%s{atom}l{lane} = load double, {pointer} {where}, align 8")
            filled = f"%g{atom}l{lane}" if lane + 1 < lanes else f"%t{atom}"
            lines.append(f"{filled} = insertelement {kind} {vector}, double %s{atom}l{lane}, i32 {lane}")
            vector = filled

    for atom in graph.order([e.literal for _, e in kernel.outputs], leaves):
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if op == CONSTANT:
            continue
        if atom in leaves and isinstance(leaves[atom], tuple):
            gather(atom, leaves[atom])
        elif atom in leaves:
            where = address(f"p{atom}", leaves[atom])
            lines.append(f"%t{atom} = load {kind}, {typed} {where}, align {align}")
        elif op == "symbol":
            raise KeyError(f"kernel {kernel.name}: symbol {a!r} has no place")
        elif op == "+" and b < 0:
            lines.append(f"%t{atom} = fsub {flags} {kind} {operand(a)}, {operand(-b)}")
        elif op in "+*/":
            word = {"+": "fadd", "*": "fmul", "/": "fdiv"}[op]
            x, y = operand(a), operand(b)
            lines.append(f"%t{atom} = {word} {flags} {kind} {x}, {y}")
        elif op == "sqrt":
            suffix = f"v{lanes}f64" if lanes else "f64"
            lines.append(f"%t{atom} = call {kind} @llvm.sqrt.{suffix}({kind} {operand(a)})")
        elif lanes:
            raise ValueError(f"kernel {kernel.name}: a kernel in lanes must be a polynomial, got {op}")
        else:
            lines.append(f"%t{atom} = call double @{op}(double {operand(a)})")
    for n, (place, expression) in enumerate(kernel.outputs):
        value = operand(expression.literal)
        where = address(f"o{n}", place)
        lines.append(f"store {kind} {value}, {typed} {where}, align {align}")
    body = "\n".join(lines)
    return f"define void @{kernel.name}({pointer} %w) nounwind {{\n{body}\nret void\n}}"
