"""What the page of a run shows against what was computed: values of nodes, arrows, wheels on rails where patches are.

    python benchmarks/page_values.py out/as4 [--nodes 50] [--seed 38] [--instants 200]

Nodes and instants are drawn at random, shared among the flexible wheelsets; each node is asked at its instant for
every quantity of the page at both points, and compared with what `flexwheel stress DIR --node` recovers there, over the
range of that node's own history. Of nodes near the running surface the page says that it is without the field of the
contact patches: a few are told by themselves, by their distance from the nearest patch. Control nodes are compared
with the run's own recovery, arrows with `wheel_force`, both over the range of the run. Wheels and rails as drawn,
without exaggeration, on both meshes, are compared with the approach of each loaded patch, along its normal. Ends with
1 where a limit is missed.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from flexwheel.assess.surface_stress import StressOfRun
from flexwheel.results.evaluate.control_nodes import POINTS as STORED
from flexwheel.results.evaluate.control_nodes import control_node_results, influences_of
from flexwheel.results.evaluate.histories import wheelset_history
from flexwheel.results.files import BLOCK, read_results
from flexwheel.run.reduced_bodies import body_and_surface
from tests import browser as driven
from tests.browser import Browser

SHARE = 0.005  # of the range: what is asked of values, arrows and control nodes
APART = 4e-5  # [m] wheel and rail against the approach, of which tests/extensions/test_web_page.py gives the parts
TENSOR = [[0, 3, 5], [3, 1, 4], [5, 4, 2]]
NEAR = 12  # nodes near the running surface: each has tables of the field of patches, some 100 MB
BINS = (0.0, 50.0, 70.0, 100.0, 200.0)  # [mm] of such a node from the nearest loaded patch
LOADED = 10.0  # [N] a patch bears at least, of those judged: the page keeps forces to some N
ACROSS = """flexwheel.app.scenes[0].run.wheels.flatMap((w) => flexwheel.app.scenes[0].patches(
    w.slice(0, w.lastIndexOf(" ")), w, flexwheel.app.k).map((p) => p.across))"""  # [m] of the patches on their rail
Gap = namedtuple("Gap", "apart wheel time turning normal angle")  # [m], [s], [N], [deg]


def command(*words):
    """Run flexwheel in a process of its own."""
    program = Path(sys.executable).with_name("flexwheel")
    subprocess.run([program, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def quantities(own):
    """Name in the page -> (T, n, point) of what was recovered at nodes."""
    main = np.linalg.eigvalsh(np.asarray(own.stress)[..., TENSOR])
    return {
        "von_mises": np.asarray(own.von_mises), "tension": main[..., 2], "compression": main[..., 0],
        "displacement": np.linalg.norm(own.displacement, axis=-1),
        "radial_displacement": np.asarray(own.radial_displacement),
    }  # fmt: skip


def asked(browser, calls):
    """Values of many calls in the page."""
    return np.array(browser.run(f"[{', '.join(calls)}]"), dtype=float)


def of_page(browser, wheelset, nodes, times, tracks, name, point):
    """Values (n,) of nodes in the page, each at its time."""
    more = f"point: '{point}', wheelset: '{wheelset}'"
    calls = [
        f"flexwheel.value({n}, {t}, '{name}', {{{more}, track: {track}}})"
        for n, t, track in zip(nodes, times, tracks, strict=True)
    ]
    return asked(browser, calls)


def random_instants(browser, rng, count):
    """(times, tracks): samples of the page's tracks in turn."""
    tracks = np.arange(count) % browser.run("flexwheel.app.scenes[0].run.tracks.length")
    times = [np.array(browser.run(f"flexwheel.times({k})")) for k in range(tracks.max() + 1)]
    return np.array([rng.choice(times[k]) for k in tracks]), tracks


def nodes_apart(browser, folder, wheelset, nodes, rng):
    """{quantity, point: (n,) difference over the range of the node's history} of nodes of a wheelset."""
    run = StressOfRun(folder, wheelset)
    body, _ = run.body_of_nodes(nodes)
    influences = None if run.modal_only else influences_of(body)
    times, tracks = random_instants(browser, rng, len(nodes))
    every = run.results.time.values
    rows = np.searchsorted(every, times - 0.5 * (every[1] - every[0]))
    kept, low, high = {}, {}, {}
    for first in range(0, len(every), BLOCK):
        some = run.results.isel(time=slice(first, first + BLOCK))
        history = wheelset_history(some, wheelset, len(body.frequency_hz), set(body.near.tread))
        here = np.flatnonzero((rows >= first) & (rows < first + BLOCK))
        found = SimpleNamespace(**control_node_results(body, history, run.modal_only, influences))
        for name, values in quantities(found).items():
            kept.setdefault(name, np.empty((len(nodes), 2)))[here] = values[rows[here] - first, here]
            low[name] = np.fmin(low.get(name, np.inf), values.min(axis=0))
            high[name] = np.fmax(high.get(name, -np.inf), values.max(axis=0))
    found, span = {}, {name: high[name] - low[name] for name in kept}
    span["tension"] = span["compression"] = np.maximum(span["tension"], span["compression"])  # one is 0 at edges
    for name, wanted in kept.items():
        for p, point in enumerate(STORED):
            shown = of_page(browser, wheelset, nodes, times, tracks, name, point)
            found[name, point] = np.abs(shown - wanted[:, p]) / span[name][:, p]
    return found


