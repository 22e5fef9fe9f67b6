"""The list of checks, and what a check returns.

A check is a function without required arguments in a module of this folder:

    @check("Pinned-pinned frequency", subject="Track", ground=exact("Timoshenko span; two elements a bay leave 0.5 %"))
    def pinned_pinned():
        return [row("vertical, 0.6 m", computed, 1069.5, "Hz", relative=0.005, source="exact Timoshenko span")]

It returns rows. A row keeps what was measured, what it is compared with and how, so that `self_test` can ask whether a
wrong answer would have been noticed; a row with a limit passes or fails and has a ground, one without is information.
"""

import importlib
import pkgutil
import signal
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.run.interrupts import ENDING
from flexwheel.verification import norms


class GroundKind(Enum):
    """What a limit may stand on."""

    EXACT = "exact solution"
    ORDER = "order of the method"
    CONSERVATION = "conservation"
    OTHER_CODE = "other code"
    CLAIM = "paper's claim"


@dataclass(frozen=True)
class Ground:
    """Why a limit is what it is: a kind, and one line that is not the measured value."""

    kind: GroundKind
    text: str

    def __post_init__(self):
        if not self.text or "\n" in self.text:
            raise ValueError(f"a ground of a limit is one line, got {self.text!r}")

    def __str__(self):
        return f"{self.kind.value}: {self.text}"


exact, order, conserved, other_code, claim = (partial(Ground, kind) for kind in GroundKind)
"""Grounds of a limit by its text: on the distance from an exact solution; given by the order of the method; on the
change of what is conserved; on the distance from another code, or a model of other equations; claimed by a paper."""


class Judgement(Enum):
    """How a row is judged."""

    WITHIN = "within"  # of the reference, a number
    DISTANCE = "distance"  # of two arrays, by a norm
    AT_MOST = "at most"  # one-sided: zero may be right
    AT_LEAST = "at least"
    INFORMATION = "information"


@dataclass(frozen=True)
class Row:
    """One compared quantity."""

    quantity: str
    measured: object  # float or array
    reference: object  # None: information, or a one-sided limit
    unit: str
    kind: Judgement
    limit: float = float("nan")  # tolerance, largest distance, or bound; nan for information
    text: str = ""  # the limit as printed
    norm: Callable | None = None  # callable(measured, reference) for DISTANCE; times `scale` it is the row's value
    scale: float = 1.0
    ground: Ground | None = None  # None: the check's
    source: str = ""

    @property
    def value(self) -> float:
        """The figure that is printed and compared."""
        if self.kind is not Judgement.DISTANCE:
            return float(self.measured)
        with np.errstate(all="ignore"):
            return float(self.scale * self.norm(np.asarray(self.measured), np.asarray(self.reference)))

    @property
    def passed(self) -> bool | None:
        """Verdict; None for information. What is not a number never passes."""
        value = self.value
        if self.kind is Judgement.WITHIN:
            return bool(abs(value - self.reference) <= self.limit)
        if self.kind is Judgement.AT_LEAST:
            return bool(value >= self.limit)
        return None if self.kind is Judgement.INFORMATION else bool(value <= self.limit)


@dataclass(frozen=True)
class Check:
    """A named check."""

    name: str
    subject: str  # one of SUBJECTS
    function: Callable[[], list[Row]]
    slow: bool = False
    ground: Ground | None = None  # of its rows that name none


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
FURTHER = "Further checks"
SUBJECTS = (
    "Finite elements", "Reduction", "Free flight", "Wheel-rail contact", "Track", "Turning mesh", "Linear dynamics",
    "Time step", "Response", "Wear", FURTHER,
)  # fmt: skip
"""Headings of the table of checks, in its order."""


def check(name, subject=FURTHER, slow=False, ground=None):
    """Enter a function into the list of checks."""

    def enter(function):
        if name in CHECKS and CHECKS[name].function.__module__ != function.__module__:
            raise ValueError(f"two checks are named {name!r}")
        CHECKS[name] = Check(name, subject, function, slow, ground)
        return function

    return enter


