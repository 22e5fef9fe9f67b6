"""The list of checks, and what a check returns.

A check is a function without required arguments in a module of this folder:

    @check("Pinned-pinned frequency", point=6)
    def pinned_pinned():
        return [row("vertical, 0.6 m", computed, 1069.5, "Hz", relative=0.005, source="exact Timoshenko span")]

It returns rows; a row with a tolerance passes or fails, one without is information.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import time
from collections.abc import Callable
from dataclasses import dataclass

from flexwheel.errors import FlexwheelError


@dataclass(frozen=True)
class Row:
    """One compared quantity."""

    quantity: str
    value: float
    reference: float | None  # None: information only, or a one-sided bound
    unit: str
    tolerance: str  # as printed: "<= 0.5 %", "" for information
    passed: bool | None  # None: information
    source: str = ""


@dataclass(frozen=True)
class Check:
    """A named check."""

    name: str
    point: int  # of the acceptance list it belongs to; 0: none
    function: Callable[[], list[Row]]
    slow: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a check gave; `error` is set where it could not run."""

    check: Check
    rows: tuple[Row, ...]
    seconds: float
    error: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.error and all(row.passed is not False for row in self.rows)


CHECKS: dict[str, Check] = {}


def check(name, point=0, slow=False):
    """Enter a function into the list of checks."""

    def enter(function):
        if name in CHECKS and CHECKS[name].function.__module__ != function.__module__:
            raise ValueError(f"two checks are named {name!r}")
        CHECKS[name] = Check(name, point, function, slow)
        return function

    return enter


def row(quantity, value, reference, unit="", relative=None, absolute=None, source=""):
    """Row that passes when |value - reference| is within relative * |reference| or absolute."""
    value, reference = float(value), float(reference)
    if relative is None and absolute is None:
        return Row(quantity, value, reference, unit, "", None, source)
    allowed = absolute if absolute is not None else relative * abs(reference)
    text = f"+- {absolute:g} {unit}".rstrip() if absolute is not None else f"+- {100.0 * relative:g} %"
    return Row(quantity, value, reference, unit, text, bool(abs(value - reference) <= allowed), source)


def bound(quantity, value, largest, unit="", source=""):
    """Row that passes when value <= largest."""
    value = float(value)
    return Row(quantity, value, None, unit, f"<= {largest:g}", bool(value <= largest), source)


def floor(quantity, value, smallest, unit="", source=""):
    """Row that passes when value >= smallest."""
    value = float(value)
    return Row(quantity, value, None, unit, f">= {smallest:g}", bool(value >= smallest), source)


def information(quantity, value, unit="", source=""):
    """Row that is printed and neither passes nor fails."""
    return Row(quantity, float(value), None, unit, "", None, source)


def load_checks():
    """Import every module of this folder, so that its checks enter the list; returns them by point and name."""
    import flexwheel.verification as folder

    for module in pkgutil.iter_modules(folder.__path__):
        importlib.import_module(f"{folder.__name__}.{module.name}")
    return sorted(CHECKS.values(), key=lambda item: (item.point, item.name))


def run_check(item: Check) -> Outcome:
    """Run one check; an error of the package or of numbers becomes a failed outcome."""
    started = time.perf_counter()
    try:
        rows = tuple(item.function())
    except (FlexwheelError, ArithmeticError, ValueError, ImportError, OSError) as error:
        return Outcome(item, (), time.perf_counter() - started, f"{type(error).__name__}: {error}")
    bad = [r.quantity for r in rows if not math.isfinite(r.value)]
    error = f"not finite: {', '.join(bad)}" if bad else ("no rows" if not rows else "")
    return Outcome(item, rows, time.perf_counter() - started, error)
