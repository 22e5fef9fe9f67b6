"""Numbers that Python code gives, or one line that says what came."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped


def numbers(name, values, dimensions=None):
    """Values as finite floats.

    Parameters
    ----------
    name : str              what they are called
    dimensions : int        that they must have; default: any

    Raises
    ------
    ScenarioError           naming what came
    """
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ScenarioError(f"{name} must be finite numbers, got {clipped(repr(values))}") from None
    if not np.all(np.isfinite(found)):
        raise ScenarioError(f"{name} must be finite numbers, got others")
    if dimensions not in (None, found.ndim):
        raise ScenarioError(f"{name} must be finite numbers of {dimensions} dimension(s), got shape {found.shape}")
    return found
