"""Values of the track's files that are assumed: rail section, supports, irregularity spectra.

Loss factors are left out: they act in the frequency domain only, not in a run.
"""

from typing import NamedTuple

from flexwheel.base.input_files import off_by
from flexwheel.base.shipped import TRACK
from flexwheel.track.track_parameters import read_track_table

UNCERTAIN = ("assumed",)


class TrackLabel(NamedTuple):
    """Where a value of the track comes from."""

    key: str  # file and key within it
    value: object
    source: str
    factor: float | None = None  # by which the value may be off, for `flexwheel sensitivity`


def rail_labels(name):
    """Uncertain values of a rail section, `track.rail`."""
    return _uncertain(read_track_table(name, "rail"), f"rail {_short(name)}: ")


def support_labels(name):
    """Uncertain values of fasteners, half sleepers and their bed, `track.support`."""
    return _uncertain(read_track_table(name, "flexible"), f"support {_short(name)}: ")


def spectrum_labels(spectrum):
    """Uncertain values of a long-wave spectrum, erri_b176 or fra."""
    return _uncertain(read_track_table(str(TRACK / "irregularity" / f"{spectrum}.toml"), ""), f"spectrum {spectrum}: ")


def _short(name):
    return str(name).replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")


def _uncertain(table, prefix):
    found = []
    for key, entry in table.items():
        if not isinstance(entry, dict):
            continue
        if "value" not in entry:
            found += _uncertain(entry, f"{prefix}{key}.")
        elif key != "loss_factor" and any(word in str(entry.get("confidence", "")) for word in UNCERTAIN):
            source, factor = str(entry.get("source", "no source")), off_by(entry, prefix + key)
            found.append(TrackLabel(prefix + key, entry["value"], source, factor))
    return found
