"""Suspension elements as a user states them, checked, and packed for the kernels of `suspension`.

Each element is a mapping (a TOML table) with `kind`, `body_a`, `point_a_m`, `body_b`, `point_b_m`,
optional `name`, and the keys of its kind. Points are in the axes of their body, from its centre; `ground`
is a body, its points are in the nominal vehicle frame. Rest lengths are those of the nominal pose, in
which all bodies are parallel; preloads are the forces there. Vectors are (x, y, z) in the axes of body
`axes_of` ("a" by default).

kind            keys
spring          stiffness_n_per_m [3], damping_n_s_per_m [3], rotational_stiffness_n_m_per_rad [3],
                rotational_damping_n_m_s_per_rad [3], preload_n [3] (on body b), axes_of,
                force_table_x / _y / _z = {displacement_m, force_n} in place of one stiffness
coil_spring     as spring; point_a_m and point_b_m are its ends, and the laws act at mid-length, where
                shear and
                bending of a spring with clamped ends decouple
anti_roll_bar   roll_stiffness_n_m_per_rad, roll_damping_n_m_s_per_rad; no points
damper          damping_n_s_per_m or force_table = {velocity_m_per_s, force_n}, series_stiffness_n_per_m,
                preload_n
friction_damper friction_force_n, series_stiffness_n_per_m, damping_n_s_per_m, stiffness_n_per_m
traction_rod    stiffness_n_per_m or force_table = {displacement_m, force_n}, damping_n_s_per_m, preload_n
                (tension)
bump_stop       axis [3], clearance_m (one number, or [negative, positive] side), stiffness_n_per_m or
                force_table =
                {displacement_m, force_n} from first touch, damping_n_s_per_m, axes_of
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexwheel.bodies.force_tables import check_table, make_tables
from flexwheel.bodies.suspension import (
    AXES_OF_B,
    AXIAL,
    AXIS,
    BODY_A,
    BODY_B,
    BUSHING,
    CLEARANCE,
    DAMPER_TABLE,
    DAMPING,
    FORCE_TABLE,
    FRICTION,
    INTEGER_COLUMNS,
    KIND,
    LIMIT,
    NUMBER_COLUMNS,
    POINT_A,
    POINT_B,
    PRELOAD,
    REST,
    SERIES,
    SERIES_DAMPER,
    STIFFNESS,
    STOP,
    TURN_DAMPING,
    TURN_STIFFNESS,
    TURNS,
    SuspensionElements,
)
from flexwheel.errors import ScenarioError

ZERO = (0.0, 0.0, 0.0)
COMMON = {"kind", "name", "body_a", "body_b"}
POINTS = {"point_a_m", "point_b_m"}
SPRING_KEYS = {
    "stiffness_n_per_m",
    "damping_n_s_per_m",
    "rotational_stiffness_n_m_per_rad",
    "rotational_damping_n_m_s_per_rad",
    "preload_n",
    "axes_of",
    "force_table_x",
    "force_table_y",
    "force_table_z",
}
KEYS = {
    "spring": POINTS | SPRING_KEYS,
    "coil_spring": POINTS | SPRING_KEYS,
    "anti_roll_bar": {"roll_stiffness_n_m_per_rad", "roll_damping_n_m_s_per_rad", "axes_of"},
    "damper": POINTS | {"damping_n_s_per_m", "force_table", "series_stiffness_n_per_m", "preload_n"},
    "friction_damper": POINTS
    | {"friction_force_n", "series_stiffness_n_per_m", "damping_n_s_per_m", "stiffness_n_per_m"},
    "traction_rod": POINTS | {"stiffness_n_per_m", "force_table", "damping_n_s_per_m", "preload_n"},
    "bump_stop": POINTS | {"axis", "clearance_m", "stiffness_n_per_m", "force_table", "damping_n_s_per_m", "axes_of"},
}


@dataclass(frozen=True)
class SuspensionElement:
    """One checked element; fields as in `SuspensionElements`, tables as arrays."""

    name: str
    kind: str
    law: int
    body_a: int
    body_b: int
    point_a: tuple[float, float, float] = ZERO
    point_b: tuple[float, float, float] = ZERO
    axes_of_b: bool = False
    preload: tuple[float, float, float] = ZERO
    stiffness: tuple[float, float, float] = ZERO
    damping: tuple[float, float, float] = ZERO
    turn_stiffness: tuple[float, float, float] = ZERO
    turn_damping: tuple[float, float, float] = ZERO
    axis: tuple[float, float, float] = ZERO
    clearance: tuple[float, float] = (0.0, 0.0)
    series: float = 0.0
    limit: float = 0.0
    force_tables: dict[int, tuple] = field(default_factory=dict)  # axis -> (displacement, force)
    damper_table: tuple | None = None  # (velocity, force)


class _Reader:
    """Reads checked values of one element's mapping."""

    def __init__(self, mapping, where):
        self.mapping, self.where = mapping, where

    def refuse(self, key, expected):
        got = self.mapping.get(key, "nothing")
        raise ScenarioError(f"{self.where}: {key} = {got!r}: expected {expected}")

    def number(self, key, default=None, positive=False, signed=False):
        value = self.mapping.get(key, default)
        if value is None:
            self.refuse(key, "a number")
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            self.refuse(key, "a finite number")
        if value < 0 and not signed:
            self.refuse(key, "a number that is not negative")
        if positive and value == 0:
            self.refuse(key, "a number greater than zero")
        return float(value)

    def vector(self, key, default=None, signed=False):
        value = self.mapping.get(key, default)
        if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray) or len(value) != 3:
            self.refuse(key, "three numbers")
        try:
            numbers = tuple(float(x) for x in value)
        except (TypeError, ValueError):
            self.refuse(key, "three numbers")
        if not np.isfinite(numbers).all():
            self.refuse(key, "three finite numbers")
        if min(numbers) < 0 and not signed:
            self.refuse(key, "numbers that are not negative")
        return numbers

    def table(self, key, column, increasing):
        value = self.mapping.get(key)
        if value is None:
            return None
        if not isinstance(value, Mapping) or set(value) != {column, "force_n"}:
            self.refuse(key, f"a table with {column} and force_n")
        return check_table(value[column], value["force_n"], f"{self.where}: {key}", increasing)

    def not_beside_table(self, table, key):
        if table is not None and key in self.mapping:
            self.refuse(key, "no such key beside force_table")

    def side(self):
        value = self.mapping.get("axes_of", "a")
        if value not in ("a", "b"):
            self.refuse("axes_of", "'a' or 'b'")
        return value == "b"


