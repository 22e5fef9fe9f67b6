"""An option that a user sets, declared once: scenario keys, command line, Python and documents read it from here."""

import math
from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError


@dataclass(frozen=True)
class Option:
    """A number with its name, default and range."""

    name: str  # the end of it is the unit; see run/keys/section.py
    default: float
    low: float  # least and largest value
    high: float
    meaning: str
    source: str = ""  # of the default; "assumed" and why where none is published
    usual: tuple = ()  # low, high, reason: beyond them a value is more likely a slip than a wish
    most: str = ""  # name of another option of the same section, which this one does not exceed

    def checked(self, value, where=""):
        """The value; ScenarioError out of range or not finite. where: name of the option at this door."""
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise ScenarioError(f"{where or self.name} must be {self.low:g} to {self.high:g}, got {value!r}")
        return value


def option_values(options, values, where):
    """Values (k,) of Options by name, those left out at their defaults.

    where : str    whose options they are, for messages

    Raises
    ------
    ScenarioError    no such option, or a value out of range
    """
    known = [option.name for option in options]
    for name in values:
        if name not in known:
            raise ScenarioError(f"{where}: unknown key {name!r}; known: {', '.join(known) or 'none'}")
    values = {option.name: values.get(option.name, option.default) for option in options}
    found = [option.checked(values[option.name], f"{where}: {option.name}") for option in options]
    if wrong := above_another(options, values):
        raise ScenarioError(f"{where}: {wrong}")
    return np.array(found, dtype=float)


def above_another(options, values):
    """What is wrong with values by name of which one exceeds another that it may not; empty where none does."""
    for option in options:
        if option.most and values[option.name] > values[option.most]:
            limit = f"{option.most} = {values[option.most]:g}"
            return f"{option.name} must be at most {limit}, got {values[option.name]:g}"
    return ""
