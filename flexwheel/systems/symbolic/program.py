"""A program: kernels that read and write one work array of doubles.

Every symbol has a place in the work array; a kernel is `void name(double *w)`, loads what it needs, and stores its
results last. A lane kernel does the same for several doubles side by side, which stand next to each other at a place or
at a place each. Atoms that depend on parameters only are taken out of all kernels into one, run when parameters change
(paper 000, conclusion 3).
"""

from dataclasses import dataclass, field

from flexwheel.systems.symbolic.atoms import CONSTANT, SYMBOL
from flexwheel.systems.symbolic.expression import Expression

LANES = 8
PARAMETER_KERNEL = "set_parameters"


@dataclass(frozen=True)
class Block:
    """Part of the work array: `count` entries of `width` doubles from `offset`."""

    name: str
    offset: int
    count: int
    width: int

    def at(self, index):
        """Place of entry `index`."""
        if not 0 <= index < self.count:
            raise IndexError(f"block {self.name!r}: entry {index}, expected 0 to {self.count - 1}")
        return self.offset + index * self.width


class WorkLayout:
    """Places in the work array, each block aligned to LANES doubles."""

    def __init__(self):
        self.blocks = {}
        self.size = 0

    def block(self, name, count, width=1):
        """Reserve a block of entries of `width` lanes."""
        if name in self.blocks:
            raise ValueError(f"block {name!r} is declared twice")
        block = Block(name, self.size, count, width)
        self.blocks[name] = block
        self.size += -(-(count * block.width) // LANES) * LANES
        return block

    def __getitem__(self, name):
        return self.blocks[name]


@dataclass(frozen=True)
class Kernel:
    """Outputs of one generated function: (place, Expression) pairs; `lanes` side by side, 0: scalar."""

    name: str
    outputs: tuple
    lanes: int = 0


@dataclass
class Program:
    """Kernels and the places of their symbols."""

    graph: object
    layout: WorkLayout
    places: dict = field(default_factory=dict)  # atom -> place in the work array, for symbols and for precomputed atoms
    kernels: list = field(default_factory=list)

    def input(self, symbol, place):
        """A symbol is read from a place; in a lane kernel its lanes from there on, or from one place each (tuple)."""
        self.places[symbol.literal] = place

    def inputs(self, symbols, block):
        """Symbols are read from a block, in order."""
        for k, s in enumerate(symbols):
            self.input(s, block.at(k))

    def kernel(self, name, outputs, lanes=0):
        """Add a kernel: outputs are (place, Expression or number)."""
        kept = []
        for place, value in outputs:
            literal = value.literal if isinstance(value, Expression) else self.graph.constant(value)
            kept.append((place, Expression(self.graph, literal)))
        self.kernels.append(Kernel(name, tuple(kept), lanes))

    def precompute(self, parameter_symbols, names):
        """Take atoms of parameters alone out of the scalar kernels `names` into the kernel PARAMETER_KERNEL.

        Returns the Block of the precomputed atoms.
        """
        graph = self.graph
        parameters = graph.mask([s.literal for s in parameter_symbols])
        found, seen = [], set()

        def consider(atom):
            d = graph.depends[atom]
            if atom not in seen and d and not d & ~parameters and graph.op[atom] not in (CONSTANT, SYMBOL):
                seen.add(atom)
                found.append(atom)

        for kernel in self.kernels:
            if kernel.name not in names:
                continue
            literals = [e.literal for _, e in kernel.outputs]
            for literal in literals:
                consider(abs(literal))
            for atom in graph.order(literals):
                if graph.depends[atom] & ~parameters:
                    for child in graph.children(atom):
                        consider(child)
        block = self.layout.block("precomputed", len(found))
        outputs = [(block.at(k), Expression(graph, atom)) for k, atom in enumerate(found)]
        self.kernel(PARAMETER_KERNEL, outputs)
        for k, atom in enumerate(found):
            self.places[atom] = block.at(k)
        return block

    def leaves(self, kernel):
        """Places a kernel reads: the parameter kernel does not read what it makes."""
        if kernel.name != PARAMETER_KERNEL:
            return self.places
        return {atom: place for atom, place in self.places.items() if self.graph.op[atom] == SYMBOL}
