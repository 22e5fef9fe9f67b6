"""Profiles, patches, creep forces and conicity beside the benchmark profiles, the solver CONTACT and EN 15302."""

from __future__ import annotations

import csv

import numpy as np

from flexwheel.contact.conicity import DeltaR, equivalent_conicity
from flexwheel.contact.exact_patches import exact_load, reference_points
from flexwheel.contact.fastsim import fastsim
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.kalker_linear import kalker_linear
from flexwheel.contact.polach import polach
from flexwheel.contact.static_load import static_contact
from flexwheel.contact.tables import make_contact_tables
from flexwheel.contact.wheelset_load import LoadCase, LoadedWheel, wheelset_load
from flexwheel.io.paths import PACKAGE_FOLDER
from flexwheel.profiles.placement import place
from flexwheel.profiles.profile import profile_height
from flexwheel.profiles.rail_60e1 import MANCHESTER_ORIGIN, rail_60e1, rail_uic60_manchester
from flexwheel.profiles.s1002 import s1002, s1002_height
from flexwheel.verification.registry import bound, check, floor, information, row

DATA = PACKAGE_FOLDER / "verification" / "data"
SHARED = PACKAGE_FOLDER.parent / "tests" / "data" / "contact"
RAILS = {"60E1": rail_60e1, "UIC60_Manchester": rail_uic60_manchester}
MODULUS = 82e9 / (1.0 - 0.28)
TEXTS = ("case", "method", "rail", "regions", "profile")
GRIDS = (66, 100, 150)


def read_rows(path):
    """Rows of a csv file as dictionaries, numbers as floats, comment lines left out."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [{key: _value(key, text) for key, text in line.items()} for line in csv.DictReader(lines)]


def _value(key, text):
    if key in TEXTS:
        return text
    try:
        return float(text)
    except ValueError:
        return text


@check("Wheel-rail contact: profiles S1002 and UIC60, placement")
def profiles():
    """Distance of the benchmark's points from the profiles; reference points of the patches of the table."""
    points = {"wheel": [], "rail": []}
    for line in read_rows(DATA / "mbench_profiles.csv"):
        points[line["profile"]].append((1e-3 * line["y_mm"], 1e-3 * line["z_mm"]))
    wheel, rail = (np.array(points[name]).T for name in ("wheel", "rail"))
    wheel = wheel[:, wheel[0] > -0.0695]
    worst_wheel = np.abs(s1002_height(wheel[0]) - wheel[1]).max()
    leaned = rail_uic60_manchester(1 / 40)
    height, slope, _ = profile_height(leaned, rail[0] + MANCHESTER_ORIGIN)
    on_head = np.isfinite(height) & (np.abs(slope) < 15.0)
    worst_rail = np.abs((height + rail[1]) / np.sqrt(1.0 + slope**2))[on_head].max()
    source = "Manchester contact benchmark"
    rows = [
        bound(f"S1002, largest distance of {wheel.shape[1]} points", 1e3 * worst_wheel, 1e-4, "mm", source),
        bound(f"UIC60 leaned 1:40, largest distance of {on_head.sum()} points", 1e3 * worst_rail, 1e-4, "mm", source),
    ]
    pairs, errors = {}, []
    for line in read_rows(DATA / "normal_contact.csv"):
        if line["method"] != "CONTACT_full":
            continue
        pair = _pair(pairs, line)
        d = np.array([0.0, 1e-3 * line["y_ws_mm"], -1e-3 * line["z_ws_mm"], 0.0, 0.0, 0.0])
        places = [point[1] + pair.placement.rail_y for point, _ in reference_points(pair, d)]
        errors.append(min(abs(1e3 * place_ - line["y_cp_track_mm"]) for place_ in places))
    text = f"contact position at the table's height, largest error of {len(errors)}"
    rows.append(bound(text, max(errors), 0.015, "mm", "CONTACT"))
    return rows


