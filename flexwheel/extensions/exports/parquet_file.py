"""Parquet: a column for each channel and one of time; units, meaning and what goes with them as metadata."""

from flexwheel.extensions.exports.channels import ExportFormat


def write_parquet(channels, path):
    """Write Channels; a field's metadata has its units and meaning."""
    import pyarrow as pa
    import pyarrow.parquet

    frame = channels.frame
    fields = [pa.field("time", pa.float64(), metadata={"units": "s"})]
    fields += [
        pa.field(one.name, pa.from_numpy_dtype(kind), metadata={"units": one.units, "meaning": one.meaning})
        for one, kind in zip(channels.channels, frame.dtypes, strict=True)
    ]
    columns = [frame.index.to_numpy(), *(frame.iloc[:, k].to_numpy() for k in range(frame.shape[1]))]
    schema = pa.schema(fields, metadata=channels.about)
    pyarrow.parquet.write_table(pa.Table.from_arrays(list(map(pa.array, columns)), schema=schema), str(path))


PARQUET = ExportFormat("parquet", "Apache Parquet, units as metadata", (".parquet",), write_parquet, "pyarrow")