def read_element(mapping: Mapping, bodies: Mapping[str, int], where: str) -> SuspensionElement:
    """Check one element.

    Parameters
    ----------
    mapping : mapping        keys as in the head of this file
    bodies : name -> index   of every body (pose); `ground` is known
    where : str              file and key, for messages

    Raises
    ------
    ScenarioError            unknown kind, key or body; missing, negative or non-finite value; a table that
                             is no law
    """
    kind = mapping.get("kind")
    if not isinstance(kind, str) or kind not in KEYS:
        raise ScenarioError(f"{where}: kind = {kind!r}: expected one of {', '.join(sorted(KEYS))}")
    unknown = set(mapping) - KEYS[kind] - COMMON
    if unknown:
        expected = ", ".join(sorted(KEYS[kind] | COMMON))
        raise ScenarioError(f"{where}: unknown key {sorted(unknown)[0]!r} of a {kind}; known: {expected}")
    read = _Reader(mapping, where)
    ends = {}
    for key in ("body_a", "body_b"):
        name = mapping.get(key)
        if name != "ground" and name not in bodies:
            read.refuse(key, f"one of {', '.join(sorted([*bodies, 'ground']))}")
        ends[key] = -1 if name == "ground" else int(bodies[name])
    if ends["body_a"] == ends["body_b"]:
        raise ScenarioError(f"{where}: body_a and body_b are both {mapping['body_a']!r}: expected two bodies")
    if kind != "anti_roll_bar":
        ends["point_a"] = read.vector("point_a_m", signed=True)
        ends["point_b"] = read.vector("point_b_m", signed=True)
    name = str(mapping.get("name", where))
    return SuspensionElement(name=name, kind=kind, **ends, **READERS[kind](read))


