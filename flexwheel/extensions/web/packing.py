"""Arrays as one compressed text in a page, and a list of what lies where in it.

Numbers that move are kept as integers of 16 bits over the range of their row, coded as differences from one to the
next in two planes of bytes, which deflate shrinks to about half. page/unpack.js reads them.
"""

import base64
import zlib

import numpy as np

STEPS = 65534  # of the range of a row; the integer -32768 says: no number


class Packer:
    """Collects arrays by name."""

    def __init__(self):
        self.entries, self._parts, self._size = {}, [], 0

    def add(self, name, values, dtype="<f4"):
        """Keep an array as it is, in a type that the page knows: <f4, <u2 or <u4."""
        values = np.ascontiguousarray(values, dtype=dtype)
        self._keep(name, values.tobytes(), {"type": dtype[1:], "shape": list(values.shape)})

    def add_rows(self, name, rows):
        """Keep rows (n, T) to 1 / 65534 of the range of each; nan stays nan."""
        rows = np.asarray(rows, dtype=float)
        known = np.isfinite(rows)
        low = np.where(known, rows, np.inf).min(axis=1, initial=np.inf)
        high = np.where(known, rows, -np.inf).max(axis=1, initial=-np.inf)
        low, high = (np.where(np.isfinite(x), x, 0.0) for x in (low, high))
        scale = (high - low) / STEPS
        steps = np.where(known, (rows - low[:, None]) / np.where(scale > 0.0, scale, 1.0)[:, None], 0.0)
        whole = np.where(known, np.rint(steps) - 32767.0, -32768.0).astype("<i2")
        apart = np.diff(whole.view("<u2"), axis=1, prepend=np.zeros((len(whole), 1), "<u2"))
        octets = np.stack([apart & 0xFF, apart >> 8], axis=1).astype(np.uint8)
        entry = {"type": "rows", "shape": list(rows.shape), "scale": [float(f"{x:.9g}") for x in scale]}
        entry["middle"] = [float(f"{x:.9g}") for x in low + 32767.0 * scale]
        self._keep(name, octets.tobytes(), entry)

    def _keep(self, name, octets, entry):
        self.entries[name] = entry | {"at": self._size, "bytes": len(octets)}
        padding = -len(octets) % 4
        self._parts.append(octets + b"\0" * padding)
        self._size += len(octets) + padding

    def text(self):
        """All of it, deflated, in base64."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 6)).decode("ascii")
