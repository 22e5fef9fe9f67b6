"""Contact of a wheel standing on a rail under a given vertical load, and the comparison table of normal contact."""

import csv
from pathlib import Path

import numpy as np

from flexwheel.contact.tables import make_contact_tables, make_patches, make_workspace
from flexwheel.contact.wheel_rail import (
    OK,
    PATCH_NAMES,
    STATUS_TEXT,
    wheel_rail_contact,
)
from flexwheel.errors import ContactError, ScenarioError
from flexwheel.profiles.placement import place
from flexwheel.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.profiles.s1002 import s1002

HIGHEST = 0.035  # [m] from where a wheel is let down: it stands on its flange tip at 0.028
LOAD_WITHIN = 1e-3  # of the load: what an equilibrium may lack


def static_contact(tables, radius, vertical_load, *, lateral_shift=0.0, yaw=0.0, roll=0.0):
    """Height of the wheel under a vertical load, and its contact patches.

    Parameters
    ----------
    tables : ContactTables
    radius : float [m]
    vertical_load : float [N]       vertical contact force on the wheel, creep forces left out
    lateral_shift : float [m]       of the wheel to the field side from the centred position; positive brings the
                                    flange to the rail
    yaw, roll : float [rad]         left-like frame

    Returns
    -------
    height : float [m]              d_z of `wheel_rail_contact`
    wrench : (6,) [N, N m]          on the wheel about its profile origin
    patches : dict of (n,) arrays   one per name in PATCH_NAMES

    Raises
    ------
    ContactError                    when no height gives the load
    """
    if not (np.isfinite(vertical_load) and vertical_load > 0.0):
        raise ContactError(f"static contact: vertical load {vertical_load!r} N, expected a positive number")
    tables = tables._replace(friction=0.0, tangential_model=1)
    work, patches = make_workspace(tables), make_patches()
    wrench, jac_d, jac_v = np.zeros(6), np.zeros((6, 6)), np.zeros((6, 6))
    d, still = np.array([0.0, lateral_shift, 0.0, roll, 0.0, yaw]), np.zeros(6)

    def load(height):
        d[2] = height
        status, count = wheel_rail_contact(
            tables, radius, d, still, still[:3], 1.0, work, patches, wrench, jac_d, jac_v
        )
        return wrench[2], status, count

    # from above: the wheel comes down until the load is passed, then bisection
    high, low = HIGHEST, None
    for height in np.arange(HIGHEST, -0.02, -2e-4):
        if load(height)[0] >= vertical_load:
            low = height
            break
        high = height
    if low is None:
        raise ContactError(
            f"static contact: no height carries {vertical_load:g} N at a lateral shift of {1e3 * lateral_shift:g} mm "
            f"and a yaw of {1e3 * yaw:g} mrad"
        )
    for _ in range(60):
        middle = 0.5 * (low + high)
        if load(middle)[0] >= vertical_load:
            low = middle
        else:
            high = middle
    found, status, count = load(low)
    if status != OK:
        raise ContactError(f"static contact: {STATUS_TEXT[status]} at a shift of {1e3 * lateral_shift:g} mm")
    if count == 0 or abs(found - vertical_load) > LOAD_WITHIN * vertical_load:
        raise ContactError(
            f"static contact: no height carries {vertical_load:g} N at a lateral shift of {1e3 * lateral_shift:g} mm "
            f"and a yaw of {1e3 * yaw:g} mrad; within 1 nm the vertical force jumps from {load(low + 1e-9)[0]:g} to "
            f"{found:g} N"
        )
    return low, wrench.copy(), {name: patches[:count, k].copy() for k, name in enumerate(PATCH_NAMES)}


def normal_contact_table(path):
    """Normal contact of this package beside exact half-space solutions, row by row.

    Parameters
    ----------
    path : str or Path    csv file of reference rows, tests/data/contact/normal_contact_full.csv; frame in the
                          file's first line

    Returns
    -------
    list of dict          case, rail, inclination, shift_mm, load_kn, regions (reference), patches (here), and the
                          ratios here/reference of load, peak_pressure, area, approach; position error in mm,
                          contact angle error in rad, height error in um

    Notes
    -----
    The reference is a right wheel with y to the right. Its rows are S1002 at r0 = 0.46 m, G = 82 GPa, nu = 0.28.
    Peak pressure and area are those of the reference's patch, matched by position.
    """
    lines = [line for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    rails = {"60E1": rail_60e1, "UIC60_Manchester": rail_uic60_manchester}
    wheel, pairs, table = s1002(), {}, []
    for row in csv.DictReader(lines):
        key = (row["rail"], row["inclination"])
        if row["rail"] not in rails or ":" not in row["inclination"]:
            raise ScenarioError(f"{path}: case {row['case']}: unknown rail or inclination {key}")
        if key not in pairs:
            one, steep = row["inclination"].split(":")
            rail = rails[row["rail"]](float(one) / float(steep))
            at = place(rail, radius=0.46)
            pairs[key] = at, make_contact_tables(wheel, rail, at, shear_modulus=82e9, poisson=0.28)
        table.append(_compare(row, *pairs[key]))
    return table


def _compare(row, at, tables):
    """One line of the table."""
    shift, load = 1e-3 * float(row["y_ws_mm"]), float(row["Fz_N"])
    height, _, patches = static_contact(tables, at.radius, load, lateral_shift=shift)
    y_track = 1e-3 * float(row["y_cp_track_mm"])
    error = patches["y_rail"] + at.rail_y - y_track
    p = int(np.argmin(np.abs(error)))
    return {
        "case": row["case"],
        "rail": row["rail"],
        "inclination": row["inclination"],
        "shift_mm": 1e3 * shift,
        "load_kn": 1e-3 * load,
        "regions": int(row["n_regions"]),
        "patches": patches["load"].size,
        "load_ratio": patches["load"][p] / float(row["FN_N"]),
        "peak_pressure_ratio": 1e-6 * patches["peak_pressure"][p] / float(row["pmax_MPa"]),
        "area_ratio": 1e6 * patches["area"][p] / float(row["area_mm2"]),
        "approach_ratio": 1e3 * patches["approach"][p] / float(row["approach_mm"]),
        "position_error_mm": 1e3 * error[p],
        "angle_error_rad": patches["contact_angle"][p] + float(row["delta_rad"]),
        "height_error_um": 1e6 * (height + 1e-3 * float(row["z_ws_mm"])),
    }
