"""Arrays that are dear to make, kept on the disk: the same, bit by bit, as those made anew.

A file of a folder of `cache_root()` is named by the digest of all that its arrays are made of: values, program (the
source of files and of all that they import), and the libraries whose rounding they have. What is damaged, or may be
another user's (cache_root.py), is made anew; where nothing can be written nothing is kept. Nothing is unpickled.

Verified in tests/numerics/test_kept_arrays.py.
"""

import hashlib
from contextlib import suppress

import numpy as np
import scipy

from flexwheel.base.cache_root import cache_root, close_to_others, open_private, own_folder
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import read_archive, write_archive
from flexwheel.numerics.kernels.cache import source_stamp

MOST_BYTES = 1e9  # of a folder


def kept_arrays(folder, values, sources, make, most=200):
    """Arrays by name, from the disk, or made and kept there.

    Parameters
    ----------
    folder : str                      in `cache_root()`
    values : str                      all values that they are made of, to the last digit
    sources : sequence of str         files of the program that make them
    make : function() -> dict         of arrays
    most : int                        files of the folder; the oldest go where there are more, or over MOST_BYTES
    """
    made_of = [values, *map(source_stamp, sources), np.__version__, scipy.__version__]
    try:
        path = cache_root() / folder / f"{hashlib.sha256(repr(made_of).encode()).hexdigest()[:32]}.npz"
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
        _forget(path.parent, most)
    return arrays


def _forget(folder, most):
    """Remove the oldest files where there are too many, or more than MOST_BYTES; the newest stays."""
    newest = sorted(folder.glob("*.npz"), key=lambda file: file.stat().st_mtime, reverse=True)
    held = np.cumsum([file.stat().st_size for file in newest])
    for k, file in enumerate(newest):
        if k and (k >= most or held[k] > MOST_BYTES):
            file.unlink(missing_ok=True)
