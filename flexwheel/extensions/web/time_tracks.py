"""What moves in a page: samples of a run as rows, whole at most at 1 kHz and half a second at every sample."""

import numpy as np

from flexwheel.base.variables import SIDES
from flexwheel.results.evaluate.control_nodes import standing_loads
from flexwheel.results.evaluate.histories import HISTORY, wheelset_history
from flexwheel.results.evaluate.mode_turning import mode_turning, turned

LONGEST_STEP = 1e-3  # [s] of the whole run
MOST_SAMPLES = 15_000
WINDOW = 0.5  # [s] at every sample
PATCH = (
    "x_contact",
    "y_wheel",
    "normal_force",
    "contact_angle",
    "peak_pressure",
    "half_length",
    "half_width",
    "y_rail",
)
WHEEL = {"wheel_force": 3, "rail_displacement": 3, "rail_roll": 1, "irregularity": 2}


def chosen_rows(time, centre, most=None):
    """(label, rows) of both tracks; of one where the run is stored no finer, or no longer, than they are.

    most : int, optional     samples of a page that is to be small, on one track
    """
    count, step = len(time), float(np.median(np.diff(time))) if len(time) > 1 else 1.0
    every = max(1, round(LONGEST_STEP / step), -(-count // MOST_SAMPLES))
    if most or count * step <= WINDOW or every == 1:
        every = max(1, -(-count // (most or MOST_SAMPLES)))
        return [(whole_words(count, every), np.arange(0, count, every))]
    half = min(int(0.5 * WINDOW / step), MOST_SAMPLES // 2)
    middle = min(max(int(np.searchsorted(time, centre)), half), max(count - half, half))
    window = np.arange(max(0, middle - half), min(count, middle + half))
    return [
        (whole_words(count, every), np.arange(0, count, every)),
        (f"{len(window) * step:.3g} s of all samples", window),
    ]


def whole_words(count, every):
    """What of the samples of a run a page has."""
    return "whole run" if every == 1 else f"whole run, 1 sample in {every} of {count:,}"


def flexible_fields(results, rows, wheelset, body, standing):
    """Modal coordinates (T, H) in the mesh that does not turn (or that the body has), loads (T, K) or None."""
    history = wheelset_history(results.isel(time=rows), wheelset, len(body.frequency_hz))
    coordinates = history.modal_position
    if history.mode == "lagrangian" and np.all(np.asarray(body.order) >= 0):
        coordinates = turned(mode_turning(body.generator), coordinates, history.spin)
    return coordinates, standing_loads(history) if standing else None


def has_modes(results):
    """Whether a run stored what its flexible wheelsets need."""
    return "flexible" in results.coords and all(name in results for name in HISTORY)


def pack_track(packer, name, results, rows, label, fields):
    """Add the samples `rows` to a Packer; fields: wheelset -> (coordinates, loads). Returns what the page must know."""
    step = rows[1] - rows[0] if len(rows) > 1 else 1  # evenly spaced: read by a slice, which files do many times faster
    some = results.isel(time=slice(rows[0], rows[-1] + 1, step)).load()
    packer.add(f"{name}/time", some.time.values - some.time.values[0])
    first = str((results.wheelset if results.sizes["wheelset"] else results.body).values[0])
    lead = some.body_position.sel(body=first, path="s").values
    packer.add(f"{name}/place", lead)
    for body in map(str, results.body.values):
        place, angle = some.body_position.sel(body=body).values.T, some.body_angle.sel(body=body).values.T
        packer.add_rows(f"{name}/body/{body}", [place[0] - lead, *place[1:], *angle[:2]])
        packer.add(f"{name}/spin/{body}", np.remainder(angle[2], 2.0 * np.pi) if abs(angle[2]).max() > 7 else angle[2])
    for wheel in map(str, results.wheel.values):
        own = some.sel(wheel=wheel)
        for variable, count in WHEEL.items():
            if variable in own:
                packer.add_rows(f"{name}/{variable}/{wheel}", own[variable].values.reshape(-1, count).T)
        if all(f"patch_{column}" in own for column in PATCH):
            for p in range(results.sizes["patch"]):
                columns = np.array([own[f"patch_{column}"].values[:, p] for column in PATCH], dtype=float)
                if np.any(columns[2] > 0.0):
                    packer.add_rows(f"{name}/patch/{wheel}/{p}", np.where(columns[2] > 0.0, columns, np.nan))
    for wheelset, (coordinates, loads) in fields.items():
        packer.add_rows(f"{name}/modal/{wheelset}", coordinates.T)
        if loads is not None:
            packer.add_rows(f"{name}/loads/{wheelset}", loads.T)
    return {"label": label, "first": float(some.time[0]), "samples": len(rows)}


def wheels_of(wheelset):
    """Names of the wheels of a wheelset."""
    return [f"{wheelset} {side}" for side in SIDES]