def _pair(pairs, line):
    """WheelPair of a row, made once a pair."""
    key = line["rail"], line["inclination"]
    if key not in pairs:
        one, steep = line["inclination"].split(":")
        rail = RAILS[line["rail"]](float(one) / float(steep))
        pairs[key] = WheelPair(s1002(), rail, place(rail, radius=0.46))
    return pairs[key]


def half_space_row(pair, line):
    """Values of one row of normal_contact.csv by the half-space solution.

    Returns
    -------
    dict                 ratios load, peak, area, approach; centroid error [mm]; regions (n,) load share, area [mm2]
    """
    shift = 1e-3 * line["y_ws_mm"]
    start = first_touch(pair, shift, 0.0, 0.0)[0] - 5e-5
    _, found = exact_load(pair, shift, 0.0, 0.0, line["Fz_N"], MODULUS, start)
    return _compared(pair, line, found)


def _compared(pair, line, found):
    """Patches of the plane nearest to the row's place against the row."""
    places = np.array([patch.y_rail for patch in found]) + pair.placement.rail_y
    nearest = found[int(np.argmin(np.abs(places - 1e-3 * line["y_cp_track_mm"])))]
    own = [patch for patch in found if patch.plane_angle == nearest.plane_angle]
    load = sum(patch.load for patch in own)
    centroid = sum(patch.load * patch.y_rail for patch in own) / load + pair.placement.rail_y
    expected = line["y_cp_track_mm"] + line["s_centroid_mm"] * np.cos(line["delta_rad"])
    return {
        "load": load / line["FN_N"],
        "peak": 1e-6 * max(patch.peak_pressure for patch in own) / line["pmax_MPa"],
        "area": 1e6 * sum(patch.area for patch in own) / line["area_mm2"],
        "approach": 1e3 * max(patch.approach for patch in own) / line["approach_mm"],
        "centroid_mm": 1e3 * centroid - expected,
        "regions": len(own),
        "shares": sorted((patch.load / load for patch in own), reverse=True),
    }


def _label(line):
    return (
        f"{line['rail']} {line['inclination']}, y = {line['y_ws_mm']:g} mm, {1e-3 * line['Fz_N']:g} kN, {line['case']}"
    )


@check("Wheel-rail contact: half-space patches against exact rows")
def half_space():
    """Every CONTACT_full row: medians, share within 15 %, regions and load shares, and the deviation of each row."""
    pairs, lines, table = {}, [], []
    for line in read_rows(DATA / "normal_contact.csv"):
        if line["method"] == "CONTACT_full":
            lines.append(line)
            table.append(half_space_row(_pair(pairs, line), line))
    return _normal_rows(lines, table, centroid=True)


@check("Wheel-rail contact: semi-Hertzian patches against exact rows")
def semi_hertzian():
    """The model of the runs beside the same rows; where it cannot follow (wide flat patch) the row shows it."""
    return _semi_hertzian_rows("CONTACT_full", judged=True)


@check("Wheel-rail contact: semi-Hertzian patches against CONTACT's own Kik-Piotrowski")
def semi_hertzian_kpec():
    """The same model beside the approximate rows CONTACT_KPEC, for information."""
    return _semi_hertzian_rows("CONTACT_KPEC", judged=False)


def _semi_hertzian_rows(method, judged):
    """Rows of one reference method."""
    pairs, tables, table = {}, {}, []
    lines = [line for line in read_rows(DATA / "normal_contact.csv") if line["method"] == method]
    for line in lines:
        pair = _pair(pairs, line)
        key = line["rail"], line["inclination"]
        if key not in tables:
            tables[key] = make_contact_tables(pair.wheel, pair.rail, pair.placement)
        _, _, patches = static_contact(tables[key], 0.46, line["Fz_N"], lateral_shift=1e-3 * line["y_ws_mm"])
        same = ("rail", "inclination", "y_ws_mm", "Fz_N")
        siblings = [other for other in lines if all(other[name] == line[name] for name in same)]
        table.append(_semi_hertzian_row(pair, line, siblings, patches))
    return _normal_rows(lines, table, centroid=False, judged=judged)


