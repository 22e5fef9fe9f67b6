"""Key of a profile pair: a digest of what the place of its contact points depends on."""

import hashlib

import numpy as np

from flexwheel.contact.gap import CELL


def pair_key(contact):
    """Digest (64 hexadecimal digits) of both profile tables and their placement.

    Heights are rounded to 1e-10 m and slopes to 1e-9, so that the same profiles give the same key on another machine.
    """
    digest = hashlib.sha256()
    pair = contact.pair
    for table in (pair.wheel, pair.rail):
        digest.update(np.round(table[:, CELL.height] * 1e10).astype("<i8").tobytes())
        digest.update(np.round(table[:, CELL.slope] * 1e9).astype("<i8").tobytes())
    numbers = (pair.wheel_start, pair.rail_start, 1.0 / pair.inverse_step)
    digest.update(np.round(np.array(numbers) * 1e10).astype("<i8").tobytes())
    return digest.hexdigest()
