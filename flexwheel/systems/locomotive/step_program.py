"""The generated part of a time step: kernels of the locomotive, of its eight contacts in lanes, and of the solution.

Kernels, in the order of a step (paper 000, figure 10):

dynamics          M, delta, pose, twist, bias acceleration and Jacobian of each wheelset, at the start of the step
contact_dynamics  lanes: rows of creep and normal force, gamma, reference speed, creep velocities, curvatures
creep_matrix      lanes: G^T C G of each wheel, 6 x 6 on the wheelset's twist
condense          lanes of wheelsets: what each adds to (40), its own velocities and normal forces eliminated
solve             sparse LU of the rest: velocities at the end of the step, normal forces (both: condensed_step.py)
kinematics        pose, twist and Jacobian again, for the projections
tangent_newton    lanes: Newton step of the tangent constraints (42), and both residuals
normal_rows       lanes: rows of the normal constraints, their residual
project_position  Newton step of the normal constraints (43) on height and roll of each wheelset
project_velocity  their velocity form (18)
surface_rates     lanes: rates of the surface coordinates (19)
augmented         lanes: all constraints of a wheel twice differentiated (14), for comparison (augmented_program.py)
"""

from flexwheel.systems.locomotive.augmented_program import add_augmented_kernel, declare_augmented
from flexwheel.systems.locomotive.condensed_step import add_solution
from flexwheel.systems.locomotive.locomotive import generalized_forces
from flexwheel.systems.locomotive.wheel_rail_geometry import TRACK_CURVES, WheelPose, contact_geometry
from flexwheel.systems.symbolic.calculus import Derivative
from flexwheel.systems.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.systems.symbolic.expression import constant, sqrt, symbol
from flexwheel.systems.symbolic.program import LANES, PARAMETER_KERNEL, Program, WorkLayout
from flexwheel.systems.symbolic.sparse_lu import solve_sparse
from flexwheel.systems.symbolic.symbolic_vectors import cross3, dot3, total

SCALAR_KERNELS = ("dynamics", "kinematics", "solve", "project_position", "project_velocity")
LANE_KERNELS = (
    "contact_dynamics", "creep_matrix", "condense", "tangent_newton", "normal_rows", "surface_rates", "augmented"
)  # fmt: skip
KERNELS = (PARAMETER_KERNEL, *SCALAR_KERNELS, *LANE_KERNELS)
CURVES = ("wheel", "rail", *TRACK_CURVES)


