"""First page of a report, a client's template, languages, and that nothing is cut in a real browser."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from flexwheel.assess import collective, report_summary
from flexwheel.assess.evaluate import track_sections
from flexwheel.assess.evaluate.fatigue import WoehlerCurve
from flexwheel.assess.evaluate.flange_climb import Climb
from flexwheel.assess.evaluate.strength_grades import given_limit
from flexwheel.assess.figures import report_html
from flexwheel.assess.figures.report_blocks import Curve, Drawing, Plot, Report, ReportSection, Table, Text
from flexwheel.assess.figures.report_html import html_text
from flexwheel.assess.figures.report_language import FOLDER, PLACES, language_of
from flexwheel.assess.report import report_of
from flexwheel.assess.report_assumed import assumed_of
from flexwheel.assess.report_figures import by_eight, with_zoom
from flexwheel.assess.report_template import PLAIN, read_template
from flexwheel.assess.report_vehicle import _inertia
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import parse_toml, read_toml
from flexwheel.base.kind import KINDS
from flexwheel.base.shipped import EXAMPLES, TRACK
from flexwheel.results.files import read_results, write_results
from flexwheel.run.keys import plausibility
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.vehicle.vehicle_file import FOLDER as VEHICLES
from tests.assess.test_strength_verdict import rotating
from tests.browser import CHROMIUM, Browser
from tests.cli_cases import command
from tests.resume_cases import FLEXIBLE_CASE
from tests.run.test_safety_command import written

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'
CUT = """[...document.querySelectorAll("body *")].filter((e) => !e.closest("svg, .plot *")).flatMap((e) => {
  const box = e.getBoundingClientRect(), outer = e.parentElement.getBoundingClientRect();
  if (!box.width || e.tagName == "SCRIPT") return [];
  const out = box.right > outer.right + 1 || box.left < outer.left - 1 || box.right > innerWidth + 1;
  const clipped = e.clientWidth && getComputedStyle(e).display != "inline" && e.scrollWidth > e.clientWidth + 1;
  return out || clipped ? [`${e.tagName} ${e.className} ${e.textContent.slice(0, 60)}`] : [];
}).concat([...document.querySelectorAll(".plot text")].filter((e) => {
  const box = e.getBoundingClientRect(), plot = e.closest(".plot").getBoundingClientRect();
  return box.width && (box.left < plot.left - 1 || box.right > plot.right + 1 || box.bottom > plot.bottom + 1
    || box.top < plot.top - 1);
}).map((e) => `plot: ${e.textContent}`))"""
"""Elements that are wider than their parent or the window, whose text is clipped, or labels outside their plot."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return written(tmp_path_factory.mktemp("template") / "run")


@pytest.fixture(scope="module")
def whole(run):
    """Its report."""
    return report_of([run], lambda line, share=0.0: SHARES.append(share), replace(PLAIN, limits="assumed"))


SHARES = []  # that `whole` told of


def texts(section):
    return [block.text for block in section.blocks if isinstance(block, Text)]


def test_progress_has_a_share(whole):
    """Without one the time left could not be told."""
    assert len(set(SHARES)) == len(whole.sections) - 1 and 0.7 < max(SHARES) < 1.0  # the summary is made in the end


def test_first_page_is_the_answer(whole):
    """The made-up forces of 27 kN over 90 kN: the quotient's utilisation is 0.3 / 0.8, with its filter's share."""
    page = whole.sections[0]
    assert page.name == "summary" and texts(page)[0].startswith("Limits that were assessed: ")
    tables = {block.caption: block for block in page.blocks if isinstance(block, Table)}
    rows = {row[0]: row for row in tables["Verdicts"].rows}
    assert int(rows["Y/Q, 2 m"][4].removesuffix(" %")) == pytest.approx(37.5, abs=2.5)
    assert rows["Y quasi-static"][2:4] == ("27 kN", "60 kN") and rows["Y quasi-static"][4:] == ("45 %", "within")
    shares = [int(row[4].removesuffix(" %")) for row in tables["Verdicts"].rows]
    assert shares == sorted(shares, reverse=True)
    assert any(isinstance(block, Plot) for block in page.blocks)
    assert any(text.startswith("Sections of test zones: ") for text in texts(page))
    assert any(text.startswith("Limits are from: ") for text in texts(page))


