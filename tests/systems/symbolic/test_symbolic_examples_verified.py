"""The linkage examples check themselves: energy of the four-bar linkage, closed-form transmission of a spatial loop."""

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_four_bar_keeps_its_energy_at_fourth_order():
    module = load("four_bar")
    coarse = module.main(duration=0.2, step=1e-2, verbose=False)
    fine = module.main(duration=0.2, step=5e-3, verbose=False)
    assert fine < coarse / 8.0  # fourth order would be 16; the projection takes its share
    assert coarse < 1e-7


def test_spatial_loop_transmits_as_the_closed_form():
    assert load("spatial_loop").main(points=5, verbose=False) == pytest.approx(0.0, abs=1e-10)
