"""Tables of reference numbers that travel with the checks: csv files of `data/`, sources in their first lines."""

import csv
from pathlib import Path

DATA = Path(__file__).parent / "data"


def reference_rows(name):
    """Rows of the file `name` of `data/` as dictionaries; lines that begin with # are comments.

    Numbers are floats, but for the rail's name (60E1 would read as 600).
    """
    lines = [line for line in (DATA / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    rows = csv.DictReader(lines)
    return [{key: text if key == "rail" else _number(text) for key, text in row.items()} for row in rows]


def creep_case(row):
    """Arguments in SI and the package's frame, (fx, fy)/(mu N) and Mz [N m] of a row of tangential_contact.csv.

    The table has y right and z down, creepage rail minus wheel and the force on the rail: turning the axes about
    x and exchanging the bodies changes the sign of xi and Fx, and of nothing else.
    """
    arguments = dict(
        a=1e-3 * row["a_mm"],
        b=1e-3 * row["b_mm"],
        load=row["FN_N"],
        mu=row["mu"],
        creepage=(-row["xi"], row["eta"], 1e3 * row["phi_1_mm"]),
        shear_modulus=1e6 * row["G_MPa"],
        poisson=row["nu"],
    )
    return arguments, (-row["fx_muN"], row["fy_muN"]), 1e-3 * row["Mz_Nmm"]


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text
