"""Processes that are killed or interrupted in tests: forked from the tests', so that they import nothing anew."""

import os
import signal
import sys
import time

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="killed in forked processes")


class Forked:
    """A process that does `work()` and ends with the code that it gives; stderr: file where its errors go."""

    def __init__(self, work, stderr=None):
        sys.stdout.flush()
        self.pid, self.code = os.fork(), None
        if self.pid == 0:
            code = 1
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                if stderr is not None:
                    os.dup2(stderr, 2)
                    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
                code = work() or 0
            finally:
                os._exit(code)

    def poll(self):
        """Exit code, as that of subprocess.Popen, or None while it works."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code

    def ended(self, number=None, within=120.0):
        """Exit code after it was sent a signal; TimeoutError if it lives on."""
        if number is not None and self.poll() is None:
            os.kill(self.pid, number)
        end = time.monotonic() + within
        while self.poll() is None:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise TimeoutError(f"the process works on {within} s after signal {number}")
            time.sleep(0.001)
        return self.code
