"""Compiled kernels are kept by the contents of all files they are made from, in a folder of their own."""

import gc
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import flexwheel
from flexwheel.numerics.kernels import cache, compiler, kernel

SHIPPED = Path(flexwheel.__file__).parent
SCRIPT = """
import json, sys
{first}
{second}
import users
from flexwheel.caller import scaled
import os
answer = [scaled(1.0), sum(scaled.stats.cache_hits.values()), users.own(1), str(numba.config.CACHE_DIR)]
print(json.dumps([*answer, users.own._cache.cache_path, scaled._cache.cache_path, os.environ.get("NUMBA_CACHE_DIR")]))
"""


class Answer:
    """What a process of its own found: value and cache hits of a kernel, folders of a user's function and of it."""

    def __init__(self, text):
        self.value, self.hits, own, self.setting, self.user, self.kernel, self.variable = json.loads(text)
        assert own == 2


@pytest.fixture
def checkout(tmp_path):
    """A package of the kernels' room, a constant, a kernel that uses it and one in a third file that calls that."""
    return make_checkout(tmp_path / "one")


def make_checkout(folder, factor=2.0):
    package = folder / "flexwheel"
    package.mkdir(parents=True)
    shutil.copy(SHIPPED / "__init__.py", package)
    for room in ("base", "numerics"):
        shutil.copytree(SHIPPED / room, package / room, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "constants.py").write_text(f"FACTOR = {factor}\n")
    start = "from flexwheel.numerics.kernels import kernel\n"
    taken = "from flexwheel import constants\nFACTOR = constants.FACTOR\n"
    (package / "callee.py").write_text(f"{taken}{start}@kernel\ndef by(x):\n    return x * FACTOR\n")
    (package / "caller.py").write_text(
        f"from flexwheel.callee import (  # all of it\n    by,\n)\n{start}@kernel\ndef scaled(x):\n    return by(x)\n"
    )
    (folder / "users.py").write_text("import numba\n@numba.njit(cache=True)\ndef own(x):\n    return x + 1\n")
    return folder


def run(checkout, home, first="import numba", second="import flexwheel.numerics.kernels", **environment):
    inherited = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "PYTHONPATH", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT.format(first=first, second=second)],
        env={**inherited, "XDG_CACHE_HOME": str(home), "PYTHONPATH": str(checkout), **environment},
        cwd=checkout, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Answer(done.stdout)


def test_a_change_behind_two_imports_is_compiled(checkout, tmp_path):
    constants, home = checkout / "flexwheel" / "constants.py", tmp_path / "home"
    first = run(checkout, home, "import flexwheel.numerics.kernels", "import numba")
    assert (first.value, first.hits) == (2.0, 0)
    again = run(checkout, home)
    assert (again.value, again.hits) == (2.0, 1), "in either order of imports one place"
    for answer in (first, again):
        assert Path(answer.kernel).is_relative_to(home / "flexwheel" / "kernels")
        assert Path(answer.user) == checkout / "__pycache__", "a user's own functions stay where numba keeps them"
        assert answer.setting == "" and answer.variable is None
    before = constants.stat()
    constants.write_text("FACTOR = 3.0\n")
    os.utime(constants, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert constants.stat().st_size == before.st_size
    changed = run(checkout, home)
    assert (changed.value, changed.hits) == (3.0, 0)
    kept = list(Path(changed.kernel).glob("caller.*"))
    sizes = [file.stat().st_size for file in kept]
    for file, size in zip(kept, sizes, strict=True):
        os.truncate(file, size // 2)
    assert run(checkout, home).value == 3.0, "damaged files are no trouble, and made anew"
    assert [file.stat().st_size for file in kept] == sizes


def test_checkouts_side_by_side(checkout, tmp_path):
    other = make_checkout(tmp_path / "two", 5.0)
    folder = tmp_path / "mine"
    given = run(checkout, tmp_path / "home", NUMBA_CACHE_DIR=str(folder))
    set_in_python = f"import numba; numba.config.CACHE_DIR = {str(folder)!r}"
    beside = run(other, tmp_path / "home", set_in_python)
    assert given.value == 2.0 and beside.value == 5.0
    assert given.kernel != beside.kernel
    for answer in (given, beside):
        assert answer.setting == str(folder) and Path(answer.kernel).is_relative_to(folder)


def test_two_processes_compile_a_kernel_once(checkout, tmp_path):
    """The second one waits for the first, and takes what that kept."""
    home = tmp_path / "home"
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: run(checkout, home), range(2)))
    assert sorted(answer.hits for answer in found) == [0, 1]


