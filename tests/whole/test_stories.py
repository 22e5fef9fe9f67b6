"""The stories of users under examples/stories: at most 15 lines each, each runs, shortened, and checks itself."""

import importlib.util

import pytest

from tests.story_calls import CALLS, NEEDS, STORIES

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
    monkeypatch.setenv("CC", "cc -O0")  # of functional units; the compiler's time
    spec = importlib.util.spec_from_file_location(f"story_{name}", path)
    story = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(story)
    story.main(*(part for word in WORDS for part in ("--set", word) if name == "resume"), **CALLS[name])
    assert capfd.readouterr().out