def _read_spring(read):
    tables = {}
    for axis, letter in enumerate("xyz"):
        table = read.table(f"force_table_{letter}", "displacement_m", increasing=False)
        if table is not None:
            tables[axis] = table
    if (
        not tables
        and "stiffness_n_per_m" not in read.mapping
        and not any(key.startswith(("rotational", "damping")) for key in read.mapping)
    ):
        read.refuse("stiffness_n_per_m", "three numbers")
    stiffness = read.vector("stiffness_n_per_m", ZERO)
    for axis in tables:
        if stiffness[axis]:
            read.refuse("stiffness_n_per_m", f"zero in {'xyz'[axis]}, which force_table_{'xyz'[axis]} gives")
    return dict(
        law=BUSHING,
        stiffness=stiffness,
        damping=read.vector("damping_n_s_per_m", ZERO),
        turn_stiffness=read.vector("rotational_stiffness_n_m_per_rad", ZERO),
        turn_damping=read.vector("rotational_damping_n_m_s_per_rad", ZERO),
        preload=read.vector("preload_n", ZERO, signed=True),
        axes_of_b=read.side(),
        force_tables=tables,
    )


def _read_anti_roll_bar(read):
    return dict(
        law=BUSHING,
        turn_stiffness=(read.number("roll_stiffness_n_m_per_rad"), 0.0, 0.0),
        turn_damping=(read.number("roll_damping_n_m_s_per_rad", 0.0), 0.0, 0.0),
        axes_of_b=read.side(),
    )


def _read_damper(read):
    table = read.table("force_table", "velocity_m_per_s", increasing=True)
    read.not_beside_table(table, "damping_n_s_per_m")
    damping = 0.0 if table is not None else read.number("damping_n_s_per_m")
    series = 0.0
    if "series_stiffness_n_per_m" in read.mapping:
        series = read.number("series_stiffness_n_per_m", positive=True)
    return dict(
        law=SERIES_DAMPER if series > 0 else AXIAL,
        damping=(damping, 0.0, 0.0),
        series=series,
        damper_table=table,
        preload=(read.number("preload_n", 0.0, signed=True), 0.0, 0.0),
    )


def _read_friction_damper(read):
    return dict(
        law=FRICTION,
        limit=read.number("friction_force_n"),
        series=read.number("series_stiffness_n_per_m", positive=True),
        damping=(read.number("damping_n_s_per_m", 0.0), 0.0, 0.0),
        stiffness=(read.number("stiffness_n_per_m", 0.0), 0.0, 0.0),
    )


def _read_traction_rod(read):
    table = read.table("force_table", "displacement_m", increasing=False)
    read.not_beside_table(table, "stiffness_n_per_m")
    return dict(
        law=AXIAL,
        stiffness=(0.0 if table is not None else read.number("stiffness_n_per_m"), 0.0, 0.0),
        damping=(read.number("damping_n_s_per_m", 0.0), 0.0, 0.0),
        preload=(read.number("preload_n", 0.0, signed=True), 0.0, 0.0),
        force_tables={} if table is None else {0: table},
    )


