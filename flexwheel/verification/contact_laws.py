"""Contact laws beside closed forms and exact half-space solutions (solver CONTACT)."""

import numpy as np

from flexwheel.assess.static_contact import static_contact
from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.fastsim import fastsim
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.kalker_linear import kalker_linear
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.extensions.tangential_laws.polach import polach
from flexwheel.verification import norms
from flexwheel.verification.check_registry import check, distance, exact, information, other_code
from flexwheel.verification.reference_rows import creep_case, reference_rows
from flexwheel.verification.wheel_rail_benchmarks import HALF_SPACE, rail_of

GRIDS = (66, 100, 150)
FASTSIM = other_code(
    "FASTSIM with three flexibilities, 66 x 66 cells; an independent one at 400 x 400 differs from it by up to "
    "0.013 mu N, 0.005 in the mean"
)


@check("FASTSIM against Kalker 1982 with three flexibilities", subject="Wheel-rail contact", ground=FASTSIM)
def fastsim_rows():
    """Rows of the reference with both traction bounds, and the exact solutions beside every cheaper method."""
    table = reference_rows("tangential_contact.csv")
    rows = []
    for name in sorted({line["method"] for line in table if line["method"].startswith("FASTSIM_3flex")}):
        text, traction = f"largest error of a component, {name}", "parabolic" if name.endswith("par") else "elliptic"
        pairs = [creep_pair(line, "fastsim", traction, 66) for line in table if line["method"] == name]
        rows.append(distance(text, *zip(*pairs, strict=True), 0.015, "mu N", "66 x 66 cells", norms.largest))
    exact = [line for line in table if line["method"].startswith("CONTACT_full")]
    for method in ("fastsim", "polach", "linear"):
        worst = max(_creep_error(line, method, "elliptic", 66) for line in exact)
        rows.append(information(f"{method} against the exact solution, largest", worst, "mu N", "CONTACT"))
    return rows


