"""`flexwheel report` on made-up results: it alone repeats the run, needs no network, and a browser draws it."""

import base64
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from flexwheel.run.report import names_of, portable_scenario
from tests.cli_cases import MESHES, command
from tests.property.test_safety_command import written

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
    assert command("report", *runs, "--pdf") == 0
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


def test_file_is_one_without_network(page):
    """Every address is within the page; figures, tables and the other run are there."""
    text = page.read_text(encoding="utf-8")
    assert all(a.startswith(("data:", "#")) for a in links(page).addresses)
    assert page.stat().st_size < MOST and page.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    for words in ("Comparison of runs", "short less long", "Nadal", "SHA-256", "Third octaves of Q"):
        assert words in text, words


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


def test_scenario_loses_the_folders_of_this_machine():
    """A file is named by its last part; two of one name stay two."""
    mesh = MESHES / "wheelset.inp"
    text, files = portable_scenario(f'[wheelset.a]\nmesh = "{mesh}"\n[wheelset.b]\nmesh = "/elsewhere/wheelset.inp"\n')
    assert list(files) == ["wheelset.inp", "elsewhere_wheelset.inp"] and str(MESHES) not in text
    assert names_of(["a/x", "b/x"]) == ["a/x", "b/x"] and names_of(["a/x", "a/y"]) == ["x", "y"]


def test_refused_in_one_line(page, capsys, monkeypatch):
    """What is no HTML file, no results, or without its library."""
    run = str(page.parent)
    assert command("report", run, "--out", "x.doc") == 2 and ".html" in capsys.readouterr().err
    assert command("report", run, str(page.parent / "none")) == 2 and "no such file" in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert command("report", run) == 2 and "flexwheel[report]" in capsys.readouterr().err
