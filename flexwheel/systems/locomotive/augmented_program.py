"""Kernel of the augmented form (paper 000, eq 14): all five constraints of a wheel differentiated twice.

The step itself uses the embedded form (eq 15), where only the normal constraint is differentiated and its surface
coordinates move along known rates. Here normal and tangent constraints are functions of the wheelset's pose and of the
four surface coordinates, and each is differentiated as it stands: rows on the wheelset's velocity and turning, rows on
the surface rates, and gamma = -(second derivative) at zero acceleration of all coordinates.

Verified in tests/systems/locomotive/test_realtime_forms_verified.py.
"""

from flexwheel.systems.locomotive.wheel_rail_geometry import WheelPose, contact_geometry
from flexwheel.systems.symbolic.calculus import Derivative
from flexwheel.systems.symbolic.expression import constant
from flexwheel.systems.symbolic.program import LANES
from flexwheel.systems.symbolic.symbolic_vectors import cross3


def declare_augmented(layout):
    """Blocks of the kernel: rows on the twist (5 x 6), rows on the surface rates (5 x 4), gamma (5)."""
    for name, count in (("augmented_rows", 30), ("augmented_surface", 20), ("augmented_gamma", 5)):
        layout.block(name, count, LANES)


def add_augmented_kernel(step):
    """Lane kernel `augmented` of a StepProgram; the normal constraint first, then the four tangent ones."""
    graph, layout = step.graph, step.layout
    geometry = contact_geometry(graph)
    pose, twist, bias = step.lanes("pose"), step.lanes("twist"), step.lanes("bias")
    offset, gravity = step.lanes("fixed")
    wheelset = WheelPose(graph, pose)
    v, w, turn = twist[:3], twist[3:6], twist[6:9]
    normal, tangents = wheelset.constraints(geometry, offset)
    phi = [normal, *tangents]

    unit = [[constant(graph, 1.0 if k == j else 0.0) for k in range(3)] for j in range(3)]
    zero = [constant(graph, 0.0)] * 3
    outputs = []
    for k in range(6):
        by = Derivative(graph, wheelset.rates(unit[k], zero) if k < 3 else wheelset.rates(zero, unit[k - 3]))
        outputs += [(layout["augmented_rows"].at(6 * i + k), by(f)) for i, f in enumerate(phi)]
    for k, s in enumerate(geometry.surface):
        by = Derivative(graph, {s: 1.0})
        outputs += [(layout["augmented_surface"].at(4 * i + k), by(f)) for i, f in enumerate(phi)]
    motion = wheelset.rates(v, turn) | dict(zip(geometry.surface, step.lanes("surface_rate"), strict=True))
    first = Derivative(graph, motion)
    # at q'' = 0, in the turning axes: the non-spinning frame's own angular acceleration, and dv/dt less turn x v
    alpha = [x - y for x, y in zip(bias[3:6], cross3(turn, [a - b for a, b in zip(w, turn, strict=True)]), strict=True)]
    swept = cross3(turn, v)
    change = {v[k]: bias[k] - gravity * wheelset.columns[k][2] - swept[k] for k in range(3)} | dict(
        zip(turn, alpha, strict=True)
    )
    second = Derivative(graph, motion | change)
    outputs += [(layout["augmented_gamma"].at(i), -second(first(f))) for i, f in enumerate(phi)]  # 000 (12), (13)
    step.program.kernel("augmented", outputs, LANES)