def test_incomplete_run_says_so_first(run, tmp_path):
    results = read_results(run)
    pair = SimpleNamespace(results=results.assign_attrs(complete=True, status="simplified: complete; full: complete"))
    assert list(report_summary.incomplete(pair)) == []  # the word of a run of two models
    stopped = results.assign_attrs(complete="false", status="derailed at 11.9 s", steps_not_converged=3, steps=119)
    write_results(stopped, tmp_path)
    report = report_of([tmp_path], template=replace(PLAIN, order=("provenance",)))
    first, second, *_ = texts(report.sections[0])
    assert first.startswith("INCOMPLETE RUN: 12 of 12 s were simulated (derailed at 11.9 s)") and second.endswith(
        "converged: 3 of 119."
    )
    text = html_text(report)
    assert 0 < text.index('<p class="warn">INCOMPLETE') < text.index('<p class="lead">')


def test_template_swaps_logo_order_and_language(run, tmp_path):
    (tmp_path / "logo.svg").write_text(SVG, encoding="utf-8")
    (tmp_path / "look.css").write_text("h1 { color: teal }", encoding="utf-8")
    (tmp_path / "client.toml").write_text(
        'client = "Railway Ltd"\nauthor = "A. Engineer"\nrevision = "B"\nlanguage = "de"\nlimits = "assumed"\n'
        'logo = "logo.svg"\n'
        'style = "look.css"\norder = ["loads", "vehicle", "provenance"]\n',
        encoding="utf-8",
    )
    out = tmp_path / "page.html"
    assert command("report", run, "--template", tmp_path / "client.toml", "--out", out) == 0
    text = out.read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert headings == ["Zusammenfassung", "Kräfte", "Fahrzeug", "Anhang: Herkunft"]
    for words in ('<html lang="de">', "data:image/svg", "Railway Ltd", "A. Engineer; Revision B", "color: teal",
                  "Geprüfte Grenzwerte: 9, alle eingehalten", "eingehalten</td>", "Die Vorlage lässt"):  # fmt: skip
        assert words in text, words


def test_template_names_the_grade_for_strength(tmp_path, monkeypatch):
    """A turning point under 300 MPa of bending against the permissible amplitude of the file: closed form."""
    (tmp_path / "own.toml").write_text(
        '[[limit]]\ngrade = "X"\nzone = "body"\nstress = "local"\nlimit_mpa = 180\nfactor = 1.2\nsource = "a test"\n',
        encoding="utf-8",
    )
    (tmp_path / "c.toml").write_text('grades = "own.toml"\ngrade = "X"\nlanguage = "de"\n', encoding="utf-8")
    template = read_template(tmp_path / "c.toml")
    mesh = SimpleNamespace(node_ids=np.array([7]), nodes=np.zeros((1, 3)))
    stress = SimpleNamespace(watched_nodes=lambda: [7], mesh=mesh)
    monkeypatch.setattr(report_summary, "StressOfRun", lambda place, wheelset: stress)
    monkeypatch.setattr(report_summary, "node_histories", lambda run, nodes, limits: rotating(90e6))
    run = SimpleNamespace(place=tmp_path, results=xr.Dataset(coords={"flexible": ["front"]}))
    (found,), limits = report_summary.strength_verdicts(run, template)
    assert found[:4] == ("stress amplitude", "front 7, body", "90 MPa", "150 MPa") and found.word == "within"
    assert found.utilisation == pytest.approx(90.0 / 150.0, rel=1e-3)  # planes lie 0.2 % apart
    assert template.phrases(limits[0].text).startswith("Festigkeit nach X body: 180 MPa / S 1.2 = 150 MPa")
    assert "eingehalten" in template.phrases(report_summary.answer([found]))
    monkeypatch.setattr(report_summary, "node_histories", lambda run, nodes, limits: rotating(160e6))
    assert report_summary.strength_verdicts(run, template)[0][0].word == "EXCEEDED"
    corner = rotating(90e6)._replace(corner=np.array([0.5]))
    monkeypatch.setattr(report_summary, "node_histories", lambda run, nodes, limits: corner)
    ((open_,), _) = report_summary.strength_verdicts(run, template)
    assert open_.word == "open" and "corner of 29 deg" in open_.where
    assert template.phrases(report_summary.answer([open_])).startswith("Alle geprüften Grenzwerte sind offen:")
    assert report_summary.strength_verdicts(run, PLAIN) == ([], [])
    stress.watched_nodes = list  # a grade was asked for, and nothing on strength stood on the first page
    none, words = report_summary.strength_verdicts(run, template)
    assert not none and words[0].text.startswith("No verdict on strength: front has no control node off")
    rigid = SimpleNamespace(place=tmp_path, results=xr.Dataset())
    assert "no flexible wheelset" in report_summary.strength_verdicts(rigid, template)[1][0].text


