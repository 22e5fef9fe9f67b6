"""The page of a run in a real browser: its values are those of `flexwheel stress` and of the results."""

import ast
import base64
import io
import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from flexwheel.assess.figures.found_page import draw_found
from flexwheel.assess.figures.rendering import rendering_problem
from flexwheel.assess.linear_shapes import at_rest
from flexwheel.assess.run_window import require_display, window_of
from flexwheel.assess.surface_stress import StressOfRun, stress_envelope
from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.base.kind import PAGES, ViewOptions
from flexwheel.base.shipped import EXAMPLES
from flexwheel.extensions.web.marks import force_extremes
from flexwheel.extensions.web.page_scene import BodyColour, PageMotion, PageScene
from flexwheel.extensions.web.vehicle_parts import vehicle_parts
from flexwheel.extensions.web.web_page import page_of_scenes
from flexwheel.results.files import read_results
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import body_and_surface
from flexwheel.run.wheelset_mesh import wheelset_mesh
from tests.cli_cases import MESHES, ROOT, command
from tests.page_scripts import CONTRASTS, CULLED, LISTED, MOST, PLACE_OF, SEEN_NODE, WAIT, luminance

SECTIONS = (50.0, ""), (90.0, ", profile = 'UIC60', inclination = 0.05")  # [m] of a rail along the track
SHARE = 0.005  # of the range of values
ASKED = 50


def test_page_asks_nothing_and_says_nothing(browser, folder):
    assert browser.run("document.documentElement.dataset.ready") == "yes"
    assert browser.messages == []
    assert browser.asked == [(folder / "run" / "run.html").resolve().as_uri()]


def asked(browser, calls):
    """Values of many calls in the page."""
    return np.array(browser.run(f"[{', '.join(calls)}]"), dtype=float)


def test_values_are_those_of_flexwheel_stress(browser, folder):
    rng = np.random.default_rng(38)
    run = StressOfRun(folder / "run")
    known = json.loads(browser.run("JSON.stringify(flexwheel.nodes('front'))"))
    nodes = sorted(int(node) for node in rng.choice(known, ASKED, replace=False))
    own = run.at_nodes(nodes)
    times = np.array(browser.run("flexwheel.times(0)"))
    at = times[rng.integers(0, len(times), len(nodes))]
    rows = np.searchsorted(own.time.values, at - 1e-9)
    off = np.ones(
        len(nodes), dtype=bool
    )  # near the running surface the page is without the patches' field, and says so
    off[run.body_of_nodes(nodes)[0].near.node] = False
    assert off.sum() > ASKED // 2
    for name in ("von_mises", "radial_displacement"):
        for point in ("fixed", "rotating"):
            calls = [
                f"flexwheel.value({n}, {t}, '{name}', {{point: '{point}'}})" for n, t in zip(nodes, at, strict=True)
            ]
            values = own[name].sel(point=point).values
            wanted = values[rows, np.arange(len(nodes))]
            apart = np.abs(asked(browser, calls) - wanted)[off]
            assert np.all(apart < SHARE * np.ptp(values[:, off])), (name, point, apart.max())
            # a tenth of a second of a stiff place may change less than the page leaves out: high derivatives of loads
            assert np.quantile(apart / np.ptp(values, axis=0)[off], 0.9) < SHARE, (name, point)
    results = read_results(folder / "run")
    name = results.control_node.values[results.load_spread.values == 0][0]
    node, history = int(results.control_node_id.sel(control_node=name)), results.von_mises.sel(control_node=name)
    later = times[50::10]  # at the start loads jump, and the page is without terms of their derivatives
    calls = [f"flexwheel.value({node}, {t}, 'von_mises', {{point: 'rotating'}})" for t in later]
    wanted = history.sel(point="rotating").sel(time=later, method="nearest").values
    apart = np.abs(asked(browser, calls) - wanted) / np.ptp(history.sel(point="rotating").values)
    assert apart.max() < SHARE, (name, apart.round(4))


