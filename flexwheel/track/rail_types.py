"""The values a rail kernel works on: a constant RailModel and a moving RailState, one type for all rail models.

Few arrays, because a kernel's call and compilation pay for each; rows are named by the constants here. Fields a model
does not use have length zero, so that one compiled step serves every model.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import Entry
from flexwheel.numerics.kernels.lanes import aligned

NO_ENTRY = Entry(0, 0)

SPRING, DAMPER, RELAX_0, RELAX_1, RELAX_2, HEAD, STIFFNESS, DAMPING, INVERSE = 0, 1, 2, 3, 4, 5, 8, 11, 14
"""Rows of RailModel.rigid (17, 4)."""

FASTENER, FOUNDATION, CONDENSED = 0, 6, 9
"""Rows of RailModel.support (12, 2)."""

PIVOT, LOWER = 0, 3
"""Rows of RailModel.chain (n, 6, 3, 4)."""

FIRST, INNER, LAST, UPPER = 0, 1, 2, 3
"""Rows of RailModel.stiffness (4, 3, 3, 4)."""

(
    EI_VERTICAL,
    KGA_VERTICAL,
    EI_LATERAL,
    KGA_LATERAL,
    EA,
    GJ,
    PHI_VERTICAL,
    PHI_LATERAL,
    HEAD_ABOVE_CENTROID,
    HEAD_ABOVE_SHEAR_CENTRE,
    FOOT_BELOW_CENTROID,
    FOOT_BELOW_SHEAR_CENTRE,
    RAIL_DAMPING,
    INNER_TWIST,
) = range(14)
"""Entries of RailModel.section (14,)."""

D, V, A = 0, 1, 2
"""Rows of the fields of RailState; A of wheel alone."""

RESPONSE, WORK = 2, 3
"""Rows of RailState.rail (4, N, 4, 4)."""

LOAD = 2
"""Row of RailState.sleeper (3, B + 1, 4, 2)."""

OLD_FORCE, NEW_FORCE = 3, 4
"""Rows of RailState.wheel (5, W, 4)."""

NOWHERE = -(10**9)
"""Seat of a projection that is none."""

PLACE = 0
"""Row of RailState.wheel, flexible rail: the wheel's s [m] now and a step before, its place in its element."""


class RailStep(NamedTuple):
    """The kernels of a rail model's step, as rail_model says; in a model that is linked, where they stand."""

    shift: Entry = NO_ENTRY
    predict: Entry = NO_ENTRY
    free_at: Entry = NO_ENTRY
    compliance_at: Entry = NO_ENTRY
    add: Entry = NO_ENTRY
    finish: Entry = NO_ENTRY


STEPS: list[RailStep] = []
"""Kernels of every rail model made in this process; RailModel.kind is a place in it."""


