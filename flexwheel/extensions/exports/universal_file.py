"""Universal files: a data set 58 (time response, binary doubles) for each channel, after data sets 151 and 164.

Source of the record layout: Universal File Formats, SDRC (University of Cincinnati).
"""

from pathlib import Path

import numpy as np

from flexwheel.extensions.exports.channels import ExportFormat

TIME_RESPONSE, REAL_DOUBLE, EVEN, TIME, GENERAL = 1, 4, 1, 17, 1  # codes of the format
KINDS = {"m": 8, "m s-1": 11, "m s-2": 12, "N": 9, "Pa": 15}  # specific data type by unit
DIRECTIONS = {"x": 1, "y": 2, "z": 3, "longitudinal": 1, "Y": 2, "Q": 3}


def write_universal_channels(channels, path):
    """Write Channels; a channel's number is that of its response node, its whole name stands in the first line.

    Lines of the format have 80 characters: a longer name is cut there.

    Raises
    ------
    ValueError      a channel with gaps
    """
    import pyuff

    gaps = channels.frame.columns[channels.frame.isna().any()]
    if len(gaps):
        raise ValueError(
            f"{gaps[0]} has gaps, for which the format has no value; leave it out, or write another format"
        )
    frame, title = channels.frame, channels.about.get("title", "")[:80] or "NONE"
    step, first = channels.step, float(frame.index[0])
    sets = [
        pyuff.prepare_151(model_name=title, description="histories", db_app="flexwheel", program="flexwheel"),
        pyuff.prepare_164(1, "SI", 2, 1.0, 1.0, 1.0, 273.15),
    ]
    state = f"complete {channels.about.get('complete', 'true')}"
    for k, one in enumerate(channels.channels):
        values = frame.iloc[:, k].to_numpy(dtype=float)
        sets.append(
            pyuff.prepare_58(
                binary=1, id1=one.name[:80], id2=title, id3="NONE", id4=state, id5=f"{one.units}: {one.meaning}"[:80],
                func_type=TIME_RESPONSE, ver_num=0, load_case_id=0, rsp_ent_name="NONE", rsp_node=k + 1,
                rsp_dir=DIRECTIONS.get(one.labels[-1] if one.labels else "", 0), ref_ent_name="NONE", ref_node=0,
                ref_dir=0, ord_data_type=REAL_DOUBLE, num_pts=len(values), abscissa_spacing=EVEN, abscissa_min=first,
                abscissa_inc=step, z_axis_value=0.0,
                abscissa_spec_data_type=TIME, abscissa_len_unit_exp=0, abscissa_force_unit_exp=0,
                abscissa_temp_unit_exp=0, abscissa_axis_units_lab="s",
                ordinate_spec_data_type=KINDS.get(one.units, GENERAL), ordinate_len_unit_exp=0,
                ordinate_force_unit_exp=0, ordinate_temp_unit_exp=0, ordinate_axis_units_lab=one.units[:20],
                orddenom_spec_data_type=0, orddenom_len_unit_exp=0, orddenom_force_unit_exp=0,
                orddenom_temp_unit_exp=0, orddenom_axis_units_lab="NONE",
                z_axis_spec_data_type=0, z_axis_len_unit_exp=0, z_axis_force_unit_exp=0, z_axis_temp_unit_exp=0,
                z_axis_axis_units_lab="NONE", data=values, x=first + step * np.arange(len(values)),
                spec_data_type=0, byte_ordering=1, fp_format=2, n_ascii_lines=11, n_bytes=8 * len(values),
            )
        )  # fmt: skip
    Path(path).unlink(missing_ok=True)
    pyuff.UFF(str(path)).write_sets(sets, mode="overwrite")


UNIVERSAL = ExportFormat(
    "universal", "universal file, data set 58b for each channel", (".uff", ".unv"), write_universal_channels, "pyuff"
)
