"""flexwheel static MESH: displacement and stress of a clamped mesh under nodal forces."""

import time
from typing import Annotated

import typer

from flexwheel.assess.commands import mesh_options
from flexwheel.base.command import Command

TOPIC = "mesh"
RARE = ("--youngs-modulus-pa", "--poissons-ratio", "--density-kg-m3", "--element")
EXAMPLES = ("flexwheel static meshes/wheelset_coarse.inp --clamp AXLE_BOX_LEFT --load 1:z:1000",)


def command(
    mesh: mesh_options.MeshPath,
    *,
    clamp: mesh_options.Clamps = None,
    load: Annotated[
        list[str] | None,
        typer.Option("--load", help="Force NODE:AXIS:NEWTON, axis x, y or z; may be repeated."),
    ] = None,
    node: Annotated[
        list[int] | None, typer.Option("--node", help="Node id to print; may be repeated. Default: all nodes.")
    ] = None,
    options: mesh_options.MeshOptions,
    ignore: mesh_options.Ignore = None,
    printed: mesh_options.MeshPrinted,
):
    """Static displacement and stress of a clamped mesh.

    JSON keys: mesh, nodes, elements, clamped_nodes (ids), loads ([{node, axis, force_n}]), node_ids,
    displacements_m ([x, y, z] each), stresses_pa ([xx, yy, zz, xy, yz, zx] each, averaged at the node; null on beams),
    von_mises_pa, stress_errors_pa (von Mises of the estimated error of each), corners ([{node, degrees}] without a
    radius), reactions_n (sum over the clamped nodes, [x, y, z]), strain_energy_j, press_fits ([{pair,
    interference_mm, pressure_pa, the mean over its area}]), audit, seconds. Stress of press fits comes on top of that
    under the loads; displacements are those under the loads, without loads those of the fits.
    """
    started = time.perf_counter()
    result = static_analysis(mesh, options, clamp or [], load or [], node or [], ignore or ())
    result["seconds"] = round(time.perf_counter() - started, 3)
    printed.write(result, lambda result: _table(result, bool(node)), indent=None)


def parse_load(text):
    """(node id, axis 0-2, newton) of NODE:AXIS:NEWTON."""
    import math

    from flexwheel.base.errors import ScenarioError

    try:
        node, axis, force = text.split(":")
        node, axis, force = int(node), ("x", "y", "z").index(axis.strip().lower()), float(force)
        if not math.isfinite(force):
            raise ValueError
    except ValueError:
        raise ScenarioError(f"--load must be NODE:AXIS:NEWTON, e.g. 1203:z:-1000, got {text}") from None
    return node, axis, force


