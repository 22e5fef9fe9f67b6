"""Power and tangents of every tangential law on random patches.

    python benchmarks/creep_laws.py [patches]

20,000 ellipses of 1 to 12 mm, creepages from sticking to sliding, factors and initial slopes. Printed: cases that gain
energy, and the error of the quick tangents by xi, eta, phi against central differences, median and p90.
"""

from __future__ import annotations

import sys

import numpy as np

from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.semi_hertzian import STRIP, empty_strips
from flexwheel.contact.tangential import TANGENTIAL_LAWS, equivalent_ellipse, patch_creep_force
from flexwheel.numerics.kernels import handle, kernel

LOAD, FRICTION, STRIPS = 5e4, 0.3, 16
WORST_GAIN = 1e-12  # of mu N and creepage: rounding


@kernel
def force_of(tables, area, ratio, strip, load, creepage, force):
    """Creep force of an ellipse; gives its tangents."""
    return patch_creep_force(tables, equivalent_ellipse(tables, area, ratio), strip, STRIPS, load, creepage, force)


def main(count=20_000):
    """Figures of each law: cases that gain energy, and errors (3, 2) of the tangents by each creepage."""
    found = {}
    for name in TANGENTIAL_LAWS:
        rail, rng = rail_60e1(1 / 40), np.random.default_rng(7)
        law = {"k_adhesion": 0.3, "k_slip": 0.1} if name == "polach" else {}
        made = [
            handle(make_contact_tables(s1002(), rail, place(rail), tangential_law=name, tangential_keys=keys))
            for keys in ({}, law)
        ]
        gains, errors, force = 0, [[], [], []], np.zeros(3)
        for case in range(count):
            tables = made[case % 2]
            a, b = np.exp(rng.uniform(np.log(1e-3), np.log(1.2e-2), 2))
            strip, u = empty_strips(STRIPS), -1.0 + (2.0 * np.arange(STRIPS) + 1.0) / STRIPS
            strip[STRIP.half, :STRIPS], strip[STRIP.s, :STRIPS] = a * np.sqrt(1.0 - u**2), b * u
            strip[STRIP.width, :STRIPS] = 2.0 * b / STRIPS
            scale = np.array([1.0, 1.0, 1.0 / np.sqrt(a * b)])
            creepage = rng.normal(0, 1, 3) * 10.0 ** rng.uniform(-6, -1) * scale
            patch = tables, np.pi * a * b, a / b, strip, (LOAD, FRICTION)
            tangent = np.array(force_of(*patch, creepage, force)[:9]).reshape(3, 3) * scale
            gains += force @ creepage > WORST_GAIN * FRICTION * LOAD * np.linalg.norm(creepage / scale)
            if case % 20:
                continue
            least = FRICTION * LOAD / (82e9 * a * b)
            for k in range(3):
                step = 1e-5 * max(least, abs(creepage[k] / scale[k])) * scale[k] * np.eye(3)[k]
                sides = []
                for way in (1.0, -1.0):
                    force_of(*patch, creepage + way * step, force)
                    sides.append(force.copy())
                right = (sides[1] - sides[0]) / (2.0 * step[k]) * scale[k] * scale
                own = tangent[:, k] * scale
                if np.linalg.norm(right) > 1e-3 * 82e9 * a * b:
                    errors[k].append(np.linalg.norm(own - right) / np.linalg.norm(right))
        found[name] = gains, [(np.median(e), np.percentile(e, 90)) for e in errors]
        figures = ", ".join(f"{100 * m:.1f} / {100 * p:.0f} %" for m, p in found[name][1])
        print(f"{name}: {gains} of {count} gain energy; tangents by xi, eta, phi {figures}", flush=True)
    return found


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
