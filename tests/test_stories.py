"""The stories of users under examples/stories: at most 15 lines each, each runs, shortened, and checks itself."""

import importlib.util
from pathlib import Path

import pytest

STORIES = Path(__file__).resolve().parents[1] / "examples" / "stories"
COARSE = str(STORIES.parents[1] / "meshes" / "wheelset_coarse.inp")
SHORT = {"run.duration_s": 0.6, "run.settling_s": 0.1}
MESHES = {f"wheelset.wheelset_{k}.mesh": COARSE for k in (1, 2, 3, 4)}
ROUGH = {"run.speed_kmh": 100.0, "wheelset.front.mesh": COARSE}
FEWER = {"modes_up_to_hz": 1500.0, "highest_hz": 100.0, "step_hz": 4.0, "harmonics": 1}
NEEDS = {"functional_unit": "fmpy", "safety": "plotly"}  # libraries that are no dependencies
CALLS = {
    "hot_spots": {"mesh": COARSE, **SHORT},
    "coach": {**SHORT, **MESHES, "run.duration_s": 0.3},
    "polygon": {**SHORT, "wheelset.front.formulation": "rigid", "run.duration_s": 1.0},
    "heat_map": {**SHORT, "track.model": "massless", "speeds": (50.0, 80.0), "radii": (250.0, 300.0), "workers": 0},
    "axle_fatigue": {"mesh": COARSE, **SHORT},
    "response_band": {"changes": ROUGH, "variants": ({},), **FEWER},
    "functional_unit": {"seconds": 0.2},
    "safety": {"run.end_position_m": 60.0, "run.settling_s": 0.2},
    "locomotive": {"run.duration_s": 0.5},
    "resume": {},
}
WORDS = ["run.duration_s=1000", "run.checkpoint_s=50", "run.check_tolerance=false"]


def test_every_story_is_run():
    assert sorted(CALLS) == sorted(path.stem for path in STORIES.glob("*.py")) and len(CALLS) >= 10


@pytest.mark.parametrize("name", CALLS)
def test_story(name, tmp_path, monkeypatch, capfd):
    path = STORIES / f"{name}.py"
    code = path.read_text(encoding="utf-8").partition("if __name__")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location(f"story_{name}", path)
    story = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(story)
    story.main(*(part for word in WORDS for part in ("--set", word) if name == "resume"), **CALLS[name])
    assert capfd.readouterr().out
