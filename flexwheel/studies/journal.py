"""Records of finished runs, a line each, so that a study that ends anyhow goes on where it was."""

import json
import os
from pathlib import Path

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.base.input_files import read_text

JOURNAL_NAME = "runs.jsonl"


def read_records(folder) -> dict[str, dict]:
    """Records of a study's folder by the digest of their run; the last one of each.

    A torn last line is left out, as is a record whose figures are not whole: its run is made again.
    """
    path = Path(folder) / JOURNAL_NAME
    found = {}
    if not path.is_file():
        return found
    for line in read_text(path, "the journal of a study").splitlines():
        try:
            record = json.loads(line)
            _ = str(record["status"]), str(record["message"])
            _ = [float(record.get(name, 0.0)) for name in ("seconds", "cpu_seconds")]
            if all(map(_whole, record["figures"].values())):
                found[record["digest"]] = record
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            continue
    return found


def _whole(item):
    """Whether a figure has a unit, and a label of text or number for every place along its dimensions."""
    labels = [item["labels"][dim] for dim in item["dims"]]
    words = all(isinstance(label, str | int | float) for of_dim in labels for label in of_dim)
    shape = np.array(item["values"], dtype=float).shape
    return words and isinstance(item["units"], str) and shape == tuple(map(len, labels))


class Journal:
    """The journal of a study, open for more records."""

    def __init__(self, folder):
        path = Path(folder) / JOURNAL_NAME
        torn = path.is_file() and path.stat().st_size > 0 and path.read_bytes()[-1:] != b"\n"
        try:
            self.path, self.file = path, open(path, "a", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise FlexwheelError(f"{path}: cannot be written: {error.strerror}") from None
        if torn:
            self.file.write("\n")

    def add(self, record):
        """Write a record; it is on the disk when this returns.

        Raises
        ------
        FlexwheelError      when the disk is full
        """
        try:
            self.file.write(json.dumps(record) + "\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise FlexwheelError(f"{self.path}: cannot be written: {error.strerror}") from None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.file.close()
        if not self.path.stat().st_size:
            self.path.unlink()
