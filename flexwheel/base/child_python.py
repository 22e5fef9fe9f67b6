"""How Python is started again by this program: it imports nothing from the folder that the user works in.

`python -m` and `python -c` put the working folder before the standard library, so that a `json.py` beside a scenario
would be executed. Here the child takes the path it has by itself, without that folder (`-P`), and behind it, where they
cannot take the name of any module of it, the folders that this process finds its modules in.
"""

import os
import sys
from pathlib import Path

_HERE = str(Path(__file__).resolve().parents[2])
_START = (
    "import sys; sys.path += [p for p in {places!r} if p not in sys.path]; "
    "import runpy; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
)


def command(module, *arguments):
    """Words that start a module of the package as a program of its own."""
    start = _START.format(places=places(), module=module)
    return [sys.executable, "-P", "-c", start, *map(str, arguments)]


def command_of(code):
    """Words that start a piece of code."""
    return [sys.executable, "-P", "-c", code]


def safe_environment(environment=None):
    """An environment (that of this process) in which a child, and what that starts, leaves the working folder out."""
    environment = {**(os.environ if environment is None else environment), "PYTHONSAFEPATH": "1"}
    if "PYTHONPATH" in environment:  # an empty or a relative entry means the working folder, or one in it
        given = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(filter(os.path.isabs, given))
    return environment


def places():
    """Folders of modules of this process but for the working folder; that of the package is always among them."""
    working = os.path.realpath(os.curdir)
    found = [path for path in sys.path if os.path.isabs(path) and os.path.realpath(path) != working]
    return [*found, _HERE] if _HERE not in found else found
