"""Linux, macOS and Windows: no call without its counterpart, encodings said, the runs elsewhere defined validly."""

import ast
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from flexwheel.run import run_folder
from tests import house

POSIX = {
    "fork", "forkpty", "getuid", "geteuid", "getgid", "getpgid", "setsid", "killpg", "kill", "mkfifo", "nice", "wait",
    "waitpid", "pread", "pwrite", "fchmod", "chown", "statvfs", "sysconf", "getloadavg", "uname", "setpgid",
    "O_NOFOLLOW", "sched_getaffinity",
}  # fmt: skip
"""Of `os`, what Windows has not, or where it means something else (kill)."""
GUARDED = {
    # kill of itself: on Windows it ends at once, which is what is wanted; nice: asked for first; others on Linux
    "assess/draw_as_they_come.py": {"fork", "kill", "nice", "waitpid"},
    "run/run_folder.py": {"kill"},  # not on Windows, see `alive`
    "base/cache_root.py": {"getuid", "O_NOFOLLOW"},  # asked for first
    "base/capacity.py": {"sched_getaffinity"},  # asked for first
    "studies/workers.py": {"sysconf"},  # AttributeError caught
}
MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "msvcrt", "winreg"}


@cache
def nodes_of_files():
    """(path within the package, nodes of its syntax tree) of every file."""
    files = house.python_files()
    return [(path.relative_to(house.PACKAGE).as_posix(), house.nodes_of(path)) for path in files]


def test_no_call_of_one_system_alone():
    found = {}
    for name, nodes in nodes_of_files():
        used = {
            node.attr
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
        }
        if used & POSIX - GUARDED.get(name, set()):
            found[name] = used & POSIX
    assert not found


def test_modules_of_one_system_may_be_missing():
    """They are imported within try, so that a system without them goes on."""
    for name, nodes in nodes_of_files():
        guarded = {id(n) for t in nodes if isinstance(t, ast.Try) for n in ast.walk(t)}
        for node in nodes:
            if isinstance(node, ast.Import) and {alias.name for alias in node.names} & MODULES:
                assert id(node) in guarded, f"{name}:{node.lineno}"


def test_every_text_file_has_its_encoding_said():
    wrong = []
    for name, nodes in nodes_of_files():
        for node in nodes:
            if not isinstance(node, ast.Call) or any(k.arg == "encoding" for k in node.keywords):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", None))
            if called in ("read_text", "write_text") and not _own(node):
                wrong.append(f"{name}:{node.lineno} {called}")
            if called == "open" and isinstance(node.func, ast.Name):
                mode = node.args[1].value if len(node.args) > 1 else "r"
                if "b" not in mode:
                    wrong.append(f"{name}:{node.lineno} open")
    assert not wrong


def _own(node):
    """Functions of this package of that name, which say it themselves: called by name, not of a path."""
    return isinstance(node.func, ast.Name) or getattr(node.func.value, "id", "") in ("mesh_options", "input_files")


def test_lock_without_advisory_locks(tmp_path, monkeypatch):
    """As on Windows: the process id alone decides, the file is closed before it goes."""
    monkeypatch.setattr(run_folder, "fcntl", None)
    lock = tmp_path / run_folder.LOCK_NAME
    with run_folder.folders_released():
        run_folder.run_folder(tmp_path)
        assert lock.read_text(encoding="ascii").strip() == str(os.getpid())
    assert not lock.exists()
    lock.write_text("999999999\n", encoding="ascii")  # of a process that is no more
    with run_folder.folders_released():
        run_folder.run_folder(tmp_path)
    assert run_folder.alive(os.getpid()) and not run_folder.alive(2**22 + 1)


def test_a_console_that_knows_ascii_only(tmp_path):
    path = tmp_path / "Schräglage.toml"
    path.write_text('kind = "vehicle"\n', encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    code = "from flexwheel.face.cli import main; main()"
    for words in (["check", str(path)], ["examples", "train_2", "--to", str(tmp_path / "Straße")]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, env=environment)
        said = done.stdout + done.stderr
        assert done.returncode in (0, 2) and b"internal error" not in said, said
        assert b"\\xe4" in said or b"\\xdf" in said


def test_runs_on_other_systems_are_defined_validly():
    """.github/workflows against GitHub's schema, as check-jsonschema ships it."""
    workflows = Path(house.ROOT) / ".github" / "workflows"
    if not workflows.is_dir():
        pytest.skip("not in a clone")
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, *map(str, workflows.glob("*.yml"))], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (workflows / "tests.yml").read_text(encoding="utf-8")
    for word in ("ubuntu-latest", "macos-latest", "windows-latest", '"3.11"', '"3.12"', '"3.13"'):
        assert word in text
