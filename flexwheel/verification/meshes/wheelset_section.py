"""Parametric half-section of a railway wheelset: solid or bored axle, two webbed monobloc wheels.

The section is drawn once for y >= 0 and mirrored. Dimensions are those a drawing gives; a TOML file holds
them in millimetres (`meshes/wheelset_section.toml`). Left is y > 0.
"""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material, Mesh
from flexwheel.contact.profiles.s1002 import s1002_height
from flexwheel.verification.meshes.revolve import MeshSection, revolve

STEEL = Material(youngs_modulus=2.1e11, poissons_ratio=0.3, density=7850.0, name="STEEL")


@dataclass(frozen=True)
class WheelsetDimensions:
    """Half of the wheelset, y from its middle; the transitions between seats are cones [m]."""

    axle_half_length: float = 1.10
    bore_radius: float = 0.0  # 0: solid axle
    axle_body_radius: float = 0.08
    axle_body_end: float = 0.63
    wheel_seat_radius: float = 0.0925
    wheel_seat_start: float = 0.665
    wheel_seat_end: float = 0.845
    abutment_radius: float = 0.08
    abutment_start: float = 0.86
    abutment_end: float = 0.90
    journal_radius: float = 0.065
    journal_start: float = 0.915  # the journal is the axle-box seat and reaches to the axle end
    rolling_radius: float = 0.46  # at the tread datum
    tread_datum: float = 0.75  # 70 mm from the flange back
    flange_back: float = -0.070  # from the tread datum, towards the track's middle
    field_face: float = 0.060
    hub_radius: float = 0.135
    rim_inner_radius: float = 0.40
    web_thickness_hub: float = 0.045
    web_thickness_rim: float = 0.030
    web_centre_hub: float = 0.755
    web_centre_rim: float = 0.75
    web_bow: float = 0.012  # sine half-wave towards the field side


@dataclass(frozen=True)
class Refinement:
    """Number of cells along each edge of the section, and the profile nodes outside the web foot."""

    sectors: int
    axle_radial: int
    axle_body: int
    transition: int
    hub_inner: int
    web_across: int
    hub_outer: int
    journal: int
    hub_radial: int
    web_radial: int
    rim_radial: int
    tread_flange_side: tuple[float, ...]  # [m] from the tread datum, flange back excluded
    tread_field_side: tuple[float, ...]  # [m] from the tread datum, field face excluded


REFINEMENTS = {
    "coarse": Refinement(24, 2, 4, 1, 1, 1, 1, 2, 1, 4, 2, (-0.055, -0.040, -0.028), (0.037,)),
    "medium": Refinement(60, 3, 6, 1, 2, 2, 2, 2, 1, 9, 3, (-0.062, -0.050, -0.040, -0.028), (0.030, 0.045)),
    "paper": Refinement(180, 3, 7, 1, 2, 2, 3, 2, 2, 11, 3, (-0.062, -0.050, -0.040, -0.034, -0.025), (0.030, 0.045)),
}


