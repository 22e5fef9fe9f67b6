"""`flexwheel report` on made-up results: it alone repeats the run, needs no network, and a browser draws it."""

import base64
import html
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
import xarray as xr

from flexwheel.assess import report_page
from flexwheel.assess.convergence import identity, write_convergence
from flexwheel.assess.figures.report_html import figure
from flexwheel.assess.report import Reported, names_of, portable_scenario, sha256
from flexwheel.assess.report_figures import spectrum_plots, stress_blocks
from flexwheel.assess.report_results import curves
from flexwheel.assess.report_summary import stress_verdicts
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.files import read_results, write_results
from tests import cf_rules
from tests.cli_cases import MESHES, command
from tests.resume_cases import FLEXIBLE_CASE, different
from tests.run.test_safety_command import written

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MOST = 10e6  # [byte]: what the issue asks


class Links(HTMLParser):
    """Addresses of a page, and the texts of its listings."""

    def __init__(self):
        super().__init__()
        self.addresses, self.saved = [], {}

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.addresses += [given[key] for key in ("href", "src") if key in given]
        if "download" in given:
            self.saved[given["download"]] = base64.b64decode(given["href"].partition("base64,")[2]).decode()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Report on two runs, of 12 and of 10 s."""
    folder = tmp_path_factory.mktemp("report")
    runs = [str(written(folder / "long", length=12.0)), str(written(folder / "short", length=10.0))]
    assert command("report", "--web", *runs) == 0
    return folder / "long" / "report.html"


def links(page):
    """Links of the page."""
    found = Links()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def test_run_repeats_from_the_report_alone(page, tmp_path):
    """The scenario saved from the page passes the check in an empty folder."""
    ((name, text),) = links(page).saved.items()
    assert name == "long.toml"
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert command("check", str(tmp_path / name)) == 0


def test_a_run_named_twice_is_refused(page, capsys):
    """By two names as well: its table of differences has none."""
    run = page.parent
    assert command("report", str(run), str(run / ".." / run.name), "--out", str(run / "twice.html")) == 2
    assert "a run must be named once" in capsys.readouterr().err


def test_file_is_one_without_network(page):
    """Every address is within the page; figures, tables and the other run are there."""
    text = page.read_text(encoding="utf-8")
    assert all(a.startswith(("data:", "#")) for a in links(page).addresses)
    assert page.stat().st_size < MOST
    for words in ("Comparison of runs", "short less long", "Nadal", "SHA-256", "Third octaves of Q"):
        assert words in text, words


def test_small_page_of_the_run_is_within(page, monkeypatch):
    """In a frame, whole; with few samples, and whole beside the report, where it is larger than what a report may hold;
    beside alone where few samples do not help.
    """
    runs, frame = page.parents[1] / "short", re.compile(r'srcdoc="([^"]*)"')
    inside = html.unescape(frame.search(page.read_text(encoding="utf-8"))[1])
    assert inside.startswith("<!DOCTYPE html>") and inside.rstrip().endswith("</html>") and "new App(" in inside
    monkeypatch.setattr(report_page, "MOST", 1000)
    monkeypatch.setattr(report_page, "SAMPLES", 100)
    count = read_results(runs).sizes["time"]
    for most, within in ((6e6, True), (1000, False)):
        monkeypatch.setattr(report_page, "MOST_SMALL", most)
        assert command("report", "--web", runs, "--out", page.with_name("x.html")) == 0
        text, beside = page.with_name("x.html").read_text(encoding="utf-8"), page.with_name("x_run.html").read_text()
        assert '<a href="x_run.html">' in text and beside.startswith("<!DOCTYPE html>")
        found = frame.search(text)
        assert (found is not None) == within
        few = f"1 sample in {-(-count // 100)} of {count:,}"
        assert few not in beside and (not within or few in html.unescape(found[1]))


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: the report is not seen in a browser")
def test_browser_draws_every_figure(page):
    """In a real browser every plot has curves and no script fails."""
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000",
         "--enable-logging=stderr",
         "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    plots = re.findall(r'<div class="plot[^"]*" id="plot\d+"', done.stdout)
    assert len(plots) >= 10 and done.stdout.count('class="main-svg"') >= len(plots)
    assert done.stdout.count('class="trace scatter') >= 2 * len(plots)
    assert "Uncaught" not in done.stderr


def test_a_picture_is_shown():
    """That of the deformed wheelset, where `view` has drawn it."""
    from flexwheel.assess.figures.report_blocks import Report, ReportPicture, ReportSection
    from flexwheel.assess.figures.report_html import html_text

    picture = ReportPicture("the caption", b"not looked at")
    page = html_text(Report("title", (), (ReportSection("deformed", (picture,)),)))
    assert "<figcaption>the caption</figcaption>" in page


def test_scenario_loses_the_folders_of_this_machine():
    """A file is named by its last part; two of one name stay two."""
    mesh = MESHES / "wheelset.inp"
    text, files = portable_scenario(f'[wheelset.a]\nmesh = "{mesh}"\n[wheelset.b]\nmesh = "/elsewhere/wheelset.inp"\n')
    assert list(files) == ["wheelset.inp", "elsewhere_wheelset.inp"] and str(MESHES) not in text
    assert names_of(["a/x", "b/x"]) == ["a/x", "b/x"] and names_of(["a/x", "a/y"]) == ["x", "y"]


def test_folder_is_named_as_called_whatever_it_links_to(tmp_path):
    """A link to itself has a name; that it holds no results is found by who reads them."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert names_of([tmp_path / "loop"]) == ["loop"]