def test_first_page_has_the_verdict_of_a_collective(tmp_path, monkeypatch):
    """Two blocks of 90 and 60 MPa: damage of the service by Miner's closed form, beside the stress; read in German."""
    (tmp_path / "mix.toml").write_text(
        'grades = "assumed"\ngrade = "EA1N"\nnodes = [7]\nservice_km = 1e6\nwheelset = "front"\n'
        'run = [{ folder = "a", km = 1.0 }, { folder = "b", km = 3.0 }]\n',
        encoding="utf-8",
    )
    (tmp_path / "c.toml").write_text('collective = "mix.toml"\nlanguage = "de"\n', encoding="utf-8")
    template, limit = read_template(tmp_path / "c.toml"), given_limit(100.0)
    parts = {name: rotating(a, 20, 800.0) for name, a in (("a", 90e6), ("b", 60e6))}
    mesh = SimpleNamespace(node_ids=np.array([7]), nodes=np.zeros((1, 3)))
    monkeypatch.setattr(collective, "StressOfRun", lambda folder, *_: SimpleNamespace(mesh=mesh, unfinished="",
                                                                                       name=folder.name))  # fmt: skip
    monkeypatch.setattr(collective, "limits_at", lambda *_: ({7: limit}, {}))
    monkeypatch.setattr(collective, "node_histories", lambda run, _, limits: parts[run.name])
    (stress, damage), words = report_summary.collective_verdicts(template)
    cycles = WoehlerCurve(2 * 100e6, 2e6, 5.0).cycles(np.array([180e6, 120e6]))
    closed = 1e6 * float(np.sum(np.array([0.25, 0.75]) * 20.0 / 0.8 / cycles))
    assert stress.what == "stress amplitude, collective" and stress.word == "within"
    assert stress.utilisation == pytest.approx(0.9, rel=2e-3)
    assert damage.what == "damage over 1e+06 km" and damage.where == "front 7, any" and damage.limit == "1"
    assert damage.utilisation == pytest.approx(closed, rel=0.02) and damage.word == "EXCEEDED"
    said = template.phrases
    assert said(damage.what, "cells") == "Schädigung über 1e+06 km" and "Grenze" in said(damage.value, "cells")
    assert said(words[0].text) == "Kollektiv: 25 % a, 800 m; 75 % b, 800 m."
    assert said(report_summary.answer([stress, damage])).startswith("ÜBERSCHRITTEN: 1 von 2 Grenzwerten, durch Schäd")
    parts = {name: part._replace(way=400.0) for name, part in parts.items()}
    (only,), words = report_summary.collective_verdicts(template)
    assert only.what == "stress amplitude, collective"
    assert said(words[0].text).startswith("Kein Urteil zur Schädigung des Kollektivs: nur Vergleich")
    monkeypatch.setattr(collective, "limits_at", lambda *_: ({}, {7: "node 7 at |y| = 0 mm: in none of the zones"}))
    assert report_summary.collective_verdicts(template)[1][0].look == "warn"
    (tmp_path / "mix.toml").write_text("nodes = [7]", encoding="utf-8")
    with pytest.raises(ScenarioError, match="mix.toml must have grades"):
        read_template(tmp_path / "c.toml")


def test_verdicts_of_the_collective_are_in_the_table_and_the_answer(run, monkeypatch):
    damage = report_summary.Verdict("damage over 1e+06 km", "front 7, seat", "2, bound 3", "1", 2.0, "EXCEEDED")
    monkeypatch.setattr(report_summary, "collective_verdicts", lambda template: ([damage], [Text("Collective: a.")]))
    page = report_of([run], template=replace(PLAIN, limits="assumed", order=("provenance",))).sections[0]
    (table,) = (block for block in page.blocks if isinstance(block, Table) and block.caption == "Verdicts")
    assert ("damage over 1e+06 km", "front 7, seat", "2, bound 3", "1", "200 %", "EXCEEDED") in table.rows
    assert "by damage over 1e+06 km" in texts(page)[0] and "Collective: a." in texts(page)


