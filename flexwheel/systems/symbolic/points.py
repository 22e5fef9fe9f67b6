"""The tree of points: position, velocity and acceleration, each from the parent's.

v_P = v_parent + omega_B x r + dr/dt in B, with B the base that carries the components of r.
"""

from flexwheel.systems.symbolic.calculus import differentiate
from flexwheel.systems.symbolic.symbolic_vectors import Vector, cross3, dot3


class Point:  # 000 (2)
    """A point at `r` from its parent.

    Attributes
    ----------
    path : tuple of Point     from the first point below the origin to this one
    r : Vector                from the parent to this point
    """

    def __init__(self, system, name, parent, r):
        if r is not None and r.base.spinning:
            raise ValueError(f"point {name!r}: base must not spin, got {r.base.name!r}; take its parent")
        self.system, self.name, self.parent, self.r = system, name, parent, r
        self.path = () if parent is None else (*parent.path, self)
        self._place = self._velocity = self._rate = self._partials = None
        self._acceleration = {}
        system.points.append(self)

    def place(self):
        """Components of the position from the origin, in the ground; points above share their part."""
        if self._place is None:
            if self.parent is None:
                self._place = [self.system.number(0.0)] * 3
            else:
                rows = self.r.base.to_ground()
                self._place = [x + dot3(r, self.r.components) for x, r in zip(self.parent.place(), rows, strict=True)]
        return self._place

    def rate(self):
        """dr/dt in the base that carries r."""
        if self._rate is None:
            self._rate = Vector([self.system.time_derivative(c) for c in self.r.components], self.r.base)
        return self._rate

    def velocity(self):
        """Velocity relative to the ground, in the base that carries r."""
        if self._velocity is None:
            if self.parent is None:
                self._velocity = Vector([self.system.number(0.0)] * 3, self.system.ground)
            else:
                base = self.r.base
                turning = cross3(base.angular_velocity().components, self.r.components)
                relative = [a + b for a, b in zip(turning, self.rate().components, strict=True)]
                self._velocity = Vector(relative, base) + self.parent.velocity()
        return self._velocity

    def acceleration(self, accelerations=False):
        """Acceleration, of the origin included; with q'' as symbols, or its part at q'' = 0."""
        if accelerations not in self._acceleration:
            if self.parent is None:
                zero = self.system.number(0.0)
                lift = self.system.lift if self.system.lift is not None else zero
                value = Vector([zero, zero, lift], self.system.ground)
            else:
                base, rate = self.r.base, self.rate().components
                omega = base.angular_velocity().components
                alpha = base.angular_acceleration(accelerations).components
                turned = [x + 2.0 * y for x, y in zip(cross3(omega, self.r.components), rate, strict=True)]
                parts = zip(
                    cross3(alpha, self.r.components),
                    cross3(omega, turned),
                    (self.system.time_derivative(c, accelerations) for c in rate),
                    strict=True,
                )
                value = Vector([a + b + c for a, b, c in parts], base) + self.parent.acceleration(accelerations)
            self._acceleration[accelerations] = value
        return self._acceleration[accelerations]

    def partial_velocities(self):
        """d(dr/dt)/dq' of every coordinate that moves this point in its base: list of (index, components)."""
        if self._partials is None:
            self._partials = []
            if self.parent is not None:
                graph = self.system.graph
                mask = graph.mask([c.literal for c in self.r.components])
                for index, q in enumerate(self.system.q):
                    if graph.depends[q.literal] & mask:
                        parts = tuple(differentiate(c, q) for c in self.r.components)
                        self._partials.append((index, parts))
        return self._partials


def root_point(system):
    """The origin."""
    return Point(system, "origin", None, None)


def position(start, end, base):
    """Vector from point `start` to point `end`, components in `base`."""
    common = 0
    while common < min(len(start.path), len(end.path)) and start.path[common] is end.path[common]:
        common += 1
    forth, back = _sum(end.path[common:]), _sum(start.path[common:])
    if forth is None and back is None:
        zero = base.system.number(0.0)
        return Vector([zero] * 3, base)
    if back is None:
        return forth.in_base(base)
    return -back.in_base(base) if forth is None else forth.in_base(base) - back


def _sum(steps):
    total = None
    for point in steps:
        total = point.r if total is None else total.in_base(point.r.base) + point.r
    return total
