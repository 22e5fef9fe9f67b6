"""Results of `flexwheel response`: a Dataset over frequency and third octaves, units and meaning of each variable."""

import numpy as np
import xarray as xr

from flexwheel.base.variables import LABELS, SCHEMA_VERSION, SIDES
from flexwheel.results.dataset import CONVENTIONS, wheel_names
from flexwheel.results.evaluate.valid_band import with_bands

RESPONSE_NAME = "response.nc"
_WHEEL, _NODE = ("wheel", "axis"), ("control_node", "point", "axis")
_BODY, _BODY_STRESS = ("body_point", "axis"), ("body_point", "stress_component")
_STRESS, _MISES = ("control_node", "point", "stress_component"), ("control_node", "point")
_HEAD = ("head", "head_force", "part")
PLACES = ("over a sleeper", "quarter point", "mid-bay")


def _spectrum(name, dims, units, squared, meaning, lines=True):
    """Rows of a density and of its third octaves, with those of its lines."""
    rows = {
        f"{name}_density": (("frequency", *dims), squared, f"{meaning}, one-sided power spectral density"),
        f"{name}_band": (("band", *dims), units, f"{meaning}, rms in third octaves, without lines"),
    }
    if lines:
        words = "rms in third octaves of the steady load's lines alone"
        rows[f"{name}_line_band"] = (("band", *dims), units, f"{meaning}, {words}")
    return rows


VARIABLES = {
    "input_density": (("frequency", "rail"), "m2 Hz-1", "irregularity and roughness of the rails, one-sided density"),
    **_spectrum("contact_force", _WHEEL, "N", "N2 Hz-1", "force of the rail on the wheel, track axes"),
    "force_per_irregularity": (
        ("frequency", "wheel", "axis", "rail", "part"), "N m-1",
        "force on the wheel per irregularity of a rail, phase against the leading wheelset's place, mean along the bay",
    ),
    "wheel_receptance": (
        ("frequency", "wheelset", "side", "axis", "load_side", "load_axis", "part"), "m N-1",
        "displacement of a wheel's profile origin per force on the same or the other wheel, free of contact",
    ),
    "node_receptance": (
        ("frequency", "control_node", "axis", "load_side", "load_axis", "part"), "m N-1",
        "elastic displacement of the fixed point per force on a wheel of its wheelset, free of contact",
    ),
    "rail_receptance_moving": (
        ("frequency", *_HEAD), "m N-1", "head of the rail under a load that moves, mean along the bay; roll in rad, N m"
    ),
    "rail_receptance": (
        ("frequency", "place", *_HEAD), "m N-1", "head of the rail under a load that stands; rad, N m for roll"
    ),
    "track_decay_rate": (("frequency", "direction"), "dB m-1", "decay of the rail's answer from mid-bay, as EN 15461"),
    **_spectrum("displacement", _NODE, "m", "m2 Hz-1", "elastic displacement of the control node, section axes"),
    **_spectrum("acceleration", _NODE, "m s-2", "m2 s-4 Hz-1", "acceleration seen from the wheel, section axes"),
    **_spectrum("stress", _STRESS, "Pa", "Pa2 Hz-1", "stress at the control node, section axes"),
    **_spectrum("von_mises", _MISES, "Pa", "Pa2 Hz-1", "equivalent von Mises stress of the dynamic stress", False),
    **_spectrum("body_point_displacement", _BODY, "m", "m2 Hz-1", "elastic displacement at a flexible body, its axes"),
    **_spectrum("body_point_acceleration", _BODY, "m s-2", "m2 s-4 Hz-1", "acceleration less gravity, body axes"),
    **_spectrum("body_point_stress", _BODY_STRESS, "Pa", "Pa2 Hz-1", "stress at a control node of a flexible body"),
}  # fmt: skip
"""Name -> dimensions, unit, meaning."""


def response_dataset(arrays, labels, attributes):
    """Dataset of `response.respond`."""
    coordinates = {
        "frequency": ("frequency", labels["frequency"], {"units": "Hz", "long_name": "frequency"}),
        "band": ("band", labels["band"], {"units": "Hz", "long_name": "exact mid-band frequency of the third octave"}),
        "wheelset": list(labels["wheelset"]),
        "wheel": wheel_names(labels["wheelset"]),
        "part": ["real", "imaginary"],
        "side": list(SIDES),
        "load_side": list(SIDES),
        "load_axis": list(LABELS["axis"]),
        "place": list(PLACES),
        "direction": ["vertical", "lateral"],
        "head": ["x", "y", "z", "roll"],
        "head_force": ["x", "y", "z", "roll moment"],
        **{name: list(LABELS[name]) for name in ("axis", "stress_component", "point", "rail")},
    }
    for name in ("control_node", "body_point"):
        if labels.get(name):
            coordinates[name] = list(labels[name])
    data = {}
    for name, array in arrays.items():
        dims, units, meaning = VARIABLES[name]
        storage = np.float32 if name.endswith("density") else np.float64
        data[name] = (dims, np.asarray(array).astype(storage), {"units": units, "long_name": meaning})
    used = {dim for dims, *_ in data.values() for dim in dims}
    coordinates = {name: value for name, value in coordinates.items() if name in used}
    words = {"Conventions": CONVENTIONS, "schema_version": SCHEMA_VERSION, "kind": "response"}
    return with_bands(xr.Dataset(data, coordinates, words | attributes), labels.get("bands", {}))
