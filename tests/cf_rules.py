"""Rules of the climate and forecast conventions (CF-1.8) that a checker of them applies to files such as ours.

Numbers are those of its sections. Label variables are text of the name of their dimension, which the conventions know
as auxiliary coordinates only; the rules for coordinate variables are applied to numbers.

Source: Eaton and others 2020, NetCDF Climate and Forecast (CF) Metadata Conventions 1.8.
"""

import re

import netCDF4
import numpy as np

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")  # 2.3
TYPES = {np.dtype(kind) for kind in ("i1", "i2", "i4", "f4", "f8")}  # 2.2, beside text
UNITS = set("1 m s rad N Pa Hz dB kg J W km km/h MN kN mm degree %".split())
"""Units and their names of UDUNITS (3.1) that our files may have, each with a whole exponent behind it."""
TEXTS = ("title", "history", "institution", "source", "references", "comment")  # 2.6.2


def broken(path):
    """Lines: what a file does not keep, by section; none where it keeps all."""
    with netCDF4.Dataset(path) as file:
        attributes = {name: file.getncattr(name) for name in file.ncattrs()}
        found = [] if attributes.get("Conventions") == "CF-1.8" else ["2.6.1: no attribute Conventions = CF-1.8"]
        found += [f"2.6.2: {name} is no text" for name in TEXTS if not isinstance(attributes.get(name, ""), str)]
        own = attributes.get("kind") == "study"  # whose variables are called as its user calls them; 2.3 recommends
        names = [*attributes, *([] if own else [*file.dimensions, *file.variables])]
        found += [f"2.3: name {name!r}" for name in names if not NAME.fullmatch(name)]
        if len({name.lower() for name in file.variables}) < len(file.variables):
            found.append("2.3: names of variables differ by their case alone")
        for name, variable in file.variables.items():
            found += [f"{name}, {line}" for line in _broken(file, name, variable)]
    return found


def _broken(file, name, variable):
    words = {key: variable.getncattr(key) for key in variable.ncattrs()}
    text = variable.dtype is str
    if not text and variable.dtype not in TYPES:
        yield f"2.2: type {variable.dtype}"
    if len(set(variable.dimensions)) < len(variable.dimensions):
        yield "2.4: a dimension twice"
    if not any(isinstance(words.get(key), str) and words[key] for key in ("long_name", "standard_name")):
        yield "3.2: neither long_name nor standard_name"
    units = words.get("units", "1")
    parts = re.fullmatch(r"(\S+?)(-?\d+)?( (\S+?)(-?\d+)?)*", units) if isinstance(units, str) else None
    if not parts or any(re.sub(r"-?\d+$", "", part) not in UNITS and part != "1" for part in units.split(" ")):
        yield f"3.1: units {units!r}"
    if words.get("standard_name") == "time" or words.get("axis") == "T":
        if " since " not in units:
            yield f"4.4: a time axis whose units {units!r} name no date"
    for other in str(words.get("coordinates", "")).split():
        if other not in file.variables:
            yield f"5: coordinates name {other}, which is not there"
        elif not set(file[other].dimensions) <= set(variable.dimensions):
            yield f"5: dimensions of {other} are not its own"
    if name in file.dimensions and not text:
        if "_FillValue" in words or "missing_value" in words:
            yield "2.5.1: a coordinate variable with missing values"
        steps = np.diff(variable[:])
        if not (np.all(steps > 0) or np.all(steps < 0)):
            yield "5: a coordinate variable that does not rise or fall"
