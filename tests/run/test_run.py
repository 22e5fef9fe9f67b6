"""Runs through the command line: results whole, interrupted, derailed; the same from Python in a few lines."""

import json
from pathlib import Path

import numpy as np
import pytest

from flexwheel.assess.commands.eigen_command import parse_speeds
from flexwheel.face.cli import main
from flexwheel.results.files import read_results
from flexwheel.run import run_scenario
from flexwheel.run.keys.reader import read_scenario

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "as4_curve.toml"
SMALL = [
    f"wheelset.front.mesh={ROOT / 'meshes' / 'wheelset_coarse.inp'}",
    "wheelset.front.fixed_interface_modes=7",
    "wheelset.front.exact_below_hz=0",
    "run.duration_s=0.05",
    "run.compare_modes=[]",
    "track.model=massless",
]


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXWHEEL_CACHE", str(tmp_path_factory.mktemp("bodies")))
        yield


def command(*arguments):
    try:
        main(list(arguments))
    except SystemExit as stop:
        return stop.code or 0
    return 0


def settings(*more):
    """Options --set of a small run; those of a flexible wheelset only where there is one, else they are idle."""
    flexible = "wheelset.front.formulation=rigid" not in more
    small = [key for key in SMALL if flexible or not key.startswith(("wheelset.front.", "run.compare_modes"))]
    return [part for key in (*small, *more) for part in ("--set", key)]


def test_creep_forces_come_in_within_a_step(tmp_path, capsys):
    """They saturate, and whole steps of Newton's jump between their bounds: three steps did not converge."""
    asked = settings("track.model=flexible", "run.duration_s=0.004")
    assert command("run", str(EXAMPLE), "--out", str(tmp_path), "--json", *asked) == 0
    assert json.loads(capsys.readouterr().out)[0]["steps_not_converged"] == 0
    results = read_results(
        tmp_path
    )  # patches make the wheel's force, of which they missed 1.4 kN: 10 tolerances of 5 N
    creep, normal, angle = (
        results[f"patch_{name}"].fillna(0.0).values[1:].astype(float)
        for name in ("creep_force_y", "normal_force", "contact_angle")
    )
    across = (creep * np.cos(angle) - normal * np.sin(angle)).sum(-1) * [1.0, -1.0, 1.0, -1.0]  # and the rail's roll:
    missed = np.abs(across - results.contact_force.sel(axis="y").values[1:]).max()
    assert missed < 50.0 + 1e5 * np.abs(results.rail_roll.values).max()


def test_rail_elements_too_short_for_the_step_are_told_and_hold(tmp_path, capsys):
    """0.075 m at 100 us: 40 of 1000 steps did not converge while a head force took as much momentum as in long ones."""
    asked = settings("track.model=flexible", "track.elements_per_bay=8", "run.duration_s=0.1")
    assert command("run", str(EXAMPLE), "--out", str(tmp_path), "--json", *asked) == 0
    found = json.loads(capsys.readouterr().out)[0]
    assert found["steps_not_converged"] == 0
    assert any(text.startswith("track.elements_per_bay = 8 at a step of 0.0001 s") for text in found["warnings"])


@pytest.mark.parametrize("speed_kmh", [1.0, 0.3])
def test_wheelsets_creep_at_walking_pace(speed_kmh):
    """A creepage of 1 % is 3 mm/s at 1 km/h: from sliding, Newton steps ended sliding the other way in 456 of 500 steps
    (492 at 0.3 km/h). On straight track a wheel's Y is that of its conicity, as at 5 km/h in steps of 0.1 ms; the
    tolerance is that of a step's forces.
    """
    scenario = ROOT / "examples" / "manchester_tight_curve.toml"

    def guiding(*overrides):
        results = run_scenario(read_scenario(scenario, ["run.duration_s=0.3", *overrides]))
        assert results.attrs["steps_not_converged"] == 0
        return np.abs(results.wheel_force.sel(force="Y").values[results.time.values > 0.2])

    faster = guiding("run.speed_kmh=5.0", "run.step_s=1e-4").mean(axis=0)
    assert np.all(faster > 100.0)  # a slope of 1:600 at the patch
    found = guiding(f"run.speed_kmh={speed_kmh}")
    np.testing.assert_allclose(found, np.broadcast_to(faster, found.shape), atol=5.0)


