"""flexwheel modes MESH: natural frequencies of a mesh, free or clamped."""

import time
from typing import Annotated

import typer

from flexwheel.assess.commands import mesh_options
from flexwheel.base.command import Command

TOPIC = "mesh"
RARE = ("--fit", "--shape-at")
EXAMPLES = ("flexwheel modes meshes/wheelset_coarse.inp --count 12",)


def command(
    mesh: mesh_options.MeshPath,
    *,
    count: Annotated[int, typer.Option("--count", "-n", help="Number of modes, rigid ones included.")] = 20,
    clamp: mesh_options.Clamps = None,
    options: mesh_options.MeshOptions,
    mass: mesh_options.MassMatrix = "consistent",
    ignore: mesh_options.Ignore = None,
    shapes: Annotated[
        list[int] | None,
        typer.Option("--shape-at", help="Node id at which JSON also gives the mode shapes; may be repeated."),
    ] = None,
    printed: mesh_options.MeshPrinted,
):
    """Natural frequencies of a mesh.

    JSON keys: mesh, nodes, elements, unknowns, mass_kg, clamped_nodes (ids), frequencies_hz, shapes ({node id:
    [[x, y, z] per mode]}, mass-normalised [kg^-0.5]), audit, seconds.
    """
    started = time.perf_counter()
    result = natural_frequencies(mesh, options, count, clamp or [], mass, shapes or [], ignore or ())
    result["seconds"] = round(time.perf_counter() - started, 3)
    printed.write(result, _table)


def natural_frequencies(path, options, count, clamp, mass, shape_at, ignore=()):
    """What the command prints, as plain values in SI."""
    import numpy as np

    from flexwheel.assess.node_selection import clamped_dofs
    from flexwheel.base.errors import MeshError
    from flexwheel.body.assembly import assemble
    from flexwheel.body.eigen import natural_modes
    from flexwheel.body.mesh_properties import mass_properties
    from flexwheel.body.ties import free_coordinates, held_columns, held_together
    from flexwheel.run.progress import progress

    if count < 1:
        raise MeshError(f"--count must be at least 1, got {count}")
    with progress("modes") as report:
        mesh, audit = options.load(path, ignore)
        row_of = {int(node): row for row, node in enumerate(mesh.node_ids)}
        for node in shape_at:
            if node not in row_of:
                raise MeshError(f"--shape-at {node}: the mesh has no such node (ids {min(row_of)}..{max(row_of)})")
        report(0.2, "assembling")
        stiffness, mass_matrix = assemble(mesh, options.formulation(mass))
        fixed, recover = clamped_dofs(mesh, clamp) if clamp else None, free_coordinates(mesh)
        columns = None if fixed is None else held_columns(mesh, recover, fixed)[0]
        report(0.4, "solving")
        matrices = (held_together(recover, a) for a in (stiffness, mass_matrix))
        frequency, shape = natural_modes(*matrices, count, columns)
        shape = shape if recover is None else recover @ shape
    held = [] if fixed is None else mesh.node_ids[np.unique(np.asarray(fixed) // 3)].tolist()
    return {
        "mesh": str(path),
        "nodes": len(mesh.nodes),
        "elements": mesh.element_count,
        "unknowns": (mesh.dof_count if recover is None else recover.shape[1]) - len(() if fixed is None else columns),
        "mass_kg": mass_properties(mesh).mass,
        "clamped_nodes": held,
        "frequencies_hz": frequency.tolist(),
        "shapes": {str(n): shape[3 * row_of[n] : 3 * row_of[n] + 3].T.tolist() for n in shape_at},
        "audit": list(audit),
    }


def _table(result):
    lines = [*result["audit"], ""]
    lines.append(f"mass {result['mass_kg']:.6g} kg, {result['unknowns']} unknowns, "
                 f"{len(result['clamped_nodes'])} nodes clamped")  # fmt: skip
    lines += [f"{k:4d}  {f:12.4f} Hz" for k, f in enumerate(result["frequencies_hz"], start=1)]
    return "\n".join(lines)


COMMAND = Command("modes", command, TOPIC, EXAMPLES, RARE)
