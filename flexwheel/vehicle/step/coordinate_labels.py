"""Names of the coordinates, for messages and tables."""

import numpy as np

BODY_LABELS = ("along", "lateral", "vertical", "yaw", "roll", "pitch")


def coordinate_labels(assembly):
    """What each coordinate is, (N,) str; the two modes of a pair are named together."""
    labels = []
    for u, name in enumerate(assembly.unit_names):
        labels += [f"{name} {axis}" for axis in BODY_LABELS]
        w = assembly.units.wheelset[u]
        f = assembly.flexible.of_unit[u]
        if f >= 0:
            hz = assembly.body_specs[u].flexible.frequency_hz
            labels += [f"{name} mode {k + 1} ({hz[k]:.1f} Hz)" for k in range(len(hz))]
        if w < 0:
            continue
        body = assembly.wheelset_specs[w].body
        for k in range(int(assembly.wheelsets.mode_count[w])):
            partners = np.flatnonzero(np.abs(assembly.wheelsets.generator[w, k]) > 1e-6)
            both = sorted({k, *partners[:1].tolist()})
            numbers = "+".join(str(i + 1) for i in both)
            order = f"n = {body.order[k]}, " if body.order[k] >= 0 else ""
            labels.append(f"{name} mode {numbers} ({order}{body.frequency_hz[both[0]]:.1f} Hz)")
        if assembly.wheelsets.box_pitch[w] == 1:
            labels += [f"{name} axle box {side} pitch" for side in ("left", "right")]
    return tuple(labels)
