"""Normal contact of one patch by the chosen law, and what such a law declares.

Laws are entry points in the group "flexwheel.normal_laws", called by address: the one that is chosen is compiled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from flexwheel.base.option import Option, option_values
from flexwheel.base.registry import Registry
from flexwheel.contact.fejer import fejer
from flexwheel.contact.gap import Pose, ProfilePair, SampledDepth
from flexwheel.contact.hertz import zone_factors
from flexwheel.contact.log_table import RATIOS
from flexwheel.contact.mutual_lift import fill_lifts, lift_patches
from flexwheel.contact.patch import NORMAL, NormalContact, semi_hertzian
from flexwheel.contact.regions import Peaks, RegionColumns
from flexwheel.contact.semi_hertzian import Nodes, empty_strips
from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, types

PROBES = 8


class NormalTables(NamedTuple):
    """What a law of normal contact is given of the bodies, and the law."""

    contact_modulus: float  # [Pa] E* = G/(1 - nu)
    zone: np.ndarray  # (n, 2) against ln(A/B): eps_y, sqrt(eps_x/eps_y)
    nodes: Nodes  # strips across a connected part of a patch
    probes: Nodes  # likewise, to measure a part
    numbers: np.ndarray  # (k,) of the law's keys
    whole: bool  # the law takes a wheel as a whole
    at_places: bool
    entry: Entry  # of its kernel


@dataclass(frozen=True, eq=False)
class NormalLaw:
    """A law of normal contact; found through NORMAL_LAWS.

    A scenario chooses it by `contact.normal = NAME`, and sets its keys in the section `[contact.NAME_normal]`.
    """

    name: str
    meaning: str
    # kernel NormalTables, ProfilePair, Pose, SampledDepth, Peaks, region (7,), parts (k, 2), strip (13, k) ->
    # NormalContact. region: a row of `separate_regions`; parts: scratch, edges [m] of the zone's parts; strip: out,
    # rows s, width, half, offset of StripRows, in sixteens, what is left of the last of no width
    patch: Callable | None
    keys: tuple[Option, ...] = ()  # the kernel has their values, in this order, as `numbers`
    at_places: bool = False  # a node of a part is a strip, at its place on both profiles (rows y, z), as wear needs
    # in place of `patch`, all patches of a wheel at once: kernel NormalTables, ProfilePair, Pose, SampledDepth, Peaks,
    # regions (m, 7), their number, parts, system (s, t) scratch, strips (n, 13, k), normal (n, 13), (press (n, 12),
    # stiffness (6, 6)) -> number of those that carry load. out: regions, strips, normal and press, the change of their
    # loads as the wheel moves, of these; stiffness of the wheel; half_width: of the ellipse of this area
    wheel: Callable | None = None
    strips: int = 16  # across a connected part of a patch, where none are given


NORMAL_LAWS = Registry("law of normal contact", "flexwheel.normal_laws", NormalLaw, "balanced_strips")
SEMI_HERTZIAN = NormalLaw(
    "semi_hertzian", "virtual penetration on strips, its zone and half-lengths from an equivalent ellipse",
    semi_hertzian, at_places=True,
)  # fmt: skip
PLAIN_KP = NormalLaw(
    "plain_kp", "virtual penetration on strips as published, its zone a constant share of the depth", semi_hertzian,
    (Option("epsilon", 0.55, 0.05, 0.95, "depth of the zone over the approach", "Piotrowski and Kik 2008"),),
    at_places=True,
)  # fmt: skip

_ROLE = "normal contact"
_patch = far_call(_ROLE, types.NamedUniTuple(types.float64, len(NormalContact._fields), NormalContact))
_wheel = far_call(_ROLE, types.int64)


def normal_tables(name, values, contact_modulus, strips) -> NormalTables:
    """Tables of a law with its keys, those left out at their defaults; its kernel is compiled if it is not yet.

    values : key -> value    contact_modulus : float [Pa]    strips : int   across a connected part

    Raises
    ------
    ScenarioError    no such law or key, or a value out of range
    """
    law = NORMAL_LAWS.require(name, "contact normal_law")
    tables = NormalTables(
        contact_modulus=contact_modulus,
        zone=_zone_table().copy(),
        nodes=_nodes(strips, 16),
        probes=_nodes(PROBES, 8),
        numbers=option_values(law.keys, values, f"{NORMAL_LAWS.noun} {name!r}"),
        whole=law.wheel is not None,
        at_places=law.at_places,
        entry=Entry(0, 0),
    )
    one, row, square = np.zeros(1), np.zeros(len(RegionColumns._fields)), np.zeros((1, 1))
    pair, pose = ProfilePair(square, 0.0, square, 0.0, 1.0), Pose(*[1.0] * len(Pose._fields))
    patch = pair, pose, SampledDepth(1.0, one, 0, 0), Peaks(one, one, one, one), row, square, empty_strips(1)
    if law.wheel is not None:
        strips = np.zeros((1, *patch[-1].shape))
        patch = *patch[:4], square, 0, square, square, strips, square, (square, square)
        return tables._replace(entry=entry(law.wheel, handle(tables), *patch, role=_ROLE))
    return tables._replace(entry=entry(law.patch, handle(tables), *patch, role=_ROLE))


@cache
def _zone_table():
    """Depth and shape (n, 2) of the contact zone at RATIOS of the curvatures."""
    eps_x, eps_y, _ = zone_factors(RATIOS)
    return np.stack([eps_y, np.sqrt(eps_x / eps_y)], axis=1)


def _nodes(count, lanes):
    """Strips across a part of a patch, dense at its edges."""
    place, width = fejer(count)
    more, angle = (0, -count % lanes), np.pi / count
    root = angle * np.sqrt(place * (1.0 - place))
    return Nodes(np.pad(place, more, mode="edge"), np.pad(width, more), np.pad(root, more), angle)


@kernel(inline="always")
def patch_normal(tables, pose, sampled, peaks, region, parts, strip):
    """NormalContact of one patch, its strips filled; arguments are those of NormalLaw.patch, of ContactTables."""
    law, pair = tables.normal, tables.pair
    return _patch(law.entry, (law, pair, pose, sampled, peaks, region, parts, strip))


@kernel(inline="always")
def wheel_normal(tables, pose, sampled, scratch, count):
    """Fill rows of scratch.normal and strips for the first `count` regions of a wheel; returns how many are filled."""
    law, pair, peaks, regions = tables.normal, tables.pair, scratch.peaks, scratch.regions
    if law.whole:
        room = scratch.parts, scratch.system, scratch.strips, scratch.normal, (scratch.press, scratch.stiffness)
        return _wheel(law.entry, (law, pair, pose, sampled, peaks, regions, count, *room))
    for p in range(count):
        normal = patch_normal(tables, pose, sampled, peaks, regions[p], scratch.parts, scratch.strips[p])
        for k in range(len(normal)):
            scratch.normal[p, k] = normal[k]
    if count > 1:
        fill_lifts(law.contact_modulus, regions, count, scratch.normal, scratch.lift)
        count = lift_patches(scratch.lift, regions, count, scratch.normal, scratch.strips)
    for p in range(count):
        scratch.normal[p, NORMAL.peak] = scratch.normal[p, NORMAL.factor] * scratch.normal[p, NORMAL.half_length]
    return count
