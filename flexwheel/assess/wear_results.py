"""What a computation of wear leaves: one netCDF file, lines, plain values, pictures."""

from contextlib import suppress

import numpy as np
import xarray as xr

from flexwheel.assess.figures.style import footer_of, save_figure
from flexwheel.assess.figures.wear_figures import circumference_figure, growth_figure, profile_figure
from flexwheel.assess.wear.worn_wheel import lateral_places, order_growth, orders_of
from flexwheel.assess.wear_of_runs import MIDDLES, beside
from flexwheel.base.output_files import file_stem, write_whole
from flexwheel.base.variables import SIDES
from flexwheel.results.files import write_results
from flexwheel.run.keys.toml_text import scenario_toml

WEAR_NAME = "wear.nc"
PRINTED = 5  # orders that grow most


def wear_dataset(batches, states, settings, title):
    """Dataset of `wear_batches`: rates of each batch, wheels before each and after the last.

    Dimensions: batch, state (one more), wheel, lateral, angle, order.
    """
    wheels = list(states)
    orders = np.arange(1, settings.highest_order + 1)
    every = [*(batch.before for batch in batches), states]
    lateral = lateral_places()

    def of_states(value):
        return np.array([[value(state[name]) for name in wheels] for state in every])

    def of_batches(value):
        return np.array([[value(batch.losses[name]) for name in wheels] for batch in batches])

    def height(state):
        profile = state.profile
        return np.interp(lateral, profile.y, profile.height, left=np.nan, right=np.nan)

    amplitude = of_states(lambda state: orders_of(state.own + state.around)[orders])
    growth = of_batches(lambda loss: order_growth(loss)[0][orders] if loss.turns else np.full(len(orders), np.nan + 0j))
    error = of_batches(lambda loss: order_growth(loss)[1][orders] if loss.turns else np.full(len(orders), np.nan))
    gone = np.concatenate([[0.0], np.cumsum([batch.distance for batch in batches])])
    state, batch = ("state", "wheel"), ("batch", "wheel")
    variables = {
        "distance": (("state",), gone, "m", "way since the start"),
        "batch_distance": (("batch",), np.diff(gone), "m", "way of the batch"),
        "profile_height": ((*state, "lateral"), of_states(height), "m", "height of the profile, out of the material"),
        "wear_depth": ((*state, "lateral"), of_states(lambda s: s.depth), "m", "lost off the radius, smoothed"),
        "deviation": ((*state, "angle"), of_states(lambda s: s.own + s.around), "m", "deviation of the radius"),
        "order_amplitude": ((*state, "order"), np.abs(amplitude), "m", "amplitude of an order of the deviation"),
        "order_phase": ((*state, "order"), -np.angle(amplitude), "rad", "its phase, lagging"),
        "friction_energy": (batch, of_batches(lambda x: x.energy / x.way), "N", "friction energy by way, T-gamma"),
        "volume_rate": (batch, of_batches(lambda x: x.volume / x.way), "m2", "volume lost by way"),
        "depth_rate": ((*batch, "lateral"), of_batches(lambda x: x.depth_rate), "1", "lost off the radius by way"),
        "band_rate": (batch, of_batches(lambda x: x.band_rate), "1", "lost off the radius of the running band by way"),
        "turns": (batch, of_batches(lambda x: x.turns), "1", "whole turns it was taken over"),
        "order_growth": ((*batch, "order"), np.abs(growth), "1", "growth of an order of the deviation by way"),
        "order_growth_phase": ((*batch, "order"), -np.angle(growth), "rad", "its phase, lagging"),
        "order_growth_error": ((*batch, "order"), error, "1", "its standard error from turn to turn"),
    }
    data = {n: (dims, values, {"units": u, "long_name": text}) for n, (dims, values, u, text) in variables.items()}
    coords = {
        "wheel": wheels, "order": orders, "lateral": ("lateral", lateral, {"units": "m"}),
        "angle": ("angle", MIDDLES, {"units": "rad"}),
    }  # fmt: skip
    attributes = {
        "title": title, "wear_law": settings.law.title, "wear_law_values": list(settings.law.labels),
        "ended_by": [item.limit for item in batches], "smoothing_m": settings.smoothing,
        "distance_asked_m": settings.distance, "most_batches": settings.batches,
        "conventions_of_flexwheel": "wheel profiles in the left-like frame: y to the field side from the tread datum",
    }  # fmt: skip
    return xr.Dataset(data, coords, attributes)


def write_wear(dataset, scenarios, folder):
    """OUT/wear.nc and the scenarios with the worn wheels, each whole or not at all; returns their paths.

    What a longer computation left in OUT goes: batches that no wheel is of any more, scenarios of more pieces.
    """
    files = [write_results(dataset, folder / WEAR_NAME)]
    for k, scenario in enumerate(scenarios, 1):
        files.append(folder / f"worn_{k}.toml")
        text = scenario_toml(beside(scenario, folder.resolve()))
        write_whole(files[-1], lambda part, text=text: part.write_text(text, encoding="utf-8"))
    sections = [part for s in scenarios for part in (*s.contact.wheels.values(), *s.roundness.values())]
    named = {str(part.profile if hasattr(part, "profile") else part.file) for part in sections}
    for file in (*folder.glob("batch_*/*.csv"), *folder.glob("worn_*.toml")):
        of_batch = file.suffix == ".csv"
        number = (file.parent.name if of_batch else file.stem).rpartition("_")[2]
        last = dataset.sizes["batch"] if of_batch else len(scenarios)
        if number.isdecimal() and int(number) > last and str(file.resolve()) not in named:
            file.unlink()
            if of_batch:
                with suppress(OSError):  # another file is there
                    file.parent.rmdir()
    return files