def _read_bump_stop(read):
    axis = np.array(read.vector("axis", signed=True))
    length = np.linalg.norm(axis)
    if length == 0.0:
        read.refuse("axis", "a direction, not zero")
    clearance = read.mapping.get("clearance_m")
    if isinstance(clearance, int | float) and not isinstance(clearance, bool):
        clearance = (clearance, clearance)
    if not isinstance(clearance, Sequence) or isinstance(clearance, str) or len(clearance) != 2:
        read.refuse("clearance_m", "one number or two, negative and positive side (inf: none)")
    try:
        clearance = tuple(float(x) for x in clearance)
    except (TypeError, ValueError):
        read.refuse("clearance_m", "numbers")
    if np.isnan(clearance).any() or min(clearance) < 0:
        read.refuse("clearance_m", "numbers that are not negative")
    table = read.table("force_table", "displacement_m", increasing=False)
    if table is not None and (table[0][0] != 0.0 or table[1][0] != 0.0):
        read.refuse("force_table", "a table that starts at zero force and zero displacement (first touch)")
    read.not_beside_table(table, "stiffness_n_per_m")
    return dict(
        law=STOP,
        axis=tuple(axis / length),
        clearance=clearance,
        stiffness=(0.0 if table is not None else read.number("stiffness_n_per_m"), 0.0, 0.0),
        damping=(read.number("damping_n_s_per_m", 0.0), 0.0, 0.0),
        axes_of_b=read.side(),
        force_tables={} if table is None else {0: table},
    )


READERS = {
    "spring": _read_spring,
    "coil_spring": _read_spring,
    "anti_roll_bar": _read_anti_roll_bar,
    "damper": _read_damper,
    "friction_damper": _read_friction_damper,
    "traction_rod": _read_traction_rod,
    "bump_stop": _read_bump_stop,
}


def pack_suspension(elements: Sequence[SuspensionElement], nominal_position: np.ndarray) -> SuspensionElements:
    """Pack checked elements for the kernels.

    Parameters
    ----------
    elements : sequence of SuspensionElement
    nominal_position : (B, 3) [m]    centres of all bodies in the nominal pose, vehicle frame, all bodies
                                     parallel

    Raises
    ------
    ScenarioError                    an axial element without length in the nominal pose
    """
    nominal_position = np.asarray(nominal_position, dtype=float)
    integer = np.full((len(elements), INTEGER_COLUMNS), -1, dtype=np.int64)
    number = np.zeros((len(elements), NUMBER_COLUMNS))
    tables: list[tuple] = []
    for i, element in enumerate(elements):
        turns = any(element.turn_stiffness) or any(element.turn_damping)
        integer[i, [KIND, BODY_A, BODY_B, AXES_OF_B, TURNS]] = (
            element.law,
            element.body_a,
            element.body_b,
            element.axes_of_b,
            turns,
        )
        point_a, point_b, rest = _nominal_geometry(element, nominal_position)
        for column, value in (
            (POINT_A, point_a),
            (POINT_B, point_b),
            (REST, rest),
            (PRELOAD, element.preload),
            (STIFFNESS, element.stiffness),
            (DAMPING, element.damping),
            (TURN_STIFFNESS, element.turn_stiffness),
            (TURN_DAMPING, element.turn_damping),
            (AXIS, element.axis),
            (CLEARANCE, element.clearance),
            (SERIES, (element.series,)),
            (LIMIT, (element.limit,)),
        ):
            number[i, column : column + len(value)] = value
        for axis, table in element.force_tables.items():
            integer[i, FORCE_TABLE + axis] = len(tables)
            tables.append(table)
        if element.damper_table is not None:
            integer[i, DAMPER_TABLE] = len(tables)
            tables.append(element.damper_table)
    return SuspensionElements(integer, number, make_tables(tables))


def _nominal_geometry(element, nominal_position):
    """Points that the laws act at, and what is at rest between them in the nominal pose."""
    point_a, point_b = np.array(element.point_a), np.array(element.point_b)
    base_a = nominal_position[element.body_a] if element.body_a >= 0 else np.zeros(3)
    base_b = nominal_position[element.body_b] if element.body_b >= 0 else np.zeros(3)
    span = base_b + point_b - base_a - point_a
    if element.kind == "coil_spring":
        return point_a + 0.5 * span, point_b - 0.5 * span, np.zeros(3)
    if element.kind == "anti_roll_bar":
        return point_a, point_b, np.zeros(3)
    if element.law in (BUSHING, STOP):
        return point_a, point_b, span
    length = np.linalg.norm(span)
    if length < 1e-6:
        raise ScenarioError(
            f"suspension element {element.name}: its points coincide in the nominal pose; "
            f"a {element.kind} needs a length"
        )
    return point_a, point_b, np.array([length])
