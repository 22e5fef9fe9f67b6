"""Another user of the machine runs no code of his through workers, caches or the working folder.

What needs a second user is tried as root with the id 65534; elsewhere the same by the rights of files alone.
"""

import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from flexwheel.base import cache_root, child_python
from flexwheel.base.errors import ScenarioError
from flexwheel.body.body_cache import load
from flexwheel.contact.detection.detection_file import load_detection
from flexwheel.numerics.kernels import cache, kernel
from flexwheel.studies import workers
from tests import house

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="a system without owners of files")
OTHER = 65534
as_root = pytest.mark.skipif(
    hasattr(os, "getuid") and os.getuid() != 0, reason="only root can be another user: run the tests as root"
)
SHADOWED = ("json", "numpy", "numba", "runpy", "netCDF4", "pydantic", "flexwheel")


def by_another(command, **options):
    """A command of the shell as another user; a finished process."""
    return subprocess.run(
        ["/bin/sh", "-c", command], user=OTHER, group=OTHER, extra_groups=[], cwd="/", capture_output=True, **options
    )


@pytest.fixture
def shared():
    """A folder that every user reaches and may write in."""
    folder = Path(tempfile.mkdtemp(prefix="flexwheel-test-", dir="/tmp"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def trap_in(place):
    """A working folder with modules named as those a run imports; the file that tells which were executed."""
    folder, told = place / "trap", place / "executed"
    folder.mkdir()
    for name in SHADOWED:
        words = f"with open({str(told)!r}, 'a') as stream:\n    stream.write({name!r})\nraise SystemExit(3)\n"
        (folder / f"{name}.py").write_text(words)
    return folder, told


@pytest.fixture
def trap(tmp_path, monkeypatch):
    folder, told = trap_in(tmp_path)
    monkeypatch.chdir(folder)
    return told


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    """A worker that is ready, started in such a folder; the file that tells."""
    place = tmp_path_factory.mktemp("worker")
    folder, told = trap_in(place)
    with pytest.MonkeyPatch.context() as patch, (place / "log").open("w") as log:
        patch.chdir(folder)
        process = workers._start(log)
        assert process.stdout.readline() == "ready\n"
    yield process, told
    workers._stop([process])


def test_the_trap_catches(trap):
    subprocess.run([sys.executable, "-c", "import json"])
    assert trap.read_text() == "json"


@pytest.mark.parametrize("paths", [None, "", "."])
def test_children_import_nothing_from_the_working_folder(trap, monkeypatch, paths):
    """However PYTHONPATH names it by accident; `PYTHONPATH=$PYTHONPATH:/x` has an empty entry."""
    if paths is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", paths + os.pathsep + str(house.ROOT))
    monkeypatch.setattr(sys, "path", ["", *sys.path])  # as in an interpreter at work in that folder
    code = "import json, runpy, flexwheel; print(json.__file__, flexwheel.__file__)"
    environment = child_python.safe_environment()
    done = subprocess.run(child_python.command_of(code), env=environment, capture_output=True, text=True)
    assert done.returncode == 0 or "No module named 'flexwheel'" in done.stderr  # of what is not installed
    done = subprocess.run(child_python.command("flexwheel.face.cli", "--version"), env=environment, capture_output=True)
    assert done.stdout.startswith(b"flexwheel ") and not trap.exists(), done.stderr


def test_neither_does_the_second_compiler(trap):
    order = {"text": "no scenario =", "path": "none.toml", "overrides": [], "parent": os.getpid()}
    compiler = subprocess.run(  # as compile_ahead._start, which the other process of xdist has not
        child_python.command("flexwheel.run.compile_ahead"), input=json.dumps(order).encode(), capture_output=True,
        env=cache.child_environment(),
    )  # fmt: skip
    assert b"ScenarioError" in compiler.stderr and not trap.exists()


def test_neither_does_a_worker(worker):
    process, executed = worker
    assert process.poll() is None and not executed.exists()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are found in /proc")
def test_nobody_else_talks_to_a_worker(worker):
    """It listens nowhere, and its pipes are not another's to open."""
    place = Path(f"/proc/{worker[0].pid}/fd")
    kinds = {os.readlink(file).split(":")[0] for file in place.iterdir()}
    assert "pipe" in kinds and "socket" not in kinds
    if os.getuid() == 0:
        for file in [file for file in place.iterdir() if os.readlink(file).startswith("pipe")]:
            assert by_another(f"echo '{{}}' > {file}").returncode != 0
    assert worker[0].poll() is None


def test_every_child_is_started_so():
    """sys.executable stands in child_python alone; in a unit it is the name of the interpreter, started with -P."""
    named = {path.name for path in house.python_files() if "sys.executable" in path.read_text(encoding="utf-8")}
    assert named == {"child_python.py", "vehicle_unit.py"}
    source = (house.PACKAGE / "studies" / "fmi" / "c_sources" / "model_process.c").read_text(encoding="utf-8")
    assert source.count('"-P", "-m",') == 1 and source.count(' -P -m flexwheel.studies.fmi.process \\"%s') == 1


class Evil:
    """Makes a file when it is unpickled."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return os.mkdir, (str(self.file),)


@pytest.fixture
def planted(shared, monkeypatch):
    """A kernel whose cache lies in the shared folder, an index that runs code when loaded, what that makes."""
    monkeypatch.setattr(cache.config, "CACHE_DIR", str(shared))
    cache._make.cache_clear()

    @kernel
    def tripled(x):
        return 3.0 * x

    index = Path(tripled._cache.cache_path) / f"{tripled._cache._impl.filename_base}.nbi"
    made = shared / "made_by_evil"
    evil = shared / "evil"
    evil.write_bytes(pickle.dumps(Evil(made)))
    evil.chmod(0o644)
    yield tripled, index, evil, made
    cache._make.cache_clear()


def test_an_index_of_ones_own_is_loaded(planted):
    """What the tests below must not see: numba unpickles what it finds."""
    tripled, index, evil, made = planted
    cache_root.own_folder(index.parent)
    index.write_bytes(evil.read_bytes())
    index.chmod(0o600)
    assert tripled(1.0) == 3.0 and made.is_dir()


@pytest.mark.parametrize("place, mode", [("file", 0o620), ("file", 0o602), ("folder", 0o777), ("above", 0o770)])
def test_kernels_that_others_may_write_are_compiled_anew(planted, place, mode):
    tripled, index, evil, made = planted
    cache_root.own_folder(index.parent)
    index.write_bytes(evil.read_bytes())
    index.chmod(0o600)
    opened = {"file": index, "folder": index.parent, "above": cache.cache_folder()}[place]
    opened.chmod(mode)
    if place != "file":
        index.chmod(0o620)  # as it was written there; its folder is closed by the program when it comes
    assert tripled(1.0) == 3.0 and not made.exists()
    assert stat.S_IMODE(index.stat().st_mode) == 0o600 and stat.S_IMODE(opened.stat().st_mode) & 0o077 == 0


@as_root
@pytest.mark.parametrize("how", ["folders", "file", "link"])
def test_kernels_of_another_user_are_compiled_anew(planted, how):
    tripled, index, evil, made = planted
    if how == "folders":
        assert by_another(f"mkdir -p {index.parent} && cp {evil} {index}").returncode == 0
    else:
        cache_root.own_folder(index.parent)
        index.parent.chmod(0o777)
        for place in (index.parent.parent, cache.cache_folder()):
            place.chmod(0o755)
        words = f"cp {evil} {index}" if how == "file" else f"ln -s {evil} {index}"
        assert by_another(words).returncode == 0
    assert tripled(1.0) == 3.0 and not made.exists()


@as_root
def test_a_cache_of_ones_own_is_closed_to_others(planted, monkeypatch):
    tripled, index, evil, _ = planted
    before = os.umask(0o002)
    try:
        assert tripled(1.0) == 3.0
    finally:
        os.umask(before)
    assert index.is_file() and by_another(f"cp {evil} {index} || cp {evil} {index.parent}/x").returncode != 0


def test_bodies_and_tables_that_others_may_write_are_not_read(shared, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(shared))
    (shared / "detection").mkdir(mode=0o700)
    body, tables = shared / "body.npz", shared / "detection" / "pair.npz"
    for file in (body, tables):
        file.write_bytes(b"")
        file.chmod(0o620)
    with pytest.raises(cache_root.NotOwnError, match="may be written by other users"):
        load(body)
    with pytest.raises(ScenarioError, match="may be written by other users"):
        load_detection(tables, None)


@as_root
def test_files_of_another_user_are_not_read(shared):
    own = cache_root.own_folder(shared / "own")
    for words, said in (("touch", "belongs to another user"), ("ln -s evil", "is a link")):
        file = own / f"{words[:2]}.npz"
        own.chmod(0o777)
        assert by_another(f"{words} {file}").returncode == 0
        own.chmod(0o755)
        with pytest.raises(cache_root.NotOwnError, match=said):
            cache_root.open_private(file)
    assert by_another(f"ln -s {own} {shared}/link").returncode == 0
    with pytest.raises(cache_root.NotOwnError, match="another user's link"):
        cache_root.own_folder(shared / "link")


def test_a_setting_of_numba_in_the_working_folder_names_no_cache(tmp_path, monkeypatch):
    """`.numba_config.yaml` beside a scenario, with a folder of planted kernels beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache.config, "CACHE_DIR", "kernels")
    assert cache.cache_folder().parent == tmp_path / "flexwheel" / "kernels"
    assert json.loads(json.dumps(cache.child_environment()))["NUMBA_CACHE_DIR"] == ""
