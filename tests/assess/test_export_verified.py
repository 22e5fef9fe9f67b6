"""Histories for other programs: read back by the libraries of each format; spectra of a lower rate against the whole.

Levels: a sum of sines of known amplitude between 0.02 and 0.4 of the new rate keeps each amplitude to 0.1 dB; one
above 0.6 of it, which would fold into the band, is gone by 80 dB, as the filter is designed.
"""

import sys

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.io import loadmat

from flexwheel.assess.export import export_results
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.extensions.exports import channels
from flexwheel.face import accessor  # noqa: F401  gives results.fw
from tests.cli_cases import command

STEP, SPAN, WHEELS = 1e-4, (0.7, 1.2), ["front left", "front right"]


@pytest.fixture(scope="module")
def results():
    time = 0.5 + STEP * np.arange(20001)
    force = np.random.default_rng(3).normal(8.8e4, 2e4, (time.size, 2, 3)).astype(np.float32)
    gaps = np.where(time[:, None] < 1.0, np.nan, np.random.default_rng(4).normal(size=(time.size, 2)))
    data = {
        "wheel_force": (("time", "wheel", "force"), force, {"units": "N", "long_name": "force on the rail"}),
        "patch_xi": (("time", "wheel"), gaps.astype(np.float32), {"units": "1", "long_name": "creepage"}),
        "patch_count": (("time", "wheel"), np.ones((time.size, 2), np.int32), {"units": "1", "long_name": "patches"}),
        "place": (("time",), 22.2 * time, {"units": "m", "long_name": "way"}),
    }
    labels = {"time": time, "wheel": WHEELS, "force": ["longitudinal", "Y", "Q"]}
    return xr.Dataset(data, labels, {"title": "made up", "kind": "vehicle", "complete": False, "status": "stopped"})


def columns_of(path):
    """Time, and values by the name of the channel, as another library reads them."""
    if path.suffix == ".csv":
        frame = pd.read_csv(path)
        return frame.pop("time [s]").to_numpy(), {name.rpartition(" [")[0]: frame[name].to_numpy() for name in frame}
    if path.suffix == ".mat":
        found = loadmat(path, simplify_cells=True)
        time = found.pop("time")
        parts = {name: one for name, one in found.items() if isinstance(one, dict) and name != "about"}
        assert found["about"]["complete"] == "false" and parts["wheel_force"]["units"] == "N"
        return time, {
            name: column
            for one in parts.values()
            for name, column in zip(np.atleast_1d(one["names"]), np.atleast_2d(one["value"].T), strict=True)
        }
    if path.suffix == ".uff":
        pyuff = pytest.importorskip("pyuff")
        sets = [one for one in pyuff.UFF(str(path)).read_sets() if one["type"] == 58]
        assert {one["id4"].strip() for one in sets} == {"complete false"}
        assert {one["rsp_dir"] for one in sets if one["id1"].startswith("wheel_force")} == {1, 2, 3}
        return sets[0]["x"], {one["id1"].strip(): one["data"] for one in sets}
    if path.suffix == ".mf4":
        asammdf = pytest.importorskip("asammdf")
        with asammdf.MDF(str(path)) as file:
            signals = [one for one in file.iter_channels() if one.name != "time"]
            assert {one.unit for one in signals} == {"N", "1", "m"}
            return signals[0].timestamps, {one.name: one.samples for one in signals}
    if path.suffix == ".rsp":
        rpc3 = pytest.importorskip("rpc3")
        found, params = rpc3.read(str(path))
        assert {one.unit for one in found} == {"N", "m"} and "complete false" in params["OPERATION"]
        return SPAN[0] + found[0].time(), {one.name: one.data for one in found}
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(str(path))
    assert table.schema.field("place").metadata[b"units"] == b"m" and table.schema.metadata[b"complete"] == b"false"
    return table["time"].to_numpy(), {name: table[name].to_numpy() for name in table.column_names if name != "time"}


@pytest.mark.parametrize("suffix", [".csv", ".mat", ".uff", ".mf4", ".parquet", ".rsp"])
def test_each_format_is_read_back_by_its_library(results, tmp_path, suffix):
    path = tmp_path / f"histories{suffix}"
    names, span = ["wheel_*", "patch_xi", "place"], SPAN
    if suffix == ".rsp":
        pytest.importorskip("rpc3")
    if suffix in (".uff", ".rsp"):  # they have no value for a gap
        with pytest.raises(FlexwheelError, match="patch_xi front left has gaps"):
            export_results(results, path, names, span=span)
        names.remove("patch_xi")
    export_results(results, path, names, span=span)
    time, found = columns_of(path)
    rows = slice(2000, 7001)
    np.testing.assert_allclose(time, results.time.values[rows], rtol=0.0, atol=1e-9)
    assert len(found) == 6 + 2 * ("patch_xi" in names) + 1
    for k, wheel in enumerate(WHEELS):
        for j, force in enumerate(("longitudinal", "Y", "Q")):
            own = results.wheel_force.values[rows, k, j]
            # nine digits in text, 24 bits of single precision; elsewhere the values themselves
            digits = {".csv": 1e-8, ".rsp": 2.0**-24}.get(suffix, 0.0)
            np.testing.assert_allclose(found[f"wheel_force {wheel} {force}"], own, rtol=digits)
        if "patch_xi" in names:
            np.testing.assert_allclose(found[f"patch_xi {wheel}"], results.patch_xi.values[rows, k], rtol=1e-8)
    np.testing.assert_allclose(found["place"], 22.2 * results.time.values[rows], rtol=1e-7)


