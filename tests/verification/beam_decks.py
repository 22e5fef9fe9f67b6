"""Decks of beams, and what their tests ask of them."""

from flexwheel.assess.node_selection import clamped_dofs
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.statics import load_vector, static_solution
from flexwheel.body.ties import free_coordinates, held_columns, held_together

E, NU, DENSITY = 2.1e11, 0.3, 7850.0

STEEL = "*MATERIAL, NAME=S\n*ELASTIC\n2.1E11, .3\n*DENSITY\n7850.\n"
RECT = "*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION=RECT\n"


def line(points, section, kind="B31", sets="", tail=""):
    """Deck of beams along points, three to a B32."""
    step = 2 if kind.startswith("B32") else 1
    text = ["*NODE", *(f"{k}, {x:.12g}, {y:.12g}, {z:.12g}" for k, (x, y, z) in enumerate(points, 1))]
    text.append(f"*ELEMENT, TYPE={kind}, ELSET=B")
    for number, first in enumerate(range(1, len(points), step), 1):
        text.append(f"{number}, " + ", ".join(str(first + k) for k in range(step + 1)))
    return "\n".join([*text, f"*NSET, NSET=TIP\n{len(points)}\n*NSET, NSET=ROOT\n1\n{sets}" + STEEL + section + tail])


def straight(count, section, length=2.0, **more):
    return line([(length * k / count, 0.0, 0.0) for k in range(count + 1)], section, **more)


def read(tmp_path, text, name="beam.inp"):
    (tmp_path / name).write_text(text)
    return read_mesh(tmp_path / name)[0]


def frequencies(mesh, count, held=None):
    stiffness, mass = assemble(mesh, FormulationOptions())
    recover = free_coordinates(mesh)
    columns = None if held is None else held_columns(mesh, recover, clamped_dofs(mesh, [held]))[0]
    return natural_modes(*(held_together(recover, a) for a in (stiffness, mass)), count, columns)[0]


def free_hz(mesh, count):
    found = frequencies(mesh, count + 6)
    assert found[5] < 1e-3 * found[6]
    return found[6:]


def tip_motion(mesh, axis, node):
    stiffness, _ = assemble(mesh, FormulationOptions())
    moved = static_solution(mesh, stiffness, clamped_dofs(mesh, ["ROOT"]), load_vector(mesh, [(node, axis, 100.0)]))
    return moved.reshape(-1, 3)[list(mesh.node_ids).index(node), axis]


def in_plane(first, second, inner=(0.0, 0.0)):
    """Area, second moments by the first and second direction of a hollow rectangle."""
    area = first * second - inner[0] * inner[1]
    return area, *(
        (a**3 * b - c**3 * d) / 12.0 for a, b, c, d in ((first, second, *inner), (second, first, *inner[::-1]))
    )


def nastran(cards):
    lines = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850."]
    lines += [f"GRID,{k + 1},,{0.25 * k},0.,0." for k in range(9)]
    return "\n".join([*lines, *cards, "ENDDATA", ""])


def elements(name, tail="0.,1.,0."):
    return [f"{name},{k},1,{k},{k + 1},{tail}" for k in range(1, 9)]
