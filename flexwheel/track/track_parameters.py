"""Parameters of a flexible track: rail section, fasteners, semi-sleepers, foundation; read from track/*.toml."""

from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, exists, read_toml
from flexwheel.base.shipped import TRACK as TRACK_DATA

LARGEST = 1e15
"""Of any value of a track: steel of a metre's size has 1e11 N/m."""
LARGEST_RAIL = {
    "area": 0.1, "second_moment_vertical": 1e-3, "second_moment_lateral": 1e-3, "torsion_constant": 1e-3,
    "density": 1e5, "shear_factor_vertical": 1.0, "shear_factor_lateral": 1.0, "youngs_modulus": 1e13,
    "shear_modulus": 1e13, "height": 1.0, "centroid_height": 1.0, "shear_centre_height": 1.0, "loss_factor": 2.0,
    "stiffness_damping": 1.0,
}  # fmt: skip
"""Of the values of a rail section, ten times and more those of the heaviest rails."""
LEAST_SHARE = 1e-9
"""Of them, that a value which is not zero has at least: less is no rail, and its elements are not finite."""
LEAST_MODULUS = 1e9
"""[Pa] of a rail: no metal is as soft, and a modulus in MPa is far below."""


@dataclass(frozen=True)
class RailSection:
    """Rail section; heights from the foot, vertical bending is about y.

    area [m2], second_moment_vertical, second_moment_lateral [m4], torsion_constant [m4], density [kg/m3],
    shear_factor_vertical, shear_factor_lateral [-], youngs_modulus, shear_modulus [Pa], height [m],
    centroid_height [m], shear_centre_height [m], loss_factor [-] (frequency domain),
    stiffness_damping [s] (time domain: damping force = stiffness_damping * stiffness * velocity)
    """

    area: float
    second_moment_vertical: float
    second_moment_lateral: float
    torsion_constant: float
    density: float
    shear_factor_vertical: float
    shear_factor_lateral: float
    youngs_modulus: float
    shear_modulus: float
    height: float
    centroid_height: float
    shear_centre_height: float
    loss_factor: float = 0.02
    stiffness_damping: float = 3.2e-6

    def __post_init__(self):
        _positive(self, "rail", {"loss_factor", "stiffness_damping"}, largest=LARGEST_RAIL)

    @property
    def head_above_centroid(self):
        """[m]"""
        return self.height - self.centroid_height

    @property
    def head_above_shear_centre(self):
        """[m]"""
        return self.height - self.shear_centre_height


@dataclass(frozen=True)
class SupportSpring:
    """Spring and damper: stiffness [N/m or N m/rad], damping [N s/m or N m s/rad], loss_factor [-] (frequency domain).

    law: None for linear, or (n, 2) [m, N] force against compression, compared with the linear law by correction
    forces; see force_law.
    """

    stiffness: float
    damping: float = 0.0
    loss_factor: float = 0.0
    law: tuple | None = None

    def __post_init__(self):
        _positive(self, "support spring", {"stiffness", "damping", "loss_factor"}, skip={"law"})


@dataclass(frozen=True)
class Fastener:
    """Rail fastener at one seat: between rail foot and semi-sleeper (x, pitch and yaw: to the ground)."""

    vertical: SupportSpring
    lateral: SupportSpring
    longitudinal: SupportSpring
    roll: SupportSpring
    pitch: SupportSpring = field(default_factory=lambda: SupportSpring(0.0))
    yaw: SupportSpring = field(default_factory=lambda: SupportSpring(0.0))


@dataclass(frozen=True)
class SemiSleeper:
    """Rigid half of a sleeper with z, y and roll: mass [kg], roll_inertia [kg m2]."""

    mass: float
    roll_inertia: float

    def __post_init__(self):
        _positive(self, "semi-sleeper", set())


@dataclass(frozen=True)
class Foundation:
    """Ballast and ground under one semi-sleeper."""

    vertical: SupportSpring
    lateral: SupportSpring
    roll: SupportSpring


