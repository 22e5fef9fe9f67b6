"""A response for other programs: every variable in a MATLAB file, its frequency response functions in universal files.

Complex values are those of exp(+i w t). Source of the record layout of data set 58: Universal File Formats, SDRC
(University of Cincinnati). Verified in tests/assess/test_response_exchange.py.
"""

from itertools import product
from pathlib import Path

import numpy as np
from scipy.io import savemat

from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import write_whole

TRANSFER, COMPLEX_DOUBLE, EVEN, UNEVEN = 4, 6, 1, 0  # codes of UFF
FREQUENCY, DISPLACEMENT, REACTION, EXCITATION = 18, 8, 9, 13  # specific data types of UFF
DIRECTION = {"x": 1, "y": 2, "z": 3, "roll": 4, "roll moment": 4, "lateral": 2, "vertical": 3}
WHEELS, NODES, MOVING, STANDING, RAILS = 1, 101, 201, 211, 301
"""First node numbers of wheels (left before right), control nodes, rail heads under a moving and under a standing load
(in the order of `place`), and of the two rails' irregularity."""


def write_matlab(results, path):
    """Write a response as a MATLAB file (version 5), whole or not at all.

    Every variable is a structure with `value` (its dimensions in the order of `dims`; real and imaginary part made one
    complex number), `units`, `meaning`, `dims`; `frequency_hz`, `band_hz` and `labels.DIMENSION` name the entries.

    Parameters
    ----------
    results : Dataset       of response_dataset
    path : Path
    """
    out = {"frequency_hz": results.frequency.values, "band_hz": results.band.values}
    named = [name for name in results.coords if name not in ("frequency", "band", "part")]
    out["labels"] = {name: _cells(results[name].values) for name in named}
    out["about"] = {name: _cells(value) if isinstance(value, list) else value for name, value in results.attrs.items()}
    for name, variable in results.data_vars.items():
        out[name] = {
            "value": _complex(variable).values,
            "units": variable.units,
            "meaning": variable.long_name,
            "dims": _cells(dim for dim in variable.dims if dim != "part"),
        }
    write_whole(path, lambda part: savemat(part, out, long_field_names=True, do_compression=True, oned_as="column"))


def write_universal(results, path):
    """Write the frequency response functions of a response as a universal file, data sets 151, 164 and 58 (ASCII).

    The first line of every data set names response and reference; directions 1 to 3 are x, y, z, 4 is the turn about x
    (roll). The record holds five digits of the frequencies, twelve of the values.

    Raises
    ------
    ScenarioError       pyuff is not installed
    """
    try:
        import pyuff
    except ImportError:
        raise ScenarioError("universal files need pyuff: pip install 'flexwheel[export]'") from None
    title = str(results.attrs.get("title", ""))[:80]
    head = [
        pyuff.prepare_151(model_name=title, description="response", db_app="flexwheel", program="flexwheel"),
        pyuff.prepare_164(1, "SI", 2, 1.0, 1.0, 1.0, 273.15),
    ]
    sets = [*head, *(_function(pyuff, results.frequency.values, title, f) for f in transfer_functions(results))]

    def write(part):
        Path(part).unlink(missing_ok=True)
        pyuff.UFF(str(part)).write_sets(sets, mode="overwrite")

    write_whole(path, write)


