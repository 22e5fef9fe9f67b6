"""One case in a process of its own: what it printed, how it ended, what it left, and whether that is allowed."""

from __future__ import annotations

import json
import os
import re
import resource
import select
import signal
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from .plausible import answered, implausible, result_times

CPU_SECONDS = 30  # a case that takes more is a hang
WALL_SECONDS = 90  # likewise one that waits; more than the above, as other work may share the machine
MEMORY = 4 << 30  # [bytes] beyond what the package itself has mapped


@dataclass
class Case:
    """One input through one door."""

    door: str
    what: str  # what was done to it
    arguments: list
    folder: Path
    out: Path | None = None  # folder in which results are looked for
    signals: tuple = ()  # (seconds, number) sent to the process
    stdin: bytes = b""
    limit: dict = field(default_factory=dict)  # resource -> bytes, e.g. a small disk
    codes: tuple = (0, 2)
    environment: dict = field(default_factory=dict)
    left: bool = False  # results in `out` are of a run before


@dataclass
class Verdict:
    """How a case ended; `faults` is empty where that is allowed."""

    code: int | None
    seconds: float
    faults: list
    output: str
    errors: str


def run_case(case):
    """Run a case in a forked process and judge it."""
    facts = case.folder / ".facts"
    pipes = [os.pipe() for _ in range(2)]  # not files: a case may have a small disk
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        _child(case, [write for _, write in pipes], facts)
    texts = ["", ""]
    readers = [threading.Thread(target=_drain, args=(read, texts, k)) for k, (read, _) in enumerate(pipes)]
    for _, write in pipes:
        os.close(write)
    for reader in readers:
        reader.start()
    code, usage, hung = _wait(pid, case.signals)
    for reader in readers:
        reader.join(timeout=5.0)
    seconds = time.monotonic() - began
    output, errors = texts
    faults = list(json.loads(facts.read_text())) if facts.is_file() else []
    cpu = usage.ru_utime + usage.ru_stime
    if hung or code == -signal.SIGXCPU or cpu > CPU_SECONDS:
        if not re.search(r"about .* left", errors):  # long work that says how long is no hang
            faults.append(f"hang: {seconds:.0f} s, {cpu:.0f} s of CPU")
        return Verdict(code, seconds, faults, output, errors)
    elif code is not None and code < 0:
        faults.append(f"crash: {signal.Signals(-code).name}")
    if usage.ru_maxrss * 1024 > MEMORY or "not enough memory" in errors:
        faults.append(f"memory: {usage.ru_maxrss / 1e6:.1f} GB held, 4 GB allowed: {errors.strip()[-200:]}")
    faults += _printed(case, code, output, errors)
    faults += _left(case, code, errors)
    if code == 0:
        faults += answered(case, output)
    return Verdict(code, seconds, faults, output, errors)


def _drain(handle, texts, k):
    with open(handle, encoding="utf-8", errors="replace") as stream:
        texts[k] = stream.read()


def _child(case, outputs, facts):
    code = 1
    try:
        for number, handle in zip((1, 2), outputs, strict=True):
            os.dup2(handle, number)
        read, write = os.pipe()
        os.write(write, case.stdin[:60000])
        os.close(write)
        os.dup2(read, 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8", closefd=False, buffering=1) for n in (1, 2))
        os.setsid()
        os.chdir(case.folder)
        os.environ.update(case.environment, FLEXWHEEL_DEBUG="1")  # where a mistake of the program stands
        signal.signal(signal.SIGINT, signal.default_int_handler)
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS + 1, CPU_SECONDS + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for name, value in case.limit.items():
            resource.setrlimit(name, (value, resource.RLIM_INFINITY))
        from flexwheel.face.cli import main

        place = case.out or case.folder
        known = result_times(place)  # results that were changed on purpose are no answer of the command
        try:
            main([str(a) for a in case.arguments])
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # the command has ended; what follows is the judge's own
        for name in case.limit:
            resource.setrlimit(name, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if code == 0:
            facts.write_text(json.dumps(implausible(place, known)))
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        code = 1
    finally:
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(code)


def _wait(pid, signals):
    """Code (negative for a signal), resource usage, whether it had to be killed."""
    began, waiting = time.monotonic(), list(signals)
    handle = os.pidfd_open(pid)
    hung = False
    while True:
        now = time.monotonic() - began
        until = min([WALL_SECONDS, *(after for after, _ in waiting)])
        ready, _, _ = select.select([handle], [], [], max(0.0, until - now))
        if ready:
            break
        if waiting and time.monotonic() - began >= waiting[0][0]:
            os.kill(pid, waiting.pop(0)[1])
        elif time.monotonic() - began >= WALL_SECONDS:
            hung = True
            os.kill(pid, signal.SIGKILL)
            break
    _, status, usage = os.wait4(pid, 0)
    os.close(handle)
    return os.waitstatus_to_exitcode(status), usage, hung


def _printed(case, code, output, errors):
    """What is wrong with the lines printed."""
    faults = []
    if "Traceback (most recent call last)" in errors:
        lines = [line for line in errors.strip().splitlines() if line.strip()]
        where = [line.strip() for line in lines if line.strip().startswith("File") and "flexwheel/" in line]
        last = next(
            (line for line in reversed(lines) if re.match(r"^[A-Za-z_.]+(Error|Exception|Warning|Interrupt)", line)),
            lines[-1],
        )
        faults.append(f"traceback: {last[:200]} ({where[-1] if where else lines[-2]})")
    elif code is not None and code >= 0 and code not in case.codes:
        faults.append(f"exit code {code}: {errors.strip()[-260:]}")
    lines = [line for line in re.split(r"[\r\n]+", errors) if line.strip()]
    said = [line for line in lines if line.startswith("flexwheel: ")]
    if code in (2, 130) and not faults:
        if len(said) != 1:
            faults.append(f"{len(said)} error lines: {' | '.join(lines)[:300]}")
        elif len(said[0]) > 2100:
            faults.append(f"error line of {len(said[0])} characters: {said[0][:200]}")
        elif not said[0].removeprefix("flexwheel: ").strip():
            faults.append("empty error line")
    if "Warning" in errors and re.search(r"\b\w*Warning: ", errors) and not faults:
        faults.append("warning of a library: " + next(line for line in lines if "Warning: " in line)[-200:])
    return faults


def _left(case, code, errors):
    """Files that should not be there."""
    faults = []
    for path in case.folder.rglob("*"):
        name = path.name
        if name == "results.part.nc" and (path.parent / "resume").is_dir():
            continue  # of a run that can go on
        if ".part" in name or name.startswith(".writable") or name.endswith(".tmp"):
            faults.append(f"half-written file {path.relative_to(case.folder)}")
        if code == 2 and name.endswith(".nc") and case.out in path.parents and not case.left:
            if not re.search("not complete|view: fewer|runs has figures", errors) and path.parent == case.out:
                faults.append(f"results {name} left by a refused run: {errors.strip()[-150:]}")
    return faults
