"""The figures of a run's page: size, time to write it, time to its first frame, frames a second, what it says and asks.

    python benchmarks/page_figures.py out/as4 [--rounds 3] [--seconds 6]

The page is written by `flexwheel view DIR --web` in a process of its own and opened in Debian's chromium without a
window, 1400 x 900, rendered in software. The first frame counts from the call that opens the file, frames are those
drawn while it plays as a click on `Play` starts it. Of more rounds the best is printed, with the worst behind it; the
load of the machine is that of the last minute, before and after.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import browser as driven
from tests.browser import Browser

WRITTEN, FIRST, FRAMES, LARGEST = 15.0, 5.0, 10.0, 25.0  # [s], [s], [1/s], [MB] that the main job's page keeps to
SETTLE = "new Promise((done) => setTimeout(done, %d))"
FIRST_FRAME = "[flexwheel.first / 1000, flexwheel.app.frames]"  # [s] since the page was asked for
COUNT = "[performance.now() / 1000, flexwheel.app.frames]"


def written(folder, page):
    """Wall and processor seconds of the command that writes the page of a run."""
    program = Path(sys.executable).with_name("flexwheel")
    begun, before = time.perf_counter(), os.times()
    subprocess.run([program, "view", folder, "--web", "--out", page.parent], check=True, stdout=subprocess.DEVNULL)
    end, after = time.perf_counter(), os.times()
    return end - begun, after.children_user + after.children_system - before.children_user - before.children_system


def played(page, seconds):
    """Seconds to the first frame, (frames a second, processor seconds a frame) of the slower track, messages, and
    what was asked besides the page itself."""
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            browser.size(1400, 900)
            browser.open(page)
            first, drawn = browser.run(FIRST_FRAME)
            if not drawn:
                sys.exit(f"{page}: no frame was drawn")
            rates = []
            for track in range(browser.run("flexwheel.app.scenes[0].run.tracks.length")):
                browser.run(f"flexwheel.app.onTrack({track})")
                browser.click_on("document.getElementById('play')")
                browser.run(SETTLE % 1000)  # what is compiled at the first frames
                (start, before), used = browser.run(COUNT), browser.processor_time()
                browser.run(SETTLE % (1000 * seconds))
                (end, after), used = browser.run(COUNT), browser.processor_time() - used
                browser.click_on("document.getElementById('play')")
                rates.append(((after - before) / (end - start), used / max(1, after - before)))
            others = [address for address in browser.asked if address != page.resolve().as_uri()]
            return first, *min(rates), browser.messages, others
        finally:
            browser.close()


def main():
    """Print the figures of a page beside what the main job's keeps to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=6)
    given = parser.parse_args()
    driven.PATIENCE, load, rounds = 600.0, os.getloadavg()[0], []  # a busy machine
    with tempfile.TemporaryDirectory() as place:
        page = Path(place) / "run.html"
        for _ in range(given.rounds):
            rounds.append((*written(given.folder, page), *played(page, given.seconds)))
        size = page.stat().st_size / 1e6
    wall, used, first, rates, each, messages, others = zip(*rounds, strict=True)
    messages, others = sum(map(len, messages)), sum(map(len, others))
    print(f"{given.folder}: {given.rounds} rounds, load {load:.1f} before, {os.getloadavg()[0]:.1f} after")
    rows = [
        ("size [MB]", size, size, LARGEST), ("written [s]", min(wall), max(wall), WRITTEN),
        ("  processor time [s]", min(used), max(used), None), ("first frame [s]", min(first), max(first), FIRST),
        ("frames a second, slower track", max(rates), min(rates), FRAMES),
        ("  processor time a frame [s]", min(each), max(each), None),
        ("messages in the console", messages, messages, 0), ("asked of a network", others, others, 0),
    ]  # fmt: skip
    for name, best, worst, limit in rows:
        print(f"  {name:30s} {best:8.4g} {worst:8.4g}  {'' if limit is None else f'asked of the main job: {limit:g}'}")


if __name__ == "__main__":
    main()
