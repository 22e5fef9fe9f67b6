"""`flexwheel report` on runs of other kinds than a vehicle's: what the kind declares, and its own assessments."""

import numpy as np
import pytest

from flexwheel.assess.report import Reported, report_of
from flexwheel.assess.report_assumed import assumed_of
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.files import read_results
from tests.cli_cases import command
from tests.rooms import needs
from tests.train_scenario_text import GOOD


@pytest.fixture(scope="module")
def trains(tmp_path_factory):
    """Folders of two runs of a train."""
    folder = tmp_path_factory.mktemp("trains")
    (folder / "train.toml").write_text(GOOD, encoding="utf-8")
    for name, notch in (("strong", "[2, 6]"), ("weak", "[2, 3]")):
        more = ["--set", f"driving.notch={notch}", "-q"]
        assert command("run", str(folder / "train.toml"), "--out", str(folder / name), *more) == 0
    return folder / "strong", folder / "weak"


def blocks_of(report, heading):
    return next(section.blocks for section in report.sections if section.title == heading)


@needs("systems/train")
def test_a_train(trains):
    """Every variable over time has figures and a curve; the energy balance of the table closes."""
    report = report_of(trains)
    assert [s.title for s in report.sections] == [
        "Summary", "Results", "Energy balance", "Comparison of runs", "Assumed values", "Inputs", "Provenance",
    ]  # fmt: skip
    first = blocks_of(report, "Summary")
    forces = read_results(trains[0]).peak_force.values
    kilonewtons = [f"{abs(ends).max() / 1e3:.0f} kN" for ends in forces.T]
    assert first[0].look == "lead" and all(words in first[0].text for words in kilonewtons)
    results = blocks_of(report, "Results")
    names = {row[0] for block in results if type(block).__name__ == "Table" for row in block.rows}
    plots = {block.title.partition(":")[0] for block in results if type(block).__name__ == "Plot"}
    assert names == plots >= {"speed", "force", "pressure"}
    assert any(type(block).__name__ == "ReportPicture" for block in results)
    energy = dict(blocks_of(report, "Energy balance")[0].rows)
    parts = {name: float(value) for name, value in energy.items()}
    lost = sum(parts[name] for name in ("dynamic brake", "air brake", "ordinary", "curving", "couplers"))
    kept = sum(parts[name] for name in ("kinetic change", "height change", "coupler change"))
    assert parts["traction"] - lost - kept == pytest.approx(parts["residual"], abs=5e-3)  # ten figures of 1e-3 MJ
    assert ("driving.notch", "[2.0, 6.0]", "[2.0, 3.0]") in blocks_of(report, "Comparison of runs")[0].rows


@needs("systems/train", "systems/locomotive")
@pytest.mark.parametrize(
    "example, keys", [("train_4", ["run.duration_s=20"]), ("feve3000_curve", ["run.speed_kmh=30", "run.duration_s=1"])]
)
def test_the_scenario_in_results_is_the_one_as_run(example, keys, tmp_path):
    """With what --set gave, and every file found again: it repeats the run."""
    more = [word for key in keys for word in ("--set", key)]
    assert command("run", str(EXAMPLES / f"{example}.toml"), "--out", str(tmp_path / "one"), "-q", *more) == 0
    one = read_results(tmp_path / "one")
    assumed = assumed_of(Reported("one", tmp_path, one))
    assert assumed and all(value.what and (value.value or one.attrs["kind"] == "train") for value in assumed), assumed
    (tmp_path / "again.toml").write_text(one.attrs["scenario"], encoding="utf-8")
    assert command("run", str(tmp_path / "again.toml"), "--out", str(tmp_path / "two"), "-q") == 0
    two = read_results(tmp_path / "two")
    assert one.attrs["scenario"] == two.attrs["scenario"]
    assert all(np.array_equal(one[name], two[name]) for name in one.data_vars)


@needs("systems/train", "systems/reduced")
def test_runs_of_two_kinds_are_refused(trains, tmp_path, monkeypatch):
    monkeypatch.setattr("flexwheel.systems.reduced.run_reduced.draw", lambda *arguments: None)
    short = ["--set", "run.end_position_m=20", "--set", "reduced.full_model=false", "-q"]
    assert command("run", str(EXAMPLES / "wheelset_small_curve.toml"), "--out", str(tmp_path), *short) == 0
    with pytest.raises(FlexwheelError, match="report: runs must be of one kind, got train, reduced"):
        report_of([trains[0], tmp_path])
    report = report_of([tmp_path])
    first = [block.text for block in blocks_of(report, "Summary") if hasattr(block, "text")]
    assert first[0].startswith("Simplified model: ") and "full model was not run" in first[1]
    agreement = blocks_of(report, "Simplified against full model")
    assert "reduced.full_model = false" in agreement[0].text
