"""Profiles, patches, creep forces and conicity beside the benchmark profiles, the solver CONTACT and EN 15302."""

import numpy as np

from flexwheel.assess.conicity import DeltaR, equivalent_conicity
from flexwheel.assess.exact_patches import exact_load, reference_points
from flexwheel.assess.static_contact import static_contact
from flexwheel.assess.wheelset_load import LoadCase, LoadedWheel, wheelset_load
from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile import profile_height
from flexwheel.contact.profiles.rail_60e1 import MANCHESTER_ORIGIN, rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002, s1002_height
from flexwheel.verification import norms
from flexwheel.verification.check_registry import check, distance, exact, floor, information, other_code, row
from flexwheel.verification.reference_rows import reference_rows

RAILS = {"60E1": rail_60e1, "UIC60_Manchester": rail_uic60_manchester}
MODULUS = 82e9 / (1.0 - 0.28)


@check(
    "Wheel-rail contact: profiles S1002 and UIC60, placement",
    ground=exact("sections of the profiles in closed form; the benchmark's files are written to 1e-4 mm"),
)  # fmt: skip
def profiles():
    """Distance of the benchmark's points from the profiles; reference points of the patches of the table."""
    points = {"wheel": [], "rail": []}
    for line in reference_rows("mbench_profiles.csv"):
        points[line["profile"]].append((1e-3 * line["y_mm"], 1e-3 * line["z_mm"]))
    wheel, rail = (np.array(points[name]).T for name in ("wheel", "rail"))
    wheel = wheel[:, wheel[0] > -0.0695]
    leaned = rail_uic60_manchester(1 / 40)
    height, slope, _ = profile_height(leaned, rail[0] + MANCHESTER_ORIGIN)
    on_head = np.isfinite(height) & (np.abs(slope) < 15.0)
    leaning = np.sqrt(1.0 + slope**2)
    head = (-1e3 * (part / leaning)[on_head] for part in (height, -rail[1]))
    source = "Manchester contact benchmark"
    compared = {
        f"S1002, largest distance of {wheel.shape[1]} points": (1e3 * s1002_height(wheel[0]), 1e3 * wheel[1]),
        f"UIC60 leaned 1:40, largest distance of {on_head.sum()} points": head,
    }
    rows = [distance(text, *both, 1e-4, "mm", source, norms.largest) for text, both in compared.items()]
    pairs, found, wanted = {}, [], []
    for line in reference_rows("normal_contact.csv"):
        if line["method"] != "CONTACT_full":
            continue
        pair = _pair(pairs, line)
        d = np.array([0.0, 1e-3 * line["y_ws_mm"], -1e-3 * line["z_ws_mm"], 0.0, 0.0, 0.0])
        places = [1e3 * (point[1] + pair.placement.rail_y) for point, _ in reference_points(pair, d)]
        wanted.append(line["y_cp_track_mm"])
        found.append(min(places, key=lambda place_: abs(place_ - wanted[-1])))
    text = f"contact position at the table's height, largest error of {len(found)}"
    ground = other_code("CONTACT, whose cells are 0.2 mm wide; the height it is taken at is given to 1e-4 mm")
    rows.append(distance(text, found, wanted, 0.015, "mm", "CONTACT", norms.largest, ground=ground))
    return rows


def rail_of(line):
    """Rail profile of a row, leaned as it says."""
    one, steep = line["inclination"].split(":")
    return RAILS[line["rail"]](float(one) / float(steep))


def _pair(pairs, line):
    """WheelPair of a row, made once a pair."""
    key = line["rail"], line["inclination"]
    if key not in pairs:
        rail = rail_of(line)
        pairs[key] = WheelPair(s1002(), rail, place(rail, radius=0.46))
    return pairs[key]


