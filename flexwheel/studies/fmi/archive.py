"""The archive of a functional mock-up unit: sources compiled by the system's C compiler, files zipped."""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import write_whole

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c99", "-O2", "-shared", "-ffp-contract=off", "-fvisibility=hidden")
"""Contraction of multiplications and additions is off: the roundings are those of the reference."""
SYSTEMS = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
PROCESSORS = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
COMPILE_SECONDS = 600.0
EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file inside: the same unit gives the same archive


def compiled(sources, model, fmi):
    """The binary by its place in the archive, compiled of the sources (name -> text).

    Raises
    ------
    ScenarioError       no C compiler, or one that fails
    """
    compiler = find_compiler()
    folder, suffix = platform_folder(fmi)
    with tempfile.TemporaryDirectory(prefix="flexwheel_fmu_") as place:
        for name, text in sources.items():
            (Path(place) / name).write_text(text, encoding="utf-8")
        made = Path(place) / f"{model.identifier}{suffix}"
        position = () if sys.platform == "win32" else ("-fPIC",)
        command = [compiler[0], *FLAGS, *position, *compiler[1:], *model.sources, "-o", made.name, "-lm"]
        try:
            done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=COMPILE_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ScenarioError(f"C compiler {compiler[0]}: {error}; --sources-only writes a unit without it") from None
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[-300:])
            raise ScenarioError(f"C compiler {compiler[0]}: {first}; --sources-only writes a unit without it")
        return {f"binaries/{folder}/{made.name}": made.read_bytes()}


def find_compiler():
    """Command of the C compiler: $CC, else the first of COMPILERS that is installed.

    Raises
    ------
    ScenarioError
    """
    try:
        given = shlex.split(os.environ.get("CC", ""), posix=sys.platform != "win32")
    except ValueError as error:
        raise ScenarioError(f"CC must be the command of a C compiler, got {os.environ['CC']}: {error}") from None
    for name in (given[0],) if given else COMPILERS:
        if shutil.which(name):
            return given or [name]
    sought = f"CC={given[0]}" if given else ", ".join(COMPILERS)
    raise ScenarioError(f"no C compiler ({sought}): install one, or give --sources-only for a unit without a binary")


def platform_folder(fmi):
    """Folder of this machine's binaries and the suffix of a shared library.

    Raises
    ------
    ScenarioError       FMI has no name for this machine
    """
    system, processor = SYSTEMS.get(sys.platform), PROCESSORS.get(platform.machine().lower())
    if system is None or processor is None or (fmi == "2.0" and processor != "x86_64" and sys.platform != "darwin"):
        raise ScenarioError(
            f"FMI {fmi} has no folder for binaries of {sys.platform} on {platform.machine()}; give --sources-only"
        )
    if fmi == "3.0":
        return f"{processor}-{system[0]}", system[1]
    return {"windows": "win64"}.get(system[0], f"{system[0]}64"), system[1]


def write_archive(path, files):
    """Write the files (place -> text or bytes) as a zip, whole or not at all; errors as `write_whole`."""

    def write(part):
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                item = zipfile.ZipInfo(name, EPOCH)
                item.compress_type, item.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(item, files[name])

    write_whole(path, write)
