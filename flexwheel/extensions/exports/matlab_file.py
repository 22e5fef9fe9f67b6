"""MATLAB files, version 5: `time`, and for each variable a structure of value (T, n), names (n), units, meaning."""

from itertools import groupby

import numpy as np
from scipy.io import savemat

from flexwheel.extensions.exports.channels import ExportFormat

MOST_BYTES = 2**31 - 2**16  # of a variable in a file of version 5


def write_matlab_channels(channels, path):
    """Write Channels; cell k of `names` is the name of column k of `value`.

    Raises
    ------
    ValueError      a variable beyond 2 GB, which the format has no numbers for
    """
    out = {"time": channels.frame.index.to_numpy(), "about": channels.about}
    at = 0
    for name, group in groupby(channels.channels, lambda one: one.variable):
        group = list(group)
        value = channels.frame.iloc[:, at : at + len(group)].to_numpy()
        if value.nbytes > MOST_BYTES:
            raise ValueError(
                f"{name} has {value.nbytes / 1e9:.1f} GB, a MATLAB file holds 2.1 of a variable; cut the span"
            )
        names = np.empty(len(group), dtype=object)
        names[:] = [one.name for one in group]
        out[name] = {"value": value, "names": names, "units": group[0].units, "meaning": group[0].meaning}
        at += len(group)
    with open(path, "wb") as stream:  # a name would be given the suffix .mat
        savemat(stream, out, long_field_names=True, do_compression=True, oned_as="column")


MATLAB = ExportFormat("matlab", "MATLAB 5: a structure for each variable", (".mat",), write_matlab_channels)
