"""Expressions: literals of an atom graph with the arithmetic of Python."""

from flexwheel.systems.symbolic.atoms import FUNCTIONS, Graph


class Expression:
    """A literal of a graph; +, -, *, / and integer powers make new atoms, numbers mix in."""

    __slots__ = ("graph", "literal")

    def __init__(self, graph: Graph, literal: int):
        self.graph = graph
        self.literal = literal

    def __add__(self, other):
        return Expression(self.graph, self.graph.add(self.literal, _literal(self.graph, other)))

    __radd__ = __add__

    def __sub__(self, other):
        return Expression(self.graph, self.graph.add(self.literal, -_literal(self.graph, other)))

    def __rsub__(self, other):
        return Expression(self.graph, self.graph.add(_literal(self.graph, other), -self.literal))

    def __mul__(self, other):
        if not isinstance(other, Expression | float | int):
            return NotImplemented
        return Expression(self.graph, self.graph.multiply(self.literal, _literal(self.graph, other)))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return Expression(self.graph, self.graph.divide(self.literal, _literal(self.graph, other)))

    def __rtruediv__(self, other):
        return Expression(self.graph, self.graph.divide(_literal(self.graph, other), self.literal))

    def __neg__(self):
        return Expression(self.graph, -self.literal)

    def __pos__(self):
        return self

    def __pow__(self, power):
        if not isinstance(power, int) or power < 1:
            raise ValueError(f"power must be a positive integer, got {power!r}")
        result = self
        for _ in range(power - 1):
            result = result * self
        return result

    def __bool__(self):
        raise TypeError("a symbolic expression has no truth value; use is_zero()")

    def __repr__(self):
        return f"Expression({formula(self)})"

    def is_zero(self):
        """Whether the expression is identically zero (as far as atoms show it)."""
        return self.literal == 0

    def same_as(self, other):
        """Whether both are one atom with one sign."""
        return self.literal == _literal(self.graph, other)


def symbol(graph, name):
    """A named unknown."""
    return Expression(graph, graph.symbol(name))


def symbols(graph, names):
    """Several symbols from a blank-separated text."""
    return [symbol(graph, name) for name in names.split()]


def constant(graph, value):
    """A number as an expression."""
    return Expression(graph, graph.constant(value))


def _function(name):
    def applied(x):
        return Expression(x.graph, x.graph.apply(name, x.literal))

    return applied


sin, cos, sqrt, exp, log, atan = (_function(name) for name in FUNCTIONS)


def formula(expression, longest=400):
    """Readable text of an expression, cut at `longest` characters."""
    graph = expression.graph
    text = {}
    for atom in graph.order([expression.literal]):
        op, a, b = graph.op[atom], graph.left[atom], graph.right[atom]
        if op == "const":
            text[atom] = f"{a:g}"
        elif op == "symbol":
            text[atom] = a
        elif op == "+":
            text[atom] = f"({text[a]} {'+' if b > 0 else '-'} {text[abs(b)]})"
        elif op in "*/":
            text[atom] = f"{text[a]}{op}{text[b]}"
        else:
            text[atom] = f"{op}({'-' if a < 0 else ''}{text[abs(a)]})"
        text[atom] = text[atom] if len(text[atom]) <= longest else text[atom][:longest] + "..."
    if expression.literal == 0:
        return "0"
    return ("-" if expression.literal < 0 else "") + text[abs(expression.literal)]


def _literal(graph, value):
    if isinstance(value, Expression):
        if value.graph is not graph:
            raise ValueError("expressions of two different graphs cannot be combined")
        return value.literal
    return graph.constant(value)
