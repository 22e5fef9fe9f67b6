"""Strips and cells of the contact patches of a wheel at a stored sample: pressure, stick and slip.

A run stores the figures of each patch, not its strips. The contact law is asked again: of the poses near the stored
ones that is taken whose patches have the stored loads and places, and each strip is marched by FASTSIM with the stored
creepages. What comes out is compared with what was stored (`apart`). Of readings of zones that merge the one of the
larger share is taken, with its whole load.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from flexwheel.base.errors import FlexwheelError
from flexwheel.base.variables import PATCH, VEHICLE
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch
from flexwheel.contact.fastsim import ALONG, flexibilities
from flexwheel.contact.friction.law import coefficient_of_friction, rolling_speed
from flexwheel.contact.normal import NORMAL
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.contact.tangential import equivalent_ellipse
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle

APART = 0.05  # of load, area, peak pressure and creep force over friction force: farther apart is not the stored patch
_ALIKE = {
    "y_rail": 1e-4,
    "normal_force": 1e3,
    "area": 1e-6,
    "y_wheel": 1e-4,
    "x_contact": 1e-3,
}  # [m, N, m^2] that weigh alike in the search
_TURNS = np.array([0.0, 2.0, -2.0, 5.0, -5.0, 10.0, -10.0]) * 1e-3  # [rad] from which the search begins
_HEIGHTS = 20e-3, -20e-3  # [m] of the wheel's profile origin over the rail's crown, between which poses are sought
_CLOSE = 1e-5  # [m] to which the search begins at the height of the stored load
_FOUND = 1e-2  # half the sum of squares in these units
PATCH_NAMES = {variable.column: variable.name for variable in VEHICLE if variable.column in PATCH._fields[:-1]}
"""Columns of variables.PATCH without the share, and the variables of a run that hold them."""
_SHARED = [PATCH.normal_force, PATCH.force_x, PATCH.force_y, PATCH.spin_moment]  # known by the reading's share only
_ONE_PLACE = 1e-6  # [m] zones that merge have readings nearer than this, each with a share of the load


@dataclass(frozen=True)
class PatchStrips:
    """One patch; n strips of c cells, those of a strip from its leading edge to the trailing one."""

    stored: dict[str, float]  # figures of the run, of variables.PATCH
    s: np.ndarray  # (n,) [m] across the tangent plane from the centre of the load, to the field side
    width: np.ndarray  # (n,) [m]
    half: np.ndarray  # (n,) [m] half-length
    ahead: np.ndarray  # (n,) [m] middle of the strip ahead of the wheel's lowest point
    length: np.ndarray  # (c,) of the cells, over the half-length of their strip; sum 2
    pressure: np.ndarray  # (n, c) [Pa] in the cells
    traction: np.ndarray  # (n, c, 2) [Pa] on the wheel, along rolling and across; nan where no cells are marched
    slides: np.ndarray  # (n, c) bool
    apart: float  # largest difference from the stored figures, relative


def wheel_strips(tables, radius, stored, turned, moving):
    """PatchStrips of the loaded patches of a wheel.

    Parameters
    ----------
    tables : ContactTables
    radius : float [m]          of the wheel at its profile origin
    stored : dict of (n,)       figures of variables.PATCH as stored, y_rail and so on
    turned : yaw, roll [rad]    of the wheelset, left-like frame
    moving : speed [m/s], arc length along the track [m]

    Raises
    ------
    FlexwheelError              no pose has the stored patches within APART
    """
    rows = np.zeros((len(stored["normal_force"]), len(PATCH._fields)))
    for name in PATCH_NAMES:
        rows[:, getattr(PATCH, name)] = stored[name]
    known = _as_one(rows[rows[:, PATCH.normal_force] > 0.0])
    if len(known) == 0:
        return []
    if not (np.all(np.isfinite(known)) and np.all(np.isfinite([*turned, *moving]))):
        raise FlexwheelError("contact: figures of a stored patch, or of its wheelset, are not finite")
    result, scratch = make_contact_result(), make_contact_scratch(tables)
    law = handle(tables), radius, handle(scratch), handle(result)  # as a run calls it
    columns = [getattr(PATCH, name) for name in _ALIKE]
    units = np.array(list(_ALIKE.values()))
    start = np.array([known[0, PATCH.y_rail] - known[0, PATCH.y_wheel] - tables.offset, 0.0, turned[1], turned[0]])

    def touch(x):
        motion = WheelMotion(np.array([0.0, x[0], x[1], x[2], 0.0, x[3]]), np.zeros(6), np.zeros(3), 1.0)
        _, count = wheel_rail_contact(law[0], radius, motion, law[2], law[3])
        rows = result.patches[:count]
        return _as_one(rows[rows[:, PATCH.normal_force] > 0.0])

    def nearest(rows):
        """The rows nearest to the stored patches."""
        return rows[[int(np.argmin(np.abs(rows[:, PATCH.y_rail] - y))) for y in known[:, PATCH.y_rail]]]

    def missing(x):
        rows = touch(x)
        if len(rows) == 0:
            return np.full(known[:, columns].size, 1e3)
        return ((nearest(rows) - known)[:, columns] / units).ravel()

    def together(rows):
        """Load, its lateral part and its place, which change smoothly where readings of zones merge."""
        load, angle = rows[:, PATCH.normal_force], rows[:, PATCH.contact_angle]
        places = "y_rail", "y_wheel", "x_contact"
        means = [load @ rows[:, getattr(PATCH, name)] / load.sum() / _ALIKE[name] for name in places]
        return np.array([load.sum() / _ALIKE["normal_force"], load @ np.sin(angle) / _ALIKE["normal_force"], *means])

    def missing_together(x):
        rows = touch(x)
        return together(rows) - together(known) if len(rows) else np.full(5, 1e3)

    def search(of, x):
        return least_squares(of, x, x_scale=(1e-4, 1e-5, 1e-3, 1e-3), diff_step=1e-7, max_nfev=200)

    tried = []
    for turn in _TURNS:  # rail and rim turn by a few mrad
        from_here = start + np.array([0.0, 0.0, turn, 0.0])
        above, below = _HEIGHTS
        while above - below > _CLOSE:  # the load rises as the wheel sinks
            from_here[1] = 0.5 * (above + below)
            heavy = touch(from_here)[:, PATCH.normal_force].sum() > known[:, PATCH.normal_force].sum()
            above, below = (above, from_here[1]) if heavy else (from_here[1], below)
        tried.append(search(missing, from_here))
        if tried[-1].cost >= _FOUND:
            tried.append(search(missing, search(missing_together, from_here).x))
        if tried[-1].cost < _FOUND:
            break
    best = min(tried, key=lambda one: one.cost)
    rows = touch(best.x)
    if len(rows) < len(known):
        raise FlexwheelError(f"contact: {len(rows)} of {len(known)} stored patches are found again")
    found = nearest(rows)
    shares = found[:, PATCH.share]
    known[:, _SHARED] /= shares[:, None]
    return [
        _patch(
            tables, (scratch, result), found[k], {name: float(known[k, getattr(PATCH, name)]) for name in PATCH_NAMES},
            moving,
        )
        for k in np.flatnonzero(shares >= min(0.5, shares.max()))
    ]  # fmt: skip


def _as_one(rows):
    """Rows of patches, the loaded ones first; those at one place, of zones that merge, as one with the sum of loads."""
    kept = []
    for row in rows[np.argsort(-rows[:, PATCH.normal_force], kind="stable")]:
        one = next((k for k in kept if abs(k[PATCH.y_rail] - row[PATCH.y_rail]) < _ONE_PLACE), None)
        if one is None:
            kept.append(row.copy())
        else:
            one[[*_SHARED, PATCH.share]] += row[[*_SHARED, PATCH.share]]
    return np.array(kept).reshape(-1, rows.shape[1])


def _patch(tables, kept, found, stored, moving):
    scratch, result = kept
    p = int(np.argmin(np.abs(result.patches[:, PATCH.y_rail] - found[PATCH.y_rail])))
    normal, count = scratch.normal[p], int(scratch.normal[p, NORMAL.strips])
    strip = scratch.strips[p][:, :count]
    used = np.flatnonzero((strip[STRIP.half] > 0.0) & (strip[STRIP.width] > 0.0))
    half, width = strip[STRIP.half, used], strip[STRIP.width, used]
    s, offset = strip[STRIP.s, used], strip[STRIP.offset, used]
    cells, whole = tables.cells, tables.normal.whole
    long = strip[STRIP.long, used] if whole else half
    keep = found[PATCH.peak_pressure] / normal[NORMAL.peak]
    pressure = keep * (strip[STRIP.peak, used] if whole else normal[NORMAL.factor] * half)
    pressure = pressure[:, None] * np.sqrt(1.0 - cells.row[ALONG.place] ** 2)
    ellipse = equivalent_ellipse(tables, normal[NORMAL.area], normal[NORMAL.half_length] / normal[NORMAL.half_width])
    creepage = [stored[name] for name in ("xi", "eta", "phi")]
    rolling = rolling_speed(moving[0], stored["xi"])
    of_patch = stored["normal_force"], stored["area"], stored["y_rail"], stored["contact_angle"]
    friction, _ = coefficient_of_friction(tables, rolling, np.array(creepage), of_patch, moving[1])
    limit = friction * stored["normal_force"]
    pairs = [(found[PATCH._fields.index(name)], stored[name]) for name in ("area", "peak_pressure")]
    pairs.append((found[PATCH.normal_force] / found[PATCH.share], stored["normal_force"]))
    apart = [abs(a - b) / abs(b) if b else np.inf for a, b in pairs]
    traction = np.full((len(used), cells.row.shape[1], 2), np.nan)
    slides = np.zeros(traction.shape[:2], dtype=bool)
    if tables.tangential_law.strips and limit > 0.0:
        traction, slides = march(half, s, offset, width, limit, creepage, flexibilities(ellipse), cells)
        force = np.einsum("nca,n,c->a", traction, half * width, cells.row[ALONG.width])
        apart.append(float(np.hypot(force[0] - stored["force_x"], force[1] - stored["force_y"])) / limit)
    if max(apart) > APART:
        how = "of nothing that is stored" if np.isinf(max(apart)) else f"{100 * max(apart):.0f} % from the stored patch"
        raise FlexwheelError(f"contact: the strips found again are {how}")
    ahead, length = stored["x_contact"] + offset, cells.row[ALONG.width]
    traction *= (half / long)[:, None, None]
    return PatchStrips(stored, s, width, long, ahead, length, pressure, traction, slides, max(apart))


def march(half, s, offset, width, limit, creepage, flexibility, cells):
    """FASTSIM over strips (n,) as `contact.fastsim.fastsim_strips` goes, with each cell's traction (n, c, 2) kept, and
    whether it slides (n, c)."""
    xi, eta, phi = (value / spring for value, spring in zip(creepage, flexibility, strict=True))
    high = half ** (2 if cells.parabolic else 1)
    high = high * limit / (high * half @ width * (cells.row[ALONG.bound] @ cells.row[ALONG.width]))
    count = cells.row.shape[1]
    traction, slides, held = np.empty((len(s), count, 2)), np.empty((len(s), count), bool), np.zeros((len(s), 2))
    for i, (u, way) in enumerate(zip(cells.row[ALONG.place], cells.row[ALONG.way], strict=True)):
        middle, here = (np.stack([xi - phi * s, eta + phi * (half * at + offset)], axis=1) for at in (u + 0.5 * way, u))
        most = high * cells.row[ALONG.bound, i]
        held = held - (way * half)[:, None] * middle
        over = np.sum(held**2, axis=1) / most**2 - 1.0
        free = cells.row[ALONG.drag, i] * half * np.linalg.norm(middle, axis=1) / high
        held = held - (way * half * np.clip(np.minimum(0.25 * over, free), 0.0, None))[:, None] * here
        size = np.linalg.norm(held, axis=1)
        slides[:, i] = size > most
        held = held * np.minimum(1.0, most / np.maximum(size, 1e-6))[:, None]
        traction[:, i] = held
    return traction, slides