def _semi_hertzian_row(pair, line, siblings, patches):
    """As `half_space_row`; of several rows of one position each takes the patches nearest to it."""
    places = np.array([1e-3 * other["y_cp_track_mm"] for other in siblings]) - pair.placement.rail_y
    nearest = np.argmin(np.abs(patches["y_rail"][:, None] - places), axis=1)
    near = np.array([abs(siblings[k]["y_cp_track_mm"] - line["y_cp_track_mm"]) < 1.0 for k in nearest])
    load, share = patches["load"][near], patches["load"][near] / patches["load"][near].sum()
    largest = int(np.argmax(patches["peak_pressure"][near]))
    expected = line["y_cp_track_mm"] + line["s_centroid_mm"] * np.cos(line["delta_rad"])
    return {
        "load": load.sum() / line["FN_N"],
        "peak": 1e-6 * patches["peak_pressure"][near][largest] / line["pmax_MPa"],
        "area": 1e6 * (patches["area"] * patches["share"])[near].sum() / line["area_mm2"],
        "approach": 1e3 * patches["approach"][near].max() / line["approach_mm"],
        "centroid_mm": 1e3 * float(share @ patches["y_rail"][near] + pair.placement.rail_y) - expected,
        "regions": int(np.sum(patches["share"][near] > 0.5)),
        "shares": sorted(share.tolist(), reverse=True),
    }


def _normal_rows(lines, table, centroid, judged=True):
    """Rows of a check of normal contact; the share within 15 % is judged together with the centroid."""
    single = [k for k, line in enumerate(lines) if line["n_regions"] == 1]
    rows, worst = [], np.zeros(len(single))
    for name, text in (("peak", "peak pressure"), ("area", "area"), ("approach", "approach")):
        deviation = np.array([100.0 * abs(table[k][name] - 1.0) for k in single])
        worst = np.maximum(worst, deviation)
        text = f"{text}, median of {len(single)} rows with one region"
        middle = np.median(deviation)
        rows.append(bound(text, middle, 5.0, "%") if judged else information(text, middle, "%"))
    share = 100.0 * np.mean(worst <= 15.0)
    text = "rows with one region, all three within 15 %"
    rows.append(floor(text, share, 90.0, "%") if judged else information(text, share, "%"))
    if centroid:
        largest = max(abs(table[k]["centroid_mm"]) for k in single)
        rows.append(bound("centroid of the pressure, largest error", largest, 0.01, "mm", "CONTACT"))
    for k, line in enumerate(lines):
        if line["n_regions"] == 2:
            loads = [float(part.split("/")[0]) for part in line["regions"].split()]
            share = max(loads) / sum(loads)
            text = f"load share of the larger of two regions, {_label(line)}"
            rows.append(row(text, table[k]["shares"][0], share, absolute=0.15 if judged else None, source="CONTACT"))
            rows.append(information(f"regions (2), {_label(line)}", table[k]["regions"], "", "CONTACT"))
    for k, line in enumerate(lines):
        for name, text in (("peak", "peak pressure"), ("area", "area"), ("approach", "approach")):
            rows.append(information(f"{text} over exact, {_label(line)}", table[k][name], "", "CONTACT"))
    return rows


@check("Wheel-rail contact: FASTSIM, Polach and linear theory")
def creep_forces():
    """FASTSIM rows on three grids with both bounds, Kalker's slopes, and every method beside the exact rows."""
    lines = read_rows(SHARED / "tangential_contact.csv")
    rows = []
    for name, traction in (("FASTSIM_3flex_par", "parabolic"), ("FASTSIM_3flex_ell", "elliptic")):
        own = [line for line in lines if line["method"] == name]
        for grid in GRIDS:
            errors = [_creep_error(line, "fastsim", traction, grid) for line in own]
            text = f"FASTSIM {grid} x {grid}, {traction} bound, {len(own)} rows"
            rows.append(bound(f"{text}, largest error", max(errors), 0.015, "mu N", "66 x 66 cells"))
            rows.append(bound(f"{text}, mean error", np.mean(errors), 0.006, "mu N", "66 x 66 cells"))
    for ratio in (0.3, 1.0, 3.0):
        rows.append(
            bound(f"Kalker's slopes, a/b = {ratio:g}, largest relative error", _slopes(ratio), 1e-6, "", "c_ij")
        )
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
                text = f"{method}, exact row {line['case']}, a/b = {line['a_mm'] / line['b_mm']:.3g}"
                rows.append(information(text, error, "mu N", "CONTACT"))
    return rows