def control_apart(browser, results, rng, count):
    """{node's name: largest difference over its range} of control nodes against the run's own recovery."""
    found = {}
    for name in map(str, results.control_node.values):
        wheelset = next(w for w in map(str, results.flexible.values) if name.startswith(f"{w} "))
        own = results.sel(control_node=[name])[["stress", "displacement", "radial_displacement", "von_mises"]].load()
        node = int(own.control_node_id[0])
        times, tracks = random_instants(browser, rng, count)
        rows = [int(np.argmin(np.abs(own.time.values - t))) for t in times]
        for quantity, values in quantities(own).items():
            for p, point in enumerate(map(str, own.point.values)):
                history = values[:, 0, p]
                shown = of_page(browser, wheelset, [node] * count, times, tracks, quantity, point)
                apart = np.abs(shown - history[rows]).max() / np.ptp(history)
                found[name] = max(found.get(name, (0.0,)), (apart, quantity, point))
    return found


def drawn_apart(browser, results, rng, count):
    """(largest difference of arrows over the range of their force, Gap of every loaded patch) at random instants."""
    app, worst, gaps = "flexwheel.app", 0.0, []
    ranges = np.ptp(results.wheel_force.values, axis=0)
    times, tracks = random_instants(browser, rng, count)
    for n, k in enumerate(np.argsort(tracks, kind="stable")):
        if browser.run(f"{app}.scenes[0].track") != tracks[k]:
            browser.run(f"{app}.onTrack({tracks[k]})")
        factors = f"{{ static: 1, dynamic: 1, rails: 1, turning: {'true' if n % 2 else 'false'} }}"
        time, arrows, drawn, across = browser.run(
            f"({app}.at({times[k]}), Object.assign({app}.view, {factors}), {app}.touch(), "
            f"[{app}.time, flexwheel.arrows(), flexwheel.gaps(), {ACROSS}])"
        )
        at = results.sel(time=time, method="nearest").load()
        known = {str(wheel): at.wheel_force.values[w] for w, wheel in enumerate(at.wheel.values)}
        for w, one in enumerate(arrows):
            worst = max(worst, (np.abs(one["force"] - known[one["wheel"]]) / ranges[w]).max())
        for gap, y in zip(drawn, across, strict=True):
            own = at.sel(wheel=gap["wheel"])
            p = int(np.nanargmin(np.abs(np.where(own.patch_normal_force > 0.0, own.patch_y_rail, np.nan) - y)))
            angle, apart = float(np.degrees(own.patch_contact_angle[p])), gap["gap"] + float(own.patch_approach[p])
            if gap["normal"] > LOADED:
                gaps.append(Gap(apart, gap["wheel"], time, bool(n % 2), gap["normal"], angle))
    return worst, gaps


