"""Influence of smooth loads on the running surface at control nodes on or near it.

A control node that turns passes the contact patch, 12 mm long, in half a millisecond; the elements of a wheel do not
hold that field, and a force on the nodes of one section says nothing of what happens between two. So the field of a
patch is taken in two parts,

    u = G_mesh B + G_half_space (P - B),

P the patch as the contact law has it, B a load of the same resultant at the same place, which the elements resolve:
along the rail it has the transform exp(-(k/k_0)^4), flat at low orders, so that moments of the second and third order
vanish; across it is a hat over the way along the profile, tread, flange root and flange alike. P - B has neither
resultant nor, along, a second moment beyond the patch's own, so its field stays near and rim and half-space agree on
it. In G_mesh B every circumferential order up to half the sections is exact for the mesh; consistent nodal forces, on
quadratic elements with the mid-side nodes.

Here are the rows of G_mesh B less what the retained modes give, by reciprocity: one solution per component at the
control node serves all places of the load. The wrench that they replace is that of the same force on the profile as a
whole (tread), which is what the modes see.

Source: Johnson 1985, Contact Mechanics, section 3.2; reciprocity: Betti 1872.
Verified in tests/verification/test_tread_field_verified.py and `flexwheel verify` "rolling patch".
"""

import numpy as np

from flexwheel.body.control_rings import Ring, RingOperator, Waves
from flexwheel.body.cyclic import COSINE, SINE
from flexwheel.body.cyclic_modes import full_amplitudes
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import TreadField
from flexwheel.body.revolution import Revolution
from flexwheel.body.tread import TreadNodes
from flexwheel.body.tread_compliance import HALF_ACROSS, all_nodes, material_at, nodal_shares, quadratic_surface

NEAR = 0.050  # [m] from the running surface: below it no order above 60 Hz per turn is left of a patch's field
FLANGE_SIDE = -0.040  # [m] from the tread datum: nodes beyond lie on the flange, which is no half-space
WAVE = 5.0  # elements to the wave length of k_0, in all three directions: with fewer the elements' error shows, with
# more the half-space has orders in which the rim bends (flexwheel verify "rolling patch")
ACROSS = 2.0  # elements to the half width of the load across
WIDEST = 0.3  # of the rim's width, half width of the load across
RUNNING = (-0.018, 0.024)  # [m] from the tread datum, flange side negative: its elements count for k_0
BAND = (-0.045, 0.028)  # [m] of the loads' places, over flange root and the flange's face of 70 degrees
PLACES = 16  # of loads; 6 mm apart along the profile of an S1002
LEAST_WAVE = 30.0  # [1/m] k_0 of a coarse mesh: longer waves reach through the rim, which is no half-space for them