def test_run_writes_whole_results(tmp_path, capsys):
    assert command("run", str(EXAMPLE), "--out", str(tmp_path), "--json", *settings()) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures[0]) == {
        "results", "complete", "status", "seconds_per_simulated_second", "loop_seconds", "steps",
        "steps_not_converged", "assumed", "warnings",
    }  # fmt: skip
    results = read_results(tmp_path)
    assert results.attrs["complete"] is True
    np.testing.assert_allclose(results.time.values, 1e-4 * np.arange(501), rtol=1e-9)
    # weight of the vehicle, 500 N for what the first metre of irregularity and starting transients add
    total = results.wheel_force.sel(force="Q").sum("wheel").values
    loads = np.asarray(results.attrs["static_wheel_load_n"])
    # mass of the coarse mesh known to 1 g
    assert loads.sum() == pytest.approx(9.81 * (33500 + 400 + 1053 + 1039.591), rel=1e-6)
    np.testing.assert_allclose(total[:50], loads.sum(), atol=500.0)
    # Newton: wheels and journals accelerate the mass of the wheelset, in every sample
    vertical = results.contact_force.sel(wheel=["front left", "front right"], axis="z").sum("wheel").values
    vertical = vertical + results.interface_force.sel(axis="z").sum("interface").values[:, 0] - 9.81 * 1039.591
    inertia = 1039.591 * results.body_acceleration.values[:, 1, 2]
    assert np.std((vertical - inertia)[1:]) < 2e-3 * np.std(inertia)  # a roll of 2 mrad; 2e-2 an iteration behind
    assert list(results.control_node.values) == ["front web_fillet_right", "front tread_right"]
    stress = results.von_mises
    assert np.all(np.isfinite(stress.values))
    fillet, tread = (stress.sel(control_node=f"front {n}").values[13:] for n in ("web_fillet_right", "tread_right"))
    # 1 ms after the creep forces have come in; on the surface the patch's own field, below its pressure
    assert fillet.max() < 100e6 and tread.max() < results.patch_peak_pressure.max()
    causes = results.node_valid_cause.values.ravel()  # a Craig-Bampton basis alone, wheelset.front.exact_below_hz = 0
    assert np.all(results.node_valid_to_hz == 0.0) and all("exact_below_hz" in cause for cause in causes)
    assert np.all(results.force_valid_to_hz.sel(wheel=["rear left", "rear right"]) > 1250.0)
    assert "speed_kmh = 80.0" in results.attrs["scenario_text"] and "wheelset_coarse" in results.attrs["scenario"]


def test_same_from_python_and_interrupted(tmp_path):
    scenario = read_scenario(EXAMPLE, [*SMALL, "run.duration_s=0.2"])

    def report(fraction, note=""):
        if fraction > 0.4 and "t =" in note:
            raise KeyboardInterrupt

    results = run_scenario(scenario, report)
    assert results.attrs["complete"] is False and "interrupted" in results.attrs["status"]
    assert 0.05 < float(results.time[-1]) < 0.2
    assert "von_mises" in results


def test_interrupted_command_ends_with_2_and_a_whole_file(tmp_path, capsys, monkeypatch):
    import flexwheel.run.simulation as simulation

    whole = simulation.simulate

    def stopped(*arguments, progress=None, **options):
        def raising(now, end):
            raise KeyboardInterrupt

        return whole(*arguments, progress=raising, **options)

    monkeypatch.setattr(simulation, "simulate", stopped)
    assert command("run", str(EXAMPLE), "--out", str(tmp_path), "--quiet", *settings("run.duration_s=0.2")) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and "run not complete: interrupted" in lines[0]
    results = read_results(tmp_path)
    assert results.attrs["complete"] is False
    assert sorted(p.name for p in tmp_path.iterdir()) == ["results.nc", "resume"]


