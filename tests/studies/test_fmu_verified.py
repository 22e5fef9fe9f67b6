"""Functional mock-up units, imported by fmpy (independent of this package): valid after its checks of FMI 2.0 and 3.0,
the native run to 1e-9, and every misuse refused with a message."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from typer.testing import CliRunner

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.base.variables import variables
from flexwheel.face.cli import make_app
from flexwheel.run import reduced_bodies, run_scenario
from flexwheel.run.keys.changed_vehicle import source_of_run
from flexwheel.run.keys.reader import read_scenario
from flexwheel.studies.fmi import unit_bodies
from flexwheel.studies.fmi.archive import find_compiler
from flexwheel.studies.fmi.held_vehicle import HeldVehicle, fmi_unit
from flexwheel.studies.fmi.model_description import FmuModel, UnitVariable, exponents, model_description
from flexwheel.studies.fmi.process import SCENARIO
from flexwheel.studies.fmi.unit import unit_sources
from flexwheel.studies.fmi.vehicle_unit import packed
from tests import rooms
from tests.resume_cases import FLEXIBLE_CASE
from tests.studies.fmu_files import written

fmpy = pytest.importorskip("fmpy")
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")
VEHICLE = [
    "wheelset.front.formulation=rigid", "run.compare_modes=[]", "track.model=massless", "run.duration_s=0.02",
    "drive.kind=none", "output.variables=['body_position', 'contact_force']",
]  # fmt: skip
CHANGED = {
    "run.speed_kmh": 72.0, "contact.friction": 0.25, "vehicle.bodies.car_body.mass_kg": 30e3,
    "vehicle.elements.suspension_spring.stiffness_n_per_m.z": 6e5,
}  # fmt: skip
VEHICLE_EXAMPLE = EXAMPLES / "as4_curve.toml"


def test_a_compiler_that_is_none_is_named(monkeypatch):
    monkeypatch.setenv("CC", "no_such_compiler")
    with pytest.raises(ScenarioError, match="no C compiler .*--sources-only"):
        find_compiler()
    monkeypatch.setenv("CC", "cc '")
    with pytest.raises(ScenarioError, match="CC must be the command of a C compiler, got cc '"):
        find_compiler()


@pytest.fixture(scope="module")
def vehicle(tmp_path_factory):
    """Unit of a vehicle, FMI 3.0."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", "cc -O0")
        return written(tmp_path_factory.mktemp("fmu") / "vehicle.fmu", VEHICLE_EXAMPLE, "3.0", VEHICLE)


@pytest.fixture
def instance(vehicle, tmp_path):
    """Makes initialized instances of the unit; `said` holds (category, message) of each, `at` its references."""
    made, description = [], fmpy.read_model_description(vehicle)
    folder = fmpy.extract(vehicle, str(tmp_path / "unit"))

    def make(**parameters):
        slave = FMU3Slave(
            guid=description.guid, unzipDirectory=folder, instanceName="vehicle",
            modelIdentifier=description.coSimulation.modelIdentifier,
        )  # fmt: skip
        slave.said = []
        slave.instantiate(logMessage=lambda *words: slave.said.append((words[-2].decode(), words[-1].decode())))
        made.append(slave)
        slave.at = {v.name: v.valueReference for v in description.modelVariables}
        slave.outputs = [v.valueReference for v in description.modelVariables if v.causality == "output"]
        slave.enterInitializationMode()
        slave.setFloat64([slave.at[name] for name in parameters], list(parameters.values()))
        slave.exitInitializationMode()
        return slave

    yield make
    for slave in made:
        slave.freeInstance()


