"""Motion of the car body and forces of the leading wheelset against time, one quantity a figure.

As figures 8 to 10 of Falomi et al. (contact points of wheel and rail), which show the lateral displacement of the car
body and Q and Y of the left wheel of the first wheelset.
"""

from flexwheel.post.en14363 import safety_quantities
from flexwheel.view.style import COLOURS, envelope, label, mark_left_out, new_figure


def body_lateral_figure(results, body, title=""):
    """Lateral displacement of a body's centre from the centre line of the track [mm]."""
    figure, (axis,) = new_figure(1, title or f"Lateral displacement of the centre of mass: {_words(body)}", height=4.2)
    values = results.body_position.sel(body=body, path="y").values
    axis.plot(*envelope(results.time.values, 1e3 * values), color=COLOURS[0], linewidth=1.2)
    label(axis, "time [s]", "from the centre line, to the left [mm]")
    return figure


def wheel_force_figure(results, wheel, force, title=""):
    """One force (Q or Y) of one wheel against time, as computed and after the 20 Hz filter of EN 14363 [kN]."""
    quantities = safety_quantities(results)
    k = [str(name) for name in results.wheel.values].index(wheel)
    filtered = quantities.vertical if force == "Q" else quantities.lateral
    words = {"Q": "Vertical force Q, downward", "Y": "Lateral force Y, to the field side"}[force]
    figure, (axis,) = new_figure(1, title or f"{words}: {_words(wheel)}", height=4.2)
    values = results.wheel_force.sel(wheel=wheel, force=force).values
    axis.plot(*envelope(quantities.time, values / 1e3), color=COLOURS[0], linewidth=0.5, label="as computed")
    curve = envelope(quantities.time, filtered[:, k] / 1e3)
    axis.plot(*curve, color=COLOURS[1], linewidth=1.4, label="20 Hz")
    mark_left_out(axis, quantities.time, quantities.evaluated)
    label(axis, "time [s]", f"{force} [kN]")
    return figure


def _words(name):
    return str(name).replace("_", " ")
