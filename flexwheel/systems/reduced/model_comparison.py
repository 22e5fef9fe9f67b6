"""Simplified against full model: rms and peak differences per quantity."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.variables import LABELS

POSITIONS = (
    ("lateral displacement", "y", 1e3, "mm"),
    ("yaw", "yaw", 1e3, "mrad"),
    ("roll", "roll", 1e3, "mrad"),
    ("vertical displacement", "z", 1e3, "mm"),
)
FORCES = (
    ("tread normal force", "tread_normal"),
    ("flange normal force", "flange_normal"),
    ("wheel force Q", "vertical_force"),
    ("wheel force Y", "lateral_force"),
    ("longitudinal creep force", "creep_x"),
)
NOTHING = 1e-9
MODELS = ("simplified", "full")


@dataclass(frozen=True)
class Agreement:
    """One quantity over all members of a level; both models."""

    level: str
    quantity: str
    unit: str
    rms_full: float  # of the full model's own values about their start
    peak_full: float
    rms: float  # of the difference
    peak: float

    @property
    def relative(self):
        """rms of the difference over the rms of the full model [-]; nan where that is nothing."""
        return self.rms / self.rms_full if self.rms_full > NOTHING else float("nan")


def levels(results):
    """Bodies of each level: wheelsets, bogie frames, car body (what there is)."""
    wheelsets = [str(w) for w in results.wheelset.values]
    bodies = [str(b) for b in results.body.values if str(b) not in wheelsets]
    bogies = [b for b in bodies if "bogie" in b]
    found = {"wheelset": wheelsets, "bogie": bogies, "body": [b for b in bodies if b not in bogies]}
    return {name: members for name, members in found.items() if members}


def motion(results, coordinate, rate="position"):
    """DataArray (model, time, body) of a coordinate, y, z, roll, yaw or pitch; rate: position or acceleration."""
    if coordinate in LABELS["shift"]:
        return results[rate].sel(shift=coordinate)
    return results[f"angle_{rate}"].sel(turn=coordinate)


def compare_models(results):
    """List of Agreement, of every quantity of the Dataset of reduced_run; empty where the full model was not run."""
    return [_row(*item) for item in compared_histories(results)]


def compared_histories(results):
    """Every quantity of both models: list of (level, quantity, unit, simplified, full), arrays of equal shape."""
    if "full" not in results.model.values:
        return []
    after = results.isel(time=results.time.values > 0.0)
    found = []
    for level, members in levels(results).items():
        for name, coordinate, scale, unit in POSITIONS:
            both = (motion(after, coordinate).sel(model=m, body=members).values * scale for m in MODELS)
            found.append((level, name, unit, *both))
        for coordinate, name in (("y", "lateral acceleration"), ("z", "vertical acceleration")):
            both = (motion(after, coordinate, "acceleration").sel(model=m, body=members).values for m in MODELS)
            found.append((level, name, "m/s2", *both))
    for name, quantity in FORCES:
        both = (after.wheel_force.sel(model=m, quantity=quantity).values * 1e-3 for m in MODELS)
        found.append(("wheel", name, "kN", *both))
    return found


def _row(level, name, unit, first, second):
    difference = first - second
    return Agreement(
        level, name, unit, float(np.sqrt(np.mean(second**2))), float(np.max(np.abs(second))),
        float(np.sqrt(np.mean(difference**2))), float(np.max(np.abs(difference))),
    )  # fmt: skip


def agreement_table(rows):
    """Lines of text."""
    lines = [f"{'level':9s} {'quantity':26s} {'unit':5s} {'full rms':>10s} {'full peak':>10s} {'diff rms':>10s} "
             f"{'diff peak':>10s} {'rms ratio':>10s}"]  # fmt: skip
    for r in rows:
        ratio = f"{100 * r.relative:.1f}%" if np.isfinite(r.relative) else "-"
        lines.append(
            f"{r.level:9s} {r.quantity:26s} {r.unit:5s} {r.rms_full:10.4g} {r.peak_full:10.4g} {r.rms:10.3g} "
            f"{r.peak:10.3g} {ratio:>10s}"
        )
    return lines


def agreement_csv(rows):
    """The same as CSV text."""
    head = "level,quantity,unit,full_rms,full_peak,difference_rms,difference_peak"
    body = [
        f"{r.level},{r.quantity},{r.unit},{r.rms_full:.6g},{r.peak_full:.6g},{r.rms:.6g},{r.peak:.6g}" for r in rows
    ]
    return "\n".join([head, *body]) + "\n"
