"""Whatever a new user may get wrong ends in one line on stderr and exit code 2, and leaves no file behind."""

import re

import numpy as np
import pytest
from cli_cases import MESHES, ROOT, SCENARIO, VEHICLE, command, plain, run, with_file, with_mesh, with_vehicle

from tests import rooms

COARSE = (MESHES / "wheelset_coarse.inp").read_text()
COARSE_FRONT = f"wheelset.front.mesh={MESHES / 'wheelset_coarse.inp'}"


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXWHEEL_CACHE", str(tmp_path_factory.mktemp("bodies")))
        yield


def mesh_lines(change):
    """The coarse wheelset with its lines changed by a function of the list of lines."""
    lines = COARSE.splitlines()
    change(lines)
    return "\n".join(lines) + "\n"


def moved(condition, shift):
    """The coarse wheelset with the nodes that meet a condition of (x, y, z) moved."""

    def change(lines):
        first, last = lines.index("*NODE") + 1, next(i for i, s in enumerate(lines) if s.startswith("*ELEMENT"))
        for i in range(first, last):
            node, *place = lines[i].split(",")
            place = np.array(place, dtype=float)
            if condition(*place):
                lines[i] = f"{node}, {', '.join(repr(float(c)) for c in place + shift(*place))}"

    return mesh_lines(change)


def inverted(lines):
    row = next(i for i, s in enumerate(lines) if s.startswith("*ELEMENT, TYPE=C3D8")) + 40
    ids = [s.strip() for s in lines[row].split(",")]
    lines[row] = ", ".join([ids[0], *ids[5:9], *ids[1:5]])


def second_part(lines):
    corners = [(0, 3, 0), (0.1, 3, 0), (0.1, 3.1, 0), (0, 3.1, 0)]
    corners += [(x, y, 0.1) for x, y, _ in corners]
    row = next(i for i, s in enumerate(lines) if s.startswith("*ELEMENT"))
    lines[row:row] = [f"{90001 + i}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(corners)]
    row = next(i for i, s in enumerate(lines) if s.startswith("*ELEMENT"))
    lines.insert(row + 1, "90001, " + ", ".join(str(90001 + i) for i in range(8)))


def hole(lines):
    """One element less in the right wheel, which leaves its element set too."""
    at = next(i for i, s in enumerate(lines) if s.startswith("*ELSET, ELSET=WHEEL_RIGHT")) + 1
    gone, *others = lines[at].split(",")
    lines[at] = ",".join(others)
    first = next(i for i, s in enumerate(lines) if s.startswith("*ELEMENT, TYPE=C3D8")) + 1
    del lines[next(i for i in range(first, at) if lines[i].startswith(f"{int(gone)},"))]


def bytes_as_scenario(folder):
    arguments = run()(folder)
    (folder / "s.toml").write_bytes(b"\xff\xfe\x00")
    return arguments


def corrupted_results(folder):
    (folder / "results.nc").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(5000))
    return ["view", folder]


def text_as_results(folder):
    (folder / "results.nc").write_text("not a netCDF file\n")
    return ["view", folder]


def broken_train_results(folder):
    (folder / "train.nc").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(5000))
    return ["view", folder]


def output_is_a_file(folder):
    (folder / "taken").write_text("mine")
    return [*run()(folder)[:2], "--out", folder / "taken", "--quiet"]


def output_named_as_a_file(folder):
    return [*run()(folder)[:2], "--out", folder / "results.nc", "--quiet"]


def output_under_a_file(folder):
    (folder / "taken").write_text("mine")
    return [*run()(folder)[:2], "--out", folder / "taken" / "out", "--quiet"]


def profile(points):
    return "".join(f"{y:.3f} {z:.3f}\n" for y, z in points)


