"""Measurement data format 4 (ASAM MDF): one group of channels with units, by asammdf."""

from flexwheel.extensions.exports.channels import ExportFormat


def write_mdf(channels, path):
    """Write Channels; the comment of a channel is its meaning, that of the file what goes with them."""
    from asammdf import MDF, Signal

    time = channels.frame.index.to_numpy()
    signals = [
        Signal(column.to_numpy(), time, name=one.name, unit=one.units, comment=one.meaning)
        for one, (_, column) in zip(channels.channels, channels.frame.items(), strict=True)
    ]
    with MDF(version="4.10") as file:
        file.append(signals, comment="; ".join(f"{name}: {text}" for name, text in channels.about.items() if text))
        file.save(str(path), overwrite=True, compression=2)


MDF4 = ExportFormat("mdf", "ASAM MDF 4", (".mf4",), write_mdf, "asammdf")
