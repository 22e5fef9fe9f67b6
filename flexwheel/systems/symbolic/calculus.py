"""Differentiation, substitution and evaluation on the atoms, each atom visited once.

Verified in tests/systems/symbolic/test_symbolic_atoms.py.
"""

import math

from flexwheel.base.errors import FlexwheelError
from flexwheel.systems.symbolic.expression import Expression


class Derivative:
    """Directional derivative: sum over symbols of d/d(symbol) times a given rate.

    Parameters
    ----------
    graph : Graph
    rates : dict        symbol (Expression) -> rate (Expression or number)

    One object keeps what it has differentiated, so that several expressions share it.
    """

    def __init__(self, graph, rates):
        self._graph = graph
        self._known = {abs(s.literal): _signed(graph, s, r) for s, r in rates.items()}
        self._mask = graph.mask(list(self._known))

    def __call__(self, expression):
        """Derivative of an expression (a number has none)."""
        graph = self._graph
        if not isinstance(expression, Expression):
            return Expression(graph, 0)
        return Expression(graph, self._literal(expression.literal))

    def _literal(self, literal):
        graph, known, mask = self._graph, self._known, self._mask
        if literal == 0 or not graph.depends[abs(literal)] & mask:
            return 0
        stack = [abs(literal)]
        while stack:
            atom = stack[-1]
            if atom in known:
                stack.pop()
                continue
            open_ = [c for c in graph.children(atom) if c not in known and graph.depends[c] & mask]
            if open_:
                stack.extend(open_)
                continue
            stack.pop()
            known[atom] = self._rule(atom)
        return known[literal] if literal > 0 else -known[-literal]

    def _rule(self, atom):
        graph = self._graph
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if op == "symbol":
            return 0
        da = self._rate(a)
        if op == "+":
            return graph.add(da, self._rate(b))
        if op == "*":
            return graph.add(graph.multiply(da, b), graph.multiply(a, self._rate(b)))
        if op == "/":
            return graph.divide(graph.add(da, -graph.multiply(atom, self._rate(b))), b)
        if op == "sin":
            return graph.multiply(graph.apply("cos", a), da)
        if op == "cos":
            return -graph.multiply(graph.apply("sin", a), da)
        if op == "sqrt":
            return graph.divide(da, graph.multiply(graph.constant(2.0), atom))
        if op == "exp":
            return graph.multiply(atom, da)
        if op == "log":
            return graph.divide(da, a)
        return graph.divide(da, graph.add(1, graph.multiply(a, a)))  # atan

    def _rate(self, literal):
        if literal == 0 or not self._graph.depends[abs(literal)] & self._mask:
            return 0
        return self._known[literal] if literal > 0 else -self._known[-literal]


def differentiate(expression, variable):
    """d expression / d variable."""
    return Derivative(expression.graph, {variable: 1.0})(expression)


def jacobian(expressions, variables):
    """Non-zero derivatives.

    Returns
    -------
    dict     (row, column) -> Expression
    """
    result = {}
    graph = variables[0].graph
    for column, variable in enumerate(variables):
        by = Derivative(graph, {variable: 1.0})
        for row, expression in enumerate(expressions):
            entry = by(expression)
            if not entry.is_zero():
                result[row, column] = entry
    return result


def substitute(expressions, replacements):
    """Expressions with symbols replaced.

    Parameters
    ----------
    expressions : list of Expression
    replacements : dict        symbol -> Expression or number
    """
    graph = expressions[0].graph
    new = {abs(s.literal): _signed(graph, s, r) for s, r in replacements.items()}
    mask = graph.mask(list(new))

    def of(literal):
        return literal if not literal or abs(literal) not in new else (new[literal] if literal > 0 else -new[-literal])

    for atom in graph.order([e.literal for e in expressions]):
        if atom in new or not graph.depends[atom] & mask:
            continue
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if op == "+":
            new[atom] = graph.add(of(a), of(b))
        elif op == "*":
            new[atom] = graph.multiply(of(a), of(b))
        elif op == "/":
            new[atom] = graph.divide(of(a), of(b))
        else:
            new[atom] = graph.apply(op, of(a))
    return [Expression(graph, of(e.literal)) for e in expressions]


def evaluate(expressions, values):
    """Numbers behind expressions; also with complex numbers or arrays as values (for checks, not for speed).

    Parameters
    ----------
    expressions : list of Expression
    values : dict         name -> number

    Raises
    ------
    FlexwheelError        when a symbol has no value
    """
    if not expressions:
        return []
    graph = expressions[0].graph
    number = {}

    def of(literal):
        return 0.0 if literal == 0 else (number[literal] if literal > 0 else -number[-literal])

    for atom in graph.order([e.literal for e in expressions]):
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if op == "const":
            number[atom] = a
        elif op == "symbol":
            if a not in values:
                raise FlexwheelError(f"symbol {a!r} must have a value: it is used")
            number[atom] = values[a]
        elif op == "+":
            number[atom] = of(a) + of(b)
        elif op == "*":
            number[atom] = of(a) * of(b)
        elif op == "/":
            number[atom] = of(a) / of(b)
        else:
            number[atom] = _apply(op, of(a))
    return [of(e.literal) for e in expressions]


def _apply(function, x):
    if isinstance(x, float | int):
        return getattr(math, function)(x)
    import numpy as np

    return getattr(np, {"atan": "arctan"}.get(function, function))(x)


def _signed(graph, symbol, value):
    literal = value.literal if isinstance(value, Expression) else graph.constant(value)
    return literal if symbol.literal > 0 else -literal
