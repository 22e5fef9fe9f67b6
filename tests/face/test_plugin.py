"""A distribution beside the package: what it adds is there in every command, what is wrong with it costs one line."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy.special import ellipe, ellipk

from tests import rooms
from tests.hertz_contact import solve

PLUGIN = Path(__file__).resolve().parents[2] / "examples" / "plugin"
SCENARIO = PLUGIN / "coasting.toml"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Folder into which pip has installed the example."""
    folder = tmp_path_factory.mktemp("plugin") / "site"
    pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", folder, PLUGIN]
    subprocess.run([sys.executable, *map(str, pip)], check=True)
    return folder


COMMAND = "import sys; from flexwheel.face.cli import main; main(sys.argv[1:])"


def flexwheel(folder, *words, start=subprocess.run, code=COMMAND, **options):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    words = [sys.executable, "-c", code, *map(str, words)]
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return start(words, env=environment, cwd=folder.parent, **pipes, **options)


SEVERAL = """
import contextlib, io, json, sys
from flexwheel.face.cli import main
for line in sys.stdin:
    words, out, err, code = json.loads(line), io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if isinstance(words, str):
                exec(words, {"__name__": "__main__"})
            else:
                main(words)
        except SystemExit as stop:
            code = stop.code or 0
    print(json.dumps((code, out.getvalue(), err.getvalue())), flush=True)
"""


