"""flexwheel en13979 MESH: stress range of a wheel's web under the load cases of EN 13979-1."""

from typing import Annotated

import typer

from flexwheel.assess.commands import mesh_options
from flexwheel.base.command import Command

TOPIC = "mesh"
EXAMPLES = ("flexwheel en13979 meshes/wheelset.inp --wheel-load-kn 60",)


def command(
    mesh: mesh_options.MeshPath,
    *,
    wheel_load_kn: Annotated[float, typer.Option("--wheel-load-kn", help="Q: static load of the wheel on the rail.")],
    side: Annotated[str, typer.Option("--side", help="Wheel: left or right.")] = "left",
    top: Annotated[int, typer.Option("--top", min=1, max=500, help="Number of rings listed.")] = 10,
    options: mesh_options.MeshOptions,
    ignore: mesh_options.Ignore = None,
    printed: mesh_options.MeshPrinted,
):
    """Static stress of a wheel's web under the load cases of EN 13979-1 (straight, curve, switch), on its mesh.

    JSON keys: source, permissible_pa ({machined, as forged}), wheel_load_n, side, rings ([{y_m, radius_m, range_pa,
    highest_pa, lowest_pa, case, direction, node}], largest range first), audit.
    """
    from flexwheel.assess.wheel_standard import PERMISSIBLE, SOURCE, web_stress_ranges
    from flexwheel.base.errors import ScenarioError
    from flexwheel.run.progress import progress

    if side not in ("left", "right"):
        raise ScenarioError(f"--side must be left or right, got {side}")
    with progress("en13979") as report:
        loaded, audit = options.load(mesh, ignore or ())
        report(0.2, "three load cases")
        rings = web_stress_ranges(loaded, 1 if side == "left" else -1, 1e3 * wheel_load_kn, options.formulation())
    result = {
        "source": SOURCE, "permissible_pa": PERMISSIBLE, "wheel_load_n": 1e3 * wheel_load_kn, "side": side,
        "rings": rings[:top], "audit": list(audit),
    }  # fmt: skip
    printed.write(result, _table, indent=None)


def _table(result):
    limits = ", ".join(f"{name} {value / 1e6:g} MPa" for name, value in result["permissible_pa"].items())
    lines = [*result["audit"], "", result["source"], f"permissible range: {limits}"]
    lines.append(f"{'y [m]':>9} {'r [m]':>8} {'range [MPa]':>12} {'highest':>9} {'lowest':>9} {'node':>8}  case of it")
    for ring in result["rings"]:
        stress = f"{ring['range_pa'] / 1e6:12.2f} {ring['highest_pa'] / 1e6:9.2f} {ring['lowest_pa'] / 1e6:9.2f}"
        lines.append(f"{ring['y_m']:9.4f} {ring['radius_m']:8.4f} {stress} {ring['node']:8d}  {ring['case']}")
    return "\n".join(lines)


COMMAND = Command("en13979", command, TOPIC, EXAMPLES)
