"""Up to which frequency the spectra of a run hold, and what ends them.

Each reason has one function that gives a `Bound`; the lowest of those that concern a quantity is its own. Results
carry it as coordinates beside the quantity (`force_valid_to_hz`, `node_valid_to_hz`, each with its cause), so that
whatever is selected of a force or a control node keeps it.
"""

from typing import NamedTuple

import numpy as np
import xarray as xr

FORCES, NODES = "force", "node"
HIGHEST_HZ = 1250.0
"""Highest third octave of pictures by default: a summary says nothing of a band that reaches it."""
SAMPLES = 0.4
"""Of the sampling rate: above, what lies beyond half of it is folded back, as nothing filters before sampling."""
SHIFT = 0.01
"""Largest shift of a resonance by the time step, of its frequency: a twelfth of a third octave's half width."""
MESH = 0.03
"""Largest estimated error of a natural frequency by the mesh: a quarter of the half width of a third octave."""
BEYOND = 1.5
"""Highest frequency over that of interest up to which modes are needed: truncated modes act with the first three terms
of their series in frequency, what is left of it is BEYOND^-6 = 9 % of a part that is itself a correction."""
BEYOND_STATIC = 3.4
"""The same where they act statically alone (`series_holds`): what is left is BEYOND_STATIC^-2 = 9 %."""


class Bound(NamedTuple):
    """Where a spectrum ends to hold."""

    to_hz: float
    cause: str


def lowest(bounds) -> Bound:
    """That of several bounds which is reached first."""
    return min(bounds, key=lambda bound: bound.to_hz)


def sample_bound(step) -> Bound:
    """Bound by the time between samples [s]."""
    return Bound(SAMPLES / step, f"samples every {1e3 * step:g} ms")


def step_bound(step) -> Bound:
    """Bound by a time step [s] of Newmark's method with beta = 1/4, whose frequencies are (omega step)^2 / 12 low."""
    return Bound(float(np.sqrt(12.0 * SHIFT)) / (2.0 * np.pi * step), f"time step of {1e6 * step:g} us")


def series_holds(body):
    """Whether truncated modes of a ReducedBody act with three terms of their series, or statically alone.

    The n-th term is (f / f_1)^2 of the one before, f_1 the lowest truncated frequency: where that lies within the band
    of the spectra every further term is the larger one, and noise to 4 kHz, which the derivatives of the loads pass,
    would be (4 kHz / f_1)^4 times that of the static term, 1e5 times with modes to 230 Hz.
    """
    return body.complete_hz > HIGHEST_HZ


def basis_bounds(body, residual=True) -> list[Bound]:
    """Bounds by the modes of a ReducedBody; residual: whether truncated modes act statically."""
    if not residual:
        return [Bound(0.0, "truncated modes left out (residual = modal_only)")]
    if not body.complete_hz:
        return [Bound(0.0, "no mode of the basis need be one of the mesh (exact_below_hz = 0)")]
    beyond = BEYOND if series_holds(body) else BEYOND_STATIC
    return [Bound(body.complete_hz / beyond, f"modes complete up to {body.complete_hz:.0f} Hz")]


def mesh_bounds(body) -> list[Bound]:
    """Bounds by the mesh of a ReducedBody: its lowest natural frequency that is out by more than MESH."""
    for hz, error in zip(body.frequency_hz, body.mesh_error, strict=True):
        if error > MESH:
            return [Bound(float(hz), f"mesh: the mode at {hz:.0f} Hz is {100 * error:.1f} % too high by estimate")]
    return []


def coordinates(quantity, bounds, dims) -> dict:
    """Coordinates of a Dataset from nested lists of Bounds over two dimensions; quantity: FORCES or NODES."""
    hz = np.array([[bound.to_hz for bound in row] for row in bounds], dtype=float)
    cause = np.array([[bound.cause for bound in row] for row in bounds], dtype=object)
    words = "spectra hold up to this frequency"
    return {
        f"{quantity}_valid_to_hz": (dims, hz, {"units": "Hz", "long_name": words}),
        f"{quantity}_valid_cause": (dims, cause, {"long_name": "what ends the band in which spectra hold"}),
    }


def with_bands(results, bands):
    """The Dataset with those of the coordinates whose quantity it holds."""
    kept = {name: value for name, value in bands.items() if all(dim in results.coords for dim in value[0])}
    return results.assign_coords(kept)


def bound_of(array) -> Bound | None:
    """Lowest Bound over a DataArray or Dataset that carries one; None where it carries none."""
    found = []
    for quantity in (FORCES, NODES):
        name, cause = f"{quantity}_valid_to_hz", f"{quantity}_valid_cause"
        if name in array.coords and (isinstance(array, xr.Dataset) or set(array[name].dims) <= set(array.dims)):
            values, causes = array[name].values.ravel(), array[cause].values.ravel()
            found += [Bound(float(hz), str(why)) for hz, why in zip(values, causes, strict=True)]
    return lowest(found) if found else None


def lowest_bound(bounds) -> Bound | None:
    """Lowest of several Bounds, of which some may be None; None where all are."""
    found = [bound for bound in bounds if bound is not None]
    return lowest(found) if found else None


def band_lines(results, up_to_hz=np.inf) -> list[str]:
    """Lines that say up to where the spectra of results hold; only what ends below up_to_hz."""
    lines = []
    for quantity in (FORCES, NODES):
        name = f"{quantity}_valid_to_hz"
        if name not in results.coords:
            continue
        groups = {}
        for label in np.ndindex(results[name].shape):
            bound = float(results[name].values[label]), str(results[f"{quantity}_valid_cause"].values[label])
            names = [str(results[dim].values[k]) for dim, k in zip(results[name].dims, label, strict=True)]
            groups.setdefault(bound, []).append(names)
        for (hz, cause), members in sorted(groups.items()):
            if hz < up_to_hz:
                lines.append(f"spectra of {_said(quantity, members, results[name].size)} hold to {hz:.0f} Hz: {cause}")
    return lines


def _said(quantity, members, total):
    """What a group of labels is called."""
    if len(members) == total:
        return "wheel forces" if quantity == FORCES else "all control nodes"
    firsts, seconds = (list(dict.fromkeys(column)) for column in zip(*members, strict=True))
    if len(members) < len(firsts) * len(seconds):
        return ", ".join(" ".join(names) for names in members)
    whole = quantity == FORCES and len(seconds) == 3
    force = "force " if quantity == FORCES else ""
    return f"{'wheel forces' if whole else force + ', '.join(seconds)} of {', '.join(firsts)}"
