"""Profiles and contact law of a real-time locomotive."""

from dataclasses import dataclass

from flexwheel.systems.locomotive.cubic_pieces import CubicPieces


@dataclass(frozen=True)
class Profiles:
    """Wheel radius and rail height over the lateral coordinate, left and right; equal numbers of pieces per pair."""

    wheel_left: CubicPieces
    wheel_right: CubicPieces
    rail_left: CubicPieces
    rail_right: CubicPieces


@dataclass(frozen=True)
class ContactLaw:
    """Contact and method of the step."""

    young: float  # [Pa]
    poisson: float
    shear_modulus: str = "right"  # "right", or "paper" for the authors' own wrong value
    friction: float = 0.0  # 0: Kalker's linear law; else saturated at this coefficient
    method: str = "imex"  # "imex", "explicit" or "trapezoidal"
    tolerance: float = 1e-6  # of the constraint equations [m, -]
    flange_stiffness: float = 0.0  # [N/m] lateral stop in place of the flange; 0: none, as paper 000
    flange_damping: float = 0.0  # [N s/m]
    flange_clearance: float = 0.005  # [m] lateral shift at which it begins
    # of the step system: "sparse", "partitioned" (coordinate partitioning) or "augmented" (14)
    solution: str = "sparse"