def _creep_error(line, method, traction, grid):
    """Largest error of a component [mu N] of one row; the table's frame is turned here (as the rail sees it)."""
    a, b, load, mu = 1e-3 * line["a_mm"], 1e-3 * line["b_mm"], line["FN_N"], line["mu"]
    creepage = -line["xi"], line["eta"], 1e3 * line["phi_1_mm"]
    material = dict(shear_modulus=1e6 * line["G_MPa"], poisson=line["nu"])
    if method == "fastsim":
        force = fastsim(a, b, load, mu, *creepage, bound=traction, nx=grid, ny=grid, **material)
    elif method == "polach":
        force = polach(a, b, load, mu, *creepage, **material)
    else:
        force = kalker_linear(a, b, *creepage, mu=mu, load=load, **material)
    return float(np.abs(force[:2] / (mu * load) - [-line["fx_muN"], line["fy_muN"]]).max())


def _slopes(ratio):
    """Largest relative deviation of FASTSIM's and the linear theory's slopes from G ab c_ij."""
    a, b, small = 4e-3 * np.sqrt(ratio), 4e-3 / np.sqrt(ratio), 1e-8
    c11, c22, c23, _ = kalker_coefficients(ratio, 0.28)
    exact = 82e9 * a * b * np.array([c11, c22, np.sqrt(a * b) * c23])
    creepages = np.diag([small, small, small / 4e-3])
    worst = 0.0
    for k, axis in enumerate((0, 1, 1)):
        size = creepages[k, k]
        for force in (fastsim(a, b, 1e5, 0.4, *creepages[k]), kalker_linear(a, b, *creepages[k])):
            worst = max(worst, abs(-force[axis] / size / exact[k] - 1.0))
    return worst


@check("Wheel-rail contact: Manchester benchmark A-2.2, left wheel")
def manchester():
    """Place, creepages and creep forces of 21 positions, with half-space pressure and with the model of the runs."""
    rows = []
    for exact, name in ((True, "half space"), (False, "semi-Hertzian")):
        results = [benchmark_position(line, "left", exact) for line in read_rows(SHARED / "manchester_a22_left.csv")]
        place_error = max(max(abs(r["dx_mm"]), abs(r["dy_mm"])) for r in results)
        forces = np.array([r["force_error"] for r in results])
        source = "Manchester A-2.2, CONTACT"
        if exact:
            rows.append(bound(f"{name}: reference point of the patch, largest error", place_error, 0.3, "mm", source))
            worst = max(r["creepage_error"] for r in results)
            rows.append(bound(f"{name}: creepages, largest error", 100.0 * worst, 1.0, "%", source))
        centroid = sorted(abs(r["centroid_dy_mm"]) for r in results)
        rows.append(information(f"{name}: centroid from the table's point, second largest", centroid[-2], "mm", source))
        rows.append(information(f"{name}: the same, largest (centred: wide flat patch)", centroid[-1], "mm", source))
        rows.append(floor(f"{name}: creep forces within 5 % of mu N, of 21", np.sum(forces <= 0.05), 18, "", source))
        rows.append(bound(f"{name}: creep forces, largest error", 100.0 * forces.max(), 10.0, "% of mu N", source))
        rows += [
            information(f"{name}: creep force error, position {k + 1}", 100.0 * value, "% of mu N", source)
            for k, value in enumerate(forces)
        ]
    return rows


