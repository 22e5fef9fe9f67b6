"""`import flexwheel as fw`: names, light import, types, an example in every docstring; calls give what lies below."""

import importlib.metadata
import importlib.util
import inspect
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import flexwheel as fw
from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.face.accessor import Accessor
from flexwheel.face.plots import Plots
from flexwheel.numerics.spectra import power_spectral_density, third_octaves
from flexwheel.results.dataset import make_dataset
from flexwheel.results.files import loaded, open_results, write_results
from flexwheel.track.irregularity import file_record
from tests import rooms

ROOT = Path(fw.__file__).parent
COARSE = ROOT.parent / "meshes" / "wheelset_coarse.inp"
CLASSES = (fw.Body, fw.VehicleBody, fw.Scenario, fw.Vehicle, fw.Wheelset, fw.Track, Accessor, Plots)
CALLS = [getattr(fw, name) for name in fw.__all__ if name[0].islower()]


def in_python(code):
    """Standard output of a Python of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_loads_nothing():
    """Of its own and of others; 0.3 s is the limit, of which a Python without it takes a tenth."""
    code = "import sys; before = set(sys.modules); import flexwheel; dir(flexwheel); print(*set(sys.modules) - before)"
    loaded = {name for name in in_python(code).split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert loaded == {"flexwheel"}
    assert {"run", "contact", "Scenario", "fit", "linear", "profile", "irregularity", "mesh", "Sensor"} <= set(dir(fw))
    assert all(hasattr(fw, name) for name in dir(fw)) and "sys" not in dir(fw)
    with pytest.raises(AttributeError, match="no attribute 'rum'"):
        fw.rum  # noqa: B018


def test_packages_are_functions_too():
    """Whoever imports flexwheel.run and flexwheel.contact first: the face here, others in a Python of its own."""
    code = (
        "import flexwheel.run.simulation, flexwheel.contact.gap\nimport flexwheel as fw, inspect\n"
        "from flexwheel.run import run_scenario\nimport flexwheel.contact.gap as g\n"
        "print(callable(fw.run), list(inspect.signature(fw.contact).parameters)[:2], fw.run.__name__, g.__name__)"
    )
    assert in_python(code).strip() == "True ['wheel', 'rail'] flexwheel.run flexwheel.contact.gap"
    assert callable(fw.run) and list(inspect.signature(fw.contact).parameters)[:2] == ["wheel", "rail"]
    assert sys.modules["flexwheel.run"] is fw.run and "out" in inspect.signature(fw.run).parameters


def test_every_public_name_has_an_example():
    for kind in CLASSES:
        fields = getattr(kind, "__dataclass_fields__", ())
        members = [value for name, value in vars(kind).items() if not name.startswith("_") and name not in fields]
        for item in (kind, *members):
            assert "Example\n" in (inspect.getdoc(item) or ""), (kind, item)
    for call in CALLS:
        assert "Example\n" in inspect.getdoc(call) and "Returns\n" in inspect.getdoc(call), call
    own = "Body run open_results response eigen contact report VehicleBody Scenario Vehicle Wheelset Track Results"
    assert sorted(fw.__all__) == sorted([*own.split(), *(["sweep"] if rooms.there("studies") else [])])


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")
@pytest.mark.skipif("FLEXWHEEL_TYPES" not in os.environ, reason="takes 15 s; FLEXWHEEL_TYPES=1 asks for it")
def test_types_of_the_face(tmp_path):
    """Of the face itself, and of a script that uses it; a wrong argument is found."""
    script = tmp_path / "use.py"
    good = "import flexwheel as fw\nx = fw.run(fw.Scenario.example('as4_curve'), 'out').fw.psd('wheel_force').values\n"
    check = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    script.write_text(good)
    for files in ([], [str(script)]):  # without files: those of pyproject.toml
        subprocess.run([*check, *files], check=True, cwd=ROOT.parent)
    script.write_text(good + "fw.run(3)\nfw.open_results('x').fw.psdd('y')\n")
    wrong = subprocess.run([*check, str(script)], capture_output=True, text=True, cwd=ROOT.parent)
    assert wrong.returncode == 1 and "2 errors" in wrong.stdout


def test_scenarios():
    scenario = fw.Scenario.example("as4_curve", {"run.speed_kmh": np.float64(60.0)})
    assert (scenario["run.speed_kmh"], scenario["track.layout.2.radius_m"], scenario.kind) == (60.0, 300.0, "vehicle")
    heavy = scenario.changed({"vehicle.bodies.car_body.mass_kg": 40e3, "run.compare_modes": []})
    assert heavy.vehicle.mass_kg - scenario.vehicle.mass_kg == pytest.approx(6500.0)
    assert heavy["run.speed_kmh"] == 60.0 and scenario.vehicle.name == fw.Vehicle.read("as4").name
    own = fw.Scenario.of({"run": {"duration_s": 1.0}, "track": {"model": "rigid"}})
    assert (own["run.duration_s"], own["track.model"], own["track.rail"]) == (1.0, "rigid", "uic60")
    with pytest.raises(KeyError, match="run.sped_kmh: no 'sped_kmh'; known here: title, speed_kmh"):
        scenario["run.sped_kmh"]
    with pytest.raises(ScenarioError, match="run.speed_kmh must be"):
        scenario.changed({"run.speed_kmh": "fast"})
    with pytest.raises(ScenarioError, match="an example must be one of as4_curve.*got 'as5'"):
        fw.Scenario.example("as5")
    for make in (fw.Scenario, fw.Scenario.of):  # pyright: ignore
        with pytest.raises(ScenarioError, match=r"(?=.*Scenario\.read).*got .*'as4_curve'"):
            make("as4_curve")


def test_a_wheelset_and_a_track_go_into_a_scenario():
    wheelset = fw.Wheelset.from_mesh(COARSE, modes_up_to_hz=500.0, control_nodes=["tread_right"])
    track = fw.Track.of(layout=[{"kind": "arc", "length_m": 500.0, "radius_m": -600.0, "cant_mm": 100.0}], rail="r65")
    scenario = fw.Scenario.example(
        "as4_curve", {"wheelset.front": wheelset, "track": track, "vehicle": fw.Vehicle.read("as4")}
    )
    assert scenario.wheelsets["front"].section == wheelset.section and scenario.track.section == track.section
    assert len(wheelset.mesh.nodes) == 2955 and track.length_m == 500.0
    assert float(track.alignment(50).curvature[25]) == pytest.approx(-1.0 / 600.0, rel=1e-3)
    assert np.allclose(track.receptance([100.0]).receptance.sel(axis="z", load_axis="z").imag < 0.0, True)
    with pytest.raises(ScenarioError, match="unknown key .*moods.*did you mean mode"):
        fw.Wheelset.from_mesh(COARSE, moods=3)
    with pytest.raises(MeshError, match="there is no such file"):
        fw.Wheelset.from_mesh("none.inp")
    with pytest.raises(ScenarioError, match="rail_mass must be .*Track"):
        fw.Track.of(rail_mass="heavy")


@rooms.needs("studies")
def test_objects_and_toml_both_ways(tmp_path):
    """A track with heights of an array, and all else, as text and back; heights of two sources are refused."""
    s = np.arange(0.0, 100.0, 0.5)
    sz = np.stack([s, 1e-3 * np.sin(s)], axis=1)
    track = fw.Track(model="rigid", layout=[{"kind": "straight", "length_m": 214.0}], excitation=sz)
    scenario = fw.Scenario.example("manchester_s_curve", {"track": track})
    (tmp_path / "own.toml").write_text(scenario.toml())
    again = fw.Scenario.read(tmp_path / "own.toml")
    assert again.toml() == scenario.toml() and again.track == scenario.track and again.vehicle == scenario.vehicle
    record = file_record(again["irregularity.file"])
    np.testing.assert_array_equal(record.values, np.outer(sz[:, 1], [0.0, 1.0, 0.0, 1.0]))
    with pytest.raises(ScenarioError, match="irregularity: given by an object beside it too"):
        scenario.changed({"track": track, "irregularity.ramp_m": 0.0})
    for wrong in ("x", np.zeros((4, 3)), [[0.0, np.nan]]):
        with pytest.raises(ScenarioError, match="irregularity.*got"):
            fw.Track(excitation=wrong)


def test_excitation_of_a_copy_without_studies_is_refused(monkeypatch):
    monkeypatch.delattr(fw, "irregularity", raising=False)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    with pytest.raises(ScenarioError, match="excitation needs flexwheel.studies"):
        fw.Track(excitation=np.zeros((4, 2)))


@rooms.needs("studies")
def test_objects_show_themselves():
    """In one line that says what they are, and in HTML that begins with it."""
    scenario = fw.Scenario.example("manchester_s_curve")
    shown = (scenario, scenario.vehicle, scenario.track, fw.Body(1.0, 1.0, 1.0, 1.0, (0.0, 0.0, 1.0)))
    for one in (*shown, fw.Wheelset.from_mesh(COARSE), fw.Sensor("car_body")):
        assert repr(one).startswith(f"<{type(one).__name__} ") and len(repr(one)) < 120 and "\n" not in repr(one)
        assert one._repr_html_().startswith(f"<div><b>{type(one).__name__} ")
    one_stretch = fw.Track(layout=[{"kind": "straight", "length_m": 9.0}])
    assert repr(one_stretch).endswith(", 1 stretch>")
    with pytest.raises(ScenarioError, match=r"Body: position_m must be three numbers, got \(0.0, 1.0\)"):
        fw.Body(1.0, 1.0, 1.0, 1.0, (0.0, 1.0))


@pytest.mark.parametrize("mass", [-1, 0.0, "1 t", float("nan"), True, None])
def test_a_body_refuses_a_mass_that_is_none(mass):
    """Where it is made, and not when a vehicle is built of it; its line of text raised ValueError."""
    with pytest.raises(ScenarioError, match=f"Body: mass_kg must be a positive number, .*got {mass!r}"):
        fw.Body(mass, 1.0, 1.0, 1.0, (0.0, 0.0, 1.0))
    with pytest.raises(ScenarioError, match=f"Body: yaw_inertia_kg_m2 must be a positive number, .*got {mass!r}"):
        fw.Body(np.float32(1.0), 1, 1.0, mass, np.zeros(3))


def test_a_shipped_mesh_by_its_name(tmp_path, monkeypatch):
    """As in a scenario; a file of that name in the working folder goes first."""
    monkeypatch.chdir(tmp_path)
    wheelset = fw.Wheelset.from_mesh("wheelset_coarse.inp")
    assert wheelset.section.mesh == str(COARSE) and wheelset.name == "wheelset_coarse"
    (tmp_path / "wheelset_coarse.inp").write_text("own")
    assert fw.Wheelset.from_mesh("wheelset_coarse.inp").section.mesh == str(tmp_path / "wheelset_coarse.inp")
    with pytest.raises(MeshError, match="none.inp must be a mesh of a wheelset, but there is no such file"):
        fw.Wheelset.from_mesh("none.inp")


def test_scenarios_go_to_other_processes_and_into_sets(tmp_path):
    """multiprocessing pickles them (it could not); equal keys are equal scenarios, wherever they were read from."""
    scenario = fw.Scenario.example("manchester_s_curve", {"run.speed_kmh": 33.0})
    (tmp_path / "resolved.toml").write_text(scenario.toml())
    again = {pickle.loads(pickle.dumps(scenario)), fw.Scenario.read(tmp_path / "resolved.toml"), scenario}
    assert len(again) == 1 and again.pop()["run.speed_kmh"] == 33.0
    assert scenario != scenario.changed({"run.speed_kmh": 34.0})


@pytest.mark.parametrize("drawn", [True, False])
def test_notebooks_show_them(drawn):
    scenario = fw.Scenario.example("manchester_flexible")
    shown = scenario.vehicle._repr_html_() + scenario.track._repr_html_() if drawn else scenario._repr_html_()
    assert ("<svg" in shown) == drawn and shown.startswith("<div>")
    assert "wheelset_3" in shown or not drawn


def test_notebooks_show_no_path_of_this_machine(tmp_path):
    """A file's name alone, so that a notebook is the same wherever it was run."""
    vehicle = fw.Scenario.example("manchester_s_curve").vehicle.to_toml(tmp_path / "mine.toml")
    shown = fw.Scenario.example("manchester_s_curve", {"vehicle.file": str(vehicle)})._repr_html_()
    assert "<td>vehicle.file</td><td>mine.toml</td>" in shown and str(tmp_path) not in shown


