"""Sign flips and dropped terms, one by one: the tests named with each must fail. Opt-in, in no continuous integration.

python -m tests.mutation [--only NAME ...] [--room ROOM ...] [--list] [--jobs N] [--all-tests]

A copy of the clone is made in the temporary folder; the tests named must pass there before a mutation is made and fail
with it. A mutation that they let live is tried with the whole fast suite where --all-tests is given. Exit code 1 when
one lives, or shows nothing.
"""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import sys
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from .mutation import MutationError
from .mutations import MUTATIONS
from .workspace import CLONE, Workspace


def chosen(only, rooms):
    """Mutations whose name fits one of the patterns and whose room is asked for; all where none is given."""
    found = [m for m in MUTATIONS if not only or any(fnmatch.fnmatch(m.name, pattern) for pattern in only)]
    found = [m for m in found if not rooms or m.room in rooms]
    if not found:
        raise MutationError(f"no mutation fits {only or rooms!r}; python -m tests.mutation --list shows all")
    return found


def checked(mutations):
    """The mutations, after a look at the source of every one.

    Raises
    ------
    MutationError    all that no longer fit, a line each
    """
    wrong = []
    for mutation in mutations:
        try:
            mutation.applied(CLONE / "flexwheel")
        except MutationError as error:
            wrong.append(str(error))
        wrong += [
            f"{mutation.name}: no file tests/{word}"
            for word in mutation.killers
            if word.endswith(".py") and not (CLONE / "tests" / word).is_file()
        ]
    names = [m.name for m in mutations]
    wrong += [f"{name}: a name of more than one mutation" for name in sorted(set(names)) if names.count(name) > 1]
    if wrong:
        raise MutationError("\n".join(wrong))
    return mutations


def try_one(mutation, workspace, limit, all_tests, sound):
    """(verdict, killing test, seconds) of one mutation; `sound` holds what the tests said without a mutation."""
    key = (workspace.root, mutation.killers)
    if key not in sound:
        sound[key] = workspace.test(mutation.killers, limit)
    if sound[key].verdict != "passed":
        before = sound[key]
        return f"NOT SHOWN: without the mutation {before.verdict} {before.test}", "", before.seconds
    found = workspace.test(mutation.killers, limit, mutation)
    if found.verdict == "passed" and all_tests:
        found = workspace.test(("tests",), 20 * limit, mutation)
    verdict = {"failed": "killed", "passed": "SURVIVED"}.get(found.verdict, f"NOT SHOWN: {found.verdict}")
    if found.verdict == "failed" and not found.test:
        verdict = f"NOT SHOWN: {found.tail.strip().splitlines()[-1:]}"
    return verdict, found.test, found.seconds


def run(mutations, jobs, limit, all_tests):
    """Try all and print a line each; True when every one was killed."""
    free = SimpleQueue()
    for number in range(jobs):
        workspace = Workspace(number)
        workspace.refresh()
        free.put(workspace)
    sound = {}

    def one(mutation):
        workspace = free.get()
        try:
            return mutation, try_one(mutation, workspace, limit, all_tests, sound)
        finally:
            free.put(workspace)

    print(f"{datetime.datetime.now():%Y-%m-%d %H:%M}  {len(mutations)} mutations, copies in {workspace.root.parent}")
    print("mutation | verdict | by | s", flush=True)
    killed = 0
    with ThreadPoolExecutor(jobs) as pool:
        for mutation, (verdict, test, seconds) in pool.map(one, mutations):
            print(f"{mutation.name} | {verdict} | {test} | {seconds:.0f}", flush=True)
            killed += verdict == "killed"
    print(f"{killed} of {len(mutations)} killed")
    return killed == len(mutations)


def main():
    """Run the mutations asked for, or print them."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names, * stands for anything")
    parser.add_argument("--room", nargs="+", help="all mutations of these rooms")
    parser.add_argument("--list", action="store_true", help="print the mutations, and check that each fits the source")
    parser.add_argument("--jobs", type=int, default=1, help="copies in use at a time, each with its own kernels")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds after which tests are stopped")
    parser.add_argument("--all-tests", action="store_true", help="try the whole fast suite where the named tests pass")
    arguments = parser.parse_args()
    try:
        mutations = checked(chosen(arguments.only, arguments.room))
        if arguments.list:
            for m in mutations:
                place = f"{m.file}:{m.function}" if m.function else m.file
                print(f"{m.name} | {place} | {m.breaks} | {' '.join(m.killers)}")
            print(f"{len(mutations)} mutations")
            return 0
        return 0 if run(mutations, max(arguments.jobs, 1), arguments.limit, arguments.all_tests) else 1
    except MutationError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