def transfer_functions(results):
    """(variable, response, reference, values (F,) complex): a degree of freedom is (what, node, direction)."""
    wheels, head = [str(name) for name in results.wheel.values], ("x", "y", "z", "roll")
    wheel_at = {name: WHEELS + k for k, name in enumerate(wheels)}
    rail_at = {"left": RAILS, "right": RAILS + 1}
    receptance = _complex(results.wheel_receptance)
    sides, axes = [str(s) for s in results.side.values], [str(a) for a in results.axis.values]
    for name in (str(w) for w in results.wheelset.values):
        for side, axis, load_side, load_axis in product(sides, axes, sides, axes):
            at = {"wheelset": name, "side": side, "axis": axis, "load_side": load_side, "load_axis": load_axis}
            response, reference = f"{name} {side}", f"{name} {load_side}"
            yield (
                receptance, (response, wheel_at[response], axis), (reference, wheel_at[reference], load_axis),
                receptance.sel(at).values,
            )  # fmt: skip
    if "node_receptance" in results:
        receptance = _complex(results.node_receptance)
        for k, node in enumerate(str(n) for n in results.control_node.values):
            own = next(str(w) for w in results.wheelset.values if node.startswith(f"{w} "))
            for axis, load_side, load_axis in product(axes, sides, axes):
                at = {"control_node": node, "axis": axis, "load_side": load_side, "load_axis": load_axis}
                wheel = f"{own} {load_side}"
                yield (
                    receptance, (node, NODES + k, axis), (wheel, wheel_at[wheel], load_axis), receptance.sel(at).values
                )  # fmt: skip
    for name, first in (("rail_receptance_moving", MOVING), ("rail_receptance", STANDING)):
        if name in results:
            receptance = _complex(results[name])
            places = [str(p) for p in results.place.values] if "place" in receptance.dims else [None]
            for k, place in enumerate(places):
                one = receptance if place is None else receptance.sel(place=place)
                what = f"rail head {place or 'under a moving load'}"
                for i, j in product(range(4), range(4)):
                    yield (
                        one, (what, first + k, head[i]), (what, first + k, head[j]),
                        one.isel(head=i, head_force=j).values,
                    )  # fmt: skip
    force = _complex(results.force_per_irregularity)
    for wheel, axis, rail in product(wheels, axes, [str(r) for r in results.rail.values]):
        side, direction = rail.split()
        yield (
            force, (f"force on {wheel}", wheel_at[wheel], axis), (f"irregularity {side}", rail_at[side], direction),
            force.sel(wheel=wheel, axis=axis, rail=rail).values,
        )  # fmt: skip


def _function(pyuff, hz, title, function):
    variable, response, reference, values = function
    step = float(hz[1] - hz[0]) if len(hz) > 1 else 0.0
    even = EVEN if np.allclose(np.diff(hz), step, rtol=1e-9) else UNEVEN
    force, turns = variable.name == "force_per_irregularity", ("roll", "roll moment")
    kinds = (REACTION, DISPLACEMENT) if force else (DISPLACEMENT, EXCITATION)
    words = {}
    for part, kind, (_, _, axis) in zip(("ordinate", "orddenom"), kinds, (response, reference), strict=True):
        unit, length, newton = ("m", 1, 0) if kind == DISPLACEMENT else ("N", 0, 1)
        if axis in turns:
            unit, length = ("rad", 0) if kind == DISPLACEMENT else ("N m", 1)
        words[f"{part}_spec_data_type"], words[f"{part}_axis_units_lab"] = kind, unit
        words[f"{part}_len_unit_exp"], words[f"{part}_force_unit_exp"] = length, newton
        words[f"{part}_temp_unit_exp"] = 0
    return pyuff.prepare_58(
        binary=0, id1=f"{response[0]} {response[2]} per {reference[0]} {reference[2]}"[:80], id2=title, id3="NONE",
        id4=variable.name[:80], id5=variable.units[:80], func_type=TRANSFER, ver_num=0, load_case_id=0,
        rsp_ent_name="NONE", rsp_node=response[1], rsp_dir=DIRECTION[response[2]],
        ref_ent_name="NONE", ref_node=reference[1], ref_dir=DIRECTION[reference[2]],
        ord_data_type=COMPLEX_DOUBLE, num_pts=len(hz), abscissa_spacing=even, abscissa_min=float(hz[0]),
        abscissa_inc=step, z_axis_value=0.0,
        abscissa_spec_data_type=FREQUENCY, abscissa_len_unit_exp=0, abscissa_force_unit_exp=0,
        abscissa_temp_unit_exp=0, abscissa_axis_units_lab="Hz",
        z_axis_spec_data_type=0, z_axis_len_unit_exp=0, z_axis_force_unit_exp=0, z_axis_temp_unit_exp=0,
        z_axis_axis_units_lab="NONE", data=np.asarray(values), x=np.asarray(hz), spec_data_type=0, byte_ordering=1,
        fp_format=2, n_ascii_lines=11, n_bytes=16 * len(hz), **words,
    )  # fmt: skip


def _complex(variable):
    """A variable whose real and imaginary parts are one number."""
    if "part" not in variable.dims:
        return variable
    number = variable.sel(part="real", drop=True) + 1j * variable.sel(part="imaginary", drop=True)
    return number.assign_attrs(variable.attrs).rename(variable.name)


def _cells(values):
    """Texts as a cell array."""
    texts = [str(value) for value in values]
    cells = np.empty(len(texts), dtype=object)
    cells[:] = texts
    return cells
