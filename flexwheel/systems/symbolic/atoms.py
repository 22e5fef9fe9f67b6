"""Atoms: an interned graph of scalar operations, built on the way.

Every operation is looked up as it is made, so that equal sub-expressions are one atom and cost nothing twice
(paper 000, section 2.2). A *literal* is a signed integer: 0 is zero, +i is atom i, -i its negative. Negation is
thereby free, and a sum with a negative term is emitted as a difference.

Atoms are numbered in the order they are made, so a child's number is always smaller than its parent's: increasing
numbers are a valid order of evaluation, and no recursion is needed anywhere.

Verified in tests/systems/symbolic/test_symbolic_atoms.py.
"""

import math

CONSTANT, SYMBOL, ADD, MULTIPLY, DIVIDE = "const", "symbol", "+", "*", "/"
FUNCTIONS = ("sin", "cos", "sqrt", "exp", "log", "atan")
BINARY = (ADD, MULTIPLY, DIVIDE)


class Graph:
    """Interned atoms.

    Attributes
    ----------
    op : list of str            operation of each atom; entry 0 stands for the literal zero
    left, right : list          operands as literals; of a constant its value, of a symbol its name
    depends : list of int       bit mask of the symbols below each atom
    """

    def __init__(self):
        self.op = [None, CONSTANT]
        self.left = [0, 1.0]
        self.right = [0, 0]
        self.depends = [0, 0]
        self.symbols = {}
        self._index = {(CONSTANT, 1.0, 0): 1}
        self._bits = 0

    def __len__(self):
        return len(self.op)

    def constant(self, value):
        """Literal of a number."""
        value = float(value)
        if not math.isfinite(value):
            raise ValueError(f"constant must be a finite number, got {value!r}")
        if value == 0.0:
            return 0
        return self._atom(CONSTANT, value) if value > 0.0 else -self._atom(CONSTANT, -value)

    def symbol(self, name):
        """Literal of a symbol; the same name is the same symbol."""
        if name not in self.symbols:
            self.symbols[name] = self._atom(SYMBOL, name)
        return self.symbols[name]

    def value(self, literal):
        """Number behind a constant literal."""
        return math.copysign(self.left[abs(literal)], literal) if literal else 0.0

    def is_constant(self, literal):
        """Whether a literal is a number."""
        return literal == 0 or self.op[abs(literal)] == CONSTANT

    def children(self, atom):
        """Atoms an atom is made of."""
        op = self.op[atom]
        if op in BINARY:
            return abs(self.left[atom]), abs(self.right[atom])
        return () if op in (CONSTANT, SYMBOL) else (abs(self.left[atom]),)

    def add(self, a, b):
        """a + b."""
        if a == 0 or b == 0:
            return a or b
        if a == -b:
            return 0
        if a == b:
            return self.multiply(self.constant(2.0), a)
        if self.is_constant(a) and self.is_constant(b):
            return self.constant(self.value(a) + self.value(b))
        if abs(a) > abs(b):
            a, b = b, a
        return self._atom(ADD, a, b) if a > 0 else -self._atom(ADD, -a, -b)

    def multiply(self, a, b):
        """a b."""
        if a == 0 or b == 0:
            return 0
        sign = 1 if (a > 0) == (b > 0) else -1
        a, b = abs(a), abs(b)
        if a == 1 or b == 1:
            return sign * (b if a == 1 else a)
        if a > b:
            a, b = b, a
        if self.op[b] == CONSTANT:
            a, b = b, a
        if self.op[a] == CONSTANT:
            if self.op[b] == CONSTANT:
                return sign * self.constant(self.left[a] * self.left[b])
            inner = abs(self.left[b]) if self.op[b] == MULTIPLY else 0
            if inner and self.op[inner] == CONSTANT:
                return sign * self.multiply(self.constant(self.left[a] * self.left[inner]), self.right[b])
        return sign * self._atom(MULTIPLY, a, b)

    def divide(self, a, b):
        """a / b."""
        if b == 0:
            raise ZeroDivisionError("symbolic division by zero")
        if a == 0:
            return 0
        sign = 1 if (a > 0) == (b > 0) else -1
        a, b = abs(a), abs(b)
        if a == b:
            return sign
        if self.op[b] == CONSTANT:
            return sign * self.multiply(self.constant(1.0 / self.left[b]), a)
        return sign * self._atom(DIVIDE, a, b)

    def apply(self, function, a):
        """function(a), one of FUNCTIONS; odd and even functions lose the sign of a."""
        if self.is_constant(a):
            return self.constant(getattr(math, function)(self.value(a)))
        if a < 0 and function in ("sin", "atan"):
            return -self._atom(function, -a)
        return self._atom(function, -a if a < 0 and function == "cos" else a)

    def order(self, literals, stop=()):
        """Atoms below the given literals, each after its children; atoms in `stop` count as leaves."""
        seen, result = set(), []
        for literal in literals:
            stack = [(abs(literal), False)] if literal else []
            while stack:
                atom, ready = stack.pop()
                if atom in seen:
                    continue
                if ready:
                    seen.add(atom)
                    result.append(atom)
                    continue
                stack.append((atom, True))
                if atom not in stop:
                    stack.extend((child, False) for child in reversed(self.children(atom)) if child not in seen)
        return result

    def mask(self, literals):
        """Bit mask of all symbols below the given literals."""
        result = 0
        for literal in literals:
            result |= self.depends[abs(literal)]
        return result

    def _atom(self, op, left, right=0):
        key = (op, left, right)
        found = self._index.get(key)
        if found is not None:
            return found
        number = len(self.op)
        self._index[key] = number
        self.op.append(op)
        self.left.append(left)
        self.right.append(right)
        if op == SYMBOL:
            self.depends.append(1 << self._bits)
            self._bits += 1
        elif op == CONSTANT:
            self.depends.append(0)
        else:
            self.depends.append(self.depends[abs(left)] | (self.depends[abs(right)] if right else 0))
        return number
