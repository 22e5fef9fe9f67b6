"""What a run reads is read before a mesh is: a bad profile, table or vehicle never waits for the reduction; and what is
assumed of it is told."""

from pathlib import Path

import pytest

from flexwheel.face.cli import main
from flexwheel.run.assumptions import assumed_summary, assumed_values
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.paper_example import is_paper_example
from flexwheel.run.simulation import settling_time
from flexwheel.vehicle.vehicle_file import read_vehicle

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "as4_curve.toml"


@pytest.mark.parametrize(
    ("key", "content", "expected"),
    [
        ("contact.wheel_profile", "y,z\n0,0\n1,x\n", "bad.csv"),
        ("irregularity.file", "s_m,left_up_mm\n0,1\n1,2\n2,1\n3,2\n4,1\n", "left_up_mm"),
        ("irregularity.file", "x,left_vertical_mm\n0,1\n1,2\n2,1\n3,2\n4,1\n", "must be s_m or distance_m"),
        ("irregularity.roughness", "wavelength_m,level_dB\n0.1,ten\n", "bad.csv:2"),
        ("irregularity.roughness", "wavelength_m,level_dB\n0.1,1e300\n", "level within"),
        ("track.support", "bay = 0.6\n", "bad"),
        ("track.rail", "[area\n", "bad"),
        ("vehicle.file", "name = 'x'\n", "bad"),
    ],
)
def test_bad_files_are_found_before_the_mesh_is_read(key, content, expected, tmp_path, monkeypatch, capsys):
    import flexwheel.run.wheelset_mesh as wheelset_mesh

    def never(*arguments, **options):
        raise AssertionError("the mesh was read first")

    monkeypatch.setattr(wheelset_mesh, "read_mesh", never)
    ending = ".toml" if key.split(".")[0] in ("track", "vehicle") else ".csv"
    bad = tmp_path / f"bad{ending}"
    bad.write_text(content)
    with pytest.raises(SystemExit) as stop:
        main(["run", str(EXAMPLE), "--out", str(tmp_path / "out"), "--quiet", "--set", f'{key}="{bad}"'])
    lines = capsys.readouterr().err.splitlines()
    assert stop.value.code == 2 and len(lines) == 1 and expected in lines[0], lines
    assert not (tmp_path / "out" / "results.nc").exists()


def test_all_sets_are_looked_for_before_a_mesh_is_reduced(monkeypatch):
    import flexwheel.body.body_cache as body_cache
    from flexwheel.base.errors import MeshError
    from flexwheel.run.reduced_bodies import flexible_wheelsets

    coarse = ROOT / "meshes" / "wheelset_coarse.inp"
    keys = [
        f"wheelset.{name}.{key}" for name in ("front", "rear") for key in ("formulation=flexible", f"mesh={coarse}")
    ]
    scenario = read_scenario(EXAMPLE, [*keys, 'wheelset.rear.tread_sets=["TREAD_LEFT", "B"]'])
    monkeypatch.setattr(body_cache, "cached_body", lambda *a: pytest.fail("reduced before all sets were seen"))
    with pytest.raises(MeshError, match="wheelset.rear.tread_sets.*no node set 'B'"):
        flexible_wheelsets(scenario)


def test_a_mesh_is_read_once(monkeypatch):
    """By `check` and run, and by wheelsets that share it; another material is another mesh."""
    import flexwheel.run.wheelset_mesh as wheelset_mesh

    read, files = wheelset_mesh.read_mesh, []
    monkeypatch.setattr(
        wheelset_mesh, "read_mesh", lambda path, *rest, **keys: files.append(path) or read(path, *rest, **keys)
    )
    wheelset_mesh._read.clear()
    coarse = ROOT / "meshes" / "wheelset_coarse.inp"
    steel = ["youngs_modulus_pa=2e11", "poissons_ratio=0.3", "density_kg_m3=7800"]
    flexible = ("formulation=flexible", f"mesh={coarse}")
    keys = [f"wheelset.{name}.{key}" for name in ("front", "rear") for key in flexible]
    sections = read_scenario(EXAMPLE, [*keys, *(f"wheelset.rear.{key}" for key in steel)]).wheelset
    found = [wheelset_mesh.wheelset_mesh(name, sections[name])[0] for name in ("front", "front", "rear", "front")]
    assert len(files) == 2 and found[0] is found[1] is found[3] and found[2] is not found[0]


def lines_of(*overrides):
    scenario = read_scenario(EXAMPLE, overrides)
    return assumed_values(scenario, read_vehicle(scenario.vehicle.file))


def test_assumed_values_of_every_part_are_listed():
    lines = lines_of()
    for wanted in (
        "vehicle as4: bodies.car_body.mass_kg = 33500.0",
        "track: support ballasted: fastener.lateral.damping = 10000.0: scaled from vertical",
        "track: rail uic60: stiffness_damping",
        "irregularity: contact_filter = 6 mm",
        "contact: normal_damping_ns_m",
        "scenario: contact.friction",
    ):
        assert any(line.startswith(wanted) for line in lines), wanted
    short = assumed_summary(lines)
    assert len(short) <= 7 and short[0].startswith(f"{len(lines)} assumed values")
    assert sum(int(line.split(": ")[1]) for line in short[1:]) == len(lines)


def test_values_that_the_scenario_gives_or_does_not_use_are_not_assumed():
    given = lines_of("track.fastener.lateral.damping_ns_m=2e4", "irregularity.contact_filter=false")
    assert not any("fastener.lateral.damping" in line or "contact_filter" in line for line in given)
    assert any("fastener.longitudinal.damping" in line for line in given)
    assert not any(line.startswith("track: ") for line in lines_of("track.model=rigid"))
    massless = [line for line in lines_of("track.model=massless") if line.startswith("track: ")]
    assert any("vertical_stiffness_n_m" in line for line in massless) and not any("mass_kg" in m for m in massless)
    assert any("spectrum fra: corner_s" in line for line in lines_of("irregularity.spectrum=fra"))
    profiles = lines_of("irregularity.spectrum=none", "irregularity.roughness=none")
    assert not any(line.startswith("irregularity: ") for line in profiles)


def test_figures_of_the_paper_stand_beside_its_example_only(tmp_path):
    assert is_paper_example(read_scenario(EXAMPLE))
    assert is_paper_example(read_scenario(ROOT / "examples" / "as4_paper.toml"))
    for override in (
        f"wheelset.front.mesh={ROOT / 'meshes' / 'wheelset_coarse.inp'}",
        "wheelset.front.formulation=rigid",
        "track.model=rigid",
        "vehicle.file=manchester_v1",
    ):
        assert not is_paper_example(read_scenario(EXAMPLE, [override])), override


def test_settling_time_has_a_ground():
    # 10 m of growing irregularity at 80 km/h, and a second for the bodies on their springs
    assert settling_time(read_scenario(EXAMPLE)) == pytest.approx(0.45 + 1.0)
    smooth = ["irregularity.spectrum=none", "irregularity.roughness=none"]
    assert settling_time(read_scenario(EXAMPLE, smooth)) == 1.0
    assert settling_time(read_scenario(EXAMPLE, ["run.settling_s=0"])) == 0.0
