"""Profiles, their placing and the contact tables from the [contact] section."""

from __future__ import annotations

from pathlib import Path

from flexwheel.contact.detection.detect import detection_method, make_scratch
from flexwheel.contact.detection.tables import make_detection_tables
from flexwheel.contact.tables import ContactTables, make_contact_tables
from flexwheel.errors import ScenarioError
from flexwheel.io.detection_file import detection_path, load_detection
from flexwheel.profiles.placement import place
from flexwheel.profiles.profile import incline
from flexwheel.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.profiles.s1002 import s1002


def build_contact(section, wheel) -> tuple[ContactTables, object]:
    """Contact tables and placement of the [contact] section; wheel: radius_m and flange_back_m of the vehicle."""
    wheel_profile = build_profile(section.wheel_profile, "wheel", 0.0)
    rail_profile = build_profile(section.rail_profile, "rail", section.rail_inclination)
    placement = place(
        rail_profile,
        gauge=1e-3 * section.gauge_mm,
        flange_back=wheel.get("flange_back_m", 1.360),
        radius=wheel["radius_m"],
    )
    normal = section.normal
    if normal == "semi_hertzian" and section.penetration == "classical":
        normal = "plain_kp"
    tangential = {"kalker_linear": "linear_saturated"}.get(section.tangential, section.tangential)
    tables = make_contact_tables(
        wheel_profile,
        rail_profile,
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
    if section.detection != "scan":
        tables = with_detection(section.detection, tables)
    return tables, placement


def with_detection(name, tables):
    """ContactTables with a method other than the scan, and the networks and table trained for this pair if any."""
    path = detection_path(tables)
    trained = load_detection(path, tables) if path.is_file() else None
    made = make_detection_tables(tables, trained)
    return tables._replace(
        detection=detection_method(name, made), detection_tables=made, detection_scratch=make_scratch(made)
    )


def build_profile(name, kind, inclination):
    """Profile of a shipped name or a file."""
    shipped = {"s1002": s1002, "60e1": rail_60e1, "uic60": rail_uic60_manchester}
    maker = shipped.get(name.lower())
    if maker is not None and (kind == "wheel") == (name.lower() == "s1002"):
        return maker() if kind == "wheel" else maker(inclination)
    if not Path(name).is_file():
        known = ", ".join(label for label in ("S1002", "60E1", "UIC60") if (label == "S1002") == (kind == "wheel"))
        raise ScenarioError(f"contact.{kind}_profile = {name!r}: neither a shipped {kind} profile ({known}) nor a file")
    from flexwheel.profiles.profile_file import read_profile

    profile = read_profile(name, kind)
    return incline(profile, inclination) if kind == "rail" and inclination else profile