@needs_compiler
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found in /proc")
def test_states_log_and_a_process_that_is_killed(instance):
    """States go on bit by bit, also in another process with other parameters; a killed process is said in words."""
    before = children()
    slave = instance(**CHANGED)
    (process,) = children() - before
    slave.setDebugLogging(True, ["logEvents"])
    slave.setFloat64([slave.at["torque.front"], slave.at["brake.rear"]], [900.0, 400.0])
    slave.doStep(0.0, 0.002)
    state = slave.serializeFMUState(kept := slave.getFMUState())
    slave.doStep(0.002, 0.0021)
    wanted = slave.getFloat64(slave.outputs)
    slave.setFMUState(kept)
    assert slave.said == [("logEvents", "state of t = 0.002 s restored")]
    slave.setDebugLogging(False, ["logStatusDiscard"])
    with pytest.raises(Exception, match="status 2"):  # fmi3Discard
        slave.doStep(0.002, 0.00015)
    with pytest.raises(Exception, match="status 3"):
        slave.setDebugLogging(True, ["logAll"])
    assert len(slave.said) == 2 and "log category logAll: expected logStatusError" in slave.said.pop()[1]
    for other in (slave, instance()):
        if other is not slave:
            other.setFMUState(other.deserializeFMUState(state))
        other.doStep(0.002, 0.0021)
        assert other.getFloat64(other.outputs) == wanted
    with pytest.raises(Exception, match="status 3"):
        slave.setFloat64([slave.at["run.speed_kmh"]], [50.0])
    assert slave.said.pop()[1] == "parameter run.speed_kmh is fixed after initialization"
    slave.said.clear()
    # the reply before, forces as binary numbers, was logged as the words of the step that failed
    os.kill(process, signal.SIGKILL)
    calls = (
        lambda: slave.doStep(0.0041, 0.001),
        lambda: slave.getFloat64(slave.outputs),
        slave.getFMUState,
        slave.reset,
    )
    for call in calls:
        with pytest.raises(Exception, match="status 3"):
            call()
    assert [words.startswith("the Python process of the unit has ended") for _, words in slave.said] == [True] * 4


def test_parameters_are_those_of_the_native_run():
    """Keys of the scenario and of the vehicle's file, given before the run."""
    settings = [*VEHICLE, "output.variables=['body_position', 'body_velocity']"]
    vehicle = HeldVehicle(VEHICLE_EXAMPLE, settings)
    names = [v.name for v in vehicle.variables]
    assert sum(v.causality == "parameter" for v in vehicle.variables) >= 20
    vehicle.set([names.index(name) for name in CHANGED], list(CHANGED.values()))
    vehicle.take(200)
    overrides = [
        "run.speed_kmh=72.0", "contact.friction=0.25", "vehicle.bodies.car_body.mass_kg=30e3",
        "vehicle.elements.suspension_spring.stiffness_n_per_m=[2.5e5, 2.5e5, 6e5]",
    ]  # fmt: skip
    text = VEHICLE_EXAMPLE.read_text(encoding="utf-8")
    native = run_scenario(source_of_run(text, VEHICLE_EXAMPLE, [*settings, *overrides]).scenario)
    for axis in ("s", "y", "z"):
        places = [names.index(f"{what}.car_body.{axis}") for what in ("body_position", "body_velocity")]
        wanted = [
            native[what].sel(body="car_body", path=axis).values[-1] for what in ("body_position", "body_velocity")
        ]
        assert list(vehicle.get(places)) == wanted
    vehicle.set([names.index("contact.friction")], [0.0])
    vehicle.set([names.index("vehicle.bodies.car_body.mass_kg")], [-1.0])
    with pytest.raises(ScenarioError, match="mass_kg must be a positive number"):
        vehicle.settle()


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_speed_profile_is_a_parameter(tmp_path, monkeypatch, fmi):
    """Points given before the run: `flexwheel run` with them, bit by bit; a drive that cannot follow says so."""
    settings = [*VEHICLE[:3], "output.variables=['body_position', 'body_velocity']", "run.duration_s=0.02"]
    first = "run.speed_profile_s_kmh=[[5.0, 78.0], [9.0, 77.0]]"
    monkeypatch.setenv("CC", "cc -O0")
    unit = written(tmp_path / "unit.fmu", VEHICLE_EXAMPLE, fmi, [*settings, first])
    given = {"1.s": 0.004, "1.kmh": 79.98, "2.s": 0.012, "2.kmh": 80.01}
    given = {f"run.speed_profile_s_kmh.{name}": value for name, value in given.items()}
    steps = dict(stop_time=0.02, step_size=0.001, output_interval=0.001)
    found = fmpy.simulate_fmu(str(unit), start_values=given, **steps)
    run = ["run", str(VEHICLE_EXAMPLE), "--out", str(tmp_path / "out"), "-q"]
    changed = "run.speed_profile_s_kmh=[[0.004, 79.98], [0.012, 80.01]]"
    done = CliRunner().invoke(make_app(), [*run, *(w for key in [*settings, changed] for w in ("--set", key))])
    assert done.exit_code == 0, done.output or done.exception
    with xr.open_dataset(tmp_path / "out" / "results.nc") as native:
        for name, path in (("body_velocity", "s"), ("body_position", "s"), ("body_position", "z")):
            wanted = native[name].sel(body="car_body", path=path).values[::10]
            np.testing.assert_array_equal(found[f"{name}.car_body.{path}"], wanted)
    names = [v.name for v in fmpy.read_model_description(unit).modelVariables]
    assert "drive.speed" not in names and "run.speed_profile_s_kmh.2.kmh" in names
    with pytest.raises(Exception, match="(?i)exitInitializationMode"):
        fmpy.simulate_fmu(str(unit), start_values=given | {"run.speed_profile_s_kmh.1.kmh": 70.0}, **steps)