def run_of(seconds=4.0):
    """Results of a vehicle with one wheel force: 100 Hz of 500 N about 60 kN, and noise."""
    time = np.arange(0.0, seconds, 5e-4)
    force = np.zeros((len(time), 2, 3))
    noise = np.random.default_rng(5).normal(0.0, 10.0, (2, len(time)))
    force[:, :, 2] = 60e3 + (500.0 * np.sin(200.0 * np.pi * time) + noise).T
    return make_dataset(
        "vehicle", {"wheel_force": force}, {"time": time, "wheelset": ["front"]}, attributes={"settling_s": 1.0}
    )


def test_spectra_are_those_of_the_room():
    results = run_of()
    after = results.wheel_force.values[results.time.values > 1.0]
    density = results.fw.psd("wheel_force", force="Q", wheel="front left")
    hz, expected = power_spectral_density(after[:, 0, 2], 5e-4)
    np.testing.assert_array_equal(density.values, expected)
    np.testing.assert_array_equal(density.frequency.values, hz)
    bands = results.fw.third_octaves("wheel_force")
    np.testing.assert_array_equal(bands.values, third_octaves(after, 5e-4)[1])
    assert bands.dims == ("band", "wheel", "force") and bands.attrs["units"] == "N"
    at_100 = float(bands.sel(wheel="front left", force="Q").sel(band=100.0))
    assert at_100 == pytest.approx(500.0 / np.sqrt(2.0), rel=0.01)  # noise of 10 N in a tenth of its band
    with pytest.raises(ScenarioError, match="wheel_forse is not in the results"):
        results.fw.psd("wheel_forse")
    with pytest.raises(ScenarioError, match="results in memory only"):
        results.fw.hot_spots()
    assert results.fw.plot.third_octaves("wheel_force", force="Q")._repr_png_().startswith(b"\x89PNG")


