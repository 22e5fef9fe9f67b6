"""What the time loop needs of a flexible body; its cost is independent of the mesh size.

Body frame: origin on the axle midway between the treads, axes of the mesh (x forward, y along the axle to the left,
z up, the mesh being placed so at import). A section angle alpha is counted about +y from the lowest point: the
section lies in the direction Ry(alpha) (0, 0, -1) = (-sin alpha, 0, -cos alpha). *Section frame* = body frame
turned by Ry(alpha): seen in it, its own section is the lowest one.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

MARKED = 0.05
"""Relative error beyond which a stress is marked."""


class InertiaInvariants(NamedTuple):
    """Volume integrals of the floating frame, position X (from the origin) and modes H, body frame."""

    mass: float  # [kg]
    s_h: np.ndarray  # (3, H)        int rho H
    p_xx: np.ndarray  # (3, 3)        int rho X_a X_b
    p_xh: np.ndarray  # (3, 3, H)     int rho X_a H_b
    p_hh: np.ndarray  # (3, 3, H, H)  int rho H_a H_b
    s_x: np.ndarray = np.zeros(3)  # (3,) int rho X: mass times offset of the mass centre from the origin [kg m]


@dataclass(frozen=True)
class Tread:
    """Running surface of one wheel: S sections about the axle, P profile nodes in each."""

    side: int  # +1 left wheel (y > 0), -1 right wheel
    radius: float  # [m] nominal rolling radius (profile origin)
    lateral: float  # [m] y of the profile origin (tread datum), body frame
    angle: np.ndarray  # (S,) section angles, ascending in [0, 2 pi), uniform for a mesh of revolution
    profile: np.ndarray  # (P, 2) y, rising, and r of the profile nodes, body frame [m]
    node_rows: np.ndarray  # (S, P, 3, H) displacement of the nodes, section frame
    profile_rows: np.ndarray  # (S, 6, H) least-squares shift [m] and rotation [rad] about x, y, z, section frame
    residual_compliance: np.ndarray  # (6, 6) what modes and contact law leave of the static compliance, rows as before


@dataclass(frozen=True)
class ControlRings:
    """Control nodes with the ring of nodes they belong to (same y and r in every section).

    Row s of a ring is the node in section s, quantities in the *section frame*. The control node itself lies in
    section `home`. Residual influences give the quasi-static part of the truncated modes: value at ring section s
    from a unit wrench component on tread w at section `t` depends only on s - t (mesh of revolution): axis `lag`.
    """

    node_id: np.ndarray  # (C,) original ids
    name: tuple[str, ...]
    position: np.ndarray  # (C, 3) body frame [m]
    home: np.ndarray  # (C,) section index
    displacement_rows: np.ndarray  # (C, S, 3, H)
    stress_rows: np.ndarray  # (C, S, 6, H) xx yy zz xy yz zx [Pa]
    tread_displacement: np.ndarray  # (C, lag=S, 3, W, 6) residual [m/N, m/(N m)]
    tread_stress: np.ndarray  # (C, lag=S, 6, W, 6)
    interface_displacement: np.ndarray  # (C, lag=S, 3, I, 6)
    interface_stress: np.ndarray  # (C, lag=S, 6, I, 6)
    tread_displacement_dynamic: np.ndarray  # (2, C, ...) the same of G_2, G_3: square and fourth power of the frequency
    tread_stress_dynamic: np.ndarray
    interface_displacement_dynamic: np.ndarray
    interface_stress_dynamic: np.ndarray
    centrifugal_displacement: np.ndarray  # (C, S, 3) residual of the centrifugal load at 1 rad/s, section frame
    centrifugal_stress: np.ndarray  # (C, S, 6)
    prestress: np.ndarray  # (C, S, 6) stress of the press fits [Pa], section frame
    stress_error: np.ndarray  # (C,) estimated relative error of the stress from the mesh: see stress_error
    corner: np.ndarray  # (C,) [rad] turn of a re-entrant edge without a radius there, where stress has no limit; else 0


ABOUT_AXLE = "revolution about y: "
"""How the line of the audit begins that says what a turn of the mesh about its axle gives."""


class TreadField(NamedTuple):
    """What K control nodes on or near a running surface need of loads that move: see tread_field.

    Rows are residual as those of ControlRings, under smooth loads of resultant 1 N on M places of the running band.
    """

    node: np.ndarray = np.zeros(0, dtype=np.int64)  # (K,) index of the control node
    tread: np.ndarray = np.zeros(0, dtype=np.int64)  # (K,) index of its wheel
    depth: np.ndarray = np.zeros(0)  # (K,) below the running surface [m]
    place: np.ndarray = np.zeros((0, 0))  # (K, M) of the loads along the profile: `tread_field.way_along` [m]
    across: np.ndarray = np.zeros((0, 0))  # (K, M) mean y of the loads, body frame [m]
    rise: np.ndarray = np.zeros((0, 0))  # (K, M) their mean height over the profile origin [m]
    wave_limit: np.ndarray = np.zeros(0)  # (K,) k_0 of the loads along [1/m]
    half_width: np.ndarray = np.zeros(0)  # (K,) of the loads across [m]
    youngs_modulus: np.ndarray = np.zeros(0)  # (K,) [Pa]
    poissons_ratio: np.ndarray = np.zeros(0)  # (K,)
    displacement: np.ndarray = np.zeros((0, 0, 3, 0, 3))  # (K, lag, 3, M, 3) [m/N] per force x, y, z
    stress: np.ndarray = np.zeros((0, 0, 6, 0, 3))  # (K, lag, 6, M, 3)


@dataclass(frozen=True)
class ReducedBody:
    """Craig-Bampton reduced body with M-orthonormal flexible modes, rigid modes dropped."""

    name: str
    key: str  # digest of mesh content and options
    options: dict
    mass: float  # [kg]
    centre: np.ndarray  # (3,) mesh coordinates [m]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]
    frequency_hz: np.ndarray  # (H,)
    damping_ratio: np.ndarray  # (H,)
    order: np.ndarray  # (H,) circumferential order n, -1 where the mesh is not of revolution
    generator: np.ndarray  # (H, H) J, skew: coefficients w turned by +theta about y are expm(J theta) w
    closure_defect: float  # largest part of a turned mode outside the basis; nan where not of revolution
    sector_angle: float  # [rad] turn that maps the mesh onto itself, the smallest one known; 0 where there is none
    sector_map: np.ndarray  # (H, H) X_p of eqs (23)-(24): H^T M A(step) H_p
    invariants: InertiaInvariants
    geometric_stiffness: np.ndarray  # (H, H) of the centrifugal prestress at 1 rad/s about y [1/s2 per (rad/s)2]
    interface_position: np.ndarray  # (I, 3) body frame [m], left (+y) first
    interface_rows: np.ndarray  # (I, 6, H) translation and rotation, body frame
    treads: tuple[Tread, ...]  # left, right
    control: ControlRings
    mesh_error: np.ndarray  # (H,) estimated relative error of the frequencies from the mesh; nan above complete_hz
    complete_hz: float  # up to here the basis holds every mode of the mesh
    near: TreadField  # control nodes on or near a running surface
    audit: tuple[str, ...]  # what was read, dropped, measured; printed at reduction

    @property
    def not_of_revolution(self) -> str:
        """Why the mesh is not of revolution, as its import found; "" where it is."""
        found = [line.removeprefix(ABOUT_AXLE) for line in self.audit if line.startswith(ABOUT_AXLE)]
        return found[0] if found and np.isnan(self.closure_defect) else ""

    @property
    def whole_sectors(self) -> int:
        """Number of sectors of an n-fold mesh, which is not of revolution; 0 of any other."""
        return round(2 * np.pi / self.sector_angle) if self.sector_angle and np.isnan(self.closure_defect) else 0

    @property
    def inertia_about_origin(self) -> np.ndarray:
        """Inertia (3, 3) about the origin of the body frame, on the axle [kg m2]."""
        return np.trace(self.invariants.p_xx) * np.eye(3) - self.invariants.p_xx


@dataclass(frozen=True)
class FlexibleBody:
    """Of a body that does not spin, its frame in the mass centre; M-orthonormal flexible modes, rigid ones dropped.

    Places A are the attachments, then the points, which have no rotation of their own.
    """

    name: str
    key: str  # digest of mesh and options
    mass: float  # [kg]
    centre: np.ndarray  # (3,) mesh coordinates [m]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]
    frequency_hz: np.ndarray  # (H,)
    damping_ratio: np.ndarray  # (H,)
    s_h: np.ndarray  # (3, H) int rho H; zero but for rounding
    p_xh: np.ndarray  # (3, 3, H) int rho X_a H_b
    place_name: tuple[str, ...]  # (A,)
    attachments: int  # of the places, the first ones
    place: np.ndarray  # (A, 3) body frame [m]
    place_rows: np.ndarray  # (A, 6, H) translation and rotation
    stress_rows: np.ndarray  # (A - attachments, 6, H) xx yy zz xy yz zx [Pa], of the points
    stress_error: np.ndarray  # (A - attachments,) estimated relative error under attachment forces; nan: unknown
    corner: np.ndarray  # (A - attachments,) re-entrant edge without a radius there [rad]; 0: none
    complete_hz: float  # up to here the basis holds every mode of the mesh
    audit: tuple[str, ...]