def test_refused_in_one_line(page, capsys, monkeypatch):
    """What is no HTML file, no results, or without its library."""
    run = str(page.parent)
    assert command("report", run, "--out", "x.doc") == 2 and ".html" in capsys.readouterr().err
    assert command("report", run, str(page.parent / "none")) == 2 and "no such file" in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert command("report", run) == 2 and "flexwheel[report]" in capsys.readouterr().err


def test_a_target_that_cannot_be_written_is_refused_before_the_runs_are_read(tmp_path, capsys):
    """A folder of the name of the file, and a folder that is not there; the run itself is none."""
    (tmp_path / "taken.html").mkdir()
    for target, said in (("taken.html", "is no regular file"), ("none/a.html", "folder that exists")):
        assert command("report", str(tmp_path / "no run"), "--out", str(tmp_path / target)) == 2
        assert said in capsys.readouterr().err


def test_bounds_of_converge_stand_about_the_curves(tmp_path):
    """An error of 6 dB in every band: from half of the curve to twice it; no band from another scenario's file."""
    run = Reported("run", tmp_path, read_results(written(tmp_path / "run", length=12.0)))
    bands = np.array([10.0, 1250.0])
    signals = [f"Q {wheel}" for wheel in run.results.wheel.values]
    found = xr.Dataset(
        {
            "rms": (("band", "signal"), np.ones((2, 4))),
            "change": (("variation", "band", "signal"), np.zeros((1, 2, 4))),
            "error": (("variation", "band", "signal"), np.full((1, 2, 4), 20.0 * np.log10(2.0))),
        },
        {"band": bands, "signal": signals, "variation": ["step"]},
        {"kind": "convergence", "scenario_digest": identity(run.scenario)},
    )
    write_convergence(found, tmp_path)
    words, q, y, *_ = spectrum_plots(run)
    assert "convergence.nc" in words.text and "no error bands" not in words.text
    for curve in q.curves:
        known = curve.y > 0.0
        np.testing.assert_allclose(curve.high[known] / curve.y[known], 2.0, rtol=1e-6)
        np.testing.assert_allclose(curve.low[known] / curve.y[known], 0.5, rtol=1e-6)
    assert all(curve.low is None for curve in y.curves)  # converge told nothing of Y
    shaded = [trace for trace in figure(q)["data"] if trace.get("fill") == "toself"]
    assert len(shaded) == len(q.curves) and max(shaded[0]["y"]) == pytest.approx(np.nanmax(q.curves[0].high), rel=1e-5)
    found.attrs["scenario_digest"] = "another"
    write_convergence(found, tmp_path)
    words, q, *_ = spectrum_plots(Reported("run", tmp_path, run.results))
    assert "no error bands" in words.text and q.curves[0].low is None


