"""Whether the checks would notice: every row is asked about wrong answers, with what the run left of right ones.

A measured quantity is shifted by three times its tolerance, replaced by zero, and by not-a-number; each must fail. A
one-sided limit (a count, a residual) may pass with zero, which is right there; then another row of its check must
fail when the whole answer is zero.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.verification.check_registry import Judgement, Outcome, Row

TIMES = 3.0  # the tolerance


@dataclass(frozen=True)
class Unnoticed:
    """A wrong answer that a check lets pass; quantity is empty where it is the whole check."""

    check: str
    quantity: str
    wrong: str


def self_test(outcomes: list[Outcome]) -> list[Unnoticed]:
    """Wrong answers that pass; those that could not run or failed are left out, as they say so themselves."""
    return [item for outcome in outcomes if outcome.passed for item in unnoticed(outcome)]


def unnoticed(outcome: Outcome) -> list[Unnoticed]:
    """Wrong answers that one outcome lets pass."""
    judged = [r for r in outcome.rows if r.passed is not None]
    found = []
    for r in judged:
        for wrong, other in wrong_answers(r):
            if other is None or other.passed:
                found.append(Unnoticed(outcome.check.name, r.quantity, wrong))
    if all(_zero(r).passed for r in judged):
        found.append(Unnoticed(outcome.check.name, "", "zero for every quantity" if judged else "it has no limit"))
    return found


def wrong_answers(r: Row):
    """(what, row) for every wrong answer a row must notice; the row is None where the comparison cannot see it."""
    yield from _shifted(r)
    if r.kind in (Judgement.WITHIN, Judgement.DISTANCE):
        yield "zero", _zero(r)
    yield "not a number", replace(r, measured=np.full(np.shape(r.measured), np.nan)[()])


def _zero(r):
    return replace(r, measured=np.zeros(np.shape(r.measured))[()])


def _shifted(r):
    """The row with its quantity shifted by three times the tolerance, both ways where both ways are wrong."""
    step = TIMES * (abs(r.limit) or 1.0)
    if r.kind is Judgement.WITHIN:
        for sign, text in ((1.0, "more"), (-1.0, "less")):
            yield f"three tolerances {text}", replace(r, measured=r.measured + sign * TIMES * (r.limit or 1.0))
    elif r.kind is Judgement.AT_MOST:
        yield "three tolerances more", replace(r, measured=r.limit + step)
    elif r.kind is Judgement.AT_LEAST:
        yield "three tolerances less", replace(r, measured=r.limit - step)
    else:
        yield "three tolerances off", _displaced(r, step)


def _displaced(r, step):
    """The row with an error of the wanted size added: in proportion to the reference, else at random."""
    reference = np.asarray(r.reference)
    size = np.abs(reference).max() or 1.0
    noise = np.random.default_rng(1).standard_normal(reference.shape)
    for pattern in (reference if np.any(reference) else np.ones(reference.shape), size * noise):
        seen = replace(r, measured=reference + pattern).value
        if np.isfinite(seen) and seen > 0.0:
            return replace(r, measured=np.asarray(r.measured) + step / seen * pattern)
    return None
