"""Nominal stress of an axle's sections after EN 13103 against finite elements of the whole wheelset under its forces.

    python benchmarks/axle_stress.py meshes/wheelset.inp [--mass-kg 14000] [--height-mm 800]
    python benchmarks/axle_stress.py meshes/wheelset_fillets.inp --place body:480:500 --place fillet:600:655:160:40:185

A --place is a --zone of `flexwheel fatigue`: ZONE:FROM:TO[:DIAMETER[:RADIUS:LARGER]] in mm. It prints the utilisation
(EA1N, `assumed` limits) of the mesh's stress at a point that turns over the elastic factor, which is found under other
forces in the reduced body, and as `en13103` forms it, with their ratio.

Forces of `axle_forces` on journals and treads of a mesh of revolution, which lie in equilibrium; bending stress is half
the difference of the axial stress on top and below. The shipped mesh takes 45 CPU seconds and 2 GB.
"""

import argparse

import numpy as np

from flexwheel.assess.evaluate.axle_standard import (
    AxleLoads,
    axle_forces,
    axle_moments,
    nominal_stress,
)
from flexwheel.assess.evaluate.strength_grades import read_grades, zone_limit
from flexwheel.assess.node_fatigue import NodeHistories, fatigue_of_nodes
from flexwheel.assess.nominal_stress import judged_section, parse_zone, turning_axle
from flexwheel.body.assembly import assemble
from flexwheel.body.control_node import ControlNode
from flexwheel.body.control_rings import section_axes, turned_stress
from flexwheel.body.free_surface import free_surface
from flexwheel.body.interfaces import find_interfaces
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.revolution import detect_revolution
from flexwheel.body.section_outline import section_outline
from flexwheel.body.statics import static_solution
from flexwheel.body.stress_error import stress_and_error
from flexwheel.body.tread import TreadOptions, find_treads, profile_operator


def loads_of(mesh, mass, height):
    """AxleLoads of a wheelset mesh and the nodal forces (N, 3) [N]; journal 1 is the left one."""
    revolution, _ = detect_revolution(mesh)
    treads = find_treads(mesh, revolution, section_outline(mesh, revolution), TreadOptions())
    left, right = find_interfaces(mesh)
    wheels = {tread.side: tread for tread in treads}
    spans = left.centre[1] - right.centre[1], wheels[1].lateral - wheels[-1].lateral
    loads = AxleLoads(mass, height, *spans, treads[0].radius, brake=0.0)
    f, forces = axle_forces(loads), np.zeros((len(mesh.nodes), 3))
    for side, wrench in ((1, (0.0, -f["Y1"], f["Q1"], 0.0, 0.0, 0.0)), (-1, (0.0, f["Y2"], f["Q2"], 0.0, 0.0, 0.0))):
        rows = profile_operator(wheels[side].profile, wheels[side].lateral, wheels[side].radius).reshape(6, -1, 3)
        nodal = np.einsum("k,kpa->pa", np.array(wrench), rows)
        np.add.at(forces, wheels[side].nodes[0], wheels[side].weights[0][:, :, None] * nodal[:, None])
    for journal, wrench in ((left, (0.0, f["H"], -f["P1"])), (right, (0.0, 0.0, -f["P2"]))):
        np.add.at(forces, journal.nodes, (journal.average.T @ [*wrench, 0.0, 0.0, 0.0]).reshape(-1, 3))
    return loads, left.centre[1], forces


def utilisation_of_ring(revolution, stress, orbit, limit):
    """Utilisation by `fatigue_of_nodes` of a ring's point that turns: it meets the stress of all sections."""
    nodes = revolution.ring[:, orbit]
    turned = [turned_stress(section_axes(k * revolution.step).T) @ stress[n] for k, n in enumerate(nodes)]
    once = np.array([*turned, turned[0]])[:, None]
    history = NodeHistories(once, 1.0, np.array([np.nan]), np.zeros(1))
    return fatigue_of_nodes([history], [1.0], [1], [limit])[0]["utilisation"]