def normal_contact_table(name):
    """Normal contact of this package beside exact half-space solutions, row by row.

    Parameters
    ----------
    name : str            file of reference rows of `data/`; frame in its first line

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
    wheel, pairs, table = s1002(), {}, []
    for row in reference_rows(name):
        key = row["rail"], row["inclination"]
        if key not in pairs:
            rail = rail_of(row)
            at = place(rail, radius=0.46)
            pairs[key] = at, make_contact_tables(wheel, rail, at, shear_modulus=82e9, poisson=0.28)
        table.append(_beside_half_space(row, *pairs[key]))
    return table


def _beside_half_space(row, at, tables):
    """One line of the table."""
    shift, load = 1e-3 * row["y_ws_mm"], row["Fz_N"]
    height, _, patches = static_contact(tables, at.radius, load, lateral_shift=shift)
    y_track = 1e-3 * row["y_cp_track_mm"]
    error = patches["y_rail"] + at.rail_y - y_track
    p = int(np.argmin(np.abs(error)))
    return {
        "case": row["case"],
        "rail": row["rail"],
        "inclination": row["inclination"],
        "shift_mm": 1e3 * shift,
        "load_kn": 1e-3 * load,
        "regions": int(row["n_regions"]),
        "patches": patches["normal_force"].size,
        "load_ratio": patches["normal_force"][p] / row["FN_N"],
        "peak_pressure_ratio": 1e-6 * patches["peak_pressure"][p] / row["pmax_MPa"],
        "area_ratio": 1e6 * patches["area"][p] / row["area_mm2"],
        "approach_ratio": 1e3 * patches["approach"][p] / row["approach_mm"],
        "position_error_mm": 1e3 * error[p],
        "angle_error_rad": patches["contact_angle"][p] + row["delta_rad"],
        "height_error_um": 1e6 * (height + 1e-3 * row["z_ws_mm"]),
    }


@check("Normal contact of S1002 on UIC60 against the exact half space", subject="Wheel-rail contact", ground=HALF_SPACE)
def normal_contact():
    """Median deviation over the patches with one region, and the deviation of every one of them."""
    table = normal_contact_table("normal_contact_full.csv")
    single = [line for line in table if line["regions"] == 1]
    rows = []
    for name in ("peak_pressure", "area", "approach"):
        ratio = np.array([line[f"{name}_ratio"] for line in single])
        text = f"{name.replace('_', ' ')}, median of {len(ratio)}"
        rows.append(distance(text, ratio, np.ones_like(ratio), 5.0, "%", "CONTACT", norms.median, 100.0))
    for line in single:
        text = f"{line['rail']} {line['inclination']}, y = {line['shift_mm']:g} mm, {line['load_kn']:g} kN"
        rows.append(information(f"peak pressure over exact, {text}", line["peak_pressure_ratio"], "", "CONTACT"))
    return rows


@check("Wheel-rail contact: FASTSIM, Polach and linear theory", ground=FASTSIM)
def creep_forces():
    """FASTSIM rows on three grids with both bounds, Kalker's slopes, and every method beside the exact rows."""
    lines = reference_rows("tangential_contact.csv")
    rows, compared = [], {}
    for name, traction in (("FASTSIM_3flex_par", "parabolic"), ("FASTSIM_3flex_ell", "elliptic")):
        own = [line for line in lines if line["method"] == name]
        for grid in GRIDS:
            pairs = [creep_pair(line, "fastsim", traction, grid) for line in own]
            text, both = f"FASTSIM {grid} x {grid}, {traction} bound, {len(own)} rows", tuple(zip(*pairs, strict=True))
            rows.append(distance(f"{text}, largest error", *both, 0.015, "mu N", "66 x 66 cells", norms.largest))
            compared.setdefault(grid, []).extend(pairs)
    for grid, pairs in compared.items():  # the other code's mean is of all rows
        text, both = f"FASTSIM {grid} x {grid}, {len(pairs)} rows, mean error", tuple(zip(*pairs, strict=True))
        rows.append(distance(text, *both, 0.006, "mu N", "66 x 66 cells", norms.mean))
    for ratio in (0.3, 1.0, 3.0):
        text = f"Kalker's slopes, a/b = {ratio:g}, largest relative error"
        ground = exact("c_ij of the tables; creepages of 1e-8 of 4 mm leave the cubic term, below 1e-6")
        rows.append(distance(text, *_slopes(ratio), 1e-6, "", "c_ij", norms.each, ground=ground))
    for name, traction in (("CONTACT_full_parbound", "parabolic"), ("CONTACT_full_ellbound", "elliptic")):
        own = [line for line in lines if line["method"] == name]
        for method in ("fastsim", "polach", "linear") if own else ():
            errors = [_creep_error(line, method, traction, 66) for line in own]
            rows.append(
                information(f"{method} against {len(own)} exact rows, mean", np.mean(errors), "mu N", "CONTACT")
            )
            rows.append(information(f"{method} against {len(own)} exact rows, largest", max(errors), "mu N", "CONTACT"))
        for line in own:
            for method in ("fastsim", "polach", "linear"):
                error = _creep_error(line, method, traction, 66)
                text = f"{method}, exact row {line['case']:g}, a/b = {line['a_mm'] / line['b_mm']:.3g}"
                rows.append(information(text, error, "mu N", "CONTACT"))
    return rows


def _creep_error(line, method, traction, grid):
    """Largest error of a component [mu N] of one row."""
    return float(norms.largest(*creep_pair(line, method, traction, grid)))


def creep_pair(line, method, traction, grid):
    """Creep force and expected one (2,) [mu N] of one row; the table's frame is turned here (as the rail sees it)."""
    arguments, expected, _ = creep_case(line)
    if method == "fastsim":
        force = fastsim(**arguments, bound=traction, grid=(grid, grid))
    elif method == "polach":
        force = polach(**arguments)
    else:
        force = kalker_linear(**arguments)
    return force[:2] / (arguments["mu"] * arguments["load"]), np.array(expected)


def _slopes(ratio):
    """Slopes of FASTSIM and of the linear theory, and G ab c_ij for each: two arrays (6,)."""
    a, b, small = 4e-3 * np.sqrt(ratio), 4e-3 / np.sqrt(ratio), 1e-8
    c11, c22, c23, _ = kalker_coefficients(ratio, 0.28)
    wanted = 82e9 * a * b * np.array([c11, c22, np.sqrt(a * b) * c23])
    creepages = np.diag([small, small, small / 4e-3])
    slopes = [
        -force[axis] / creepages[k, k]
        for k, axis in enumerate((0, 1, 1))
        for force in (fastsim(a, b, 1e5, 0.4, creepages[k]), kalker_linear(a, b, creepages[k]))
    ]
    return np.array(slopes), np.repeat(wanted, 2)