def wheelset_section(
    dimensions: WheelsetDimensions | None = None, refinement: Refinement = REFINEMENTS["coarse"]
) -> MeshSection:
    """Half-section of the wheelset as a plane mesh of quadrilaterals.

    Parameters
    ----------
    dimensions : WheelsetDimensions [m]   the shipped wheelset when left out
    refinement : Refinement

    Returns
    -------
    Section  with point sets TREAD_LEFT/RIGHT (flange back to field face), ENDFACE_LEFT/RIGHT (bore or axis
             to surface), AXLE_BOX_LEFT/RIGHT (journal surface), WEB_INNER_LEFT/RIGHT and
             WEB_OUTER_LEFT/RIGHT (web faces to the track's middle and to the field, hub to rim); quad sets
             AXLE, WHEEL_LEFT, WHEEL_RIGHT

    Raises
    ------
    MeshError    dimensions that do not make a wheelset, the pair of names given

    Verified in tests/verification/test_wheelset_section_verified.py.
    """
    d = dimensions or WheelsetDimensions()
    _check(d, refinement)
    stations, surface = _axle_outline(d, refinement)
    drawing = _Drawing()
    both_y = np.concatenate([-stations[:0:-1], stations])
    both_r = np.concatenate([surface[:0:-1], surface])
    across = np.linspace(0, 1, refinement.axle_radial + 1)[None]
    axle = drawing.block(
        np.repeat(both_y[:, None], across.size, 1), d.bore_radius + (both_r[:, None] - d.bore_radius) * across
    )
    sets = _axle_sets(axle, both_y, d)
    cells = {"AXLE": drawing.cells_since(0)}
    for side, name in ((1, "LEFT"), (-1, "RIGHT")):
        seat, first = stations[_seat_cells(refinement)], drawing.cell_count
        _hub(drawing, side, seat, d, refinement)
        web = _web(drawing, side, d, refinement)
        rim = _rim(drawing, side, d, refinement)
        sets |= {f"TREAD_{name}": rim[:, -1], f"WEB_INNER_{name}": web[0], f"WEB_OUTER_{name}": web[-1]}
        cells[f"WHEEL_{name}"] = drawing.cells_since(first)
    return MeshSection(np.array(drawing.points), drawing.counter_clockwise_quads(), sets, cells)


def wheelset_mesh(
    dimensions: WheelsetDimensions | None = None,
    refinement: Refinement = REFINEMENTS["coarse"],
    order: int = 1,
    material: Material = STEEL,
) -> Mesh:
    """The section revolved: see `wheelset_section` and `revolve`."""
    return revolve(wheelset_section(dimensions, refinement), refinement.sectors, order, (material,))


def read_dimensions(path: str | Path) -> tuple[WheelsetDimensions, dict[str, Refinement]]:
    """Dimensions and refinements of a TOML file, lengths in mm.

    Table `dimensions` has the fields of WheelsetDimensions with suffix `_mm` (those left out keep the shipped
    value); each table `refinement.NAME` has the fields of Refinement, the profile lists with suffix `_mm`.

    Raises
    ------
    MeshError    unreadable file, unknown or missing key, a value that is no number
    """
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise MeshError(f"{path}: cannot read wheelset dimensions: {error}") from error
    unknown = sorted(set(table) - {"dimensions", "refinement"})
    if unknown:
        raise MeshError(f"{path}: unknown table '{unknown[0]}', expected 'dimensions' and 'refinement.NAME'")
    lengths = {f.name + "_mm": f.name for f in fields(WheelsetDimensions)}
    given = _values(path, "dimensions", table.get("dimensions", {}), lengths, partial=True)
    dimensions = WheelsetDimensions(**{k: v / 1000 for k, v in given.items()})
    keys = {f.name + "_mm" * f.name.startswith("tread_"): f.name for f in fields(Refinement)}
    refinements = {}
    for name, entry in table.get("refinement", {}).items():
        values = _values(path, f"refinement.{name}", entry, keys, partial=False)
        for key in ("tread_flange_side", "tread_field_side"):
            values[key] = tuple(v / 1000 for v in values[key])
        refinements[name] = Refinement(**values)
    return dimensions, refinements or dict(REFINEMENTS)