def test_answer_and_columns_say_no_more_than_there_is():
    """The others are kept only where there are others; a column with a word is set to the left as a whole."""
    open_, kept = (report_summary.Verdict("Y/Q", "front left", "1.2", "1.1", 1.1, word) for word in ("open", "within"))
    assert report_summary.answer([open_]) == "All limits that were assessed are open: Y/Q."
    assert report_summary.answer([open_, kept]).endswith("the others are kept.")
    table = Table("t", ("a", "b", "c"), (("x", "1435.0", "0.4"), ("y", "none", "-")))
    text = html_text(Report("title", (), (ReportSection("s", (table,)),)))
    assert '<td class="word">1435.0</td><td class="number">0.4</td>' in text and '<td class="number">-</td>' in text


def test_the_wheel_that_climbs_decides_not_the_one_with_the_highest_peak():
    short = Climb("front left", 2.8, 1.0, 1.1, 1, 0.002, 0.02, 0.1)
    long = Climb("rear left", 1.3, 1.0, 1.1, 1, 0.2, 2.0, 1.2)
    safety = SimpleNamespace(assessments=(), instability=(), climbs=[long, short])
    assert [(v.where, v.word) for v in report_summary.verdicts(safety)] == [("rear left", "EXCEEDED")]


def test_own_page_runs_in_a_sandbox():
    report = Report("title", (), ())
    plain = read_template(None)
    assert html_text(report, replace(plain, page="{{ report.title }}|{{ language }}")) == "title|en"
    with pytest.raises(ScenarioError, match="page"):
        html_text(report, replace(plain, page="{{ ''.__class__.__mro__[1].__subclasses__() }}", place="c.toml"))


def test_shipped_languages_have_the_same_phrases():
    english = read_toml(FOLDER / "en.toml")
    for path in FOLDER.glob("*.toml"):
        own = read_toml(path)
        for group in ("phrases", "cells"):
            assert own[group].keys() == english[group].keys(), path
            assert all(set(PLACES.findall(own[group][k])) == set(PLACES.findall(v)) for k, v in english[group].items())


def test_all_that_a_report_says_of_itself_is_translated(whole):
    """Headings, captions, heads of tables and labels of a whole report; symbols and names stay."""
    words = language_of("de")
    known = {text for text in words.english["phrases"].values() if not PLACES.search(text)}
    said = set()
    for section in whole.sections:
        said.add(section.title)
        for block in section.blocks:
            said |= {block.caption, *block.head} if isinstance(block, Table) else set()
            said |= {block.title, block.x, block.y} if isinstance(block, Plot) else set()
            said |= {block.caption} if isinstance(block, Drawing) else set()
    track = "straight, 0 to 40 m; arc, R = 300 m to the left, 90 to 1090 m"
    assert words(track, "cells") == "Gerade, 0 bis 40 m; Bogen, R = 300 m nach links, 90 bis 1090 m"
    assert words("The template leaves out: Track, Inputs.") == "Die Vorlage lässt aus: Gleis, Eingaben."
    sum_y = "Y/Q, 2 m, front outer, zone 4"
    assert words(f"Limits that were assessed: 3, all kept; highest utilisation 54 % ({sum_y}).").endswith(
        "54 % (Y/Q, 2 m, front außen, Bereich 4)."
    )
    assert (
        words("run of 2026-11-29, 17:38 UTC with flexwheel 1") == "Rechnung vom 29.11.2026, 17:38 UTC mit flexwheel 1"
    )
    assert words("Forces, 20 Hz, Y/Q as 2 m mean; from 1.58 to 13.87 s (left out: 1.45 s of settling, and both ends, "
                 "where filter and sliding mean have no full support)").startswith(
        "Kräfte, 20 Hz, Y/Q als 2-m-Mittel; von 1.58 bis 13.87 s (ohne 1.45 s Einschwingen")  # fmt: skip
    assert words("front left, lateral", "cells") == "front links, quer"
    corner = "a corner of 81 degrees without a radius, where stress has no limit"
    assert words(f"Warning of 'coach': wheelset w_1: control node web: {corner}") == (
        "Warnung zu 'coach': Radsatz w_1: Kontrollknoten web: Kante von 81 Grad ohne Radius, wo die Spannung keinen "
        "Grenzwert hat"
    )
    for prose in (f"WARNING: node web: {corner}", "at the bogie's other end", "the paper names no colour",
                  "mass: 1053 kg, principal inertia about the centre"):  # fmt: skip
        assert words(prose, "cells") == prose  # no half of it in German
    assert words("track layout no. 3 cant", "cells") == "track layout no. 3, Überhöhung"
    outside = "node 5 at |y| = 732.5 mm: in none of the zones"
    assert words(f"No verdict on strength: w_1 {outside}; w_2 {outside}; and 1 more.").endswith(
        "w_2 Knoten 5 bei |y| = 732.5 mm: in keiner der Zonen; und 1 weitere."
    )
    many = "3 sections; compare with the number that your edition asks for"
    assert words(f"Note: test zone 4 (very small radii, 250 to 400 m): {many}.").startswith(
        "Anmerkung: Prüfbereich 4 (sehr kleine Radien, 250 bis 400 m): 3 Abschnitte;"
    )
    zones = (*track_sections.ZONES, track_sections.TRANSITIONS)
    assert not [zone.words for zone in zones if words(zone.words) == zone.words]
    assert words(track_sections.ZONES_BASIS) != track_sections.ZONES_BASIS
    assumed = "Assumed, without a published source, are 2 values: car body mass: 33500 kg; rear driven: yes."
    assert words(assumed).endswith("2 Werte: car body, Masse: 33500 kg; rear, angetrieben: ja.")
    limit = "Strength by ER7 web: 180 MPa / S 1 = 180 MPa of the local stress, survival 97.5 % (assumed, machined web)."
    assert words(limit) == (
        "Festigkeit nach ER7 web: 180 MPa / S 1 = 180 MPa der örtlichen Spannung, Überleben 97.5 % (angenommen, Steg "
        "bearbeitet)."
    )

    left = {text for text in said if text and text not in known and words(text) == text and re.search("[a-z]{3}", text)}
    assert left <= {"run"}, left  # the run's own name


