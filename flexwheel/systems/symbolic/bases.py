"""The tree of bases: orientation, angular velocity and angular acceleration, each from the parent's.

omega_B = omega_parent + omega_rel (paper 000, eqs 3-4); the parametrization of each step is free. For a
body of revolution ("spinning") the components stay in the non-spinning parent's axes; the acceleration

    alpha_B = alpha_parent + omega_parent x omega_rel + d(omega_rel)/dt in the axes used

holds for both kinds, since omega_B x omega_rel = omega_parent x omega_rel.
"""

from flexwheel.systems.symbolic.calculus import differentiate
from flexwheel.systems.symbolic.expression import cos, sin
from flexwheel.systems.symbolic.symbolic_vectors import Vector, cross3, dot3


class Base:  # 000 (1)
    """Orientation relative to a parent base.

    Attributes
    ----------
    path : tuple of Base         from the first base below the ground to this one
    spinning : bool              components stay in the parent's axes
    relative_velocity : Vector   omega of this base relative to its parent, in this base's axes
    """

    def __init__(self, system, name, parent):
        self.system, self.name, self.parent = system, name, parent
        self.path = () if parent is None else (*parent.path, self)
        self.spinning = False
        self.relative_velocity = None
        self._matrix = self._ground = None
        self._axis = self._sin = self._cos = None
        self._omega = None
        self._alpha = {}
        self._partials = None
        system.bases.append(self)

    @classmethod
    def about_axis(cls, system, name, parent, axis, angle, spinning=False):
        """See System.rotation."""
        if axis not in (0, 1, 2):
            raise ValueError(f"base {name!r}: axis must be 0, 1 or 2, got {axis!r}")
        base = cls(system, name, parent)
        base._axis, base.spinning = axis, spinning
        if not spinning:
            base._sin, base._cos = sin(angle), cos(angle)
        rate = [system.number(0.0)] * 3
        rate[axis] = system.time_derivative(angle)
        base.relative_velocity = Vector(rate, base)
        return base

    @classmethod
    def from_matrix(cls, system, name, parent, matrix):
        """See System.rotation_matrix; omega from R^T dR/dt."""
        base = cls(system, name, parent)
        base._matrix = tuple(tuple(row) for row in matrix)
        rate = [[system.time_derivative(x) for x in row] for row in base._matrix]

        def turned(i, j):
            return dot3([base._matrix[k][i] for k in range(3)], [rate[k][j] for k in range(3)])

        base.relative_velocity = Vector([turned(2, 1), turned(0, 2), turned(1, 0)], base)
        return base

    @classmethod
    def from_euler_parameters(cls, system, name, parent, parameters):
        """See System.euler_parameters; omega = 2 L(e) e'."""
        e0, e1, e2, e3 = parameters
        base = cls(system, name, parent)
        base._matrix = (
            (1.0 - 2.0 * (e2 * e2 + e3 * e3), 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e1 * e3 + e0 * e2)),
            (2.0 * (e1 * e2 + e0 * e3), 1.0 - 2.0 * (e1 * e1 + e3 * e3), 2.0 * (e2 * e3 - e0 * e1)),
            (2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), 1.0 - 2.0 * (e1 * e1 + e2 * e2)),
        )
        d0, d1, d2, d3 = (system.time_derivative(e) for e in parameters)
        base.relative_velocity = Vector(
            [
                2.0 * (e0 * d1 - e1 * d0 + e3 * d2 - e2 * d3),
                2.0 * (e0 * d2 - e2 * d0 + e1 * d3 - e3 * d1),
                2.0 * (e0 * d3 - e3 * d0 + e2 * d1 - e1 * d2),
            ],
            base,
        )
        return base

    def to_parent(self, c):
        """Components in this base to components in the parent."""
        if self.spinning or self.parent is None:
            return c
        if self._matrix is not None:
            return [dot3(row, c) for row in self._matrix]
        i, j, k = self._axis, (self._axis + 1) % 3, (self._axis + 2) % 3
        result = [None] * 3
        result[i] = c[i]
        result[j] = self._cos * c[j] - self._sin * c[k]
        result[k] = self._sin * c[j] + self._cos * c[k]
        return result

    def from_parent(self, c):
        """Components in the parent to components in this base."""
        if self.spinning or self.parent is None:
            return c
        if self._matrix is not None:
            return [dot3([self._matrix[m][n] for m in range(3)], c) for n in range(3)]
        i, j, k = self._axis, (self._axis + 1) % 3, (self._axis + 2) % 3
        result = [None] * 3
        result[i] = c[i]
        result[j] = self._cos * c[j] + self._sin * c[k]
        result[k] = self._cos * c[k] - self._sin * c[j]
        return result

    def to_ground(self):
        """Matrix that turns components in this base to components in the ground; bases above share their part."""
        if self._ground is None:
            unit = [[self.system.number(float(k == j)) for k in range(3)] for j in range(3)]
            self._ground = [self.from_parent(r) for r in self.parent.to_ground()] if self.parent is not None else unit
        return self._ground

    def angular_velocity(self):
        """omega of this base relative to the ground, in its own axes."""
        if self._omega is None:
            if self.parent is None:
                self._omega = Vector([self.system.number(0.0)] * 3, self)
            else:
                self._omega = self.relative_velocity + self.parent.angular_velocity()  # 000 (3), (4)
        return self._omega

    def angular_acceleration(self, accelerations=False):
        """alpha; with q'' as symbols, or its velocity-dependent part (q'' = 0)."""
        if accelerations not in self._alpha:
            if self.parent is None:
                alpha = Vector([self.system.number(0.0)] * 3, self)
            else:
                relative = self.relative_velocity
                local = [self.system.time_derivative(x, accelerations) for x in relative.components]
                turning = cross3(self.parent.angular_velocity().in_base(self).components, relative.components)
                alpha = Vector([a + b for a, b in zip(local, turning, strict=True)], self)
                alpha = alpha + self.parent.angular_acceleration(accelerations)
            self._alpha[accelerations] = alpha
        return self._alpha[accelerations]

    def axes(self):
        """Axes in which components of this base are constant for a body-fixed vector."""
        return self.parent.axes() if self.spinning else self

    def partial_velocities(self):
        """d(omega_rel)/dq' of every coordinate that turns this base: list of (index, components)."""
        if self._partials is None:
            self._partials = _partials(self.system, () if self.parent is None else self.relative_velocity.components)
        return self._partials


def root_base(system):
    """The ground."""
    return Base(system, "ground", None)


def _partials(system, components):
    result = []
    mask = system.graph.mask([c.literal for c in components])
    for index, rate in enumerate(system.qd):
        if system.graph.depends[rate.literal] & mask:
            result.append((index, tuple(differentiate(c, rate) for c in components)))
    return result
