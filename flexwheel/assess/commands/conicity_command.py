"""flexwheel conicity DELTA_R.csv: equivalent conicity of a rolling-radius difference after EN 15302."""

from typing import Annotated

import typer

from flexwheel.assess.commands import contact_options
from flexwheel.base.command import Command

TOPIC = "contact"
EXAMPLES = ("flexwheel conicity delta_r.csv",)


def command(
    table: Annotated[
        str,
        typer.Argument(
            help="CSV or text file: lateral shift and difference of rolling radii (y_mm, delta_r_mm).",
            metavar="DELTA_R.csv",
        ),
    ],
    *,
    amplitudes_mm: Annotated[
        str, typer.Option("--amplitudes-mm", help="Amplitudes LOW:HIGH:STEP, or one.")
    ] = "1:7.5:0.1",
    case: Annotated[
        str | None, typer.Option("--case", help="Value of the column `case`, if the file has several tables.")
    ] = None,
    contact_distance_mm: Annotated[
        float, typer.Option("--contact-distance-mm", help="Distance of the contact points, for the wavelength only.")
    ] = 1500.0,
    radius_mm: Annotated[
        float, typer.Option("--radius-mm", help="Nominal rolling radius, for the wavelength only.")
    ] = 460.0,
    out: Annotated[str | None, typer.Option("--out", help="Draw delta r and conicity into this folder.")] = None,
    printed: contact_options.Printed,
):
    """Equivalent conicity against amplitude after EN 15302: integration of the equation of motion, linear regression
    and harmonic linearisation.

    JSON keys (docs/contact.md): table, points, y_range_m, amplitude_m, conicity (integration), conicity_regression,
    conicity_harmonic, turning_points_m, beyond_table, wavelength_m, conicity_3mm; null where there is no oscillation.
    """
    printed.write(conicity_of_file(table, amplitudes_mm, case, contact_distance_mm, radius_mm, out), _text)


def conicity_of_file(path, amplitudes_mm, case=None, contact_distance_mm=1500.0, radius_mm=460.0, out=None):
    """What the command prints, as plain values in SI."""
    from flexwheel.assess.commands.contact_geometry import conicity_keys
    from flexwheel.assess.conicity import equivalent_conicity
    from flexwheel.assess.delta_r_file import read_delta_r
    from flexwheel.base.errors import ScenarioError

    for name, value in (("--contact-distance-mm", contact_distance_mm), ("--radius-mm", radius_mm)):
        if not 10.0 <= value <= 5000.0:
            raise ScenarioError(f"{name} must be 10 to 5000 mm, got {value:g}")
    table = read_delta_r(path, case)
    result = equivalent_conicity(table, 1e-3 * contact_options.values_of("--amplitudes-mm", amplitudes_mm))
    at_3mm = equivalent_conicity(table, [3e-3])
    pictures = []
    if out is not None:
        from flexwheel.assess.figures.contact_geometry_figures import conicity_figure
        from flexwheel.assess.figures.style import save_figure
        from flexwheel.base.output_files import output_folder

        folder = output_folder(out)
        pictures.append(str(save_figure(conicity_figure(table, result), folder / "conicity.png")))
    return {
        "table": str(path),
        "case": case,
        "points": int(table.y.size),
        "y_range_m": [float(table.y[0]), float(table.y[-1])],
        **conicity_keys(result),
        "wavelength_m": result.wavelength(1e-3 * contact_distance_mm, 1e-3 * radius_mm),
        "conicity_3mm": at_3mm.integration[0],
        "pictures": pictures,
    }


def _text(result):
    import numpy as np

    lines = [
        f"{result['table']}: {result['points']} points, y {1e3 * result['y_range_m'][0]:g} to "
        f"{1e3 * result['y_range_m'][1]:g} mm",
        "amplitude [mm]  integration  regression   harmonic   turning points [mm]",
    ]
    for k, amplitude in enumerate(result["amplitude_m"]):
        low, high = result["turning_points_m"][k]
        values = [result[name][k] for name in ("conicity", "conicity_regression", "conicity_harmonic")]
        texts = [f"{value:11.4f}" if np.isfinite(value) else "          -" for value in values]
        place = f"{1e3 * low:8.3f} {1e3 * high:8.3f}" if np.isfinite(low) else "no such oscillation"
        note = "  beyond the table" if result["beyond_table"][k] else ""
        lines.append(f"{1e3 * amplitude:14.3f}  {texts[0]} {texts[1]} {texts[2]}   {place}{note}")
    value = result["conicity_3mm"]
    lines.append(f"at 3 mm: {value:.4f}" if np.isfinite(value) else "at 3 mm: no oscillation of this amplitude")
    return "\n".join([*lines, *result["pictures"]])


COMMAND = Command("conicity", command, TOPIC, EXAMPLES)
