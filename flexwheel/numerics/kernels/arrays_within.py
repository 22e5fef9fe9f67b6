"""Every array behind what a kernel is handed: found by looking, so that a new one cannot be left out of a list."""

import hashlib

import numpy as np

ADDRESSES = ("calls", "kernels")
"""Names of arrays that hold addresses of machine code: another number in every process."""


def arrays_within(**parts):
    """Arrays of NamedTuples and tuples, by path (`state.history`, `dense.0`); the arrays themselves, not copies, each
    once.

    Those of ADDRESSES are left out; numbers cannot move, a kernel cannot set them.
    """
    found = {}

    def look(name, item):
        if isinstance(item, np.ndarray):
            if name.rpartition(".")[2] not in ADDRESSES:
                found.setdefault(id(item), (name, item))
        elif isinstance(item, tuple):
            for key, value in zip(getattr(item, "_fields", range(len(item))), item, strict=True):
                look(f"{name}.{key}", value)

    for name, item in parts.items():
        look(name, item)
    return dict(found.values())


def arrays_digest(**parts):
    """Hexadecimal digest of the arrays within parts: paths, types, shapes and values."""
    digest = hashlib.blake2b(digest_size=16)
    for name, array in sorted(arrays_within(**parts).items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return digest.hexdigest()