def benchmark_position(line, side, exact=True):
    """One position of the Manchester contact benchmark A-2.2.

    Parameters
    ----------
    line : dict          y_ws_mm, roll_rad, yaw_rad, vpitch_rad_s, Fz_tr_N, x_cp_tr_mm, y_cp_tr_mm, cksi, ceta,
                         cphi_1_mm, FN_N, FX_N, FS_N in CONTACT's frame (x forward, y right, z down)
    side : str           "left" or "right"
    exact : bool         half-space pressure, else the model of the runs

    Returns
    -------
    dict                 dx_mm, dy_mm of the reference point, centroid_dy_mm, creepage_error (relative, of the largest),
                         force_error [mu N], load_ratio

    Notes
    -----
    Half a turn about x brings y right, z down to y left, z up; exchanging the bodies turns xi and Fx.
    """
    rail = rail_uic60_manchester(1 / 40)
    at = place(rail, gauge=1.435, flange_back=1.360, radius=0.46)
    wheel = LoadedWheel(WheelPair(s1002(), rail, at), side, friction=0.30)
    roll, yaw = line["roll_rad"], -line["yaw_rad"]
    case = LoadCase(
        shift=-1e-3 * line["y_ws_mm"], yaw=yaw, roll=roll, load_left=line["Fz_tr_N"], load_right=line["Fz_tr_N"],
        speed=2.0, spin=-line["vpitch_rad_s"],
    )  # fmt: skip
    pair = (wheel, None) if side == "left" else (None, wheel)
    patches = wheelset_load(*pair, case, exact=exact).wheels[0].patches
    sign = 1.0 if side == "left" else -1.0
    load = np.array([patch["load"] for patch in patches])

    def mean(name):
        return float(load @ [patch[name] for patch in patches]) / load.sum()

    fx, fy = sum(patch["force_x"] for patch in patches), sign * sum(patch["force_y"] for patch in patches)
    creepage = np.array([mean("xi"), sign * mean("eta"), sign * mean("phi")])
    expected = np.array([-line["cksi"], line["ceta"], 1e3 * line["cphi_1_mm"]])
    least = np.array([1e-4, 1e-4, 1e-3])  # smaller creepages are compared with these
    mu_n = 0.30 * line["FN_N"]
    return {
        "dx_mm": 1e3 * mean("x_reference") - line["x_cp_tr_mm"],
        "dy_mm": 1e3 * mean("y_reference") + line["y_cp_tr_mm"],
        "centroid_dy_mm": 1e3 * mean("y_track") + line["y_cp_tr_mm"],
        "creepage_error": float(np.max(np.abs(creepage - expected) / np.maximum(np.abs(expected), least))),
        "force_error": max(abs(fx + line["FX_N"]), abs(fy - line["FS_N"])) / mu_n,
        "load_ratio": load.sum() / line["FN_N"],
    }


@check("Wheel-rail contact: equivalent conicity, EN 15302 E1 to E5")
def conicity():
    """Integration method at all 66 amplitudes against the standard's band."""
    tables, limits = read_rows(DATA / "en15302_delta_r.csv"), read_rows(DATA / "en15302_conicity.csv")
    rows = []
    for case in ("E1", "E2", "E3", "E4", "E5"):
        points = np.array([(line["y_mm"], line[case]) for line in tables if line[case] != ""])
        amplitude, value, low, high = np.array(
            [(line["amplitude_mm"], line[case], line[f"{case}_low"], line[f"{case}_high"]) for line in limits]
        ).T
        result = equivalent_conicity(DeltaR(*(1e-3 * points.T)), 1e-3 * amplitude)
        outside = (result.integration < low) | (result.integration > high)
        inside_table = ~result.beyond_table
        deviation = np.abs(result.integration - value)
        source = "EN 15302 Annex E"
        rows.append(bound(f"{case}: amplitudes outside the band, of {amplitude.size}", outside.sum(), 0, "", source))
        rows.append(
            information(f"{case}: largest deviation within the table", deviation[inside_table].max(), "", source)
        )
        if result.beyond_table.any():
            text = f"{case}: largest deviation beyond it ({result.beyond_table.sum()} amplitudes)"
            rows.append(information(text, deviation[result.beyond_table].max(), "", source))
    return rows
