"""Profiles that are found by name: those of the package and of others, entry points of "flexwheel.profiles"."""

from collections.abc import Callable
from dataclasses import dataclass

from flexwheel.base.registry import Registry
from flexwheel.contact.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002


@dataclass(frozen=True)
class LibraryProfile:
    """A wheel's or a rail's profile by name."""

    name: str  # lower case
    kind: str  # "wheel" or "rail"
    make: Callable  # () -> Profile of a wheel; (inclination) -> Profile of a rail
    source: str  # where its figures come from
    licence: str  # of that source


PROFILES = Registry("shipped profile", "flexwheel.profiles", LibraryProfile)
S1002 = LibraryProfile("s1002", "wheel", s1002, "EN 13715, sections A to H", "dimensions")
RAIL_60E1 = LibraryProfile("60e1", "rail", rail_60e1, "EN 13674-1, arcs", "dimensions")
_MANCHESTER = "Manchester contact benchmark (Shackleton and Iwnicki 2006)"
UIC60 = LibraryProfile("uic60", "rail", rail_uic60_manchester, _MANCHESTER, "dimensions")
UIC60_MANCHESTER = LibraryProfile("uic60_manchester", "rail", rail_uic60_manchester, _MANCHESTER, "dimensions")