class _Drawing:
    """Points and quads of structured blocks; points of neighbouring blocks are merged where they coincide."""

    def __init__(self):
        self.points: list[tuple[float, float]] = []
        self._row: dict[tuple[float, float], int] = {}
        self._quads: list[np.ndarray] = []

    def block(self, y: np.ndarray, r: np.ndarray) -> np.ndarray:
        """Rows of a (m, n) grid of points; its cells are appended to the quads."""
        rows = np.array([[self._point(a, b) for a, b in zip(*line, strict=True)] for line in zip(y, r, strict=True)])
        cells = np.stack([rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]], axis=-1)
        self._quads.append(cells.reshape(-1, 4))
        return rows

    def _point(self, y: float, r: float) -> int:
        key = (round(float(y), 9) + 0.0, round(float(r), 9) + 0.0)
        if key not in self._row:
            self._row[key] = len(self.points)
            self.points.append((float(y), float(r)))
        return self._row[key]

    @property
    def cell_count(self) -> int:
        return sum(len(quads) for quads in self._quads)

    def cells_since(self, first: int) -> np.ndarray:
        return np.arange(first, self.cell_count)

    def counter_clockwise_quads(self) -> np.ndarray:
        quads = np.concatenate(self._quads)
        y, r = np.moveaxis(np.array(self.points)[quads], -1, 0)
        area = 0.5 * (y * np.roll(r, -1, axis=1) - np.roll(y, -1, axis=1) * r).sum(axis=1)
        if not (np.abs(area) > 1e-12).all():
            raise MeshError("wheelset section: the dimensions make a cell of zero area")
        quads[area < 0] = quads[area < 0][:, [0, 3, 2, 1]]
        return quads


def _axle_outline(d: WheelsetDimensions, n: Refinement) -> tuple[np.ndarray, np.ndarray]:
    """Lateral stations of the axle's cells, y >= 0, and the surface radius there."""
    foot = d.web_centre_hub - d.web_thickness_hub / 2, d.web_centre_hub + d.web_thickness_hub / 2
    ends = [
        0.0,
        d.axle_body_end,
        d.wheel_seat_start,
        *foot,
        d.wheel_seat_end,
        d.abutment_start,
        d.abutment_end,
    ]
    ends += [d.journal_start, d.axle_half_length]
    cells = [n.axle_body, n.transition, n.hub_inner, n.web_across, n.hub_outer, n.transition, n.transition]
    cells += [n.transition, n.journal]
    runs = [np.linspace(a, b, c + 1)[1:] for a, b, c in zip(ends[:-1], ends[1:], cells, strict=True)]
    stations = np.concatenate([[0.0], *runs])
    corners = [0.0, d.axle_body_end, d.wheel_seat_start, d.wheel_seat_end, d.abutment_start, d.abutment_end]
    radii = [d.axle_body_radius] * 2 + [d.wheel_seat_radius] * 2 + [d.abutment_radius] * 2 + [d.journal_radius] * 2
    return stations, np.interp(stations, [*corners, d.journal_start, d.axle_half_length], radii)


def _seat_cells(n: Refinement) -> slice:
    first = n.axle_body + n.transition
    return slice(first, first + n.hub_inner + n.web_across + n.hub_outer + 1)


def _axle_sets(axle: np.ndarray, y: np.ndarray, d: WheelsetDimensions) -> dict[str, np.ndarray]:
    journal = np.flatnonzero(y > d.journal_start - 1e-9)
    return {
        "ENDFACE_LEFT": axle[-1],
        "ENDFACE_RIGHT": axle[0],
        "AXLE_BOX_LEFT": axle[journal, -1],
        "AXLE_BOX_RIGHT": axle[len(y) - 1 - journal[::-1], -1],
    }


def _hub(drawing: _Drawing, side: int, seat: np.ndarray, d: WheelsetDimensions, n: Refinement) -> np.ndarray:
    radius = np.linspace(d.wheel_seat_radius, d.hub_radius, n.hub_radial + 1)
    return drawing.block(side * np.repeat(seat[:, None], radius.size, 1), np.repeat(radius[None], len(seat), 0))


def _web(drawing: _Drawing, side: int, d: WheelsetDimensions, n: Refinement) -> np.ndarray:
    t = np.linspace(0, 1, n.web_radial + 1)[None]
    across = np.linspace(-0.5, 0.5, n.web_across + 1)[:, None]
    thickness = d.web_thickness_hub * (1 - t) + d.web_thickness_rim * t
    centre = d.web_centre_hub * (1 - t) + d.web_centre_rim * t + d.web_bow * np.sin(np.pi * t)
    radius = d.hub_radius + (d.rim_inner_radius - d.hub_radius) * t
    return drawing.block(side * (centre + across * thickness), np.repeat(radius, across.size, 0))