def main():
    """Print what is apart beside its limit; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nodes", type=int, default=50)
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--instants", type=int, default=200)
    given = parser.parse_args()
    driven.PATIENCE = 600.0  # a busy machine
    rng, rows = np.random.default_rng(given.seed), []
    results = read_results(given.folder)
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        command("view", given.folder, "--web", "--out", place)
        browser = Browser(place / "profile")
        try:
            browser.size(1000, 600)
            browser.open(place / "run.html")
            rows += of_nodes(browser, given, rng)
            lines = of_near_nodes(browser, given, rng)
            if "control_node" in results.coords and "stress" in results:
                for name, (apart, quantity, point) in control_apart(browser, results, rng, given.nodes).items():
                    rows.append((f"control node {name} ({quantity}, {point})", apart, SHARE))
            arrows, gaps = drawn_apart(browser, results, rng, given.instants)
        finally:
            browser.close()
    rows.append((f"arrows, {given.instants} instants", arrows, SHARE))
    print(f"{given.folder}: page against run, seed {given.seed}; shares of the range")
    for name, apart, limit in rows:
        print(f"  {name:70s} {100 * apart:8.4f} %  {'' if limit is None else f'asked: {100 * limit:g} %'}")
    for line in lines:
        print(f"  {line}")
    size = 1e6 * np.array([abs(one.apart) for one in gaps])
    worst = gaps[int(np.argmax(size))]
    print(f"  wheel and rail at {len(gaps)} patches against the approach [um]: median {np.median(size):.1f}, "
          f"p99 {np.quantile(size, 0.99):.1f}, most {size.max():.1f}, asked: {1e6 * APART:g}")  # fmt: skip
    print(f"    most: {worst}")
    missed = [name for name, apart, limit in rows if limit is not None and not apart <= limit]
    if missed or size.max() > 1e6 * APART:
        sys.exit(f"beyond its limit: {', '.join(missed) or 'wheel and rail'}")


def of_nodes(browser, given, rng):
    """Row of random nodes of all flexible wheelsets: (name, largest share, limit)."""
    worst, known = (0.0,), browser.run("Object.keys(flexwheel.app.scenes[0].flexible)")
    for k, wheelset in enumerate(known):
        nodes, close = ids(browser, wheelset)
        share = given.nodes // len(known) + (k < given.nodes % len(known))
        apart = nodes_apart(
            browser, given.folder, wheelset, np.sort(rng.choice(nodes[~close], share, replace=False)), rng
        )
        worst = max(worst, *((values.max(), *key) for key, values in apart.items()))
    return [(f"{given.nodes} nodes (most: {', '.join(worst[1:])})", worst[0], SHARE)] if known else []


def of_near_nodes(browser, given, rng):
    """Lines on nodes near the running surface, for which the page says that it is without the field of the patches:
    by their distance from the nearest loaded patch, the largest difference of von Mises stress [MPa]."""
    wheelset = next(iter(browser.run("Object.keys(flexwheel.app.scenes[0].flexible)")), None)
    if wheelset is None:
        return []
    run = StressOfRun(given.folder, wheelset)
    body, surface = body_and_surface(wheelset, run.section)
    place, (known, close) = surface.position + body.centre, ids(browser, wheelset)
    low = np.min([np.hypot(place[:, 0], place[:, 1] - t.lateral) for t in body.treads], axis=0)
    under = np.isin(surface.node_id, known[close]) & (place[:, 2] < 0.0) & (low < 1e-3 * BINS[-1])
    wanted = np.linspace(0.0, 1e-3 * BINS[-1], NEAR)
    nodes = np.unique([surface.node_id[under][np.argmin(np.abs(low[under] - at))] for at in wanted])
    body, _ = run.body_of_nodes(nodes)
    times, tracks = random_instants(browser, rng, given.nodes)
    rows = np.unique([int(np.argmin(np.abs(run.results.time.values - t))) for t in times[tracks == 0]])
    some = run.results.isel(time=rows).load()
    history = wheelset_history(some, wheelset, len(body.frequency_hz), set(body.near.tread))
    stress = control_node_results(body, history, run.modal_only)["von_mises"][:, :, STORED.index("fixed")]
    found = {}
    for k, node in enumerate(nodes):
        times = list(map(float, some.time.values))
        shown = of_page(browser, wheelset, [int(node)] * len(rows), times, [0] * len(rows), "von_mises", "fixed")
        away = from_patches(some, wheelset, body, place[surface.node_id == node][0])
        for t in range(len(rows)):
            found.setdefault(int(np.searchsorted(BINS, 1e3 * away[t])), []).append(
                (shown[t] - stress[t, k], stress[t, k])
            )
    lines = []
    for n, pairs in sorted(found.items()):
        apart, size = 1e-6 * np.abs(np.array(pairs)).T
        where = f"{BINS[n - 1]:g} to {BINS[n]:g} mm" if n < len(BINS) else f"beyond {BINS[-1]:g} mm"
        worst = int(np.argmax(apart))
        lines.append(f"near the running surface, {where} from a patch: without the field of the patches "
                     f"{apart[worst]:.1f} of {size[worst]:.1f} MPa at most, p90 {np.quantile(apart, 0.9):.2f}, "
                     f"{len(pairs)} values")  # fmt: skip
    return lines


def from_patches(some, wheelset, body, place):
    """(T,) distance [m] of a place of a wheelset from its nearest loaded patch."""
    least = np.full(some.sizes["time"], np.inf)
    for tread in body.treads:
        own = some.sel(wheel=f"{wheelset} {'left' if tread.side > 0 else 'right'}")
        across, radius = tread.profile[np.argsort(tread.profile[:, 0])].T
        y, x = tread.lateral + tread.side * own.patch_y_wheel.values, own.patch_x_contact.values
        z = -np.sqrt(np.interp(y, across, radius) ** 2 - x**2)
        away = np.sqrt((place[0] - x) ** 2 + (place[1] - y) ** 2 + (place[2] - z) ** 2)
        least = np.fmin(least, np.nanmin(np.where(own.patch_normal_force > LOADED, away, np.inf), axis=1))
    return least


def ids(browser, wheelset):
    """Numbers of a wheelset's nodes, and of each whether the page says that it is near the running surface."""
    spread = f"Array.from(flexwheel.app.scenes[0].flexible['{wheelset}'].surface.spread)"
    return np.array(browser.run(f"flexwheel.nodes('{wheelset}')")), np.array(browser.run(spread)) > 1


if __name__ == "__main__":
    main()
