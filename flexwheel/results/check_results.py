"""Whether a netCDF file holds what the table of variables says: what `view` and Python readers may rely on."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS, VEHICLE
from flexwheel.base.variables import CHECK_RAIL, LABELS, MESH_MODES, NAMED, PATCH_MAX, SIDES, variables

MAY_BE_NAN = ("control_node", "coupler", "body_point")
"""Dimensions of a vehicle run's variables that are no numbers somewhere: fixed points where the ring of a control node
has no node, couplers before the first step, stress at attachments; patches without contact besides, where their
variable says so."""
UNEVEN = 1e-6  # [-] by which sample steps may differ, relative
ALL = "all"  # attribute output_variables of a run that stores whatever it has


def check_results(dataset, path, values=True):
    """Raise ScenarioError, with the file and what is wrong, unless a Dataset is that of a run.

    Looked at: attributes, time, wheels and bodies, dimensions, labels and type of every variable of the table, and
    (`values`, for which all of it is read) whether its numbers are numbers. Variables that are not in the table are let
    through.
    """
    kind = dataset.attrs.get("kind", "missing")
    wrong = ("" if kind in KINDS else f"attribute kind must be one of {', '.join(KINDS)}, got {kind!r}") or (
        _attributes(dataset.attrs)
        or _time(dataset, KINDS[kind].even_samples)
        or KINDS[kind].wrong(dataset)
        or _all(dataset, kind, values)
    )
    if wrong:
        raise ScenarioError(f"{path}: not whole results of 'flexwheel run': {wrong}")


def whole_run(dataset, path):
    """The attribute `complete` as bool; ScenarioError where it is neither "true" nor "false"."""
    value = dataset.attrs.get("complete", "missing")
    if str(value) not in ("true", "false"):
        raise ScenarioError(f"{path}: attribute complete must be true or false, got {value!r}")
    return str(value) == "true"


def require_variables(dataset, what, names=None):
    """Raise ScenarioError unless a Dataset has the variables (default: those that pictures read) that `what` needs."""
    wanted, kind = names, dataset.attrs.get("kind")
    if wanted is None:
        flexible = "flexible" in dataset.dims
        wanted = [v.name for v in variables(kind).values() if v.read and (flexible or not v.when)]
    missing = [name for name in wanted if name not in dataset]
    if missing:
        stored = kind == VEHICLE and missing[0] in variables(kind)
        there = (
            "expected it among output.variables" if stored else f"they have {', '.join(map(str, dataset.data_vars))}"
        )
        raise ScenarioError(f"{what}: {missing[0]} is not in the results; {there}")


def select_labels(array, where):
    """A DataArray at labels of some of its dimensions.

    where : dict     dimension -> label

    Raises
    ------
    ScenarioError    a dimension it has not, or no such label; those there are
    """
    for dim, label in where.items():
        if dim not in array.dims or dim == "time":
            others = ", ".join(str(name) for name in array.dims if name != "time") or "none"
            raise ScenarioError(f"{array.name}: {dim} = {label!r}: it has the dimensions {others}")
        try:
            array = array.sel({dim: label})
        except (KeyError, ValueError, IndexError, TypeError):
            known = ", ".join(map(str, array[dim].values))
            raise ScenarioError(f"{array.name}: {dim} must be one of {known}, got {label!r}") from None
    return array


def _attributes(attrs):
    if "title" not in attrs and attrs["kind"] != VEHICLE:
        return "no attribute title"
    for key in ("status", "scenario", "title", "vehicle", "vehicle_kind", "modal_rates", "output_variables"):
        if not isinstance(attrs.get(key, ""), str):
            return f"attribute {key} must be text, got {attrs[key]!r}"
    for key in ("settling_s", "sample_step_s", "static_wheel_load_n"):
        try:
            value = np.asarray(attrs.get(key, 0.0), dtype=float)
        except (TypeError, ValueError):
            value = np.array(np.nan)
        single = key == "static_wheel_load_n" or value.ndim == 0
        if not single or not np.all(np.isfinite(value)) or np.any(value < 0.0):
            return f"attribute {key} must be zero or more, got {attrs[key]!r}"
    return ""


def _time(dataset, even):
    time = dataset.variables.get("time")
    if time is None or time.dims != ("time",):
        return "no coordinate time"
    values = time.values
    if not np.issubdtype(values.dtype, np.floating) or not np.all(np.isfinite(values)):
        return "time is not a row of finite numbers"
    if not len(values):
        return "time is empty: no sample was stored"
    steps = np.diff(values)
    if len(steps) and not even and steps.min() <= 0.0:
        return "time does not rise"
    if len(steps) and even and (steps[0] <= 0.0 or np.max(np.abs(steps - steps[0])) > UNEVEN * values[-1] + 1e-9):
        return f"time does not rise in even steps: {steps.min():.6g} to {steps.max():.6g} s"
    return ""


def wrong_bodies(dataset):
    """What is wrong with the names of wheelsets, bodies and wheels, or ""."""
    for name in ("wheelset", "body"):
        if name not in dataset.coords or dataset[name].dims != (name,) or not dataset.sizes[name]:
            return f"no coordinate {name}"
        labels = [str(label) for label in dataset[name].values]
        if len(set(labels)) != len(labels):
            return f"{name} has a name twice"
    wheelsets, bodies = ([str(label) for label in dataset[name].values] for name in ("wheelset", "body"))
    wheels = [f"{w} {side}" for w in wheelsets for side in SIDES]
    if "wheel" in dataset.dims and ("wheel" not in dataset.coords or list(map(str, dataset.wheel.values)) != wheels):
        return "wheel is not left and right of every wheelset"
    if set(wheelsets) - set(bodies):
        return f"wheelset {sorted(set(wheelsets) - set(bodies))[0]} is not among the bodies"
    return ""


def wrong_flexible(dataset):
    """What is wrong with loads and flexible wheelsets of a vehicle whose names are right, or ""."""
    wheels = len(SIDES) * dataset.sizes["wheelset"]
    loads = np.size(dataset.attrs.get("static_wheel_load_n", np.zeros(wheels)))
    if loads != wheels:
        return f"attribute static_wheel_load_n of {loads} wheels, expected {wheels}"
    if "flexible" not in dataset.dims:
        return ""
    if "flexible" not in dataset.coords or set(map(str, dataset.flexible.values)) - set(
        map(str, dataset.wheelset.values)
    ):
        return "flexible names no wheelsets of the run"
    modes = list(map(str, dataset["mesh_mode"].values.ravel())) if "mesh_mode" in dataset.coords else []
    if len(modes) != dataset.sizes["flexible"] or set(modes) - set(MESH_MODES):
        return f"mesh_mode must be {', '.join(MESH_MODES)} for every flexible wheelset, got {modes}"
    return ""


def _all(dataset, kind, values):
    table, flexible = variables(kind), "flexible" in dataset.dims
    if dataset.attrs.get("output_variables", ALL) == ALL:
        wanted = [v.name for v in table.values() if kind != VEHICLE or v.read and (flexible or not v.when)]
        missing = [name for name in wanted if name not in dataset.data_vars]
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            return f"variable {missing[0]}{more} missing"
    for name, variable in table.items():
        if name in dataset.data_vars and (wrong := _variable(dataset, variable, values)):
            return wrong
    return ""


def _variable(dataset, variable, values):
    name, array = variable.name, dataset[variable.name]
    if array.dims != variable.dims:
        return f"{name} has dimensions {array.dims}, expected {variable.dims}"
    if not np.issubdtype(array.dtype, np.number) or np.issubdtype(array.dtype, np.complexfloating):
        return f"{name} is of type {array.dtype}, expected numbers"
    for dim in variable.dims:
        if dim in (*NAMED, *LABELS) and dim not in dataset.coords:
            return f"{name}: {dim} has no names"
        if dim in NAMED and dataset[dim].dtype.kind not in "OUSTiu":
            return f"{name}: {dim} is of type {dataset[dim].dtype}, expected names or numbers of units"
        if dim != "time" and not dataset.sizes[dim]:
            return f"{name}: {dim} is empty"
        if dim in LABELS and [str(label) for label in dataset[dim].values] != list(LABELS[dim]):
            return f"{name}: {dim} is not {', '.join(LABELS[dim])}"
    absent = ("patch" in variable.dims or variable.when == CHECK_RAIL) and np.isnan(variable.absent)
    numbers = dataset.attrs["kind"] == VEHICLE and not absent and not set(variable.dims) & set(MAY_BE_NAN)
    if values and numbers and dataset.attrs["complete"] and not np.all(np.isfinite(array.values)):
        return f"{name} has values that are no numbers"
    room = dataset.sizes.get("patch") or PATCH_MAX
    if values and name == "patch_count" and array.values.max(initial=0) > room:
        return f"patch_count of {array.values.max()}, expected at most {room}"
    return ""