def test_control_nodes_near_the_patches_are_as_recovered(browser, folder):
    """With the field of the contact patches, which the page has for no other node, and the page says so."""
    results = read_results(folder / "run")
    name = results.control_node.values[results.load_spread.values == 1][0]
    own, at = results.sel(control_node=name), browser.run("flexwheel.times(0)")[7::90]
    tensor = own.stress.values[..., [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    found = {"von_mises": own.von_mises.values, "radial_displacement": own.radial_displacement.values}
    found["displacement"] = np.linalg.norm(own.displacement.values, axis=-1)
    found["tension"], found["compression"] = (np.linalg.eigvalsh(tensor)[..., k] for k in (2, 0))
    rows, node = np.searchsorted(own.time.values, np.array(at) - 1e-7), int(own.control_node_id)
    for quantity, values in found.items():
        for p, point in enumerate(map(str, own.point.values)):
            calls = [f"flexwheel.value({node}, {t}, '{quantity}', {{point: '{point}'}})" for t in at]
            apart = np.abs(asked(browser, calls) - values[rows, p])
            assert apart.max() < 1e-4 * np.ptp(values[:, p]), (quantity, point)
    browser.run(f"flexwheel.app.choose({{scene: flexwheel.app.scenes[0], wheelset: 'front', id: {node}}})")
    assert "with the field of the contact patches" in browser.run("document.getElementById('node_told').textContent")


def test_films_of_what_is_seen(browser):
    """GIF, read by another program: its pictures are those of the page, as long as they were seen; WebM."""
    app, film = "flexwheel.app", "document.getElementById('film')"
    assert {"gif", "webm"} <= set(browser.run("filmsHere()"))
    last = f"""(async () => {{ const {{ film }} = {app}; await film.ended;
        const b = film.last, a = new Uint8Array(await b.arrayBuffer());
        return [b.type, btoa(Array.from(a, (v) => String.fromCharCode(v)).join(''))]; }})()"""
    seen = f"({app}.film.compose(), {app}.film.canvas.toDataURL().split(',')[1])"
    for kind, pause in ("gif", 500), *(("webm", pause) for pause in (500, 2000, 8000)):  # a busy machine records late
        browser.run(f"document.getElementById('film_kind').value = '{kind}', {app}.to(10)")
        first = browser.run(seen)
        browser.click_on(film)
        browser.run(f"new Promise((done) => setTimeout(done, {pause}))")
        second = browser.run(f"({app}.to(90), {seen})")
        browser.run(f"new Promise((done) => setTimeout(done, {pause}))")
        browser.click_on(film)
        of, octets = browser.run(last)
        assert not browser.run(f"{app}.film.running")
        if kind == "webm" and len(octets) > 1000:
            break
        if kind == "webm":
            continue
        picture = Image.open(io.BytesIO(base64.b64decode(octets)))
        assert of == "image/gif" and picture.n_frames >= 2
        seconds = 0.0
        for k, wanted in ((0, first), (picture.n_frames - 1, second)):
            picture.seek(k)
            own = Image.open(io.BytesIO(base64.b64decode(wanted))).convert("RGB").resize(picture.size)
            apart = np.abs(np.asarray(picture.convert("RGB"), dtype=float) - np.asarray(own, dtype=float))
            assert apart.mean() < 3.0 and np.quantile(apart, 0.99) < 24.0  # of 255: 256 colours, six a channel
        for k in range(picture.n_frames):
            picture.seek(k)
            seconds += 1e-3 * picture.info["duration"]
        assert seconds > 0.9
    assert of == "video/webm" and len(octets) > 1000 and browser.messages == []


def loaded_patches(at, least=0.0):
    """(wheel, patch) of a sample's patches; of readings at one place, of zones that merge, the first."""
    found = {}
    for wheel in map(str, at.wheel.values):
        own = at.sel(wheel=wheel)
        for p in np.flatnonzero(own.patch_normal_force.values > 0.0):
            place, load = float(own.patch_y_rail[p]), float(own.patch_normal_force[p])
            same = next((k for k in found if k[0] == wheel and abs(found[k][0] - place) < 1e-5), (wheel, int(p)))
            found[same] = place, load + found.get(same, (0.0, 0.0))[1]
    return [key for key, (_, load) in found.items() if load > least]


def test_arrows_are_wheel_forces(browser, folder):
    """Their ends as drawn, over the scale of arrows."""
    whole = read_results(folder / "run")
    results = whole.wheel_force
    times = browser.run("flexwheel.times(0)")[5::40]
    shown = "(flexwheel.app.at(%r), [flexwheel.app.time, flexwheel.arrows()])"
    for time in times:
        at, arrows = browser.run(shown % time)
        assert [arrow["wheel"] for arrow in arrows] == list(results.wheel.values)
        patches = browser.run("flexwheel.patches()")  # as drawn, beside those stored
        kept = whole.sel(time=at, method="nearest")
        loaded = loaded_patches(kept, 10.0)  # the page keeps forces to some N
        patches = [one for one in patches if one["normal"] > 10.0]
        assert [one["wheel"] for one in patches] == [w for w, _ in loaded]
        for one, (w, p) in zip(patches, loaded, strict=True):
            for key, name in (("pressure", "peak_pressure"), ("length", "half_length"), ("width", "half_width")):
                of = whole[f"patch_{name}"].sel(wheel=w)[:, p]
                assert one[key] == pytest.approx(float(of.sel(time=at, method="nearest")), abs=float(of.max()) / 65534)
        wanted = results.sel(time=at, method="nearest").values
        assert np.all(
            np.abs([arrow["force"] for arrow in arrows] - wanted) <= SHARE * np.ptp(results.values, axis=0) + 1e-3
        )


def test_faces_that_are_not_drawn_are_hidden(browser):
    """Faces seen from inside are left out, which no pixel shows; the other half left out would."""
    without, other_half = browser.run(CULLED)
    assert without < 0.1 * other_half and other_half > 0.02  # silhouettes, where an offset of depth lets them through


def test_wheels_and_rails_touch_where_patches_are(browser, folder):
    """Patches are on the rails as drawn, whatever is exaggerated; without, the deformed wheels reach into the rails
    there by the contact's approach, on tread and flange, in the curve, on both meshes: to chords of profiles, 10 um,
    the rim's turn of some mrad over the 10 mm between nodes of a section, 10 um, and what the nodes under a patch give
    way more than the mean of the running surface, which the contact law takes: 15 to 20 um under this curve's flange.
    """
    app, results = "flexwheel.app", read_results(folder / "run")
    placed = vehicle_parts(parse_scenario(str(results.attrs["scenario"]), folder), ["front", "rear"])
    factors = f"(Object.assign({app}.view, {{ static: %s, dynamic: %s, rails: %s, turning: %s }}), {app}.touch())"
    kept = browser.run(f"[{app}.view.static, {app}.view.dynamic, {app}.view.rails, false]")
    steepest = 0.0
    for share, factor, turning in ((0.0, 1, "false"), (0.2, 1, "true"), (0.5, 20, "false"), (0.9, 1, "false")):
        browser.run(f"{app}.to(Math.floor({share} * {app}.scenes[0].samples))")
        browser.run(factors % (factor, factor, factor, turning))
        time, gaps, drawn = browser.run(f"[{app}.time, flexwheel.gaps(), flexwheel.patches()]")
        at = results.sel(time=time, method="nearest")
        loaded = loaded_patches(at)
        assert [one["wheel"] for one in drawn] == [one["wheel"] for one in gaps] == [w for w, _ in loaded]
        assert {w for w, _ in loaded} == set(map(str, results.wheel.values))
        for one, (w, p), gap in zip(drawn, loaded, gaps, strict=True):
            own, side = at.sel(wheel=w), 1.0 if w.endswith("left") else -1.0
            across, roll = float(own.patch_y_rail[p]), float(own.rail_roll)
            height = np.interp(across, *np.array(placed["rail"]["profile"]).T)
            moved = own.rail_displacement.values[1:] + roll * np.array([-height, side * across])
            wanted = [side * (placed["rail"]["y"] + across), height] + own.irregularity.values + factor * moved
            # steps of the page's numbers; the roughness under the wheel, not that where a patch is, some mm ahead
            np.testing.assert_allclose(one["place"][1:], wanted, atol=2e-6)
            if factor == 1:
                apart = gap["gap"] + float(own.patch_approach[p])
                assert abs(apart) < 4e-5 and abs(gap["across"]) < 1e-5, (w, p, gap)
                steepest = max(steepest, float(own.patch_contact_angle[p]))
    assert np.degrees(steepest) > 60.0
    browser.run(factors % (*kept[:3], "false"))


def test_clicks_and_keys_drive_the_page(browser, folder, reduced):
    """Mouse and keyboard as the window gets them: play, steps, slider, mesh, quantity, nodes, wheels, jumps, modes."""
    app, told = "flexwheel.app", "document.getElementById('node_told').textContent"
    by_id = "document.getElementById('%s')"
    browser.run(f"{app}.to(7)")
    browser.click_on(by_id % "forth")
    assert browser.run(f"{app}.k") == 8
    browser.run((by_id % "slider") + ".focus()")
    browser.key("ArrowRight", 39)
    assert browser.run(f"{app}.k") == 9
    browser.click_on(by_id % "play")
    browser.run(WAIT % f"{app}.k >= 10")
    browser.click_on(by_id % "play")
    assert browser.run(f"{app}.k") >= 10 and not browser.run(f"{app}.playing")
    # mesh and quantity by the keys of their lists
    value = """(() => { const node = flexwheel.nodes('front')[40], now = flexwheel.app.time;
        return flexwheel.drawn(node) / flexwheel.value(node, now, 'von_mises', { point: '%s' }); })()"""
    assert browser.run(value % "fixed") == pytest.approx(1.0, abs=1e-4)
    browser.run((by_id % "turning") + ".focus()")
    browser.key("ArrowDown", 40)
    assert browser.run(f"{app}.view.turning") and browser.run(value % "rotating") == pytest.approx(1.0, abs=1e-4)
    browser.key("ArrowUp", 38)
    browser.run((by_id % "quantity") + ".focus()")
    browser.key("ArrowDown", 40)
    assert browser.run(f"{app}.view.quantity") == "tension" and not browser.run(f"{app}.view.turning")
    browser.key("ArrowUp", 38)
    # a hot spot: its instant, its node, its history, on the non-turning mesh
    browser.run(f"{app}.view.turning = true")
    browser.click_on("document.querySelectorAll('#panel .list button')[1]")
    spot = browser.run(f"{app}.hot[1]")
    assert browser.run(f"{app}.time") == pytest.approx(
        spot["time"], abs=1e-3
    ) and f"node {spot['node']}," in browser.run(told)
    shown = browser.run(f"flexwheel.drawn({spot['node']})")
    assert not browser.run(f"{app}.view.turning") and shown == pytest.approx(spot["von_mises"], rel=0.005)
    # the pressure of the patches there is that of the contact law's strips, one sample on it is not
    drawn = browser.run("flexwheel.patches()")
    filled, missed = [one for one in drawn if one["filled"]], []
    kept = [one for one in drawn if one["strips"]]  # of zones that merge the reading of the larger share, with it all
    for one in kept:
        borne = sum(strip["width"] * sum((a - b) * p for a, b, p in strip["cells"]) for strip in one["strips"])
        missed.append(borne / one["normal"] - 1.0)
        # at most the square root of the twentieth that the square may be above that in the middle of a strip
        assert max(p for strip in one["strips"] for *_, p in strip["cells"]) == pytest.approx(one["pressure"], rel=0.05)
    assert filled and len(kept) > 2 and all(one["filled"] for one in kept)
    whole = sum((1.0 + more) * one["normal"] for more, one in zip(missed, kept, strict=True))
    assert whole == pytest.approx(sum(one["normal"] for one in drawn), rel=0.01) and sorted(missed)[1] < 0.01
    assert browser.run(f"{app}.to({app}.k + 1), flexwheel.patches().every((p) => !p.strips)")
    # a node and a wheel in the scene
    x, y, node = browser.run(SEEN_NODE)
    browser.click(x, y)
    assert f"Wheelset front, node {node}," in browser.run(told)
    x, y = browser.run(
        "placeOf(flexwheel.app.scenes[0].wheelPoint('front left', flexwheel.app.k))".replace("placeOf", PLACE_OF)
    )
    browser.click(x, y)
    assert "Wheel front left: Q" in browser.run(told)
    # the largest Q of a wheel: at its instant, with its history
    browser.click_on(LISTED % "rear right: largest Q")
    row, own = browser.run(f"{app}.k"), f"{app}.scenes[0].get('wheel_force', 'rear right')"
    assert "Wheel rear right: Q" in browser.run(told) and "The spectrum holds to 4000 Hz" in browser.run(told)
    assert browser.run(
        f"flexwheel.times(0).every((_, k) => k < 0.1 * {app}.scenes[0].samples || {own}.at(2, k) <= {own}.at(2, {row}))"
    )
    # irregularity under it, of the list of its quantities
    browser.run((by_id % "wheel_quantity") + ".focus()")
    browser.key("End", 35)
    assert browser.run(f"{app}.view.wheel_quantity") == "rough_y" and "irregularity of the rail, left" in browser.run(
        told
    )
    rows = list(range(0, 100, 9))
    times = [browser.run("flexwheel.times(0)")[k] for k in rows]
    stored = read_results(folder / "run").irregularity.sel(wheel="rear right").sel(time=times, method="nearest")
    of = f"Array.from(historyOf({app}.view.node, {{ ...{app}.view, wheel_quantity: 'rough_%s' }}, {rows}).values)"
    shown = np.transpose([browser.run(of % axis) for axis in "yz"])
    np.testing.assert_allclose(shown, 1e3 * stored.values, atol=1e-4 * 1e3 * np.ptp(stored.values))
    browser.key("Home", 36)
    # a picture of what is seen
    browser.click_on(by_id % "picture")
    browser.run(WAIT % f"{app}.film.last?.type.startsWith('image/png')")
    kind, size = browser.run(f"[{app}.film.last.type, {app}.film.last.size]")
    assert kind == "image/png" and size > 10_000
    # the scene turned, a mode and back
    yaw = browser.run(f"{app}.stage.yaw")
    browser.drag((400, 300), (500, 300))
    assert browser.run(f"{app}.stage.yaw") == pytest.approx(yaw - 0.8, abs=0.01)
    browser.run("[...document.querySelectorAll('details')].forEach((d) => (d.open = true))")
    browser.click_on(LISTED % "mode 2:")
    assert browser.run(f"{app}.view.mode") == 1
    damping, error = (
        float(browser.run((LISTED % "mode 2:") + f".textContent.match(/{of}([0-9.]+) %/)[1]"))
        for of in ("damping ", r"\(\+")
    )
    assert damping == pytest.approx(100 * reduced.damping_ratio[1], rel=0.006)  # three figures are shown
    assert error == pytest.approx(100 * reduced.mesh_error[1], rel=0.06)  # two figures are shown
    browser.click_on(LISTED % "show the run")
    assert browser.run(f"{app}.view.mode") is None and browser.messages == []


def test_keyboard_reaches_every_control(browser):
    """Tab, from the first to the last, and round again."""
    browser.run("""for (const d of document.querySelectorAll('details')) d.open = true;
        document.activeElement.blur();
        window.reached = new Set(); document.addEventListener('focusin', (e) => window.reached.add(e.target))""")
    kinds = "button, input, select, summary, canvas[tabindex]"
    controls = f"[...document.querySelectorAll('{kinds}')].filter((e) => e.checkVisibility())"
    count = browser.run(f"{controls}.length")
    assert count > 40
    for _ in range(count + 2):
        browser.key("Tab", 9)
    assert browser.run(f"{controls}.filter((e) => !window.reached.has(e)).map((e) => e.id || e.textContent)") == []


def test_controls_have_names_for_screen_readers(browser):
    """In the browser's own accessibility tree."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "slider", "combobox", "checkbox", "spinbutton", "image", "DisclosureTriangle"}
    found = [n for n in nodes if not n["ignored"] and n["role"]["value"] in roles]
    assert len(found) > 40
    assert [n["role"]["value"] for n in found if not n.get("name", {}).get("value", "").strip()] == []
    # who speaks to the browser says what is written on a button: WCAG 2.5.3
    named = "[...document.querySelectorAll('button[aria-label]')].map((e) => [e.ariaLabel, e.innerText])"
    assert [name for name, words in browser.run(named) if words.strip().lower() not in name.lower()] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_of_all_that_is_there(browser, theme):
    """Text 4.5, edges of controls and the mark of the focus 3, by WCAG 2.1, success criteria 1.4.3 and 1.4.11."""
    browser.run(f"flexwheel.app.theme({json.dumps(theme == 'dark')})")
    found = browser.run(CONTRASTS)
    assert len(found) > 8
    for least, one, other, where in found:
        high, low = sorted((luminance(one), luminance(other)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= least, (where, one, other)


def test_ticks_of_the_colour_scale_are_apart(browser):
    """In a wide window and in a narrow one, where the scale is lower; both ends, also below zero, beside the bar's."""
    boxes = """(() => { flexwheel.app.byHand('low', %s); flexwheel.app.byHand('high', %s); flexwheel.app.legend();
        return ['#legend_ticks span', '#legend_bar'].map((kind) => [...document.querySelectorAll(kind)]
            .map((e) => e.getBoundingClientRect()).map((r) => [r.top, r.bottom])); })()"""
    for width in (1400, 800):
        browser.size(width, 900)
        for ends in ((0, 21.0), (0, 22.0), (0, 72.5), (0, 108.0), (-990.5, 990.5), (-3.1, 0.4), (-108.0, 0)):
            ticks, ((top, bottom),) = browser.run(boxes % ends)
            assert all(below[0] >= above[1] for above, below in itertools.pairwise(sorted(ticks))), (width, ends)
            middles = np.mean(ticks, axis=1)
            assert [middles.min(), middles.max()] == pytest.approx([top, bottom], abs=1.0)
    browser.run("flexwheel.app.view.scale = 'run', flexwheel.app.touch()")
    browser.size(1000, 600)


def test_extremes_are_those_of_all_samples(folder, monkeypatch):
    """However the samples are read."""
    results = read_results(folder / "run")
    late = results.wheel_force.values[100:]
    for block in (7_000_000, 64):
        monkeypatch.setattr("flexwheel.extensions.web.marks.BLOCK", block)
        found = {one["text"].rsplit(" ", 2)[0]: one for one in force_extremes(results)}
        for w, wheel in enumerate(map(str, results.wheel.values)):
            for name, column, pick in (
                ("largest Q", 2, np.argmax),
                ("smallest Q", 2, np.argmin),
                ("largest Y", 1, np.argmax),
            ):
                row, one = int(pick(late[:, w, column])), found[f"{wheel}: {name}"]
                assert one["text"].endswith(f"{late[row, w, column] / 1e3:.1f} kN")
                assert one["time"] == pytest.approx(results.time.values[100 + row])


def test_page_says_what_it_is_without(folder):
    from flexwheel.base.kind import PAGES, ViewOptions

    results = read_results(folder / "run").isel(time=slice(40))
    text = str(results.attrs["scenario"]).replace('residual = "static"', 'residual = "modal_only"')
    assert 'residual = "modal_only"' in text
    less = results.assign_attrs(scenario=text, complete=False, status="stopped on purpose")
    rigid = results.drop_vars("modal_coordinate")
    section = '\n[body.car_body]\nmesh = "car_body.inp"\n[body.car_body.attachments]\nseat = "SEAT"\n'
    bending = results.assign_attrs(scenario=str(results.attrs["scenario"]) + section)
    for shown, said, in_page in (
        (less, "of its modes only", "stopped on purpose"),
        (rigid, "drawn rigid", "drawn rigid"),
        (bending, "car_body: flexible, drawn where", "car_body: flexible, drawn where"),
    ):
        lines = []
        (page,) = PAGES["web"].make((shown,), folder / "less.html", lines.append, ViewOptions())
        assert any(said in line for line in lines) and in_page in page.read_text(encoding="utf-8")


def test_what_has_no_page_is_refused_in_one_line(folder):
    from flexwheel.base.kind import PAGES, ViewOptions

    results, path = read_results(folder / "run"), folder / "none.html"
    (folder / "flat.stl").write_text("solid\nendsolid\n")
    (folder / "long.off").write_text("OFF\n3 1 0\n0 0 0\n9000 0 0\n0 1 0\n3 0 1 2\n")
    for wrong, body, said in (
        (results.assign_attrs(kind="study"), None, "must be of kind 'vehicle'"),
        (results.isel(time=slice(1)), None, "2 samples or more"),
        (results.drop_vars("wheel_force"), None, "wheel_force"),
        (results, "car_body", "--body must be NAME=FILE or NAME=FILE@UNIT, got 'car_body'"),
        (results, "bogie=a.stl", "'bogie' is no body of the run; bodies are car_body, rear$"),
        (results, "front=a.stl", "'front' has its own mesh; bodies are car_body, rear$"),
        (results, "rear=a.stl@furlong", "unit must be one of m, mm, cm, dm, in, got 'furlong'"),
        (results, f"rear={folder / 'none.stl'}", "none.stl"),
        (results, f"rear={folder / 'flat.stl'}", "flat.stl: "),
        (results, f"rear={folder / 'long.off'}", "9e.03 m long in m, a body has 0.05 to 200 m"),
        (results, "rear=a.step", "a.step: a body's mesh is read from .*, .stl, .obj, .ply, .off, got .step"),
    ):
        with pytest.raises((ScenarioError, MeshError), match=said) as told:
            PAGES["web"].make((wrong,), path, print, ViewOptions(body=(body,) if body else ()))
        assert "\n" not in str(told.value)
    length = BodyColour("length", "length", "m", 1.0, np.zeros((results.sizes["time"], results.sizes["body"])))
    pair = [("a", PageScene("", results)), ("b", PageScene("", results, colours=(length,)))]
    with pytest.raises(ScenarioError, match="b and a have no page together"):
        page_of_scenes(pair, path, print)
    assert not path.exists()


def test_two_runs_beside_each_other(browser, folder, monkeypatch):
    """One camera and one time; a click finds what stands on its side; a motion of the vehicle moves its bodies."""
    import pyvista

    still = np.zeros(6, dtype=complex)
    modes = np.zeros(read_results(folder / "run").sizes["mode"], dtype=complex)
    bodies = {"car_body": np.array([0, 2 - 1j, 0, 0, 0.5j, 0]), "front": still, "rear": still}
    made = [PageMotion("car_body lateral", 1.25, bodies, {"front": modes}, -0.1)]
    monkeypatch.setattr("flexwheel.assess.linear_shapes.vehicle_motions", lambda results, say: made)
    pair = [read_results(folder / "run") for _ in range(2)]
    along = ", ".join(f"{{ rail = 'right', at_m = {s}{more} }}" for s, more in SECTIONS)
    text = pair[1].attrs["scenario"].replace("along = []", f"along = [{along}]")
    pair[1] = pair[1].assign_attrs(scenario=text)
    ball = pyvista.Sphere(radius=1100, center=(0, 0, 300), theta_resolution=80, phi_resolution=80)
    pyvista.save_meshio(folder / "ball.stl", ball)
    monkeypatch.setattr("flexwheel.extensions.web.body_meshes.FACES", 2000)
    given = ViewOptions(motions=True, body=(f"car_body={folder / 'ball.stl'}@mm",))
    (folder / "run" / "stress").mkdir()
    envelope = stress_envelope(StressOfRun(folder / "run"))  # as `flexwheel stress` writes it
    envelope.to_netcdf(folder / "run" / "stress" / "stress.nc")
    PAGES["web"].make(pair, folder / "both" / "run.html", print, given)
    browser.open(folder / "both" / "run.html")
    app = "flexwheel.app"
    assert browser.run(f"{app}.scenes.length") == 2
    # error of the stress over the surface, of `flexwheel stress`
    known = envelope.stress_error.to_series().set_axis(envelope.node_id.values).dropna()[::97]
    values = asked(browser, [f"flexwheel.value({node}, 0, 'stress_error')" for node in known.index])
    np.testing.assert_allclose(values, known, rtol=1e-6)
    # a body by a mesh of the user: in m about its centre of mass, fewer triangles, said
    drawn = browser.run(f"({app}.scenes.map((s) => [s.meshes.car_body.count / 3, s.parts.boxes.car_body]))")
    assert drawn[0] == drawn[1] and 1000 < drawn[0][0] <= 2000
    np.testing.assert_allclose(drawn[0][1], [1.1, 1.1, -0.8, 1.4], atol=0.02)
    assert f"car_body: ball.stl, {drawn[0][0]:,.0f} triangles in place of its 12,480" in browser.run(
        "document.body.textContent"
    )
    # the second run's right rail changes along the track: patches there have its heights, in between linear ones
    places = f"{app}.scenes.map((s) => s.patches('front', 'front right', {app}.k).map((p) => [p.across, p.place[2]]))"
    (across, first), (_, second) = np.moveaxis(np.array(browser.run(places)), 2, 1)
    parts = [vehicle_parts(parse_scenario(str(one.attrs["scenario"]), folder), ["front", "rear"]) for one in pair]
    rail, plain = parts[1]["rails"]["right"]["sections"], np.interp(across, *np.array(parts[0]["rail"]["profile"]).T)
    heights = [np.interp(across, rail["across"], row) for row in rail["height"]]
    share = (browser.run(f"{app}.scenes[1].get('place')[{app}.k]") - SECTIONS[0][0]) / (SECTIONS[1][0] - SECTIONS[0][0])
    np.testing.assert_allclose(heights[0], plain, atol=5e-5)  # lines between points of a gauge corner
    assert np.abs(heights[1] - plain).max() > 1e-4 and 0.1 < share < 0.9
    np.testing.assert_allclose(second - first, (1.0 - share) * heights[0] + share * heights[1] - plain, atol=5e-5)
    told = browser.run(f"{app}.scenes.map((s) => s.run.strips)")  # over that rail strips are not asked for
    assert told[0]["unasked"] == 0 and 2 * told[1]["unasked"] == sum(told[1].values()) == sum(told[0].values()) > 0
    browser.drag((200, 300), (260, 300))
    cameras = browser.run(f"{app}.scenes.map((s) => Array.from(s.port.camera))")
    np.testing.assert_allclose(cameras[0], cameras[1], atol=1e-6)
    assert browser.run(f"{app}.rows()[0] === {app}.rows()[1]")
    script = f"(() => {{ const s = {app}.scenes[1]; {app}.stage.port = s.port; return %s; }})()"
    browser.click(*browser.run(script % f"({PLACE_OF})(s.wheelPoint('front left', {app}.k))"))
    assert browser.run(f"{app}.view.node.scene === {app}.scenes[1] && {app}.view.node.wheel === 'front left'")
    assert browser.messages == []
    before = browser.run(f"{app}.scenes[1].body('car_body', {app}.k)")
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    browser.click_on(LISTED % "1.25 Hz, damping -10.0 % (grows)")
    assert browser.run(f"{app}.view.follow") == "vehicle"  # before and after it the wheelset
    size = 0.12 / np.hypot(2, 1)  # the largest displacement is drawn as 0.12 m
    for phase in (0.0, 1.0):
        moved = browser.run(
            f"{app}.play(false), ({app}.view.phase = {phase}, {app}.scenes[1].body('car_body', {app}.k))"
        )
        swing = (bodies["car_body"] * np.exp(1j * phase)).real * size
        assert np.array(moved["place"]) - before["place"] == pytest.approx(swing[:3], abs=1e-6)
        assert [moved["yaw"] - before["yaw"], moved["roll"] - before["roll"]] == pytest.approx(swing[3:5], abs=1e-6)
    browser.click_on(LISTED % "show the run")
    assert browser.run(f"{app}.view.follow") == "front"
    assert browser.messages == []


def test_runs_of_different_length(browser, folder):
    """The half second is that of the first run where both have it; a run that ends before says so, and one that goes
    on; the range is that of both, whichever is first; of another vehicle the wheelset of the same number is followed.
    A sliver with 200 N is no largest pressure.
    """
    whole = read_results(folder / "run")
    half = whole.isel(time=slice(0, whole.sizes["time"] // 2)).load().copy(deep=True)
    half.patch_peak_pressure[7, -1] = np.nan  # as of a mark without size
    wheel, most = half.wheel.values[0], float(half.patch_peak_pressure.max())
    last = half.sizes["patch"] - 1
    assert not np.any(half.patch_normal_force.sel(wheel=wheel)[:, last] > 0.0)
    for name in (name for name in half if str(name).startswith("patch_") and half[name].dims[-1] == "patch"):
        half[name].sel(wheel=wheel)[4, last] = half[name].sel(wheel=wheel)[4, 0]
    for name, value in {"y_rail": 0.03, "normal_force": 200.0, "peak_pressure": 1e10}.items():  # a sliver
        half[f"patch_{name}"].sel(wheel=wheel)[4, last] = value
    app, ranges, said = "flexwheel.app", [], "%s.stage.apart(%s.scenes[1], %s.rows()[1])" % (("flexwheel.app",) * 3)
    for name, pair in (("short", (whole, half)), ("long", (half, whole))):
        PAGES["web"].make(pair, folder / name / "run.html", print, ViewOptions(time_s=float(pair[0].time[-1])))
        browser.open(folder / name / "run.html")
        browser.run(f"{app}.view.quantity = 'displacement', {app}.ranged()")
        ranges.append(browser.run(f"{app}.view.range"))
        words = [browser.run(f"{app}.to({k}), {said}") for k in (3, f"{app}.scenes[0].samples - 1")]
        ends = [float(one.time[-1]) for one in pair]
        last = f": at t = {ends[1]:.4f} s, the last sample here"
        assert words == (["", last] if name == "short" else [f": has more, to t = {ends[1]:.4f} s"] * 2)
        assert browser.run(f"{app}.stage.apart({app}.scenes[0], {app}.k)") == ""
        at = 0 if name == "long" else 1  # the scene of the half
        tops = browser.run(f"[{app}.scenes[{at}].topPressure(), {app}.scenes[{at}].wheelPressure('{wheel}', 4)]")
        assert 0.0 < tops[1] <= tops[0] == pytest.approx(most, rel=1e-3)
    np.testing.assert_allclose(*ranges, rtol=1e-3)
    other = f"""(() => {{ const {{ stage, view, scenes: [, s] }} = {app}, kept = [s.wheelsets, view.follow];
        [s.wheelsets, view.follow] = [['a', 'b'], '%s'];
        const found = stage.followed(s);
        [s.wheelsets, view.follow] = kept;
        return found; }})()"""
    assert [browser.run(other % name) for name in ("front", "rear", "vehicle")] == ["a", "b", "vehicle"]
    assert browser.messages == []


def test_shapes_of_the_linear_vehicle(browser, folder):
    """A page without a run: shapes move in their phase, amplitude and phase are told, a wheelset bends."""
    scenario = parse_scenario(read_results(folder / "run").attrs["scenario"], folder)
    rest = at_rest(scenario)
    lift, modes = np.array([0, 0, 2j, 0, 0, 0]), np.zeros(read_results(folder / "run").sizes["mode"], dtype=complex)
    bodies = {name: lift * (1.0 if name == "car_body" else 0.25) for name in map(str, rest.body.values)}
    modes[0] = 1.0
    made = (
        PageMotion("level", 12.5, bodies, {"front": 0.0 * modes}),
        PageMotion("bending", 80.0, {}, {"front": modes}, 0.01),
    )
    page = folder / "shapes" / "shapes.html"
    page_of_scenes([("", PageScene("", rest, note="told", motions=made, rest=True))], page, print)
    browser.open(page)
    app = "flexwheel.app"
    assert browser.run(f"{app}.view.mode") == -1 and browser.run(f"{app}.playing")
    assert browser.run("document.getElementById('now').textContent") == "12.50 Hz, level: 2 of the rails' amplitude"
    table = browser.run("[...document.querySelectorAll('#moving td')].map((e) => e.textContent)")
    assert table[:3] == ["car_body vertical", "2", "90"] and table[3:6] == ["front vertical", "0.5", "90"]
    moved = browser.run(f"{app}.play(false), ({app}.view.phase = -1, {app}.scenes[0].body('front', 0).place[2])")
    assert moved - float(rest.body_position.sel(body="front", path="z")[0]) == pytest.approx(
        0.12 * 0.25 * np.sin(1.0), abs=1e-6
    )
    browser.click_on(LISTED % "80.00 Hz, damping 1.0 %, bending")
    assert browser.run(f"{app}.play(false), ({app}.view.phase = 0, {app}.touch(), {MOST})") == pytest.approx(
        0.12, rel=1e-3
    )
    browser.click_on(LISTED % "show it at rest")
    assert browser.run(MOST) == 0.0 and browser.messages == []


def test_a_mesh_as_it_was_found(browser, folder, reduced):
    """`reduce --view FILE.html`: classes of nodes, marks with their words, modes as the reduction has them."""
    section = parse_scenario(str(read_results(folder / "run").attrs["scenario"]), folder / "x.toml").wheelset["front"]
    surface = body_and_surface("front", section)[1]
    mesh, _ = wheelset_mesh("front", section)
    draw_found(mesh, reduced, folder / "found.html", "coarse", surface, ["told"])
    browser.open(folder / "found.html")
    app = "flexwheel.app"
    words = browser.run("document.body.textContent")
    for said in (
        "running surface",
        "nodes of the interfaces",
        "interface left",
        "tread datum right: r = 460.0 mm",
        "told",
    ):
        assert said in words
    browser.click_on(LISTED % "mode 3:")
    size = np.linalg.norm(surface.rows[:, :, 2], axis=1)
    values = f"Array.from({app}.scenes[0].flexible.body.values)"
    shown = browser.run(f"{app}.play(false), ({app}.view.phase = Math.PI / 2, {app}.touch(), {values})")
    nodes = browser.run("flexwheel.nodes('body')")
    wanted = dict(zip(surface.node_id.tolist(), size / size.max(), strict=True))
    np.testing.assert_allclose(np.array(shown) / max(shown), [wanted[n] for n in nodes], atol=0.005)
    browser.click_on(LISTED % "show what was found")
    assert browser.run(f"{app}.view.mode") is None and browser.messages == []
    # one mode of it at first
    draw_found(mesh, reduced, folder / "mode.html", "coarse", surface, mode=3)
    browser.open(folder / "mode.html")
    assert browser.run(f"[{app}.view.mode, {app}.playing]") == [2, True] and browser.messages == []
    pressed = "[...document.querySelectorAll('button[aria-pressed=true]')].map((b) => b.textContent)"
    assert browser.run(pressed)[0].startswith("mode 3:")


def test_elements_that_act_on_angles_are_not_drawn():
    """An anti-roll bar has no points; a line between the middles of bogie and car body would be 9.5 m long."""
    path = EXAMPLES / "manchester_flexible.toml"
    elements = vehicle_parts(parse_scenario(path.read_text(encoding="utf-8"), path), ["wheelset_1"])["elements"]
    kinds = {one["kind"] for one in elements}
    assert {"spring", "coil_spring", "damper", "bump_stop"} <= kinds and "anti_roll_bar" not in kinds


def test_window_needs_a_display():
    with pytest.raises(ScenarioError, match="needs a desktop"):
        require_display("linux", {})
    require_display("linux", {"DISPLAY": ":0"}), require_display("darwin", {})


def test_window_begins_at_the_largest_stress(folder, monkeypatch):
    """As the help of `--time-s` says; a time is taken as it is given."""
    results, begun = read_results(folder / "run"), []
    monkeypatch.setattr("flexwheel.assess.run_window.require_display", lambda: None)
    shown = SimpleNamespace(show=lambda: None)
    monkeypatch.setattr("flexwheel.assess.run_window.window_of", lambda r, first, *_: begun.append(first) or shown)
    for options in (ViewOptions(), ViewOptions(time_s=0.05)):
        PAGES["window"].make([results], folder, print, options)
    inner = results.sel(control_node=results.load_spread == 0).von_mises.max(["control_node", "point"])
    assert begun == [float(inner.time[int(np.argmax(inner.values))]), 0.05]


def of_page_patches(browser, time):
    """(n, 3) places of the front wheelset's patches as drawn at a time."""
    found = browser.run(f"(flexwheel.app.at({time}), flexwheel.app.draw(), flexwheel.patches())")
    return np.array([one["place"] for one in found if one["wheel"].startswith("front")])


def test_files_for_other_programs_equal_the_page(browser, folder):
    """VTKHDF at five instants and glTF at one, read by VTK, at every node."""
    import pyvista
    from vtkmodules.vtkIOGeometry import vtkGLTFReader

    from flexwheel.assess.pictures import PictureBook

    browser.open(folder / "run" / "run.html")
    known = json.loads(browser.run("JSON.stringify(flexwheel.nodes('front'))"))[::7]

    def of_page(time, name):
        return asked(browser, [f"flexwheel.value({n}, {time}, '{name}', {{point: 'fixed'}})" for n in known])

    book = PictureBook(read_results(folder / "run"), folder, lambda line: None)
    book.paraview()
    reader = pyvista.get_reader(folder / "wheelset_front.vtkhdf").reader
    reader.UpdateInformation()
    steps = np.linspace(0, reader.GetNumberOfSteps() - 1, 5).astype(int)
    times = np.array(browser.run("flexwheel.times(0)"))
    for step in steps:
        reader.SetStep(int(step))
        reader.Update()
        grid, time = pyvista.wrap(reader.GetOutput()), reader.GetTimeValue()
        time = times[np.argmin(np.abs(times - time))]
        assert abs(time - reader.GetTimeValue()) < 1e-7  # of four bytes
        row = {int(node): k for k, node in enumerate(grid["node_id"])}
        rows = [row[node] for node in known]
        own = {"von_mises": grid["von_mises"], "displacement": np.linalg.norm(grid["displacement"], axis=1)}
        for name, values in own.items():
            apart = np.abs(values[rows] - of_page(time, name))
            assert apart.max() < SHARE * np.nanmax(values), (step, name, apart.max())
        drawn = of_page_patches(browser, time)  # on the rail, where the wheel as deformed has them as well
        marks = grid.extract_cells(grid.cell_data["part"] == 4)
        yaw, roll, y, z = browser.run("(({ place, yaw, roll }) => [yaw, roll, place[1], place[2]])"
                                      "(flexwheel.app.scenes[0].body('front', flexwheel.app.k))")  # fmt: skip
        axes = Rotation.from_euler("ZX", [yaw, roll]).as_matrix()
        places = (marks.points + marks["displacement"]) @ axes.T + (0.0, y, z)
        assert np.linalg.norm(marks["displacement"], axis=1).max() > 1e-3  # the flange pushes the rim aside
        away = np.linalg.norm(drawn[:, None] - places[None], axis=2)
        assert max(away.min(axis=0).max(), away.min(axis=1).max()) < 3e-5, (step, away)  # steps in the page's numbers
    time = times[40]
    plotter = window_of(read_results(folder / "run"), time, 1.0, print, off_screen=True)
    values, rows = np.asarray(plotter.meshes[0]["value"]), [row[node] for node in known]
    plotter.close()
    apart = np.abs(1e6 * values[rows] - of_page(time, "von_mises"))  # grey ones have no value
    assert 10 < np.isfinite(apart).sum() and np.nanmax(apart) < SHARE * 1e6 * np.nanmax(values)
    assert command("view", folder / "run", "--to", folder / "run.glb", "--time-s", time, "--factor", 1) == 0
    reader = vtkGLTFReader()
    reader.SetFileName(str(folder / "run.glb"))
    reader.Update()
    body = pyvista.wrap(reader.GetOutput()).combine()
    row = {int(node): k for k, node in enumerate(body["_NODE_ID"])}
    rows = [row[node] for node in known]
    for name in ("von_mises", "displacement"):
        values = np.asarray(body[f"_{name.upper()}"])
        assert np.abs(values[rows] - of_page(time, name)).max() < SHARE * values.max(), name


def test_the_notebook_runs_and_keeps_its_pictures(folder, tmp_path, monkeypatch):
    """Its cells in their order; what each shows at its end, and what the stored notebook holds of it."""
    if rendering_problem():
        pytest.skip(f"no off-screen rendering here: {rendering_problem()}")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "short").symlink_to(folder / "run")
    (tmp_path / "meshes").symlink_to(MESHES)
    monkeypatch.chdir(tmp_path)
    cells = json.loads((ROOT / "docs" / "notebooks" / "first_run.ipynb").read_text(encoding="utf-8"))["cells"]
    names, pages = {}, 0
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        exec(compile(tree, "cell", "exec"), names)
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        assert (len(cell["outputs"]) == 1) == hasattr(shown, "_repr_png_")
        if cell["outputs"]:
            kept = base64.b64decode(cell["outputs"][0]["data"]["image/png"])
            assert kept.startswith(b"\x89PNG") and shown._repr_png_().startswith(b"\x89PNG")
            text = shown._repr_html_()
            pages += text is not None and text.startswith("<iframe srcdoc=") and "@DATA@" not in text
    assert pages == 3  # of the run, of the mesh, of a mode
    results = names["results"]
    linked = results.fw.view(tmp_path / "a b.html", time_s=0.05)
    assert linked._repr_html_().startswith('<iframe src="') and len(linked._repr_html_()) < 500
    assert (tmp_path / "a b.html").read_text(encoding="utf-8") == linked.page
    assert linked.save(tmp_path / "x.png").read_bytes() == linked.png
    with pytest.raises(ScenarioError, match="suffix must be .html or .png, got '.svg'"):
        linked.save("x.svg")
    with pytest.raises(ScenarioError, match="--time-s 7: the run goes from 0 to 0.1 s"):
        results.fw.view(time_s=7.0)
    with pytest.raises(ScenarioError, match="mode must be a number from 1 to"):
        names["wheelset"].view(mode=0)
    with pytest.raises(MeshError, match="must be a .png or .html file"):
        names["wheelset"].view(tmp_path / "x.svg")
    shown = names["wheelset"].view(tmp_path / "mode.html", mode=3)
    assert shown._repr_html_().startswith('<iframe src="') and shown.png.startswith(b"\x89PNG")
    assert shown.page == (tmp_path / "mode.html").read_text(encoding="utf-8")
