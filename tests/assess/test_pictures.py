"""What pictures show is what the numbers are: true maxima, no lost peak, nothing of spread loads, names as files."""

from datetime import date
from types import SimpleNamespace

import numpy as np
import pytest
from synthetic import synthetic_body, synthetic_results

import flexwheel
from flexwheel.assess.figures import rendering, scenes
from flexwheel.assess.figures.style import MAX_POINTS, envelope, footer_of, new_figure, save_figure, shade
from flexwheel.assess.pictures import PictureBook
from flexwheel.base.kind import KINDS
from flexwheel.base.output_files import file_stem
from flexwheel.body.reduced_body import Tread
from flexwheel.results.evaluate.histories import with_control_nodes
from flexwheel.results.evaluate.load_spread import on_running_surface, spread_nodes


def tread(side=1, profile=((0.68, 0.47), (0.70, 0.488), (0.75, 0.46), (0.81, 0.455))):
    """Profile of one wheel, sections every 10 degrees."""
    angle = np.radians(10.0) * np.arange(36)
    points = np.array(profile) * (side, 1.0)
    return Tread(
        side, 0.46, side * 0.75, angle, points, np.zeros((36, 4, 3, 1)), np.zeros((36, 6, 1)), np.zeros((6, 6))
    )


def ring_surface():
    """Surface of three rings of 36 nodes: on the profile, next to it, far from it; body frame off by a centre."""
    centre = np.array([0.0, 0.01, 0.0])
    alpha = np.radians(10.0) * np.arange(36)
    position = [
        np.stack([radius * np.sin(alpha), np.full(36, y), -radius * np.cos(alpha)], axis=1) - centre
        for y, radius in ((0.75, 0.46), (0.75, 0.42), (0.75, 0.2))
    ]
    k = np.arange(36)
    quads = [
        np.stack([36 * r + k, 36 * r + (k + 1) % 36, 36 * r + 36 + (k + 1) % 36, 36 * r + 36 + k], 1) for r in (0, 1)
    ]
    return SimpleNamespace(
        position=np.concatenate(position), quads=np.concatenate(quads), triangles=np.zeros((0, 3), int)
    ), centre


def test_load_is_spread_about_the_lowest_point_only():
    surface, centre = ring_surface()
    marked = spread_nodes(surface, (tread(),), centre).reshape(3, 36)
    # loaded: the lowest section and one on either side; one more by the faces they share
    assert np.flatnonzero(marked[0]).tolist() == [0, 1, 2, 34, 35]
    assert np.flatnonzero(marked[1]).tolist() == [0, 1, 2, 34, 35]
    assert not marked[2].any()
    assert on_running_surface((tread(),), [0.75, 0.75, 0.69], [0.46, 0.44, 0.479]).tolist() == [True, False, True]


def test_stress_words_name_the_largest_shown():
    surface, _ = ring_surface()
    stress = np.linspace(1e6, 50e6, 108)
    stress[0] = 186.5e6  # under the load
    hidden = np.zeros(108, dtype=bool)
    assert scenes.stress_words(surface, stress).startswith("largest 186.5 MPa at y = 0.740 m, r = 0.460 m")
    hidden[0] = True
    words = scenes.stress_words(surface, stress, hidden)
    assert words.startswith("largest 50.0 MPa at y = 0.740 m, r = 0.200 m") and "grey" in words and "186.5 MPa" in words


def test_colour_bar_ends_at_the_largest_stress_or_says_so():
    if rendering.rendering_problem():
        pytest.skip(f"no off-screen rendering here: {rendering.rendering_problem()}")
    import pyvista

    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    mesh = pyvista.PolyData(points, np.array([4, 0, 1, 2, 3]))
    stress = np.array([10e6, 20e6, 30e6, 400e6])
    for highest, hidden, bar, text in (
        (None, None, 400.0, "von Mises stress [MPa]"),
        (None, np.array([False, False, False, True]), 30.0, "von Mises stress [MPa]"),
        (100e6, None, 100.0, "von Mises stress [MPa], up to 400"),
    ):
        plotter = pyvista.Plotter(off_screen=True)
        top = scenes._paint(plotter, mesh.copy(), np.zeros((4, 3)), stress, highest, hidden)
        assert top == pytest.approx(bar * 1e6)
        (title,) = plotter.scalar_bars.keys()
        drawn = plotter.scalar_bars[title]
        assert " ".join(title.split()) == text and drawn.GetLookupTable().GetTableRange() == (0.0, bar)
        assert drawn.GetUseCustomLabels() and drawn.GetCustomLabels().GetRange() == (0.0, bar)
        plotter.close()