def children():
    """Ids of the processes that this one has started and that live."""
    return {int(n) for task in Path("/proc/self/task").iterdir() for n in (task / "children").read_text().split()}


@needs_compiler
def test_vehicle_in_its_process_is_the_native_run_bit_by_bit(vehicle):
    unit = vehicle
    assert validate_fmu(str(unit)) == []
    native = run_scenario(read_scenario(VEHICLE_EXAMPLE, VEHICLE))
    found = fmpy.simulate_fmu(str(unit), stop_time=0.02, step_size=0.001, output_interval=0.001)
    rows = slice(0, 201, 10)
    for name, wanted in (
        ("body_position.car_body.z", native.body_position.sel(body="car_body", path="z")),
        ("contact_force.front.left.z", native.contact_force.sel(wheel="front left", axis="z")),
    ):
        np.testing.assert_array_equal(found[name], wanted.values[rows])


def test_forces_from_outside_act_in_track_axes():
    """Newton: 10 kN on 33.5 t for a step of 100 us, less what springs and dampers change of it in that time."""
    vehicle = HeldVehicle(VEHICLE_EXAMPLE, [*VEHICLE, "output.variables=['body_velocity']"])
    names = [v.name for v in vehicle.variables]
    speed = names.index("body_velocity.car_body.y")
    vehicle.take(1)
    (alone,) = vehicle.get([speed])
    vehicle.reset()
    vehicle.set([names.index("force.car_body.y")], [1e4])
    assert vehicle.take(1) == (1, "")
    (pushed,) = vehicle.get([speed])
    # Newmark with gamma = 1/2 from the acceleration at rest: half of it acts in the first step
    assert pushed - alone == pytest.approx(0.5 * 1e-4 * 1e4 / 33500.0, rel=1e-3)


