"""Profiles and contact law of a real-time locomotive."""

from dataclasses import dataclass

from flexwheel.realtime.cubic_pieces import CubicPieces


@dataclass(frozen=True)
class Profiles:
    """Wheel radius and rail height over the lateral coordinate, left and right; equal numbers of pieces per pair."""

    wheel_left: CubicPieces
    wheel_right: CubicPieces
    rail_left: CubicPieces
    rail_right: CubicPieces


@dataclass(frozen=True)
class ContactLaw:
    """Contact and method of the step.

    young : float [Pa]
    poisson : float
    shear_modulus : str        "right", or "paper" for the authors' own wrong value
    friction : float           0: Kalker's linear law; else saturated at this coefficient
    method : str               "imex", "explicit" or "trapezoidal"
    tolerance : float          of the constraint equations [m, -]
    flange_stiffness, flange_damping : float [N/m, N s/m]   lateral stop in place of the flange; 0: none, as paper 000
    flange_clearance : float [m]     lateral shift at which it begins
    solution : str             of the step system: "sparse", "partitioned" (coordinate partitioning) or "augmented" (14)
    """

    young: float
    poisson: float
    shear_modulus: str = "right"
    friction: float = 0.0
    method: str = "imex"
    tolerance: float = 1e-6
    flange_stiffness: float = 0.0
    flange_damping: float = 0.0
    flange_clearance: float = 0.005
    solution: str = "sparse"
