"""The coefficient of friction of wheel and rail as an option: scenario, command line and Python have it from here."""

from flexwheel.base.option import Option

FRICTION = Option(
    "friction", 0.3, 0.0, 1.5, "coefficient of friction", "assumed: dry rail",
    (0.02, 0.8, "wet leaves to sanded dry rail"),
)  # fmt: skip
