"""Reduction of the paper-size wheelset against its own full matrices."""

from __future__ import annotations

import numpy as np

from flexwheel.fe.reduce import ReductionOptions, reduce_with_shapes
from flexwheel.fe.wheelset_section import REFINEMENTS, wheelset_mesh
from flexwheel.io.mesh_properties import mass_properties
from flexwheel.verification.registry import bound, check, floor, information, row


@check("Routes, mass properties and modes of the reduced wheelset", point=3)
def routes():
    """Cyclic and general route on the coarse mesh; mass, centre and inertia; count and range of the modes."""
    mesh = wheelset_mesh(refinement=REFINEMENTS["coarse"])
    cyclic, shapes = reduce_with_shapes(mesh, ReductionOptions(residual=False))
    _, general = reduce_with_shapes(mesh, ReductionOptions(residual=False, route="general"))
    first, second = (np.linalg.qr(s.modes.shapes.reshape(mesh.dof_count, -1))[0] for s in (shapes, general))
    outside = second - first @ (first.T @ second)
    rows = [bound("largest principal angle of cyclic and general basis", np.linalg.norm(outside, 2), 1e-6, "rad")]
    _, mass, centre, inertia = mass_properties(mesh)
    rows.append(row("mass", cyclic.mass, mass, "kg", relative=1e-9, source="volume integral of the mesh"))
    rows.append(bound("centre", np.abs(cyclic.centre - centre).max(), 1e-9, "m"))
    rows.append(bound("inertia, relative", np.abs(cyclic.inertia - inertia).max() / inertia.max(), 1e-9))
    for interfaces in ("journals", "end_faces"):
        body, _ = reduce_with_shapes(
            wheelset_mesh(refinement=REFINEMENTS["paper"]), ReductionOptions(residual=False, interfaces=interfaces)
        )
        name, highest = f"paper mesh, interfaces at the {interfaces}", body.frequency_hz[-1]
        rows.append(row(f"{name}: modes", len(body.frequency_hz), 35, absolute=0, source="paper 004"))
        if interfaces == "end_faces":  # as the paper's, whose highest mode has 5457 Hz
            rows.append(floor(f"{name}: highest", highest, 5000.0, "Hz"))
        else:
            rows.append(information(f"{name}: highest", highest, "Hz"))
    return rows
