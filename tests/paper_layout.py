"""Line of the paper on the AS4 railcar."""

from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Arc, Straight, Transition


def paper_layout(turn="right", radius_m=300.0, cant_mm=0.0, **options):
    """10 m straight, 50 m transition, 200 m curve, 50 m transition, 1000 m straight; options as for
    make_layout.

    Source: Pogorelov et al., flexible wheelset of the AS4 railcar, figure 14 (turn and cant are not given
    there).
    """
    segments = [
        Straight(10.0),
        Transition(50.0),
        Arc(200.0, radius_m, turn, cant_mm),
        Transition(50.0),
        Straight(1000.0),
    ]
    return make_layout(segments, **options)
