"""A vehicle of a train, as longitudinal train dynamics sees it."""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.cylinder import Cylinder
from flexwheel.systems.train.traction import NotchPower, TractionCurves


@dataclass(frozen=True)
class TrainVehicle:
    """Locomotive or wagon: one longitudinal degree of freedom."""

    name: str
    mass: float  # [kg]
    length: float  # [m] over couplers at mid-clearance
    axles: int = 4
    q_ad: float = 1.0  # [-] Q_ad of equation (6)
    brake_force: float = 0.0  # [N] at the rail, full service, at standstill
    brake_speed: np.ndarray = field(default_factory=lambda: np.zeros(1))  # (k,) [m/s] speeds of the friction curve
    brake_friction: np.ndarray = field(default_factory=lambda: np.ones(1))  # (k,) [-] friction relative to standstill
    traction: NotchPower | TractionCurves | None = None  # locomotives only
    cylinder: Cylinder | None = None  # of the air brake; None: the lag of the train's air brake
    source: str = field(default="", compare=False)


def check_vehicle(vehicle):
    """Refuse values a vehicle cannot have."""
    where = f"vehicle '{vehicle.name}'"
    for key, unit in (("mass", "kg"), ("length", "m"), ("axles", "axles")):
        value = getattr(vehicle, key)
        if not (np.isfinite(value) and value > 0):
            raise ScenarioError(f"{where}: {key} must be > 0, got {value} {unit}")
    for key in ("q_ad", "brake_force"):
        value = getattr(vehicle, key)
        if not (np.isfinite(value) and value >= 0):
            raise ScenarioError(f"{where}: {key} must be >= 0, got {value}")
    speed, friction = np.asarray(vehicle.brake_speed), np.asarray(vehicle.brake_friction)
    finite = np.all(np.isfinite(speed)) and np.all(np.isfinite(friction))
    if speed.shape != friction.shape or not finite or np.any(np.diff(speed) <= 0) or np.any(friction < 0):
        raise ScenarioError(
            f"{where}: brake friction curve needs rising speeds and as many values >= 0 ({len(speed)} speeds, "
            f"{len(friction)} values)"
        )
