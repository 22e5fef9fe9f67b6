"""The stories of users under examples/stories: at most 15 lines each, each runs, shortened, and checks itself."""

import importlib.util
import subprocess
import sys

import pytest

from tests.cli_cases import command
from tests.story_calls import CALLS, NEEDS, STORIES

WORDS = ["run.duration_s=1000", "run.checkpoint_s=50", "run.check_tolerance=false"]
LAW = "own_friction_law"
AFTER_IT = f"""
import runpy
runpy.run_path({str(STORIES / LAW)!r} + ".py")["main"](**{CALLS[LAW]})
import flexwheel as fw
contact = {{"friction_law": "mine", "mine_friction": {{"decay_s_m": 2.0}}}}
print(fw.Scenario.of({{"run": {{"duration_s": 1.0}}, "contact": contact}})["contact.mine_friction.decay_s_m"])
try:
    fw.register(fw.FrictionLaw("late", "falls"))
except fw.ScenarioError as error:
    print(error)
"""


def test_every_story_is_run():
    assert sorted(CALLS) == sorted(path.stem for path in STORIES.glob("*.py")) and len(CALLS) >= 10


def called(*words):
    """A command in this process, which must do what it is asked."""
    assert command(*words) == 0


@pytest.mark.parametrize("name", CALLS)
def test_story(name, tmp_path, monkeypatch, capfd):
    path = STORIES / f"{name}.py"
    code = path.read_text(encoding="utf-8").partition("if __name__")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    if name == LAW:  # registered before the first scenario of a Python, and never after
        done = subprocess.run([sys.executable, "-c", AFTER_IT], capture_output=True, text=True, check=True)
        *_, value, said = done.stdout.splitlines()
        assert value == "2.0" and "friction law 'late' must be registered before the first scenario" in said
        return
    monkeypatch.setenv("CC", "cc -O0")  # of functional units; the compiler's time
    spec = importlib.util.spec_from_file_location(f"story_{name}", path)
    story = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(story)
    if name == "resume":  # what is killed is a process of its own; what follows need not be
        monkeypatch.setattr(story.subprocess, "run", lambda words, check: called(*words[1:]))
    story.main(*(part for word in WORDS for part in ("--set", word) if name == "resume"), **CALLS[name])
    assert capfd.readouterr().out
