"""Stretches of the alignment that statistics are made over: straights, transitions, arcs, and sections of EN 14363."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.gravity import GRAVITY
from flexwheel.track.layout import STANDARD_BASE, cant_base

FREE = 0.01  # of a section's length by which it may lie outside what is evaluated


@dataclass(frozen=True)
class AssessedSection:
    """One stretch of one kind."""

    kind: str  # straight | transition | arc
    start: float  # [m] arc length
    end: float  # [m]
    radius: float = np.inf  # [m] of an arc, positive to the left; inf elsewhere
    cant: float = 0.0  # [m] of an arc, outer rail over inner one
    base: float = STANDARD_BASE  # [m] over which cant is measured

    @property
    def length(self):
        """[m]"""
        return self.end - self.start

    @property
    def outer(self):
        """Side of the outer rail of an arc: left or right; empty elsewhere."""
        return "" if np.isinf(self.radius) else "right" if self.radius > 0.0 else "left"

    def cant_deficiency(self, speed):
        """Cant deficiency [m] of an arc at a speed [m/s]; 0 elsewhere."""
        return self.base * speed**2 / (GRAVITY * abs(self.radius)) - self.cant

    def words(self):
        """What it is and where, in a few words."""
        arc = f", R = {abs(self.radius):.0f} m to the {'right' if self.outer == 'left' else 'left'}"
        return f"{self.kind}{arc if self.outer else ''}, {self.start:.0f} to {self.end:.0f} m"


def track_sections(scenario):
    """AssessedSections of a scenario's track.layout from s = 0; its gauge gives the base of the cant."""
    base = cant_base(1e-3 * scenario.contact.gauge_mm)
    out, start = [], 0.0
    for segment in scenario.track.layout:
        end = start + segment.length_m
        if segment.kind == "arc":
            out.append(AssessedSection("arc", start, end, segment.radius_m, 1e-3 * (segment.cant_mm or 0.0), base))
        else:
            out.append(AssessedSection(segment.kind, start, end))
        start = end
    return out


@dataclass(frozen=True)
class TestZone:
    """Test zone of EN 14363."""

    name: str
    words: str
    radii: tuple[float, float]  # [m] smallest and largest of its curves; of zone 1: larger ones and straights
    lengths: tuple[tuple[float, float], ...]  # (speed up to which [km/h], length of its sections [m])

    def section_length(self, speed_kmh):
        """[m]"""
        return next(length for speed, length in self.lengths if speed_kmh <= speed)


ZONES = (
    TestZone("1", "straight track and very large radii", (2500.0, np.inf), ((220.0, 250.0), (np.inf, 500.0))),
    TestZone("2", "large radii", (600.0, 2500.0), ((140.0, 100.0), (220.0, 250.0), (np.inf, 500.0))),
    TestZone("3", "small radii, 400 to 600 m", (400.0, 600.0), ((np.inf, 100.0),)),
    TestZone("4", "very small radii, 250 to 400 m", (250.0, 400.0), ((np.inf, 70.0),)),
    TestZone("below", "radii below 250 m", (0.0, 250.0), ((np.inf, 70.0),)),
)
TRANSITIONS = TestZone("transitions", "transition curves, each a section", (0.0, 0.0), ((np.inf, np.inf),))
ZONES_BASIS = (
    "lengths of sections at radii of 600 m and more: gensys.se/doc_html/trc_qnumb_track.html; radii of the zones, "
    "shorter sections and overlap chosen here"
)
OVERLAP = 0.2
"""Share of a section's length by which two may overlap where one more fits so; chosen."""


@dataclass(frozen=True)
class Assessed:
    """A section of a test zone."""

    zone: TestZone
    track: AssessedSection  # the stretch it lies in
    start: float  # [m]
    end: float  # [m]


def assessed_sections(sections, first, last, speed_kmh, overlap=OVERLAP):
    """Sections of EN 14363 within the arc lengths first to last [m], in order.

    Parameters
    ----------
    sections : sequence of TrackSection
    speed_kmh : float
    overlap : float     largest share of a section that it may have in common with its neighbour

    Returns
    -------
    list of Assessed    what is shorter than a section of its zone is left out; a transition is one section
    """
    out = []
    for track in sections:
        start, end = max(track.start, first), min(track.end, last)
        if track.kind == "transition":
            if end - start >= (1.0 - FREE) * track.length:
                out.append(Assessed(TRANSITIONS, track, start, end))
            continue
        zone = next(zone for zone in ZONES if zone.radii[0] <= abs(track.radius))
        out += [Assessed(zone, track, *ends) for ends in _cut(start, end, zone.section_length(speed_kmh), overlap)]
    return out


def _cut(start, end, length, overlap):
    """Ends of sections of equal length in a stretch; one more than fit beside each other where they overlap little."""
    whole = int((end - start) / length * (1.0 + 1e-9))
    if whole < 1:
        return []
    shared = ((whole + 1) * length - (end - start)) / whole
    if shared <= overlap * length:
        pitch = length - shared
        return [(start + k * pitch, start + k * pitch + length) for k in range(whole + 1)]
    return [(start + k * length, start + (k + 1) * length) for k in range(whole)]