def test_open_results_of_every_kind(tmp_path):
    """And a file that is open stays so while others read, close and open it again (netCDF4 ends the process then)."""
    file = write_results(run_of(), tmp_path)
    held = fw.open_results(tmp_path)
    assert held.fw.psd("wheel_force", force="Q").sizes == {"frequency": 501, "wheel": 2}
    for _ in range(20):
        assert loaded(file).wheel.values.tolist() == open_results(file).wheel.values.tolist()
    assert float(held.wheel_force.sel(time=1.0, force="Q", wheel="front left")) == pytest.approx(60e3, abs=50.0)
    words = {"kind": "study", "varied": "a", "sampling": "grid", "source": "flexwheel", "title": ""}
    study = xr.Dataset({"y": ("run", [1.0, 2.0])}, {"a": ("run", [3.0, 4.0])}, words)
    write_results(study.assign_coords(run=[0, 1]), tmp_path / "study.nc")
    found = fw.open_results(tmp_path / "study.nc")
    assert float(found.fw.grid("y").sel(a=4.0)) == 2.0
    xr.Dataset({"a": 1}).to_netcdf(tmp_path / "other.nc")
    for name, said in (("other.nc", "netCDF of another program"), ("none", "there is no such file")):
        with pytest.raises(ScenarioError, match=said):
            fw.open_results(tmp_path / name)


