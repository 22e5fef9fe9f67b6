"""Receptances of the vehicle free of its contacts: both wheels of each wheelset and control nodes, with cross terms."""

import numpy as np

from flexwheel.assess.linear.near_waves import standing_patches
from flexwheel.assess.linear.node_motion import fixed_rows, node_waves


def vehicle_receptances(running, assembly, bodies, count):
    """Receptances at grid frequencies 1 to count, real and imaginary parts last.

    Returns
    -------
    dict    wheel_receptance (F, W, 2, 3, 2, 3, 2): wheelset, response wheel and axis, load wheel and axis;
            node_receptance (F, C, 3, 2, 3, 2): fixed control node, axis, load wheel of its wheelset, axis
    """
    linear, system = running.linear, running.system
    wheelsets = len(assembly.wheelset_specs)
    wheel = np.zeros((count, wheelsets, 2, 3, 2, 3), dtype=complex)
    nodes = []
    frequency = system.frequency[1 : count + 1]
    for w, spec in enumerate(assembly.wheelset_specs):
        load = [12 * w + 6 * side + c for side in range(2) for c in range(3)]
        x = system.coordinate[1 : count + 1, :, load]
        rows = linear.contact_rows[w, :, :3].reshape(6, -1)
        wheel[:, w] = (rows @ x).reshape(count, 2, 3, 2, 3)
        for side in range(2):
            wheel[:, w, side, :, side] += linear.residual_compliance[w, side, :3, :3]
        body = bodies.get(spec.name)
        if body is None:
            continue
        offset = assembly.units.offset[assembly.wheelsets.unit[w]]
        tread = np.zeros((12, 6))
        tread[[6 * (k // 3) + k % 3 for k in range(6)], range(6)] = 1.0
        own = slice(12 * w, 12 * w + 12)
        journal = system.journal_by_wrench[1 : count + 1, own][:, :, load]
        modal = x[:, offset + 6 : offset + 6 + len(body.frequency_hz)]
        drive = np.concatenate([modal, np.broadcast_to(tread, (count, *tread.shape)), journal], axis=1)
        spin = linear.steady[1][offset + 5]
        for node in range(len(body.control.name)):
            waves = node_waves(body, node, True, standing_patches(linear, w))
            elastic = fixed_rows(waves, spin, frequency)[:, :3, : drive.shape[1]] @ drive
            nodes.append(elastic.reshape(count, 3, 2, 3))
    out = {"wheel_receptance": np.stack([wheel.real, wheel.imag], axis=-1)}
    if nodes:
        found = np.stack(nodes, axis=1)
        out["node_receptance"] = np.stack([found.real, found.imag], axis=-1)
    return out