def print_places(mesh, stress, loads, journal, places):
    """Utilisations of the zones; of each the ring where the mesh has the largest stress."""
    revolution, _ = detect_revolution(mesh)
    base = mesh.nodes[revolution.ring[0]]
    size, heads = np.hypot(base[:, 0], base[:, 2]), ("zone", "y [mm]", "d [mm]", "K", "factor", "mesh", "en13103")
    print("".join(f"{head:>10}" for head in (*heads, "ratio")))
    for zone in map(parse_zone, places):
        limit = zone_limit(read_grades("assumed"), "EA1N", zone.name)
        inside = np.flatnonzero((base[:, 1] >= zone.first - 1e-6) & (base[:, 1] <= zone.last + 1e-6))
        skin = [k for k in inside if size[k] >= size[np.abs(base[:, 1] - base[k, 1]) < 1e-6].max() - 1e-6]
        found = {k: utilisation_of_ring(revolution, stress, k, limit) for k in skin}
        k = max(found, key=found.get)
        options = ReductionOptions(control=(ControlNode(id=int(mesh.node_ids[revolution.ring[0, k]])),))
        factor = judged_section(turning_axle(mesh, reduce_wheelset(mesh, options, "axle")), 0, zone)[1]
        diameter = 2.0 * size[k] if np.isnan(zone.diameter) else zone.diameter
        moment = float(axle_moments(loads, journal - base[k, 1])["MR"])
        standard = float(limit.utilisation(nominal_stress(moment, diameter, 0.0, zone.concentration)))
        print(f"{zone.name:>10}{1e3 * base[k, 1]:10.1f}{1e3 * diameter:10.1f}{zone.concentration:10.3f}", end="")
        print(f"{factor:10.3f}{found[k] / factor:10.4f}{standard:10.4f}{found[k] / factor / standard:10.3f}")


def main(path, mass, height, places=()):
    """Print the table of sections of the axle's body; returns the largest relative difference."""
    mesh, _ = read_mesh(path)
    loads, journal, forces = loads_of(mesh, mass, height)
    print(f"moment left of all forces: {np.abs(np.cross(mesh.nodes, forces).sum(axis=0)).max():.1e} N m")
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    middle, end = (np.flatnonzero(radius < 1e-9)[order(np.abs(mesh.nodes[radius < 1e-9, 1]))]
                   for order in (np.argmin, np.argmax))  # fmt: skip
    level = np.abs(mesh.nodes[:, 1] - mesh.nodes[middle, 1]) < 1e-6
    beside = np.flatnonzero(level)[np.argmax(mesh.nodes[level, 0])]
    held = [3 * middle, 3 * middle + 1, 3 * middle + 2, 3 * end, 3 * end + 2, 3 * beside + 2]
    moved = static_solution(mesh, assemble(mesh)[0], held, forces.ravel())[:, None]
    loaded = np.flatnonzero(np.abs(forces).max(axis=1))
    stress = stress_and_error(mesh, moved, None, free_surface(mesh, loaded))[0][..., 0]
    worst = 0.0
    print(f"{'y [m]':>9}{'d [mm]':>9}{'Mx [kNm]':>10}{'nominal [MPa]':>15}{'elements':>10}{'ratio':>8}")
    for y in np.unique(np.round(mesh.nodes[:, 1], 6)):
        ring = np.flatnonzero(np.abs(mesh.nodes[:, 1] - y) < 1e-6)
        size = radius[ring].max()
        if abs(y) > 0.4 * loads.tread_span or size > 0.2 * loads.wheel_radius:
            continue
        moment = float(axle_moments(loads, journal - y)["Mx"])
        nominal = float(nominal_stress(moment, 2.0 * size))
        top, bottom = (stress[ring[order(mesh.nodes[ring, 2])], 1] for order in (np.argmax, np.argmin))
        found = 0.5 * float(top - bottom)
        worst = max(worst, abs(found / nominal - 1.0))
        print(f"{y:9.3f}{2e3 * size:9.1f}{moment / 1e3:10.2f}{nominal / 1e6:15.2f}{found / 1e6:10.2f}", end="")
        print(f"{found / nominal:8.3f}")
    print_places(mesh, stress, loads, journal, places)
    return worst


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("mesh")
    options.add_argument("--mass-kg", type=float, default=14000.0)
    options.add_argument("--height-mm", type=float, default=800.0)
    options.add_argument("--place", action="append", default=[])
    given = options.parse_args()
    main(given.mesh, given.mass_kg, 1e-3 * given.height_mm, given.place)
