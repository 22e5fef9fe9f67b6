"""What grows is named: by `check` before anything is compiled, by poles without those of standing elsewhere."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.base.errors import ConvergenceError, FlexwheelError, MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.invariants import mass_centre_inertia, scalar_mass_matrix
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.reduction_memory import reduction_memory, require_reduction_memory
from flexwheel.body.revolution import Revolution, detect_revolution
from flexwheel.body.section_outline import section_outline
from flexwheel.body.tread import TreadOptions, find_treads
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.interpreted import interpreted
from flexwheel.run.build.build_simulation import assemble_simulation, build_simulation
from flexwheel.run.check_scenario import check_scenario
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.step.growth import growing, poles
from flexwheel.vehicle.step.rigid_linear import RigidLinear
from flexwheel.vehicle.step.simulate import moving_most

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
from growth import BOX, KINDS, shipped, stable, unstable, written  # noqa: E402


@pytest.mark.parametrize("kind", KINDS)
def test_an_unstable_vehicle_is_refused_by_name(tmp_path, kind):
    vehicle, word = unstable(kind, 7)
    with pytest.raises(FlexwheelError, match=word or "grows"):
        check_scenario(written(tmp_path, vehicle))


@pytest.mark.parametrize("seed", range(3))
def test_a_stable_vehicle_is_not_blamed(tmp_path, seed):
    check_scenario(written(tmp_path, stable(seed)))


def test_what_grows_may_be_meant(tmp_path):
    """The refusal names body, rate and cure, and a scenario may accept it."""
    path = written(tmp_path, shipped("manchester_v1") | {"axle_box": BOX})
    with pytest.raises(FlexwheelError, match=r"wheelset_1 axle box left pitch.*e-fold in 0\.\d+ s.*revolute = false"):
        check_scenario(path)
    text = path.read_text()
    path.write_text('accept = ["growth"]\n' + text)
    assert "axle box left pitch" in check_scenario(path).warnings[-1]
    loose = shipped("manchester_v1") | {"axle_box": BOX | {"revolute": False}}
    check_scenario(written(tmp_path, loose))


def test_a_body_that_nothing_holds_is_named(tmp_path):
    vehicle = shipped("manchester_v1")
    vehicle["bodies"]["crate"] = vehicle["bodies"]["front_bogie"] | {"position_m": [-3.0, 0.0, 2.0]}
    with pytest.raises(FlexwheelError, match="crate"):
        check_scenario(written(tmp_path, vehicle))


def test_poles_of_two_masses_on_a_track():
    """Two masses on a spring that pushes: standing elsewhere is no pole, running faster is one at zero."""
    mass, push = np.diag([2.0, 8.0]), 40.0
    stiffness = -push * np.array([[1.0, -1.0], [-1.0, 1.0]])
    linear = RigidLinear(1.0, mass, np.zeros((2, 2)), stiffness, ("a along", "b along"), (0, 1), ())
    rate = np.sqrt(push * (1.0 / 2.0 + 1.0 / 8.0))
    assert np.sort(poles(linear)[0].real) == pytest.approx([-rate, 0.0, rate], abs=1e-12)
    (found,) = growing(linear)
    assert found.rate == pytest.approx(rate)
    assert found.names == ("a along", "b along")  # equal momenta: the light one has four fifths of the energy
    assert found.share == pytest.approx(0.8)


@kernel
def _twice(x):
    return 2.0 * x


@kernel
def _squares(x, out):
    for i in range(out.shape[0]):
        out[i] = _twice(x) ** i
    return _twice(out[1])


def test_a_kernel_runs_as_plain_python():
    plain, out = interpreted(_squares), np.zeros(3)
    assert plain(1.5, out) == _squares(1.5, out) == 6.0
    assert out.tolist() == [1.0, 3.0, 9.0]
    assert not hasattr(plain, "overloads")
    assert not hasattr(plain.__globals__["_twice"], "overloads")


def test_a_failed_run_names_what_moves_most(tmp_path):
    path = written(tmp_path, shipped("manchester_v1") | {"axle_box": BOX})
    s = assemble_simulation(read_scenario(path, ['accept=["growth"]']), {})
    assert moving_most(s.model, s.assembly, s.state)
    s.state.history[0, 1, s.assembly.units.offset[4] - 1] = 30.0
    assert moving_most(s.model, s.assembly, s.state).startswith("wheelset_1 axle box right pitch has 100 %")


FLEXIBLE = """[wheelset.wheelset_1]
formulation = "flexible"
mesh = "MESH"
"""
PROFILE = Path(__file__).resolve().parents[2] / "track" / "profiles" / "S1002.csv"
MESH = Path(__file__).resolve().parents[2] / "meshes" / "wheelset_coarse.inp"


@pytest.fixture(scope="module")
def coarse():
    return read_mesh(MESH)[0]


def flexible(folder, mesh, vehicle="manchester_v1"):
    """Scenario with a flexible leading wheelset."""
    path = written(folder, shipped(vehicle))
    path.write_text(path.read_text() + FLEXIBLE.replace("MESH", str(mesh)))
    return path


def test_check_weighs_the_mesh(tmp_path):
    with pytest.raises(FlexwheelError, match=r"mesh weighs 10\d\d\.\d kg.*wheelset_1\.mass_kg is 1813"):
        check_scenario(flexible(tmp_path, MESH))


def test_check_refuses_a_modulus_without_a_density(tmp_path):
    text = re.sub(r"\*DENSITY\n[^\n]*\n", "", MESH.read_text(), flags=re.I)
    assert text != MESH.read_text()
    (tmp_path / "m.inp").write_text(text)
    with pytest.raises(FlexwheelError, match="density"):
        check_scenario(flexible(tmp_path, tmp_path / "m.inp"))


def test_weight_of_a_mesh_is_that_of_its_matrix(coarse):
    mass = assemble(coarse)[1]
    wanted = mass_centre_inertia(scalar_mass_matrix(mass), coarse.nodes)
    found = mass_properties(coarse)
    assert found.mass == pytest.approx(wanted[0], rel=1e-12)
    np.testing.assert_allclose(found.inertia, wanted[2], rtol=1e-10, atol=1e-9 * wanted[0])


def test_tread_datum_without_the_flange_back_in_the_set(coarse):
    """The set begins beside the flange: the datum stays 70 mm outside the flange back, or where it is stated."""
    own = find_treads(coarse, *_section(coarse), TreadOptions())
    sets = {name: rows[np.abs(coarse.nodes[rows, 1]) > 0.71] for name, rows in _treads(coarse).items()}
    cut = replace(coarse, node_sets=coarse.node_sets | sets)
    found = find_treads(cut, *_section(cut), TreadOptions())
    assert [t.lateral for t in found] == [t.lateral for t in own]
    assert len(found[0].profile) < len(own[0].profile)
    stated = find_treads(cut, *_section(cut), TreadOptions(lateral=0.745))
    assert [t.lateral for t in stated] == [0.745, -0.745]
    with pytest.raises(MeshError, match="tread_datum_mm"):
        find_treads(cut, *_section(cut), TreadOptions(lateral=0.9))


def _section(mesh):
    revolution = detect_revolution(mesh)[0]
    return revolution, section_outline(mesh, revolution)


def _treads(mesh):
    found = find_treads(mesh, *_section(mesh), TreadOptions())
    return {f"TREAD_{side}": np.unique(t.nodes) for side, t in zip(("LEFT", "RIGHT"), found, strict=True)}


def counted(nodes, **elements):
    """What a forecast reads of a mesh."""
    blocks = [SimpleNamespace(kind=kind, ids=range(count)) for kind, count in elements.items()]
    return SimpleNamespace(nodes=range(nodes), blocks=blocks, element_count=sum(elements.values()))


def test_memory_of_a_reduction_is_forecast(monkeypatch):
    """Against the peaks of docs/speed.md; a mesh of a million nodes is refused with figures before it is reduced."""
    shipped_mesh, large = counted(56021, hex8=39240, wedge6=7200), counted(300213, hex20=60000, wedge15=9000)
    # the largest front depends on the section's shape, and counts of elements stand for the pattern
    assert reduction_memory(shipped_mesh) == pytest.approx(1.72e9, rel=0.15)
    assert reduction_memory(large) == pytest.approx(12.4e9, rel=0.15)
    of_revolution = object.__new__(Revolution)
    assert reduction_memory(shipped_mesh, of_revolution) == pytest.approx(0.419e9, rel=0.25)
    monkeypatch.setattr("flexwheel.body.reduction_memory.available_memory", lambda: 21e9)
    require_reduction_memory(large, None, 2000.0)
    million = counted(1008288, hex20=220000)
    with pytest.raises(MeshError, match=r"1008288 nodes, 220000 elements: some 5\d.* GB of memory needed, 21 GB avail"):
        require_reduction_memory(million, None, 2000.0)
    require_reduction_memory(million, of_revolution, 2000.0)


@pytest.mark.parametrize("permille", [-20.0, -35.0])
def test_a_vehicle_at_rest_where_the_curvature_of_the_track_jumps(tmp_path, permille):
    """Its first wheelset stands where a falling gradient's rounding begins: as on the level that lies behind."""
    vertical = f"track.vertical=[{{position_m=40.0,gradient_permille={permille},rounding_m=20.0}}]"
    path = written(tmp_path, shipped("as4"))
    scenario = read_scenario(path, [vertical, "run.start_position_m=30.0", "run.speed_kmh=80.0"])
    s = build_simulation(scenario, {})
    assert s.static_wrench[:, :, 2] == pytest.approx(np.full((2, 2), 88304.715), rel=1e-6)
    assert s.state.history[0, 0, s.model.units.offset[1]] == pytest.approx(30.0, abs=1e-6)


