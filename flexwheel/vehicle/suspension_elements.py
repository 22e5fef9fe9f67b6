"""Suspension elements as a user states them, checked, and packed for the kernels of `suspension`.

The kinds and their keys: flexwheel.vehicle.elements.kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.elements.columns import (
    AXES_OF_B,
    AXIS,
    BODY_A,
    BODY_B,
    CLEARANCE,
    DAMPER_TABLE,
    DAMPING,
    FORCE_TABLE,
    INTEGER_COLUMNS,
    LAW,
    LIMIT,
    NUMBER_COLUMNS,
    POINT_A,
    POINT_B,
    PRELOAD,
    REST,
    SERIES,
    STIFFNESS,
    TURN_DAMPING,
    TURN_STIFFNESS,
    TURNS,
    SuspensionElements,
)
from flexwheel.vehicle.elements.element_reader import POINTS, ZERO, Reader
from flexwheel.vehicle.elements.force_law import ForceLaw, place_of
from flexwheel.vehicle.elements.kinds import FORCE_ELEMENTS
from flexwheel.vehicle.force_tables import make_tables
from flexwheel.vehicle.suspension import no_calls

COMMON = {"kind", "name", "body_a", "body_b"}


@dataclass(frozen=True)
class SuspensionElement:
    """One checked element; fields as in `SuspensionElements`, tables as arrays."""

    name: str
    kind: str
    law: ForceLaw
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


def read_element(mapping: Mapping, bodies: Mapping[str, int], where: str) -> SuspensionElement:
    """Check one element.

    Parameters
    ----------
    mapping : mapping        keys as in `elements.kinds`
    bodies : name -> index   of every body (pose); `ground` is known
    where : str              file and key, for messages

    Raises
    ------
    ScenarioError            unknown kind, key or body; missing, negative or non-finite value; a table that
                             is no law
    """
    kind = mapping.get("kind")
    if not isinstance(kind, str) or kind not in FORCE_ELEMENTS:
        raise ScenarioError(f"{where}: kind must be one of {', '.join(sorted(FORCE_ELEMENTS))}, got {kind!r}")
    keys = FORCE_ELEMENTS[kind].keys | COMMON
    unknown = set(mapping) - keys
    if unknown:
        expected = ", ".join(sorted(keys))
        raise ScenarioError(f"{where}: unknown key {sorted(unknown)[0]!r} of a {kind}; known: {expected}")
    read = Reader(mapping, where)
    ends = {}
    for key in ("body_a", "body_b"):
        name = mapping.get(key)
        if name != "ground" and name not in bodies:
            read.refuse(key, f"one of {', '.join(sorted([*bodies, 'ground']))}")
        ends[key] = -1 if name == "ground" else int(bodies[name])
    if ends["body_a"] == ends["body_b"]:
        raise ScenarioError(f"{where}: body_a and body_b must be two bodies, got {mapping['body_a']!r} twice")
    if keys >= POINTS:
        ends["point_a"] = read.vector("point_a_m", signed=True)
        ends["point_b"] = read.vector("point_b_m", signed=True)
    name = str(mapping.get("name", where))
    return SuspensionElement(name=name, kind=kind, **ends, **FORCE_ELEMENTS[kind].read(read))


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
        integer[i, [LAW, BODY_A, BODY_B, AXES_OF_B, TURNS]] = (
            place_of(element.law),
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
    return SuspensionElements(integer, number, make_tables(tables), no_calls())


def _nominal_geometry(element, nominal_position):
    """Points that the laws act at, and what is at rest between them in the nominal pose."""
    point_a, point_b = np.array(element.point_a), np.array(element.point_b)
    base_a = nominal_position[element.body_a] if element.body_a >= 0 else np.zeros(3)
    base_b = nominal_position[element.body_b] if element.body_b >= 0 else np.zeros(3)
    span = base_b + point_b - base_a - point_a
    return FORCE_ELEMENTS[element.kind].rest(point_a, point_b, span, element.name, element.kind)
