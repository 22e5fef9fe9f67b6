"""Detection of contact points, after Falomi, Malvezzi and Meli 2011, Wear 271: DIST and DIFF against GRID, networks."""

import numpy as np

from flexwheel.assess.detection.compare import (
    DIFF,
    DIST,
    GRID_NORMAL,
    GRID_VERTICAL,
    LOOK_UP,
    NETWORKS,
    compare,
    points_of,
)
from flexwheel.assess.detection.configurations import Configurations, chosen, configuration
from flexwheel.assess.detection.explain import explain
from flexwheel.assess.detection.planes import fit_planes
from flexwheel.assess.detection.train_detection import train_detection
from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.verification import norms
from flexwheel.verification.check_registry import bound, check, claim, distance, exact, floor, information
from flexwheel.verification.first_touch_search import first_touch, vertical_gap

RADIUS = 0.46
ALLOWED = {40: 0.1, 20: 0.2}


PRESSED = 1e-6  # [m] below first touch: DIST has no point without indentation
SEARCHED = 40  # configurations; a search takes some tenths of a second
FIRST = claim(
    "paper 003 counts a point more than 2 mm off as wrong and has 0.7 to 2.6 % of them; 0.1, 0.2 and 1 % set beforehand"
)


def _pair(inverse):
    rail = rail_uic60_manchester(1.0 / inverse)
    placement = place(rail, radius=RADIUS)
    return make_contact_tables(s1002(), rail, placement), {"radius": RADIUS, "wheel_y": placement.wheel_y}


@check(
    "Contact points by DIST and DIFF against a search over both surfaces",
    ground=exact("search over the surfaces in space; tables with cells of 0.05 mm bend a profile by nanometres: 0.1 um "
                 "allowed in the gap, and 2 mm, the paper's tolerance, in the place"),
)  # fmt: skip
def against_search():
    """First touch of configurations spread over the paper's, in other code: it is a point of both methods."""
    rows = []
    for inverse in ALLOWED:
        rail = rail_uic60_manchester(1.0 / inverse)
        placement = place(rail, radius=RADIUS)
        wheel, tables = s1002(), make_detection_tables(_pair(inverse)[0])
        poses = np.stack(configuration(chosen(SEARCHED)), axis=1)
        found = np.array([first_touch(wheel, rail, placement, pose) for pose in poses])
        for name, method in (("DIFF", DIFF), ("DIST", DIST)):
            cases = Configurations(RADIUS, placement.wheel_y, *poses.T.copy(), -found[:, 0] - PRESSED)
            places, points = points_of(tables, method, cases)
            own = [p[np.nanargmin(np.hypot(*(p - f[1:]).T))] for p, f in zip(points, found, strict=True)]
            text = f"{name}, 1:{inverse}: place of first touch, {SEARCHED} configurations"
            rows.append(distance(text, 1e3 * np.array(own), 1e3 * found[:, 1:], 2.0, "mm", "search", norms.largest))
            gaps = [_least_gap(wheel, rail, placement, pose, eta) for pose, eta in zip(poses, places, strict=True)]
            text = f"{name}, 1:{inverse}: least gap at its points"
            rows.append(distance(text, 1e6 * np.array(gaps), 1e6 * found[:, 0], 0.1, "um", "search", norms.largest))
    return rows


def _least_gap(wheel, rail, placement, pose, places):
    """Least vertical gap [m] over the sections of the wheel at lateral coordinates (n,), by parabola."""
    angles = np.linspace(-0.08, 0.08, 1601)
    gap = vertical_gap(wheel, rail, placement, pose, angles[:, None], places[np.isfinite(places)])[0]
    k = np.clip(np.argmin(gap, axis=0), 1, len(angles) - 2)
    a, b, c = (gap[k + i, np.arange(gap.shape[1])] for i in (-1, 0, 1))
    return float((b - 0.125 * (a - c) ** 2 / (a - 2.0 * b + c)).min())


@check("Contact points by DIST and DIFF against GRID", ground=FIRST)
def semi_analytic():
    """Errors at 2 mm, times, and disagreements without a root of the derivative, over 10,000 configurations each.

    GRID shares the contact locus and the functions of distance with the methods: it checks their search for minima, not
    the geometry, which is checked against a search over both surfaces. DIST and DIFF measure differently and part where
    a second minimum is born beside the flange root; the paper's figure for them leaves open how a missing point counts.
    """
    rows = []
    for inverse, allowed in ALLOWED.items():
        contact, where = _pair(inverse)
        tables = make_detection_tables(contact)
        sums = compare(tables, chosen(10_000), every_search=1000, **where)
        for name, pair in (("DIST", (DIST, GRID_NORMAL)), ("DIFF", (DIFF, GRID_VERTICAL))):
            text = f"{name} against its GRID, 1:{inverse}"
            rows.append(bound(text, sums.error(pair), allowed, "%", "paper 0.7 to 2.1"))
            text = f"{name}: points that GRID has as well, 1:{inverse}"
            rows.append(floor(text, 100.0 - 100.0 * sums.missed[pair] / sums.points[pair], 100.0 - allowed, "%"))
            rows.append(information(f"{name}, time, 1:{inverse}", sums.microseconds(pair[0]), "us", "to beat: 10"))
        source = "paper: below 0.01 % of configurations, above 2 mm; missing points not mentioned there"
        rows.append(information(f"DIST against DIFF, 1:{inverse}", sums.error((DIST, DIFF)), "%", source))
        unexplained = [row for row in explain(tables, sums.disagreements, **where) if not row.explained]
        rows.append(bound(f"disagreements without the derivative's root, 1:{inverse}", len(unexplained), 0.0))
    return rows


@check("Contact points by networks and look-up table", slow=True, ground=FIRST)
def learned():
    """Errors at 2 mm and times after training, over 20,000 configurations each."""
    rows = []
    for inverse in ALLOWED:
        contact, where = _pair(inverse)
        tables = make_detection_tables(contact, train_detection(contact))
        sums = compare(tables, chosen(20_000), planes=fit_planes(tables, **where), every_search=2000, **where)
        error, pair = sums.error((NETWORKS, GRID_VERTICAL)), (NETWORKS, GRID_VERTICAL)
        rows.append(bound(f"networks against GRID, 1:{inverse}", error, 1.0, "%", "paper 1.4 to 2.6"))
        text = f"networks: points that GRID has as well, 1:{inverse}"
        rows.append(floor(text, 100.0 - 100.0 * sums.missed[pair] / sums.points[pair], 99.0, "%"))
        rows.append(information(f"table against GRID, 1:{inverse}", sums.error((LOOK_UP, GRID_VERTICAL)), "%"))
        rows.append(information(f"networks, time, 1:{inverse}", sums.microseconds(NETWORKS), "us", "to beat: 2"))
        rows.append(information(f"table, time, 1:{inverse}", sums.microseconds(LOOK_UP), "us", "to beat: 2"))
        rows.append(information(f"classification error Ec, 1:{inverse}", sums.class_error("network"), "%"))
        own, source = f"straight borders' error Ec, 1:{inverse}", "paper 0.91 and 0.85"
        rows.append(information(own, sums.class_error("planes"), "%", source))
        own, source = f"networks' total error E_NN, 1 mm, 1:{inverse}", "paper 2.12 and 2.41"
        rows.append(information(own, sums.network_error(), "%", source))
    return rows
