"""Cases by hand: python -m tests.fuzz --cases 5000 --seed 7 [--door mesh] [--only 123 --keep FOLDER]."""

from __future__ import annotations

import argparse
import re
import resource
import shlex
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from . import sound
from .cases import DAMAGED, DOORS, make_case
from .judge import run_case


def run_number(seed, number, keep=None, doors=None):
    """Case of a number and its verdict; its files are kept in a folder or removed."""
    with tempfile.TemporaryDirectory(prefix="fuzz", ignore_cleanup_errors=True) as folder:
        place = Path(keep) if keep else Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        case = make_case(seed, number, place, doors)
        return case, run_case(case)


def main():
    """Run the cases asked for; exit code 1 when one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--start", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=None, help="default: a fresh one")
    parser.add_argument("--only", type=int, help="this case alone, with what it printed")
    parser.add_argument("--keep", help="folder for the files of --only")
    parser.add_argument("--door", help="only cases of this door")
    parser.add_argument("--damaged", action="store_true", help="only damaged files, of every kind")
    parser.add_argument("--all", action="store_true", help="a line for every case")
    given = parser.parse_args()
    chosen = DAMAGED if given.damaged else DOORS
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if given.seed is None else given.seed
    began = time.monotonic()
    sound.prepare()
    print(f"seed {seed}; prepared in {time.monotonic() - began:.0f} s", flush=True)
    began, failed, doors, codes, kinds = time.monotonic(), 0, Counter(), Counter(), defaultdict(list)
    numbers = [given.only] if given.only is not None else range(given.start, given.start + given.cases)
    for number in numbers:
        if given.door:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                if make_case(seed, number, Path(folder), chosen).door != given.door:
                    continue
        case, verdict = run_number(seed, number, given.keep if given.only is not None else None, chosen)
        doors[case.door] += 1
        codes[verdict.code] += 1
        last = (verdict.errors.strip().splitlines() or [""])[-1]
        if verdict.faults or given.all or given.only is not None:
            print(
                f"{'FAIL' if verdict.faults else 'ok'} {number} [{case.door}] {verdict.seconds:.1f} s "
                f"code {verdict.code}: {case.what[:200]}"
            )
            for fault in verdict.faults:
                print(f"     {fault}")
            if not verdict.faults:
                print(f"     {last[:300]}")
        if given.only is not None:
            print(
                shlex.join(str(a) for a in case.arguments)[:2000],
                verdict.output[-3000:],
                verdict.errors[-6000:],
                sep="\n",
            )
        failed += bool(verdict.faults)
        for fault in verdict.faults:
            kinds[re.sub(r"\d+(\.\d+)?|'[^']*'|/tmp/\S+", "#", fault)[:150]].append(number)
        if doors.total() % 100 == 0:
            print(f"{doors.total()} cases, {failed} failed")
        sys.stdout.flush()
    count = sum(doors.values())
    cpu = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(
        f"{count} cases in {time.monotonic() - began:.0f} s ({cpu:.0f} s of CPU), {failed} failed; seed {seed}; "
        f"codes {dict(codes)}; "
        f"doors {dict(doors)}"
    )
    for kind, which in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(which):4d}  {kind}  {which[:5]}")
    damaged = " --damaged" * given.damaged
    print(f"one again: python -m tests.fuzz{damaged} --seed {seed} --only NUMBER --keep FOLDER")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