def row(quantity, value, reference, unit="", relative=None, absolute=None, source="", ground=None):
    """Row that passes when |value - reference| is within relative * |reference| or absolute."""
    value, reference = float(value), float(reference)
    if relative is None and absolute is None:
        return Row(quantity, value, reference, unit, Judgement.INFORMATION, source=source)
    allowed = absolute if absolute is not None else relative * abs(reference)
    text = f"+- {absolute:g} {unit}".rstrip() if absolute is not None else f"+- {100.0 * relative:g} %"
    return Row(quantity, value, reference, unit, Judgement.WITHIN, float(allowed), text, ground=ground, source=source)


def distance(quantity, measured, reference, allowed, unit="", source="", norm=norms.relative, scale=1.0, ground=None):
    """Row that passes when scale * norm(measured, reference) <= allowed; both are kept for the self-test."""
    measured, reference = np.asarray(measured), np.asarray(reference)
    text = f"<= {allowed:g}"
    return Row(
        quantity, measured, reference, unit, Judgement.DISTANCE, float(allowed), text, norm, scale, ground, source
    )


def bound(quantity, value, most, unit="", source="", ground=None):
    """Row that passes when value <= most; for figures of which zero may be right, such as counts."""
    return Row(
        quantity, float(value), None, unit, Judgement.AT_MOST, float(most), f"<= {most:g}", None, 1.0, ground, source
    )


def floor(quantity, value, least, unit="", source="", ground=None):
    """Row that passes when value >= least."""
    return Row(
        quantity, float(value), None, unit, Judgement.AT_LEAST, float(least), f">= {least:g}", None, 1.0, ground, source
    )


def information(quantity, value, unit="", source="", reference=None):
    """Row that is printed and neither passes nor fails."""
    return Row(quantity, float(value), reference, unit, Judgement.INFORMATION, source=source)


def load_checks():
    """Import every module of this folder, so that its checks enter the list; returns them by subject and name.

    A folder of the name of a system holds the checks of that system, and is entered where the system is there.
    """
    import flexwheel.systems as systems
    import flexwheel.verification as room

    there = {found.name for found in pkgutil.iter_modules(systems.__path__)}
    names = [found.name for found in pkgutil.iter_modules(room.__path__)]
    folders = [room, *(importlib.import_module(f"{room.__name__}.{name}") for name in names if name in there)]
    for folder in folders:
        for module in pkgutil.iter_modules(folder.__path__):
            importlib.import_module(f"{folder.__name__}.{module.name}")
    return sorted(CHECKS.values(), key=lambda item: (SUBJECTS.index(item.subject), item.name))


def run_check(item: Check) -> Outcome:
    """Run one check; an error of the package or of numbers, or a limit without ground, becomes a failed outcome.

    Raises
    ------
    KeyboardInterrupt    one came, even if a run within the check took it for its own end and gave what it had
    """
    started = time.perf_counter()
    try:
        with _interrupts_end_it():
            rows = tuple(_grounded(r, item.ground) for r in item.function())
    except (FlexwheelError, ArithmeticError, ValueError, ImportError, OSError) as error:
        return Outcome(item, (), time.perf_counter() - started, f"{type(error).__name__}: {error}")
    problems = {
        "not finite": [r.quantity for r in rows if not np.isfinite(r.value)],
        "a limit without ground": [r.quantity for r in rows if r.passed is not None and r.ground is None],
    }
    error = "; ".join(f"{text}: {', '.join(names)}" for text, names in problems.items() if names)
    return Outcome(item, rows, time.perf_counter() - started, error or ("no rows" if not rows else ""))


@contextmanager
def _interrupts_end_it():
    """An interrupt within the block ends it, whatever else the part of a run that it left has led to."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, *ENDING)}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}

    def take(number, frame):
        came.append(number)
        handlers[number](number, frame)

    for number in handlers:
        signal.signal(number, take)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if came:
            handlers[came[-1]](came[-1], None)


def _grounded(item, ground):
    return item if item.ground is not None or item.kind is Judgement.INFORMATION else replace(item, ground=ground)
