"""Comma separated values: a line of names with units, then a line for each sample; time first, no value left empty."""

from flexwheel.extensions.exports.channels import ExportFormat

DIGITS = 9
"""Significant digits: those of four-byte values; time has twelve."""


def write_csv(channels, path):
    """Write Channels as text."""
    frame = channels.frame
    heads = [f"{one.name} [{one.units}]" for one in channels.channels]
    time = [f"{value:.12g}" for value in frame.index]
    table = frame.set_axis(heads, axis=1).set_axis(time, axis=0)
    table.to_csv(path, index_label="time [s]", float_format=f"%.{DIGITS}g", lineterminator="\n", encoding="utf-8")


CSV = ExportFormat("csv", "text of nine digits, names and units in the first line", (".csv",), write_csv)
