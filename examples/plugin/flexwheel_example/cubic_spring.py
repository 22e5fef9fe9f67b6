"""Cubic spring along the line between two points: tension k x + q x^3 at elongation x (Duffing)."""

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.axial import along_line, line, line_row, pull
from flexwheel.vehicle.elements.columns import STIFFNESS
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.force_law import ForceElement, ForceLaw

CUBIC = STIFFNESS + 1  # column of q [N/m3], behind k


@kernel
def cubic_force(elements, e, poses, state, applied):
    """Tension along the line."""
    k, q = elements.number[e, STIFFNESS], elements.number[e, CUBIC]
    arm_a, arm_b, way, x, _ = line(elements, e, poses)
    pull(elements, e, arm_a, arm_b, way, k * x + q * x**3, applied)


@kernel
def cubic_tangent(elements, e, poses, state, weights, rows):
    """One row, of the slope where it stands."""
    k, q = elements.number[e, STIFFNESS], elements.number[e, CUBIC]
    arm_a, arm_b, way, x, _ = line(elements, e, poses)
    line_row(arm_a, arm_b, way, weights.stiffness * (k + 3.0 * q * x * x), rows)
    return 1


LAW = ForceLaw("cubic spring", cubic_force, cubic_tangent)
CUBIC_SPRING = ForceElement(
    name="cubic_spring",
    keys=POINTS | {"stiffness_n_per_m", "cubic_n_per_m3"},
    read=lambda read: dict(law=LAW, stiffness=(read.number("stiffness_n_per_m"), read.number("cubic_n_per_m3"), 0.0)),
    rest=along_line,
)
