"""What does not fit is refused before it is begun, with the figure and the key to change."""

from pathlib import Path

import numpy as np
import pytest

from flexwheel.base import capacity
from flexwheel.base.capacity import available_memory, require_memory
from flexwheel.base.errors import ScenarioError
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.run_size import require_fit, run_size
from flexwheel.track.irregularity import file_record, roughness_record, spectral_record
from flexwheel.track.layout import make_layout
from flexwheel.track.psd import erri_b176
from flexwheel.track.segments import Straight
from tests import rooms

AS4 = "[run]\nduration_s = 14.0\n"


def test_the_estimate_grows_with_what_it_is_made_of():
    plain, long, coarse = (
        run_size(parse_scenario(AS4, overrides=o))
        for o in ([], ["run.duration_s=140"], ["run.output_step_s=1e-3", "run.step_s=1e-4"])
    )
    assert (plain.steps, plain.samples) == (280_000, 140_001)
    assert long.memory == pytest.approx(10 * plain.memory, rel=1e-4) and 9.9 < plain.disk / coarse.disk < 10.1
    assert 0.3e9 < plain.memory < 3e9  # 65 MB a simulated second were measured with one flexible wheelset


def test_a_run_beyond_the_memory_names_the_key(monkeypatch):
    """One that is kept in memory; those of `flexwheel run` go to the disk."""
    monkeypatch.setattr(capacity, "available_memory", lambda: 1e6)
    scenario = parse_scenario(AS4, overrides=["run.duration_s=3"])
    with pytest.raises(ScenarioError, match=r"run.output_step_s = 0.0001: 30001 samples") as caught:
        require_fit(run_size(scenario), scenario)
    error = str(caught.value)
    assert "\n" not in error and "0.001 GB available; raise run.output_step_s or shorten the run" in error


def test_the_check_of_a_vehicle_does_not_count_memory(monkeypatch):
    """An hour at 1 ms was refused for 73 GB of memory that it does not take."""
    from flexwheel.run.check_scenario import check_scenario

    monkeypatch.setattr(capacity, "available_memory", lambda: 1e6)
    example = Path(__file__).resolve().parents[2] / "examples"
    check_scenario(example / "manchester_tight_curve.toml", ["run.output_step_s=1e-3"])
    for path in rooms.examples("manchester_curve"):  # the simplified model keeps its samples
        with pytest.raises(ScenarioError, match="of memory needed, 0.001 GB available"):
            check_scenario(path, [])


def test_a_run_beyond_the_disk_is_refused_before_it_begins(tmp_path, monkeypatch):
    from collections import namedtuple

    from flexwheel.base import output_files

    usage = namedtuple("Usage", "total used free")
    monkeypatch.setattr(output_files.shutil, "disk_usage", lambda folder: usage(0, 0, 2**20))
    scenario = parse_scenario(AS4)
    with pytest.raises(ScenarioError, match=r"1 MB free on the disk; 140001 samples.* need \d+ MB"):
        require_fit(run_size(scenario), scenario, tmp_path)


def test_steps_without_end_are_refused():
    with pytest.raises(ScenarioError, match=r"run\.step_s = 1e-07: a run must have at most 2e\+09 steps, got 1e\+12"):
        run_size(parse_scenario(AS4, overrides=["run.duration_s=1e5", "run.step_s=1e-7", "run.output_step_s=1e-4"]))


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: spectral_record(erri_b176("high"), 100.0, 1, shortest_wave=1e-5), r"\.shortest_wave_m = 1e-05"),
        (lambda: spectral_record(erri_b176("high"), 1e6, 1, shortest_wave=0.01), r"\.shortest_wave_m = 0.01"),
        (lambda: roughness_record(1e6, 1), r"\.roughness_shortest_wave_m = 0.01"),
    ],
)  # fmt: skip
def test_irregularity_is_estimated_before_it_is_made(make, key):
    with pytest.raises(ScenarioError, match=f"{key}.* GB of memory needed"):
        make()


def test_waves_of_very_different_lengths_are_refused():
    """Blocks of 64 longest waves: 25 s of CPU, however short the run."""
    with pytest.raises(ScenarioError, match=r"shortest_wave_m = 0.003 beside waves of 100 m: too far apart"):
        spectral_record(erri_b176("high"), 100.0, 1, shortest_wave=0.003)


def test_the_estimate_covers_what_a_record_takes():
    """Peak of numpy's own count while a record is made."""
    import tracemalloc

    tracemalloc.start()
    try:
        record = spectral_record(erri_b176("high"), 2000.0, 1, shortest_wave=0.1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    samples = len(record.values)
    assert 0.3 < peak / ((64.0 + 160.0) * samples) < 1.0


def test_a_line_without_end_is_refused_and_a_long_one_is_quick():
    with pytest.raises(ScenarioError, match="layout must be at most 1e.06 m"):
        make_layout([Straight(9e5), Straight(9e5)])
    assert len(make_layout([Straight(2e5)]).plan) == 100_001


def test_file_with_spacings_out_of_all_proportion(tmp_path):
    header = "s_m,left_vertical_mm\n"
    (tmp_path / "x.csv").write_text(header + "0,0\n1e-300,0\n1,0\n1e300,0\n")
    with pytest.raises(ScenarioError, match="too many samples"):
        file_record(tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text(header + f"0,{5000 * '9'}\n1,0\n2,0\n3,0\n")
    with pytest.raises(ScenarioError, match=r"x\.csv:2 must be finite numbers") as error:
        file_record(tmp_path / "x.csv")
    assert len(str(error.value)) < 400


def test_available_memory_is_a_figure():
    assert 1e6 < available_memory()
    require_memory(1.0, "a byte", "")
    with pytest.raises(ScenarioError, match="expected at most 4 GB"):
        require_memory(5e9, "x", "y", most=4e9) if available_memory() > 4e9 else require_memory(
            np.inf, "x", "y", most=4e9
        )


def test_a_limit_of_the_process_counts(monkeypatch):
    monkeypatch.setattr(capacity.resource, "getrlimit", lambda which: (2**62, 2**62))
    assert capacity._of_process() < 2**62
