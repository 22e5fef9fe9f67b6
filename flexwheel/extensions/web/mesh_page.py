"""A body that was read from a mesh, without a run: what it was taken for by colour, its modes animated."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexwheel.extensions.web.packing import Packer
from flexwheel.extensions.web.surface_tables import pack_surface
from flexwheel.extensions.web.web_page import write_page

NAME = "body"


@dataclass(frozen=True)
class FoundBody:
    """What a page shows of a mesh."""

    title: str
    surface: Any  # SurfaceModes, of no mode where none is shown
    body: Any  # ReducedBody, FlexibleBody or None
    classes: list  # (name, colour) of the surface's nodes
    of_node: Any  # (Ns,) number of each node's class
    marks: list  # name, points (n, 3) [m] in body axes, colour (#rrggbb), label, line
    audit: tuple = ()
    mode: int | None = None  # from 1, shown at first


def write_found_page(found, path):
    """Write the page; returns the files made."""
    packer, surface, key = Packer(), found.surface, found.surface.key or "found"
    plain = replace(surface, stress_rows=None, load_displacement=None, load_stress=None, prestress=None)
    known = pack_surface(packer, key, plain, found.body, None, [("class", found.of_node, "<u2")])
    track = "run0/track0"
    for name in ("time", "place", f"spin/{NAME}"):
        packer.add(f"{track}/{name}", np.zeros(1))
    packer.add_rows(f"{track}/body/{NAME}", np.zeros((5, 1)))
    packer.add_rows(f"{track}/modal/{NAME}", np.zeros((known["modes"], 1)))
    marks = [
        {
            "name": mark.name, "colour": mark.colour, "label": mark.label, "line": mark.line,
            "points": np.round(mark.points, 5).ravel().tolist(),
        }
        for mark in found.marks
    ]  # fmt: skip
    run = {
        "key": "run0", "name": "", "title": found.title, "rest": True, "complete": True, "status": "", "speed": None,
        "flexible": {NAME: {"surface": key, "spinning": False, "standing": False, "centre": [0.0, 0.0, 0.0]}},
        "tracks": [{"label": "", "first": 0.0, "samples": 1}], "bodies": [NAME], "valid": {},
        "parts": {"boxes": {}, "poses": {}, "elements": [], "wheelsets": [NAME]},
    }  # fmt: skip
    run |= {part: [] for part in ("hot", "notes", "wheels", "colours", "extremes", "control", "motions")}
    run["found"] = {"marks": marks, "audit": list(found.audit), "mode": found.mode}
    run["found"]["classes"] = [{"name": name, "colour": colour} for name, colour in found.classes]
    head = {"runs": [run], "surfaces": {key: known}, "bodies": {}, "title": found.title, "source": ""}
    return write_page(head, packer, path)