WHEEL = [(y, 0.008 * y * y if y < 0 else -y / 40) for y in range(-60, 61)]
FOLDED = [*WHEEL[:80], (15.0, -0.4), *WHEEL[80:]]
NO_TREAD = moved(lambda x, y, z: x > 0.05 and z > 0.05, lambda x, y, z: (1e-4, 0, 0)).replace("NSET=TREAD", "NSET=RUN")
OVAL = moved(lambda x, y, z: 0.2 < np.hypot(x, z) < 0.35 and x > 0.2, lambda x, y, z: (0.01, 0, 0))
MASS = "mass_kg = { value = 33500.0"
TRAIN = ("run", ROOT / "examples" / "train_2.toml", "--out", "FOLDER/out", "-q")
IRREGULARITY = "s_m,left_lateral_mm,left_vertical_mm,right_lateral_mm,right_vertical_mm\n"
IRREGULARITY += "0,0,0,0,0\n1,0,nan,0,0\n2,0,0,0,0\n3,0,0,0,0\n4,0,0,0,0\n"

CASES = {
    # mesh files
    "truncated mesh": (with_mesh(COARSE[: len(COARSE) // 2]), r"bad\.inp"),
    "empty mesh": (with_mesh(""), r"bad\.inp.*empty"),
    "binary mesh": (with_mesh(bytes(range(256)) * 40), r"bad\.inp"),
    "inverted element": (with_mesh(mesh_lines(inverted)), r"bad\.inp.*hex8 element \d+ is inverted"),
    "disconnected part": (with_mesh(mesh_lines(second_part)), r"bad\.inp.*2 parts that share no node"),
    "missing set": (run('wheelset.front.interface_sets=["LEFT", "RIGHT"]'), r"LEFT.*AXLE_BOX_LEFT"),
    "metres read as millimetres": (run("wheelset.front.mesh_unit=mm"), r"wheelset_coarse\.inp.*mm"),
    "millimetres read as metres": (
        with_mesh(moved(lambda x, y, z: True, lambda x, y, z: 999.0 * np.array([x, y, z]))),
        r"bad\.inp.*2200 m long",
    ),
    "unit nobody knows": (run("wheelset.front.mesh_unit=furlong"), r"wheelset\.front\.mesh_unit.*'m', 'mm'"),
    "mesh without tread": (with_mesh(NO_TREAD), r"tread"),
    "mesh not of revolution in eulerian": (with_mesh(OVAL), r"eulerian|revolution"),
    "hole in the mesh in eulerian": (with_mesh(mesh_lines(hole)), r"eulerian|revolution"),
    "mesh not of revolution by the cyclic route": (with_mesh(OVAL, "wheelset.front.route=cyclic"), r"revolution"),
    "mesh of unknown type": (with_mesh("solid\n", name="bad.stl"), r"bad\.stl.*\.inp"),
    "missing mesh": (run("wheelset.front.mesh=gone.inp"), r"wheelset\.front\.mesh.*gone\.inp"),
    "mesh without material": (with_mesh(COARSE[: COARSE.index("*MATERIAL")]), r"bad\.inp.*no material.*youngs"),
    "flexible without mesh": (
        run(replace=[(f'mesh = "{MESHES}/wheelset_coarse.inp"\n', "")]),
        r"mesh must be given.*s\.toml:8",
    ),
    "control node not in the mesh": (run("wheelset.front.control_nodes=[999999]"), r"999999"),
    "axle along another axis": (run("wheelset.front.axle_axis=x"), r"axle|axis|x"),
    "modes that the mesh has not": (run("wheelset.front.fixed_interface_modes=3000"), r"fixed_interface_modes"),
    # scenario file
    "missing scenario": (
        plain("run", "FOLDER/gone.toml", "--out", "FOLDER/out"),
        r"gone\.toml must be a scenario in TOML, but there is no such file",
    ),
    "scenario is a folder": (plain("run", "FOLDER", "--out", "FOLDER/out"), r"is a folder"),
    "not TOML": (run(replace=[("[vehicle]", "[vehicle")]), r"s\.toml: not valid TOML.*line 5"),
    "not text": (bytes_as_scenario, r"s\.toml must be UTF-8 text, but is UTF-16"),
    "key twice": (run(replace=[('file = "as4"', 'file = "as4"\nfile = "as4"')]), r"s\.toml.*line 7"),
    "unknown key": (
        run(replace=[("speed_kmh", "sped_kmh")]),
        r"unknown key run\.sped_kmh \(.*s\.toml:2\).*speed_kmh.*step_s",
    ),
    "unknown section": (run(replace=[("[vehicle]", "[vehicel]")]), r"s\.toml:5.*did you mean vehicle"),
    "no [run]": (run(scenario='[vehicle]\nfile = "as4"\n'), r"run must be given, a table \[run\] \(.*s\.toml\)"),
    "empty scenario": (run(scenario=""), r"run must be given, a table \[run\] \(.*s\.toml\)"),
    "NaN in the scenario": (run(replace=[("0.3", "nan")]), r"contact\.friction.*finite.*nan.*s\.toml:\d+"),
    "infinite duration": (run(replace=[("= 0.02", "= inf")]), r"run\.duration_s.*finite.*s\.toml:3"),
    "zero speed": (run(replace=[("= 80.0", "= 0.0")]), r"run\.speed_kmh must be above 0, got 0.*s\.toml:2"),
    "negative duration": (run("run.duration_s=-1"), r"run\.duration_s must be above 0, got -1"),
    "wrong type": (run(replace=[("= 80.0", '= "fast"')]), r"run\.speed_kmh must be a number, got 'fast' .*s\.toml:2"),
    "section is a value": (
        run(replace=[('[vehicle]\nfile = "as4"', "")], scenario="vehicle = 3\n" + SCENARIO),
        r"vehicle",
    ),
    "layout is a word": (run("track.layout=straight"), r"track\.layout.*'straight'"),
    "arc without radius": (run("track.layout=[{kind='arc', length_m=9}]"), r"track\.layout\.0.*radius_m"),
    "negative friction": (run("contact.friction=-0.3"), r"contact\.friction must be at least 0, got -0\.3"),
    "absurd gauge": (run("contact.gauge_mm=1000"), r"gauge"),
    "output step between steps": (run("run.output_step_s=1.1e-4"), r"run.*output_step_s.*whole multiple"),
    "Fox-Goodwin step too large": (
        run("run.newmark_beta=0.0833333333", "run.step_s=1e-3", "run.output_step_s=1e-3"),
        r"step",
    ),
    "track too short": (run("track.layout=[{kind='straight', length_m=0.1}]"), r"track too short.*0\.4 m.*0\.1 m"),
    "wheelset the vehicle lacks": (run("wheelset.middle.formulation=rigid"), r"middle.*front"),
    "--set without value": (run("run.speed_kmh"), r"--set must be section\.key=value.*got run\.speed_kmh"),
    "--set of an unknown section": (run("runs.speed_kmh=80"), r"--set runs\.speed_kmh=80.*did you mean run"),
    "--set of an unknown key": (run("run.x=1"), r"unknown key run\.x \(--set run\.x=1\); known"),
    "--set into a value": (run("run.speed_kmh.x=1"), r"--set run\.speed_kmh\.x=1: speed_kmh is a value"),
    "--set beyond a list": (run("track.layout.7.length_m=1"), r"--set track\.layout\.7.*0 to 1"),
    "--set of nan": (run("run.speed_kmh=nan"), r"finite.*--set run\.speed_kmh=nan"),
    # vehicle, track, irregularity, profiles
    "unknown vehicle": (run("vehicle.file=as5"), r"vehicle must be one of as4.*got 'as5'"),
    "vehicle not TOML": (with_file("v.toml", "[wheel", "vehicle.file=v.toml"), r"v\.toml: not valid TOML"),
    "negative mass": (with_vehicle(MASS, MASS.replace("33", "-33")), r"v\.toml.*mass_kg must be a positive.*-33500\.0"),
    "NaN mass": (with_vehicle(MASS, "mass_kg = { value = nan"), r"v\.toml.*mass_kg must be a finite number.*nan"),
    "NaN stiffness": (with_vehicle("[2.5e5, 2.5e5, 4.7e5]", "[2.5e5, nan, 4.7e5]"), r"v\.toml.*stiffness_n_per_m"),
    "negative stiffness": (with_vehicle("[2.5e5, 2.5e5, 4.7e5]", "[2.5e5, 2.5e5, -4.7e5]"), r"stiffness_n_per_m"),
    "place that is a word": (with_vehicle("[-4.25, 0.0, 1.60]", '["a", 0.0, 1.60]'), r"v\.toml.*position_m"),
    "element without its point": (
        with_vehicle("point_a_m = { value = [0.0, 0.14, 0.10]", "point_x_m = { value = [0.0, 0.14, 0.10]"),
        r"v\.toml.*elements\.inclined_friction_damper\.point_a_m must be given: three numbers",
    ),
    "body that is a number": (with_vehicle("[axle_box]", "[bodies]\nx = 3\n[axle_box]"), r"v\.toml"),
    "axle boxes that are a word": (
        with_file(
            "v.toml",
            re.sub(r"(?s)\[axle_box\].*?(?=\[elements)", "", 'axle_box = "two"\n' + VEHICLE),
            "vehicle.file=v.toml",
        ),
        r"v\.toml: axle_box must be a table of keys, got 'two'",
    ),
    "copies that are a word": (with_vehicle("[0.32, -0.32]", '"both"'), r"v\.toml.*x_m must be a list.*'both'"),
    "radius not that of the mesh": (with_vehicle("value = 0.46", "value = 0.5"), r"front.*459\.95 mm.*500\.00 mm"),
    "unknown rail": (run("track.model=flexible", "track.rail=uic61"), r"uic60.*uic61"),
    "support not TOML": (
        with_file("t.toml", "[fastener", "track.support=t.toml", "track.model=flexible"),
        r"t\.toml.*TOML",
    ),
    "missing irregularity": (run("irregularity.file=gone.csv"), r"irregularity\.file.*gone\.csv"),
    "garbled irregularity": (with_file("i.csv", "s_m,a\n0,x\n", "irregularity.file=i.csv"), r"i\.csv"),
    "empty irregularity": (with_file("i.csv", "", "irregularity.file=i.csv"), r"i\.csv"),
    "NaN in irregularity": (
        with_file(
            "i.csv",
            IRREGULARITY + "0,0,0,0,0\n1,0,nan,0,0\n2,0,0,0,0\n3,0,0,0,0\n4,0,0,0,0\n",
            "irregularity.file=i.csv",
        ),
        r"i\.csv:3 must be finite numbers",
    ),
    "unknown roughness": (run("irregularity.roughness=iso9999"), r"iso3095.*iso9999"),
    "garbled roughness": (with_file("r.csv", "a,b\nc,d\n", "irregularity.roughness=r.csv"), r"r\.csv"),
    "unknown profile": (run("contact.wheel_profile=S1003"), r"contact\.wheel_profile = S1003.*S1002"),
    "wheel in place of rail": (run("contact.rail_profile=S1002"), r"contact\.rail_profile = S1002.*60E1"),
    "profile folds back": (
        with_file("w.csv", profile(FOLDED), "contact.wheel_profile=w.csv"),
        r"w\.csv, line 81: at y = 15\.000 mm a point 4\.001 mm off its neighbours",
    ),
    "empty profile": (with_file("w.csv", "", "contact.wheel_profile=w.csv"), r"w\.csv"),
    "garbled profile": (with_file("w.csv", "one two\nthree\n", "contact.wheel_profile=w.csv"), r"w\.csv"),
    # output
    "output is named as a file": (output_named_as_a_file, r"results.nc must be the name of a folder, .*without \.nc"),
    "output is a file": (output_is_a_file, r"taken must be a folder for results, but is a file"),
    "output under a file": (output_under_a_file, r"taken.*must be a writable folder"),
    "unwritable output": (
        plain("run", ROOT / "examples" / "as4_curve.toml", "--out", "/proc/x", "-q", "--set", COARSE_FRONT),
        r"/proc/x",
    ),
    # other commands and options
    "no output folder": (plain("run", "s.toml"), r"--out"),
    "unknown option": (plain("run", "s.toml", "--fast"), r"--fast"),
    "unknown command": (plain("fly"), r"fly"),
    "option that is no number": (plain("modes", "MESH", "--count", "many"), r"--count.*integer"),
    "load without force": (
        plain("static", "MESH", "--clamp", "y=1.1", "--load", "1:z"),
        r"--load must be NODE:.*got 1:z",
    ),
    "load along no axis": (
        plain("static", "MESH", "--clamp", "y=1.1", "--load", "1:q:9"),
        r"--load must be NODE:.*got 1:q:9",
    ),
    "load along two": (
        plain("static", "MESH", "--clamp", "y=1.1", "--load", "1:xy:9"),
        r"--load must be NODE:.*got 1:xy:9",
    ),
    "load on no node": (plain("static", "MESH", "--clamp", "y=1.1", "--load", "999999:z:1"), r"999999"),
    "clamp of no number": (plain("static", "MESH", "--clamp", "y=left", "--load", "1:z:1"), r"y=left"),
    "clamp of nothing": (plain("static", "MESH", "--clamp", "", "--load", "1:z:1"), r"clamp|set"),
    "clamp that holds too little": (plain("static", "MESH", "--clamp", "y=7", "--load", "1:z:1"), r"y=7"),
    "node not in the mesh": (
        plain("static", "MESH", "--clamp", "y=1.1", "--load", "1:z:1", "--node", "999999"),
        r"--node 999999.*no such node",
    ),
    "half a material": (plain("modes", "MESH", "-E", "2.1e11"), r"together"),
    "place of words": (plain("reduce", "MESH", "--control-node", "a,b,c"), r"--control-node.*a,b,c"),
    "treads on the other side": (
        plain("reduce", "MESH", "--tread-set", "TREAD_RIGHT", "--tread-set", "TREAD_LEFT"),
        r"\.inp: tread nodes of the left wheel reach",
    ),
    "place of nan": (plain("reduce", "MESH", "--control-node", "nan,0,0"), r"finite"),
    "press fit of no pair": (plain("modes", "MESH", "--fit", "A:0.1"), r"no tie of the mesh is called 'A'"),
    "a card that is not there": (plain("modes", "MESH", "--ignore", "SPRING"), r"got SPRING; known: none"),
    "modes to no folder": (plain("modes", "MESH", "-o", "FOLDER/no/x.json"), r"no folder"),
    "speeds that are words": (
        plain("eigen", "SCENARIO", "--speeds-kmh", "slow"),
        r"--speeds-kmh must be LOW:HIGH:STEP.*got slow",
    ),
    "speeds without step": (plain("eigen", "SCENARIO", "--speeds-kmh", "20:300:0"), r"--speeds-kmh must be.*20:300:0"),
    "speeds without end": (plain("eigen", "SCENARIO", "--speeds-kmh", "1:900:1e-9"), r"at most 1000 speeds"),
    "view of nothing": (plain("view", "FOLDER/gone"), r"gone.*no such file"),
    "view without results": (plain("view", "FOLDER"), r"must be the folder of a run, but holds no results\.nc"),
    "view of text": (text_as_results, r"results\.nc must be results.*cannot be read as netCDF-4"),
    "view of a broken file": (corrupted_results, r"results\.nc must be results.*cannot be read as netCDF-4"),
    "view of broken train results": (broken_train_results, r"train\.nc must be results.*cannot be read as netCDF"),
    "unknown key of a train": (
        plain(*TRAIN, "--set", "run.x=1"),
        r"run\.x \(--set run\.x=1\).*known here: .*tolerance",
    ),
    "train of nan": (plain(*TRAIN, "--set", "run.tolerance=nan"), r"tolerance.*nan"),
    "train into a file": (plain(*TRAIN[:2], "--out", ROOT / "pyproject.toml"), r"pyproject\.toml must be a folder"),
    "unknown check": (plain("verify", "--only", "no such check"), r"no check of that name"),
}

TRAINS = "unknown key of a train", "train of nan", "train into a file"
CASES = rooms.left(CASES, {"verification": ["unknown check"], "systems/train": TRAINS})


def arguments_of(case, folder):
    """Arguments of a case made in a folder."""
    maker, _ = CASES[case]
    places = {"MESH": MESHES / "wheelset_coarse.inp", "SCENARIO": ROOT / "examples" / "as4_curve.toml"}
    return [places.get(a, a) for a in maker(folder)]


@pytest.mark.parametrize("case", CASES)
def test_ends_in_one_line_and_leaves_nothing(case, tmp_path, capfd):
    arguments = arguments_of(case, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert command(*arguments) == 2
    captured = capfd.readouterr()
    lines = [line for line in captured.err.splitlines() if line.strip()]
    assert len(lines) == 1 and lines[0].startswith("flexwheel: "), captured.err
    assert re.search(CASES[case][1], lines[0]), lines[0]
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before
