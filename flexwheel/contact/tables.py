"""Constant data of one wheel-rail profile pair for the contact kernels.

Everything a wheel needs at run time, tabulated once: both profiles on fine uniform grids, the zone factors of
the equivalent ellipse and Kalker's coefficients against the logarithm of their arguments.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.contact.hertz import zone_factors
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.errors import ScenarioError
from flexwheel.profiles.profile import profile_height
from flexwheel.variables import PATCH, PATCH_MAX

NORMAL_MODELS = {"semi_hertzian": 0, "plain_kp": 1, "hertz": 2}
TANGENTIAL_MODELS = {"fastsim": 0, "linear_saturated": 1, "polach": 2}
BOUNDS = {"parabolic": 0, "elliptic": 1}

FINE_STEP = 5e-5
COARSE_EVERY = 10
STEEPEST = 12.0  # slope beyond which a profile is left out
LOG_MIN, LOG_MAX, LOG_COUNT = -12.0, 12.0, 481
PROBES = 10


class ContactTables(NamedTuple):
    """Profiles, material and options of one wheel-rail pair; arrays and plain numbers only.

    Lateral coordinates are those of the left-like frame (y to the field side); heights out of the material.
    """

    wheel: np.ndarray  # (nw, 6) cells of the wheel profile on a uniform grid from wheel_start, columns of `gap`
    wheel_start: float  # [m]
    rail: np.ndarray  # (nr, 6) cells of the inclined rail's profile
    rail_start: float  # [m]
    inverse_step: float  # [1/m] of both grids
    coarse_wheel: np.ndarray  # (nc, 5) y, height, slope, nearness [m], second derivative of every tenth point
    offset: float  # [m] wheel profile origin minus rail crown, wheelset centred
    zone: np.ndarray  # (n, 3) against ln(A/B): eps_y, sqrt(eps_x/eps_y), a/b
    kalker: np.ndarray  # (n, 4) against ln(a/b): c11, c22, c23, c33
    shear_modulus: float  # [Pa] of both bodies
    contact_modulus: float  # [Pa] E* = G/(1 - nu)
    friction: float  # [-]
    normal_damping: float  # [N s/m] per wheel
    damping_onset: float  # [N] elastic load at which half of the damping acts
    epsilon: float  # [-] depth of the zone of plain Kik-Piotrowski
    normal_model: int
    tangential_model: int
    bound: int
    node: np.ndarray  # (strips,) places 0 ... 1 of the strips across a part of a patch, dense at its edges
    node_width: np.ndarray  # (strips,) their widths, sum 1
    node_edge: np.ndarray  # (strips, 2) distance of each strip's cell edges from its place; the cells touch
    probe: np.ndarray  # (PROBES,) likewise, to measure a part
    probe_width: np.ndarray  # (PROBES,)
    strips: int  # per connected part of a patch
    cells: int  # per strip
    detection: int = 0  # contact.detection.detect.METHODS; 0: the profiles are scanned
    detection_tables: object = None  # DetectionTables of every other method
    detection_scratch: object = None  # (h,) of detect.make_scratch


class ContactWorkspace(NamedTuple):
    """Scratch arrays of one wheel; made once."""

    coarse: np.ndarray  # (n,) penetration at the coarse wheel points
    peaks: np.ndarray  # (2 PATCH_MAX,) first-touch points on the wheel
    heights: np.ndarray  # (2 PATCH_MAX,) penetration there
    saddles: np.ndarray  # (2 PATCH_MAX, 2) depth and position of the saddle after each
    parts: np.ndarray  # (3, 2) edges of the parts of a patch
    regions: np.ndarray  # (2 PATCH_MAX, 7) rows of `separate_regions`
    normal: np.ndarray  # (PATCH_MAX, 12) NormalContact of each patch
    strips: np.ndarray  # (PATCH_MAX, 12, 3 strips) columns named in semi_hertzian
    creepage: np.ndarray  # (3,)
    flexibility: np.ndarray  # (3,)
    force: np.ndarray  # (3,)
    arm: np.ndarray  # (3, 6) wrench directions of x, t, n


def make_contact_tables(
    wheel,
    rail,
    placement,
    *,
    shear_modulus=82e9,
    poisson=0.28,
    friction=0.4,
    normal_damping=0.0,
    damping_onset=1000.0,
    normal_model="semi_hertzian",
    tangential_model="fastsim",
    bound="elliptic",
    epsilon=0.55,
    strips=24,
    cells=16,
):
    """Tables of one wheel-rail pair for `wheel_rail_contact`.

    Parameters
    ----------
    wheel, rail : Profile            rail inclined, origin at its crown
    placement : Placement            of both profiles
    shear_modulus, poisson : float   [Pa, -] of both bodies
    friction : float [-]
    normal_damping : float [N s/m]   per wheel, along the patch normal
    damping_onset : float [N]        the damping grows as N/(N + damping_onset) from first touch
    normal_model : str               semi_hertzian (equivalent-ellipse shape correction), plain_kp, hertz
    tangential_model : str           fastsim, linear_saturated, polach
    bound : str                      traction bound of FASTSIM: elliptic (nearer to exact solutions) or parabolic
    epsilon : float [-]              plain_kp only
    strips, cells : int              strips per connected part of a patch, cells per strip

    Returns
    -------
    ContactTables

    Raises
    ------
    ScenarioError                    for an unknown option, a value out of range or profiles that cannot meet
    """
    _check_kinds(wheel, rail)
    options = (
        ("normal_model", normal_model, NORMAL_MODELS),
        ("tangential_model", tangential_model, TANGENTIAL_MODELS),
        ("bound", bound, BOUNDS),
    )
    for name, value, known in options:
        if value not in known:
            raise ScenarioError(f"contact {name} = {value!r}, expected one of {', '.join(sorted(known))}")
    ranges = (
        ("shear_modulus", shear_modulus, 1e8, 1e12),
        ("poisson", poisson, 0.0, 0.5),
        ("friction", friction, 0.0, 2.0),
        ("normal_damping", normal_damping, 0.0, 1e9),
        ("damping_onset", damping_onset, 1e-6, 1e9),
        ("epsilon", epsilon, 0.05, 0.95),
        ("strips", strips, 4, 400),
        ("cells", cells, 4, 400),
    )
    for name, value, low, high in ranges:
        if not (np.isfinite(value) and low <= value <= high):
            raise ScenarioError(f"contact {name} = {value!r}, expected {low:g} to {high:g}")
    wheel_start, wheel_table = _uniform(wheel)
    rail_start, rail_table = _uniform(rail)
    log = np.linspace(LOG_MIN, LOG_MAX, LOG_COUNT)
    eps_x, eps_y, a_over_b = zone_factors(np.exp(log))
    node, node_width = fejer(int(strips))
    probe, probe_width = fejer(PROBES)
    return ContactTables(
        wheel=wheel_table,
        wheel_start=wheel_start,
        rail=rail_table,
        rail_start=rail_start,
        inverse_step=1.0 / FINE_STEP,
        coarse_wheel=_coarse(wheel_start, wheel_table),
        offset=float(placement.offset),
        zone=np.ascontiguousarray(np.stack([eps_y, np.sqrt(eps_x / eps_y), a_over_b], axis=1)),
        kalker=np.ascontiguousarray(kalker_coefficients(np.exp(log), poisson, "smooth").T),
        shear_modulus=float(shear_modulus),
        contact_modulus=float(shear_modulus / (1.0 - poisson)),
        friction=float(friction),
        normal_damping=float(normal_damping),
        damping_onset=float(damping_onset),
        epsilon=float(epsilon),
        normal_model=NORMAL_MODELS[normal_model],
        tangential_model=TANGENTIAL_MODELS[tangential_model],
        bound=BOUNDS[bound],
        node=node,
        node_width=node_width,
        node_edge=cell_edges(node),
        probe=probe,
        probe_width=probe_width,
        strips=int(strips),
        cells=int(cells),
    )


def make_workspace(tables):
    """Scratch arrays for one wheel with these tables."""
    return ContactWorkspace(
        coarse=np.zeros(tables.coarse_wheel.shape[0]),
        peaks=np.zeros(2 * PATCH_MAX),
        heights=np.zeros(2 * PATCH_MAX),
        saddles=np.zeros((2 * PATCH_MAX, 2)),
        parts=np.zeros((3, 2)),
        regions=np.zeros((2 * PATCH_MAX, 7)),
        normal=np.zeros((PATCH_MAX, 12)),
        strips=np.zeros((PATCH_MAX, 12, 3 * tables.strips)),
        creepage=np.zeros(3),
        flexibility=np.zeros(3),
        force=np.zeros(3),
        arm=np.zeros((3, 6)),
    )


def make_patches():
    """Empty patch record (PATCH_MAX, K) of one wheel."""
    return np.zeros((PATCH_MAX, len(PATCH)))


def fejer(n):
    """Places in (0, 1) and weights (n,) of Fejer's first quadrature rule: Chebyshev points, exact to degree n - 1.

    Close to exact for a semi-ellipse too, which ends with a vertical slope. Source: Fejer 1933, Math. Z. 37, 287-309.
    """
    theta = (2.0 * np.arange(n) + 1.0) * np.pi / (2.0 * n)
    m = np.arange(1, n // 2 + 1)
    weight = 1.0 - 2.0 * np.sum(np.cos(2.0 * np.outer(theta, m)) / (4.0 * m * m - 1.0), axis=1)
    return 0.5 - 0.5 * np.cos(theta), weight / n


def cell_edges(node):
    """Distances (n, 2) of the edges of touching cells from Chebyshev points on (0, 1), below and above."""
    edge = 0.5 - 0.5 * np.cos(np.arange(node.size + 1) * np.pi / node.size)
    return np.ascontiguousarray(np.stack([node - edge[:-1], edge[1:] - node], axis=1))


def _check_kinds(wheel, rail):
    if wheel.kind != "wheel" or rail.kind != "rail":
        raise ScenarioError(f"contact pair: got a {wheel.kind} and a {rail.kind}, expected a wheel and a rail")
    if wheel.y[0] > -0.030 or wheel.y[-1] < 0.010:
        raise ScenarioError(f"profile {wheel.name}: y from {wheel.y[0]:g} to {wheel.y[-1]:g} m leaves out the tread")
    if rail.y[0] > -0.010 or rail.y[-1] < 0.010:
        raise ScenarioError(f"profile {rail.name}: y from {rail.y[0]:g} to {rail.y[-1]:g} m leaves out the crown")


def _uniform(profile):
    """Start [m] and cells (n, 6) on the fine uniform grid, of the part a wheel can touch."""
    flat = np.abs(profile.slope) < STEEPEST
    middle = int(np.argmin(np.abs(profile.y)))
    first = middle - int(np.argmin(flat[middle::-1])) + 1 if not flat[: middle + 1].all() else 0
    last = middle + int(np.argmin(flat[middle:])) - 1 if not flat[middle:].all() else flat.size - 1
    start, end = profile.y[first], profile.y[last]
    y = start + FINE_STEP * np.arange(int((end - start) / FINE_STEP + 1e-9) + 1)
    height, slope, _ = profile_height(profile, np.minimum(y, end))
    bent = FINE_STEP * slope
    rise = np.diff(height, append=height[-1] + bent[-1])
    after = np.append(bent[1:], bent[-1])
    cosine = 1.0 / np.sqrt(1.0 + slope**2)
    columns = (
        height,
        slope,
        3.0 * rise - 2.0 * bent - after,
        bent + after - 2.0 * rise,
        cosine,
        np.diff(cosine, append=cosine[-1]),
    )
    return float(start), np.ascontiguousarray(np.stack(columns, axis=1))


def _coarse(start, table):
    """(n, 5) y, height, slope, the gap [m] within which the finer scan is needed (more on the flange), curvature."""
    rows = table[::COARSE_EVERY]
    y = start + COARSE_EVERY * FINE_STEP * np.arange(rows.shape[0])
    near = 1e-3 * (0.05 + np.minimum(1.0, 4.0 * rows[:, 1] ** 2))
    second = 2.0 * rows[:, 2] / FINE_STEP**2
    return np.ascontiguousarray(np.stack([y, rows[:, 0], rows[:, 1], near, second], axis=1))