def test_kinds_and_reasons_of_what_is_shipped_are_translated():
    """Variables of every kind, what its summary says, and each reason of an assumed value of a shipped file."""
    words = language_of("de")
    said = set()
    for kind in KINDS.values():
        if kind.name != "vehicle":
            said |= {kind.meaning} | {v.meaning for v in kind.variables if "time" in v.dims}
            for variable in (v for v in kind.variables if "time" in v.dims):
                name = variable.name.replace("_", " ")
                title, label = words(f"{name}: {variable.meaning}"), words(f"{name} [m]")
                assert name not in (words(name, "cells"), label.partition(" [")[0]) or name == "position", name
                assert title != f"{name}: {variable.meaning}", name
    files = [*EXAMPLES.glob("*.toml"), *VEHICLES.glob("*.toml")]
    said |= {reason for file in files for reason in reasons(read_toml(file))}
    said |= set(SUMMARIES)
    left = {text for text in said if words(text, "cells") == text and words(text) == text}
    assert not left, left


SUMMARIES = (
    "Largest coupling forces: draft 841 kN at coupling 54 after 7 s, buff 304 kN at coupling 52 after 0 s.",
    "104 vehicles over 0.01 km; speed: mean 2.5, largest 3.5 km/h.",
    "Twice the tolerance changes the largest forces by at most 8.4 N.",
    "Normal force of the wheels 22.3 to 65.1 kN; lateral creep force at most 15.2 kN.",
    "Constraints are kept to 1e-06; steps not converged: 0; 0.01 s a simulated second.",
    "Simplified model: 0.00585 s for 1.08 s; full model: 0.168 s, 29 times as long, steps not converged: 0.",
    "Contact of the simplified model: tread: profiles; equivalent conicity 0.1770 at 3 mm; mean contact angle 0.0436 "
    "rad; flange play 6.3 mm.",
)
"""As runs of the examples say them."""