class RailModel(NamedTuple):
    """A rail model made for one integrator and step size.

    kind : int                          place of its kernels in STEPS
    step : RailStep                     their entries, once `rail_model.linked`
    dt, beta_dt2, gamma_dt : float [s, s^2, s]

    Rails that follow a wheel, component order x, y, z, roll
    rigid : (17, 4)                     of the massless and inertial models; another model puts its own numbers there
        SPRING [N/m, N/m, N/m, N m/rad], DAMPER, RELAX_0..2: massless law e = r0 e_old + r1 F_old + r2 F_new,
        HEAD + j: head displacement per (y, z, roll)[j] of the rail's mass centre,
        STIFFNESS, DAMPING, INVERSE + j: rows of K, C and (M + gamma dt C + beta dt^2 K)^-1 in (y, z, roll)

    Flexible; lanes = (left V, right V, left L, right L), plane V holds (w, b, u) and plane L (v, theta_z, roll)
    with b = dw/dx - shear, the rotation about -y
    bay, element : float [m]            sleeper spacing, element length
    elements : int                      per bay
    front_bay : int                     the front wheel's highest bay in a moving window; -1: full length, no shift
    chain : (n, 6, 3, 8)                PIVOT, LOWER (3 rows each): block-tridiagonal factors of the effective matrix,
                                        from both ends to the middle node N // 2; the last lanes are those of the image
    place : (N,) int                    the row of chain that holds for a node and its image, as far from the other
                                        end: one bay's, far from the ends
    layer, node_mass, ends : (N,), (3, 4), (4,)   [1/s] of dampers near the ends per mass [kg, kg m2]; [kg/s] at them
    stiffness : (4, 3, 3, 4)            rail stiffness on the diagonal of the FIRST, INNER and LAST node, and UPPER
    support : (12, 2)                   FASTENER + (x, y, z, roll, pitch, yaw) and FOUNDATION + (z, y, roll): stiffness,
                                        damping; CONDENSED + (z, y, roll): inverse effective mass of a semi-sleeper
                                        [1/kg], fastener's share
    bearing : (16, 4)                   the same in lanes: stiffness and damping of the fastener along (z, z, y, y),
                                        (x, x, roll, roll), (pitch, pitch, yaw, yaw), of the foundation along the first
                                        two; CONDENSED of those; what row 2 adds to row 0, and row 1 to row 2
    inner : (8, 4)                      the inner value of each element's bar or shaft: 6 nodal values that it takes of
                                        its elements' nodes' accelerations, inverse effective mass, stiffness
    section : (14,)                     see the names of its entries; [N m2, N, m, s, 4 or 0: inner twist or none]
    green : (elements, 2, 3, 2 m + 1, 3) [1/kg]   columns of the inverse effective matrix: node of the bay, plane,
                                        force component, node - m, component
    pair : (elements, 2, 7, 8) [1/kg]   the same for the values of one element: columns, with an empty row
    loaded : (15, ROWS)                 polynomials of the element that carries a load, see loaded_element
    march : (3,) [s, s, s2]             how a step ends: velocity by acceleration, displacement by that new velocity and
                                        by acceleration
    spread : (7, 2 n, 4, 4) [1/kg]      columns of the inverse mass: value of the element, whose nodes are n - 1 and n;
                                        node, component, lane
    law_start : (5,) int                rows of law_table of each law: fastener z, y, foundation z, y; empty = linear
    law_table : (n, 2) [m, N]           force laws, compression positive for z
    coupling : (2, 2 n + 1, 6, 6)       stiffness, damping of a bed between semi-sleepers n bays apart at most, as in
                                        bed.on_bed; no rows: rigid ground
    """

    kind: int
    step: RailStep
    dt: float
    beta_dt2: float
    gamma_dt: float
    rigid: np.ndarray
    bay: float
    element: float
    elements: int
    front_bay: int
    chain: np.ndarray
    place: np.ndarray
    layer: np.ndarray
    node_mass: np.ndarray
    ends: np.ndarray
    stiffness: np.ndarray
    support: np.ndarray
    bearing: np.ndarray
    inner: np.ndarray
    section: np.ndarray
    green: np.ndarray
    pair: np.ndarray
    loaded: np.ndarray
    march: np.ndarray
    spread: np.ndarray
    law_start: np.ndarray
    law_table: np.ndarray
    coupling: np.ndarray


