"""Sections of the report on the run of a vehicle, as they are declared."""

import numpy as np

from flexwheel.assess.assessment import Assessment
from flexwheel.assess.figures.report_blocks import Table, Text
from flexwheel.assess.report_comparison import FORCES
from flexwheel.assess.report_figures import by_eight, history_plots, safety_tables, spectrum_plots, stress_blocks
from flexwheel.assess.report_vehicle import load_blocks, track_blocks, vehicle_blocks
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.kind import VEHICLE


def _model(run):
    if "flexible" not in run.results.coords:
        return (Text("All wheelsets are rigid: no mesh, no modes."),)
    try:
        wheelsets = run.wheelsets
    except FlexwheelError as error:
        return (Text(f"The mesh is not at hand: {error}"),)
    blocks = []
    for item in wheelsets.values():
        body, hz = item.body, item.body.frequency_hz
        rows = [
            ("nodes, elements", f"{item.nodes}, {item.elements}"), ("mass", f"{body.mass:.2f} kg"),
            ("centre of mass", ", ".join(f"{1e3 * x:.3f}" for x in body.centre) + " mm"),
            ("moments of inertia x, y, z", ", ".join(f"{x:.2f}" for x in np.diag(body.inertia)) + " kg m2"),
            ("flexible modes", f"{len(hz)}, {min(hz):.1f} to {max(hz):.1f} Hz"),
        ]  # fmt: skip
        blocks.append(Table(f"Wheelset {item.name}", ("quantity", "value"), tuple(rows)))
        audit = tuple((str(line).strip(),) for line in (*item.audit, *body.audit))
        blocks.append(Table(f"Audit of mesh and reduction, wheelset {item.name}", ("line",), audit))
        modes = zip(hz, body.order, body.damping_ratio, strict=True)
        rows = [(f"{k + 1}", f"{f:.2f}", f"{n}" if n >= 0 else "-", f"{d:g}") for k, (f, n, d) in enumerate(modes)]
        head = ("mode", "frequency [Hz]", "circumferential order", "damping ratio")
        blocks.append(Table(f"Modes of wheelset {item.name}", head, tuple(rows)))
    return tuple(blocks)


def _safety(run, say):
    plots = [part for plot in history_plots(run)[2:] for part in by_eight(plot)]
    return *plots, *safety_tables(run.safety)


OF_VEHICLE = (VEHICLE,)
VEHICLE_TABLE = Assessment("vehicle", "Vehicle", lambda run, say: vehicle_blocks(run), OF_VEHICLE, place=2)
TRACK = Assessment(
    "track", "Track", lambda run, say: track_blocks(run), OF_VEHICLE, ("wheel_force", "body_position"), place=4
)
LOADS = Assessment("loads", "Loads", lambda run, say: load_blocks(run), OF_VEHICLE, FORCES, place=6)
MODEL = Assessment("model", "Model and modes", lambda run, say: _model(run), OF_VEHICLE, place=10, appendix=True)
SAFETY = Assessment("safety", "Running safety", _safety, OF_VEHICLE, FORCES, place=20)
STRESS = Assessment("stress", "Stress and fatigue", lambda run, say: stress_blocks(run), OF_VEHICLE, FORCES, place=30)
SPECTRA = Assessment("spectra", "Spectra", lambda run, say: spectrum_plots(run), OF_VEHICLE, FORCES, place=40)
