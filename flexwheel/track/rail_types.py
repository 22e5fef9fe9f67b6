"""The values a rail kernel works on: a constant RailModel and a moving RailState, one type for all rail models.

Fields a model does not use are arrays of length zero or zeros, so that one compiled step serves every model.
"""

from typing import NamedTuple

import numpy as np

MASSLESS, INERTIAL, FLEXIBLE = 0, 1, 2


class RailModel(NamedTuple):
    """A rail model made for one integrator and step size.

    Common
    kind : int                          MASSLESS, INERTIAL or FLEXIBLE
    dt, beta_dt2, gamma_dt : float [s, s^2, s]

    Massless and inertial (per wheel, component order x, y, z, roll)
    spring : (4,) [N/m, N/m, N/m, N m/rad]
    damper : (4,)                       likewise
    relaxation : (4, 3) [-, m/N, m/N]   massless law: e = r0 e_old + r1 F_old + r2 F_new
    wheel_head : (4, 3) [-, m]          inertial: head displacement from (y, z, roll) of the rail's mass centre
    wheel_stiffness, wheel_damping, wheel_inverse : (3, 3)   inertial: K, C, (M + gamma dt C + beta dt^2 K)^-1

    Flexible; lanes = (left V, right V, left L, right L), plane V holds (w, b, u) and plane L (v, theta_z, roll)
    with b = dw/dx - shear, the rotation about -y
    bay, element : float [m]            sleeper spacing, element length
    elements : int                      per bay
    front_bay : int                     the front wheel's highest bay in a moving window; -1: full length, no shift
    inverse, lower : (N, 3, 3, 4)       block-tridiagonal factors of the effective matrix
    diagonal : (3, 3, 3, 4)             rail stiffness on the diagonal: first, inner, last node
    upper : (3, 3, 4)                   rail stiffness to the next node
    layer : (N, 3, 4) [N s/m]           dampers of the absorbing layers
    rail_damping : float [s]            stiffness-proportional
    fastener : (6, 2) [N/m, N s/m]      stiffness and damping: x, y, z, roll, pitch, yaw
    foundation : (3, 2)                 likewise: z, y, roll
    condensed : (3, 2) [kg, -]          z, y, roll: inverse effective mass of a semi-sleeper, fastener's share
    section : (8,) [N m2, N, N m2, N, N, N m2, -, -]  EIy, kGAz, EIz, kGAy, EA, GJ, 12EI/(kGA l^2) V and L
    offsets : (4,) [m]                  head above centroid, head above shear centre, foot below centroid, below s.c.
    green : (elements, 2, 3, 2 m + 1, 3) [1/kg]   columns of the inverse effective matrix: node of the bay, plane,
                                        force component, node - m, component
    pair : (elements, 2, 6, 6) [1/kg]   the same for the two nodes of one element
    law_start : (5,) int                rows of law_table of each law: fastener z, y, foundation z, y; empty = linear
    law_table : (n, 2) [m, N]           force laws, compression positive for z
    """

    kind: int
    dt: float
    beta_dt2: float
    gamma_dt: float
    spring: np.ndarray
    damper: np.ndarray
    relaxation: np.ndarray
    wheel_head: np.ndarray
    wheel_stiffness: np.ndarray
    wheel_damping: np.ndarray
    wheel_inverse: np.ndarray
    bay: float
    element: float
    elements: int
    front_bay: int
    inverse: np.ndarray
    lower: np.ndarray
    diagonal: np.ndarray
    upper: np.ndarray
    layer: np.ndarray
    rail_damping: float
    fastener: np.ndarray
    foundation: np.ndarray
    condensed: np.ndarray
    section: np.ndarray
    offsets: np.ndarray
    green: np.ndarray
    pair: np.ndarray
    law_start: np.ndarray
    law_table: np.ndarray


