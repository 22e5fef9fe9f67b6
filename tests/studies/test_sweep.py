"""Studies: points, doors, figures, failures, restart, a worker that is killed."""

import json
import os
import signal

import numpy as np
import pytest
import xarray as xr

import flexwheel as fw
from flexwheel.assess.evaluate.fatigue import WoehlerCurve
from flexwheel.base import child_python
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.face.cli import main
from flexwheel.numerics.integration import newmark
from flexwheel.run.any_kind import run_source
from flexwheel.run.build.build_track import build_rail
from flexwheel.run.keys.changed_vehicle import source_of_run
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.run.keys.track_keys import LayoutSegment, TrackSection
from flexwheel.run.run_folder import LOCK_NAME
from flexwheel.studies import sweep_study as sweep_module
from flexwheel.studies import worker, workers
from flexwheel.studies.figures import figures_of, needed_variables
from flexwheel.studies.journal import JOURNAL_NAME, read_records
from flexwheel.studies.plan import planned_runs, read_study, study_of
from flexwheel.studies.sampling import points
from flexwheel.studies.study_figures import effects, study_figures, worst_of
from flexwheel.studies.study_keys import FigureTable, StudySection, VaryTable
from flexwheel.studies.sweep_study import Workforce, sweep
from flexwheel.studies.worker import run_task
from flexwheel.vehicle.vehicle_file import read_vehicle
from tests import cf_rules, rooms
from tests.resume_cases import different, stopped_once
from tests.train_scenario_text import GOOD

HERE = Workforce(workers=0)
VARY = '[[vary]]\nkey = "run.start_position_m"\nname = "start"\nvalues = [400.0, 450.0, 500.0]\n'
FIGURE = '[[figure]]\nname = "draft"\nof = "force"\ntake = "max"\nworst = true\n'


