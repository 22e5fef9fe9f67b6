"""Half-section of a railway wheelset whose re-entrant edges have radii, with elements that carry them.

As `wheelset_section`, with a fillet from axle to wheel seat and hub on either side, at the journal shoulder and from
the web to hub and rim. Fillets at the web are cut at their middle: one half is the surface of hub or rim, the other
that of the web, so that no element is flat.
"""

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Mesh
from flexwheel.contact.profiles.s1002 import s1002_height
from flexwheel.verification.meshes.revolve import MeshSection, revolve
from flexwheel.verification.meshes.wheelset_section import (
    STEEL,
    WheelsetDimensions,
    _axle_sets,
    _Drawing,
    _values,
)

RUN_IN = 0.3  # of the radius: length of the cell on the axle beside a fillet, whose stress peaks near its end
CROWDED = 0.6  # how much shorter than the mean the cells of the web beside its fillets are


@dataclass(frozen=True)
class Fillets:
    """Radii [m]; a fillet takes the place of the cone of `WheelsetDimensions` there."""

    axle_seat: float = 0.030  # from the body of the axle to the inner face of the hub
    axle_abutment: float = 0.025  # from the outer face of the hub to the abutment
    journal: float = 0.030  # from the abutment to the journal
    web_hub: float = 0.030
    web_rim: float = 0.025


@dataclass(frozen=True)
class FilletRefinement:
    """Number of cells along each edge of the section; fillets at the web have web_arc in either half.

    Layers are places of nodes across a part as shares of it, ascending to 1, thin at its free surfaces.
    """

    sectors: int
    axle_layers: tuple[float, ...]  # from the axis to the surface
    hub_layers: tuple[float, ...]  # from the fillets of the axle to the outer surface
    web_layers: tuple[float, ...]  # from the inner to the outer face
    rim_layers: tuple[float, ...]  # from the inner surface to the tread
    axle_body: int
    seat_arc: int
    hub_inner: int
    web_arc: int
    hub_outer: int
    abutment_arc: int
    abutment: int
    journal_arc: int
    journal: int
    hub_arc: int
    web_radial: int
    tread_flange_side: tuple[float, ...]  # [m] from the tread datum, flange back excluded
    tread_field_side: tuple[float, ...]  # [m] from the tread datum, field face excluded


def read_fillets(path: str | Path) -> tuple[WheelsetDimensions, Fillets, dict[str, FilletRefinement]] | None:
    """Dimensions, radii and refinements of a TOML file with a table `fillets`, lengths in mm; None without one.

    Raises
    ------
    MeshError    unreadable file, unknown or missing key, a value that is no number
    """
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise MeshError(f"{path}: cannot read wheelset dimensions: {error}") from error
    if "fillets" not in table:
        return None
    made = []
    for name, kind in (("dimensions", WheelsetDimensions), ("fillets", Fillets)):
        keys = {f.name + "_mm": f.name for f in fields(kind)}
        given = _values(path, name, table.get(name, {}), keys, partial=True)
        made.append(kind(**{key: value / 1000 for key, value in given.items()}))
    keys = {f.name + "_mm" * f.name.startswith("tread_"): f.name for f in fields(FilletRefinement)}
    refinements = {}
    for name, entry in table.get("refinement", {}).items():
        values = _values(path, f"refinement.{name}", entry, keys, partial=False)
        for key in ("tread_flange_side", "tread_field_side"):
            values[key] = tuple(value / 1000 for value in values[key])
        refinements[name] = FilletRefinement(
            **{key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}
        )
    return *made, refinements


def filleted_section(d: WheelsetDimensions, f: Fillets, n: FilletRefinement) -> MeshSection:
    """Half-section as a plane mesh of quadrilaterals, with the sets of `wheelset_section`.

    Raises
    ------
    MeshError    radii that do not fit

    Verified in tests/verification/test_filleted_section_verified.py.
    """
    web = _Web(d, f, n)
    stations, surface, seat = _axle(d, f, n, web)
    drawing = _Drawing()
    both_y = np.concatenate([-stations[:0:-1], stations])
    both_r = np.concatenate([surface[:0:-1], surface])
    layers = np.concatenate([[0.0], n.axle_layers])[None]
    axle = drawing.block(
        np.repeat(both_y[:, None], layers.size, 1), d.bore_radius + (both_r[:, None] - d.bore_radius) * layers
    )
    boxed = replace(d, journal_start=d.journal_start + RUN_IN * f.journal)  # nodes at equal distances carry the box
    sets, cells = _axle_sets(axle, both_y, boxed), {"AXLE": drawing.cells_since(0)}
    for side, name in ((1, "LEFT"), (-1, "RIGHT")):
        first = drawing.cell_count
        y, r = _hub(d, f, n, web, stations[seat])
        drawing.block(side * y, r)
        y, r = web.block()
        rows = drawing.block(side * y, r)
        y, r = _rim(d, n, web)
        rim = drawing.block(side * y, r)
        sets |= {f"TREAD_{name}": rim[:, -1], f"WEB_INNER_{name}": rows[0], f"WEB_OUTER_{name}": rows[-1]}
        cells[f"WHEEL_{name}"] = drawing.cells_since(first)
    return MeshSection(np.array(drawing.points), drawing.counter_clockwise_quads(), sets, cells)


