"""Profiles, their placing and the contact tables from the [contact] section."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.disagreements import disagree
from flexwheel.base.errors import ScenarioError
from flexwheel.base.option import option_values
from flexwheel.base.variables import SIDES
from flexwheel.contact.beside import RAILS_BESIDE
from flexwheel.contact.contact_tables import ContactTables, make_contact_tables, padded
from flexwheel.contact.detection.detect import make_detection
from flexwheel.contact.detection.detection_file import detection_path, load_detection
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.friction.law import friction_call
from flexwheel.contact.geometry import check_gauge
from flexwheel.contact.profiles.chosen_profile import chosen_profile
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.profile_file import ProfileFile
from flexwheel.contact.profiles.profile_quality import quality_lines
from flexwheel.contact.rail_along import RAIL_SECTIONS
from flexwheel.numerics.kernels import Each
from flexwheel.run.keys.contact_keys import chosen_law


@dataclass(frozen=True)
class PlacedProfiles:
    """Profiles of wheel and rail and where they stand, and what is doubtful of them."""

    wheel: Profile
    rail: Profile
    placement: Placement
    warnings: tuple[str, ...]
    along: tuple = ()  # sections of RAIL_SECTIONS, of a rail that changes along the track


def placed_profiles(section, wheel, accepted=()) -> PlacedProfiles:
    """Profiles of the [contact] section, placed; those of single wheels and rails left aside.

    wheel : radius_m and flange_back_m of the vehicle; accepted : names of disagreements that are meant
    """
    tread, rail, warnings = build_profiles(section, accepted)
    return _placed(section, wheel, tread, rail, warnings, accepted)


def _placed(section, wheel, tread, rail, warnings, accepted, along=()):
    """PlacedProfiles of a wheel's and a rail's profile."""
    placement = place(
        rail, gauge=1e-3 * section.gauge_mm, flange_back=wheel.get("flange_back_m", 1.360), radius=wheel["radius_m"]
    )
    warnings = [
        *warnings,
        *quality_lines(tread, rail),
        *check_gauge(tread, placement, 1e-3 * section.gauge_mm, "contact.gauge_mm", accepted),
    ]
    return PlacedProfiles(tread, rail, placement, tuple(warnings), along)


def profiles_of_wheels(section, wheel, common: PlacedProfiles, wheelsets, accepted=()) -> tuple[PlacedProfiles, ...]:
    """Profiles (2 W) that each wheel and its rail have, left before right; `common` where they have none of their own.

    wheel, accepted : of `placed_profiles`; wheelsets : their names
    """
    names = [f"{name} {side}" for name in wheelsets for side in SIDES]
    for name in section.wheels:
        if name not in names:
            raise ScenarioError(
                f"contact.wheels.{name} must name a wheel of the vehicle ({', '.join(names)}), got {name!r}"
            )
    treads, rails = {}, {}
    for name, own in section.wheels.items():
        place = f"contact.wheels.{name}"
        treads[name], _ = chosen_profile(own.profile, "wheel", file_options(own, place), place=f"{place}.profile = ")
    for side, own in section.rails.items():
        rails[side] = chosen_rail(section, own.profile, own, f"contact.rails.{side}", f"contact.rails.{side}.profile")
    along = {}
    for side in SIDES:
        if any(station.rail in (side, "both") for station in section.along):
            rail, doubts = rails.get(side, (common.rail, []))
            along[side], more = RAIL_SECTIONS.require("stations", "contact.along").read(section, side, rail)
            rails[side] = rail, [*doubts, *more]
    found = []
    for name in names:
        side = name.rpartition(" ")[2]
        if name not in treads and side not in rails:
            found.append(common)
            continue
        rail, doubts = rails.get(side, (common.rail, []))
        warnings = [disagree(*doubt, accepted) for doubt in doubts]
        sections = along.get(side, ())
        if sections:
            warnings.append(
                f"rail {side} changes along the track: {len(sections)} sections from s = {sections[0].place:g} to "
                f"{sections[-1].place:g} m; the lead of a yawed wheel's contact is not counted there"
            )
        found.append(_placed(section, wheel, treads.get(name, common.wheel), rail, warnings, accepted, sections))
    return tuple(found)


def build_contacts(section, profiles, check_rails=()) -> Each:
    """Contact tables (2 W) of the profiles of each wheel; those of equal profiles are one object without check rails.

    check_rails : CheckRailSection each
    """
    made = {id(own): own for own in profiles}
    tables = {key: build_contact(section, own) for key, own in made.items()}
    most = max(one.coarse_wheel.shape[1] for one in tables.values())
    tables = {key: padded(one, most) for key, one in tables.items()}
    found = [tables[id(own)] for own in profiles]
    if rows := friction_rows(section):
        of_rails = [friction_call(section.friction_law, own, **keys_of_law(section, "friction_law")) for own in rows]
        found = [one._replace(friction_law=of_rails[k % 2]) for k, one in enumerate(found)]
    if check_rails:
        found = RAILS_BESIDE.require("check_rail", "track.check_rail").lay(found, section, check_rails, profiles)
    return Each(found)


def friction_rows(section):
    """Rows of the file of friction of the left and the right rail; none for laws without one."""
    law = chosen_law(section, "friction_law")[0]
    if law.rows is None:
        return ()
    if section.friction_file is None:
        raise ScenarioError(f"contact.friction_file must be given with contact.friction_law = {law.name!r}")
    return law.rows(section.friction_file)


def build_contact(section, profiles: PlacedProfiles, side=0) -> ContactTables:
    """Contact tables of the [contact] section on a rail, 0 left and 1 right."""
    tables = make_contact_tables(
        profiles.wheel,
        profiles.rail,
        profiles.placement,
        shear_modulus=section.youngs_modulus_pa / (2.0 * (1.0 + section.poissons_ratio)),
        poisson=section.poissons_ratio,
        friction=section.friction,
        friction_law=section.friction_law,
        friction_keys=keys_of_law(section, "friction_law"),
        friction_rows=rows[side] if (rows := friction_rows(section)) else (),
        initial_slope=section.initial_slope,
        normal_damping=section.normal_damping_ns_m,
        normal_law=section.normal,
        normal_keys=keys_of_law(section, "normal"),
        tangential_law=section.tangential,
        tangential_keys=keys_of_law(section, "tangential"),
        bound=section.traction_bound,
        strips=section.strips,
        cells=section.cells_per_strip,
    )
    if profiles.along:
        tables = RAIL_SECTIONS["stations"].tables(tables, profiles.along, profiles.placement)
    if section.detection != "scan":
        tables = with_detection(section.detection, tables)
    return tables


def keys_of_law(section, chosen_by):
    """Keys of the law that a key of the [contact] section chooses, name -> value."""
    return dict(chosen_law(section, chosen_by)[2] or {})


def largest_friction(section):
    """Largest coefficient of friction that the law of the [contact] section gives."""
    law, name, own = chosen_law(section, "friction_law")
    values = option_values(law.keys, dict(own or {}), name)
    return law.largest(section.friction, np.concatenate([values, *(rows.ravel() for rows in friction_rows(section))]))


def with_detection(name, tables):
    """ContactTables with a method other than the scan, and the networks and table trained for this pair if any."""
    path = detection_path(tables)
    trained = load_detection(path, tables) if path.is_file() else None
    made = make_detection_tables(tables, trained)
    return tables._replace(detection=make_detection(name, made))


def build_profiles(section, accepted=()):
    """Profiles of wheel and rail of the [contact] section, and warnings."""
    wheel, _ = chosen_profile(
        section.wheel_profile, "wheel", file_options(section.wheel_file, "contact.wheel_file"),
        place="contact.wheel_profile = ",
    )  # fmt: skip
    rail, doubts = chosen_rail(
        section, section.rail_profile, section.rail_file, "contact.rail_file", "contact.rail_profile"
    )
    return wheel, rail, [disagree(*doubt, accepted) for doubt in doubts]


def chosen_rail(section, name, file, place, key, inclination=None):
    """A rail's profile as it stands, and disagreements; file: how it is read, place: its section."""
    inclination = section.rail_inclination if inclination is None else inclination
    return chosen_profile(
        name, "rail", file_options(file, place), inclination=inclination, inclined=file.inclined, place=f"{key} = "
    )


def file_options(file, place):
    """How a profile's file is read; place: the section that says it."""
    keys = [name for name in type(file).model_fields if name in ProfileFile.__dataclass_fields__]
    names = {key: f"{place}.{key}" for key in keys} | {
        "inclined": f"{place}.inclined = true", "upright": f"{place}.inclined = false",
        "inclination": "contact.rail_inclination",
    }  # fmt: skip
    return ProfileFile(**{key: getattr(file, key) for key in keys}, names=names)
