"""Track models beside exact solutions, a published mobility and a track bed solved in one piece."""

from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.seat_compliance import seat_compliance
from flexwheel.numerics.integration import newmark
from flexwheel.track.flexible_build import make_window
from flexwheel.track.receptance import receptance
from flexwheel.track.track_parameters import Fastener, FlexibleTrack, SupportSpring, flexible_track, rail_section
from flexwheel.verification.benches.static_track import rail_static_compliance
from flexwheel.verification.check_registry import check, distance, exact, other_code, row
from flexwheel.verification.meshes.ballast_bed import BedDimensions, ballast_bed_mesh
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.reference_rows import DATA

NONE = SupportSpring(0.0)


def exact_span(rail, span=0.6):
    """Lowest vertical frequency [Hz] of a simply supported Timoshenko span."""
    k = np.pi / span
    mass, rotary = rail.density * rail.area, rail.density * rail.second_moment_vertical
    bending = rail.youngs_modulus * rail.second_moment_vertical
    shear = rail.shear_factor_vertical * rail.shear_modulus * rail.area
    a, b, c = mass * rotary, -(bending * k**2 * mass + shear * mass + shear * k**2 * rotary), bending * shear * k**4
    return np.sqrt((-b - np.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)) / (2.0 * np.pi)


@check("Pinned-pinned frequency", subject="Track", ground=exact("Timoshenko span; 0.5 % set beforehand"))
def pinned_pinned():
    """Rail held at every seat but free to turn; peak of the midspan receptance with two elements a bay."""
    rows = []
    for name in ("uic60", "r65"):
        rail = rail_section(name)
        exact = exact_span(rail)
        stiff = SupportSpring(1e13)
        fastener = Fastener(stiff, stiff, NONE, SupportSpring(1e12))
        track = FlexibleTrack(replace(rail, loss_factor=1e-5), fastener, None, None)

        def minus(f, track=track):
            return -np.log(abs(receptance(track, 0.3, 0.3, [f], elements=2)[0, 2, 2]))

        grid = np.linspace(0.985 * exact, 1.015 * exact, 61)
        best = grid[np.argmin([minus(f) for f in grid])]
        width = grid[1] - grid[0]
        found = minimize_scalar(minus, bounds=(best - width, best + width), method="bounded", options={"xatol": 1e-3}).x
        rows.append(row(f"{name}, 0.6 m, vertical", found, exact, "Hz", relative=0.005, source="exact Timoshenko span"))
    return rows


@check(
    "Point mobility above a support, one layer", subject="Track",
    ground=other_code("rolland, 241 discrete supports; 1 dB set beforehand"),
)  # fmt: skip
def mobility():
    """Pad 300 MN/m (1 + 0.25 i) on rigid ground, rail loss 0.02; 20-950 and 1250-2000 Hz."""
    pad = SupportSpring(300e6, 0.0, 0.25)
    track = FlexibleTrack(
        rail_section("uic60"), Fastener(pad, pad, NONE, SupportSpring(3e5, 0.0, 0.25)), None, None, 0.6
    )
    frequency, wanted = np.loadtxt(DATA / "mobility_one_layer.csv", delimiter=",", skiprows=3).T
    found = np.abs(receptance(track, 0.0, 0.0, frequency)[:, 2, 2]) * 2.0 * np.pi * frequency
    text = f"largest deviation at {len(frequency)} frequencies"
    return [distance(text, found, wanted, 1.0, "dB", "rolland", lambda a, b: np.abs(20.0 * np.log10(a / b)).max())]


def two_columns(e, h, area):
    """Mesh of a column of height h [m] and square area [m2] under each seat of one bay, E = e [Pa], nu = 0."""
    side = np.sqrt(area)
    box = box_mesh("hex8", (3, 4, 2), (side, side, h), material=Material(e, 0.0, 1800.0, "BED"))
    n = len(box.nodes)
    nodes = np.vstack([box.nodes + [0.0, 0.5, 0.0], box.nodes - [0.0, 0.5 + side, 0.0]])
    block = box.blocks[0]
    block = ElementBlock("hex8", np.vstack([block.connectivity, block.connectivity + n]), np.arange(1, 49))
    sets = {"SEAT_LEFT_1": box.node_sets["Z1"], "SEAT_RIGHT_1": box.node_sets["Z1"] + n}
    return Mesh(nodes, np.arange(1, 2 * n + 1), (block,), box.materials, sets)


@check(
    "Track bed from a mesh", subject="Track",
    ground=other_code("the bed of 15 bays in one piece, and the ring of bays at rest; 1 % and 0.1 % set beforehand"),
)  # fmt: skip
def bed_of_mesh():
    """Seats of a bed: columns in compression; a short stretch repeated; the rail on it, run and ring of bays."""
    e, h, area = 2e8, 0.7, 0.3
    column = seat_compliance(two_columns(e, h, area), 0.6).blocks[0][0, 0]
    ground = exact("a column in compression; rounding of the solve")
    wanted = 1e-6 * e * area / h
    rows = [row("column under a seat", 1e-6 / column, wanted, "MN/m", 1e-9, source="E A / h", ground=ground)]
    short, long = (seat_compliance(ballast_bed_mesh(BedDimensions(bays=bays)), 0.6) for bays in (5, 15))
    for loaded in (1, 5):
        sums = [
            np.sum([s.blocks[len(s.blocks) // 2 + o][:2, :2] for o in range(-(loaded // 2), loaded // 2 + 1)], 0)
            for s in (short, long)
        ]
        settled, wanted = (1e9 * np.sum(total[0]) for total in sums)
        text, source = f"settlement, sleepers loaded: {loaded}", "15 bays in one piece"
        rows.append(row(text, settled, wanted, "nm/N", relative=0.01, source=source))
    track = replace(flexible_track(), bed=short.blocks)
    for place, name in ((0.0, "on a support"), (0.3, "between supports")):
        found = rail_static_compliance(make_window(track, newmark(1e-4)), place)[2, 2]
        ring = receptance(track, place, place, [0.01], elements=2, loss_factors=False)[0, 2, 2].real
        rows.append(
            row(f"rail on the bed, {name}", 1e9 * found, 1e9 * ring, "nm/N", relative=1e-3, source="ring of bays")
        )
    return rows