def filleted_mesh(d: WheelsetDimensions, f: Fillets, n: FilletRefinement, order: int = 1) -> Mesh:
    """The section revolved: see `filleted_section` and `revolve`."""
    return revolve(filleted_section(d, f, n), n.sectors, order, (STEEL,))


class _Web:
    """Faces of the web, inner (-1) and outer (+1), with their fillets to hub and rim."""

    def __init__(self, d, f, n):
        self.d, self.n = d, n
        self.arcs = {
            (face, end): self._arc(face, radius, level, away)
            for face in (-1, 1)
            for end, radius, level, away in (
                ("hub", f.web_hub, d.hub_radius, 1),
                ("rim", f.web_rim, d.rim_inner_radius, -1),
            )
        }

        for face in (-1, 1):
            if not self.arcs[face, "hub"][-1, 1] < self.arcs[face, "rim"][-1, 1]:
                raise MeshError("wheelset section: no room for the fillets of the web between hub and rim")

    def face(self, side, r):
        """y of a face at radius r."""
        d, t = self.d, (r - self.d.hub_radius) / (self.d.rim_inner_radius - self.d.hub_radius)
        thickness = d.web_thickness_hub * (1 - t) + d.web_thickness_rim * t
        centre = d.web_centre_hub * (1 - t) + d.web_centre_rim * t + d.web_bow * np.sin(np.pi * t)
        return centre + 0.5 * side * thickness

    def _arc(self, side, radius, level, away):
        """Points (2 web_arc + 1, 2) of a fillet from the surface of hub or rim to the face."""

        def centre(r):
            slope = (self.face(side, r + 1e-6) - self.face(side, r - 1e-6)) / 2e-6
            normal = side * np.array([1.0, -slope]) / np.hypot(1.0, slope)
            return np.array([self.face(side, r), r]) + radius * normal

        def miss(r):
            return centre(r)[1] - (level + away * radius)

        touch = brentq(miss, *sorted((level + 0.3 * away * radius, level + 2.0 * away * radius)))
        middle = centre(touch)
        last = np.arctan2(touch - middle[1], self.face(side, touch) - middle[0])
        first = -away * np.pi / 2
        turn = (last - first + np.pi) % (2 * np.pi) - np.pi
        angle = first + turn * np.linspace(0, 1, 2 * self.n.web_arc + 1)
        return middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def foot(self, end):
        """Points along the surface of hub or rim under the web and its fillets, inner side first (m, 2)."""
        half = self.n.web_arc + 1
        left, right = self.arcs[-1, end][:half], self.arcs[1, end][:half][::-1]
        share = np.array(self.n.web_layers)[:-1, None]
        return np.concatenate([left, left[-1] * (1 - share) + right[0] * share, right])

    def block(self):
        """y and r (across, along) of the web from the middle of its fillets at the hub to that at the rim."""
        sides = []
        for side in (-1, 1):
            low, high = self.arcs[side, "hub"][self.n.web_arc :], self.arcs[side, "rim"][self.n.web_arc :][::-1]
            at = np.linspace(0, 1, self.n.web_radial + 1)[1:-1]
            at = at - CROWDED * np.sin(2 * np.pi * at) / (2 * np.pi)
            r = low[-1, 1] + (high[0, 1] - low[-1, 1]) * at
            sides.append(np.concatenate([low, np.stack([self.face(side, r), r], axis=1), high]))
        share = np.array([0.0, *self.n.web_layers])[:, None, None]
        points = sides[0] * (1 - share) + sides[1] * share
        return points[..., 0], points[..., 1]


