"""Keys of the section [contact]."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, create_model

from flexwheel.base.shipped import TRACK
from flexwheel.contact.friction.coefficient import FRICTION, INITIAL_SLOPE
from flexwheel.contact.friction.law import FRICTION_LAWS
from flexwheel.contact.normal import NORMAL_LAWS
from flexwheel.contact.profiles.chosen_profile import is_shipped
from flexwheel.contact.tangential import TANGENTIAL_LAWS
from flexwheel.run.keys.section import (
    Damping,
    Flag,
    Modulus,
    NamesFile,
    Number,
    Only,
    Place,
    Positive,
    Section,
    Usual,
    Whole,
    number_key,
    retired,
    section_of,
)
from flexwheel.run.keys.track_keys import FULL

LAWS = {
    "friction_law": ("friction", FRICTION_LAWS),
    "normal": ("normal", NORMAL_LAWS),
    "tangential": ("tangential", TANGENTIAL_LAWS),
}
"""Key that chooses a law -> end of the name of the law's section, registry."""
STRIPS = Only(".tangential", tuple(name for name, law in TANGENTIAL_LAWS.items() if law.strips))
OF_TABLES = tuple(name for name, law in FRICTION_LAWS.items() if law.rows)
NOT_OF_TABLES = tuple(name for name in FRICTION_LAWS if name not in OF_TABLES)
FRICTION_FOLDERS = (TRACK / "friction", TRACK)
_SEARCH = "a search passes contacts by, it runs in `flexwheel detection-compare` only; take scan, or dist"
NO_SEARCH = retired({"simplex": _SEARCH, "compass": _SEARCH})


def _meanings(laws):
    return "; ".join(f"{name}, {law.meaning}" for name, law in laws.items())


def _strips_of_laws():
    return ", ".join(f"{law.strips} with {name}" for name, law in NORMAL_LAWS.items())


class ProfileFileSection(Section):
    """How the file of a profile is to be read."""

    unit: Literal["mm", "m", "in"] = Field(
        "mm", description="length unit of the file; a .prw, .prr or MiniProf file states its own"
    )
    decimal: Literal["point", "comma"] = Field("point", description="decimal sign of the file")
    mirror_y: Flag = Field(
        False, description="true: y of the file points to the track centre (flange of a wheel at +y)"
    )
    mirror_z: Flag = Field(False, description="true: z of the file points upward")
    smoothing_mm: Annotated[Number, Field(ge=0.0, lt=1.0)] | None = Field(
        None,
        description="rms distance between smoothed curve and points; 0: the curve passes through the points; left out: "
        "noise is estimated and smoothed, points without noise are passed through",
    )
    cutoff_mm: Annotated[Number, Field(ge=0.05, le=50.0)] | None = Field(
        None, description="cutoff wavelength of the smoothing, in place of those that the noise asks for"
    )


class WheelFileSection(ProfileFileSection):
    """Likewise, of a wheel."""

    shift_y_mm: Annotated[Number, Field(ge=-200.0, le=200.0)] = Field(
        0.0, description="added to y, mirrored; -70 where the file's y = 0 is the flange back"
    )


class RailFileSection(ProfileFileSection):
    """Likewise, of a rail; its y = 0 does not matter."""

    inclined: Flag | None = Field(
        None,
        description="true: the rail is inclined in its file, as in the track; false: upright; must be given unless "
        "rail_inclination = 0",
    )


class OwnWheelSection(WheelFileSection):
    """Profile of one wheel, in place of contact.wheel_profile."""

    ONLY = Only(".profile", lambda name: not is_shipped(name, "wheel"), "name a file")

    profile: Annotated[str, NamesFile()] = Field(description="shipped profile, or a file of y, z points")
    heights: Literal["tread_datum", "file"] = Field(
        "tread_datum",
        description="heights count from the tread datum, or from the file's z = 0, which has the vehicle's radius: "
        "wear at the tread datum then makes the wheel smaller",
    )


class OwnRailSection(RailFileSection):
    """Profile of one rail, in place of contact.rail_profile; its y = 0 does not matter."""

    ONLY = Only(".profile", lambda name: not is_shipped(name, "rail"), "name a file")

    profile: Annotated[str, NamesFile()] = Field(description="shipped profile, or a file of y, z points")


class StationSection(Section):
    """Section of a rail at a place along the track; between two of them heights change linearly."""

    at_m: Place = Field(description="arc length, rising from station to station of a rail; of a .slcs list its s = 0")
    rail: Literal["both", "left", "right"] = Field("both", description="the rail that has this section")
    profile: Annotated[str, NamesFile()] = Field(
        "", description="shipped profile, a file of y, z points, or a .slcs list; left out: the rail's own profile"
    )
    file: Annotated[
        RailFileSection, Only(".profile", lambda name: name and not is_shipped(name, "rail"), "name a file")
    ] = Field(RailFileSection(), description="how a profile from a file is read")
    datum: Annotated[
        Literal["gauge", "file"],
        Only(".profile", lambda name: name and not is_shipped(name, "rail"), "name a file", ("gauge",)),
    ] = Field(
        "gauge",
        description="gauge: crown and gauge face stand where those of the rail's own profile do; file: the file's "
        "y = 0 is the running edge, half a gauge from the track centre, its z = 0 the running surface; it stands as in "
        "the track, and may have several heads, such as nose and wing rail",
    )
    shift_y_mm: Annotated[Number, Field(ge=-500.0, le=500.0), Only(".datum", ("file",))] = Field(
        0.0, description="added to y, mirrored"
    )
    inclination: Annotated[
        Annotated[Number, Field(ge=0.0, le=0.2)] | None,
        Only(".datum", ("gauge",)),
        Only(".profile", lambda name: name != "", "name one"),
    ] = Field(None, description="in place of contact.rail_inclination")


