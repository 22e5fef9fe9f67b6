"""Matrices and modes of a reduced wheelset with names of their rows, from its Craig-Bampton form.

Verified in tests/whole/test_notebooks.py: eigenvalues of stiffness and mass are the frequencies of the free body.
"""

from __future__ import annotations

import xarray as xr

from flexwheel.body.superelement import superelement_of
from flexwheel.body.wheelset_places import wheelset_with_places

AXES = ("x", "y", "z", "about x", "about y", "about z")


def wheelset_matrices(body) -> xr.Dataset:
    """stiffness, mass, damping (row, column) of the free wheelset.

    Parameters
    ----------
    body : ReducedBody

    Returns
    -------
    Dataset         rows: journals and wheels with x, y, z [m; forces N] and about x, y, z [rad; moments N m] at the
                    origin of each, then amplitudes [kg1/2 m] of modes of unit mass between held journals and wheels

    Source: Craig, Bampton 1968, AIAA Journal 6(7), 1313-1319.
    """
    found = superelement_of(wheelset_with_places(body))
    places = {node: name for name, node in found.attachments.items()}
    pairs = zip(found.node.tolist(), found.component.tolist(), strict=True)
    names = [f"{places[node]} {AXES[c - 1]}" if c else f"mode {node - len(places)}" for node, c in pairs]
    units = {"stiffness": "N m-1", "mass": "kg", "damping": "N s m-1"}  # of translations
    data = {name: (("row", "column"), getattr(found, name), {"units": unit}) for name, unit in units.items()}
    return xr.Dataset(data, {"row": names, "column": names})


def wheelset_modes(body) -> xr.Dataset:
    """frequency [Hz], order, damping_ratio and shape by mode; see `fw.Wheelset.modes`."""
    placed = wheelset_with_places(body)
    shape = (("place", "axis", "mode"), placed.place_rows, {"units": "kg-1/2", "about": "kg-1/2 m-1"})
    data = {"frequency": ("mode", body.frequency_hz, {"units": "Hz"}), "order": ("mode", body.order)}
    data |= {"damping_ratio": ("mode", body.damping_ratio), "shape": shape}
    return xr.Dataset(data, {"place": list(placed.place_name), "axis": list(AXES)})