def test_contact_says_what_is_wrong():
    with pytest.raises(ScenarioError, match="unknown option 'load'; known: wheel, rail"):
        fw.contact(load=3.0)


@rooms.needs("systems/train")
def test_response_says_what_is_wrong():
    with pytest.raises(ScenarioError, match="kind must be 'vehicle'"):
        fw.response(fw.Scenario.example("train_2"))


@rooms.needs("studies")
def test_sweep_says_what_is_wrong():
    scenario = fw.Scenario.example("as4_curve")
    vary = {"run.speed_kmh": [60.0]}
    for given, options, said in (
        ({"run.speed_kmh": 60.0}, {}, "vary 'run.speed_kmh' must be a list"),
        ({"contact.wheel_profile": "S1002"}, {}, "vary 'contact.wheel_profile' must be a list"),
        (vary, {"out": ""}, "output folder must not be empty"),
    ):
        with pytest.raises(ScenarioError, match=said):
            fw.sweep(scenario, given, workers=0, **options)
    nothing = xr.Dataset({"Y": ("run", [np.nan])}, {"v": ("run", [1.0])}, {"kind": "study", "varied": "v"})
    with pytest.raises(ScenarioError, match="'Y': no run has it"):
        nothing.fw.plot.study("Y")
    for vary, said in ((None, "vary must be keys"), ({"run.duration_s": (1.0,)}, r"a tuple is \(low, high\)")):
        with pytest.raises(ScenarioError, match=said):
            fw.sweep(scenario, vary)
    with pytest.raises(ScenarioError, match="a study file states what is varied"):
        fw.sweep("study.toml", {"run.duration_s": [1.0]})