class RailState(NamedTuple):
    """What moves; d, v hold the predicted values between predict_and_free and finish, the new ones after.

    Massless and inertial, W = 2 axles + side (0 left, 1 right), components x, y, z, roll
    wheel : (3, W, 4)               displacement, velocity, acceleration of head (massless) or mass centre (inertial)
    wheel_past : (P, 3, W, 4)       P = depth - 1 earlier steps
    wheel_force : (2, W, 4) [N]     on the rail: at the last step, gathered in this one

    Flexible
    d, v, a : (N, 3, 4)             rail nodes; a is the acceleration of the last step
    response : (N, 3, 4)            acceleration of this step: free after predict_and_free, with forces added later
    work : (N, 3, 4)
    past : (P, 3, N, 3, 4)          earlier steps, (d, v, a)
    sleeper_d, sleeper_v, sleeper_a : (B + 1, 3, 2)   z, y, roll of the semi-sleepers, left and right
    sleeper_load : (B + 1, 3, 2)    right-hand side of the semi-sleepers in this step
    sleeper_past : (P, 3, B + 1, 3, 2)
    correction : (4, B + 1, 2) [N]  nonlinear law minus linear law, as in law_start
    first_bay : (1,) int            bay number of the first node: its s = first_bay * bay
    """

    wheel: np.ndarray
    wheel_past: np.ndarray
    wheel_force: np.ndarray
    d: np.ndarray
    v: np.ndarray
    a: np.ndarray
    response: np.ndarray
    work: np.ndarray
    past: np.ndarray
    sleeper_d: np.ndarray
    sleeper_v: np.ndarray
    sleeper_a: np.ndarray
    sleeper_load: np.ndarray
    sleeper_past: np.ndarray
    correction: np.ndarray
    first_bay: np.ndarray


def empty_model(kind, coefficients):
    """Every field of a RailModel, unused ones zero; builders replace what they use."""
    z = np.zeros
    return RailModel(
        kind=kind,
        dt=coefficients.dt,
        beta_dt2=coefficients.beta * coefficients.dt**2,
        gamma_dt=coefficients.gamma * coefficients.dt,
        spring=z(4),
        damper=z(4),
        relaxation=z((4, 3)),
        wheel_head=z((4, 3)),
        wheel_stiffness=z((3, 3)),
        wheel_damping=z((3, 3)),
        wheel_inverse=z((3, 3)),
        bay=0.6,
        element=0.6,
        elements=1,
        front_bay=-1,
        inverse=z((0, 3, 3, 4)),
        lower=z((0, 3, 3, 4)),
        diagonal=z((3, 3, 3, 4)),
        upper=z((3, 3, 4)),
        layer=z((0, 3, 4)),
        rail_damping=0.0,
        fastener=z((6, 2)),
        foundation=z((3, 2)),
        condensed=z((3, 2)),
        section=z(8),
        offsets=z(4),
        green=z((1, 2, 3, 1, 3)),
        pair=z((1, 2, 6, 6)),
        law_start=z(5, dtype=np.int64),
        law_table=z((0, 2)),
    )


def make_state(model, axles, depth, s_front=0.0):
    """State at rest and unloaded.

    Parameters
    ----------
    model : RailModel
    axles : int                  number of wheelsets
    depth : int                  past steps of the integrator (IntegratorCoefficients.depth)
    s_front : float [m]          arc length of the front wheelset: where a moving window is put

    Returns
    -------
    RailState
    """
    nodes, past = model.layer.shape[0], depth - 1
    supports = (nodes - 1) // model.elements + 1 if nodes else 0
    first = int(np.floor(s_front / model.bay)) - model.front_bay if model.front_bay >= 0 else 0
    z = np.zeros
    return RailState(
        wheel=z((3, 2 * axles, 4)),
        wheel_past=z((past, 3, 2 * axles, 4)),
        wheel_force=z((2, 2 * axles, 4)),
        d=z((nodes, 3, 4)),
        v=z((nodes, 3, 4)),
        a=z((nodes, 3, 4)),
        response=z((nodes, 3, 4)),
        work=z((nodes, 3, 4)),
        past=z((past, 3, nodes, 3, 4)),
        sleeper_d=z((supports, 3, 2)),
        sleeper_v=z((supports, 3, 2)),
        sleeper_a=z((supports, 3, 2)),
        sleeper_load=z((supports, 3, 2)),
        sleeper_past=z((past, 3, supports, 3, 2)),
        correction=z((4, supports, 2)),
        first_bay=np.array([first], dtype=np.int64),
    )