class ContactSection(Section):
    """Profiles, their placing, and the contact laws."""

    wheel_profile: Annotated[str, NamesFile()] = Field("S1002", description="shipped profile, or a file of y, z points")
    rail_profile: Annotated[str, NamesFile()] = Field("60E1", description="shipped profile, or a file of y, z points")
    wheel_file: Annotated[
        WheelFileSection, Only(".wheel_profile", lambda name: not is_shipped(name, "wheel"), "name a file")
    ] = Field(WheelFileSection(), description="how a wheel_profile from a file is read")
    rail_file: Annotated[
        RailFileSection, Only(".rail_profile", lambda name: not is_shipped(name, "rail"), "name a file")
    ] = Field(RailFileSection(), description="how a rail_profile from a file is read")
    wheels: Annotated[dict[str, OwnWheelSection], FULL] = Field(
        {}, description='profiles of single wheels, by name of a wheel, such as "front left"'
    )
    rails: Annotated[dict[Literal["left", "right"], OwnRailSection], FULL] = Field(
        {}, description="profiles of single rails, by side: left, right"
    )
    along: Annotated[tuple[StationSection, ...], Only("contact.detection", ("scan",)), FULL] = Field(
        (), description="rail profiles that change along the track, section by section"
    )
    rail_inclination: Annotated[
        Number,
        Field(ge=0.0, le=0.2),
        Only("contact.rail_file.inclined", (None, False), "set inclined = false", (0.0,)),
        Usual(0.0, 0.06, "1:20 is the steepest in use"),
    ] = Field(
        0.025,
        description="inclination of the rails to the track centre: 1/40 = 0.025, 1/20 = 0.05; not for "
        "a file that holds the rail inclined",
    )
    gauge_mm: Positive = Field(1435.0, ge=300.0, le=3000.0, description="track gauge, 14 mm below the rail heads")
    friction: number_key(FRICTION, Only("contact.friction_law", NOT_OF_TABLES, "leave it out"))
    friction_law: Literal[*FRICTION_LAWS] = Field(
        FRICTION_LAWS.default, description=f"law of the coefficient of friction: {_meanings(FRICTION_LAWS)}"
    )
    friction_file: Annotated[str | None, Only("contact.friction_law", OF_TABLES), NamesFile(FRICTION_FOLDERS)] = Field(
        None,
        description="CSV table of the law table: friction and any of place_m, rail, region, limit_ratio, decay_s_m",
    )
    initial_slope: number_key(INITIAL_SLOPE)
    youngs_modulus_pa: Annotated[Modulus, Usual(1.9e11, 2.2e11, "steel")] = Field(
        2.1e11, description="Young's modulus of wheel and rail in the contact law"
    )
    poissons_ratio: Annotated[Number, Field(ge=0.0, lt=0.5), Usual(0.25, 0.35, "steel")] = Field(
        0.28, description="Poisson's ratio of wheel and rail in the contact law"
    )
    detection: Annotated[Literal["scan", "grid", "dist", "diff", "network", "table"], NO_SEARCH] = Field(
        "scan",
        description="method that finds the points of first touch; network and table need `flexwheel detection-train`",
    )
    normal: Literal[*NORMAL_LAWS] = Field(
        NORMAL_LAWS.default, description=f"law of normal contact: {_meanings(NORMAL_LAWS)}"
    )
    tangential: Annotated[Literal[*TANGENTIAL_LAWS], FULL] = Field(
        TANGENTIAL_LAWS.default, description=f"creep force law: {_meanings(TANGENTIAL_LAWS)}"
    )
    traction_bound: Annotated[Literal["elliptic", "parabolic"], STRIPS, FULL] = Field(
        "elliptic",
        description="traction bound of FASTSIM: friction times Hertz's pressure, or parabolic as in Kalker 1982",
    )
    strips: Annotated[Whole, Field(ge=4, le=400)] | None = Field(
        None, description=f"strips across each patch, left out: {_strips_of_laws()}"
    )
    cells_per_strip: Annotated[Annotated[Whole, Field(ge=4, le=200)], STRIPS, FULL] = Field(
        14, description="FASTSIM cells along a strip"
    )
    normal_damping_ns_m: Annotated[Damping, FULL, Usual(0.0, 1e6, "more is a contact that pulls")] = Field(
        1.0e4, description="normal damping of a closed contact"
    )


def chosen_law(section, key):
    """The law that a key of the [contact] section chooses, and name and values of its own section, or None."""
    ending, laws = LAWS[key]
    law = laws[getattr(section, key)]
    name = f"{law.name}_{ending}"
    return law, name, getattr(section, name, None)


_SECTIONS = {
    f"{name}_{ending}": section_of(
        f"{name}_{ending}", law.keys, f"{laws.noun} {name!r}", Only(f"contact.{key}", (name,))
    )
    for key, (ending, laws) in LAWS.items()
    for name, law in laws.items()
    if law.keys
}
if not TYPE_CHECKING:  # the keys of laws, those of other distributions too
    ContactSection = create_model(
        "ContactSection", __base__=ContactSection, __module__=__name__, __doc__=ContactSection.__doc__, **_SECTIONS
    )
