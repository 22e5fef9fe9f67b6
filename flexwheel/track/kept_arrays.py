"""Arrays of the track that are dear to make, kept on the disk: the same, bit by bit, as those made anew.

A file of `cache_root()/track` is named by the digest of all that its arrays are made of: values, program (the source of
a file and of all that it imports), and the libraries whose rounding they have. What is damaged, or may be another
user's (cache_root.py), is made anew; where nothing can be written nothing is kept. Nothing is unpickled.

Verified in tests/track/test_kept_arrays.py.
"""

import hashlib
from contextlib import suppress

import numpy as np
import scipy

from flexwheel.base.cache_root import cache_root, close_to_others, open_private, own_folder
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import read_archive, write_archive
from flexwheel.numerics.kernels.cache import source_stamp

MOST_FILES = 200  # of which the oldest go, some 20 MB at most


def kept_arrays(values, source, make):
    """Arrays by name, from the disk, or made and kept there.

    Parameters
    ----------
    values : str                      all values that they are made of, to the last digit
    source : str                      file of the program that makes them
    make : function() -> dict         of arrays
    """
    made_of = [values, source_stamp(source), np.__version__, scipy.__version__]
    try:
        path = cache_root() / "track" / f"{hashlib.sha256(repr(made_of).encode()).hexdigest()[:32]}.npz"
    except RuntimeError:  # no home folder
        return make()
    with suppress(Exception):  # a damaged file makes zip, zlib, json or numpy raise whatever they do
        with open_private(path) as stream:
            words, arrays = read_archive(stream)
        if words == made_of:
            return arrays
    arrays = make()
    with suppress(FlexwheelError, OSError):
        own_folder(path.parent, named_by_us=True)
        write_archive(path, made_of, arrays)
        close_to_others(path)
        _forget(path.parent)
    return arrays


def _forget(folder):
    """Remove the oldest files where there are too many."""
    files = list(folder.glob("*.npz"))
    if len(files) > MOST_FILES:
        for file in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) - MOST_FILES]:
            file.unlink(missing_ok=True)