def half_space_row(pair, line):
    """Values of one row of normal_contact.csv by the half-space solution.

    Returns
    -------
    dict                 ratios load, peak, area, approach; centroid_mm its error, centroids_mm found and expected;
                         regions; shares of the load
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
    load = sum(patch.normal_force for patch in own)
    centroid = sum(patch.normal_force * patch.y_rail for patch in own) / load + pair.placement.rail_y
    expected = line["y_cp_track_mm"] + line["s_centroid_mm"] * np.cos(line["delta_rad"])
    return {
        "load": load / line["FN_N"],
        "peak": 1e-6 * max(patch.peak_pressure for patch in own) / line["pmax_MPa"],
        "area": 1e6 * sum(patch.area for patch in own) / line["area_mm2"],
        "approach": 1e3 * max(patch.approach for patch in own) / line["approach_mm"],
        "centroid_mm": 1e3 * centroid - expected,
        "centroids_mm": (1e3 * centroid, expected),
        "regions": len(own),
        "shares": sorted((patch.normal_force / load for patch in own), reverse=True),
    }


def _label(line):
    return (
        f"{line['rail']} {line['inclination']}, y = {line['y_ws_mm']:g} mm, {1e-3 * line['Fz_N']:g} kN, {line['case']}"
    )


HALF_SPACE = exact(
    "half space by CONTACT, whose areas carry a grid error of 1 to 4 % and which a strip method meets in ordinary "
    "patches within 2 %; 5 % in the middle and 15 % in nine of ten rows were asked for before there was a result"
)


@check("Wheel-rail contact: half-space patches against exact rows", ground=HALF_SPACE)
def half_space():
    """Every CONTACT_full row: medians, share within 15 %, regions and load shares, and the deviation of each row."""
    pairs, lines, table = {}, [], []
    for line in reference_rows("normal_contact.csv"):
        if line["method"] == "CONTACT_full":
            lines.append(line)
            table.append(half_space_row(_pair(pairs, line), line))
    return _normal_rows(lines, table, centroid=True)


@check("Wheel-rail contact: patches of a run against exact rows", ground=HALF_SPACE)
def patches_of_run():
    """The model of the runs beside the same rows; where it cannot follow (wide flat patch) the row shows it."""
    return _rows_of_run("CONTACT_full", judged=True)


@check("Wheel-rail contact: patches of a run against CONTACT's own Kik-Piotrowski")
def patches_of_run_kpec():
    """The same model beside the approximate rows CONTACT_KPEC, for information."""
    return _rows_of_run("CONTACT_KPEC", judged=False)


def _rows_of_run(method, judged):
    """Rows of one reference method."""
    pairs, tables, table = {}, {}, []
    lines = [line for line in reference_rows("normal_contact.csv") if line["method"] == method]
    for line in lines:
        pair = _pair(pairs, line)
        key = line["rail"], line["inclination"]
        if key not in tables:
            tables[key] = make_contact_tables(pair.wheel, pair.rail, pair.placement)
        _, _, patches = static_contact(tables[key], 0.46, line["Fz_N"], lateral_shift=1e-3 * line["y_ws_mm"])
        same = ("rail", "inclination", "y_ws_mm", "Fz_N")
        siblings = [other for other in lines if all(other[name] == line[name] for name in same)]
        table.append(_row_of_run(pair, line, siblings, patches))
    return _normal_rows(lines, table, centroid=False, judged=judged)


def _row_of_run(pair, line, siblings, patches):
    """As `half_space_row`; of several rows of one position each takes the patches nearest to it."""
    places = np.array([1e-3 * other["y_cp_track_mm"] for other in siblings]) - pair.placement.rail_y
    nearest = np.argmin(np.abs(patches["y_rail"][:, None] - places), axis=1)
    near = np.array([abs(siblings[k]["y_cp_track_mm"] - line["y_cp_track_mm"]) < 1.0 for k in nearest])
    load, share = patches["normal_force"][near], patches["normal_force"][near] / patches["normal_force"][near].sum()
    largest = int(np.argmax(patches["peak_pressure"][near]))
    expected = line["y_cp_track_mm"] + line["s_centroid_mm"] * np.cos(line["delta_rad"])
    return {
        "load": load.sum() / line["FN_N"],
        "peak": 1e-6 * patches["peak_pressure"][near][largest] / line["pmax_MPa"],
        "area": 1e6 * (patches["area"] * patches["share"])[near].sum() / line["area_mm2"],
        "approach": 1e3 * patches["approach"][near].max() / line["approach_mm"],
        "centroids_mm": (1e3 * float(share @ patches["y_rail"][near] + pair.placement.rail_y), expected),
        "regions": int(np.sum(patches["share"][near] > 0.5)),
        "shares": sorted(share.tolist(), reverse=True),
    }


def _normal_rows(lines, table, centroid, judged=True):
    """Rows of a check of normal contact; the share within 15 % is judged together with the centroid."""
    single = [k for k, line in enumerate(lines) if line["n_regions"] == 1]
    rows, worst = [], np.zeros(len(single))
    for name, text in (("peak", "peak pressure"), ("area", "area"), ("approach", "approach")):
        ratio = np.array([table[k][name] for k in single])
        worst = np.maximum(worst, 100.0 * np.abs(ratio - 1.0))
        text = f"{text}, median of {len(single)} rows with one region"
        made = distance(text, ratio, np.ones_like(ratio), 5.0, "%", "CONTACT", norms.median, 100.0)
        rows.append(made if judged else information(text, made.value, "%"))
    share = 100.0 * np.mean(worst <= 15.0)
    text = "rows with one region, all three within 15 %"
    rows.append(floor(text, share, 90.0, "%") if judged else information(text, share, "%"))
    if centroid:
        centres = zip(*(table[k]["centroids_mm"] for k in single), strict=True)
        text = "centroid of the pressure, largest error"
        rows.append(distance(text, *centres, 0.01, "mm", "CONTACT", norms.largest))
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


@check(
    "Wheel-rail contact: Manchester benchmark A-2.2, left wheel",
    ground=other_code("CONTACT; FASTSIM errs by 3 % of mu N in the mean and 10 % at most against exact solutions"),
)  # fmt: skip
def manchester():
    """Place, creepages and creep forces of 21 positions, with half-space pressure and with the model of the runs."""
    rows = []
    for half, name in ((True, "half space"), (False, "semi-Hertzian")):
        results = [benchmark_position(line, "left", half) for line in reference_rows("manchester_a22_left.csv")]
        forces = np.array([r["force_error"] for r in results])
        source = "Manchester A-2.2, CONTACT"
        if half:
            places = [np.array([r["place_mm"][k] for r in results]) for k in (0, 1)]
            text = f"{name}: reference point of the patch, largest error"
            rows.append(distance(text, *places, 0.3, "mm", source, norms.largest))
            creepages = [np.array([r["creepages"][k] for r in results]) for k in (0, 1)]
            text = f"{name}: creepages, largest error"
            rows.append(distance(text, *creepages, 1.0, "%", source, _creepage_error, 100.0))
        centroid = sorted(abs(r["centroid_dy_mm"]) for r in results)
        rows.append(information(f"{name}: centroid from the table's point, second largest", centroid[-2], "mm", source))
        rows.append(information(f"{name}: the same, largest (centred: wide flat patch)", centroid[-1], "mm", source))
        rows.append(floor(f"{name}: creep forces within 5 % of mu N, of 21", np.sum(forces <= 0.05), 18, "", source))
        text, both = f"{name}: creep forces, largest error", zip(*(r["forces"] for r in results), strict=True)
        rows.append(distance(text, *both, 10.0, "% of mu N", source, norms.largest, 100.0))
        rows += [
            information(f"{name}: creep force error, position {k + 1}", 100.0 * value, "% of mu N", source)
            for k, value in enumerate(forces)
        ]
    return rows


def _creepage_error(found, wanted):
    """Largest relative error of creepages (n, 3); smaller ones than 1e-4, 1e-4, 1e-3 1/m are compared with these."""
    return np.max(np.abs(found - wanted) / np.maximum(np.abs(wanted), [1e-4, 1e-4, 1e-3]))


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
    dict                 pairs of found and expected: place_mm of the reference point, creepages, forces [mu N]; and
                         dx_mm, dy_mm, centroid_dy_mm, creepage_error, force_error [mu N], load_ratio

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
    load = np.array([patch["normal_force"] for patch in patches])

    def mean(name):
        return float(load @ [patch[name] for patch in patches]) / load.sum()

    fx, fy = sum(patch["force_x"] for patch in patches), sign * sum(patch["force_y"] for patch in patches)
    creepage = np.array([mean("xi"), sign * mean("eta"), sign * mean("phi")])
    expected = np.array([-line["cksi"], line["ceta"], 1e3 * line["cphi_1_mm"]])
    mu_n = 0.30 * line["FN_N"]
    return {
        "place_mm": ((1e3 * mean("x_reference"), 1e3 * mean("y_reference")), (line["x_cp_tr_mm"], -line["y_cp_tr_mm"])),
        "centroid_dy_mm": 1e3 * mean("y_track") + line["y_cp_tr_mm"],
        "dx_mm": 1e3 * mean("x_reference") - line["x_cp_tr_mm"],
        "dy_mm": 1e3 * mean("y_reference") + line["y_cp_tr_mm"],
        "creepages": (creepage, expected),
        "creepage_error": float(_creepage_error(creepage, expected)),
        "forces": (np.array([fx, fy]) / mu_n, np.array([-line["FX_N"], line["FS_N"]]) / mu_n),
        "force_error": max(abs(fx + line["FX_N"]), abs(fy - line["FS_N"])) / mu_n,
        "load_ratio": load.sum() / line["FN_N"],
    }


@check(
    "Wheel-rail contact: equivalent conicity, EN 15302 E1 to E5",
    ground=exact("the standard's own tables and tolerance band, Annex E"),
)  # fmt: skip
def conicity():
    """Integration method at all 66 amplitudes against the standard's band."""
    tables, limits = reference_rows("en15302_delta_r.csv"), reference_rows("en15302_conicity.csv")
    rows = []
    for case in ("E1", "E2", "E3", "E4", "E5"):
        points = np.array([(line["y_mm"], line[case]) for line in tables if line[case] != ""])
        amplitude, value, low, high = np.array(
            [(line["amplitude_mm"], line[case], line[f"{case}_low"], line[f"{case}_high"]) for line in limits]
        ).T
        result = equivalent_conicity(DeltaR(*(1e-3 * points.T)), 1e-3 * amplitude)
        inside_table = ~result.beyond_table
        deviation = np.abs(result.integration - value)
        source = "EN 15302 Annex E"
        text, band = f"{case}: farthest from the band's middle, over its half width", (0.5 * (low + high), high - low)
        rows.append(distance(text, result.integration, band[0], 1.0, "", source, _over_half(0.5 * band[1])))
        rows.append(
            information(f"{case}: largest deviation within the table", deviation[inside_table].max(), "", source)
        )
        if result.beyond_table.any():
            text = f"{case}: largest deviation beyond it ({result.beyond_table.sum()} amplitudes)"
            rows.append(information(text, deviation[result.beyond_table].max(), "", source))
    return rows


def _over_half(width):
    """Norm: largest distance from the middle of bands of half widths (n,)."""
    return lambda found, middle: np.max(np.abs(found - middle) / width)
