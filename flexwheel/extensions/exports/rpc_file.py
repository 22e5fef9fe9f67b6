"""RPC III files of test rigs: a channel each in single precision, by rpc3-file.

The format has no time of the first sample, at most 1024 parameters, six of them a channel, and whole frames: behind the
last sample it repeats it up to the next FRAME samples; its parameter SAMPLES says how many there are.

Source of the limits: package rpc3-file 1.0.0rc6, which reads and writes the format.
"""

import numpy as np

import flexwheel
from flexwheel.extensions.exports.channels import ExportFormat

LONGEST = 96  # letters of a value of a parameter
MOST_CHANNELS = 165  # six of 1024 parameters each, 30 of the file
FRAME = 2048


def write_rpc(channels, path):
    """Write Channels; a name longer than LONGEST is cut there.

    Raises
    ------
    ValueError      a channel with gaps, more than MOST_CHANNELS, one that single precision does not hold
    """
    import rpc3

    frame = channels.frame
    if len(frame.columns) > MOST_CHANNELS:
        raise ValueError(
            f"RPC III has at most {MOST_CHANNELS} channels, got {len(frame.columns)}; choose some by --where"
        )
    made = []
    for one, (name, column) in zip(channels.channels, frame.items(), strict=True):
        values = column.to_numpy(dtype=float)
        if not np.isfinite(values).all():
            raise ValueError(
                f"{name} has gaps, for which the format has no value; leave it out, or write another format"
            )
        if np.abs(values).max() > np.finfo(np.float32).max:
            raise ValueError(f"{name} is beyond single precision, up to {np.abs(values).max():.3g}")
        made.append(rpc3.Channel(_said(one.name), _said(one.units), channels.step, values))
    words = f"flexwheel {flexwheel.__version__}; complete {channels.about.get('complete', 'true')}"
    kept, rpc3.rpc3.progressbar = rpc3.rpc3.progressbar, False
    try:
        rpc3.write(
            str(path), made, datatype=float, pts_per_group=FRAME, overwrite=True, extra_params={"OPERATION": words}
        )
    finally:
        rpc3.rpc3.progressbar = kept


def _said(text):
    """A text as the header takes it."""
    return text.encode("latin-1", "replace").decode("latin-1")[:LONGEST]


RPC3 = ExportFormat("rpc", "RPC III, single precision", (".rsp", ".rpc"), write_rpc, "rpc3-file")