def static_analysis(path, options, clamp, loads, chosen, ignore=()):
    """What the command prints, as plain values in SI."""
    import numpy as np

    from flexwheel.assess.node_selection import clamped_dofs
    from flexwheel.base.errors import ScenarioError
    from flexwheel.body.assembly import assemble
    from flexwheel.body.free_surface import free_surface
    from flexwheel.body.press_fit import PressFit, press_fits
    from flexwheel.body.statics import load_vector, static_solution
    from flexwheel.body.stress import von_mises
    from flexwheel.body.stress_error import stress_and_error
    from flexwheel.run.progress import progress

    fits = [PressFit(pair, 1e-3 * size) for pair, size in options.fits()]
    if not clamp and (loads or not fits):
        raise ScenarioError("static: nothing is held; give --clamp AXIS=VALUE or a node set")
    if not loads and (clamp or not fits):
        raise ScenarioError("static: no load; give --load NODE:AXIS:NEWTON")
    forces = [parse_load(text) for text in loads]
    formulation = options.formulation()
    with progress("static") as report:
        mesh, audit = options.load(path, ignore)
        rows = _rows(mesh, chosen)
        report(0.2, "assembling")
        stiffness, _ = assemble(mesh, formulation)
        fixed = clamped_dofs(mesh, clamp) if loads else np.zeros(0, dtype=int)
        vector = load_vector(mesh, forces)
        report(0.4, "solving")
        fitted = press_fits(mesh, stiffness, fits) if fits else None
        displacement = static_solution(mesh, stiffness, fixed, vector) if loads else fitted.displacement.ravel()
        report(0.8, "recovering stress")
        free = free_surface(mesh, np.union1d(fixed // 3, np.flatnonzero(vector) // 3))
        total = displacement + fitted.displacement.ravel() if fits and loads else displacement
        stress, error = (part[..., 0] for part in stress_and_error(mesh, total[:, None], formulation, free))
        audit = [*audit, *(fitted.said() if fits else ())]
    held = _held_forces(mesh, fixed, stiffness @ displacement - vector)
    return {
        "mesh": str(path),
        "nodes": len(mesh.nodes),
        "elements": mesh.element_count,
        "clamped_nodes": mesh.node_ids[np.unique(np.asarray(fixed) // 3)].tolist(),
        "loads": [{"node": n, "axis": "xyz"[a], "force_n": f} for n, a, f in forces],
        "node_ids": mesh.node_ids[rows].tolist(),
        "displacements_m": displacement.reshape(-1, 3)[rows].tolist(),
        "stresses_pa": _known(stress[rows]),
        "von_mises_pa": _known(von_mises(stress[rows])),
        "stress_errors_pa": _known(von_mises(error[rows])),
        "corners": [
            {"node": int(mesh.node_ids[row]), "degrees": float(np.degrees(turn))}
            for row, turn in zip(free.corners, free.turn, strict=True)
        ],
        "reactions_n": [float(held[fixed % 3 == a].sum()) for a in range(3)],
        "strain_energy_j": float(0.5 * vector @ displacement),
        "press_fits": [
            {"pair": f.pair, "interference_mm": 1e3 * f.interference, "pressure_pa": float(fitted.mean[f.pair])}
            for f in fits
        ],
        "audit": list(audit),
    }


def _held_forces(mesh, fixed, residual):
    """Forces [N] on the displacements held, those among them that followers hand on; residual (3 N,) of all nodes."""
    from scipy.sparse.linalg import lsqr

    from flexwheel.body.ties import free_coordinates, held_columns

    recover = free_coordinates(mesh)
    columns, rows = held_columns(mesh, recover, fixed)
    return residual[fixed] if recover is None else lsqr(rows.T, (recover.T @ residual)[columns], 0.0, 1e-14, 1e-14)[0]


def _known(values):
    """Plain values, None where there is none, at nodes of beams alone."""
    import numpy as np

    return np.where(np.isfinite(values), values, None).tolist()


def _rows(mesh, chosen):
    """Rows of the nodes to print: those of the ids chosen, else all."""
    import numpy as np

    from flexwheel.base.errors import MeshError

    if not chosen:
        return np.arange(len(mesh.nodes))
    row_of = {int(node): row for row, node in enumerate(mesh.node_ids)}
    missing = [node for node in chosen if node not in row_of]
    if missing:
        raise MeshError(f"--node {missing[0]}: the mesh has no such node (ids {min(row_of)}..{max(row_of)})")
    return np.array([row_of[node] for node in chosen])


def _table(result, chosen):
    reactions = ", ".join(f"{axis} {force:.6g} N" for axis, force in zip("xyz", result["reactions_n"], strict=True))
    lines = [*result["audit"], "", f"{len(result['clamped_nodes'])} nodes clamped; reactions {reactions}"]
    from flexwheel.body.reduced_body import MARKED

    names = ("node_ids", "displacements_m", "von_mises_pa", "stress_errors_pa")
    rows = list(zip(*(result[name] for name in names), strict=True))
    corners = {corner["node"] for corner in result["corners"]}
    if corners:
        lines.append(f"{len(corners)} nodes on corners without a radius, where stress has no limit")
    if not chosen:
        rows = sorted(rows, key=lambda row: -sum(c * c for c in row[1]))[:20]
        lines.append("20 nodes that move most (--node ID for others, --json for all):")
    lines.append(f"{'node':>9} {'ux [m]':>14} {'uy [m]':>14} {'uz [m]':>14} {'von Mises [Pa]':>15} {'mesh error':>11}")
    for n, u, v, e in rows:
        v, e = (float("nan"), float("nan")) if v is None else (v, e)
        part = "corner !" if n in corners else f"{e:.2e}{' !' if e > MARKED * v else ''}"
        lines.append(f"{n:9d} {u[0]:14.6e} {u[1]:14.6e} {u[2]:14.6e} {v:15.6e} {part:>11}")
    return "\n".join(lines)


COMMAND = Command("static", command, TOPIC, EXAMPLES, RARE)