def reasons(tree, assumed=False):
    """Texts of reasons in a scenario ([assumed]) or a vehicle's file (source of confidence "assumed")."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from reasons(value, assumed or key == "assumed")
        elif isinstance(value, list):
            yield from (text for item in value if isinstance(item, dict) for text in reasons(item))
        elif assumed or (key == "source" and tree.get("confidence") == "assumed"):
            yield str(value)


def test_summaries_of_kinds_are_german_in_each_part():
    words = language_of("de")
    shares = (
        "Difference of the models over the full model, rms of the whole run: wheelset, yaw: 28 %; body, roll: 1.2 %."
    )
    assert words(shares).endswith("der ganzen Rechnung: Radsatz, Gieren: 28 %; Wagenkasten, Wanken: 1.2 %.")
    basis = (
        "every circumferential order is complete up to 2000 Hz (those with modes there: 0, 1) and none above, where "
        "the basis holds 12 shapes for loads on the journals; the rest acts statically"
    )
    assert words(basis, "cells").endswith("12 Formen für Lasten an den Schenkeln hat; der Rest wirkt statisch")
    assert words("suspension spring point a", "cells") == "suspension spring, Punkt a"


def test_warnings_of_values_are_translated():
    """The line on a value outside its bounds, with every reason that a key or a table of bounds has."""
    words = language_of("de")
    reasons = {usual.reason for kind in KINDS.values() for _, usual in plausibility.usual_bounds(kind.keys)}
    reasons |= {bounds[-1] for bounds in plausibility.VEHICLE_BOUNDS.values()}
    for reason in reasons:
        said = words(f"Warning: run.step_s = 3: expected 1e-06 to 0.002 s ({reason}).")
        assert said.startswith("Warnung: run.step_s = 3: erwartet 1e-06 bis 0.002 s (") and reason not in said, said
    load = words("Warning: wheel load of front left at rest = 250: expected 2 to 200 kN (empty tram to ore wagon).")
    assert load == "Warnung: Radlast front links in Ruhe = 250: erwartet 2 bis 200 kN (leere Straßenbahn bis Erzwagen)."
    for why in (
        "EN 14363 assesses runs at one speed, this has run.speed_profile_s_kmh",
        "output.variables leaves out wheel_force",
        "run too short for running safety: nothing of 1 s is left after settling and the ends of the filters; lengthen "
        "the run, or set run.settling_s",
        "run too short: 1 s, of which 1.5 s are settling; lengthen the run, or set run.settling_s",
    ):
        said = words(f"No verdict on running safety: {why}.")
        assert not set(re.findall(r"\w+", said)) & {"at", "one", "leaves", "out", "too", "the", "of"}, said
    dampers = "Warning: simplified model: 16 dampers act without the spring in series, damper w left and so on."
    assert words(dampers).startswith("Warnung: vereinfachtes Modell: 16 Dämpfer wirken ohne die Feder in Reihe, ")


def test_why_a_run_ended_is_translated():
    words = language_of("de")
    head = "INCOMPLETE RUN: 5.96 of 10 s were simulated"
    for why in (
        "interrupted at t = 5.9606 s",
        "a wheel left the rail at t = 1.2 s (contact outside the profiles); front roll has 60 % of the kinetic energy "
        "without that of running: if it was growing, the vehicle is unstable (flexwheel eigen names unstable motions "
        "at each speed)",
        "the coupled step failed at t = 1.00000 s, step 3, at wheelset rear: state no longer finite; else try a "
        "smaller run.step_s",
    ):
        said = words(f"{head} ({why}). All that follows is of this part only.")
        assert said.startswith("UNVOLLSTÄNDIGE RECHNUNG: 5.96 von 10 s") and not set(re.findall(r"\w+", said)) & {
            "the", "at", "of", "has", "step", "interrupted", "without",
        }, said  # fmt: skip


def test_an_interrupted_run_to_a_place_says_how_long_it_would_be(run):
    keys = 'kind = "vehicle"\n[run]\nspeed_kmh = 36.0\nstart_position_m = 10.0\nend_position_m = 60.0\n'
    half = SimpleNamespace(results=read_results(run).assign_attrs(scenario=keys, complete=False, status="interrupted"))
    (block, *_) = report_summary.incomplete(half)
    assert re.search(r"of 5 s were simulated \(interrupted\)", block.text), block.text


def test_audit_of_a_mesh_is_translated():
    words, (case, settings) = language_of("de"), FLEXIBLE_CASE
    scenario = read_scenario(EXAMPLES / case, [f"{key}={value}" for key, value in settings.items()])
    (front,) = flexible_wheelsets(scenario, lambda line: None).values()
    audit = [str(line).strip() for line in (*front.audit, *front.body.audit)]
    assert len(audit) > 20 and not [line for line in audit if words(line, "cells") == line]


def test_sources_of_shipped_limits_are_translated():
    words = language_of("de")
    rows = [row for name in ("read", "assumed") for row in read_toml(TRACK / "limits" / f"{name}.toml")["limit"]]
    for part in {part for row in rows for part in row["source"].split("; ")}:
        assert words(part, "cells") != part, part
    for source in {row["source"] for row in read_toml(TRACK / "strength" / "assumed.toml")["limit"]}:
        line = f"Strength by ER7 web: 1 MPa / S 1 = 1 MPa of the local stress ({source})."
        assert not set(re.findall(r"\w+", words(line))) & {"of", "axle", "like", "the", "stress", "assumed"}


def test_a_flexible_wheelset_has_the_mass_of_its_mesh(run):
    """What acts in the run, not what the vehicle's file has for a rigid one."""
    body = SimpleNamespace(mass=1053.0, inertia=np.diag([574.1, 92.9, 574.1]))
    asked = SimpleNamespace(wheelsets={"front": SimpleNamespace(body=body)})
    table = {"mass_kg": 1813.0, "roll_inertia_kg_m2": 1120.0, "spin_inertia_kg_m2": 112.0}
    assert _inertia(asked, "front", table, True) == ["1053", "574.1", "92.9"]
    assert _inertia(asked, "front", table, False) == ["1813", "1120", "112"]