def test_geometry_of_contact_is_that_of_the_command():
    found = fw.contact("S1002", "60E1")
    assert found.delta_r.dims == ("lateral_shift",) and float(found.delta_r.sel(lateral_shift=0.0)) == pytest.approx(
        0.0, abs=1e-7
    )
    assert found.attrs["conicity_3mm"] == pytest.approx(0.177, abs=0.001)  # docs/contact.md


def test_what_cannot_be_asked_is_refused_in_one_line():
    """Of results of another kind, of labels and numbers that are none; each was a traceback or a silent answer."""
    results, train = run_of(), xr.Dataset({"force": ("time", [1.0])}, {"time": [0.0]}, {"kind": "train"})
    scenario = fw.Scenario.example("as4_curve")
    held = run_of().assign(stress=(("time", "control_node", "point"), np.zeros((results.sizes["time"], 1, 2))))
    held = held.assign_coords(control_node=["rim"], point=["rotating", "fixed"])
    for said, call in (
        (
            "wheel must be one of front left, front right",
            lambda: results.fw.psd("wheel_force", wheel="middle"),
        ),
        ("wheels = 1: it has the dimensions wheel, force", lambda: results.fw.psd("wheel_force", wheels=1)),
        ("resolution_hz must be a number above 0", lambda: results.fw.psd("wheel_force", 0.0)),
        ("lowest_hz must be above 0", lambda: results.fw.third_octaves("wheel_force", 0.0, 10.0)),
        ("point must be rotating or fixed, got 'turning'", lambda: held.fw.stress("rim", "turning")),
        ("point must be rotating or fixed, got 'turning'", lambda: results.fw.envelope(point="turning")),
        ("top must be a count", lambda: results.fw.hot_spots(-1)),
        ("control node must be one of rim, got 'hub'", lambda: held.fw.stress("hub")),
        (
            "control node must be one of rim, got 'hub'",
            lambda: held.assign(von_mises=held.stress).fw.plot.stress("hub"),
        ),
        ("von_mises is not in the results", lambda: held.fw.plot.stress()),
        ("they have no control node", lambda: results.fw.plot.displacement("rim")),
        ("statistics: results must be of kind 'vehicle'", lambda: train.fw.statistics()),
        ("safety: results must be of kind 'vehicle'", lambda: train.fw.safety()),
        ("forces: results must be of kind 'vehicle'", lambda: train.fw.plot.forces()),
        ("wheel_force is not in the results; they have force", lambda: train.fw.psd("wheel_force")),
        ("lateral_shift_mm must be one number, got '3'", lambda: fw.contact(lateral_shift_mm="3")),
        ("mu must be a number, got '0.3'", lambda: fw.contact(lateral_shift_mm=3.0, mu="0.3")),
        ("speeds_kmh must be numbers", lambda: fw.eigen(scenario, ["a"])),
        ("report: runs must be a folder", lambda: fw.report([])),
        ("results in memory only", lambda: fw.report(results)),
        ("results in memory only", lambda: fw.report([results])),
        ("export: variables must be names, .*got .'wheel_force'", lambda: results.fw.export("a.csv", ["wheel_force"])),
        (
            "a.foo: the suffix must be one of .*.png.*got '.foo'",
            lambda: results.fw.plot.third_octaves("wheel_force").save("a.foo"),
        ),
        ("highest_hz must be a number from 20 to 5000", lambda: fw.response(scenario, highest_hz=-3.0)),
        ("step_hz must be a number from 0.05 to 20", lambda: fw.response(scenario, step_hz=0.0)),
    ):
        with pytest.raises(ScenarioError, match=said):
            call()


def test_curves_beyond_the_colours_have_lines_of_their_own():
    """Twelve curves of three forces on four wheels; the picture carries the run's title below."""
    results = run_of().isel(wheel=[0, 1, 0, 1]).assign_attrs(title="main job", vehicle="AS4")
    picture = results.fw.plot.third_octaves("wheel_force")
    assert len({(line.get_color(), line.get_linestyle()) for line in picture.figure.axes[0].lines}) == 12
    assert picture.footer.startswith("main job; AS4") and picture._repr_png_().startswith(b"\x89PNG")
    assert picture.figure.get_supxlabel() == picture.footer
