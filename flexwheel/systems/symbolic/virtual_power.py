"""The principle of virtual power, accumulated backwards over both trees.

Forces act at points, torques on bases. Going from the leaves to the roots, a point hands its force to its parent and
its moment to the base that carries it; a base hands its torque to its parent; each coordinate takes its share on the
way. Mass thus belongs to the points tree and rotational inertia to the bases tree, which need not be parallel: a rotor
may be carried by a housing and turn relative to another base.

Source: paper 000, section 2.3. Verified in tests/systems/symbolic/test_symbolic_mechanics_verified.py.
"""

from dataclasses import dataclass

from flexwheel.systems.symbolic.calculus import jacobian, substitute
from flexwheel.systems.symbolic.symbolic_vectors import Tensor, Vector, dot3


@dataclass(frozen=True)
class MovingBody:
    """A rigid body."""

    name: str
    centre: object  # Point, centre of mass
    base: object  # body-fixed Base; a spinning one for a body of revolution about that axis
    mass: object  # Expression or float [kg]
    inertia: Tensor  # [kg m^2] about the centre of mass, in `base`


class VirtualPower:
    """Collects forces and torques; `generalized_forces` projects them on the coordinates."""

    def __init__(self, system):
        self.system = system
        self._forces = {}
        self._torques = {}

    def force(self, point, vector):
        """Force at a point."""
        self._forces.setdefault(point, []).append(vector)

    def torque(self, base, vector):
        """Torque on a base."""
        self._torques.setdefault(base, []).append(vector)

    def force_between(self, first, second, on_second):
        """Force on `second` and its reaction on `first` (points)."""
        self.force(second, on_second)
        self.force(first, -on_second)

    def torque_between(self, first, second, on_second):
        """Torque on `second` and its reaction on `first` (bases)."""
        self.torque(second, on_second)
        self.torque(first, -on_second)

    def inertia(self, bodies, accelerations=False):
        """D'Alembert forces and torques of bodies; `accelerations`: q'' as symbols, or zero."""
        for body in bodies:
            self.force(body.centre, -(body.mass * body.centre.acceleration(accelerations)))
            omega = body.base.angular_velocity()
            alpha = body.base.angular_acceleration(accelerations)
            self.torque(body.base, -(body.inertia.dot(alpha) + omega.cross(body.inertia.dot(omega))))

    def generalized_forces(self):
        """One expression per coordinate."""
        system = self.system
        forces = {p: list(v) for p, v in self._forces.items()}
        torques = {b: list(v) for b, v in self._torques.items()}
        result = [system.number(0.0)] * len(system.q)
        for point in reversed(system.points):
            if point.parent is None or point not in forces:
                continue
            base = point.r.base
            force = _total(forces[point], base)
            forces.setdefault(point.parent, []).append(force)
            torques.setdefault(base, []).append(point.r.cross(force))
            for index, partial in point.partial_velocities():
                result[index] = result[index] + dot3(partial, force.components)
        for base in reversed(system.bases):
            if base.parent is None or base not in torques:
                continue
            torque = _total(torques[base], base)
            torques.setdefault(base.parent, []).append(torque)
            for index, partial in base.partial_velocities():
                result[index] = result[index] + dot3(partial, torque.components)
        return result


def equations_of_motion(system, bodies, load):
    """Left-hand matrix and right-hand side by differentiating the virtual power (the paper's own definition).

    Parameters
    ----------
    bodies : list of MovingBody
    load : function(VirtualPower)     adds applied forces

    Returns
    -------
    mass : dict (row, column) -> Expression      both triangles
    delta : list of Expression                   M q'' = delta + constraint forces
    """
    power = VirtualPower(system)
    power.inertia(bodies, accelerations=True)
    load(power)
    equations = power.generalized_forces()
    mass = {key: -value for key, value in jacobian(equations, system.qdd).items()}
    delta = substitute(equations, dict.fromkeys(system.qdd, 0.0))
    return mass, delta


def _total(vectors, base):
    total = vectors[0].in_base(base)
    for vector in vectors[1:]:
        total = total + vector
    return Vector(total.components, base)