def wear_lines(dataset):
    """What is printed."""
    values = dataset.attrs["wear_law_values"]
    doubts = [text for text in values if text.endswith("(assumed)")]
    lines = [f"wear law: {dataset.wear_law}; {len(doubts)} values assumed"]
    lines += [f"  {text}" for text in doubts]
    distance = dataset.distance.values
    for k in range(dataset.sizes["batch"]):
        part = dataset.isel(batch=k)
        ended = dataset.attrs["ended_by"][k]
        lines.append(f"batch {k + 1}: {distance[k] / 1e3:.6g} to {distance[k + 1] / 1e3:.6g} km, ended by {ended}")
        lines.append(
            f"{'wheel':>16}{'T-gamma [N]':>14}{'mm3/km':>12}{'mm/1000 km':>12}{'turns':>7}  orders that grow most"
        )
        for name in dataset.wheel.values:
            w = part.sel(wheel=name)
            depth = 1e9 * np.nanmax(w.depth_rate.values)
            lines.append(
                f"{name:>16}{float(w.friction_energy):14.4g}{1e12 * float(w.volume_rate):12.4g}{depth:12.4g}"
                f"{int(w.turns):7d}  {_orders(w)}"
            )
    last = dataset.isel(state=-1)
    lines += _short_of(dataset)
    lines.append(f"after {distance[-1] / 1e3:.6g} km: deepest wear [mm], largest change of an order's amplitude [um]")
    for name in dataset.wheel.values:
        w = last.sel(wheel=name)
        change = np.abs(w.order_amplitude.values - dataset.isel(state=0).sel(wheel=name).order_amplitude.values)
        n = int(np.argmax(change))
        lines.append(f"{name:>16}{1e3 * float(w.wear_depth.max()):10.4f}{1e6 * change[n]:10.3f} (order {n + 1})")
    return lines


def _short_of(dataset):
    """A line where the batches end before the way asked for, with what ends them."""
    gone, asked = float(dataset.distance.values[-1]), float(dataset.attrs["distance_asked_m"])
    if gone >= asked * (1.0 - 1e-9):
        return []
    most = int(dataset.attrs["most_batches"])
    why = "results of a run give one batch; give its scenario, which is run again with the worn wheels"
    if dataset.sizes["batch"] >= most:
        why = f"--batches {most} ends it"
    return [f"warning: {gone / 1e3:.6g} of {asked / 1e3:.6g} km: {why}"]


def _orders(w):
    """Orders that grow most, um/1000 km, with their standard errors."""
    growth, error = w.order_growth.values, w.order_growth_error.values
    if not np.any(np.isfinite(growth)):
        return "no whole turn"
    words = []
    for n in np.argsort(growth)[::-1][:PRINTED]:
        sure = f" +- {1e12 * error[n]:.2g}" if np.isfinite(error[n]) else ""
        words.append(f"{n + 1}: {1e12 * growth[n]:.3g}{sure}")
    return "; ".join(words) + " um/1000 km"


def wear_values(dataset, files):
    """Plain values for JSON, SI units."""

    def plain(name, **at):
        values = np.asarray(dataset[name].sel(**at).values, float)
        return [None if not np.isfinite(x) else float(x) for x in values.ravel()]

    return {
        "wear_law": dataset.attrs["wear_law"], "wear_law_values": list(dataset.attrs["wear_law_values"]),
        "distance_m": plain("distance"), "distance_asked_m": float(dataset.attrs["distance_asked_m"]),
        "ended_by": list(dataset.attrs["ended_by"]),
        "wheels": {
            str(name): {
                key: plain(variable, wheel=name)
                for key, variable in (
                    ("friction_energy_n", "friction_energy"), ("volume_rate_m2", "volume_rate"),
                    ("band_rate", "band_rate"), ("turns", "turns"))
            } | {
                "deepest_m": [float(x) for x in dataset.wear_depth.sel(wheel=name).max("lateral").values],
                "order_amplitude_m": dataset.order_amplitude.sel(wheel=name).values.tolist(),
            }
            for name in dataset.wheel.values
        },
        "files": [str(file) for file in files],
    }  # fmt: skip


def draw_wear(dataset, folder, head):
    """Pictures of every wheelset into a folder; returns their paths."""
    made = []
    for wheelset in dict.fromkeys(str(name).rpartition(" ")[0] for name in dataset.wheel.values):
        wheels = [dataset.sel(wheel=f"{wheelset} {side}") for side in SIDES]
        title = f"wheelset {wheelset}, {dataset.attrs['wear_law']}\n{head}"
        figures = {"profile": profile_figure(wheels, title)}
        if all(np.any(part.turns.values) for part in wheels):
            figures["circumference"] = circumference_figure(wheels, title)
            figures["orders"] = growth_figure(wheels, title)
        stem = file_stem(wheelset)
        footer = footer_of(dataset.attrs)
        made += [save_figure(figure, folder / f"{kind}_{stem}.png", footer=footer) for kind, figure in figures.items()]
    return made
