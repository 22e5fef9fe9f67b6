"""Memory asked for before it is taken: what does not fit is refused with the figure and the key that asks for it."""

import atexit
import gc
import os
from pathlib import Path

from flexwheel.base.errors import FlexwheelError, ScenarioError

try:
    import resource
except ImportError:  # no limits of a process on this system
    resource = None

COLLECTED = 50_000  # objects after which Python looks for circles of them; at its 700, a tenth of a command's start


def collect_seldom():
    """Let a process of the program look for circles of objects every COLLECTED new ones, and not at its end (0.6 s)."""
    gc.set_threshold(COLLECTED)
    atexit.register(gc.freeze)


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_memory() -> float:
    """Bytes this process may still take without swapping: of the machine, of its control group, of its own limit.

    Infinite where the system does not tell.
    """
    return min(_of_machine(), _of_group(), _of_process())


def require_memory(
    size, what: str, remedy: str, most=float("inf"), error: type[FlexwheelError] = ScenarioError
) -> None:
    """Refuse what does not fit.

    Parameters
    ----------
    size : float [byte]     an estimate of what will be taken
    what : str              what it is for, with the key and its value
    remedy : str            what to do, e.g. "raise run.output_step_s"
    most : float [byte]     more than this is refused on any machine
    """
    available = available_memory()
    if not size <= min(available, most):
        limit = f"{available / 1e9:.3g} GB available" if available < most else f"expected at most {most / 1e9:g} GB"
        raise error(f"{what}: {size / 1e9:.3g} GB of memory needed, {limit}; {remedy}")


def _of_machine():
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return float("inf")
    found = [line.split() for line in lines if line.startswith("MemAvailable:")]
    return 1024.0 * float(found[0][1]) if found else float("inf")


def _of_group():
    """Left of the limit of the control group (containers, batch systems)."""
    base = Path("/sys/fs/cgroup")
    for limit, used, cache in (
        (base / "memory.max", base / "memory.current", "inactive_file"),
        (base / "memory/memory.limit_in_bytes", base / "memory/memory.usage_in_bytes", "total_inactive_file"),
    ):
        try:
            highest, now = (path.read_text(encoding="ascii").strip() for path in (limit, used))
            rows = dict(row.split() for row in (limit.parent / "memory.stat").read_text(encoding="ascii").splitlines())
        except (OSError, ValueError):
            continue
        if highest != "max":
            return max(0.0, float(highest) - float(now) + float(rows.get(cache, 0)))
    return float("inf")


def _of_process():
    """Left of the limit of the address space (ulimit -v)."""
    if resource is None:
        return float("inf")
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return float(limit)
    return max(0.0, float(limit) - pages * resource.getpagesize())