def test_torques_turn_wheelsets_and_a_raised_rail_lifts_its_wheel():
    """Newton: 5 kN m on 92.9 kg m2 for a step of 100 us before creepage grows, less on the other side for the brake; a
    rail that rises 1 mm takes its wheel along, but for what the load on it changes."""
    straight = [
        "track.layout=[{kind='straight', length_m=100.0}]",
        "irregularity.spectrum=none",
        "irregularity.roughness=none",
    ]
    outputs = "['body_position', 'body_velocity', 'body_angular_velocity', 'irregularity']"
    gains = ["drive.kind=body_force", "drive.gain_ns_m=1e6", "drive.integral_gain_n_m=0.0", "drive.force_max_kn=1e3"]
    settings = [*VEHICLE, *straight, *gains, f"output.variables={outputs}"]
    vehicle = HeldVehicle(VEHICLE_EXAMPLE, settings)
    at = {v.name: k for k, v in enumerate(vehicle.variables)}
    spins = [at[f"body_angular_velocity.{name}.spin"] for name in ("front", "rear")]
    before = vehicle.get(spins)
    vehicle.set([at["torque.front"], at["brake.rear"]], [5e3, 5e3])
    vehicle.take(1)
    gained = 0.5 * 1e-4 * 5e3 / 92.9  # Newmark: half of the acceleration acts in the first step
    np.testing.assert_allclose(vehicle.get(spins) - before, [gained, -gained], rtol=0.2)
    vehicle.reset()
    wheels = [f"{name}.{side}" for name in ("front", "rear") for side in ("left", "right")]
    rails, bodies = (
        [at[f"irregularity.{wheel}.vertical"] for wheel in wheels],
        [at[f"body_position.{n}.z"] for n in ("front", "rear")],
    )
    start = vehicle.get(bodies)
    vehicle.set([at[f"track_height.{wheel}"] for wheel in wheels], [1e-3] * 4)
    vehicle.take(1000)
    np.testing.assert_allclose(vehicle.get(rails), 1e-3, rtol=1e-3)
    vehicle.take(1000)
    np.testing.assert_allclose(vehicle.get(rails), 1e-3, rtol=1e-9)
    np.testing.assert_allclose(vehicle.get(bodies) - start, 1e-3, rtol=0.1)
    speed, held = at["body_velocity.car_body.s"], at["drive.speed"]
    vehicle.reset()
    (before,) = vehicle.get([held])
    assert before == pytest.approx(80.0 / 3.6, rel=1e-12)
    for k in range(1, 11):
        vehicle.set([held], [before - 0.1 * k])
        assert vehicle.take(500) == (500, "")
    # the drive gives mass times rate: car body, wheelsets that turn, their boxes. Without it the vehicle would be
    # behind by that over the gain; the wheelsets, a tenth of all, swing on their springs by 1 % of it
    mass = 33500.0 + 2.0 * (1053.0 + 2.0 * 100.0 + 92.9 / 0.46**2)
    assert vehicle.get([speed])[0] == pytest.approx(before - 1.0, abs=0.01 * 2.0 * mass / 1e6)
    assert vehicle.get([held])[0] == before - 1.0
    vehicle.set([held], [100.0])
    taken, why = vehicle.take(100000)
    assert taken == 0 and why.startswith("the track of the unit ends at s = 100.0 m")


def test_what_no_unit_can_be_is_refused(tmp_path):
    arguments = ["fmu", str(VEHICLE_EXAMPLE), "--out", str(tmp_path / "b.fmu")]
    more = ["run.integrator=explicit", *VEHICLE]
    done = CliRunner().invoke(make_app(), [*arguments, *(word for key in more for word in ("--set", key))])
    assert isinstance(done.exception, ScenarioError) and "integrator" in str(done.exception)
    for path in rooms.examples("train_2"):
        done = CliRunner().invoke(make_app(), ["fmu", str(path), "--out", str(tmp_path / "t.fmu")])
        assert "kind must be 'realtime' or 'vehicle', got 'train'" in str(done.exception)
    (tmp_path / "taken.fmu").mkdir()
    done = CliRunner().invoke(make_app(), ["fmu", "no scenario.toml", "--out", str(tmp_path / "taken.fmu")])
    assert "is no regular file" in str(done.exception)  # before the scenario is read
    assert [path.name for path in tmp_path.iterdir()] == ["taken.fmu"]


def test_units_in_base_units():
    assert exponents("N m s/rad") == {"kg": 1, "m": 2, "s": -1, "rad": -1}
    assert exponents("m/s2") == {"m": 1, "s": -2} and exponents("-") == {}
    assert fmi_unit("m s-1") == "m/s" and fmi_unit("1") == "-" and fmi_unit("rad s-2") == "rad/s2"


