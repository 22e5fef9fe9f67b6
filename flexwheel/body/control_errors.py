"""Estimated relative error of the stress at control nodes.

They are judged under unit forces of all directions on the treads and journals, at each section of the mesh in turn,
statically, the body balanced by its inertia. The relative error is the root of the sum of squares of the von Mises
stress of the estimated errors over that of the stresses.

Verified in tests/verification/test_stress_error_verified.py.
"""

import numpy as np

from flexwheel.body.control_rings import section_axes, turned_stress
from flexwheel.body.interfaces import interface_rows
from flexwheel.body.stress_error import relative_error, stress_error_rows
from flexwheel.body.tread import node_rows, profile_operator


def home_errors(mesh, rings, angle, shapes, options, free):
    """(C, 6, H) estimated error of the stress at the control nodes per mode, frame of their section."""
    found = stress_error_rows(mesh, [ring.row for ring in rings], options, free) @ shapes.reshape(mesh.dof_count, -1)
    found = found.reshape(len(rings), 6, shapes.shape[2])
    turned = [turned_stress(section_axes(angle[ring.home]).T) @ own for ring, own in zip(rings, found, strict=True)]
    return np.array(turned).reshape(found.shape)


def control_errors(rings, parts, treads, interfaces) -> np.ndarray:
    """Relative error (C,) of the stress at control nodes: ring_rows, error_rows, residual and modal of `parts`."""
    modal, angle, residual = parts.modal, treads[0].angle, parts.residual
    home = np.array([ring.home for ring in rings], dtype=np.int64)
    rows = np.concatenate([parts.ring_rows[np.arange(len(rings)), home, 3:], parts.error_rows], axis=1)
    loads = _modal_loads(modal, angle, treads, interfaces)
    out, lag = np.full(len(rows), np.nan), np.arange(len(loads))
    later = [(residual.tread[:, :, 3:], residual.interface[:, :, 3:]), (residual.tread_error, residual.interface_error)]
    for c, section in enumerate(home):
        modal = np.einsum("ih,sjkh->sjki", rows[c], loads[(section - lag) % len(loads)])
        rest = [np.moveaxis(np.concatenate([part[c] for part in pair], axis=2)[..., :3], 1, -1) for pair in later]
        both = [(modal[..., 6 * k : 6 * k + 6] + rest[k]).reshape(-1, 6) for k in range(2)]
        out[c] = relative_error(*both)
    return out


def _modal_loads(modal, angle, treads, interfaces):
    """(S, J, 3, H) modal coordinates under unit forces on the treads and interfaces, axes of section s."""
    turn = np.array([section_axes(a).T for a in angle])
    loads = []
    for tread in treads:
        moved = node_rows(tread, modal.shapes)
        operator = profile_operator(tread.profile, tread.lateral, tread.radius)[:3]
        loads.append(operator @ moved.reshape(len(moved), -1, moved.shape[-1]))
    loads += [turn @ interface_rows(interface, modal.shapes)[:3] for interface in interfaces]
    return np.stack(loads, axis=1) / (2.0 * np.pi * modal.frequency) ** 2