@pytest.fixture
def study_file(tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    rooms.skip_without("systems/train")
    (tmp_path / "train.toml").write_text(GOOD, encoding="utf-8")

    def write(vary=VARY, figure=FIGURE, study=""):
        path = tmp_path / "study.toml"
        text = f'[study]\nscenario = "train.toml"\nset = ["run.duration_s=2.0"]\n{study}\n{vary}\n{figure}'
        path.write_text(text, encoding="utf-8")
        return path

    return write


def table(**keys):
    return VaryTable.model_validate(keys)


def test_a_latin_hypercube_has_one_point_in_every_slice():
    study = StudySection(scenario="x", sampling="latin_hypercube", runs=20, seed=3)
    vary = (
        table(key="a", low=2.0, high=4.0),
        table(key="b", low=1.0, high=100.0, log=True),
        table(key="c", values=["u", "v"]),
    )
    found = points(study, vary)
    a, b, c = zip(*found, strict=True)
    assert sorted(int(20 * (x - 2.0) / 2.0) for x in a) == list(range(20))
    assert sorted(int(20 * np.log(x) / np.log(100.0)) for x in b) == list(range(20))
    assert sorted(c) == ["u"] * 10 + ["v"] * 10
    assert found == points(study, vary)


def test_grids_and_lists():
    two = (table(key="a", values=[1, 2]), table(key="b", low=0.0, high=1.0, count=3))
    grid = points(StudySection(scenario="x"), two)
    assert grid == [(1, 0.0), (1, 0.5), (1, 1.0), (2, 0.0), (2, 0.5), (2, 1.0)]
    alone = points(StudySection(scenario="x", sampling="one_at_a_time"), two)
    assert alone == [(None, None), (1, None), (2, None), (None, 0.0), (None, 0.5), (None, 1.0)]
    with pytest.raises(ScenarioError, match="a 2, b 3"):
        points(StudySection(scenario="x", sampling="together"), two)


def test_no_run_is_made_twice():
    """A list that holds a value twice was swept as it stood; together, lists may repeat what another varies."""
    twice = table(key="a.k", values=[1.0, 2, 1])
    for sampling in ("grid", "one_at_a_time"):
        with pytest.raises(ScenarioError, match="vary.k: value 3 must differ from all before it, got 1 like 1"):
            points(StudySection(scenario="x", sampling=sampling), (twice,))
    together = StudySection(scenario="x", sampling="together")
    rows = points(together, (twice, table(key="b", values=[[1], [1], [2]])))
    assert rows == [(1.0, [1]), (2, [1]), (1, [2])]
    with pytest.raises(ScenarioError, match=r"'together': run 3 must differ .* got \(1, \[1\]\) like 1"):
        points(together, (twice, table(key="b", values=[[1], [1], [1]])))


@pytest.mark.parametrize(
    "change, said",
    [
        (dict(study='colour = "red"'), r"unknown key study.colour \(.*study.toml:4\); known here: .*sampling"),
        (dict(vary=VARY.replace("start_position_m", "start_place_m")), "run 0 .*unknown key run.start_place_m"),
        (dict(vary=VARY.replace("500.0", '"far"')), "run 2 of the study .*must be a number.*'far'"),
        (dict(figure=FIGURE.replace('"force"', '"forse"')), "of must be one of .*got 'forse'; did you mean force?"),
        (dict(figure=FIGURE.replace('"max"', '"most"')), "'most' of force must be one of max"),
        (dict(figure=FIGURE + "percent = 5.0\n"), "percent is not read with take = 'max'"),
        (dict(figure=FIGURE + "where = { wheel = 1 }\n"), "where.wheel must be a dimension of force \\(coupling\\)"),
        (dict(figure=FIGURE.replace('"draft"', '"start"')), "'start' is the name of both"),
        (dict(figure=FIGURE.replace('"draft"', '"a/b"')), "figure.0.name: String should match pattern"),
        (dict(vary=VARY.replace('"start"', '"seconds"')), "vary.0.name must be none of run, status"),
        (dict(study='sampling = "latin_hypercube"'), "runs belongs to"),
        (dict(vary='[[vary]]\nkey = "run.speed_kmh"\nlow = 3.0\n'), "give values, or low and high"),
        (dict(vary="[[vary]]\nkey = []\nname = 'a'\nvalues = [1.0, 2.0]\n"), "key is empty"),
        (dict(vary='[[vary]]\nkey = "vehicle.bodies.car_body.mass_kg"\nvalues = [1.0]\n'), "'train' names no vehicle"),
    ],
)  # fmt: skip
def test_wrong_studies_end_before_a_run(study_file, tmp_path, capsys, change, said):
    with pytest.raises(SystemExit) as stop:
        main(["sweep", str(study_file(**change)), "--out", str(tmp_path / "out"), "--workers", "0"])
    error = capsys.readouterr().err
    assert stop.value.code == 2 and error.count("\n") == 1, error
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(error)
    assert not (tmp_path / "out" / JOURNAL_NAME).exists()


def test_keys_of_the_vehicle_file(tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path))
    path = EXAMPLES / "as4_curve.toml"
    text = path.read_text(encoding="utf-8")
    source = source_of_run(text, path, ["vehicle.bodies.car_body.mass_kg=25000.0", "run.speed_kmh=50"])
    own, changed = read_vehicle("as4"), read_vehicle(source.scenario.vehicle.file)
    assert changed.bodies["car_body"]["mass_kg"] == 25000.0 and source.scenario.run.speed_kmh == 50.0
    label = {item.key: item for item in changed.labels}["bodies.car_body.mass_kg"]
    assert label.confidence == "assumed" and {**own.bodies, "car_body": 0} == {**changed.bodies, "car_body": 0}
    with pytest.raises(ScenarioError, match="no key 'bodies.car_body.mass', did you mean mass_kg"):
        source_of_run(text, path, ["vehicle.bodies.car_body.mass=1"])


def test_figures_are_those_of_the_run_alone(study_file, tmp_path):
    figures = FIGURE + '[[figure]]\nname = "mean of each"\nof = "force"\ntake = "mean"\n'
    study = read_study(study_file(figure=figures))
    found = sweep(study, tmp_path / "out", HERE)
    assert list(found.status.values) == ["complete"] * 3, found.message.values
    assert found.start.values.tolist() == [400.0, 450.0, 500.0]
    for run in planned_runs(study):
        results = run_source(source_of_run(study.base.text, study.base.path, run.overrides))
        after = results.force.values[results.time.values > 1.0]
        assert float(found.draft[run.number]) == after.max()
        np.testing.assert_allclose(found["mean of each"][run.number].values, after.mean(axis=0), rtol=1e-12, atol=1e-9)
    assert found["mean of each"].dims == ("run", "coupling") and found.draft.attrs["units"] == "N"
    assert xr.load_dataset(tmp_path / "out" / "study.nc").draft.equals(found.draft)
    assert not cf_rules.broken(tmp_path / "out" / "study.nc")


