"""Whether this machine can draw three-dimensional scenes off screen.

A machine without any OpenGL library may end the process inside VTK, so the question is put to a process of its
own, once; not in a process that another one has for that (`trust_rendering`).
"""

import functools
import subprocess

from flexwheel.base.child_python import command_of, safe_environment
from flexwheel.base.errors import FlexwheelError

LONGEST_S = 120.0  # [s] that drawing one sphere may take
_PROBE = """
import os
os.environ.setdefault("PYVISTA_OFF_SCREEN", "true")
import pyvista
pyvista.OFF_SCREEN = True
plotter = pyvista.Plotter(off_screen=True, window_size=(64, 64))
plotter.add_mesh(pyvista.Sphere())
assert plotter.screenshot(return_img=True).std() > 0
"""


class RenderingError(FlexwheelError):
    """Scenes cannot be drawn on this machine; figures and ParaView files can."""


_trusted = []  # an entry where nothing is to be asked


def trust_rendering():
    """Let this process draw without the question: VTK may end it, which its parent looks into."""
    _trusted.append(None)


@functools.cache
def rendering_problem():
    """Why scenes cannot be drawn here, or an empty string."""
    if _trusted:
        return ""
    environment = safe_environment() | {"PYVISTA_OFF_SCREEN": "true"}
    try:
        done = subprocess.run(command_of(_PROBE), capture_output=True, text=True, timeout=LONGEST_S, env=environment)
    except subprocess.TimeoutExpired:
        return f"drawing one sphere took longer than {LONGEST_S:g} s"
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"VTK ended the process ({done.returncode})"


def require_rendering():
    """Raise RenderingError where scenes cannot be drawn."""
    problem = rendering_problem()
    if problem:
        raise RenderingError(
            f"no three-dimensional pictures: this machine cannot draw off screen ({problem}); install an OpenGL "
            "library (Debian, Ubuntu: apt-get install libgl1 libegl1); figures and ParaView files are not affected"
        )
