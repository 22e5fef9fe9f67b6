"""Creep forces of every method beside reference rows, for `flexwheel verify`."""

import csv
from pathlib import Path

import numpy as np

from flexwheel.contact.fastsim import fastsim
from flexwheel.contact.kalker_linear import kalker_linear
from flexwheel.contact.polach import polach


def creep_force_table(path):
    """Creep forces of FASTSIM, Polach and saturated linear theory beside reference rows.

    Parameters
    ----------
    path : str or Path   tests/data/contact/tangential_contact.csv; its frame is turned here once: x forward, y
                         right, z down, creepage rail minus wheel, force on the rail

    Returns
    -------
    list of dict         reference (its method), case, a_over_b, fx, fy [mu N], and the largest error of a
                         component [mu N] of fastsim (bound of the reference row), polach, linear
    """
    lines = [line for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    table = []
    for row in csv.DictReader(lines):
        name = row.pop("method")
        value = {key: float(text) for key, text in row.items()}
        a, b, load, mu = 1e-3 * value["a_mm"], 1e-3 * value["b_mm"], value["FN_N"], value["mu"]
        creepage = -value["xi"], value["eta"], 1e3 * value["phi_1_mm"]
        material = dict(shear_modulus=1e6 * value["G_MPa"], poisson=value["nu"])
        bound = "parabolic" if name.endswith("par") else "elliptic"
        forces = {
            "fastsim": fastsim(a, b, load, mu, *creepage, bound=bound, **material),
            "polach": polach(a, b, load, mu, *creepage, **material),
            "linear": kalker_linear(a, b, *creepage, mu=mu, load=load, **material),
        }
        expected = np.array([-value["fx_muN"], value["fy_muN"]])
        line = {"reference": name, "case": int(value["case"]), "a_over_b": a / b, "fx": expected[0], "fy": expected[1]}
        for method, force in forces.items():
            line[method] = float(np.abs(force[:2] / (mu * load) - expected).max())
        table.append(line)
    return table