def test_check_refuses_a_profile_with_noise_that_a_run_refuses(tmp_path):
    """Noise of 5 um, with which the contact of a run finds no rest unless smoothed; of 0.5 um, with which it does."""
    path = written(tmp_path, shipped("as4"))
    head, *rows = [row for row in PROFILE.read_text().splitlines() if not row.startswith("#")]
    points = np.array([[float(value) for value in row.split(",")[:2]] for row in rows])
    noise = 1e-3 * np.random.default_rng(0).standard_normal(len(points))
    for name, size in (("noisy", 5.0), ("fair", 0.5)):
        lines = [head, *(f"{y:.6f},{z + size * more:.6f}" for (y, z), more in zip(points, noise, strict=True)), ""]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    noisy, rough = "contact.wheel_profile=noisy.csv", "contact.wheel_file.smoothing_mm=0"
    with pytest.raises(ConvergenceError, match=r"um in .*noisy.csv; smooth it .contact.wheel_file.smoothing_mm"):
        check_scenario(path, [noisy, rough])
    with pytest.raises(ConvergenceError, match="touches it at more places than a contact has"):
        build_simulation(read_scenario(path, [noisy, rough]), {})
    build_simulation(read_scenario(path, [noisy]), {})
    (line,) = check_scenario(path, [noisy]).warnings
    assert "noisy.csv: 1301 points" in line and "smoothed, cutoff" in line and "wheel_file.cutoff_mm" in line
    fair = check_scenario(path, ["contact.wheel_profile=fair.csv", rough]).warnings
    assert any("noise 0.4" in line and "curvature uncertain" in line for line in fair)
    build_simulation(read_scenario(path, ["contact.wheel_profile=fair.csv", rough]), {})
    assert not any("points" in line for line in check_scenario(path).warnings)
