"""The folder of a run: one process at a time, and nothing left of those that were killed."""

import os
import re
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import expanded
from flexwheel.base.output_files import output_folder, without_space

try:
    import fcntl
except ImportError:  # a system without advisory locks: the process id alone decides
    fcntl = None

LOCK_NAME = ".flexwheel.lock"
_PART = re.compile(r"\..+\.(\d+)\.part(\.\w+)?")


class _Held:
    """Locks of this process: folder -> descriptor of the lock file, whether the folder was made for it, its thread."""

    folders: dict[Path, tuple[int, bool, int]] = {}
    lock = threading.Lock()


def _of_this_thread():
    """Folders that this thread holds."""
    return {folder for folder, (*_, thread) in list(_Held.folders.items()) if thread == threading.get_ident()}


@contextmanager
def folders_released():
    """Whatever `run_folder` takes within the block is free again at its end."""
    before = _of_this_thread()
    try:
        yield
    finally:
        for folder in _of_this_thread() - before:
            _release(folder)


def run_folder(path):
    """As `output_folder`, taken for this thread until the end of the block of `folders_released`.

    The lock is one of the operating system on a file with the process id, so that it ends with the process, however
    that ends. Part files of processes that no longer live are removed. A folder that was not there, and holds nothing
    at the end of the block, goes again.

    Raises
    ------
    ScenarioError   when another process writes its results there, whose id is named, or another thread of this one
    """
    new = not os.path.lexists(expanded(path)) if str(path) else False
    folder = output_folder(path)
    key = folder.resolve()
    with _Held.lock:
        if key not in _Held.folders:
            _Held.folders[key] = _take(folder), new, threading.get_ident()
            _remove_parts(folder)
        elif _Held.folders[key][2] != threading.get_ident():
            raise ScenarioError(
                f"{folder}: another run of this process writes its results there; give each run a folder of its own"
            )
    return folder


def _take(folder):
    """Descriptor of the locked lock file."""
    file = folder / LOCK_NAME
    while True:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise ScenarioError(f"{file}: cannot be written: {without_space(folder) or error.strerror}") from None
        if not _locked(descriptor):
            owner = _owner(descriptor)
            os.close(descriptor)
            raise ScenarioError(
                f"{folder}: another run writes its results there (process {owner}); give each run a folder of "
                "its own, or wait for that one"
            )
        if _is_still(file, descriptor):
            break
        os.close(descriptor)  # the run before removed it meanwhile
    try:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"{os.getpid()}\n".encode())
    except OSError as error:
        os.close(descriptor)
        with suppress(OSError):
            file.unlink()
        raise ScenarioError(f"{file}: cannot be written: {without_space(folder) or error.strerror}") from None
    return descriptor


def _locked(descriptor):
    """Whether the file is now ours."""
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            pass
    owner = _owner(descriptor)
    return not owner.isdecimal() or not alive(int(owner))


def _owner(descriptor):
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"


def _is_still(file, descriptor):
    try:
        return os.path.samestat(os.stat(file), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _release(folder):
    descriptor, new, _ = _Held.folders.pop(folder)
    if fcntl is None:  # where no file can be removed while it is open
        os.close(descriptor)
    with suppress(OSError):
        (folder / LOCK_NAME).unlink()
    if fcntl is not None:
        os.close(descriptor)
    if new:
        with suppress(OSError):  # it is not empty
            folder.rmdir()


def _remove_parts(folder):
    """Remove part files, here and in the folders within, of processes that no longer live."""
    for file in (*folder.glob(".*.part*"), *folder.glob("*/.*.part*")):
        match = _PART.fullmatch(file.name)
        if match and not alive(int(match.group(1))):
            with suppress(OSError):
                file.unlink()


def alive(process):
    """Whether a process of that id lives on this machine."""
    if os.name == "nt":
        return _alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _alive_on_windows(process):
    """The same by a handle: there os.kill(process, 0) would send Ctrl-C."""
    import ctypes

    system = ctypes.windll.kernel32
    handle = system.OpenProcess(0x100000, False, process)  # SYNCHRONIZE
    if not handle:
        return system.GetLastError() == 5  # access denied: it is another user's
    try:
        return system.WaitForSingleObject(handle, 0) == 0x102  # WAIT_TIMEOUT: it has not ended
    finally:
        system.CloseHandle(handle)
