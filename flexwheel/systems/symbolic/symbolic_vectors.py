"""Vectors with components in a base; operations change base by themselves, along the shortest path of the tree."""

from functools import reduce
from operator import add


class Vector:
    """Three expressions in a base."""

    __slots__ = ("components", "base")

    def __init__(self, components, base):
        self.components = tuple(components)
        self.base = base

    def in_base(self, base):
        """The same vector with components in another base."""
        if base is self.base:
            return self
        here, there = self.base.path, base.path
        common = 0
        while common < min(len(here), len(there)) and here[common] is there[common]:
            common += 1
        c = self.components
        for step in reversed(here[common:]):
            c = step.to_parent(c)
        for step in there[common:]:
            c = step.from_parent(c)
        return Vector(c, base)

    def __add__(self, other):
        other = other.in_base(self.base)
        return Vector([a + b for a, b in zip(self.components, other.components, strict=True)], self.base)

    def __sub__(self, other):
        other = other.in_base(self.base)
        return Vector([a - b for a, b in zip(self.components, other.components, strict=True)], self.base)

    def __neg__(self):
        return Vector([-a for a in self.components], self.base)

    def __mul__(self, factor):
        return Vector([factor * a for a in self.components], self.base)

    __rmul__ = __mul__

    def dot(self, other):
        """Scalar product."""
        return dot3(self.components, other.in_base(self.base).components)

    def cross(self, other):
        """Vector product."""
        return Vector(cross3(self.components, other.in_base(self.base).components), self.base)


class Tensor:
    """Second-order tensor: 3 x 3 expressions in a base."""

    __slots__ = ("rows", "base")

    def __init__(self, rows, base):
        self.rows = tuple(tuple(row) for row in rows)
        self.base = base

    def dot(self, vector):
        """Tensor times vector."""
        v = vector.in_base(self.base).components
        return Vector([dot3(row, v) for row in self.rows], self.base)

    def in_parent_base(self):
        """The same symmetric tensor in the parent base (R T R^T)."""
        step = self.base
        columns = [step.to_parent([self.rows[i][j] for i in range(3)]) for j in range(3)]
        rows = [step.to_parent([columns[j][i] for j in range(3)]) for i in range(3)]
        return Tensor([[rows[min(i, j)][max(i, j)] for j in range(3)] for i in range(3)], step.parent)


def total(terms):
    """Sum of expressions, at least one."""
    return reduce(add, terms)


def dot3(a, b):
    """a . b of component triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross3(a, b):
    """a x b of component triples."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
