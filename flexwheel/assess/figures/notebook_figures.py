"""Drawings of a vehicle and of a mesh for a notebook."""

import numpy as np
from matplotlib.patches import Circle, Rectangle

from flexwheel.assess.figures.style import COLOURS, label, new_figure, shade_beyond
from flexwheel.results.evaluate.valid_band import bound_of

OVERHANG, DEPTH = 0.15, 0.5  # of a body's length beyond its wheelsets; of twice its centre's height
LEAST = 1.0  # [m] that a body reaches beyond a single wheelset


def vehicle_figure(vehicle):
    """Side view of a VehicleFile: wheels to scale, bodies as long as the wheelsets they stand on, centres of mass."""
    figure, (axis,) = new_figure(1, vehicle.name, height=3.4)
    radius = vehicle.wheel["radius_m"]
    places = {name: float(np.ravel(part["position_m"])[0]) for name, part in vehicle.wheelsets.items()}
    frames = {part.get("frame") for part in vehicle.wheelsets.values()} - {None}
    for name, x in places.items():
        axis.add_patch(Circle((x, radius), radius, fill=False, color="black"))
        axis.annotate(name, (x, 0.0), xytext=(0, -10), textcoords="offset points", ha="center", fontsize=8)
    for k, (name, body) in enumerate(vehicle.bodies.items()):
        own = [x for wheelset, x in places.items() if vehicle.wheelsets[wheelset].get("frame") == name]
        own = own or list(places.values())
        reach = max(OVERHANG * np.ptp(own), LEAST)
        x, z = float(body["position_m"][0]), float(body["position_m"][2])
        height = 0.3 if name in frames else 2.0 * DEPTH * max(z - radius, 0.3)
        low, colour = min(own) - reach, COLOURS[k % len(COLOURS)]
        axis.add_patch(Rectangle((low, z - 0.5 * height), np.ptp(own) + 2.0 * reach, height, color=colour, alpha=0.25))
        axis.plot(x, z, "+", color=colour, markersize=9)
        axis.annotate(name, (x, z), xytext=(5, 4), textcoords="offset points", fontsize=8, color=colour)
    axis.axhline(0.0, color="0.4", linewidth=1.5)
    axis.set_aspect("equal", adjustable="datalim")
    axis.autoscale_view()
    label(axis, "x, running to the right [m]; bodies are schematic, + centres of mass", "height [m]", legend=False)
    return figure


def wheelset_figure(nodes, title=""):
    """Half-section of a mesh (N, 3) [m] whose axle is y: every node at its distance from the axle."""
    figure, (axis,) = new_figure(1, title, height=4.0)
    half = np.unique(np.round(np.stack([nodes[:, 1], np.hypot(nodes[:, 0], nodes[:, 2])], axis=1), 4), axis=0)
    axis.plot(*half.T, ".", color="0.35", markersize=1.5)
    axis.axhline(0.0, color="black", linewidth=0.6, linestyle="-.")
    axis.set_aspect("equal", adjustable="datalim")
    label(axis, "y along the axle, left positive [m]", "radius [m]", legend=False)
    return figure


def band_figure(bands, title=""):
    """Third octaves: a DataArray (band, ..), a curve for each of its labels."""
    figure, (axis,) = new_figure(1, title or f"{bands.name}, third octaves after settling")
    rest = [dim for dim in bands.dims if dim != "band"]
    stacked = bands.stack(curve=rest).transpose("band", "curve") if rest else bands.expand_dims("curve", 1)
    names = stacked.curve.values.tolist() if rest else [()]
    for k, name in enumerate(names):
        colour = COLOURS[k % len(COLOURS)]
        text = ", ".join(map(str, name)) or None
        line = "o" + ("-", "--", ":", "-.")[k // len(COLOURS) % 4]
        axis.loglog(bands.band.values, stacked.values[:, k], line, color=colour, markersize=3, label=text)
    shade_beyond(axis, bound_of(bands))
    label(axis, "mid-band frequency [Hz]", f"rms per third octave [{bands.attrs.get('units', '1')}]")
    return figure