def test_wheel_that_climbs_out_stops_the_run(tmp_path, capsys):
    """250 km/h through a 100 m curve without cant: 48 m/s2 sideways."""
    curve = (
        "[{kind='straight', length_m=10}, {kind='transition', length_m=10}, {kind='arc', length_m=300, radius_m=100}]"
    )
    code = command(
        "run", str(EXAMPLE), "--out", str(tmp_path), "--quiet",
        *settings("run.speed_kmh=250", f"track.layout={curve}", "run.duration_s=3", "wheelset.front.formulation=rigid"),
    )  # fmt: skip
    assert code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and "run not complete" in lines[0]
    results = read_results(tmp_path)
    assert results.attrs["complete"] is False
    assert 0.1 < float(results.time[-1]) < 3.0


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("track.layout=[{kind='straight', length_m=1}]", "track too short"),
        ("wheelset.middle.formulation=rigid", "wheelset.middle must name a wheelset of the vehicle"),
        ("vehicle.file=as5", "or a .toml file, got 'as5'"),
        ("contact.wheel_profile=S1003", "S1003"),
        ("track.rail=uic61", "uic61"),
        ("track.support=slab", "slab"),
        ("irregularity.roughness=iso9999", "iso9999"),
        ('wheelset.front.control_nodes=["moon"]', "moon"),
        ('wheelset.front.tread_sets=["TREAD_LEFT", "B"]', "node set 'B'"),
        ('wheelset.front.interface_sets=["AXLE_BOX_LEFT", "B"]', "node set 'B'"),
    ],
)
def test_bad_scenarios_end_in_one_line(override, expected, tmp_path, capsys):
    code = command(
        "run", str(EXAMPLE), "--out", str(tmp_path / "out"), "--quiet", *settings(override, "track.model=flexible")
    )
    lines = capsys.readouterr().err.splitlines()
    assert code == 2 and len(lines) == 1 and lines[0].startswith("flexwheel: "), lines
    assert expected in lines[0]
    assert not (tmp_path / "out" / "results.nc").exists()


def test_example_from_python(tmp_path):
    import runpy

    example = runpy.run_path(str(ROOT / "examples" / "as4_from_python.py"))
    results = example["main"](str(tmp_path), 0.05, *[key for key in SMALL if "duration" not in key])
    assert results.attrs["complete"] and (tmp_path / "von_mises.png").stat().st_size > 1000


def test_eigen_json_and_pictures(tmp_path, capsys):
    keys = settings("wheelset.front.formulation=rigid")
    code = command(
        "eigen", str(EXAMPLE), "--speeds-kmh", "60,120", "--no-critical", "--json", "--out", str(tmp_path), *keys
    )
    captured = capsys.readouterr()
    assert code == 0, captured.err
    result = json.loads(captured.out)
    assert set(result) == {
        "speeds_m_s", "rails", "friction_dampers", "oscillations", "critical_speed_m_s", "campbell", "receptance",
        "elements", "warnings", "growing", "critical_speed_reason",
    }  # fmt: skip
    first = result["oscillations"][0]
    assert set(first) == {"speed_m_s", "frequency_hz", "damping_ratio", "dominant", "share"}
    assert first["speed_m_s"] == pytest.approx(60 / 3.6) and result["critical_speed_m_s"] is None
    # bounce on springs with sticking friction dampers: between the 1.7 Hz of the springs and 6 Hz
    vertical = [
        f for f, name in zip(first["frequency_hz"], first["dominant"], strict=True) if name == "car_body vertical"
    ]
    assert any(1.5 < f < 6.0 for f in vertical), first["dominant"]
    assert np.shape(result["receptance"]["wheel_vertical"]) == (400, 2)
    assert {"eigenvalues.png", "receptances.png"} <= {p.name for p in tmp_path.iterdir()}


@pytest.mark.parametrize("text", ["", "a:b:c", "100:20:10", "-5", "nan"])
def test_bad_speeds_are_refused(text, capsys):
    assert command("eigen", str(EXAMPLE), "--speeds-kmh", text) == 2
    assert "--speeds-kmh" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text, kmh", [("40:300:40", range(40, 281, 40)), ("20:60:20", (20, 40, 60)), ("80,50", (50, 80))]
)
def test_speeds_are_those_asked_for(text, kmh):
    np.testing.assert_allclose(3.6 * parse_speeds(text), list(kmh))


def test_pictures_of_too_few_samples_are_refused_before_the_run(tmp_path, capsys):
    words = "run examples/manchester_tight_curve.toml --set run.duration_s=0.02 --view --out".split()
    with pytest.raises(SystemExit) as ended:
        main([*words, str(tmp_path / "out")])
    assert ended.value.code == 2
    assert "view: results must have 50 samples or more" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
