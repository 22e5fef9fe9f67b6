"""Runs that are interrupted and go on, for the tests of several rooms."""

import numpy as np

from flexwheel.results.checkpoint import Checkpoint
from flexwheel.results.files import open_results
from tests.cli_cases import ROOT

FLEXIBLE = {
    "wheelset.front.formulation": "flexible", "wheelset.front.mesh": ROOT / "meshes" / "wheelset_coarse.inp",
    "wheelset.front.fixed_interface_modes": 7, "wheelset.front.exact_below_hz": 0.0, "run.compare_modes": "[]",
}  # fmt: skip
SHORT = {"run.duration_s": 0.1, "run.checkpoint_s": 0.01}
LEDGER = {"output.also": '["elements", "energy"]'}
FLEXIBLE_CASE = "as4_curve.toml", FLEXIBLE | SHORT | {"wheelset.front.mode": "lagrangian"} | LEDGER


def different(a, b):
    """Names of the variables of two results that are not equal bit by bit."""
    a, b = (open_results(folder / "results.nc") for folder in (a, b))
    assert a.attrs["complete"] is b.attrs["complete"] is True

    def same(name):
        x, y = a[name].values, b[name].values
        return x.dtype == y.dtype and (np.array_equal(x, y) if x.dtype == object else x.tobytes() == y.tobytes())

    return [name for name in {*a.variables, *b.variables} if not (name in a and name in b and same(name))]


def stopped_once(monkeypatch):
    """Ctrl-C behind the first checkpoint that a loop saves, once; gives the paths that were gone on from."""
    save, restore, stopped, taken = Checkpoint.save, Checkpoint.restore, [], []

    def saved(self, moving, grown=None):
        save(self, moving, grown)
        if not stopped:
            stopped.append(self.path)
            raise KeyboardInterrupt

    def restored(self, moving, grown=None):
        found = restore(self, moving, grown)
        taken.extend([self.path] if found else [])
        return found

    monkeypatch.setattr(Checkpoint, "save", saved)
    monkeypatch.setattr(Checkpoint, "restore", restored)
    return taken