def _rim(drawing: _Drawing, side: int, d: WheelsetDimensions, n: Refinement) -> np.ndarray:
    lateral = _profile_positions(d, n)
    with np.errstate(divide="ignore"):  # the profile rises vertically at the flange back
        tread = d.rolling_radius + s1002_height(lateral)
    outward = np.linspace(0, 1, n.rim_radial + 1)[None]
    y = np.repeat((d.tread_datum + lateral)[:, None], outward.size, 1)
    return drawing.block(side * y, d.rim_inner_radius + (tread[:, None] - d.rim_inner_radius) * outward)


def _profile_positions(d: WheelsetDimensions, n: Refinement) -> np.ndarray:
    """Profile nodes from the tread datum, flange back to field face, evenly spaced above the web."""
    middle = d.web_centre_rim - d.tread_datum
    foot = np.linspace(middle - d.web_thickness_rim / 2, middle + d.web_thickness_rim / 2, n.web_across + 1)
    return np.concatenate([[d.flange_back], n.tread_flange_side, foot, n.tread_field_side, [d.field_face]])


def _check(d: WheelsetDimensions, n: Refinement) -> None:
    """Refuse dimensions that are not a wheelset, by name."""
    for f in fields(n):
        if not f.name.startswith("tread_") and getattr(n, f.name) < 1:
            raise MeshError(f"wheelset section: {f.name} = {getattr(n, f.name)}, at least 1 is needed")
    for f in fields(d):
        if not np.isfinite(getattr(d, f.name)):
            raise MeshError(f"wheelset section: {f.name} = {getattr(d, f.name)} m is not a finite length")
    chains = [
        [
            "axle_body_end",
            "wheel_seat_start",
            "wheel_seat_end",
            "abutment_start",
            "abutment_end",
            "journal_start",
            "axle_half_length",
        ],
        ["bore_radius", "journal_radius"],
        ["bore_radius", "axle_body_radius"],
        ["bore_radius", "abutment_radius"],
        ["bore_radius", "wheel_seat_radius", "hub_radius", "rim_inner_radius", "rolling_radius"],
        ["flange_back", "field_face"],
    ]
    for chain in chains:
        for a, b in zip(chain[:-1], chain[1:], strict=True):
            if not getattr(d, a) < getattr(d, b):
                raise MeshError(
                    f"wheelset section: {a} = {getattr(d, a):g} m must be less than {b} = {getattr(d, b):g} m"
                )
    if d.bore_radius < 0 or d.axle_body_end <= 0 or min(d.web_thickness_hub, d.web_thickness_rim) <= 0:
        raise MeshError("wheelset section: bore_radius, axle_body_end and web thicknesses must not be negative")
    foot = d.web_centre_hub - d.web_thickness_hub / 2, d.web_centre_hub + d.web_thickness_hub / 2
    if not (d.wheel_seat_start < foot[0] and foot[1] < d.wheel_seat_end):
        raise MeshError(f"wheelset section: the web foot {foot[0]:g}..{foot[1]:g} m lies outside the wheel seat")
    lateral = _profile_positions(d, n)
    if not (np.diff(lateral) > 0).all():
        raise MeshError(f"wheelset section: profile nodes are not ascending: {np.array2string(lateral, precision=4)} m")


def _values(path: Path, where: str, table: dict, keys: dict[str, str], partial: bool) -> dict:
    """Checked numbers of one TOML table, under the names of the dataclass."""
    for key, value in table.items():
        if key not in keys:
            raise MeshError(f"{path}: unknown key '{where}.{key}', expected one of {', '.join(keys)}")
        numbers = value if isinstance(value, list) else [value]
        if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in numbers):
            raise MeshError(f"{path}: {where}.{key} must be a number, got {value!r}")
    missing = [key for key in keys if key not in table]
    if missing and not partial:
        raise MeshError(f"{path}: {where} lacks '{missing[0]}'")
    return {keys[k]: v for k, v in table.items()}