def test_envelope_keeps_every_peak():
    rng = np.random.default_rng(5)
    for count in (3, MAX_POINTS, MAX_POINTS + 1, 140_000, 99_991):
        x, y = np.arange(count) * 1e-4, rng.normal(size=count)
        y[rng.integers(count)], y[rng.integers(count)] = 50.0, -60.0  # single samples
        drawn_x, drawn = envelope(x, y)
        assert len(drawn) <= MAX_POINTS and drawn.max() == y.max() and drawn.min() == y.min()
        assert np.all(np.diff(drawn_x) >= 0.0) and np.all(y[np.round(drawn_x / 1e-4).astype(int)] == drawn)
    y[:5000] = np.nan
    drawn = envelope(x, y)[1]
    assert np.isnan(drawn[0]) and np.nanmax(drawn) == np.nanmax(y)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    body = synthetic_body()
    results = with_control_nodes(synthetic_results(body, duration=0.5, step=2e-4), {"front": body})
    results = results.assign_attrs(settling_s=0.1, scenario="[run]\nduration_s = 0.5\n")
    results["von_mises"] = results.von_mises * 0.0 + 1e6
    results["load_spread"] = ("control_node", [0, 1])
    return PictureBook(results, tmp_path_factory.mktemp("pictures"), lambda line: None)


def test_time_of_the_largest_stress_of_all_control_nodes(book):
    stress = book.results.von_mises
    stress.values[100, 0, 0] = 9e6  # at 0.02 s: before settling
    stress.values[1500, 1, 1] = 8e6  # on the running surface
    stress.values[1000, 0, 1] = 5e6
    stress.values[2000, 0, 0] = 6e6  # rotating, the second node's point is fixed
    assert book.chosen_time("front") == pytest.approx(float(book.results.time[2000]))
    book.results["load_spread"] = ("control_node", [1, 1])
    assert book.chosen_time("front") == pytest.approx(float(book.results.time[1500]))
    assert book.chosen_time("rear") == pytest.approx(float(book.results.time[len(book.results.time) // 2]), abs=0.1)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("web/fillet", "web_fillet"),
        ("../../x", "_.._x"),
        ("a b", "a_b"),
        ("C:\\x*?", "C__x__"),
        ("", "_"),
        ("..", "_"),
        ("Rad-außen.1", "Rad-außen.1"),
        ("x" * 300, "x" * 80),
        ("\0\n", "__"),
    ],
)
def test_any_name_is_a_file_name(name, stem, tmp_path):
    assert file_stem(name) == stem
    (tmp_path / f"{file_stem(name)}.png").write_text("x")


def test_names_that_differ_get_files_that_differ(book):
    first, second, again = (book._path(name) for name in ("node web/fillet", "node web_fillet", "node web/fillet"))
    assert first == again != second and first.parent == second.parent == book.folder


def test_a_name_is_no_formula(book, tmp_path):
    from flexwheel.assess.figures.style import label, new_figure, save_figure

    figure, (axis,) = new_figure(1, "node $\\frac{a$")
    axis.plot([0.0, 1.0], [1.0, 2.0], label="$x^{")
    label(axis, "a$b", "$\\nonsense$")
    assert save_figure(figure, tmp_path / "x.png", 30).stat().st_size > 1000


def test_stretches_are_shaded_and_a_footer_stands_below(tmp_path):
    """Shades lie where the stretches do, within the axis as it was; the footer becomes part of the picture."""
    figure, (axis,) = new_figure()
    axis.plot([0.0, 10.0], [0.0, 1.0])
    before = axis.get_xlim()
    shade([axis], [("straight", -5.0, 2.0), ("arc", 2.0, 30.0)])
    spans = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in axis.patches]
    assert axis.get_xlim() == before and np.allclose(spans, [(before[0], 2.0), (2.0, before[1])])
    assert axis.get_ylim()[0] < -0.05 and axis.dataLim.y0 == 0.0  # the names lie below every curve
    save_figure(figure, tmp_path / "a.png", footer="80 km/h; $5")
    assert figure._supxlabel.get_text() == "80 km/h; $5" and not figure._supxlabel.get_parse_math()


def test_footer_names_what_results_name():
    of = {"title": "a run", "vehicle": "AS4", "date_created": "2026-11-23T02:00", "source": "flexwheel 9"}
    of["scenario"] = "[run]\nspeed_kmh = 80.0"
    assert footer_of(of) == "a run; AS4, 80 km/h; 2026-11-23; flexwheel 9"
    if "train" in KINDS:
        assert footer_of(of | {"kind": "train"}) == "a run; AS4; 2026-11-23; flexwheel 9"  # 80 km/h are its start's
    assert footer_of(of | {"scenario": "no TOML"}) == "a run; AS4; 2026-11-23; flexwheel 9"
    assert footer_of({}) == f"{date.today()}; flexwheel {flexwheel.__version__}"
