"""A mechanical system: coordinates, their rates, and the two trees of bases and points."""

from flexwheel.systems.symbolic.atoms import Graph
from flexwheel.systems.symbolic.bases import Base, root_base
from flexwheel.systems.symbolic.calculus import Derivative
from flexwheel.systems.symbolic.expression import constant, symbol
from flexwheel.systems.symbolic.points import Point, root_point
from flexwheel.systems.symbolic.symbolic_vectors import Vector


class System:
    """Coordinates q, velocities qd, accelerations qdd, and the trees built on them.

    Attributes
    ----------
    graph : Graph
    q, qd, qdd : list of Expression       in the order of declaration
    names : list of str
    parameters : dict                     name -> (Expression, value)
    ground : Base                         inertial base
    origin : Point                        inertial point
    bases, points : list                  in the order made, parents first
    lift : Expression                     upward acceleration of the origin, in place of gravity on every body [m/s^2]

    Each base and point may be parametrized by any expressions of q and of parameters. Time derivatives are formed
    when first asked for: declare all coordinates a base or point uses before making it.
    """

    def __init__(self, graph=None):
        self.graph = graph if graph is not None else Graph()
        self.names, self.q, self.qd, self.qdd = [], [], [], []
        self.parameters = {}
        self.bases, self.points = [], []
        self.lift = None
        self.ground = root_base(self)
        self.origin = root_point(self)
        self._rates = {}

    def coordinate(self, name):
        """Declare a generalized coordinate; returns its symbol."""
        if name in self.names:
            raise ValueError(f"coordinate {name!r} is declared twice")
        self.names.append(name)
        self.q.append(symbol(self.graph, name))
        self.qd.append(symbol(self.graph, f"{name}'"))
        self.qdd.append(symbol(self.graph, f"{name}''"))
        self._rates.clear()
        return self.q[-1]

    def rate(self, coordinate):
        """Velocity symbol of a coordinate."""
        return self.qd[self.index(coordinate)]

    def index(self, coordinate):
        """Position of a coordinate in q."""
        for k, q in enumerate(self.q):
            if q.same_as(coordinate):
                return k
        raise ValueError(f"{coordinate!r} is no coordinate of this system")

    def parameter(self, name, value):
        """Declare a parameter, or fetch it when it exists; returns its symbol."""
        if name not in self.parameters:
            self.parameters[name] = (symbol(self.graph, name), float(value))
        return self.parameters[name][0]

    def values(self):
        """Parameter values by name."""
        return {name: value for name, (_, value) in self.parameters.items()}

    def number(self, value):
        """A number as an expression."""
        return constant(self.graph, value)

    def vector(self, components, base):
        """Vector from three expressions or numbers in a base."""
        return Vector([c if hasattr(c, "literal") else self.number(c) for c in components], base)

    def time_derivative(self, expression, accelerations=False):
        """d/dt of a scalar; of the velocities q' too when they occur: q'' as symbols, or zero."""
        key = bool(accelerations)
        if key not in self._rates:
            rates = dict(zip(self.q, self.qd, strict=True))
            if accelerations:
                rates.update(zip(self.qd, self.qdd, strict=True))
            self._rates[key] = Derivative(self.graph, rates)
        return self._rates[key](expression)

    def rotation(self, name, parent, axis, angle, spinning=False):
        """Base turned by an angle about axis 0, 1 or 2 of its parent.

        spinning : bool   for a body of revolution: its components stay in the parent's axes, only its angular
                          velocity knows of the angle
        """
        return Base.about_axis(self, name, parent, axis, angle, spinning)

    def rotation_matrix(self, name, parent, matrix):
        """Base from any 3 x 3 rotation matrix (child components to parent components)."""
        return Base.from_matrix(self, name, parent, matrix)

    def euler_parameters(self, name, parent, e0, e1, e2, e3):
        """Base from four Euler parameters; e0^2 + e1^2 + e2^2 + e3^2 = 1 is then a constraint of the system."""
        return Base.from_euler_parameters(self, name, parent, (e0, e1, e2, e3))

    def point(self, name, parent, components, base):
        """Point at `components` in `base` from its parent."""
        return Point(self, name, parent, self.vector(components, base))
