"""Mass matrix by composite bodies on both trees.

The two trees are interleaved into frames (point, base). From the leaves inwards, the composite inertia of everything
carried by a frame is moved to its parent, by a rotation or a translation; each coordinate's column is the force and
moment that its unit acceleration needs, carried inwards the same way. A body whose centre moves on one branch and
which turns on another is split: its mass goes to the points tree, its rotational inertia to the bases tree.

A coordinate must act at one frame only (relative coordinates); otherwise use
`virtual_power.equations_of_motion`, which has no such condition and needs some five times the operations.

Verified in tests/systems/symbolic/test_symbolic_mechanics_verified.py.
"""

from flexwheel.base.errors import FlexwheelError
from flexwheel.systems.symbolic.symbolic_vectors import Tensor, cross3, dot3


def composite_mass_matrix(system, bodies):
    """Mass matrix.

    Returns
    -------
    dict     (row, column) -> Expression, both triangles

    Raises
    ------
    FlexwheelError     when a coordinate acts at more than one frame
    """
    frames = _Frames(system)
    composites = {}
    for body in bodies:
        _place(body, frames, composites)
    return _sweep(system, frames, composites)


class _Frames:
    """Frames (point, base), each with its parent; the tree is made as bodies are placed."""

    def __init__(self, system):
        self.root = (system.origin, system.ground)
        self.parent = {}
        self.depth = {self.root: 0}

    def register(self, point, base):
        frame, at, turned = self.root, self.root[0], 0
        for step in point.path:
            for b in step.r.base.path[turned:]:
                frame = self._child(frame, (at, b))
            turned = len(step.r.base.path)
            at = step
            frame = self._child(frame, (at, step.r.base))
        for b in base.path[turned:]:
            frame = self._child(frame, (at, b))
        return frame

    def _child(self, parent, frame):
        if frame not in self.parent:
            self.parent[frame] = parent
            self.depth[frame] = self.depth[parent] + 1
        return frame


def _place(body, frames, composites):
    """Put a body on its frame; a rigidly carried centre is moved to the first frame that moves."""
    system = body.centre.system
    zero = system.number(0.0)
    nothing = [[zero] * 3] * 3
    centre, base = body.centre, body.base
    rigid = centre.parent is not None and centre.r.base is base and not centre.partial_velocities()
    if rigid:
        composite = (body.mass, [zero] * 3, body.inertia.rows)
        point = centre
        while point.parent is not None and point.r.base is base and not point.partial_velocities():
            composite = _shifted(composite, point.r.components)
            point = point.parent
        _add(composites, frames.register(point, base), composite)
        return
    if centre.parent is not None and centre.r.base is base.axes() and not base.spinning:
        _add(composites, frames.register(centre, base), (body.mass, [zero] * 3, body.inertia.rows))
        return
    at = centre.r.base if centre.parent is not None else system.ground
    _add(composites, frames.register(centre, at), (body.mass, [zero] * 3, nothing))
    point = system.origin
    for step in centre.path:
        if step.r.base not in (system.ground, *base.path):
            break
        point = step
    _add(composites, frames.register(point, base), (zero, [zero] * 3, body.inertia.rows))


def _sweep(system, frames, composites):
    mass, columns, acting = {}, {}, {}
    for frame in sorted(frames.parent, key=frames.depth.get, reverse=True):
        parent = frames.parent[frame]
        point, base = frame
        m, h, inertia = composites[frame]
        carried = columns.get(frame, [])
        turning = parent[0] is point
        partials = base.partial_velocities() if turning else point.partial_velocities()
        new = []
        for index, e in partials:
            if acting.setdefault(index, frame) is not frame:
                raise FlexwheelError(
                    f"composite mass matrix: coordinate {system.names[index]!r} acts at more than one frame; "
                    "expected relative coordinates, or equations_of_motion instead"
                )
            if turning:
                new.append((index, cross3(e, h), [dot3(row, e) for row in inertia]))
            else:
                new.append((index, [m * x for x in e], list(cross3(h, e))))
        for index, e in partials:
            for other, force, moment in (*carried, *new):
                if (index, other) not in mass:
                    entry = dot3(moment if turning else force, e)
                    if not entry.is_zero():
                        mass[other, index] = entry
        carried = [*carried, *new]
        if parent == frames.root and not turning:
            continue
        if turning:
            tensor = Tensor(inertia, base).in_parent_base().rows if not base.spinning else inertia
            _add(composites, parent, (m, base.to_parent(h), tensor))
            moved = [(k, base.to_parent(f), base.to_parent(t)) for k, f, t in carried]
        else:
            r = point.r.components
            _add(composites, parent, _shifted((m, h, inertia), r))
            moved = [(k, f, [a + b for a, b in zip(t, cross3(r, f), strict=True)]) for k, f, t in carried]
        columns.setdefault(parent, []).extend(moved)
    return {**{(j, i): v for (i, j), v in mass.items()}, **mass}


def _shifted(composite, r):
    """Mass, first moment and inertia about P to the same about P' with P = P' + r."""
    m, h, inertia = composite
    moved = [h[k] + m * r[k] for k in range(3)]
    p = {(i, j): r[i] * moved[j] + h[i] * r[j] for i in range(3) for j in range(i, 3)}
    rows = [[None] * 3 for _ in range(3)]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rows[i][i] = inertia[i][i] + p[j, j] + p[k, k]
        for n in range(i + 1, 3):
            rows[i][n] = rows[n][i] = inertia[i][n] - p[i, n]
    return m, moved, rows


def _add(composites, frame, composite):
    have = composites.get(frame)
    if have is None:
        composites[frame] = composite
        return
    rows = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(have[2], composite[2], strict=True)]
    composites[frame] = (
        have[0] + composite[0],
        [a + b for a, b in zip(have[1], composite[1], strict=True)],
        rows,
    )
