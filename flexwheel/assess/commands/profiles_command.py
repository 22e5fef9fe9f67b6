"""flexwheel profiles: wheels and rails that are found by name."""

from pathlib import Path
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "contact"
EXAMPLES = ("flexwheel profiles", "flexwheel profiles --out out/profiles")
AMPLITUDE = 3e-3  # [m] of the equivalent conicity, as EN 15302 takes it


def command(
    pairs: Annotated[bool, typer.Option("--pairs", help="Equivalent conicity of every pair, 1:40, 3 mm.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the pictures wheels and rails.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Profiles of the library: name, kind, source and licence of its figures; pictures; conicity of every pair.

    JSON keys: profiles (list of name, kind, source, licence), conicity (list of wheel, rail, equivalent_conicity, null
    where there is none), pictures.
    """
    import json

    from flexwheel.contact.profiles.profile_library import PROFILES

    found = list(PROFILES.values())
    profiles = [{name: getattr(one, name) for name in ("name", "kind", "source", "licence")} for one in found]
    conicities = _conicities(found) if pairs else []
    pictures = _draw(found, out) if out is not None else []
    if as_json:
        print(json.dumps({"profiles": profiles, "conicity": conicities, "pictures": pictures}, indent=1))
        return
    for one in profiles:
        print(f"{one['name'].upper():17s} {one['kind']:6s} {one['source']} ({one['licence']})")
    for pair in conicities:
        value = "none" if pair["equivalent_conicity"] is None else f"{pair['equivalent_conicity']:.3f}"
        print(f"{pair['wheel'].upper():8s} on {pair['rail'].upper():17s} equivalent conicity at 3 mm: {value}")
    print(*pictures, sep="\n", end="\n" if pictures else "")


def _conicities(found):
    """Equivalent conicity of every wheel on every rail leaned 1:40."""
    import numpy as np

    from flexwheel.assess.conicity import DeltaR, equivalent_conicity
    from flexwheel.base.errors import ContactError
    from flexwheel.contact.geometry import WheelPair, contact_geometry
    from flexwheel.contact.profiles.placement import place

    pairs, shifts = [], np.linspace(-5e-3, 5e-3, 51)
    rails = [(one.name, one.make(1 / 40)) for one in found if one.kind == "rail"]
    for wheel in (one for one in found if one.kind == "wheel"):
        section = wheel.make()
        for name, rail in rails:
            pair = WheelPair(section, rail, place(rail))
            try:
                table = DeltaR(shifts, contact_geometry(pair, pair, shifts).delta_r)
                value = float(equivalent_conicity(table, [AMPLITUDE]).integration[0])
            except ContactError:
                value = float("nan")
            pairs.append(
                {"wheel": wheel.name, "rail": name, "equivalent_conicity": value if np.isfinite(value) else None}
            )
    return pairs


def _draw(found, out):
    """Pictures of all wheels and of all rails, upright."""
    from flexwheel.assess.figures.style import label, new_figure, save_figure
    from flexwheel.base.output_files import output_folder

    folder, pictures = output_folder(out), []
    for kind, sign in (("wheel", -1.0), ("rail", 1.0)):
        figure, (axis,) = new_figure(1, f"{kind}s of the library", height=5.0)
        for k, one in enumerate(one for one in found if one.kind == kind):
            profile = one.make()
            axis.plot(
                1e3 * profile.y,
                sign * 1e3 * profile.height,
                linewidth=1.0,
                linestyle=("-", "--", ":", "-.")[k // 10 % 4],
                label=one.name.upper(),
            )
        axis.set_aspect("equal")
        label(axis, "y, field side + [mm]", "z, up [mm]")
        axis.legend(fontsize=7, ncol=2)
        pictures.append(str(save_figure(figure, folder / f"profiles_{kind}s.png")))
    return pictures


COMMAND = Command("profiles", command, TOPIC, EXAMPLES)
