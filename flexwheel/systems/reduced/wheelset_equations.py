"""Equations of a wheelset reduced to lateral displacement and yaw, with its contact forces.

Two kernels per wheelset. *Contact*: dependent coordinates by the knife edge, creepages of both treads, and
what the flanges see. *Balance*: lateral, yaw, vertical and roll equations together are linear in y'',
yaw'', N_left and N_right; they are solved in closed form, so that the tread normal forces include the vertical and roll
inertia of the wheelset over irregularities, the weights carried, creep and flange forces.

Rolling radii, contact angles and lateral places of both treads are inputs: those of the cone, or what the profiles give
at the shift of the contact; only the dependent coordinates come from the straight treads of the knife edge.

Axle axes E: track axes turned by yaw and roll (first order). The spin rate Omega follows the free rolling of
the wheelset: the mean of both longitudinal creepages is zero. The knife edge is solved in the plane through the axle;
the contact points of a yawed wheelset stand before or behind it by r0 tan(contact angle) yaw, where the normals are
square to the rails. The paper leaves them in the plane; the difference is tan(contact angle)^2 of the lateral creepage.
Creepages in patch axes x, lateral tangent, normal into the wheel.

Source: paper 001. Verified in tests/verification/reduced/test_reduced_closed_forms_verified.py.
"""

from flexwheel.systems.reduced.frames import (
    acceleration_in_frame,
    coordinates,
    time_derivative,
    track_frame_symbols,
    velocity_in_frame,
)
from flexwheel.systems.reduced.knife_edge import knife_edge
from flexwheel.systems.symbolic.calculus import jacobian, substitute
from flexwheel.systems.symbolic.expression import sqrt, symbol
from flexwheel.systems.symbolic.sparse_lu import solve_sparse
from flexwheel.systems.symbolic.symbolic_vectors import cross3, dot3

COORDINATES = ("y", "yaw")
RAILS = ("eta_L", "zeta_L", "eta_R", "zeta_R")
SUSPENSION = ("Fy", "Mroll", "Myaw", "Fz")
PARAMETERS = (
    "m", "I", "Iy", "r0", "b", "lambda", "flange_depth", "flange_y", "flange_slope",
)  # fmt: skip
TREADS = ("radius_L", "slope_L", "beside_L", "radius_R", "slope_R", "beside_R")
"""Rolling radius and tangent of the contact angle of each tread; how far outside of the knife edge it touches."""
CREEPAGES = ("creepage_x_L", "creepage_y_L", "spin_L", "creepage_x_R", "creepage_y_R", "spin_R")
CREEP = ("TxL", "TyL", "MzL", "TxR", "TyR", "MzR")
FLANGE = ("PxL", "PyL", "PzL", "PxR", "PyR", "PzR")
"""Flange forces on the wheels in axle axes, at depth r0 + flange_depth and +-flange_y."""
CONTACT_OUTPUTS = (
    "z", "roll", "z'", "roll'", "spin", "flange_shift_L", "flange_rate_L", "flange_slip_L",
    "flange_shift_R", "flange_rate_R", "flange_slip_R", *CREEPAGES,
)  # fmt: skip
BALANCE_OUTPUTS = ("y''", "yaw''", "NL", "NR", "z''", "roll''")


