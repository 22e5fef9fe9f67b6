"""Mutations of room wear: slip of cells, angle of the material, laws, orders of the circumference."""

from .mutation import Mutation

TESTS = ("assess/test_wear_verified.py",)
SLIDING = (*TESTS, "-k", "sliding_cylinder")
ENERGY = (*TESTS, "-k", "slip_spends")
ROUND = (*TESTS, "-k", "uneven_load")
PASSED = (*TESTS, "-k", "has_passed")
LAWS = (*TESTS, "-k", "by_hand")
GROWTH = ("verification/test_wear_growth_verified.py",)
ACCUMULATE, SLIP, WORN = "assess/wear/accumulate.py", "assess/wear/strip_slip.py", "assess/wear/worn_wheel.py"

WEAR = (
    Mutation(
        "wear-elastic-slip", SLIP, "strip_slip", "0.5 * ((before_x + after_x) * x", "0.5 * ((before_x - after_x) * x",
        "elastic displacement spends energy", ENERGY,
    ),
    Mutation(
        "wear-angle-of-material", ACCUMULATE, "_add_patch",
        "angle = samples.angle[t] + (aj * u", "angle = samples.angle[t] - (aj * u",
        "cells ahead wear the material behind", PASSED,
    ),
    Mutation(
        "wear-pressed-way", ACCUMULATE, "_add_patch", "0.5 * math.pi * factor * aj * aj", "0.5 * math.pi * factor * aj",
        "load of a strip as its length, not its square", SLIDING,
    ),
    Mutation(
        "wear-place-on-profile", ACCUMULATE, "_add_patch",
        "middle, beside = _place(pose, strip, j)", "middle, beside = _place(pose, strip, 0)",
        "wear at the edge of its zone", SLIDING,
    ),
    Mutation(
        "wear-half-bin", WORN, "orders_of", "np.exp(-1j * np.pi * n / BINS)", "np.exp(1j * np.pi * n / BINS)",
        "middles of the bins on the wrong side", ROUND,
    ),
    Mutation(
        "wear-growth-sign", WORN, "order_growth", "growth = -orders_of", "growth = orders_of",
        "where more is lost the wheel grows", GROWTH,
    ),
    Mutation(
        "wear-brr-diameter", "assess/wear/wear_law.py", "", "_AREA = np.pi * 1e-12", "_AREA = 0.5 * np.pi * 1e-12",
        "radius for diameter", LAWS,
    ),
)  # fmt: skip
