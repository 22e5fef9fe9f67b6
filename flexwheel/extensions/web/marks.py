"""What results say of their own limits, and their extremes, for a page: bands, errors of the mesh, largest forces."""

from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.base.variables import LABELS

BLOCK = 200_000  # samples read at a time
SETTLING = 0.1  # share of a run left out of its extremes
RECOVERED = ("von_mises", "stress", "displacement", "radial_displacement")  # of a control node
TENSOR = [[0, 3, 5], [3, 1, 4], [5, 4, 2]]  # components xx yy zz xy yz zx by axes
PICKED = (("Q", 2, 1), ("Q", 2, -1), ("Y", 1, 1))  # quantity, column of wheel_force, sign of what is sought


def force_extremes(results):
    """Extremes of the wheels' forces over all samples but the first tenth: [{text, time, wheel}]."""
    if "wheel_force" not in results:
        return []
    count = results.sizes["time"]
    best = np.full((results.sizes["wheel"], len(PICKED)), -np.inf)
    row = np.zeros(best.shape, int)
    for start in range(int(SETTLING * count), count, BLOCK):
        block = results.wheel_force.isel(time=slice(start, start + BLOCK)).values
        for p, (_, column, sign) in enumerate(PICKED):
            values = sign * np.nan_to_num(block[:, :, column])
            at = values.argmax(axis=0)
            found = values[at, np.arange(values.shape[1])]
            higher = found > best[:, p]
            best[higher, p], row[higher, p] = found[higher], start + at[higher]
    times = results.time.values
    return [
        {
            "text": f"{wheel}: {'largest' if sign > 0 else 'smallest'} {name} {sign * best[w, p] / 1e3:.1f} kN",
            "time": float(times[row[w, p]]), "wheel": wheel,
        }
        for w, wheel in enumerate(map(str, results.wheel.values)) for p, (name, _, sign) in enumerate(PICKED)
    ]  # fmt: skip


def control_marks(results, near):
    """Control nodes with what does not hold there: [{wheelset, name, node, error, corner, spread, recovered}].

    near : flexible wheelset -> numbers of its nodes near the running surface; recovered: whether the page has the run's
    own values there
    """
    flexible = list(near)
    if "control_node_id" not in results.coords or not flexible:
        return []
    found, kept = [], all(name in results for name in RECOVERED)
    for name in map(str, results.control_node.values):
        own = results.sel(control_node=name)
        wheelset = next((w for w in flexible if name.startswith(f"{w} ")), flexible[0])
        known = {key: float(own[key]) if key in own.coords else 0.0 for key in ("stress_error", "stress_corner")}
        found.append(
            {
                "wheelset": wheelset, "name": name, "node": int(own.control_node_id),
                "error": round(np.nan_to_num(known["stress_error"]), 4),
                "corner": round(float(np.degrees(np.nan_to_num(known["stress_corner"])))),
                "spread": bool(own.load_spread) if "load_spread" in own.coords else False,
                "recovered": kept and int(own.control_node_id) in near[wheelset],
            }
        )  # fmt: skip
    return found


def pack_recovered(packer, name, results, rows, control):
    """Add what the run recovered at control nodes near the running surface, with the field of the contact patches.

    rows : evenly spaced samples; control : of control_marks. Rows: RECOVERED at the fixed point, then at the rotating.
    """
    some = results.isel(time=slice(rows[0], rows[-1] + 1, rows[1] - rows[0] if len(rows) > 1 else 1))
    for mark in (one for one in control if one["recovered"]):
        own = some.sel(control_node=mark["name"])
        main = np.linalg.eigvalsh(own.stress.values[..., TENSOR])
        size = np.linalg.norm(own.displacement, axis=-1)
        found = np.stack([own.von_mises, main[..., 2], main[..., 0], size, own.radial_displacement])
        packer.add_rows(f"{name}/recovered/{mark['wheelset']}/{mark['node']}", np.vstack(found.T[::-1].swapaxes(1, 2)))


def surface_errors(results, wheelset, node_id):
    """(Ns,) estimated relative error of the stress at surface nodes, nan where there is none, as `flexwheel stress` of
    the same run left it in the folder's `stress`; None without its file."""
    source = results.encoding.get("source")
    if not source:
        return None
    for path in sorted((Path(source).parent / "stress").glob("stress*.nc")):
        with xr.open_dataset(path) as found:
            of = (found.attrs.get("wheelset"), found.attrs.get("scenario"))
            if of != (wheelset, results.attrs["scenario"]) or "stress_error" not in found.coords:
                continue
            known = found.stress_error.to_series().set_axis(found.node_id.values)
            return known.reindex(node_id).to_numpy(dtype=float)
    return None


def valid_bands(results):
    """{"node", or wheel and T, Y or Q: [highest frequency at which spectra hold [Hz], what ends them]} of each."""
    found = {}
    if "force_valid_to_hz" in results.coords:
        for wheel in map(str, results.wheel.values):
            own = results.sel(wheel=wheel)
            for letter, force in zip("TYQ", LABELS["force"], strict=True):
                hz, cause = (own[f"force_valid_{key}"].sel(force=force) for key in ("to_hz", "cause"))
                found[f"{wheel} {letter}"] = [float(hz), str(cause.values)]
    if "node_valid_to_hz" in results.coords:
        hz = results.node_valid_to_hz.values.ravel()
        k = int(np.nanargmin(hz)) if np.isfinite(hz).any() else None
        if k is not None:
            found["node"] = [float(hz[k]), str(results.node_valid_cause.values.ravel()[k])]
    return found