@pytest.mark.skipif(cache.fcntl is None, reason="files without locks")
def test_a_kernel_that_another_process_holds_is_compiled_in_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(cache.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "WAIT_SECONDS", 0.2)

    @kernel
    def doubled(x):
        return 2.0 * x

    with doubled._cache.lock_file().open("w") as other:
        cache.fcntl.flock(other, cache.fcntl.LOCK_EX)
        begun = time.monotonic()
        assert doubled(1.5) == 3.0
        assert time.monotonic() - begun >= 0.2
    with cache.one_at_a_time(doubled), cache.one_at_a_time(doubled):
        begun = time.monotonic()
    assert time.monotonic() - begun < 0.2, "a thread with a lock does not wait for itself"


def test_no_folder_to_keep_them_in(checkout, tmp_path):
    (tmp_path / "home").write_text("a file, in which no folder can be made")
    assert run(checkout, tmp_path / "home").value == 2.0


def test_folders_unused_longest_go(tmp_path, monkeypatch):
    others = [tmp_path / f"flexwheel-{n}" for n in range(cache.KEPT + 2)]
    for age, folder in enumerate(others):
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "numbas").mkdir()
    monkeypatch.setattr(cache.config, "CACHE_DIR", str(tmp_path))
    made = cache.writable_folder()
    assert made.is_dir() and (tmp_path / "numbas").is_dir()
    assert [folder.exists() for folder in others] == [True] * cache.KEPT + [False] * 2
    monkeypatch.setattr(cache.config, "CACHE_DIR", str(tmp_path / "numbas" / "file"))
    (tmp_path / "numbas" / "file").write_text("")
    assert cache.writable_folder() is None


def test_a_kernel_in_the_place_of_another_is_not_used(tmp_path):
    """The same types, another function: it would give its own results without a word."""
    (tmp_path / "two.py").write_text(
        "from flexwheel.numerics.kernels import kernel\n\n\n"
        "@kernel\ndef double(x):\n    return 2.0 * x\n\n\n"
        "@kernel\ndef triple(x):\n    return 3.0 * x\n"
    )
    code = "import two; print(two.double(2.0), two.triple(2.0))"
    paths = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{tmp_path}:{SHIPPED.parent}"}
    environment = os.environ | paths

    def told():
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True, cwd=tmp_path
        ).stdout.split()

    assert told() == ["4.0", "6.0"]
    files = {name: next((tmp_path / "cache").rglob(f"two.{name}-*.nbc")) for name in ("double", "triple")}
    files["double"].write_bytes(files["triple"].read_bytes())
    assert told() == ["4.0", "6.0"]


def test_python_does_not_look_for_garbage_at_every_kernel():
    """Compiling leaves more objects than Python waits for: it looked through all of them after every kernel."""
    looked, before = [], gc.get_threshold()

    def told(phase, info):
        looked.append(phase)

    gc.set_threshold(3000)
    gc.unfreeze()  # what the tests froze
    gc.collect()
    gc.callbacks.append(told)
    try:
        with compiler._work_kept():
            made = [[] for _ in range(5000)]
        made.append([])
    finally:
        gc.callbacks.remove(told)
        gc.set_threshold(*before)
        gc.freeze()
    assert gc.isenabled() and looked == []
