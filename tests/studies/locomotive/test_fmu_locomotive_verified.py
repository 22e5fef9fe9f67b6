"""Units of the locomotive, imported by fmpy: valid, the native run to 1e-9, every misuse refused with a message."""

import shutil
import zipfile

import numpy as np
import pytest
from typer.testing import CliRunner

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.face.cli import make_app
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from tests.studies.fmu_files import written

fmpy = pytest.importorskip("fmpy")
from fmpy import fmi2  # noqa: E402
from fmpy.fmi2 import FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")
EXAMPLE = EXAMPLES / "feve3000_curve.toml"
SHORT = ["track.end_m=80.0"]


@pytest.fixture(scope="module")
def locomotives(tmp_path_factory):
    """Units of both versions, compiled without optimization, which costs less than it saves here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", "cc -O0")
        folder = tmp_path_factory.mktemp("fmu")
        return {fmi: written(folder / f"fmi{fmi[0]}.fmu", EXAMPLE, fmi, SHORT) for fmi in ("2.0", "3.0")}


@pytest.fixture
def instance(locomotives, tmp_path):
    """Makes instances of a version, of which `said` holds the messages; frees them in the end."""
    made = []

    def make(fmi):
        description = fmpy.read_model_description(locomotives[fmi])
        folder = fmpy.extract(locomotives[fmi], str(tmp_path / f"{fmi}-{len(made)}"))
        slave = (FMU2Slave if fmi == "2.0" else FMU3Slave)(
            guid=description.guid, unzipDirectory=folder, instanceName=f"loco{len(made)}",
            modelIdentifier=description.coSimulation.modelIdentifier,
        )  # fmt: skip
        slave.said = []
        told = lambda *words: slave.said.append(words[-1].decode())  # noqa: E731
        if fmi == "2.0":
            callbacks = fmi2.fmi2CallbackFunctions()
            callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(told)
            slave.instantiate(callbacks=callbacks)
            slave.begin = lambda **times: (slave.setupExperiment(**times), slave.enterInitializationMode())
            slave.read, slave.write = slave.getReal, slave.setReal
            slave.kept, slave.put_back, slave.freed = slave.getFMUstate, slave.setFMUstate, slave.freeFMUstate
            slave.packed, slave.unpacked = slave.serializeFMUstate, slave.deSerializeFMUstate
        else:
            slave.instantiate(logMessage=told)
            slave.begin = slave.enterInitializationMode
            slave.read, slave.write = slave.getFloat64, slave.setFloat64
            slave.kept, slave.put_back, slave.freed = slave.getFMUState, slave.setFMUState, slave.freeFMUState
            slave.packed, slave.unpacked = slave.serializeFMUState, slave.deserializeFMUState
        slave.at = {v.name: v.valueReference for v in description.modelVariables}
        made.append(slave)
        return slave

    yield make
    for slave in made:
        slave.freeInstance()


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_locomotive_is_valid_and_reproduces_the_native_run(locomotives, fmi):
    unit = locomotives[fmi]
    assert validate_fmu(str(unit)) == []
    native = build_locomotive_run(read_realtime_scenario(EXAMPLE, SHORT))
    native.set_input("motor.rear.1", 900.0)
    native.set_input("brake.front.2", 250.0)
    wheels = [native.wheel_name(k).replace(" ", ".") for k in range(8)]
    outputs = [f"{block}.{name}" for block in ("q", "qd") for name in native.coordinates]
    outputs += [f"{name}.{wheel}" for name in ("normal_force", "force_x", "force_y", "moment_z") for wheel in wheels]
    torques = {"motor.rear.1": 900.0, "brake.front.2": 250.0}
    found = fmpy.simulate_fmu(
        str(unit), stop_time=1.0, step_size=0.01, output_interval=0.01, start_values=torques, output=outputs
    )
    for row in range(1, 101):
        native.step(10)
        forces = native.outputs()
        names = ("normal_force", "longitudinal_force", "lateral_force", "spin_moment")
        wanted = np.concatenate([native.q, native.qd, *(forces[name] for name in names)])
        got = np.array([found[name][row] for name in outputs])
        # 1e-9 is the acceptance: m, rad and their rates; of forces relative to 1 kN
        np.testing.assert_allclose(got[:60], wanted[:60], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(got[60:], wanted[60:], rtol=1e-9, atol=1e-6)


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_states_instances_and_reset(instance, fmi):
    one, other = instance(fmi), instance(fmi)
    for slave in (one, other):
        slave.begin()
        slave.exitInitializationMode()
    places = [one.at[name] for name in ("q.x", "q.y", "qd.x", "normal_force.rear.1.left")]
    start = one.read(places)
    one.doStep(0.0, 0.05)
    assert other.read(places) == start  # instances share nothing
    kept, first = one.kept(), one.read(places)
    one.doStep(0.05, 0.02)
    after = one.read(places)
    one.put_back(kept)
    assert one.read(places) == first
    one.doStep(0.05, 0.02)
    assert one.read(places) == after  # bit by bit
    again = one.unpacked(one.packed(kept))
    other.put_back(again)
    assert other.read(places) == first
    one.freed(kept)
    one.freed(again)
    one.reset()
    one.begin()
    one.exitInitializationMode()
    assert one.read(places) == start
    one.doStep(0.0, 0.05)
    one.doStep(0.05, 0.02)
    assert one.read(places) == after


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_misuse_is_refused_with_a_message(instance, fmi):
    slave = instance(fmi)

    def refused(call, words):
        slave.said.clear()
        with pytest.raises(Exception, match=r"status [23]"):
            call()
        assert words in " ".join(slave.said)

    refused(lambda: slave.doStep(0.0, 0.01), "expected in stepping")
    slave.begin(stopTime=0.1)
    mass, torque, place = slave.at["vehicle_body.mass"], slave.at["motor.rear.1"], slave.at["q.x"]
    refused(lambda: slave.write([mass], [-1.0]), "vehicle_body.mass = -1: expected a number from 0.001")
    refused(lambda: slave.write([torque], [float("nan")]), "motor.rear.1 = ")
    refused(lambda: slave.write([place], [1.0]), "neither input nor parameter")
    refused(lambda: slave.read([10_000]), "no variable has the reference 10000")
    slave.write([slave.at["wheelset.Ixx"]], [500.0])
    refused(slave.exitInitializationMode, "wheelset.Ixx = 500 and wheelset.Izz")
    slave.write([slave.at["wheelset.Izz"]], [500.0])
    slave.exitInitializationMode()
    refused(lambda: slave.write([mass], [5e4]), "fixed after initialization")
    refused(lambda: slave.doStep(0.0, 0.0015), "expected a whole multiple of the internal step of 0.001 s")
    refused(lambda: slave.doStep(0.01, 0.01), "a step from t = 0.01 s: the unit is at t = 0 s")
    refused(lambda: slave.doStep(0.0, 0.2), "beyond the stop time 0.1 s")
    slave.doStep(0.0, 0.1)


@needs_compiler
def test_end_of_the_track_is_said_with_time_and_wheel(instance):
    slave = instance("3.0")
    slave.begin()
    slave.exitInitializationMode()
    with pytest.raises(Exception, match="status 2"):  # fmi3Discard: part of the step was made
        slave.doStep(0.0, 10.0)
    assert "beyond the end of the track" in slave.said[0] and "wheel front.1" in slave.said[0]
    (time,) = slave.read([slave.at["time"]])
    assert 1.0 < time < 10.0


@needs_compiler
def test_parameters_are_those_of_the_native_locomotive(locomotives):
    changed = {"vehicle_body.mass": 40000.0, "primary.k": 3e5}
    native = build_locomotive_run(read_realtime_scenario(EXAMPLE, SHORT))
    native.set_parameters({**native.values, **changed})
    native.step(200)
    found = fmpy.simulate_fmu(
        str(locomotives["2.0"]), stop_time=0.2, step_size=0.05, output_interval=0.05, start_values=changed,
        output=["q.z", "qd.z"],
    )  # fmt: skip
    np.testing.assert_allclose([found["q.z"][-1], found["qd.z"][-1]], [native.q[2], native.qd[2]], rtol=1e-9)


def test_there_are_sources_without_a_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no_such_compiler")
    arguments = ["fmu", str(EXAMPLE), "--out", str(tmp_path / "a.fmu"), "--sources-only", "--set", SHORT[0]]
    assert CliRunner().invoke(make_app(), arguments).exit_code == 0
    assert validate_fmu(str(tmp_path / "a.fmu")) == []
    names = [path.name for path in zipfile.Path(tmp_path / "a.fmu", "sources/").iterdir()]
    assert {"fmi2.c", "instance.c", "model_locomotive.c", "kernels.c", "data.c"} <= set(names)


def test_another_method_than_imex_is_refused(tmp_path):
    arguments = ["fmu", str(EXAMPLE), "--out", str(tmp_path / "b.fmu"), "--set", "contact.method='explicit'"]
    done = CliRunner().invoke(make_app(), arguments)
    assert isinstance(done.exception, ScenarioError) and "imex" in str(done.exception)
    assert not list(tmp_path.iterdir())
