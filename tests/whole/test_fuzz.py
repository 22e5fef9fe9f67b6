"""Twelve seeded cases through every door end in a right result, or in one clear line and exit code 2.

More, and a failing one by itself: python -m tests.fuzz --help.
"""

import os

import pytest
from fuzz import sound
from fuzz.__main__ import run_number

SEED, CASES = 12, 12


@pytest.fixture(scope="module", autouse=True)
def prepared():
    before = os.environ.get("FLEXWHEEL_CACHE")
    sound.prepare()
    yield
    if before is None:
        os.environ.pop("FLEXWHEEL_CACHE", None)
    else:
        os.environ["FLEXWHEEL_CACHE"] = before


@pytest.mark.skipif(not hasattr(os, "fork") or not hasattr(os, "pidfd_open"), reason="cases run in forked processes")
def test_cases_end_well():
    failed = []
    for number in range(CASES):
        case, verdict = run_number(SEED, number)
        if verdict.faults:
            failed.append(f"--seed {SEED} --only {number} [{case.door}] {case.what[:100]}: {verdict.faults}")
    assert not failed, "\n".join(failed)
