"""Coefficient of friction and initial slope as options: scenario, command line and Python have them from here."""

from flexwheel.base.option import Option

FRICTION = Option(
    "friction", 0.3, 0.0, 1.5, "coefficient of friction", "assumed: dry rail",
    (0.02, 0.8, "wet leaves to sanded dry rail"),
)  # fmt: skip
INITIAL_SLOPE = Option(
    "initial_slope", 1.0, 0.01, 1.0, "slopes of creep forces at small creepage over Kalker's, for every law; a layer "
    "between wheel and rail lowers them (after Polach 2005: 0.7 on dry, 0.2 on wet rail)", "clean bodies",
)  # fmt: skip
