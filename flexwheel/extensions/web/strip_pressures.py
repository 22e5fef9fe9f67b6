"""Pressure of the contact law's strips for a page, at the instants that its lists jump to."""

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.base.kind import PICTURES

ROWS = ("s", "width", "half", "ahead")  # of a strip [m]; its pressures in the cells [Pa] follow


def pack_strips(packer, key, results, scenario, tracks, run):
    """Add strips to a Packer; returns {"found": wheels with them, "missed": without, "unasked": over a rail that
    changes along the track} over the instants, None where the results have no patches.

    Of an instant of a hot spot all wheels have them, of one of a wheel's extreme that wheelset: the contact law is
    asked again, a thirtieth of a second for each wheel.

    tracks : of (name, rows (T,)), samples of each; run : what the page knows, with `hot` and `extremes`
    """
    kind = str(results.attrs.get("kind", "vehicle"))
    if kind not in PICTURES:
        return None
    time, wheels = results.time.values, [str(name) for name in results.wheel.values]
    instants = [(spot["time"], wheels) for spot in run["hot"]]
    for one in run["extremes"]:
        pair = one.get("wheel", "").rsplit(" ", 1)[0]
        instants.append((one["time"], [wheel for wheel in wheels if wheel.rsplit(" ", 1)[0] == pair]))
    wanted = {}
    for name, rows in tracks:
        for at, own in instants:
            k = int(np.argmin(np.abs(time[rows] - at)))
            if abs(time[rows[k]] - at) <= time[rows[1]] - time[rows[0]]:
                wanted |= {(name, k, wheel): int(rows[k]) for wheel in own}
    if not wanted:
        return None
    try:
        found = PICTURES[kind].strips(results, scenario, [(row, wheel) for (_, _, wheel), row in wanted.items()])
    except FlexwheelError:  # a page is more than its patches
        found = None
    if found is None:
        return None
    told = {"found": 0, "missed": 0, "unasked": 0}
    for (name, k, wheel), row in wanted.items():
        if (row, wheel) not in found:
            told["unasked"] += 1
            continue
        strips = found[row, wheel]
        told["missed" if isinstance(strips, str) else "found"] += 1
        for number, patch in enumerate([] if isinstance(strips, str) else strips):
            head = np.array([patch.stored["y_rail"], patch.stored["x_contact"], *patch.length])
            lines = np.column_stack([*(getattr(patch, row_name) for row_name in ROWS), patch.pressure])
            packer.add(f"{key}/{name}/strips/{wheel}/{k}/{number}", np.concatenate([[len(lines)], head, lines.ravel()]))
    return told
