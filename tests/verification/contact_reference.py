"""Reference rows of tests/data/contact, computed with the solver CONTACT (E. Vollebregt, Apache-2.0)."""

import csv
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "contact"


def rows(name):
    """Rows of a csv file as dictionaries, numbers as floats, comment lines left out."""
    lines = [line for line in (DATA / name).read_text().splitlines() if not line.startswith("#")]
    return [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(lines)]


def creep_case(row):
    """Arguments in SI and the package's frame, and force (fx, fy)/(mu N) and Mz [N m], of one tangential row.

    The table has y right and z down, creepage rail minus wheel and the force on the rail: turning the axes about
    x and exchanging the bodies changes the sign of xi and Fx, and of nothing else.
    """
    arguments = dict(
        a=1e-3 * row["a_mm"],
        b=1e-3 * row["b_mm"],
        load=row["FN_N"],
        mu=row["mu"],
        xi=-row["xi"],
        eta=row["eta"],
        phi=1e3 * row["phi_1_mm"],
        shear_modulus=1e6 * row["G_MPa"],
        poisson=row["nu"],
    )
    return arguments, (-row["fx_muN"], row["fy_muN"]), 1e-3 * row["Mz_Nmm"]


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text
