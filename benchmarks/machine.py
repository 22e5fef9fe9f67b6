"""The machine that a benchmark ran on."""

import platform
from pathlib import Path


def processor():
    """Name of the processor as the system gives it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
        return next(line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
