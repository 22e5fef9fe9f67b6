"""Detection of contact points, after Falomi, Malvezzi and Meli 2011, Wear 271: DIST and DIFF against GRID, networks."""

from __future__ import annotations

from flexwheel.contact.detection.compare import (
    DIFF,
    DIST,
    GRID_NORMAL,
    GRID_VERTICAL,
    LOOK_UP,
    NETWORKS,
    compare,
)
from flexwheel.contact.detection.configurations import chosen
from flexwheel.contact.detection.explain import explain
from flexwheel.contact.detection.tables import make_detection_tables
from flexwheel.contact.detection.train import train_detection
from flexwheel.contact.tables import make_contact_tables
from flexwheel.profiles.placement import place
from flexwheel.profiles.rail_60e1 import rail_uic60_manchester
from flexwheel.profiles.s1002 import s1002
from flexwheel.verification.registry import bound, check, information

RADIUS = 0.46
ALLOWED = {40: 0.1, 20: 0.2}


def _pair(inverse):
    rail = rail_uic60_manchester(1.0 / inverse)
    placement = place(rail, radius=RADIUS)
    return make_contact_tables(s1002(), rail, placement), {"radius": RADIUS, "wheel_y": placement.wheel_y}


@check("Contact points by DIST and DIFF against GRID", point=0)
def semi_analytic():
    """Errors at 2 mm, times, and disagreements without a root of the derivative, over 10,000 configurations each."""
    rows = []
    for inverse, allowed in ALLOWED.items():
        contact, where = _pair(inverse)
        tables = make_detection_tables(contact)
        sums = compare(tables, chosen(10_000), every_search=1000, **where)
        for name, pair in (("DIST", (DIST, GRID_NORMAL)), ("DIFF", (DIFF, GRID_VERTICAL))):
            rows.append(bound(f"{name} against its GRID, 1:{inverse}", sums.error(pair), allowed, "%"))
            rows.append(information(f"{name}, time, 1:{inverse}", sums.microseconds(pair[0]), "us", "to beat: 10"))
        rows.append(information(f"DIST against DIFF, 1:{inverse}", sums.error((DIST, DIFF)), "%"))
        unexplained = [row for row in explain(tables, sums.disagreements, **where) if not row.explained]
        rows.append(bound(f"disagreements without the derivative's root, 1:{inverse}", len(unexplained), 0.0))
    return rows


@check("Contact points by networks and look-up table", point=0, slow=True)
def learned():
    """Errors at 2 mm and times after training, over 20,000 configurations each."""
    rows = []
    for inverse in ALLOWED:
        contact, where = _pair(inverse)
        tables = make_detection_tables(contact, train_detection(contact))
        sums = compare(tables, chosen(20_000), every_search=2000, **where)
        rows.append(bound(f"networks against GRID, 1:{inverse}", sums.error((NETWORKS, GRID_VERTICAL)), 1.0, "%"))
        rows.append(information(f"table against GRID, 1:{inverse}", sums.error((LOOK_UP, GRID_VERTICAL)), "%"))
        rows.append(information(f"networks, time, 1:{inverse}", sums.microseconds(NETWORKS), "us", "to beat: 2"))
        rows.append(information(f"table, time, 1:{inverse}", sums.microseconds(LOOK_UP), "us", "to beat: 2"))
        rows.append(information(f"classification error Ec, 1:{inverse}", sums.class_error("network"), "%", "paper 0.9"))
    return rows
