"""The exported C program compiles without a warning and reproduces the reference trajectory to 1e-10."""

import shutil
import subprocess

import pytest
from typer.testing import CliRunner

from flexwheel.base.errors import ScenarioError
from flexwheel.face.cli import make_app
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.export_c import export_c
from flexwheel.systems.locomotive.generated_locomotive import generate_step
from tests.systems.locomotive.realtime_support import EXAMPLE


def unfused(*settings):
    scenario = read_realtime_scenario(EXAMPLE, ["track.end_m=80.0", *settings])
    kernels = generate_step(scenario.values, scenario.motored, fused=False)
    return build_locomotive_run(scenario, kernels)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_thousand_steps(tmp_path):
    files = export_c(unfused(), tmp_path, steps=1000)
    assert {f.name for f in files} >= {"kernels.c", "locomotive.c", "locomotive.h", "main.c", "Makefile"}
    flags = ["-std=c99", "-O0", "-Wall", "-Werror", "-ffp-contract=off"]
    sources = [str(tmp_path / name) for name in ("main.c", "locomotive.c", "kernels.c", "data.c")]
    subprocess.run(["cc", *flags, *sources, "-o", str(tmp_path / "run"), "-lm"], check=True)
    done = subprocess.run([str(tmp_path / "run")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_command_writes_what_the_compiler_needs(tmp_path):
    short = ["--steps", "20", "--set", "track.end_m=80.0"]
    arguments = ["realtime-export", str(EXAMPLE), "--out", str(tmp_path / "c"), *short]
    done = CliRunner().invoke(make_app(), arguments)
    assert done.exit_code == 0, done.output
    assert {f.name for f in (tmp_path / "c").iterdir()} >= {"main.c", "Makefile", "reference.h"}


def test_export_leaves_the_state_alone(tmp_path):
    loco = unfused()
    before = loco.save_state()
    export_c(loco, tmp_path, steps=20)
    assert (loco.save_state() == before).all()


def test_other_method_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="imex"):
        export_c(unfused("contact.method='explicit'"), tmp_path)