def test_stress_of_the_surface_is_one_node_a_ring(tmp_path):
    """Nodes that the load is spread over are left out, of a ring the largest is listed; another file is told of."""
    run = Reported("run", tmp_path, read_results(written(tmp_path / "run", length=12.0)))
    angle = np.linspace(0.0, 2.0 * np.pi, 9)[:-1]
    place = [(r * np.sin(a), y, -r * np.cos(a)) for y, r in ((-0.6, 0.08), (0.6, 0.08), (0.75, 0.46)) for a in angle]
    stress = 1e6 * np.concatenate([100.0 + np.arange(8), 60.0 + np.arange(8), np.full(8, 180.0)])
    envelope = xr.Dataset(
        {
            "position": (("node", "axis"), np.array(place)),
            "von_mises": ("node", stress),
            "von_mises_time": ("node", np.full(24, 1.5)),
        },
        {
            "node_id": ("node", np.arange(24)),
            "load_spread": ("node", np.repeat([0, 0, 1], 8)),
            "stress_error": ("node", np.repeat([0.07, 0.02, 0.5], 8)),
            "stress_corner": ("node", np.zeros(24)),
        },
        {"point": "rotating"},
    )
    (tmp_path / "stress").mkdir()
    assert not cf_rules.broken(write_results(envelope, tmp_path / "stress" / "stress.nc"))
    tables = [block for block in stress_blocks(run) if getattr(block, "caption", "").startswith("Largest stress")]
    assert [row[0] for row in tables[0].rows] == ["7", "15"]
    assert [row[1:] for row in tables[0].rows] == [
        ("-0.6000", "0.0800", "107.00", "1.5000", "mesh error about 7 %"), ("0.6000", "0.0800", "67.00", "1.5000", ""),
    ]  # fmt: skip
    (tmp_path / "results.nc").touch()
    os.utime(tmp_path / "stress" / "stress.nc", ns=(0, 0))  # a later run into the same folder
    assert any("of another run: stress/stress.nc" in getattr(block, "text", "") for block in stress_blocks(run))
    assert not [block for block in stress_blocks(run) if getattr(block, "caption", "").startswith("Largest stress")]
    (tmp_path / "stress" / "stress.nc").write_bytes(b"no netCDF")
    assert any("not a file of this version" in getattr(block, "text", "") for block in stress_blocks(run))


def test_a_second_person_repeats_the_run(tmp_path, monkeypatch):
    """From the page alone, with the file that it says is to lie beside: every value is the same, bit by bit."""
    mine = tmp_path / "mine" / "my_mesh.inp"
    mine.parent.mkdir()
    shutil.copyfile(MESHES / "wheelset_coarse.inp", mine)
    scenario, settings = FLEXIBLE_CASE
    settings = settings | {"wheelset.front.mesh": mine, "run.duration_s": 0.06}
    words = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    first, page = tmp_path / "first", tmp_path / "page.html"
    assert command("run", EXAMPLES / scenario, "--quiet", *words, "--out", first) == 0
    assert command("report", first, "--out", page) == 0
    text = page.read_text(encoding="utf-8")
    assert str(tmp_path) not in text  # nothing of the first person's machine
    ((name, saved),) = links(page).saved.items()
    beside = re.findall(
        r"<th[^>]*>([^<]+)</th>\s*<td[^>]*>to lie beside the scenario</td>\s*<td[^>]*>(\w{64})</td>", text
    )
    assert beside == [("my_mesh.inp", sha256(mine))]
    second = tmp_path / "second"
    second.mkdir()
    (second / name).write_text(saved, encoding="utf-8")
    shutil.copyfile(mine, second / "my_mesh.inp")
    monkeypatch.chdir(second)
    assert command("run", name, "--quiet", "--out", "again") == 0
    assert different(first, second / "again") == []
    a, b = (read_results(folder).attrs for folder in (first, second / "again"))
    assert a["mesh_digest"] == b["mesh_digest"]


def test_many_columns_become_their_mean_within_smallest_and_largest():
    time, columns = np.arange(3.0), np.arange(30.0).reshape(3, 10)
    columns[1, 0] = np.nan
    (curve,) = curves(time, list("abcdefghij"), columns)
    assert curve.low.tolist() == [0.0, 11.0, 20.0] and curve.high.tolist() == [9.0, 19.0, 29.0]
    assert curve.y.tolist() == [4.5, 15.0, 24.5]
    assert [c.name for c in curves(time, ["a", "b"], columns[:, :2])] == ["a", "b"]


def test_stress_that_is_not_judged_is_said_on_the_first_page():
    class Short:
        results = xr.Dataset({"von_mises": (("time", "control_node"), np.ones((1, 2)))})

        @property
        def after(self):
            raise ScenarioError("run too short: 0.001 s")

    assert [(v.where, v.word) for v in stress_verdicts(Short())] == [("run too short: 0.001 s", "no verdict")]
