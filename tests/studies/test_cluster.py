"""Studies made by the workers of a dask cluster: figures of this process, refusals in one line."""

import json
import re
import shutil
import subprocess
import tomllib

import pytest
import typer
from packaging.specifiers import SpecifierSet

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.face.cli import main, make_app
from flexwheel.results.files import loaded
from flexwheel.studies.plan import read_study
from flexwheel.studies.sweep_study import Workforce, sweep
from tests import rooms
from tests.train_scenario_text import GOOD

DOCS = EXAMPLES.parent / "docs"
STUDY = """[study]
scenario = "train.toml"
set = ["run.duration_s=2.0"]
[[vary]]
key = "run.start_position_m"
values = [400.0, 450.0]
[[figure]]
of = "force"
take = "max"
worst = true
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    rooms.skip_without("systems/train")
    (tmp_path / "train.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    return tmp_path / "study.toml"


def cluster(threads=1):
    """Scheduler on a port of this machine, with a worker in this process."""
    distributed = pytest.importorskip("distributed")
    place = dict(processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None)
    return distributed.LocalCluster(n_workers=1, threads_per_worker=threads, **place)


def test_runs_of_a_cluster_are_those_of_this_process(study, tmp_path):
    alone = sweep(read_study(study), tmp_path / "alone", Workforce(workers=0))
    with cluster() as machines:
        words = ["--scheduler", machines.scheduler_address, "--out", str(tmp_path / "far"), "--quiet"]
        main(["sweep", str(study), *words])
        far = loaded(tmp_path / "far" / "study.nc")
    assert set(far.status.values) == {"complete"}
    (figure,) = alone.data_vars
    assert far[figure].values.tolist() == alone[figure].values.tolist()


def test_a_worker_with_threads_is_refused(study, tmp_path):
    with cluster(threads=2) as machines:
        force = Workforce(scheduler=machines.scheduler_address)
        with pytest.raises(FlexwheelError, match=r"must have one thread \(dask worker --nthreads 1\), got 2"):
            sweep(read_study(study), tmp_path / "far", force)


def test_who_makes_the_runs_is_said_once(study, tmp_path, monkeypatch):
    with pytest.raises(ScenarioError, match="--workers is of processes of this machine"):
        Workforce(workers=2, scheduler="tcp://127.0.0.1:1")
    pytest.importorskip("distributed")
    for place, said in (("tcp://127.0.0.1:1", "no dask scheduler answers"), ("gone.json", "file that exists")):
        monkeypatch.setattr("flexwheel.studies.cluster.CONNECT", 0.2)
        with pytest.raises(ScenarioError, match=said):
            sweep(read_study(study), tmp_path / "out", Workforce(scheduler=place))


def test_container_file_and_job_script_name_what_is_there():
    """Version of Python, extras, program, files and options; the shell reads the script."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (DOCS / "container" / "Containerfile").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    assert [w[0] for w in words] == ["FROM", "RUN", "COPY", "RUN", "ENV", "RUN", "WORKDIR", "ENTRYPOINT"]
    version = re.fullmatch(r"docker.io/library/python:([\d.]+)-slim", words[0][1]).group(1)
    assert SpecifierSet(project["requires-python"]).contains(version)
    assert json.loads(words[-1][1])[0] in project["scripts"]
    page = (DOCS / "cluster.md").read_text(encoding="utf-8")
    for extras in re.findall(r"(?:flexwheel|/src|\.)\[([a-z,]+)\]", page + " ".join(lines)):
        assert set(extras.split(",")) <= set(project["optional-dependencies"])
    ignored = (DOCS.parent / ".dockerignore").read_text(encoding="utf-8").split()
    needed = project["readme"], project["license"]["file"], "pyproject.toml", "flexwheel", "meshes", "track", "examples"
    assert not set(ignored) & set(needed) and all((DOCS.parent / name).exists() for name in needed)
    script = DOCS / "container" / "sweep.slurm"
    if shutil.which("bash"):
        assert subprocess.run(["bash", "-n", str(script)]).returncode == 0
    call = script.read_text(encoding="utf-8").splitlines()[-1].split()
    known = {option for p in typer.main.get_command(make_app()).commands[call[1]].params for option in p.opts}
    assert call[0] == "flexwheel" and {word for word in call if word.startswith("--")} <= known