@dataclass(frozen=True)
class FlexibleTrack:
    """A flexible track; sleeper and foundation None: fasteners on rigid ground.

    bay [m]: sleeper spacing; supports are at whole multiples of it along the track.
    bed: None for rigid ground under the foundation springs, or its compliance (2 m + 1, 6, 6), see bed.py.
    """

    rail: RailSection
    fastener: Fastener
    sleeper: SemiSleeper | None
    foundation: Foundation | None
    bay: float = 0.6
    bed: np.ndarray | None = field(default=None, compare=False)

    def __post_init__(self):
        if isinstance(self.bay, bool) or not isinstance(self.bay, int | float) or not 0.2 <= self.bay <= 2.0:
            raise ScenarioError(f"track bay must be a sleeper spacing of 0.2 to 2 m, got {clipped(repr(self.bay))} m")
        if (self.sleeper is None) != (self.foundation is None):
            raise ScenarioError("track: sleeper and foundation must both be given, or neither (rigid ground)")


def _positive(item, what, may_be_zero, skip=frozenset(), largest=None):
    """Numbers are positive unless they may be zero, and not absurd."""
    for f in fields(item):
        if f.name in skip:
            continue
        value = getattr(item, f.name)
        most, zero = (largest or {}).get(f.name, LARGEST), f.name in may_be_zero
        smallest = LEAST_SHARE * most if largest and not zero else 0.0
        smallest = LEAST_MODULUS if largest and f.name.endswith("_modulus") else smallest
        least = ">= 0" if zero else f">= {smallest:g}" if smallest else "> 0"
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not (smallest <= value <= most and (value > 0.0 or zero)):
            raise ScenarioError(
                f"{what} {f.name} must be a number {least}, at most {most:g}, got {clipped(repr(value))}"
            )


def rail_section(name):
    """Rail section 'uic60' or 'r65' (track/rail/<name>.toml), or the path of such a file."""
    return _build(RailSection, read_track_table(name, "rail"), str(name))


def flexible_track(name="ballasted", rail="uic60"):
    """Track of track/flexible/<name>.toml, or of the path of such a file, with a rail section."""
    table = read_track_table(name, "flexible")
    bay = _table(table.get("bay", {"value": 0.6}), f"{name}: bay").get("value")
    _known(table, {"bay", "fastener", "sleeper", "foundation"}, name)
    sleeper = _build(SemiSleeper, table["sleeper"], f"{name}: sleeper") if "sleeper" in table else None
    foundation = _springs(Foundation, table["foundation"], f"{name}: foundation") if "foundation" in table else None
    if "fastener" not in table:
        raise ScenarioError(f"{name}: table [fastener] must be given")
    fastener = _springs(Fastener, table["fastener"], f"{name}: fastener")
    return FlexibleTrack(rail_section(rail), fastener, sleeper, foundation, bay)


def read_track_table(name, folder):
    """TOML of a shipped name or of a path."""
    path = Path(name) if str(name).endswith(".toml") else TRACK_DATA / folder / f"{name}.toml"
    if not str(name).endswith(".toml") and not exists(path):
        known = sorted(p.stem for p in (TRACK_DATA / folder).glob("*.toml"))
        raise ScenarioError(f"track must be one of {', '.join(known)} or the path of a .toml file, got {str(name)!r}")
    return read_toml(path, "a TOML file of track parameters")


def _build(kind, table, where):
    """Dataclass from a table of {value, unit, source, confidence} entries."""
    _known(table, {f.name for f in fields(kind)}, where)
    try:
        return kind(**{k: v["value"] for k, v in table.items()})
    except (TypeError, KeyError) as error:
        raise ScenarioError(f"{where}: entries must be like {{ value = ..., unit = ... }}: {error}") from None
    except ScenarioError as error:
        raise ScenarioError(f"{where}: {error}") from None


def _table(value, where):
    """A table of keys, as it is."""
    if not isinstance(value, dict):
        raise ScenarioError(f"{where} must be a table of keys, got {clipped(repr(value))}")
    return value


def _known(table, known, where, what="key"):
    """Refuse a key that is none of the known ones."""
    unknown = set(_table(table, where)) - known
    if unknown:
        raise ScenarioError(f"{where}: unknown {what} {sorted(unknown)[0]}; known: {', '.join(sorted(known))}")


def _springs(kind, table, where):
    """Fastener or foundation from tables of springs."""
    _known(table, {f.name for f in fields(kind)}, where, "spring")
    try:
        return kind(**{k: _build(SupportSpring, v, f"{where}.{k}") for k, v in table.items()})
    except TypeError as error:
        raise ScenarioError(f"{where}: {error}") from None
