"""The program that `drawing_process` starts: pictures of a run, each as soon as it can be drawn."""

import json
import os
import queue
import signal
import sys
import threading
from pathlib import Path

import xarray as xr

from flexwheel.assess.draw_vehicle import require_drawable
from flexwheel.assess.drawing_process import ALL
from flexwheel.assess.pictures import DRAWN, PictureBook, run_names
from flexwheel.base.capacity import collect_seldom
from flexwheel.base.output_files import output_folder
from flexwheel.results.files import open_results
from flexwheel.run.interrupts import termination_as_interrupt


def draw_of_files(order, files, say, report):
    """Pictures of a run while those beside it go on: each is drawn as soon as it can be.

    Parameters
    ----------
    order : dict            folder; attributes of the results that are known before; flexible: wheelset -> key of its
                            reduced body
    files : iterator        of result files (Path), the run's own first; it waits for each
    say : callable(str)
    report : callable(fraction, note)
    """
    keys = order["flexible"]
    coming = xr.Dataset(coords={"flexible": list(keys)} if keys else {}, attrs=order["attributes"])
    book = PictureBook(coming, output_folder(order["folder"]), say, keys=keys)
    book.shapes(report)
    book.results = results = _held(next(files))
    for path in book.made:  # they would be older than the results that they belong to
        os.utime(path)
    require_drawable(results)
    report(0.5, "figures")
    book.figures()
    report(0.6, "deformed wheelset")
    book.scenes(report=report)
    book.paraview()
    others = [open_results(file) for file in files]
    for item in others:
        require_drawable(item)
    report(1.0, "curves of several runs")
    book.compared(run_names([results, *others]))
    say(f"{len(book.made)} pictures and files in {order['folder']}")


def _held(path):
    """Results of a file, in memory what figures ask for again and again, the rest as samples of it are asked for."""
    opened = open_results(path).set_xindex("time")
    opened.encoding["source"] = str(path.resolve())
    return opened.assign({name: opened[name].load() for name in DRAWN if name in opened})


def _listen(lines):
    """Put the lines of the standard input into a queue; its end before ALL ends this process."""
    for line in sys.stdin:
        lines.put(line.rstrip("\n"))
        if line.strip() == ALL:
            return
    os.kill(os.getpid(), signal.SIGTERM)


def main():
    """Draw what the first line asks for (JSON: folder, attributes of the results that are known, flexible), of the
    files that the next lines name until ALL; tell lines (str) and progress ([fraction, note]) as JSON."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: who asked ends this process
    lines = queue.Queue()

    def tell(item):
        print(json.dumps(item), flush=True)

    collect_seldom()
    with termination_as_interrupt():
        order = json.loads(sys.stdin.readline())
        threading.Thread(target=_listen, args=(lines,), daemon=True).start()
        files = map(Path, iter(lines.get, ALL))
        draw_of_files(order, files, tell, lambda fraction, note="": tell([fraction, note]))


if __name__ == "__main__":
    main()
