"""Operation counts: one per atom that is neither symbol nor number; negation is free."""

from dataclasses import dataclass

from flexwheel.systems.symbolic.atoms import CONSTANT, SYMBOL


@dataclass(frozen=True)
class OperationCount:
    """Operations of a function."""

    total: int  # all
    at_run_time: int  # those that depend on the run-time symbols; the rest is done once per parameter set
    functions: int  # sin, cos, sqrt and the like among the total


def count_operations(expressions, run_time=None) -> OperationCount:
    """Operations needed for a list of expressions.

    Parameters
    ----------
    expressions : list of Expression
    run_time : list of Expression      symbols that change while running; default: all
    """
    expressions = [e for e in expressions if not e.is_zero()]
    if not expressions:
        return OperationCount(0, 0, 0)
    graph = expressions[0].graph
    mask = graph.mask([s.literal for s in run_time]) if run_time is not None else -1
    atoms = [a for a in graph.order([e.literal for e in expressions]) if graph.op[a] not in (CONSTANT, SYMBOL)]
    return OperationCount(
        total=len(atoms),
        at_run_time=sum(1 for a in atoms if graph.depends[a] & mask),
        functions=sum(1 for a in atoms if graph.op[a] not in ("+", "*", "/")),
    )
