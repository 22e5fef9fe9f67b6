"""Contact laws beside closed forms and exact half-space solutions (solver CONTACT)."""

from __future__ import annotations

import numpy as np

from flexwheel.contact.creep_table import creep_force_table
from flexwheel.contact.static_load import normal_contact_table
from flexwheel.io.paths import PACKAGE_FOLDER
from flexwheel.verification.registry import bound, check, information

DATA = PACKAGE_FOLDER.parent / "tests" / "data" / "contact"


@check("FASTSIM against Kalker 1982 with three flexibilities", point=5)
def creep_forces():
    """Rows of the reference with both traction bounds, and the exact solutions beside every cheaper method."""
    table = creep_force_table(DATA / "tangential_contact.csv")
    rows = []
    for name in sorted({line["reference"] for line in table if line["reference"].startswith("FASTSIM_3flex")}):
        worst = max(line["fastsim"] for line in table if line["reference"] == name)
        rows.append(bound(f"largest error of a component, {name}", worst, 0.015, "mu N", "66 x 66 cells"))
    exact = [line for line in table if line["reference"].startswith("CONTACT_full")]
    for method in ("fastsim", "polach", "linear"):
        worst = max(line[method] for line in exact)
        rows.append(information(f"{method} against the exact solution, largest", worst, "mu N", "CONTACT"))
    return rows


@check("Normal contact of S1002 on UIC60 against the exact half space", point=5)
def normal_contact():
    """Median deviation over the patches with one region, and the deviation of every one of them."""
    table = normal_contact_table(DATA / "normal_contact_full.csv")
    single = [line for line in table if line["regions"] == 1]
    rows = []
    for name in ("peak_pressure", "area", "approach"):
        deviation = [100.0 * abs(line[f"{name}_ratio"] - 1.0) for line in single]
        rows.append(bound(f"{name.replace('_', ' ')}, median of {len(deviation)}", np.median(deviation), 5.0, "%"))
    for line in single:
        text = f"{line['rail']} {line['inclination']}, y = {line['shift_mm']:g} mm, {line['load_kn']:g} kN"
        rows.append(information(f"peak pressure over exact, {text}", line["peak_pressure_ratio"], "", "CONTACT"))
    return rows
