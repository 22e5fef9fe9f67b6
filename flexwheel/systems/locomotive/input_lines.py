"""Inputs of a running simulation as JSON lines, read beside it."""

import json
import math
import threading

from flexwheel.base.errors import ScenarioError


class InputLines:
    """Reads lines of a stream in a thread; `latest` gives what came since it was last asked.

    A line is a JSON object of numbers. What is not is refused at the next `latest`, with the line quoted.
    """

    def __init__(self, stream):
        self._lock = threading.Lock()
        self._values, self._bad = {}, None
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def latest(self):
        """dict of name -> float; raises ScenarioError after a bad line."""
        with self._lock:
            if self._bad is not None:
                raise ScenarioError(f"an input line must be a JSON object of numbers, got {self._bad!r}")
            values, self._values = self._values, {}
        return values

    def _read(self, stream):
        for line in stream:
            if not line.strip():
                continue
            try:
                found = {str(k): float(v) for k, v in json.loads(line).items()}
                good = all(math.isfinite(v) for v in found.values())
            except (ValueError, TypeError, AttributeError):
                good = False
            with self._lock:
                if good:
                    self._values.update(found)
                else:
                    self._bad = line.strip()[:80]
                    return
