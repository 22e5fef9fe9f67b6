"""A copy of the clone in which one mutation at a time is tried; its compiled kernels serve all mutations.

Kernels are kept by contents (`cache`) and by the place of the package: a mutated file, and every
file that imports it, is compiled anew, all others are loaded. What a mutation leaves in the caches is thrown away, so
that the next one begins with those of the sound package. The copy keeps its place between runs of the check.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from .mutation import MutationError

CLONE = Path(__file__).resolve().parents[2]
COPIED = ("flexwheel", "tests", "pyproject.toml", "README.md")
LINKED = ("meshes", "track", "examples", "docs", "benchmarks", "CHANGELOG.md")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.M)


class Outcome(NamedTuple):
    """What pytest said: "passed", "failed" or, where neither shows anything, why."""

    verdict: str
    test: str  # the first that failed
    seconds: float
    tail: str  # of the output


class Workspace:
    """Copy number k of the clone."""

    def __init__(self, number=0):
        key = hashlib.sha256(str(CLONE).encode()).hexdigest()[:12]
        self.root = Path(tempfile.gettempdir()) / f"flexwheel-mutation-{os.getuid()}-{key}" / str(number)
        self.copy, self.sound, self.used = (self.root / name for name in ("clone", "cache", "used"))

    def refresh(self):
        """Make the copy that of the clone as it stands; files that did not change keep their times."""
        self.copy.mkdir(parents=True, exist_ok=True)
        self.sound.mkdir(exist_ok=True)
        for name in COPIED:
            source, target = CLONE / name, self.copy / name
            if source.is_dir():
                _mirror(source, target)
            elif source.is_file():
                shutil.copy2(source, target)
        for name in LINKED:
            if (CLONE / name).exists() and not (self.copy / name).exists():
                (self.copy / name).symlink_to(CLONE / name)
        said = self._run([sys.executable, "-c", "import flexwheel; print(flexwheel.__file__)"], self.sound, 60).stdout
        if not said.strip().startswith(str(self.copy)):
            raise MutationError(f"the copy in {self.copy} is not what Python imports, but {said.strip()!r}")

    def test(self, killers, limit, mutation=None):
        """Outcome of pytest with these arguments, of the sound copy or of the mutated one.

        limit : float [s]    after which the tests are stopped
        """
        if mutation is None:
            return self._pytest(killers, self.sound, limit)
        target = self.copy / "flexwheel" / mutation.file
        kept = target.read_bytes()
        text = mutation.applied(self.copy / "flexwheel")
        shutil.rmtree(self.used, ignore_errors=True)
        # links: a cache never writes into a file, it puts a new one in its place
        shutil.copytree(self.sound, self.used, copy_function=os.link)
        if mutation.room == "body":  # reduced bodies are kept by mesh and options, not by the code that reduced them
            shutil.rmtree(self.used / "bodies", ignore_errors=True)
        try:
            target.write_text(text, encoding="utf-8")
            _forget_bytecode(target)
            return self._pytest(killers, self.used, limit)
        finally:
            target.write_bytes(kept)
            _forget_bytecode(target)
            shutil.rmtree(self.used, ignore_errors=True)

    def _pytest(self, killers, cache, limit):
        words = [f"tests/{word}" if word.endswith(".py") else word for word in killers]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-rfE", "--tb=line", *words]
        start = time.monotonic()
        done = self._run(command, cache, limit)
        seconds, tail = time.monotonic() - start, done.stdout[-1500:]
        if done.returncode is None:
            return Outcome(f"stopped after {limit:g} s", "", seconds, tail)
        names = FAILED.findall(done.stdout)
        verdict = {0: "passed", 1: "failed"}.get(done.returncode, f"pytest ended with {done.returncode}")
        return Outcome(verdict, names[0].removeprefix("tests/") if names else "", seconds, tail)

    def _run(self, command, cache, limit):
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.copy),
            "NUMBA_CACHE_DIR": str(cache / "kernels"),
            "FLEXWHEEL_CACHE": str(cache / "bodies"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # none is needed, and every mutation loads them again
        }
        child = subprocess.Popen(
            command, cwd=self.copy, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            said, _ = child.communicate(timeout=limit)
            return subprocess.CompletedProcess(command, child.returncode, said, "")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            said, _ = child.communicate()
            return subprocess.CompletedProcess(command, None, said or "", "")
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise


def _mirror(source, target):
    """Copy a folder over an older copy of it; what is no more there goes."""
    wanted = set()
    for path in source.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            wanted.add(path.relative_to(source))
    for old in list(target.rglob("*")):
        if old.is_file() and "__pycache__" not in old.parts and old.relative_to(target) not in wanted:
            old.unlink()
    for name in sorted(wanted):
        to = target / name
        if not to.is_file() or to.read_bytes() != (source / name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, to)
            _forget_bytecode(to)


def _forget_bytecode(path):
    """Python goes by size and second of a file, which a mutation may leave as they were."""
    for old in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        old.unlink()