class RailState(NamedTuple):
    """What moves. Of the flexible rail D, V hold the values predicted for the next step from finish to finish.

    Of the others D, V are predicted between predict_and_free and finish, and new after it.
    P = past steps of a multistep method, beyond the last of rails that follow a wheel.

    Rails that follow a wheel, W = 2 axles + side (0 left, 1 right), components x, y, z, roll
    wheel : (5, W, 4)               D, V, A of the head (massless) or the mass centre (inertial); OLD_FORCE [N] on the
                                    rail at the last step, NEW_FORCE gathered in this one; flexible: PLACE
    wheel_past : (P, 3, W, 4)

    Flexible
    rail : (4, N, 4, 4)             D, V of the projection (loaded_element): a node's three values and the inner one
                                    of the element behind it; RESPONSE: acceleration of this step without the projection
                                    of this step's forces, free of contact, from `solved` on; WORK
    rail_past : (P, 2, N, 4, 4)     D, V of the last steps
    sleeper : (3, B + 1, 4, 2)      D, V of the semi-sleepers (z, y, nothing, roll; left, right); LOAD: right-hand side
    sleeper_past : (P, 2, B + 1, 4, 2)
    correction : (2, B + 1, 2, 2) [N]   nonlinear law minus linear law: fastener, foundation; support; z, y; side
    first_bay : (1,) int            bay number of the first node: its s = first_bay * bay
    push : (W, 2, 7) [N]            what every wheel presses on its element's nodes in this step; last: acceleration
                                    of the inner value with the nodes held
    carried : (3, W, 2 n, 4, 4)     projections M^-1 m F of the last forces and those before, as RailModel.spread;
                                    of a wheelset's both wheels in the left one's where they stand on one element
    seat : (4, W) int               first node of the element under the wheel: now, of the projections (or NOWHERE)
    solved : (2,) int               first and last node of RESPONSE that stand before the step is finished
    loaded, turn, element : (W, ROWS + 1), (1,), (7, 16)   tables' rows of late with their x, the last made; scratch
    """

    wheel: np.ndarray
    wheel_past: np.ndarray
    rail: np.ndarray
    rail_past: np.ndarray
    sleeper: np.ndarray
    sleeper_past: np.ndarray
    correction: np.ndarray
    first_bay: np.ndarray
    push: np.ndarray
    carried: np.ndarray
    seat: np.ndarray
    solved: np.ndarray
    loaded: np.ndarray
    turn: np.ndarray
    element: np.ndarray


def empty_model(step, coefficients):
    """Every field of a RailModel whose kernels are a RailStep, unused ones zero; builders replace what they use."""
    if step not in STEPS:
        STEPS.append(step)
    z = np.zeros
    return RailModel(
        kind=STEPS.index(step),
        step=RailStep(),
        dt=coefficients.dt,
        beta_dt2=coefficients.beta * coefficients.dt**2,
        gamma_dt=coefficients.gamma * coefficients.dt,
        rigid=z((17, 4)),
        bay=0.6,
        element=0.6,
        elements=1,
        front_bay=-1,
        chain=z((0, 6, 3, 8)),
        place=z(0, dtype=np.int64),
        layer=z(0),
        node_mass=z((3, 4)),
        ends=z(4),
        stiffness=z((4, 3, 3, 4)),
        support=z((12, 2)),
        bearing=z((16, 4)),
        inner=z((8, 4)),
        section=z(14),
        green=z((1, 2, 3, 1, 3)),
        pair=z((1, 2, 7, 8)),
        loaded=z((1, 1)),
        march=z(3),
        spread=z((7, 0, 4, 4)),
        law_start=z(5, dtype=np.int64),
        law_table=z((0, 2)),
        coupling=z((2, 0, 6, 6)),
    )


def make_state(model, axles, depth, s_front=0.0, s_first=0.0):
    """State at rest and unloaded.

    Parameters
    ----------
    model : RailModel
    axles : int                  number of wheelsets
    depth : int                  past steps of the integrator (IntegratorCoefficients.depth)
    s_front : float [m]          arc length of the front wheelset: where a moving window is put
    s_first : float [m]          arc length from which a track of full length is laid

    Returns
    -------
    RailState
    """
    nodes, past = model.place.shape[0], depth - 1
    supports = (nodes - 1) // model.elements + 1 if nodes else 0
    first = int(np.floor((s_first if model.front_bay < 0 else s_front) / model.bay)) - max(model.front_bay, 0)
    z = np.zeros
    return RailState(
        wheel=z((5, 2 * axles, 4)),
        wheel_past=z((past, 3, 2 * axles, 4)),
        rail=aligned(z((4, nodes, 4, 4))),
        rail_past=z((past, 2, nodes, 4, 4)),
        sleeper=aligned(z((3, supports, 4, 2))),
        sleeper_past=z((past, 2, supports, 4, 2)),
        correction=z((2, supports, 2, 2)),
        first_bay=np.array([first], dtype=np.int64),
        push=z((2 * axles, 2, 7)),
        carried=aligned(z((3, 2 * axles, model.spread.shape[1], 4, 4))),
        seat=z((4, 2 * axles), dtype=np.int64),
        solved=z(2, dtype=np.int64),
        loaded=np.full((2 * axles, model.loaded.shape[1] + 1), np.nan),
        turn=z(1, dtype=np.int64),
        element=aligned(z((7, 16))),
    )