def test_assumed_values_in_words(run):
    """What stands behind a key, with its unit; a line that gives no value has that of the scenario."""
    results = read_results(run).assign_attrs(assumed=[
        "vehicle x: elements.rod.stiffness_n_per_m = [5000000.0, 0.0, 1e3]: a guess: his",
        "track: support ballasted: fastener.lateral.damping = 10000.0: scaled from vertical",
        "vehicle x: bodies.car_body.roll_inertia_kg_m2 = 57000.0: gyration",
        "scenario: contact.friction: dry rail",
    ])  # fmt: skip
    friction = parse_toml(results.attrs["scenario"], "scenario")["contact"]["friction"]
    assert [tuple(v) for v in assumed_of(SimpleNamespace(results=results))] == [
        ("vehicle x", "rod stiffness", "5e+06, 0, 1000 N/m", "a guess: his"),
        ("track: support ballasted", "fastener lateral damping", "10000.0", "scaled from vertical"),
        ("vehicle x", "car body roll inertia", "57000 kg m2", "gyration"),
        ("scenario", "contact friction", str(friction), "dry rail"),
    ]


WRONG = {
    "template missing": ({}, "none.toml", "no such file"),
    "not TOML": ({"c.toml": "order ="}, "c.toml", "not valid TOML"),
    "unknown key": ({"c.toml": 'logos = "x"'}, "c.toml", "key logos must be one of"),
    "logo missing": ({"c.toml": 'logo = "x.png"'}, "c.toml", "no such file"),
    "logo no image": ({"c.toml": 'logo = "x.png"', "x.png": "words"}, "c.toml", "logo must be a PNG"),
    "unknown section": ({"c.toml": 'order = ["saftey"]'}, "c.toml", "did you mean 'safety'"),
    "section twice": ({"c.toml": 'order = ["loads", "loads"]'}, "c.toml", "names a section twice"),
    "order no list": ({"c.toml": 'order = "loads"'}, "c.toml", "order must be a list"),
    "grade alone": ({"c.toml": 'grade = "ER7"'}, "c.toml", "grade must be given with grades"),
    "grade unknown": ({"c.toml": 'grade = "E"\ngrades = "assumed"'}, "c.toml", "grade must be one of EA1N"),
    "zone unknown": (
        {"c.toml": 'grade = "ER7"\ngrades = "assumed"\nzones = ["rim:0:9"]'}, "c.toml", "zones: grade ER7, zone rim",
    ),
    "author no text": ({"c.toml": "author = 3"}, "c.toml", "author must be printable text"),
    "author of two lines": ({"c.toml": 'author = "a\\nb"'}, "c.toml", "printable text of 1 to 500 letters"),
    "author too long": ({"c.toml": f'author = "{"x" * 501}"'}, "c.toml", "printable text of 1 to 500 letters"),
    "unknown language": ({"c.toml": 'language = "xx"'}, "c.toml", "language must be one of de, en"),
    "phrase unknown": (
        {"c.toml": 'language = "l.toml"', "l.toml": 'language = "fr"\n[phrases]\nsummry = "R"'},
        "c.toml", "summry is no",
    ),
    "phrase without place": (
        {"c.toml": 'language = "l.toml"', "l.toml": 'language = "fr"\n[phrases]\nnote = "N"'},
        "c.toml", "with the places",
    ),
    "page wrong": ({"c.toml": 'order = ["provenance"]\npage = "p.j2"', "p.j2": "{% if %}"}, "c.toml", "page:1"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_template_is_one_line(name, run, tmp_path, capsys):
    files, template, words = WRONG[name]
    for file, text in files.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    assert command("report", run, "--template", tmp_path / template, "--out", tmp_path / "p.html") == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert words in told[-1] and len([line for line in told if line.startswith("flexwheel: ")]) == 1, told
    assert not (tmp_path / "p.html").exists()


def test_no_browser_tells_how_to_print(run, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert command("report", run, "--pdf", "--out", tmp_path / "p.html") == 2
    assert "open the HTML file in any browser" in capsys.readouterr().err


def test_fast_history_is_a_band_and_a_zoom():
    """A sine of 3.3 periods a part, so its mean is below 1/(3.3 pi): the band is its amplitude, the zoom its peak."""
    x = np.linspace(0.0, 300.0, 100_000)
    y = np.sin(2.0 * np.pi * 1000.0 * x / 300.0)
    y[60_000] = 1.5
    plot = Plot("t", "x", "y", (Curve("a", x, y),), stretches=(("arc", 100.0, 300.0),))
    band, zoom = with_zoom(plot)
    (curve,) = band.curves
    assert len(curve.x) <= 300 and abs(curve.y).max() < 0.1 and curve.low.max() < -0.99 and curve.high.max() == 1.5
    (near,) = zoom.curves
    assert near.y.max() == 1.5 and len(near.x) < 3000 and zoom.stretches[0][1] == pytest.approx(near.x[0], abs=0.01)
    assert list(with_zoom(replace(plot, curves=(Curve("a", x[:50], y[:50]),)))) != [band, zoom]


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: the report is not seen in a browser")
def test_nothing_is_cut_in_a_browser(whole, tmp_path, monkeypatch):
    """At 1400 and 800 px, and on paper (680 px and a scroll bar): a run; 16 wheels with names of 93 letters."""
    monkeypatch.setattr(report_html, "POINTS", 100)  # of curves: where they are is not looked at
    long = [f"{k:02d}_" + "tread_of_the_wheel_" * 4 + "node_of_14" for k in range(16)]
    plot = Plot(
        "Q of 16 wheels", "x [m]", "Q [kN]", tuple(Curve(n, np.arange(9.0), np.arange(9.0) * 1e3) for n in long)
    )
    table = Table("Control nodes", ("node", *("von Mises max [MPa]",) * 7), tuple((n, *("123.45",) * 7) for n in long))
    page = whole
    more = ReportSection("Long names", (*by_eight(plot), table), "long")
    (tmp_path / "p.html").write_text(html_text(replace(page, sections=(*page.sections, more))), encoding="utf-8")
    browser = Browser(tmp_path / "profile")
    try:
        browser.size(1400, 1000)
        browser.open(tmp_path / "p.html")
        for width, media in ((1400, ""), (800, ""), (700, "print")):
            browser.size(width, 1000)
            browser.call("Emulation.setEmulatedMedia", media=media)
            browser.run(f"dispatchEvent(new Event('{'before' if media else 'after'}print'))")
            for _ in range(20):  # figures follow the window a moment later
                found = browser.run(f"new Promise((done) => setTimeout(() => done({CUT}), 250))")
                if not found:
                    break
            assert found == [], f"{width} px {media}"
        height = browser.run("document.getElementById('summary').getBoundingClientRect().bottom")
        assert height < 950  # [px] A4 less its margins is 1008; it prints 6 % larger than seen here
        assert not [text for text in browser.messages if "Uncaught" in text]
    finally:
        browser.close()


def test_a_run_without_a_section_has_no_verdict_after_the_standard(tmp_path):
    """3 s hold no whole section of a test zone: a limit that is kept elsewhere does not speak for it."""
    page = report_of([written(tmp_path / "run", length=3.0)], template=replace(PLAIN, order=("provenance",))).sections[
        0
    ]
    assert page.blocks[0].look == "warn" and page.blocks[0].text.startswith("No verdict after EN 14363")
