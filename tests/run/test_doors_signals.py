"""SIGTERM and SIGHUP as Ctrl-C; one run a folder; what was killed leaves nothing for long."""

import ctypes
import os
import signal
import subprocess
import sys
import time

import pytest
from cli_cases import command, run

from flexwheel.base.errors import ScenarioError
from flexwheel.face import cli
from flexwheel.results.files import read_results
from flexwheel.run import compile_ahead
from flexwheel.run.interrupts import Terminated, held_interrupt, termination_as_interrupt
from flexwheel.run.run_folder import LOCK_NAME, folders_released, run_folder

ENDING = [signal.SIGTERM, signal.SIGHUP]
HOLDER = """
import sys, time
from flexwheel.run.run_folder import run_folder
run_folder(sys.argv[1]); print("held", flush=True); time.sleep(600)
"""


@pytest.fixture(autouse=True)
def as_in_a_terminal():
    """Signals that who started the tests ignores (nohup, a shell's background) are not ignored here."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, *ENDING)]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before:
        signal.signal(number, handler)


def dead_process():
    """Id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize("number", ENDING)
def test_run_ended_by_the_system_is_whole_and_marked(number, tmp_path, monkeypatch, capfd):
    """The signal comes in the time loop; the results are read back."""
    from flexwheel.run import progress

    def report(line, fraction, note=""):
        if note.startswith("t = "):
            os.kill(os.getpid(), number)

    monkeypatch.setattr(progress._Line, "report", report)
    arguments = run("run.duration_s=3", "wheelset.front.formulation=rigid")(tmp_path)
    assert command(*arguments) == 128 + number
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1 and f"ended by {signal.Signals(number).name}: run not complete: interrupted" in lines[0]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["results.nc", "resume"]
    results = read_results(tmp_path / "out")
    assert results.attrs["complete"] is False and 0.0 < float(results.time[-1]) < 2.9
    assert signal.getsignal(number) == signal.SIG_DFL


@pytest.mark.parametrize("number", [signal.SIGINT, *ENDING])
def test_a_signal_is_held_until_the_file_is_whole(number):
    done = []
    with termination_as_interrupt() as came, pytest.raises(KeyboardInterrupt):
        with held_interrupt():
            os.kill(os.getpid(), number)
            time.sleep(0.01)
            done.append(True)
    assert done and came == ([] if number == signal.SIGINT else [number])


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with termination_as_interrupt() as came, held_interrupt():
            os.kill(os.getpid(), signal.SIGHUP)
        assert came == []
    finally:
        signal.signal(signal.SIGHUP, before)


def test_termination_is_an_interrupt():
    with pytest.raises(Terminated, match="SIGTERM"), termination_as_interrupt():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1.0)


@pytest.mark.parametrize("number", [signal.SIGINT, *ENDING])
@pytest.mark.parametrize("goes_on", [False, True])
def test_an_interrupt_in_a_callback_is_not_lost(number, goes_on, monkeypatch, capfd):
    """The compiler calls Python, where no exception passes: printed as ignored, and a half compiled step failed."""

    @ctypes.CFUNCTYPE(None)
    def callback():
        os.kill(os.getpid(), number)
        time.sleep(0.01)

    def app(**_):
        callback()
        if not goes_on:
            raise RuntimeError("no compiled object yet")
        for _ in range(500):  # it comes between two instructions
            time.sleep(0.01)
        pytest.fail("interrupt lost")

    monkeypatch.setattr(cli, "make_app", lambda: app)
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert end.value.code == 128 + number
    word = "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
    assert capfd.readouterr().err == f"flexwheel: {word}\n"


def test_second_run_into_a_folder_names_the_first(tmp_path, capfd):
    arguments = run("run.duration_s=3")(tmp_path)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path / "out"], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    try:
        assert command(*arguments) == 2
        error = capfd.readouterr().err
        assert f"(process {holder.pid})" in error and error.count("\n") == 1
    finally:
        holder.kill()
        holder.communicate()
    assert (tmp_path / "out" / LOCK_NAME).is_file()  # killed: the file is left, the lock is not
    with folders_released():
        run_folder(tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_is_free_after_each_run_and_twice_in_one(tmp_path):
    for _ in range(2):
        with folders_released():
            assert run_folder(tmp_path) == run_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_cannot_be_locked_counts_by_its_process(tmp_path, monkeypatch):
    """A file system without locks."""
    from flexwheel.run import run_folder as module

    monkeypatch.setattr(module, "fcntl", None)
    (tmp_path / LOCK_NAME).write_text(f"{dead_process()}\n")
    with folders_released():
        run_folder(tmp_path)
    (tmp_path / LOCK_NAME).write_text(f"{os.getppid()}\n")
    with pytest.raises(ScenarioError, match=f"process {os.getppid()}"), folders_released():
        run_folder(tmp_path)


def test_part_files_of_the_dead_are_removed(tmp_path):
    dead, living = dead_process(), os.getppid()
    (tmp_path / "lagrangian").mkdir()
    gone = [tmp_path / f".results.{dead}.part.nc", tmp_path / "lagrangian" / f".results.{dead}.part.nc"]
    kept = [tmp_path / f".results.{living}.part.nc", tmp_path / "results.nc", tmp_path / ".part.nc"]
    for file in gone + kept:
        file.write_text("")
    with folders_released():
        run_folder(tmp_path)
    assert all(file.exists() for file in kept) and not any(file.exists() for file in gone)


def test_the_second_compiling_process_ends_with_the_first():
    """Its parent is killed, so that nothing of its own is run."""
    child = f"""
import os, sys, threading, time
from {compile_ahead.__name__} import _end_with
print(os.getpid(), flush=True)
threading.Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()
time.sleep(600)
"""
    parent = f"import os, subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}, str(os.getpid())])"
    process = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE)
    second = int(process.stdout.readline())
    process.kill()
    process.wait()
    end = time.monotonic() + 20.0
    while time.monotonic() < end:
        try:
            os.kill(second, 0)
        except ProcessLookupError:
            return
        if open(f"/proc/{second}/stat").read().split(")")[1].split()[0] == "Z":
            return  # ended; nobody collects it here
        time.sleep(0.05)
    os.kill(second, signal.SIGKILL)
    raise AssertionError("it lives on")


def test_nothing_heavy_is_imported_before_ctrl_c_is_held():
    """An interrupt in the imports of a library would end in a traceback."""
    light = "import sys, flexwheel.face.cli; sys.exit(any(n in sys.modules for n in ('typer', 'numpy', 'numba')))"
    assert subprocess.run([sys.executable, "-c", light]).returncode == 0
