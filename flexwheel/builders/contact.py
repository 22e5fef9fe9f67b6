"""Profiles, their placing and the contact tables from the [contact] section."""

from dataclasses import dataclass

from flexwheel.contact.detection.detect import make_detection
from flexwheel.contact.detection.tables import make_detection_tables
from flexwheel.contact.geometry import check_gauge
from flexwheel.contact.tables import ContactTables, make_contact_tables
from flexwheel.disagreements import disagree
from flexwheel.io.detection_file import detection_path, load_detection
from flexwheel.profiles.chosen_profile import chosen_profile
from flexwheel.profiles.placement import Placement, place
from flexwheel.profiles.profile import Profile
from flexwheel.profiles.profile_file import ProfileFile


@dataclass(frozen=True)
class PlacedProfiles:
    """Profiles of wheel and rail and where they stand, and what is doubtful of them."""

    wheel: Profile
    rail: Profile
    placement: Placement
    warnings: tuple[str, ...]


def placed_profiles(section, wheel, accepted=()) -> PlacedProfiles:
    """Profiles of the [contact] section, placed.

    wheel : radius_m and flange_back_m of the vehicle; accepted : names of disagreements that are meant
    """
    tread, rail, warnings = build_profiles(section, accepted)
    placement = place(
        rail,
        gauge=1e-3 * section.gauge_mm,
        flange_back=wheel.get("flange_back_m", 1.360),
        radius=wheel["radius_m"],
    )
    warnings += check_gauge(tread, placement, 1e-3 * section.gauge_mm, "contact.gauge_mm", accepted)
    return PlacedProfiles(tread, rail, placement, tuple(warnings))


def build_contact(section, profiles: PlacedProfiles) -> ContactTables:
    """Contact tables of the [contact] section."""
    normal = section.normal
    if normal == "semi_hertzian" and section.penetration == "classical":
        normal = "plain_kp"
    tangential = {"kalker_linear": "linear_saturated"}.get(section.tangential, section.tangential)
    tables = make_contact_tables(
        profiles.wheel,
        profiles.rail,
        profiles.placement,
        shear_modulus=section.youngs_modulus_pa / (2.0 * (1.0 + section.poissons_ratio)),
        poisson=section.poissons_ratio,
        friction=section.friction,
        normal_damping=section.normal_damping_ns_m,
        normal_model=normal,
        tangential_model=tangential,
        bound=section.traction_bound,
        strips=section.strips,
        cells=section.cells_per_strip,
    )
    if section.detection != "scan":
        tables = with_detection(section.detection, tables)
    return tables


def with_detection(name, tables):
    """ContactTables with a method other than the scan, and the networks and table trained for this pair if any."""
    path = detection_path(tables)
    trained = load_detection(path, tables) if path.is_file() else None
    made = make_detection_tables(tables, trained)
    return tables._replace(detection=make_detection(name, made))


def build_profiles(section, accepted=()):
    """Profiles of wheel and rail of the [contact] section, and warnings."""
    wheel, _ = chosen_profile(
        section.wheel_profile, "wheel", _options(section, "wheel"), place="contact.wheel_profile = "
    )
    rail, doubts = chosen_profile(
        section.rail_profile, "rail", _options(section, "rail"), inclination=section.rail_inclination,
        inclined=section.rail_file.inclined, place="contact.rail_profile = ",
    )  # fmt: skip
    return wheel, rail, [disagree(*doubt, accepted) for doubt in doubts]


def _options(section, kind):
    """How a profile's file is read."""
    file = getattr(section, f"{kind}_file")
    keys = [name for name in type(file).model_fields if name != "inclined"]
    names = {key: f"contact.{kind}_file.{key}" for key in keys} | {
        "inclined": "contact.rail_file.inclined = true", "upright": "contact.rail_file.inclined = false",
        "inclination": "contact.rail_inclination",
    }  # fmt: skip
    return ProfileFile(**{key: getattr(file, key) for key in keys}, names=names)
