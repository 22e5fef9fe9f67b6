"""Errors a user can meet; each says what came, what was expected and where."""

from contextlib import contextmanager


class FlexwheelError(Exception):
    """Base of every error raised on purpose; the command line turns it into one line and exit code 2."""


class MeshError(FlexwheelError):
    """An imported mesh is unusable or would be silently misread."""


class ScenarioError(FlexwheelError):
    """A scenario, profile, table or other input is wrong: file, key, what came, what was expected."""


class UnknownKeyError(ScenarioError, KeyError):
    """A key that is asked for and is not there."""

    __str__ = Exception.__str__


@contextmanager
def of_place(where):
    """A ScenarioError of the block begins with the place it belongs to: a file, a key."""
    try:
        yield
    except ScenarioError as error:
        raise ScenarioError(f"{where}: {error}") from None


class ContactError(FlexwheelError):
    """A contact problem is outside the range its method is valid for."""


class ConvergenceError(FlexwheelError):
    """A numerical method failed; carries time, step and body in its message."""


class IncompleteRun(FlexwheelError):
    """A run ended before its end; what there is of it is written."""


class KernelError(FlexwheelError):
    """The numba at hand does not hold arrays in memory, or call kernels, as flexwheel needs it to."""