def test_every_variable_of_a_vehicle_has_a_unit_in_both_versions():
    outputs = tuple(UnitVariable(v.name, "output", fmi_unit(v.units), v.meaning) for v in variables("vehicle").values())
    for fmi in ("2.0", "3.0"):
        text = model_description(FmuModel("unit", "", 1e-3, 1.0, variables=outputs), fmi)
        assert '<Unit name="m/s">' in text and '<BaseUnit m="1" s="-1" />' in text


def test_names_of_variables_are_text_in_c():
    model = FmuModel("unit", "", 1e-3, 1.0)
    rows = [("TIME", 0, UnitVariable('force.car "1\\', "output", "N", ""))]
    sources, model = unit_sources(model, "2.0", "model_process.c", rows)
    assert '"force.car \\0421\\134"' in sources["variables.c"] and model.sources[0] == "instance.c"


def test_bodies_of_a_unit_come_from_the_cache_without_its_mesh(tmp_path, monkeypatch):
    """The same body as by the mesh; another scenario, another mesh, a key of no file: the mesh is read."""
    case, settings = FLEXIBLE_CASE
    scenario = read_scenario(EXAMPLES / case, [f"{key}={value}" for key, value in settings.items()])
    text, files = packed(scenario)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    path = tmp_path / SCENARIO
    path.write_text(text, encoding="utf-8")
    scenario, said = read_scenario(path), tmp_path / unit_bodies.BODIES
    read, bodies = [], unit_bodies.bodies_of(scenario, path)  # reduced, kept
    whole = reduced_bodies.wheelset_mesh
    monkeypatch.setattr(reduced_bodies, "wheelset_mesh", lambda *a: (read.append(a[0]), whole(*a))[1])
    meshes = [file.read_bytes() for file in unit_bodies.mesh_files(scenario).values()]
    said.write_text(unit_bodies.bodies_said(bodies, text.encode(), meshes), encoding="utf-8")
    found = unit_bodies.bodies_of(scenario, path)
    assert not read and found["front"].name == "front" and found["front"].key == bodies["front"].key
    np.testing.assert_array_equal(found["front"].frequency_hz, bodies["front"].frequency_hz)
    good = said.read_text(encoding="utf-8")
    for wrong in (good.replace(bodies["front"].key, "0" * 64), good.replace('"of": "', '"of": "x'), "{}", "[", "[1]",
                  good.replace(bodies["front"].key, "../" + bodies["front"].key[3:])):  # fmt: skip
        said.write_text(wrong, encoding="utf-8")
        read.clear()
        assert unit_bodies.bodies_of(scenario, path)["front"].key == bodies["front"].key and read == ["front"], wrong
    said.write_text(good, encoding="utf-8")
    path.write_text(text.replace("damping_ratio = 0.01", "damping_ratio = 0.02"), encoding="utf-8")
    changed = unit_bodies.bodies_of(read_scenario(path), path)
    assert changed["front"].damping_ratio[0] == 0.02


def test_process_of_a_unit_has_one_thread_for_small_matrices(monkeypatch, tmp_path):
    """Said before numpy is there: threads of the matrix library that wait are a third of the start."""
    code = (
        "import os, sys; from flexwheel.studies.fmi import process; early = 'numpy' not in sys.modules; "
        f"process.main({str(tmp_path)!r}); print(early, os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)"
    )
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True)
    assert done.stderr.split() == [b"True", b"1"], done.stderr


def test_start_of_a_unit_reads_no_library_that_it_does_not_need():
    """Splines, searches and special functions of scipy were a fifth of the start."""
    code = (
        "import sys; from flexwheel.studies.fmi.held_vehicle import HeldVehicle; "
        f"HeldVehicle({str(VEHICLE_EXAMPLE)!r}, {VEHICLE!r}); "
        "print(*(name for name in ('interpolate', 'optimize', 'special', 'ndimage') if f'scipy.{name}' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
