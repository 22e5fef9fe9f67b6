"""Choices of element formulation, made once and passed to every function of this room that integrates."""

from dataclasses import dataclass

from flexwheel.base.errors import ScenarioError

_CHOICES = {
    "hex8": ("incompatible", "full"),
    "hex20": ("reduced", "full"),
    "wedge6": ("incompatible", "full", "reduced"),
    "mass": ("consistent", "lumped"),
}


@dataclass(frozen=True)
class FormulationOptions:
    """Element formulation of a mesh; kinds not named here have one formulation only."""

    hex8: str = "incompatible"  # Wilson-Taylor internal modes | "full": plain 2x2x2, locks in bending
    hex20: str = "reduced"  # 2x2x2 stiffness (C3D20R) | "full": 3x3x3 (C3D20); reduced leaves a bar one
    #                          element wide and high with motions without energy
    wedge6: str = "incompatible"  # 3x2, an internal mode along the edges | "full": without it, locks in bending |
    #                               "reduced": 2 points on the centre line, for parity with C3D6 of CalculiX; an
    #                               element alone then has one motion without energy
    mass: str = "consistent"  # | "lumped": diagonal, scaled from the consistent diagonal (HRZ)

    def __post_init__(self):
        for key, allowed in _CHOICES.items():
            value = getattr(self, key)
            if value not in allowed:
                raise ScenarioError(f"formulation {key} must be one of {', '.join(allowed)}, got {value!r}")
