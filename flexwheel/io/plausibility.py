"""Bounds beyond which a value is more likely a slip than a wish: warnings of a run, with figures."""

from __future__ import annotations

BOUNDS = {
    "run.speed_kmh": (1.0, 400.0, "km/h", "slower is a shunt by hand, faster is no wheel on rail in service"),
}
"""Key of a scenario -> lowest, highest, unit, reason."""


def plausibility_warnings(scenario) -> list[str]:
    """Lines on values of a scenario outside BOUNDS."""
    lines = []
    for key, (low, high, unit, reason) in BOUNDS.items():
        section, name = key.split(".")
        value = getattr(getattr(scenario, section), name)
        if not low <= value <= high:
            lines.append(f"{key} = {value:g}: expected {low:g} to {high:g} {unit} ({reason})")
    return lines