def test_names_of_dimensions_may_be_taken(study_file, tmp_path):
    """What is varied is called as a dimension of a figure, and a figure as its own."""
    figures = '[[figure]]\nname = "side"\nof = "peak_force"\n[[figure]]\nof = "force"\ntake = "mean"\n'
    found = sweep(read_study(study_file(vary=VARY.replace('"start"', '"coupling"'), figure=figures)), tmp_path, HERE)
    assert found.side.dims == ("run", "coupling of side", "side of side") and found.coupling.dims == ("run",)
    assert xr.load_dataset(tmp_path / "study.nc").side.equals(found.side)


def test_a_failing_run_is_kept_and_only_what_is_missing_is_made(study_file, tmp_path, monkeypatch, capsys):
    made = []

    def counted(task):
        made.append(task.number)
        return run_task(task)

    monkeypatch.setattr(workers, "run_task", counted)
    out, beyond = tmp_path / "out", VARY.replace("450.0", "6000.0")  # the route ends at 5000 m
    found = sweep(read_study(study_file(vary=beyond)), out, HERE)
    assert found.status.values.tolist() == ["complete", "failed", "complete"] and made == [0, 1, 2]
    assert "route" in str(found.message[1].values) and np.isnan(found.draft.values[1])
    again = sweep(read_study(study_file(vary=beyond)), out, HERE)
    assert made == [0, 1, 2] and again.draft.equals(found.draft)
    sweep(read_study(study_file(vary=beyond)), out, Workforce(0, retry_failed=True))
    assert made == [0, 1, 2, 1]
    journal = out / JOURNAL_NAME
    lines = journal.read_text().splitlines()
    journal.write_text(lines[0] + "\n" + lines[2][: len(lines[2]) // 2])  # killed within a line
    sweep(read_study(study_file()), out, HERE)  # 450 in place of 6000, 500 torn
    assert made == [0, 1, 2, 1, 1, 2]
    assert len([json.loads(line) for line in journal.read_text().splitlines() if line.endswith("}")]) == 3
    assert main(["sweep", str(study_file(vary=beyond)), "--out", str(out), "--workers", "0"]) is None
    assert "run 1 (start 6000.0): failed: " in capsys.readouterr().out


def test_records_whose_figures_are_not_whole_are_left_out(tmp_path):
    figure = {"values": [1.0, 2.0], "dims": ["wheel"], "labels": {"wheel": ["left", "right"]}, "units": "N"}
    odd = [{"labels": {}}, {"values": [1.0]}, {"values": "x"}, {"units": 1}, {"labels": {"wheel": [[], {}]}}, {}]
    told = {"status": "complete", "message": ""}
    records = [told | {"digest": str(k), "figures": {"q": figure | item}} for k, item in enumerate(odd)]
    lines = map(json.dumps, [*records, told | {"digest": "7", "figures": [1]}])
    (tmp_path / JOURNAL_NAME).write_text("\n".join(lines))
    assert list(read_records(tmp_path)) == ["5"]


def test_files_that_a_run_reads_are_part_of_it(tmp_path):
    """A wheel profile that is drawn anew makes the runs of a study anew."""
    from flexwheel.run.keys.reader import read_scenario_source

    own = tmp_path / "own.csv"
    seen = []
    for ordinate in (1.0, 2.0):
        own.write_text(f"y,z\n0,0\n1,{ordinate}\n", encoding="utf-8")
        os.utime(own, ns=(0, int(ordinate)))
        scenario = read_scenario_source(EXAMPLES / "as4_curve.toml", [f"contact.wheel_profile={own.as_posix()}"])
        study = study_of(scenario, {"vary": [{"key": "run.speed_kmh", "values": [60.0]}]})
        seen.append(planned_runs(study)[0].digest)
    assert seen[0] != seen[1]


def test_interrupted_studies_go_on(study_file, tmp_path, monkeypatch):
    def interrupted(task):
        if task.number == 1:
            raise KeyboardInterrupt
        return run_task(task)

    monkeypatch.setattr(workers, "run_task", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep(read_study(study_file()), tmp_path / "out", HERE)
    left = xr.load_dataset(tmp_path / "out" / "study.nc")
    assert left.status.values.tolist() == ["complete", "missing", "missing"]
    monkeypatch.setattr(workers, "run_task", run_task)
    assert set(sweep(read_study(study_file()), tmp_path / "out", HERE).status.values) == {"complete"}


def test_journals_put_together_are_the_whole_study(study_file, tmp_path):
    """As several machines make the parts of one."""
    whole = tmp_path / "whole"
    whole.mkdir()
    for start in ("[400.0, 450.0]", "[500.0]"):
        sweep(read_study(study_file(vary=VARY.replace("[400.0, 450.0, 500.0]", start))), tmp_path / start, HERE)
        with (whole / JOURNAL_NAME).open("ab") as stream:
            stream.write((tmp_path / start / JOURNAL_NAME).read_bytes())
    found = sweep(read_study(study_file()), whole, HERE)
    assert found.made_now == 0 and np.isfinite(found.draft).all()
    one = sweep(read_study(study_file()), tmp_path / "one", HERE)
    np.testing.assert_array_equal(found.draft.values, one.draft.values)


def test_a_killed_worker_is_replaced(study_file, tmp_path, monkeypatch):
    """The only worker is killed after its first run: another one makes the rest, and the figures are the same."""
    started, start = [], workers._start
    monkeypatch.setattr(workers, "_start", lambda *arguments: started.append(start(*arguments)) or started[-1])

    def kill_the_first(fraction, note):
        if 0.0 < fraction < 1.0 and len(started) == 1:
            os.kill(started[0].pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            started[0].wait()

    study = read_study(
        study_file(vary=VARY.replace("values = [400.0, 450.0, 500.0]", "low = 400.0\nhigh = 500.0\ncount = 8"))
    )
    found = sweep(study, tmp_path / "two", Workforce(1), kill_the_first)
    assert len(started) == 2 and all(process.poll() is not None for process in started)
    assert found.draft.values.tolist() == sweep(study, tmp_path / "one", HERE).draft.values.tolist()


def test_nothing_is_left_of_workers_that_cannot_start(study_file, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "LOOK", 0.05)
    monkeypatch.setattr(child_python.sys, "executable", "false" if os.name == "posix" else "where")
    with pytest.raises(sweep_module.FlexwheelError, match="workers die one after the other"):
        sweep(read_study(study_file()), tmp_path / "out", Workforce(2))


def test_a_run_that_takes_its_workers_along_is_listed(study_file, tmp_path, monkeypatch):
    """Two of three are made; the worker that comes to the third is killed there."""
    started, start, give = [], workers._start, workers._Staff.give
    monkeypatch.setattr(workers, "_start", lambda log: started.append(start(log)) or started[-1])

    def killing(staff, waiting):
        for one in staff.members:
            if waiting and waiting[0].number == 1 and one.ready and one.task is None:
                one.process.kill()
        give(staff, waiting)

    monkeypatch.setattr(workers._Staff, "give", killing)
    monkeypatch.setattr(workers, "DEATHS", 0)  # a worker's start takes seconds
    found = sweep(read_study(study_file()), tmp_path / "out", Workforce(1))
    assert found.status.values.tolist() == ["complete", "failed", "complete"]
    assert "its worker died, and so did those that tried again" in str(found.message[1].values)
    assert len(started) == 2 and all(process.poll() is not None for process in started)


def test_a_journal_that_cannot_be_written_ends_in_one_line(study_file, tmp_path):
    (tmp_path / "out" / JOURNAL_NAME).mkdir(parents=True)
    with pytest.raises(sweep_module.FlexwheelError, match=f"{JOURNAL_NAME}: cannot be written: "):
        sweep(read_study(study_file()), tmp_path / "out", HERE)


def history(**arrays):
    time = np.arange(0.0, 5.0, 1e-3)
    coordinates = {"time": time, "wheelset": ["front"], "body": ["front"], "path": ["s", "y", "z"]}
    place = np.zeros((len(time), 1, 3))
    place[:, 0, 0] = 20.0 * time
    data = {"body_position": (("time", "body", "path"), place)}
    return xr.Dataset(data | {name: make(time) for name, make in arrays.items()}, coordinates, {"settling_s": 1.0})


def test_damage_of_a_sine_is_miners_sum():
    """50 Hz, 400 MPa range in one direction: 50 cycles a second at 20 m/s are 2500 a km."""

    def stress(time):
        values = np.zeros((len(time), 1, 2, 6))
        values[:, 0, 0, 0] = 200e6 * np.sin(2.0 * np.pi * 50.0 * time)
        return ("time", "control_node", "point", "stress_component"), values

    results = history(stress=stress).assign_coords(control_node=["n"], point=["rotating", "fixed"])
    found = figures_of(results, [FigureTable(of="stress", take="damage_per_km", slope=4.0, bending_mpa=180.0)])
    expected = 2500.0 / float(WoehlerCurve(360e6, slope=4.0).cycles(400e6))
    (value,) = found["stress damage_per_km"]["values"]
    assert value == pytest.approx(
        expected, rel=0.01
    )  # half a cycle at each end of 200, direction to 0.2 % of the range


@pytest.mark.parametrize(
    "take, expected",
    [("max", 3), ("min", -1), ("mean", 1), ("range", 4), ("abs_max", 3), ("rms", 3**0.5), ("std", 2**0.5)],
)  # fmt: skip
def test_reductions_of_a_sine_after_settling(take, expected):
    """1 + 2 sin over whole periods; before settling a value of 100."""
    signal = lambda t: (("time", "wheel"), np.where(t <= 1.0, 100.0, 1.0 + 2.0 * np.sin(20.0 * np.pi * t))[:, None])  # noqa: E731
    results = history(patch_count=signal).assign_coords(wheel=["front left"])
    figure = FigureTable(of="patch_count", take=take, worst=True)
    assert figures_of(results, [figure])[figure.label]["values"] == pytest.approx(expected, rel=1e-3)


def test_only_what_figures_read_is_stored():
    force = FigureTable(of="wheel_force", take="max")
    assert needed_variables([force]) == ("body_position", "wheel_force")
    assert needed_variables([force, FigureTable(of="von_mises", take="max")]) == ()  # made of many others


def test_effects_of_a_linear_figure():
    """y = 3 a - 2 b on a hypercube: the regression is exact."""
    vary = (table(key="a", low=0.0, high=1.0), table(key="b", low=10.0, high=20.0))
    a, b = np.array(points(StudySection(scenario="x", sampling="latin_hypercube", runs=15), vary)).T
    values = 3.0 * a - 2.0 * b
    coordinates = {"a": ("run", a), "b": ("run", b)}
    attributes = {"sampling": "latin_hypercube", "varied": "a\nb", "title": ""}
    dataset = xr.Dataset({"y": ("run", values, {"units": "N"})}, coordinates, attributes)
    middle, bars, words = effects(dataset, values, ["a", "b"])
    assert middle == pytest.approx(values.mean()) and words.endswith("R2 = 1.00")
    assert [high - low for _, low, high, _ in bars] == pytest.approx([3.0 * np.ptp(a), -2.0 * np.ptp(b)])
    assert set(study_figures(dataset, "y")) == {"tornado", "points"}
    words = dataset.assign_coords({key: ("run", ["x", "y", "z"] * 5) for key in "ab"})  # of profiles alone
    assert set(study_figures(words, "y")) == {"tornado"}


def test_pictures_show_the_worst_wheel():
    """Of a smallest value the smallest one."""
    for take, worst in (("min", 1.0), ("max", 3.0)):
        values = xr.Dataset({"Q": (("run", "wheel"), [[3.0, 1.0, 2.0]], {"take": take})})
        assert worst_of(values, "Q").tolist() == [worst]


def test_bands_of_their_own_are_bands():
    """Of two figures with third octaves over other ranges the second has a dimension of its own."""
    values = (("run", "band of Y", "wheel"), np.ones((2, 3, 4)), {"units": "N"})
    dataset = xr.Dataset({"Y": values}, {"v": ("run", [1.0, 2.0]), "band of Y": [10.0, 12.5, 16.0]})
    assert set(study_figures(dataset.assign_attrs(varied="v", sampling="grid", title=""), "Y")) == {"bands"}


def test_lines_that_are_not_drawn_are_counted():
    attributes = {"varied": "v", "sampling": "grid", "title": ""}
    dataset = xr.Dataset({"Q": (("run", "wheel"), np.ones((2, 12)))}, {"v": ("run", [1.0, 2.0])}, attributes)
    assert study_figures(dataset, "Q")["lines"].axes[0].get_xlabel() == "v; 4 further lines are not drawn"


def test_axes_name_a_unit_once():
    """A key ends in its unit: speed_kmh is the speed in km/h; a key without one keeps its words."""
    varied = {"speed_kmh": ([50.0, 60.0] * 2, "km/h"), "radius_m": ([250.0, 250.0, 300.0, 300.0], "m")}
    places = {key: ("run", values, {"units": unit}) for key, (values, unit) in varied.items()}
    attributes = {"varied": "speed_kmh\nradius_m", "sampling": "grid", "title": ""}
    dataset = xr.Dataset({"Y": ("run", np.arange(4.0))}, places, attributes)
    axis = study_figures(dataset, "Y")["map"].axes[0]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("speed [km/h]", "radius [m]")


def test_a_full_disk_is_not_waited_for(tmp_path, monkeypatch):
    """The lock of the cache cannot be taken: not because another process holds it."""
    (tmp_path / LOCK_NAME).mkdir()
    monkeypatch.setattr(worker, "without_space", lambda folder: "no space left on the disk")
    with pytest.raises(ScenarioError, match="cannot be written"), worker._alone(tmp_path, tmp_path / "x.made"):
        pass


def test_view_draws_the_figures_of_a_study(study_file, tmp_path, capsys):
    out = tmp_path / "out"
    sweep(read_study(study_file()), out, HERE)
    assert main(["view", str(out), "--json"]) is None
    assert json.loads(capsys.readouterr().out)["files"] == [str(out / "pictures" / "draft_lines.png")]
    whole = xr.load_dataset(out / "study.nc")
    for part in (whole.drop_vars("start"), whole.assign_attrs(title=3)):
        part.to_netcdf(tmp_path / "study.nc")
        with pytest.raises(SystemExit, match="2"):
            main(["view", str(tmp_path / "study.nc")])
        assert "study.nc: not the figures of a study" in capsys.readouterr().err


def test_rails_at_hand_are_those_made_anew():
    """Another curve takes the same window; whatever the rails are made of, another one."""
    track = TrackSection(window_margin_bays=20, absorbing_bays=10)
    curve = track.model_copy(update={"layout": (LayoutSegment(kind="arc", length_m=500.0, radius_m=400.0),)})
    first = build_rail(track, newmark(5e-5), 8.5, 100.0)
    assert build_rail(curve, newmark(5e-5), 8.5, 900.0) is first
    soft = track.model_copy(update={"rail": "r65"})
    others = [build_rail(soft, newmark(5e-5), 8.5, 100.0), build_rail(track, newmark(1e-4), 8.5, 100.0)]
    assert all(other is not first for other in others)
    again = build_rail(track, newmark(5e-5), 8.5, 100.0)  # two are kept
    assert again is not first
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, two)


def test_an_interrupted_run_of_a_study_goes_on(tmp_path, monkeypatch):
    rooms.skip_without("systems/train")
    gone_on = stopped_once(monkeypatch)
    (tmp_path / "train.toml").write_text(GOOD)
    settings = ["run.duration_s=8", "run.checkpoint_s=4", "run.check_tolerance=false"]
    base = read_scenario_source(tmp_path / "train.toml", settings)
    tables = {
        "study": {"keep_results": True}, "vary": [{"key": "run.start_position_m", "values": [400.0, 450.0]}],
        "figure": [{"of": "force", "worst": True}],
    }  # fmt: skip
    study, out = study_of(base, tables), tmp_path / "study"
    with pytest.raises(KeyboardInterrupt):
        sweep(study, out, Workforce(workers=0))
    assert not (out / "study.nc").exists() and not (out / "runs.jsonl").exists()  # no run has an end
    assert set(sweep(study, out, Workforce(workers=0)).status.values) == {"complete"}
    assert gone_on == [out / "runs" / "00000" / "resume" / gone_on[0].name]
    fw.run(fw.Scenario(base).changed({"run.start_position_m": 400.0}), tmp_path / "alone", quiet=True)
    assert different(out / "runs" / "00000", tmp_path / "alone") == []
