"""The program that `drawing_process` starts: pictures of a run, each as soon as it can be drawn.

They give way to the run, whose last samples the last pictures wait for. Where the system can divide a process, scenes
are drawn by a child of it and figures by itself, so that neither waits for the other; what both need is loaded once.
Curves of several runs, for which the user waits, are drawn by two. VTK may end the child on a machine that cannot draw
off screen: then that is looked into, in place of asking before every run.
"""

import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

import xarray as xr

from flexwheel.assess.drawing_process import ALL
from flexwheel.assess.figures.rendering import RenderingError, require_rendering, trust_rendering
from flexwheel.assess.pictures import COMPARED, DRAWN, IN_SCENES, PictureBook, require_drawable, run_names
from flexwheel.base.capacity import collect_seldom
from flexwheel.base.output_files import output_folder
from flexwheel.results.files import open_results
from flexwheel.run.interrupts import termination_as_interrupt

GIVES_WAY = 19  # steps of priority, all there are: the run has what it asks for, pictures what it leaves


def _whole(draw):
    """All that there is to draw, by this process."""
    draw(slice(None))


def draw_of_files(order, files, say, report, scenes=True, figures=True, divided=_whole):
    """Pictures of a run while those beside it go on: each is drawn as soon as it can be; returns their number.

    Parameters
    ----------
    order : dict            folder; attributes of the results that are known before; flexible: wheelset -> key of its
                            reduced body
    files : iterator        of result files (Path), the run's own first; it waits for each
    say : callable(str)
    report : callable(fraction, note)
    scenes, figures : bool  three-dimensional pictures, with the file for ParaView; all others
    divided : callable(draw)    calls draw(slice) for all parts of what is drawn last
    """
    keys = order["flexible"]
    coming = xr.Dataset(coords={"flexible": list(keys)} if keys else {}, attrs=order["attributes"])
    book = PictureBook(coming, output_folder(order["folder"]), say, keys=keys)
    if scenes:
        book.shapes(report)
    book.results = results = _held(next(files), DRAWN if figures else IN_SCENES)
    for path in book.made:  # they would be older than the results that they belong to
        os.utime(path)
    require_drawable(results)
    if figures:
        report(0.5, "figures")
        book.figures()
    if scenes:
        report(0.6, "deformed wheelset")
        book.scenes(report=report)
        book.paraview()
    if figures:
        others = [_held(file, COMPARED) for file in files]
        for item in others:
            require_drawable(item)
        report(1.0, "curves of several runs")
        runs = run_names([results, *others])

        def draw(some):
            before = len(book.made)
            book.compared(runs, some)
            return len(book.made) - before

        divided(draw)
    return len(book.made)


def _held(path, names):
    """Results of a file, in memory the histories of these names, the rest as samples of it are asked for."""
    opened = open_results(path).set_xindex("time")
    opened.encoding["source"] = str(path.resolve())
    return opened.assign({name: opened[name].load() for name in names if name in opened})


def _listen(asked, lines, also):
    """Put the lines of a stream into a queue, and into another stream; its end before ALL ends this process."""
    for line in asked:
        lines.put(line.rstrip("\n"))
        if also:
            with suppress(OSError):  # who reads it has ended
                also.write(line)
                also.flush()
        if line.strip() == ALL:
            return
    os.kill(os.getpid(), signal.SIGTERM)


def _draw(asked, also=None, **which):
    """Draw what the first line of a stream asks for; which: of `draw_of_files`, `also` as of `_listen`."""
    lines = queue.Queue()
    threading.Thread(target=_listen, args=(asked, lines, also), daemon=True).start()
    order, files = json.loads(lines.get()), map(Path, iter(lines.get, ALL))
    _tell(draw_of_files(order, files, _tell, lambda fraction, note="": _tell([fraction, note]), **which))


def _tell(item):
    os.write(1, f"{json.dumps(item)}\n".encode())  # whole, beside those of another process


def _by_two(draw):
    """Call draw(slice), which returns a number of pictures, for two halves, one of them in a child of this process."""
    child = os.fork() if sys.platform == "linux" else None
    if child == 0:
        try:
            _tell(draw(slice(1, None, 2)))
            os._exit(0)
        finally:
            os._exit(1)
    try:
        draw(slice(0, None, 2 if child else 1))
        failed = child and os.waitpid(child, 0)[1]
    except BaseException:
        if child:
            _end(child)
        raise
    if failed:
        sys.exit(1)


def _end(child):
    """End a child of this process where it still runs."""
    with suppress(OSError):  # it has ended
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def _scenes_beside():
    """(process, stream that it listens to) of a child that draws the scenes; (0, None) where there can be none."""
    if sys.platform != "linux":
        return 0, None
    reads, writes = os.pipe()
    if child := os.fork():
        os.close(reads)
        return child, os.fdopen(writes, "w")
    os.close(writes)
    try:
        trust_rendering()
        with termination_as_interrupt():
            _draw(os.fdopen(reads), figures=False)
        os._exit(0)
    finally:
        os._exit(1)


def _require_scenes(child):
    """Wait for the child that draws the scenes; where this machine cannot draw any, say why they are left out."""
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        try:
            require_rendering()
        except RenderingError as error:
            _tell(str(error))
            return
        sys.exit(1)


def main():
    """Draw what the first line asks for (JSON: folder, attributes of the results that are known, flexible), of the
    files that the next lines name until ALL; tell lines (str), progress ([fraction, note]) and the number of pictures
    as JSON."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: who asked ends this process
    if hasattr(os, "nice"):
        os.nice(GIVES_WAY)
    collect_seldom()
    xr.Dataset(coords={"all": [ALL]})  # loads dask for both
    child, also = _scenes_beside()
    with termination_as_interrupt():
        try:
            _draw(sys.stdin, also, scenes=not child, divided=_by_two)
            if child:
                _require_scenes(child)
        finally:
            if child:
                _end(child)


if __name__ == "__main__":
    main()