@pytest.fixture(scope="module")
def each(installed):
    """(exit code, stdout, stderr) of each command, or of code, one after the other in one process."""
    with flexwheel(installed, start=subprocess.Popen, code=SEVERAL, stdin=subprocess.PIPE) as process:

        def ended(*commands):
            found = []
            for words in commands:
                process.stdin.write(json.dumps(words if isinstance(words, str) else [*map(str, words)]) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
                assert answer, process.stderr.read()
                found.append(json.loads(answer))
            return found

        yield ended
        process.stdin.close()


def test_it_is_checked_documented_run_and_drawn(installed, each, tmp_path):
    wrong = ("check", SCENARIO, "--set", "wagon.mass_t=-1")
    (_, checked, _), (_, schema, _), (code, _, told) = each(("check", SCENARIO), ("schema",), wrong)
    assert "kind = 'coasting'" in checked and "gradient_permille" in schema
    assert code == 2 and "wagon.mass_t" in told and told.count("\n") == 1
    done = flexwheel(installed, "run", SCENARIO, "--out", tmp_path, "--view", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["complete"], done.stderr
    assert (tmp_path / "pictures" / "coasting.png").is_file()
    results = xr.open_dataset(tmp_path / "results.nc")
    m, a, c, v = 22e3, 350.0, 2.5, 60.0 / 3.6
    way = m / (2.0 * c) * np.log1p(c * v * v / a)  # of m v dv/ds = -(a + c v^2)
    assert float(results.place[-1]) == pytest.approx(way, abs=0.01 * v)  # it stands within a step


def test_a_report_shows_what_its_kind_and_its_assessment_declare(each, tmp_path):
    """Summary, variables as figures and curves, pictures; its command is in the help."""
    one, two = tmp_path / "one", tmp_path / "two"
    heavy = ("run", SCENARIO, "--set", "wagon.mass_t=44", "--out", two, "-q")
    ended = each(
        ("run", SCENARIO, "--out", one, "-q"), heavy, ("report", one, two), ("--help",),
        ("coasting-way", SCENARIO),
    )  # fmt: skip
    assert [code for code, _, _ in ended] == [0] * 5, ended
    page = (one / "report.html").read_text(encoding="utf-8")
    way = float(xr.open_dataset(one / "results.nc").place[-1])
    assert f"Empty wagon on a level line: {way:.1f} m, stands after" in page
    assert "speed [m s-1]" in page and "place: way since the start" in page and "data:image/png" in page
    assert "wagon.mass_t" in page and "Way to the stand" in page
    by_run, by_integral = (
        float(cell) for cell in re.findall(r">([\d.]+)</t[dh]>", page.partition("integral [m]")[2])[:2]
    )
    assert by_run == pytest.approx(way, abs=0.06) and by_integral == pytest.approx(way, abs=0.2)  # it stands in a step
    assert "coasting-way" in ended[3][1] and f"{by_integral} m" in ended[4][1]


def test_a_killed_run_goes_on(installed, each, tmp_path):
    longer = ("--set", "run.duration_s=30000", "--set", "run.step_s=0.001", "--set", "run.output_steps=100000")
    run = flexwheel(installed, "run", SCENARIO, "--out", tmp_path / "o", "-q", *longer, start=subprocess.Popen)
    saved = tmp_path / "o" / "resume" / "coasting.npz"
    while not saved.is_file() and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert saved.is_file(), "the run ended before it was killed"
    plain = ("run", SCENARIO, "--out", tmp_path / "plain", "-q", *longer)
    ended = each(plain, ("run", "--resume", tmp_path / "o", "-q"))
    assert [code for code, _, _ in ended] == [0, 0], ended
    one, two = (xr.open_dataset(tmp_path / name / "results.nc") for name in ("plain", "o"))
    assert all(np.array_equal(one[name], two[name]) for name in one.variables)


DIPS = """
import json
import numpy as np
from flexwheel.assess.response import ResponseSettings, input_matrix, respond, response_scenario
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.spectra import third_octaves
from flexwheel.run.build.build_track import build_irregularity
from flexwheel.run.keys.reader import read_scenario, read_scenario_source
from flexwheel.run.simulation import run_scenario
from flexwheel.track.irregularity import irregularity_at
from flexwheel_example.rail_dips import heights

example = EXAMPLES / "manchester_s_curve.toml"
dips = "irregularity.dips={depth_mm=0.02,length_m=0.35,spacing_m=1.626}"
keys = [dips, "irregularity.spectrum=none", "irregularity.roughness=none", "irregularity.ramp_m=2",
        "track.layout=[{kind='straight',length_m=200}]", "run.start_position_m=5", "run.end_position_m=85",
        "run.speed_kmh=72", "run.step_s=1e-4", "run.output_step_s=2e-4", "run.settling_s=1.5", "track.model=flexible"]
scenario = read_scenario(example, keys)
table = build_irregularity(scenario.irregularity, 110.0, 5.0)
places, out, slope = np.linspace(8.0, 85.0, 797), np.zeros(4), np.zeros(4)
found = []
for s in places:
    irregularity_at(table, s, out, slope)
    found.append(out.copy())
exact = heights(scenario.irregularity.dips, places)
results = run_scenario(scenario)
settled = results.sel(time=slice(1.5, None))
at = settled.irregularity.sel(direction="vertical").values[:, 0]
front = settled.body_position.sel(body=str(settled.wheelset.values[0]), path="s").values
own = heights(scenario.irregularity.dips, front)[:, 1]
q = settled.wheel_force.sel(force="Q").values[:, 0]
centre, run = third_octaves(q, 2e-4, 10.0, 200.0)
settings = ResponseSettings(200.0, 1.0, 4000.0, 1)
arrays, labels, _ = respond(scenario, {}, settings)
bands = np.hypot(arrays["contact_force_band"], arrays["contact_force_line_band"])
try:
    read_scenario_source(EXAMPLES / "ml95_curve.toml", [dips])
    refused = ""
except ScenarioError as error:
    refused = str(error)
print(json.dumps({
    "spline": float(np.abs(np.array(found) - exact).max()), "depth": float(np.abs(exact).max()),
    "run": float(np.abs(at - own).max()), "centre": list(map(float, centre)), "q": list(map(float, run)),
    "response": bands[:, 0, 2].tolist(), "labels": [float(x) for x in labels["band"]], "refused": refused,
}))
"""


def test_dips_are_exact_in_the_run_right_in_the_response_and_refused_by_the_simplified_model(each):
    ((code, printed, told),) = each(DIPS)
    assert code == 0, told
    found = json.loads(printed.splitlines()[-1])
    # at the edges the curvature jumps by J = d/2 (2 pi/L)^2: a cubic spline with knots every h = L/32 is within
    # J h^2/16 there, 0.12 % of d
    assert found["spline"] < 2e-3 * found["depth"] and found["run"] < 2e-3 * found["depth"]
    levels = dict(zip(found["labels"], found["response"], strict=True))
    strongest = max(found["q"])
    compared = 0
    for centre, level in zip(found["centre"], found["q"], strict=True):
        if level > 0.1 * strongest:  # bands with lines of the dips in them, which lie off the edges of bands
            near = min(levels, key=lambda hz: abs(np.log(hz / centre)))
            assert abs(20.0 * np.log10(levels[near] / level)) < 0.5, (centre, level, levels[near])
            compared += 1
    assert compared >= 8
    if rooms.there("systems/reduced"):
        assert "irregularity.dips" in found["refused"] and "simplified model" in found["refused"]


WHEEL = """
import json
import numpy as np
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle

rail = rail_60e1(0.025)
at = place(rail)
d = np.array([0.0, 1e-3, first_touch(WheelPair(s1002(), rail, at), 1e-3, 0.0, 0.0)[0] - 1e-4, 0.0, 0.0, 0.0])


def patch_of(slip, across, **law):
    tables = make_contact_tables(s1002(), rail, at, friction=0.4, **law)
    motion = WheelMotion(d, np.array([slip, across, 0.0, 0.0, 20.0 / 0.46, 0.0]), np.zeros(3), 20.0)
    result = make_contact_result()
    wheel_rail_contact(handle(tables), 0.46, motion, handle(make_contact_scratch(tables)), handle(result))
    return result.patches[0]


rows = {}
"""
FRICTION = """
found = rows["friction"] = []
law = dict(friction_law="hyperbolic", friction_keys={"limit_ratio": 0.2, "half_m_s": 0.7})
for tangential in ("fastsim", "kalker_linear", "polach"):
    for slip in (1.0, 3.0, 9.0):
        patch = patch_of(slip, 0.0, tangential_law=tangential, **law)
        force = float(np.hypot(patch[PATCH.force_x], patch[PATCH.force_y]) / patch[PATCH.normal_force])
        creep = np.hypot(patch[PATCH.xi], patch[PATCH.eta]) * 20.0 / (1.0 + 0.5 * patch[PATCH.xi])
        found.append([force, 0.4 * (0.2 + 0.8 / (1.0 + creep / 0.7)), float(creep), slip])
"""
TANGENTIAL = """
found = rows["tangential"] = []
names = "half_length", "half_width", "area", "normal_force", "xi", "eta", "force_x", "force_y", "spin_moment"
for ratio in (1.0, 0.6):
    law = dict(tangential_law="vermeulen_johnson", tangential_keys={"slope_ratio": ratio})
    for slip, across in ((0.004, 0.0), (0.0, 0.01), (0.03, -0.02), (-0.06, 0.05), (2.0, 1.0)):
        for angle in (3e-3, -1e-3):
            d[1], d[2] = angle, first_touch(WheelPair(s1002(), rail, at), angle, 0.0, 0.0)[0] - 1e-4
            patch = patch_of(slip, across, **law)
            found.append({name: float(patch[getattr(PATCH, name)]) for name in names} | {"slope_ratio": ratio})
"""

NORMAL = """
from dataclasses import replace
from itertools import product
from flexwheel.contact.normal import NORMAL_LAWS
from flexwheel.contact.profiles.placement import Placement
from flexwheel.contact.profiles.profile import Profile

found = rows["normal"] = []
A, B, names = 0.5 / 0.46, 1.2, ("half_length", "half_width", "area", "normal_force", "peak_pressure")


def parabola(kind, curvature):
    y = np.linspace(-0.045, 0.045, 1801)
    slope = -2.0 * curvature * y
    return Profile("parabola", kind, y, -curvature * y**2, slope, -2.0 * curvature / (1.0 + slope**2) ** 1.5)


again = NORMAL_LAWS.register(replace(NORMAL_LAWS["layered_hertz"], name="again"))
for name, layer in product(("layered_hertz", again.name), (3e7, 2e9, 1e13)):
    law = dict(normal_law=name, normal_keys={"layer_n_m": layer}, friction=0.0, tangential_law="polach")
    pair = parabola("wheel", 0.0), parabola("rail", B), Placement(rail_y=0.75, wheel_y=0.75, radius=0.46)
    tables, result = make_contact_tables(*pair, **law), make_contact_result()
    for approach in (1e-5, 8e-5):
        motion = WheelMotion(np.array([0.0, 0.0, -approach, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(3), 1.0)
        wheel_rail_contact(handle(tables), 0.46, motion, handle(make_contact_scratch(tables)), handle(result))
        patch = {name: float(result.patches[0, getattr(PATCH, name)]) for name in names}
        modulus = tables.normal.contact_modulus
        found.append(patch | dict(A=A, B=B, k=layer, h=approach, modulus=modulus, stiffness=-result.jac_d[2, 2]))
print(json.dumps(rows))
"""


@pytest.fixture(scope="module")
def patches(installed):
    """What its three laws of contact give, by a process of their own: it registers another law."""
    done = flexwheel(installed, code=WHEEL + FRICTION + TANGENTIAL + NORMAL)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_its_friction_law_acts_is_checked_and_documented(each, patches):
    """A wheel that slides: creep force = mu(w) N, w the velocity it slides with."""
    rows = patches["friction"]
    assert len(rows) == 9
    for force, exact, creep, slip in rows:
        assert creep == pytest.approx(slip, rel=0.02)  # the patch is not below the tread datum
        assert force == pytest.approx(exact, rel=3e-3)  # spin turns some of it across
    example = PLUGIN.parents[0] / "manchester_s_curve.toml"
    chosen = ("--set", "contact.friction_law=hyperbolic")
    other, below = (("--set", f"contact.hyperbolic_friction.half_m_s={value}") for value in (2, -1))
    right, schema, low, unused, reduced = each(
        ("check", example, *chosen), ("schema",), ("check", example, *chosen, *below),
        ("check", example, *other), ("check", PLUGIN.parents[0] / "ml95_curve.toml", *chosen),
    )  # fmt: skip
    assert right[0] == 0 and "half_m_s" in schema[1]
    for (code, _, told), wanted in (
        (low, "half_m_s must be at least 0.001, got -1"), (unused, "contact.friction_law = 'constant'"),
    ):  # fmt: skip
        assert code == 2 and wanted in told and told.count("\n") == 1, told
    if rooms.there("systems/reduced"):
        assert reduced[0] == 2 and "the simplified model has one coefficient" in reduced[2], reduced


def printed_form(a, b, nu):
    """phi, psi of Vermeulen and Johnson 1964 as printed, by the complete elliptic integrals B, C, D."""
    m = 1.0 - (min(a, b) / max(a, b)) ** 2
    first, second = ellipk(m), ellipe(m)
    B, D = (second - (1.0 - m) * first) / m, (first - second) / m
    C = ((2.0 - m) * first - 2.0 * second) / m**2
    if a <= b:
        return B - nu * (D - C), B - nu * (a / b) ** 2 * C
    return b / a * (D - nu * (D - C)), b / a * (D - nu * C)


def test_its_tangential_law_is_the_published_one_and_is_refused_where_strips_are_needed(each, patches, tmp_path):
    rows = patches["tangential"]
    shapes = {row["half_length"] > row["half_width"] for row in rows}
    assert len(rows) == 20 and shapes == {True, False}  # both of the printed pairs
    used = []
    for row in rows:
        ratio, most = row["half_length"] / row["half_width"], 0.4 * row["normal_force"]
        a, b = np.sqrt(row["area"] * ratio / np.pi), np.sqrt(row["area"] / ratio / np.pi)
        way = np.array([row["xi"], row["eta"]]) / printed_form(a, b, 0.28)
        t = row["slope_ratio"] * np.pi * a * b * 82e9 * np.linalg.norm(way) / most
        exact = -most * (1.0 - max(1.0 - t / 3.0, 0.0) ** 3) * way / np.linalg.norm(way)
        assert (row["force_x"], row["force_y"]) == pytest.approx(tuple(exact), rel=1e-6), row
        assert row["spin_moment"] == 0.0
        used.append(np.linalg.norm(exact) / most)
    assert min(used) < 0.5 and max(used) == pytest.approx(1.0)
    example = PLUGIN.parents[0] / "manchester_s_curve.toml"
    chosen = ("--set", "contact.tangential=vermeulen_johnson")
    spun = ("--lateral-shift-mm", "1", "--speed-kmh", "72", "--tangential", "vermeulen_johnson")
    slope = "contact.vermeulen_johnson_tangential.slope_ratio={}".format
    wrong = {
        "must be at most 1, got 2": ("check", example, *chosen, "--set", slope(2)),
        "set contact.tangential = 'vermeulen_johnson'": ("check", example, "--set", slope(0.5)),
        "contact.cells_per_strip": ("check", example, *chosen, "--set", "contact.cells_per_strip=20"),
        "wear needs slip on strips: contact.tangential must be 'fastsim'":
            ("wear", example, *chosen, "--out", tmp_path / "wear"),
    }  # fmt: skip
    run = ("run", example, *chosen, "--set", "run.duration_s=0.05", "--out", tmp_path / "run", "-q")
    ran, schema, contact, *refused = each(run, ("schema",), ("contact", *spun), *wrong.values())
    assert ran[0] == 0 and "slope_ratio" in schema[1] and "creep force" in contact[1], ran
    for (code, _, told), wanted in zip(refused, wrong, strict=True):
        assert code == 2 and wanted in told, told


def test_its_normal_law_is_hertz_and_a_spring_and_is_refused_where_strips_are_needed(each, patches, tmp_path):
    """Ellipse and stiffness are the series of Johnson's Hertz and the layer; found by entry point, and registered."""
    rows, taken = patches["normal"], []
    for row in rows:
        hertz, layer = solve(row["A"], row["B"], row["normal_force"], row["modulus"]), row["normal_force"] / row["k"]
        # 0.1 %: curvature and displacement are sums over 16 strips
        assert hertz.approach + layer == pytest.approx(row["h"], rel=1e-3), row
        assert (row["half_length"], row["half_width"]) == pytest.approx((hertz.a, hertz.b), rel=1e-3), row
        assert (row["area"], row["peak_pressure"]) == pytest.approx((hertz.area, hertz.peak_pressure), rel=1e-3), row
        slope = 1.0 / (2.0 / 3.0 * hertz.approach / row["normal_force"] + 1.0 / row["k"])
        assert row["stiffness"] == pytest.approx(slope, rel=1e-3), row
        taken.append(layer / row["h"])
    assert len(rows) == 12 and rows[:6] == rows[6:]
    assert max(taken) > 0.9 and min(taken) < 1e-3  # nearly all spring, nearly all Hertz
    example = PLUGIN.parents[0] / "manchester_s_curve.toml"
    chosen = ("--set", "contact.normal=layered_hertz")
    layer = "contact.layered_hertz_normal.layer_n_m={}".format
    wrong = {
        "must be at least 10000000, got 0": ("check", example, *chosen, "--set", layer(0)),
        "set contact.normal = 'layered_hertz'": ("check", example, "--set", layer(1e9)),
        "contact.normal 'balanced_strips' or 'plain_kp'": ("wear", example, *chosen, "--out", tmp_path / "wear"),
    }
    run = ("run", example, *chosen, "--set", "run.duration_s=0.05", "--out", tmp_path / "run", "-q")
    shift = ("contact", "--lateral-shift-mm", "1", "--normal", "layered_hertz")
    ran, schema, loaded, *refused = each(run, ("schema",), shift, *wrong.values())
    assert ran[0] == 0 and "layer_n_m" in schema[1] and loaded[0] == 0 and "load" in loaded[1], (ran, loaded)
    assert float(xr.open_dataset(tmp_path / "run" / "results.nc").patch_normal_force.max()) > 1e4
    for (code, _, told), wanted in zip(refused, wrong, strict=True):
        assert code == 2 and wanted in told and told.count("\n") == 1, told


BROKEN = {
    "version": ("flexwheel.kinds", "broken = package:VALUE", "VALUE = 1", "flexwheel>=99", "made for flexwheel>=99"),
    "import": ("flexwheel.kinds", "broken = package:VALUE", "import nothing_like_it", "flexwheel", "nothing_like_it"),
    "name": ("flexwheel.force_elements", "spring = package:SPRING",
             "from flexwheel.vehicle.elements.force_law import ForceElement\n"
             "SPRING = ForceElement('spring', frozenset(), None, None)", "flexwheel", "declared twice"),
    "type": ("flexwheel.commands", "broken = package:VALUE", "VALUE = 1", "flexwheel", "expected a Command"),
}  # fmt: skip


def test_broken_ones_cost_a_line_each(tmp_path):
    site, expected = tmp_path / "site", {}
    for case, (group, point, code, wants, told) in BROKEN.items():
        about = site / f"other_{case}-1.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {case}\nVersion: 1\nRequires-Dist: {wants}\n")
        (about / "entry_points.txt").write_text(f"[{group}]\n{point.replace('package', f'package_{case}')}\n")
        (site / f"package_{case}.py").write_text(code)
        expected[f" of {case} is left out: "] = told
    done = flexwheel(site, "check", PLUGIN.parents[0] / "manchester_s_curve.toml")
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 0 and len(lines) == len(BROKEN), done.stderr
    for whose, told in expected.items():
        assert len([line for line in lines if line.startswith("warning: ") and whose in line and told in line]) == 1, (
            lines
        )