class NearNodes:
    """Sums over circumferential orders of the rows of a TreadField."""

    def __init__(self, mesh: Mesh, revolution: Revolution, treads: tuple[TreadNodes, TreadNodes], rings: list[Ring]):
        self.places = [found for c, ring in enumerate(rings) for found in _near(mesh, treads, c, ring)]
        self._loads = {w: _SmoothLoads(mesh, revolution, treads[w]) for w in {w for _, w, _ in self.places}}
        self._waves = [Waves(revolution.sections, (1, 9, self._loads[w].columns)) for _, w, _ in self.places]

    def add(self, tied, solve, operator: RingOperator, column, modal):
        """Add one block of one order.

        Parameters
        ----------
        solve : function       f -> K^+ f in the coordinates of the tied block
        column : (m,)          wrench components on the treads, 6 w + component
        modal : (A, m)         static answer of the retained modes to them, amplitudes
        """
        block = tied.block
        retained = operator.rows(block.order, modal) if self.places and len(column) else None
        for (ring, w, _), waves in zip(self.places, self._waves, strict=True):
            if retained is None:
                continue
            loads = self._loads[w]
            right = operator.transposed(block.order, ring)
            held = right[block.dof]
            held = held if tied.problem.recover is None else tied.problem.recover.T @ held
            answer = full_amplitudes(tied, solve(held), len(right))
            components = ((1, 2) if COSINE in block.phases else ()) + ((0,) if SINE in block.phases else ())
            for a in components:
                sign, phase = (-1.0, SINE) if a == 0 else (1.0, COSINE)
                rows = sign * loads.forces(block.order, a, len(right)) @ answer  # (M, 9)
                own = [k for k, c in enumerate(column) if c // 6 == w]
                rows -= (retained[ring][:, own] @ loads.wrench[column[own] - 6 * w, :, a]).T
                places = 3 * np.arange(len(rows)) + a
                waves.add(block.order, np.full(len(rows), phase), places, rows.T[None])

    def field(self) -> TreadField:
        """TreadField, `place` in mesh coordinates."""
        if not self.places:
            return TreadField()
        node, tread, depth = zip(*self.places, strict=True)
        loads = [self._loads[w] for w in tread]
        tables = np.array([np.moveaxis(waves.around()[0], -1, 0) for waves in self._waves])
        tables = tables.reshape(*tables.shape[:3], -1, 3)
        return TreadField(
            np.array(node),
            np.array(tread),
            np.array(depth),
            np.array([load.place for load in loads]),
            np.array([load.across for load in loads]),
            np.array([load.rise for load in loads]),
            np.array([load.wave_limit for load in loads]),
            np.array([load.half for load in loads]),
            np.array([load.material.youngs_modulus for load in loads]),
            np.array([load.material.poissons_ratio for load in loads]),
            np.ascontiguousarray(tables[:, :, :3]),
            np.ascontiguousarray(tables[:, :, 3:]),
        )


def _near(mesh, treads, c, ring):
    """(node, wheel, depth) where a control node lies on or near a running surface."""
    x, y, z = mesh.nodes[ring.row]
    for w, tread in enumerate(treads):
        across, surface = tread.profile.T
        depth = float(np.interp(y, across, surface) - np.hypot(x, z))
        if tread.side * (y - tread.lateral) >= FLANGE_SIDE and across[0] <= y <= across[-1] and depth <= NEAR:
            yield c, w, max(depth, 0.0)


class _SmoothLoads:
    """Loads on the running band of a wheel, in the amplitudes of any order."""

    def __init__(self, mesh, revolution, tread):
        quadratic = quadratic_surface(mesh, tread)
        self._corner = np.arange(len(tread.profile)) if quadratic is None else quadratic.corner
        self._surface = tread if quadratic is None else all_nodes(tread, quadratic)[0]
        self._quadratic = quadratic is not None
        self.material, self._radius = material_at(mesh, tread), tread.radius
        y, radius = tread.profile[self._corner].T
        way = way_along(tread, y)
        self._step = revolution.step
        size = np.array(_element_size(mesh, tread, y, way)) * (0.5 if self._quadratic else 1.0)
        most = 0.6 * (revolution.sections // 2) / tread.radius
        self.wave_limit = min(max(2.0 * np.pi / (WAVE * size.max()), LEAST_WAVE), most)
        self.half = min(max(HALF_ACROSS, ACROSS * size[1]), WIDEST * (way[-1] - way[0]))
        low, high = sorted(way_along(tread, tread.lateral + tread.side * np.array(BAND)))
        low, high = max(low, way[0] + 0.5 * self.half), min(high, way[-1] - 0.5 * self.half)
        self.place = np.linspace(low, high, PLACES)
        shares = [nodal_shares(way, place, self.half) for place in self.place]
        self._nodal, self._middle = (np.array(part) for part in zip(*shares, strict=True))
        self.across, self.rise = self._nodal @ y, tread.radius - self._nodal @ radius
        self.columns = 3 * len(self.place)
        self.wrench = np.zeros((6, len(self.place), 3))  # of unit forces about the profile origin
        self.wrench[[0, 1, 2], :, [0, 1, 2]] = 1.0
        self.wrench[3, :, 2], self.wrench[5, :, 0] = self.across - tread.lateral, tread.lateral - self.across
        self.wrench[3, :, 1], self.wrench[4, :, 0] = -self.rise, self.rise
        self._dof = 3 * revolution.places[0][self._surface.nodes[0, :, 0]]

    def forces(self, order, axis, size):
        """(M, size) loads along an axis in amplitudes of an order: hat across, exp(-(k/k_0)^4) along, consistent."""
        turn = order * self._step
        linear, bubble = _along(turn)
        if self._quadratic:  # a corner's shape function is the bilinear one less half of its neighbours'
            corner = (linear - bubble * np.cos(0.5 * turn)) * self._nodal
            corner[:, 1:] -= 0.5 * linear * self._middle
            corner[:, :-1] -= 0.5 * linear * self._middle
            shares = np.concatenate([corner, linear * self._middle, bubble * self._nodal], axis=1)
        else:
            shares = np.zeros((len(self.place), len(self._dof)))
            shares[:, self._corner] = linear * self._nodal
        out = np.zeros((len(self.place), size))
        np.add.at(out, (slice(None), self._dof + axis), shares * smooth_wave(order / self._radius, self.wave_limit))
        return out


def way_along(tread, y):
    """Way [m] along the profile of a Tread or TreadNodes at y, from the tread datum; rises with y."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(tread.profile, axis=0).T))])
    return np.interp(y, tread.profile[:, 0], way) - np.interp(tread.lateral, tread.profile[:, 0], way)


def smooth_wave(k, limit):
    """Transform of the smooth load along, resultant 1, at wave numbers k [1/m]."""
    return np.exp(-((np.asarray(k) / limit) ** 4))


def hat_wave(k, half):
    """Transform of the hat across, resultant 1."""
    return np.sinc(np.asarray(k) * half / (2.0 * np.pi)) ** 2


def _along(turn):
    """Shares of a wave that advances by `turn` a section: of the linear shape function, and of the bubble
    4 t (1 - t) between two sections, over the section's length."""
    node, weight = np.polynomial.legendre.leggauss(12)
    t = 0.5 * (node + 1.0)
    linear = np.sum(weight * (1.0 - t) * np.cos(turn * t))
    return float(linear), float(np.sum(0.5 * weight * 4.0 * t * (1.0 - t) * np.cos(turn * (t - 0.5))))


def _element_size(mesh, tread, y, way):
    """Sizes [m] of the elements under the running band: along, across, deep; medians of the latter two."""
    ends = sorted(tread.lateral + tread.side * np.array(RUNNING))
    within = (y[1:] >= ends[0]) & (y[:-1] <= ends[1])
    on_band = (tread.profile[:, 0] >= ends[0]) & (tread.profile[:, 0] <= ends[1])
    rows = tread.nodes[0][on_band if on_band.any() else slice(None)].ravel()
    deep = []
    for block in mesh.blocks:
        cells = block.connectivity[np.isin(block.connectivity, rows).any(axis=1)]
        radius = np.hypot(mesh.nodes[cells, 0], mesh.nodes[cells, 2])
        deep += list(np.ptp(radius, axis=1))
    step = float(tread.angle[1] - tread.angle[0])
    return step * tread.radius, float(np.median(np.diff(way)[within])), float(np.median(deep))
