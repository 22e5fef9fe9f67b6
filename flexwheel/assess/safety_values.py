"""Running safety as plain values for JSON, and its pictures in a folder."""

from dataclasses import asdict

import numpy as np

from flexwheel.assess.figures.safety_figures import zone_figure
from flexwheel.assess.figures.style import save_figure
from flexwheel.base.output_files import file_stem, output_folder


def safety_values(safety):
    """Plain values of a Safety, SI units; what there is not is null."""
    return _plain(
        {
            "title": safety.title, "vehicle": safety.vehicle, "kind": safety.kind, "k1": safety.factor,
            "speed_m_s": safety.speed,
            "statistics": [asdict(s) | {"section": _section(s.section)} for s in safety.statistics],
            "assessments": [
                {
                    "quantity": a.quantity.name, "symbol": a.quantity.symbol, "unit": a.quantity.unit,
                    "group": a.quantity.group, "statistic": a.quantity.statistic, "band_hz": a.quantity.band,
                    "mean_m": a.quantity.mean, "zone": a.zone.name, "item": a.item,
                    "sections": [{"start": p.start, "end": p.end, **_section(p.track)} for p in a.sections],
                    "values": a.values, "maximum": a.maximum,
                    "regression_maximum": a.regression, "limit": a.limit, "within": a.within,
                    "limit_source": a.limit_source, "basis": a.quantity.basis,
                }
                for a in safety.assessments
            ],
            "instability": [asdict(i) for i in safety.instability],
            "flange_climb": [asdict(c) for c in safety.climbs],
            "flange_angle_rad": safety.flange_angle, "friction": safety.friction,
            "wheel_unloading": dict(safety.unloading), "unloading_limit": safety.unloading_limit,
            "ride": [asdict(r) for r in safety.ride],
            "notes": safety.notes,
        }
    )  # fmt: skip


def _section(track):
    curve = {"radius": track.radius, "cant": track.cant} if track.outer else {}
    return {"kind": track.kind, "track_start": track.start, "track_end": track.end, **curve}


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value


def draw_safety(safety, folder, footer=""):
    """Pictures, one a test zone; returns their paths."""
    place, made = output_folder(folder), []
    for name in dict.fromkeys(a.zone.name for a in safety.assessments):
        rows = [a for a in safety.assessments if a.zone.name == name]
        head = f"{safety.title or 'run'} | {safety.vehicle}, {3.6 * safety.speed:g} km/h"
        made.append(save_figure(zone_figure(rows, head), place / f"en14363_{file_stem(name)}.png", footer=footer))
    return made
