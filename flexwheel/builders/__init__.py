"""From a scenario to a simulation ready to run."""

from flexwheel.builders.contact import build_contact, build_profiles, contact_warnings
from flexwheel.builders.simulation import (
    EXPLICIT,
    GRAVITY,
    Simulation,
    assemble_simulation,
    build_drive,
    build_integrator,
    build_simulation,
    check_inputs,
)
from flexwheel.builders.track import build_irregularity, build_layout, build_rail, build_supports

__all__ = [
    "EXPLICIT",
    "GRAVITY",
    "Simulation",
    "assemble_simulation",
    "build_contact",
    "build_drive",
    "build_integrator",
    "build_irregularity",
    "build_layout",
    "build_profiles",
    "contact_warnings",
    "build_rail",
    "build_simulation",
    "build_supports",
    "check_inputs",
]
