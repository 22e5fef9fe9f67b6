"""Complex modes of the vehicle in a page: shapes of all bodies and modal coordinates, each to a largest size of 1 m."""

import numpy as np

ARM = 1.0  # [m] at which turning counts as a displacement


def pack_motions(packer, key, motions, bodies, rows):
    """Add motions to a Packer; returns their list for the page.

    motions : of page_scene.ComplexMode
    bodies : names
    rows : flexible wheelset -> (Ns, 3, H) displacement of its surface by its modes
    """
    if not motions:
        return []
    shape = np.zeros((len(motions), len(bodies), 6), dtype=complex)
    modal = {name: np.array([motion.modal[name] for motion in motions]) for name in rows}
    for m, motion in enumerate(motions):
        for b, name in enumerate(bodies):
            shape[m, b] = motion.bodies.get(name, 0.0)
        sizes = [np.abs(shape[m, :, :3]).max(), ARM * np.abs(shape[m, :, 3:]).max()]
        sizes += [np.linalg.norm(np.abs(rows[name] @ own[m]), axis=1).max() for name, own in modal.items()]
        scale = 1.0 / max(sizes)
        shape[m] *= scale
        for own in modal.values():
            own[m] *= scale
    packer.add(f"{key}/motions", np.stack([shape.real, shape.imag], axis=-1))
    for name, own in modal.items():
        packer.add(f"{key}/motion_modal/{name}", np.stack([own.real, own.imag], axis=-1))
    return [{"label": m.label, "frequency": m.frequency_hz, "damping": m.damping_ratio} for m in motions]