class StepProgram:
    """The kernels of a locomotive's step: `build` gives their Program."""

    def __init__(self, locomotive):
        self.model = locomotive
        self.system = locomotive.system
        self.graph = self.system.graph
        self.layout = WorkLayout()
        self.program = Program(self.graph, self.layout)
        self.n = len(self.system.q)

    def build(self):
        self.declare()
        self.multibody()
        self.contact()
        add_augmented_kernel(self)
        add_solution(self)
        self.projections()
        parameters = [s for s, _ in self.system.parameters.values()]
        self.program.inputs(parameters, self.layout.block("parameters", len(parameters)))
        self.program.precompute(parameters, SCALAR_KERNELS)
        return self.program

    def declare(self):
        block, n = self.layout.block, self.n
        block("q", n), block("qd", n), block("surface", 4, LANES), block("surface_rate", 4, LANES)
        block("normal_force", LANES), block("torques", len(self.model.torques)), block("time_step", 1)
        block("delta", n), block("solution", n), block("new_normal_force", LANES)
        for name, count in (("pose", 12), ("twist", 9), ("bias", 6), ("spline", 5 * len(CURVES)), ("fixed", 2)):
            block(name, count, LANES)
        block("rows", 18, LANES), block("gamma", 1, LANES), block("creep", 4, LANES), block("curvature", 3, LANES)
        block("creep_coefficient", 4, LANES), block("creep_matrix", 36, LANES), block("stop_force", 1, LANES)
        block("surface_step", 4, LANES), block("residual", 5, LANES), block("normal_row", 7, LANES)
        declare_augmented(self.layout)
        block("jacobian", 4 * 6 * max(len(w.coordinates) for w in self.model.wheelsets))
        self.program.inputs(self.system.q, self.layout["q"])
        self.program.inputs(self.system.qd, self.layout["qd"])
        self.program.inputs(list(self.model.torques), self.layout["torques"])
        self.step = self.read("dt", self.layout["time_step"].at(0))

    def read(self, name, place):
        """Symbol at a place of the work array."""
        s = symbol(self.graph, name)
        self.program.input(s, place)
        return s

    def lane(self, name, index, lane):
        """Entry of a lane block of one wheel, for a scalar kernel."""
        return self.read(f"{name}[{index}].{lane}", self.layout[name].at(index) + lane)

    def lanes(self, name):
        """All entries of a lane block, for a lane kernel."""
        block = self.layout[name]
        return [self.read(f"{name}[{k}]", block.at(k)) for k in range(block.count)]

    def jacobian_place(self, wheelset, row, column):
        width = self.layout["jacobian"].count // 24
        return self.layout["jacobian"].at((6 * wheelset + row) * width + column)

    def multibody(self):
        """Kernels `dynamics` and `kinematics`."""
        mass = composite_mass_matrix(self.system, self.model.bodies)
        self.mass_keys = sorted(k for k in mass if k[0] <= k[1] and not mass[k].is_zero())
        block = self.layout.block("mass", len(self.mass_keys))
        pose, bias = [], []
        self.jacobian = {}
        for w, wheelset in enumerate(self.model.wheelsets):
            self.wheelset_outputs(w, wheelset, pose, bias)
        dynamics = [(block.at(k), mass[key]) for k, key in enumerate(self.mass_keys)]
        dynamics += [(self.layout["delta"].at(i), x) for i, x in enumerate(generalized_forces(self.model))]
        self.program.kernel("dynamics", dynamics + pose + bias)
        self.program.kernel("kinematics", pose)
        self.mass, self.mass_place = {}, {key: block.at(k) for k, key in enumerate(self.mass_keys)}
        for k, (i, j) in enumerate(self.mass_keys):
            self.mass[i, j] = self.mass[j, i] = self.read(f"M[{i},{j}]", block.at(k))

    def wheelset_outputs(self, w, wheelset, pose, bias):
        system, fixed = self.system, wheelset.fixed
        columns = zip(*fixed.to_ground(), strict=True)
        velocity = wheelset.centre.velocity().in_base(fixed).components
        spin = wheelset.spinning.angular_velocity().components
        turn = fixed.angular_velocity().components
        acceleration = wheelset.centre.acceleration().in_base(fixed).components
        alpha = wheelset.spinning.angular_acceleration().components
        both = (2 * w, 2 * w + 1)

        def put(target, name, values):
            block = self.layout[name]
            target.extend((block.at(k) + lane, value) for k, value in enumerate(values) for lane in both)

        put(pose, "pose", [*wheelset.centre.place(), *(x for column in columns for x in column)])
        put(pose, "twist", [*velocity, *spin, *turn])
        put(bias, "bias", [*acceleration, *alpha])
        for column, index in enumerate(wheelset.coordinates):
            by = Derivative(self.graph, {system.qd[index]: 1.0})
            for row, value in enumerate((*velocity, *spin)):
                entry = by(value)
                if self.graph.is_constant(entry.literal):
                    self.jacobian[w, row, column] = entry
                    continue
                place = self.jacobian_place(w, row, column)
                pose.append((place, entry))
                self.jacobian[w, row, column] = self.read(f"J[{w},{row},{column}]", place)

    def contact(self):
        """Lane kernels."""
        graph, program, layout = self.graph, self.program, self.layout
        geometry = contact_geometry(graph)
        for k, s in enumerate(geometry.surface):
            program.input(s, layout["surface"].at(k))
        for c, curve in enumerate(CURVES):
            for k, s in enumerate(geometry.coefficients[curve]):
                if k < 4 or curve in ("wheel", "rail", "track_x"):
                    program.input(s, layout["spline"].at(5 * c + k))
        rates = self.lanes("surface_rate")
        pose, twist, bias = self.lanes("pose"), self.lanes("twist"), self.lanes("bias")
        offset, gravity = self.lanes("fixed")
        wheelset = WheelPose(graph, pose)
        v, w, turn = twist[:3], twist[3:6], twist[6:9]
        n, tx, ty = (geometry.base_line.to_ground(v) for v in geometry.directions)
        wheel = geometry.wheel_point
        arm = [wheel[0], wheel[1] + offset, wheel[2]]
        normal_residual, tangent_residual = wheelset.constraints(geometry, offset)
        by_surface = [Derivative(graph, {s: 1.0}) for s in geometry.surface]
        matrix = {(i, j): by_surface[j](f) for i, f in enumerate(tangent_residual) for j in range(4)}
        # rows and columns paired so that the pivots are: angle, position along, across, slope
        rows, cols = (2, 0, 1, 3), (0, 2, 1, 3)

        def newton(right):
            paired = {(a, b): matrix[rows[a], cols[b]] for a in range(4) for b in range(4)}
            x = solve_sparse(paired, [right[r] for r in rows], range(4))
            return [x[cols.index(k)] for k in range(4)]

        step = newton([-f for f in tangent_residual])  # 000 (17), (42)
        outputs = [(layout["surface_step"].at(k), x) for k, x in enumerate(step)]
        outputs += [(layout["residual"].at(k), x) for k, x in enumerate((*tangent_residual, normal_residual))]
        program.kernel("tangent_newton", outputs, LANES)

        drift = Derivative(graph, wheelset.rates(v, turn))
        surface_rates = newton([-drift(f) for f in tangent_residual])  # 000 (19)
        block = layout["surface_rate"]
        program.kernel("surface_rates", [(block.at(k), x) for k, x in enumerate(surface_rates)], LANES)

        n_w, tx_w, ty_w = (wheelset.to_wheelset(c) for c in (n, tx, ty))
        normal_row = [*n_w, *cross3(arm, n_w)]
        block = layout["normal_row"]
        values = [*normal_row, normal_residual]
        program.kernel("normal_rows", [(block.at(k), x) for k, x in enumerate(values)], LANES)

        along = Derivative(graph, dict(zip(geometry.surface, rates, strict=True)))
        arm_rate = [along(x) + y for x, y in zip(arm, cross3(turn, arm), strict=True)]
        normal_rate = wheelset.to_wheelset([along(x) for x in n])
        point_velocity = [x + y for x, y in zip(v, cross3(w, arm), strict=True)]
        parts = zip(range(3), cross3(bias[3:6], arm), cross3(w, arm_rate), strict=True)
        acceleration = [bias[k] - gravity * wheelset.columns[k][2] + x + y for k, x, y in parts]
        gamma = -(dot3(n_w, acceleration) + dot3(normal_rate, point_velocity))  # 000 (12)
        zero = constant(graph, 0.0)
        centre_velocity = [x + y for x, y in zip(v, cross3(w, [zero, offset, zero]), strict=True)]
        rim = cross3(w, wheel)
        speed = 0.5 * (sqrt(dot3(centre_velocity, centre_velocity)) + sqrt(dot3(rim, rim)))  # 000 (31)
        f, f1, f2 = geometry.radius
        g, g1, g2 = geometry.rail_height
        curvature = [sqrt(1.0 - n_w[1] * n_w[1]) / f, _curvature(f1, f2), _curvature(g1, g2)]  # 000 (22), put right
        outputs = list(enumerate([*tx_w, *cross3(arm, tx_w), *ty_w, *cross3(arm, ty_w), *normal_row]))
        outputs = [(layout["rows"].at(k), x) for k, x in outputs]
        outputs.append((layout["gamma"].at(0), gamma))
        creep = [dot3(tx_w, point_velocity), dot3(ty_w, point_velocity), dot3(n_w, w), speed]  # 000 (32)
        outputs += [(layout["creep"].at(k), x) for k, x in enumerate(creep)]
        outputs += [(layout["curvature"].at(k), x) for k, x in enumerate(curvature)]
        program.kernel("contact_dynamics", outputs, LANES)

        rows = self.lanes("rows")
        c11, c22, c23, c33 = self.lanes("creep_coefficient")
        x, y, spin = rows[0:6], rows[6:12], [zero] * 3 + rows[12:15]
        outputs = []
        for i in range(6):
            for j in range(6):
                entry = (  # 000 (34), (35)
                    x[i] * (c11 * x[j]) + y[i] * (c22 * y[j] + c23 * spin[j]) + spin[i] * (c33 * spin[j] - c23 * y[j])
                )
                outputs.append((layout["creep_matrix"].at(6 * i + j), entry))
        program.kernel("creep_matrix", outputs, LANES)

    def projections(self):
        """Kernels `project_position` and `project_velocity`."""
        position_outputs, velocity_outputs = [], []
        for w, wheelset in enumerate(self.model.wheelsets):
            pair = (2 * w, 2 * w + 1)
            dependent = (wheelset.height, wheelset.roll)
            columns = [wheelset.coordinates.index(d) for d in dependent]
            normals = [[self.lane("normal_row", k, wheel) for k in range(6)] for wheel in pair]
            a = [[total(g[k] * self.jacobian[w, k, c] for k in range(6)) for c in columns] for g in normals]
            inverse = 1.0 / (a[0][0] * a[1][1] - a[0][1] * a[1][0])
            twist = [self.lane("twist", k, pair[0]) for k in range(9)]

            def solved(b, a=a, inverse=inverse):
                return (
                    (b[0] * a[1][1] - a[0][1] * b[1]) * inverse,
                    (a[0][0] * b[1] - a[1][0] * b[0]) * inverse,
                )

            step = solved([-self.lane("normal_row", 6, wheel) for wheel in pair])  # 000 (16), (43)
            for index, change in zip(dependent, step, strict=True):
                position_outputs.append((self.layout["q"].at(index), self.system.q[index] + change))
            change = solved([-total(g[k] * twist[k] for k in range(6)) for g in normals])  # 000 (18)
            for index, value in zip(dependent, change, strict=True):
                velocity_outputs.append((self.layout["qd"].at(index), self.system.qd[index] + value))
            moved = [total(self.jacobian[w, k, c] * x for c, x in zip(columns, change, strict=True)) for k in range(6)]
            for k in range(9):
                new = twist[k] + moved[k if k < 6 else k - 3]
                velocity_outputs += [(self.layout["twist"].at(k) + wheel, new) for wheel in pair]
        self.program.kernel("project_position", position_outputs)
        self.program.kernel("project_velocity", velocity_outputs)


def _curvature(slope, second):
    """-f''/(1 + f'^2)^(3/2), positive for a convex section."""
    square = 1.0 + slope * slope
    return -(second / (square * sqrt(square)))
