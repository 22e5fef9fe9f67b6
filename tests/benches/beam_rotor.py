"""A wheelset as a Timoshenko axle with rigid discs: the shortest flexible body, for rotor dynamics and for
tests.

Every integral is a sum over lumps: Gauss points of the axle and the discs, each a rigid cross-section with
mass m, second moments G = int rho x x^T about its point, displacement t and rotation th, so that h(x) = t
+ th x x. Mass matrix, inertia invariants and geometric stiffness come from the same lumps and agree to
rounding.

Source: Friedman and Kosmatka 1993, Computers and Structures 47(3), 473-481 (interpolation of the element).
Verified in tests/assess/test_floating_frame_rotor_verified.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from flexwheel.body.reduced_body import InertiaInvariants


@dataclass(frozen=True)
class BeamRotor:
    """Free-free modes of the rotor; fields as in `reduced_body.ReducedBody`."""

    name: str
    mass: float  # [kg]
    inertia: np.ndarray  # (3, 3) [kg m2]
    frequency_hz: np.ndarray  # (H,)
    damping_ratio: np.ndarray  # (H,)
    order: np.ndarray  # (H,)
    generator: np.ndarray  # (H, H)
    invariants: InertiaInvariants
    geometric_stiffness: np.ndarray  # (H, H)
    interface_position: np.ndarray  # (2, 3) ends of the axle, left (+y) first
    interface_rows: np.ndarray  # (2, 6, H)
    station: np.ndarray  # (N,) y of the nodes [m]
    rows: np.ndarray  # (N, 6, H) translation and rotation of the nodes


def beam_rotor(
    half_lengths,
    half_diameters,
    discs,
    youngs_modulus,
    poissons_ratio=0.3,
    density=7850.0,
    mode_count=12,
    element_length=0.02,
    damping_ratio=0.0,
    name="beam rotor",
) -> BeamRotor:
    """Reduce a stepped axle with discs to its first free-free modes.

    Parameters
    ----------
    half_lengths, half_diameters : sequences [m]   segments from the left (+y) end to the middle; mirrored
    discs : sequence of (y, mass, polar, diametral) [m, kg, kg m2, kg m2]
    mode_count : int                               flexible modes kept (a pair is never split: one more is
                                                   taken)
    element_length : float [m]                     largest element
    """
    station, diameter = _stations(half_lengths, half_diameters, [d[0] for d in discs], element_length)
    lumps = _Lumps(3 * 2 * len(station))
    stiffness = np.zeros((6 * len(station),) * 2)
    shear = youngs_modulus / (2 * (1 + poissons_ratio))
    factor = 6 * (1 + poissons_ratio) / (7 + 6 * poissons_ratio)
    for e in range(len(diameter)):
        _add_element(stiffness, lumps, e, station, diameter[e], youngs_modulus, shear, factor, density)
    for y, mass, polar, diametral in discs:
        node = int(np.argmin(np.abs(station - y)))
        second = np.diag([polar / 2, diametral - polar / 2, polar / 2])
        lumps.add(mass, second, station[node], lumps.unit(node), lumps.unit(node, 3))
    shift, modes, frequency = _free_modes(stiffness, lumps, station, mode_count)
    station = station - shift
    lumps.y = [y - shift for y in lumps.y]
    turned = modes.reshape(-1, 3, modes.shape[1])
    turned = np.stack([turned[:, 2], 0 * turned[:, 1], -turned[:, 0]], axis=1).reshape(modes.shape)  # e_y x h
    generator = modes.T @ lumps.mass_matrix() @ turned
    generator = 0.5 * (generator - generator.T)
    generator[np.abs(generator) < 1e-6] = 0.0
    invariants, geometric, inertia = lumps.integrate(modes)
    rows = modes.reshape(-1, 6, modes.shape[1])
    return BeamRotor(
        name=name,
        mass=invariants.mass,
        inertia=inertia,
        frequency_hz=frequency / (2 * np.pi),
        damping_ratio=np.full(len(frequency), float(damping_ratio)),
        order=np.round(np.abs(generator).sum(axis=1)).astype(int),
        generator=generator,
        invariants=invariants,
        geometric_stiffness=geometric,
        interface_position=np.array([[0, station[-1], 0], [0, station[0], 0]]),
        interface_rows=rows[[-1, 0]],
        station=station,
        rows=rows,
    )


def _stations(half_lengths, half_diameters, disc_stations, element_length):
    """Nodes from right to left end, and the diameter of each element between them."""
    half = np.concatenate([[0.0], np.cumsum(half_lengths[::-1])])
    breaks = np.concatenate([-half[:0:-1], half])
    breaks = np.unique(np.concatenate([breaks, np.asarray(disc_stations, dtype=float)]).round(9))
    nodes = [breaks[:1]]
    for a, b in zip(breaks[:-1], breaks[1:], strict=True):
        nodes.append(np.linspace(a, b, int(np.ceil((b - a) / element_length - 1e-9)) + 1)[1:])
    station = np.concatenate(nodes)
    middle = 0.5 * np.abs(station[1:] + station[:-1])
    which = np.clip(np.searchsorted(half, middle, side="right") - 1, 0, len(half_lengths) - 1)
    return station, np.asarray(half_diameters, dtype=float)[::-1][which]


class _Lumps:
    """Rigid cross-sections on the axis: mass, second moments, and rows from nodal DOF to their motion."""

    def __init__(self, dof_count):
        self.dof_count = dof_count
        self.mass, self.second, self.y, self.shift, self.turn = [], [], [], [], []

    def unit(self, node, offset=0):
        rows = np.zeros((3, self.dof_count))
        rows[:, 6 * node + offset : 6 * node + offset + 3] = np.eye(3)
        return rows

    def add(self, mass, second, y, shift, turn):
        self.mass.append(mass)
        self.second.append(second)
        self.y.append(y)
        self.shift.append(shift)
        self.turn.append(turn)

    def mass_matrix(self):
        matrix = np.zeros((self.dof_count,) * 2)
        for m, g, t, th in zip(self.mass, self.second, self.shift, self.turn, strict=True):
            matrix += m * t.T @ t + th.T @ (np.trace(g) * np.eye(3) - g) @ th
        return matrix

    def integrate(self, modes):
        """Invariants, geometric stiffness and inertia tensor for a basis (dof, H)."""
        count = modes.shape[1]
        s_h, p_xx = np.zeros((3, count)), np.zeros((3, 3))
        p_xh, p_hh = np.zeros((3, 3, count)), np.zeros((3, 3, count, count))
        geometric = np.zeros((count, count))
        levi = np.zeros((3, 3, 3))
        for i in range(3):
            levi[i, (i + 1) % 3, (i + 2) % 3], levi[i, (i + 2) % 3, (i + 1) % 3] = 1.0, -1.0
        for m, g, y, t, th in zip(self.mass, self.second, self.y, self.shift, self.turn, strict=True):
            t, th = t @ modes, th @ modes
            spin = np.einsum("bdc,dj->bcj", levi, th)  # h_b = t_b + spin_bc x_c
            x = np.array([0.0, y, 0.0])
            s_h += m * t
            p_xx += m * np.outer(x, x) + g
            p_xh += m * np.einsum("a,bj->abj", x, t) + np.einsum("ac,bcj->abj", g, spin)
            p_hh += m * np.einsum("aj,bk->abjk", t, t) + np.einsum("acj,cd,bdk->abjk", spin, g, spin)
            # -int x_perp . (th x (th x x))_perp / 2 of a section that is symmetric about its axes
            geometric += g[2, 2] * np.outer(th[0], th[0]) + g[0, 0] * np.outer(th[2], th[2])
            geometric += (g[0, 0] + g[2, 2]) * np.outer(th[1], th[1])
        mass = float(np.sum(self.mass))
        inertia = np.trace(p_xx) * np.eye(3) - p_xx
        return InertiaInvariants(mass, s_h, p_xx, p_xh, p_hh), geometric, inertia


def _add_element(stiffness, lumps, e, station, diameter, youngs_modulus, shear, factor, density):
    """One Timoshenko element between nodes e and e + 1, circular section."""
    a, b = station[e], station[e + 1]
    length = b - a
    area, second = np.pi * diameter**2 / 4, np.pi * diameter**4 / 64
    phi = 12 * youngs_modulus * second / (factor * shear * area * length**2)
    l = length
    bending = (youngs_modulus * second / (l**3 * (1 + phi))) * np.array(
        [
            [12, 6 * l, -12, 6 * l],
            [6 * l, (4 + phi) * l * l, -6 * l, (2 - phi) * l * l],
            [-12, -6 * l, 12, -6 * l],
            [6 * l, (2 - phi) * l * l, -6 * l, (4 + phi) * l * l],
        ]
    )
    # plane (u_z, +th_x) and plane (u_x, -th_z): slope of u is the rotation of the section
    planes = ((2, 3, 1.0), (0, 5, -1.0))
    for shift, turn, sign in planes:
        dof = [6 * e + shift, 6 * e + turn, 6 * e + 6 + shift, 6 * e + 6 + turn]
        scale = np.array([1.0, sign, 1.0, sign])
        stiffness[np.ix_(dof, dof)] += bending * np.outer(scale, scale)
    for dof, rigidity in ((1, youngs_modulus * area), (4, shear * 2 * second)):
        pair = [6 * e + dof, 6 * e + 6 + dof]
        stiffness[np.ix_(pair, pair)] += rigidity / l * np.array([[1, -1], [-1, 1]])
    points, weights = np.polynomial.legendre.leggauss(4)
    for point, weight in zip(0.5 * (points + 1), 0.5 * weights, strict=True):
        x = point
        n = np.array(
            [
                2 * x**3 - 3 * x**2 - phi * x + 1 + phi,
                l * (x**3 - (2 + phi / 2) * x**2 + (1 + phi / 2) * x),
                -2 * x**3 + 3 * x**2 + phi * x,
                l * (x**3 - (1 - phi / 2) * x**2 - phi / 2 * x),
            ]
        ) / (1 + phi)
        slope = np.array(
            [
                6 / l * (x**2 - x),
                3 * x**2 - (4 + phi) * x + 1 + phi,
                -6 / l * (x**2 - x),
                3 * x**2 - (2 - phi) * x,
            ]
        ) / (1 + phi)
        t, th = np.zeros((3, lumps.dof_count)), np.zeros((3, lumps.dof_count))
        for shift, turn, sign in planes:
            dof = [6 * e + shift, 6 * e + turn, 6 * e + 6 + shift, 6 * e + 6 + turn]
            scale = np.array([1.0, sign, 1.0, sign])
            t[shift, dof] = n * scale
            th[turn - 3, dof] = sign * slope * scale
        t[1, [6 * e + 1, 6 * e + 7]] = 1 - x, x
        th[1, [6 * e + 4, 6 * e + 10]] = 1 - x, x
        section = density * second * length * weight
        lumps.add(density * area * length * weight, np.diag([section, 0.0, section]), a + x * l, t, th)


def _free_modes(stiffness, lumps, station, mode_count):
    """Mass centre, flexible free-free modes (dof, H) and their frequencies [rad/s]."""
    mass = lumps.mass_matrix()
    shift = float(np.dot(lumps.mass, lumps.y) / np.sum(lumps.mass))
    value, vector = scipy.linalg.eigh(stiffness, mass)
    rigid = np.zeros((len(mass), 6))
    for n, y in enumerate(station - shift):
        rigid[6 * n : 6 * n + 6] = np.eye(6)
        rigid[6 * n, 5], rigid[6 * n + 2, 3] = -y, y
    rigid = rigid @ np.linalg.inv(np.linalg.cholesky(rigid.T @ mass @ rigid)).T
    count = 6 + mode_count
    if abs(value[count] - value[count - 1]) < 1e-6 * value[count]:
        count += 1
    vector = vector[:, 6:count]
    for _ in range(2):  # exactly orthogonal to rigid motion
        vector = vector - rigid @ (rigid.T @ mass @ vector)
    vector = vector @ np.linalg.inv(np.linalg.cholesky(vector.T @ mass @ vector)).T
    return shift, vector, np.sqrt(value[6:count])
