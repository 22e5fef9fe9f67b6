"""A vehicle of rigid bodies on straight level track: poses, forces and rest, computed by interpreted kernels.

The cheap counterpart of the step's residual, for checks that must not compile. Coordinates are those of the step,
each unit's s, y, z, yaw, roll, pitch (wheelsets: the sixth is the spin, which turns nothing here) and the pitches of
axle boxes; flexible wheelsets are rigid. The laws of the force elements are the step's own.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ConvergenceError
from flexwheel.numerics.kernels.interpreted import interpreted
from flexwheel.vehicle.elements.columns import BODY_A, BODY_B, LAW, Poses, make_suspension_state
from flexwheel.vehicle.elements.force_law import LAWS

STEP, RATE_STEP = 1e-6, 1e-4  # [m, rad], [m/s, rad/s] of differences: laws are smooth over a micrometre
BALANCE = 1e-3  # [N, N m] left at rest, of weights from 1e3 N upward
ITERATIONS = 40
REACH = 0.3  # [m, rad] beyond which a body at rest has left its place
SETTLED, HELD = 0.0, -1.0  # what the internal states of force elements do, see `suspension_propose`


@dataclass(frozen=True)
class Part:
    """A mass or pose that moves with one unit: where it is and how it moves, by that unit's coordinates."""

    unit: int
    arm: np.ndarray  # (3,) in the axes of the unit that do not spin
    pitch: int = -1  # coordinate of its own pitch; -1: it turns with the unit
    own: np.ndarray | None = None  # (3,) from there, in the axes of its own


