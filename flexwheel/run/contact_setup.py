"""Contact of a scenario: profiles, their places across the track, tables of the kernels."""

from __future__ import annotations

from pathlib import Path

from flexwheel.contact.tables import make_contact_tables
from flexwheel.errors import ScenarioError
from flexwheel.profiles.placement import place
from flexwheel.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.profiles.s1002 import s1002

WHEELS = {"S1002": s1002}
RAILS = {"60E1": rail_60e1, "UIC60_manchester": rail_uic60_manchester}
STRIPS = 24


def contact_of(scenario, vehicle):
    """Placement and contact tables.

    Parameters
    ----------
    scenario : Scenario
    vehicle : VehicleFile       wheel radius and flange-back distance

    Returns
    -------
    placement : Placement
    tables : ContactTables
    """
    section = scenario.contact
    wheel = wheel_profile(section.wheel_profile)
    rail = rail_profile(section.rail_profile, section.rail_inclination)
    placement = place(
        rail,
        gauge=section.gauge_mm / 1e3,
        flange_back=vehicle.wheel["flange_back_m"],
        radius=vehicle.wheel["radius_m"],
    )
    normal = {
        ("semi_hertzian", "equivalent_ellipse"): "semi_hertzian",
        ("semi_hertzian", "classical"): "plain_kp",
    }.get((section.normal, section.penetration), "hertz")
    tangential = {"kalker_linear": "linear_saturated"}.get(section.tangential, section.tangential)
    tables = make_contact_tables(
        wheel,
        rail,
        placement,
        shear_modulus=section.youngs_modulus_pa / (2.0 * (1.0 + section.poissons_ratio)),
        poisson=section.poissons_ratio,
        friction=section.friction,
        normal_damping=section.normal_damping_ns_m,
        normal_model=normal,
        tangential_model=tangential,
        strips=section.strips,
        cells=section.cells_per_strip,
    )
    return placement, tables


def wheel_profile(name):
    """Shipped wheel profile, or one of a file of points."""
    if name in WHEELS:
        return WHEELS[name]()
    return _from_file(name, "wheel", WHEELS)


def rail_profile(name, inclination):
    """Shipped rail profile leaned by `inclination`, or one of a file of points."""
    if name in RAILS:
        return RAILS[name](inclination)
    from flexwheel.profiles.profile import incline

    return incline(_from_file(name, "rail", RAILS), inclination)


def _from_file(name, kind, shipped):
    if not Path(name).is_file():
        raise ScenarioError(f"contact.{kind}_profile = {name!r}: neither shipped ({', '.join(shipped)}) nor a file")
    try:
        from flexwheel.profiles.files import read_profile
    except ImportError:
        raise ScenarioError(f"contact.{kind}_profile = {name!r}: profiles from files are not available yet") from None
    return read_profile(name, kind)