def _axle(d, f, n, web):
    """Stations of the axle's cells, y >= 0, surface radius there, and the slice of the wheel seat."""
    start, end, journal = _ends(d, f)
    foot, seat = web.foot("hub")[:, 0], d.wheel_seat_radius
    inner = d.wheel_seat_start - f.axle_seat * (1 - np.sin(start))
    outer = d.wheel_seat_end + f.axle_abutment * (1 - np.sin(end))
    top = d.journal_start - f.journal * np.sin(journal)
    up, down = np.linspace(0, start, n.seat_arc + 1), np.linspace(end, 0, n.abutment_arc + 1)
    off = np.linspace(journal, 0, n.journal_arc + 1)
    run_in = RUN_IN * f.axle_seat
    parts = [
        _straight(0.0, d.wheel_seat_start - f.axle_seat - run_in, d.axle_body_radius, n.axle_body),
        _straight(d.wheel_seat_start - f.axle_seat - run_in, d.wheel_seat_start - f.axle_seat, d.axle_body_radius, 1),
        (d.wheel_seat_start - f.axle_seat * (1 - np.sin(up)), d.axle_body_radius + f.axle_seat * (1 - np.cos(up))),
        _straight(inner, foot[0], seat, n.hub_inner),
        (foot, np.full(len(foot), seat)),
        _straight(foot[-1], outer, seat, n.hub_outer),
        (
            d.wheel_seat_end + f.axle_abutment * (1 - np.sin(down)),
            d.abutment_radius + f.axle_abutment * (1 - np.cos(down)),
        ),
        _straight(d.wheel_seat_end + f.axle_abutment, top, d.abutment_radius, n.abutment),
        (d.journal_start - f.journal * np.sin(off), d.journal_radius + f.journal * (1 - np.cos(off))),
        _straight(d.journal_start, d.journal_start + RUN_IN * f.journal, d.journal_radius, 1),
        _straight(d.journal_start + RUN_IN * f.journal, d.axle_half_length, d.journal_radius, n.journal),
    ]
    y = np.concatenate([part[0][k > 0 :] for k, part in enumerate(parts)])
    r = np.concatenate([part[1][k > 0 :] for k, part in enumerate(parts)])
    if not (np.diff(y) > 0).all():
        raise MeshError("wheelset section: the fillets of the axle overlap: take smaller radii or longer seats")
    first = n.axle_body + 1 + n.seat_arc
    return y, r, slice(first, first + n.hub_inner + len(foot) + n.hub_outer)


def _ends(d, f):
    """Angles at which the fillets of the axle reach the radius of the seat, and that of the journal the abutment."""
    rises = (
        (d.wheel_seat_radius - d.axle_body_radius, f.axle_seat),
        (d.wheel_seat_radius - d.abutment_radius, f.axle_abutment),
        (d.abutment_radius - d.journal_radius, f.journal),
    )
    for rise, radius in rises:
        if not 0 < rise < radius:
            raise MeshError(f"wheelset section: a fillet of {1e3 * radius:g} mm cannot rise by {1e3 * rise:g} mm")
    return [np.arccos(1 - rise / radius) for rise, radius in rises]


def _straight(a, b, radius, cells):
    return np.linspace(a, b, cells + 1), np.full(cells + 1, radius)


def _hub(d, f, n, web, seat):
    """y and r (along the axle, outward) of the hub, its faces ending in the fillets of the axle."""
    start, end, _ = _ends(d, f)
    edges = []
    for first, radius, foot, face, way in (
        (start, f.axle_seat, d.axle_body_radius, d.wheel_seat_start, -1),
        (end, f.axle_abutment, d.abutment_radius, d.wheel_seat_end, 1),
    ):
        angle = np.linspace(first, np.pi / 2, n.hub_arc + 1)
        y, r = face + way * radius * (1 - np.sin(angle)), foot + radius * (1 - np.cos(angle))
        up = r[-1] + (d.hub_radius - r[-1]) * np.array(n.hub_layers)
        edges.append((np.append(y, np.full(len(up), face)), np.append(r, up)))
    foot = web.foot("hub")
    top = np.full(len(seat), d.hub_radius)
    top[n.hub_inner : n.hub_inner + len(foot)] = foot[:, 1]
    share = np.linspace(0, 1, len(seat))[:, None]
    part = [(r - r[0]) / (r[-1] - r[0]) for _, r in edges]
    level = part[0] * (1 - share) + part[1] * share
    r = d.wheel_seat_radius + level * (top[:, None] - d.wheel_seat_radius)
    y = np.repeat(seat[:, None], level.shape[1], 1)
    y[0], y[-1] = edges[0][0], edges[1][0]
    return y, r


def _rim(d, n, web):
    """y and r (across, outward) of the rim, from its inner surface to the tread."""
    foot = web.foot("rim")
    sides = (
        np.concatenate([[d.flange_back], n.tread_flange_side]) + d.tread_datum,
        np.concatenate([n.tread_field_side, [d.field_face]]) + d.tread_datum,
    )
    y = np.concatenate([sides[0], foot[:, 0], sides[1]])
    if not (np.diff(y) > 0).all():
        raise MeshError(f"wheelset section: profile nodes are not ascending: {np.array2string(y, precision=4)} m")
    low = np.concatenate([np.full(len(part), d.rim_inner_radius) for part in (sides[0], foot, sides[1])])
    low[len(sides[0]) : len(sides[0]) + len(foot)] = foot[:, 1]
    with np.errstate(divide="ignore"):  # the profile rises vertically at the flange back
        tread = d.rolling_radius + s1002_height(y - d.tread_datum)
    outward = np.array([0.0, *n.rim_layers])[None]
    return np.repeat(y[:, None], outward.size, 1), low[:, None] + (tread - low)[:, None] * outward