@pytest.mark.parametrize("rate", [1000.0, 3000.0, 4096.0])
def test_a_lower_rate_keeps_amplitudes_and_folds_nothing(results, rate):
    time = results.time.values
    inside = rate * np.array([0.02, 0.1, 0.25, 0.4])
    outside = rate * np.array([0.61, 0.83, 0.99])
    phase = 2.0 * np.pi * (time[:, None] - time[0]) * np.concatenate([inside, outside])
    one = results[["place"]].assign(place=("time", np.cos(phase).sum(axis=1), {"units": "m"}))
    found = channels.channels(one, ["place"], span=(0.8, 2.2), rate_hz=rate)
    at, values = found.frame.index.to_numpy(), found.frame["place"].to_numpy()
    assert found.step == pytest.approx(1.0 / rate) and np.diff(at) == pytest.approx(1.0 / rate)
    # least squares on all lines within the band and where those outside fold to
    lines = np.concatenate([inside, rate - outside])
    waves = np.concatenate([f(2.0 * np.pi * lines * (at[:, None] - time[0])) for f in (np.cos, np.sin)], axis=1)
    part, *_ = np.linalg.lstsq(waves, values, rcond=None)
    level = 20.0 * np.log10(np.hypot(*part.reshape(2, -1)))
    assert np.abs(level[:4]).max() < 0.1 and np.abs(part[7:11]).max() < 1e-3  # and in phase
    assert level[4:].max() < -78.0


def test_same_samples_where_the_rate_is_a_part_of_it(results):
    smooth = results[["place"]]
    found = smooth.fw.frame("place", rate_hz=500.0, span=(1.0, 2.0))
    assert found["place"].to_numpy() == pytest.approx(22.2 * found.index.to_numpy(), rel=1e-4)
    one = results.fw.frame("wheel_force", wheel="front right", force="Q")
    np.testing.assert_array_equal(one["wheel_force front right Q"], results.wheel_force.values[:, 1, 2])


WRONG = {
    "variable": ({"names": ["wheel_fores"]}, "variable must be one of wheel_force, .* got 'wheel_fores'"),
    "none": ({"names": []}, "name a variable at least"),
    "dimension": ({"where": {"side": "left"}}, "none of wheel_force has side"),
    "label": ({"where": {"force": "X"}}, "force must be one of longitudinal, Y, Q, got 'X'"),
    "span before": ({"span": (-1.0, 1.0)}, "span must be within 0.5 to 2.5 s of the results, got -1 to 1 s"),
    "span": ({"span": (3.0, None)}, "span must be within 0.5 to 2.5 s of the results, got 3 to 2.5 s"),
    "higher": ({"rate_hz": 2e4}, "at most 10000, that of the results, got 20000"),
    "zero": ({"rate_hz": 0.0}, r"\(--rate-hz\) must be above 0"),
    "odd": ({"rate_hz": 3333.3}, "3333.33333 Hz is the nearest"),
    "gaps": ({"names": ["patch_xi"], "rate_hz": 1e3}, "patch_xi front left has gaps"),
    "counts": ({"names": ["patch_count"], "rate_hz": 1e3}, "whole numbers"),
    "short": ({"rate_hz": 10.0}, "too short for the filter"),
    "suffix": ({"name": "a.xls"}, "suffix must be one of .csv, .*got .xls"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_one_line(results, tmp_path, case):
    words, message = WRONG[case]
    words = {"names": ["wheel_force"]} | words
    path = tmp_path / words.pop("name", "a.csv")
    with pytest.raises(ScenarioError, match=message) as caught:
        export_results(results, path, **words)
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())


def test_a_dimension_named_twice_is_refused(capsys):
    """The last label would win in silence."""
    words = ["--to", "a.csv", "-v", "wheel_force", "--where", "force=Q", "--where", "force=Y"]
    assert command("export", "anywhere", *words) == 2
    assert "--where must name a dimension once" in capsys.readouterr().err


def test_a_library_that_is_not_there(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "asammdf", None)
    with pytest.raises(ScenarioError, match="needs asammdf: pip install"):
        export_results(results, tmp_path / "a.mf4", ["place"])
    assert not list(tmp_path.iterdir())


def test_what_rpc_cannot_hold_is_refused(results, tmp_path):
    pytest.importorskip("rpc3")
    large = results[["place"]] * 1e38
    with pytest.raises(FlexwheelError, match=r"place is beyond single precision, up to 5.55e\+39"):
        export_results(large, tmp_path / "a.rsp", ["place"])
    many = xr.Dataset(
        {"x": (("time", "wheel"), np.ones((5, 166)))}, {"time": STEP * np.arange(5), "wheel": np.arange(166)}
    )
    with pytest.raises(FlexwheelError, match="at most 165 channels, got 166"):
        export_results(many, tmp_path / "b.rsp", ["x"])