class WheelsetEquations:
    """Expressions of both kernels.

    contact : dict    CONTACT_OUTPUTS -> Expression; flange_shift is the axle's lateral displacement at the depth of the
                      flange minus the rail's, flange_slip the longitudinal sliding velocity there
    balance : dict    BALANCE_OUTPUTS -> Expression
    """

    def __init__(self, graph):
        self.frame = track_frame_symbols(graph)
        self.q, rates = coordinates(graph, COORDINATES)
        self.rail, rail_rates = coordinates(graph, RAILS)
        self.rate = time_derivative(graph, self.frame.rates, rates, rail_rates)
        self.p = {name: symbol(graph, name) for name in PARAMETERS}
        self.treads = {name: symbol(graph, name) for name in TREADS}
        p = self.p
        y, yaw = self.q["y"][0], self.q["yaw"][0]
        self.edge = knife_edge(y, yaw, [self.rail[n][0] for n in RAILS], p["r0"], p["b"], p["lambda"])
        self.z_rate, self.roll_rate = self.rate(self.edge.z), self.rate(self.edge.roll)
        self._motion()
        self.contact = self._contact()
        self.balance = self._balance(graph)

    def _motion(self):
        """Velocity of the centre and angular velocity without spin, in axle axes."""
        y, yaw = self.q["y"][0], self.q["yaw"][0]
        roll = self.edge.roll
        zero = y * 0.0
        self.velocity = velocity_in_frame(self.frame, (zero, y, self.p["r0"] + self.edge.z), self.rate)
        wx, wy, wz = self.frame.omega
        self.omega = (
            wx + yaw * wy + self.roll_rate,
            wy - yaw * wx + roll * wz + roll * self.rate(yaw),
            wz - roll * wy + self.rate(yaw),
        )

    def _to_axle(self, v):
        """Track axes to axle axes, yaw to second order."""
        yaw, roll = self.q["yaw"][0], self.edge.roll
        x = (1.0 - 0.5 * yaw * yaw) * v[0] + yaw * v[1]
        across = (1.0 - 0.5 * yaw * yaw) * v[1] - yaw * v[0]
        return (x, across + roll * v[2], v[2] - roll * across)

    def _to_track(self, f):
        """Axle axes to track axes."""
        yaw, roll = self.q["yaw"][0], self.edge.roll
        across, up = f[1] - roll * f[2], f[2] + roll * f[1]
        return (f[0] - yaw * across, across + yaw * f[0], up)

    def _tread(self, side):
        """Arm, lateral tangent and normal of a tread contact in axle axes; side +1 left, -1 right."""
        place = self.edge.y_left if side > 0 else self.edge.y_right
        name = "L" if side > 0 else "R"
        slope, radius = self.treads[f"slope_{name}"] * side, self.treads[f"radius_{name}"]
        place = place + side * self.treads[f"beside_{name}"]
        norm = 1.0 / sqrt(1.0 + slope * slope)
        yaw = self.q["yaw"][0]
        arm = (radius * slope * yaw, place, -radius)
        return arm, (yaw * norm, norm, slope * norm), (-slope * yaw * norm, -slope * norm, norm)

    def _along_rail(self, v):
        """Component along the rail of a vector in axle axes."""
        return v[0] - self.q["yaw"][0] * v[1]

    def _contact(self):
        p, edge, speed = self.p, self.edge, self.frame.speed
        centre = self._to_axle(self.velocity)
        treads = {side: self._tread(side) for side in (1, -1)}
        still = {side: [c + t for c, t in zip(centre, cross3(self.omega, treads[side][0]), strict=True)]
                 for side in (1, -1)}  # fmt: skip
        spin = (self._along_rail(still[1]) + self._along_rail(still[-1])) / (
            self.treads["radius_L"] + self.treads["radius_R"]
        )
        out = {
            "z": edge.z, "roll": edge.roll, "z'": self.z_rate, "roll'": self.roll_rate, "spin": spin,
        }  # fmt: skip
        for side, name in ((1, "L"), (-1, "R")):
            arm, tangent, normal = treads[side]
            zero = spin * 0.0
            rolling = cross3((zero, spin, zero), arm)
            v = [s + r for s, r in zip(still[side], rolling, strict=True)]  # 001 (contact velocities)
            turning = (self.omega[0], self.omega[1] + spin, self.omega[2])
            out[f"creepage_x_{name}"] = self._along_rail(v) / speed
            out[f"creepage_y_{name}"] = dot3(tangent, v) / speed
            out[f"spin_{name}"] = dot3(normal, turning) / speed
            eta_rail, _, _ = self.rail[f"eta_{name}"]
            shift = self.q["y"][0] + edge.roll * (p["r0"] + p["flange_depth"]) - eta_rail
            out[f"flange_shift_{name}"] = shift
            out[f"flange_rate_{name}"] = self.rate(shift)
            flange_arm = (zero, side * p["flange_y"], -(p["r0"] + p["flange_depth"]))
            out[f"flange_slip_{name}"] = centre[0] + cross3(turning, flange_arm)[0]
        return out

    def _balance(self, graph):
        p, rate = self.p, self.rate
        creep = {name: symbol(graph, name) for name in CREEP}
        flange = {name: symbol(graph, name) for name in FLANGE}
        suspension = [symbol(graph, name) for name in SUSPENSION]
        normal = [symbol(graph, name) for name in ("NL", "NR")]
        spin = symbol(graph, "spin")
        zero, yaw = spin * 0.0, self.q["yaw"][0]
        force, moment = [zero] * 3, [zero] * 3
        for side, name, load in ((1, "L", normal[0]), (-1, "R", normal[1])):
            arm, tangent, up = self._tread(side)
            tread = [creep[f"Ty{name}"] * tangent[k] + load * up[k] for k in range(3)]
            tread[0] = tread[0] + creep[f"Tx{name}"]
            tread[1] = tread[1] - yaw * creep[f"Tx{name}"]
            stop = [flange[f"P{axis}{name}"] for axis in "xyz"]
            stop[0] = stop[0] + yaw * stop[1]
            depth = p["r0"] + p["flange_depth"]
            flange_arm = (side * depth * p["flange_slope"] * yaw, side * p["flange_y"], -depth)
            for f, r in ((tread, arm), (stop, flange_arm)):
                turning = cross3(r, f)
                force = [force[k] + f[k] for k in range(3)]  # 001 (contact forces)
                moment = [moment[k] + turning[k] for k in range(3)]
            moment = [moment[k] + creep[f"Mz{name}"] * up[k] for k in range(3)]
        force = self._to_track(force)

        acceleration = acceleration_in_frame(self.frame, self.velocity, rate)
        omega = self.omega
        momentum = (p["I"] * omega[0], p["Iy"] * (omega[1] + spin), p["I"] * omega[2])
        gyroscopic = cross3(omega, momentum)
        g = self.frame.gravity
        balance = [
            p["m"] * (acceleration[1] - g[1]) - suspension[0] - force[1],
            rate(momentum[2]) + gyroscopic[2] - suspension[2] - moment[2],
            p["m"] * (acceleration[2] - g[2]) - suspension[3] - force[2],
            rate(momentum[0]) + gyroscopic[0] - suspension[1] - moment[0],
        ]
        unknown = [self.q["y"][2], self.q["yaw"][2], *normal]
        matrix = jacobian(balance, unknown)
        rest = substitute(balance, dict.fromkeys(unknown, 0.0))
        # sum and difference of the normal forces first: no pivot vanishes
        matrix, rest = _sum_and_difference(matrix, rest)
        x = solve_sparse(matrix, [-r for r in rest], [2, 3, 0, 1])  # 001 (normal forces)
        values = {unknown[0]: x[0], unknown[1]: x[1]}
        z2, roll2 = substitute([rate(self.z_rate), rate(self.roll_rate)], values)
        return dict(zip(BALANCE_OUTPUTS, (x[0], x[1], x[2] + x[3], x[2] - x[3], z2, roll2), strict=True))


def _sum_and_difference(matrix, rest):
    """Columns of N_left and N_right in terms of their mean and half difference."""
    new = {}
    for (i, j), value in matrix.items():
        if j < 2:
            new[i, j] = value
    for i in range(4):
        left, right = matrix.get((i, 2)), matrix.get((i, 3))
        if left is None and right is None:
            continue
        left = right * 0.0 if left is None else left
        right = left * 0.0 if right is None else right
        new[i, 2], new[i, 3] = left + right, left - right
    return new, rest
