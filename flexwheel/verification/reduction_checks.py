"""Reduction of the paper-size wheelset against its own full matrices."""

import numpy as np

from flexwheel.base.shipped import MESHES
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.reduce import ReductionOptions, reduce_with_shapes
from flexwheel.verification import norms
from flexwheel.verification.check_registry import bound, check, claim, distance, exact, floor, information, row
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, read_dimensions, wheelset_mesh


@check(
    "Routes, mass properties and modes of the reduced wheelset", subject="Reduction",
    ground=exact("two routes to the same space, and volume integrals; what is left is the eigensolvers' tolerance"),
)  # fmt: skip
def routes():
    """Cyclic and general route on the coarse mesh; mass, centre and inertia; count and range of the modes."""
    mesh = wheelset_mesh(refinement=REFINEMENTS["coarse"])
    cyclic, shapes = reduce_with_shapes(mesh, ReductionOptions(fixed_interface_modes=29, residual=False))
    _, general = reduce_with_shapes(mesh, ReductionOptions(fixed_interface_modes=29, residual=False, route="general"))
    first, second = (np.linalg.qr(s.modes.shapes.reshape(mesh.dof_count, -1))[0] for s in (shapes, general))
    text = "largest principal angle of cyclic and general basis"
    rows = [distance(text, first @ (first.T @ second), second, 1e-6, "rad", "general route", _spectral)]
    _, mass, centre, inertia = mass_properties(mesh)
    rows.append(row("mass", cyclic.mass, mass, "kg", relative=1e-9, source="volume integral of the mesh"))
    source = "volume integral of the mesh"
    rows.append(bound("centre", norms.largest(cyclic.centre, centre), 1e-9, "m", source))  # it lies at the origin
    rows.append(distance("inertia, relative", cyclic.inertia, inertia, 1e-9, "", source))
    for interfaces in ("journals", "end_faces"):
        body, _ = reduce_with_shapes(
            wheelset_mesh(refinement=REFINEMENTS["paper"]),
            ReductionOptions(fixed_interface_modes=29, residual=False, interfaces=interfaces),
        )
        name, highest = f"paper mesh, interfaces at the {interfaces}", body.frequency_hz[-1]
        as_paper = interfaces == "end_faces"  # elsewhere the 29th fixed-interface mode may be one of a pair, kept whole
        ground = claim("paper 004: 35 modes" + ("" if as_paper else "; one more where 29 would split a pair"))
        count = len(body.frequency_hz)
        rows.append(row(f"{name}: modes", count, 35, absolute=1 - as_paper, source="paper 004", ground=ground))
        if interfaces == "end_faces":  # as the paper's, whose highest mode has 5457 Hz
            ground = claim("paper 004: the modes reach up to above 5 kHz")
            rows.append(floor(f"{name}: highest", highest, 5000.0, "Hz", "paper 004", ground))
        else:
            rows.append(information(f"{name}: highest", highest, "Hz"))
    return rows + table_1()


def table_1():
    """The stand-in for the wheelset of paper 004, reduced as table 1 says."""
    dimensions, refinements = read_dimensions(MESHES / "wheelset_paper_section.toml")
    mesh = wheelset_mesh(dimensions, refinements["paper"])
    options = ReductionOptions(
        fixed_interface_modes=29, residual=False, interfaces="end_faces", coupling="rigid", exact_below_hz=0.0,
        formulation=FormulationOptions(mass="lumped"),
    )  # fmt: skip
    found = reduce_with_shapes(mesh, options)[0].frequency_hz
    source, ground = "paper 004, table 1", claim("paper 004, table 1, to the digits printed")
    return [
        row("stand-in for paper 004: nodes", len(mesh.nodes), 56561, absolute=0, source=source, ground=ground),
        row("stand-in for paper 004: elements", mesh.element_count, 46442, absolute=2, source=source, ground=claim(
            "paper 004, table 1; 180 sectors of whole elements cannot give the other two")),
        row("stand-in for paper 004: modes", len(found), 35, absolute=0, source=source, ground=ground),
        row("stand-in for paper 004: first", found[0], 29.6, "Hz", absolute=0.05, source=source, ground=ground),
        row("stand-in for paper 004: highest", found[-1], 5456.6, "Hz", absolute=0.5, source=source, ground=claim(
            "paper 004, table 1; 0.01 mm of the axle's end are 0.3 Hz")),
    ]  # fmt: skip


def _spectral(first, second):
    """Largest singular value of the difference."""
    return np.linalg.norm(first - second, 2)