class RigidVehicle:
    """Poses of everything that force elements act on, and generalised forces, by the coordinates (N,)."""

    def __init__(self, assembly, elements, nominal, gravity):
        """assembly : Assembly; elements : SuspensionElements; nominal : (N,) coordinates; gravity [m/s2]."""
        self.assembly, self.elements, self.gravity = assembly, elements, gravity
        self.nominal = np.array(nominal, dtype=float)
        self.offset, self.spins = assembly.units.offset, np.asarray(assembly.units.wheelset) >= 0
        self.state = make_suspension_state(elements)
        units, wheelsets = len(assembly.unit_names), assembly.wheelsets
        self.parts = [Part(u, np.zeros(3)) for u in range(units)]
        self.boxes = []
        for w, u in enumerate(wheelsets.unit):
            end = self.offset[u + 1]
            for side in range(2):
                pitch = end - 2 + side if wheelsets.box_pitch[w] == 1 else -1
                arm = wheelsets.interface_position[w, side]
                self.parts.append(Part(u, arm, pitch))
                self.boxes.append((Part(u, arm, pitch, wheelsets.box_centre[w, side]), w, side))
        self.touching = [
            [e for e, ends in enumerate(elements.integer[:, [BODY_A, BODY_B]]) if any(self._of(p, u) for p in ends)]
            for u in range(units)
        ]

    def _of(self, pose, unit):
        return pose >= 0 and self.parts[pose].unit == unit

    def frame(self, q, unit):
        """Axes (3, 3) of a unit, and the axes (3, 3), columns, about which yaw, roll and pitch turn it."""
        o = self.offset[unit]
        yaw, roll, pitch = q[o + 3 : o + 6]
        rz, rx = _about(2, yaw), _about(0, roll)
        turned = rz @ rx
        axes = np.column_stack([[0.0, 0.0, 1.0], rz[:, 0], turned[:, 1]])
        if self.spins[unit]:
            axes[:, 2] = 0.0
            return turned, axes
        return turned @ _about(1, pitch), axes

    def place(self, q, part):
        """Position (3,), axes (3, 3) and rows (3, N) of velocity and of angular velocity of a part."""
        o, count = self.offset[part.unit], len(q)
        rotation, axes = self.frame(q, part.unit)
        arm = rotation @ part.arm
        move, turn = np.zeros((3, count)), np.zeros((3, count))
        turn[:, o + 3 : o + 6] = axes
        if part.pitch >= 0:
            turn[:, part.pitch] = rotation[:, 1]
            rotation = rotation @ _about(1, q[part.pitch])
        move[:, o : o + 3] = np.eye(3)
        move[:, o + 3 : o + 6] = np.cross(axes.T, arm).T
        if part.own is not None:
            own = rotation @ part.own
            arm = arm + own
            move += np.cross(turn.T, own).T
        return q[o : o + 3] + arm, rotation, move, turn

    def poses(self, q, v):
        """Poses of the step, and the rows (poses, 6, N) of their motion."""
        places = [self.place(q, part) for part in self.parts]
        rows = np.array([np.vstack(place[2:]) for place in places])
        motion = rows @ v
        position, rotation = (np.array([place[k] for place in places]) for k in (0, 1))
        return Poses(position, rotation, motion[:, :3].copy(), motion[:, 3:].copy()), rows

    def forces(self, q, v, states, chosen=None):
        """Generalised forces (N,) of the chosen force elements, of all where None; internal states as `states` says."""
        poses, rows = self.poses(q, v)
        applied = np.zeros((len(self.parts), 6))
        for e in range(len(self.elements.integer)) if chosen is None else chosen:
            law = LAWS[self.elements.integer[e, LAW]]
            if law.propose is not None:
                interpreted(law.propose)(self.elements, e, poses, states, self.state)
            interpreted(law.force)(self.elements, e, poses, self.state, applied)
        return np.einsum("pi,pin->n", applied, rows)

    def weight(self, q):
        """Generalised forces (N,) of gravity."""
        found = np.zeros(len(q))
        found[self.offset[:-1] + 2] = -self.gravity * self.assembly.units.mass
        for part, w, side in self.boxes:
            mass = self.assembly.wheelsets.box_mass[w, side]
            if mass > 0.0:
                found -= self.gravity * mass * self.place(q, part)[2][2]
        return found

    def mass(self, q):
        """Mass matrix (N, N) at the coordinates."""
        found = np.zeros((len(q), len(q)))
        units, wheelsets = self.assembly.units, self.assembly.wheelsets
        for u in range(len(self.assembly.unit_names)):
            o = self.offset[u]
            inertia = units.inertia[u]
            found[range(o, o + 3), range(o, o + 3)] = units.mass[u]
            # yaw about z, roll about x, pitch or spin about y: the angles at rest are small
            found[np.ix_([o + 4, o + 5, o + 3], [o + 4, o + 5, o + 3])] = inertia
        for part, w, side in self.boxes:
            mass = wheelsets.box_mass[w, side]
            if mass > 0.0:
                _, rotation, move, turn = self.place(q, part)
                inertia = rotation @ wheelsets.box_inertia[w, side] @ rotation.T
                found += mass * move.T @ move + turn.T @ inertia @ turn
        return found

    def stiffness(self, q):
        """Minus the derivative (N, N) of element forces and weight by the coordinates; internal states held."""
        v = np.zeros(len(q))
        return -self._columns(lambda e, own: self.forces(q + e, v, HELD, own) + self.weight(q + e), STEP)

    def damping(self, q):
        """Minus the derivative (N, N) of element forces by the rates."""
        return -self._columns(lambda e, own: self.forces(q, e, HELD, own), RATE_STEP)

    def _columns(self, call, step):
        count = self.offset[-1]
        found = np.zeros((count, count))
        for u, own in enumerate(self.touching):
            for k in range(self.offset[u], self.offset[u + 1]):
                e = np.zeros(count)
                e[k] = step
                found[:, k] = (call(e, own) - call(-e, own)) / (2.0 * step)
        return found

    def at_rest(self):
        """Coordinates (N,) at which all bodies stand while the wheelsets keep their places; states settled.

        Raises
        ------
        ConvergenceError    none found, or a body left its place; the coordinate is named
        """
        from flexwheel.vehicle.step.coordinate_labels import coordinate_labels

        labels = coordinate_labels(self.assembly)
        q, v = self.nominal.copy(), np.zeros(len(self.nominal))
        free = self.free()
        if not len(free):
            return q
        for _ in range(ITERATIONS):
            left = (self.forces(q, v, SETTLED) + self.weight(q))[free]
            self.state.accepted[:] = self.state.proposed
            if np.max(np.abs(left)) < BALANCE:
                return q
            matrix = self.stiffness(q)[np.ix_(free, free)]
            change = np.linalg.lstsq(matrix, left, rcond=1e-12)[0]
            worst = int(np.argmax(np.abs(change)))
            q[free] += change * min(1.0, 0.05 / max(abs(change[worst]), 1e-30))
            away = np.abs(q - self.nominal)[free]
            if not np.all(np.isfinite(away)) or np.max(away) > REACH:
                raise ConvergenceError(
                    f"no static equilibrium: {labels[free[int(np.argmax(np.nan_to_num(away, nan=np.inf)))]]} leaves "
                    "its place"
                )
        worst = int(np.argmax(np.abs(left)))
        raise ConvergenceError(
            f"no static equilibrium of the bodies on their wheelsets: {abs(left[worst]):.3g} N or N m are left at "
            f"{labels[free[worst]]}"
        )

    def free(self):
        """Coordinates that are not a wheelset's own."""
        held = {k for u in np.flatnonzero(self.spins) for k in range(self.offset[u], self.offset[u] + 6)}
        return np.array([k for k in range(self.offset[-1]) if k not in held], dtype=int)


def _about(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    found = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found[i, i] = found[j, j] = c
    found[i, j], found[j, i] = -s, s
    return found
