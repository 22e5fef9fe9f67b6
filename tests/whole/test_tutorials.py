"""The tutorials of docs/tutorials, shortened: each runs, makes its picture and checks itself."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "tutorials"
SHORT = {"run.duration_s": 0.5, "run.settling_s": 0.1}
CALLS = {
    "own_mesh": {"modes_up_to_hz": 500.0},
    "own_vehicle": {"duration_s": 0.5, "model": "massless"},
    "measured_input": {"duration_s": 1.2, "model": "massless"},
    "stress_and_fatigue": {**SHORT, "track.model": "massless"},
    "spectra_and_error": {
        "highest_hz": 63.0, "step_hz": 4.0, "modes_up_to_hz": 500.0, "changes": {"track.model": "massless"},
    },
    "study": {**SHORT, "speeds": (50.0, 80.0), "radii": (250.0, 300.0), "workers": 0, "track.model": "massless",
              "run.start_position_m": 80.0, "irregularity.ramp_m": 5.0},
    "realtime_and_fmu": {"seconds": 0.3},
}  # fmt: skip


def module(name):
    spec = importlib.util.spec_from_file_location(f"tutorial_{name}", FOLDER / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_every_tutorial_is_run_and_shown():
    names = module("run_all").NAMES
    assert set(names) == set(CALLS) == {path.stem for path in FOLDER.glob("*.py")} - {"run_all"}
    for name in names:
        page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert f"{name}.py" in page and (FOLDER.parent / "images" / "tutorials" / f"{name}.png").is_file()


@pytest.mark.parametrize("name", CALLS)
def test_tutorial(name, tmp_path, monkeypatch, capsys):
    if name == "realtime_and_fmu":
        pytest.importorskip("fmpy")
        monkeypatch.setenv("CC", "cc -O0")
    *_, picture = module(name).main(tmp_path, **CALLS[name])
    assert Path(picture).stat().st_size > 5000
