"""Result files: one netCDF-4 file a run, written whole from blocks of samples; opened whole or block by block."""

import inspect
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS
from flexwheel.base.output_files import output_folder, write_whole
from flexwheel.base.variables import SCHEMA_VERSION, variables
from flexwheel.results.check_results import check_results, whole_run
from flexwheel.results.dataset import CONVENTIONS, LINES
from flexwheel.results.netcdf_files import LOCK, SharedFile, in_memory, new_file, store_of

RESULTS_NAME = "results.nc"
PART_NAME = "results.part.nc"
"""What a run writes while it goes on; it stays where the run was killed."""
CHUNK = 2**19  # [byte] of a compressed piece of a variable
TRIED, WORTH = 2**16, 0.6
"""[byte] of a variable that are compressed to see whether it pays; share of its size that must be left at most. What
vibrates shrinks to three quarters, for more time than its simulation takes."""
KEPT = 4 * CHUNK  # [byte] of a variable that stay uncompressed while it is written or read
BLOCK = 2**14  # samples that are held at once
FROM_MEMORY = 2**28  # [byte] of a file that is read as a whole before it is opened
_OPTIONS = inspect.signature(xr.open_dataset).parameters  # an older xarray holds the times of an open file in memory
_UNREADABLE = (
    OSError, ValueError, RuntimeError, LookupError, TypeError, AttributeError, OverflowError, MemoryError
)  # fmt: skip
"""What netCDF and xarray raise from a damaged file."""
OLD_NAMES = ("train.nc", "realtime.nc", "reduced.nc")
"""Files of versions that had one schema a kind."""


def write_results(dataset, path):
    """Write a Dataset as netCDF-4 so that the file appears whole or not at all; returns its Path.

    A folder may be given; the file is then results.nc in it.
    """
    return write_blocks([dataset], path)


def write_blocks(blocks, path, attributes=None):
    """As `write_results`, from Datasets of one run, block after block of its samples.

    attributes : callable or None    gives attributes to be set when all blocks have passed
    """
    path = Path(path)
    if path.suffix != ".nc":
        path = output_folder(path) / RESULTS_NAME

    def write(target):
        with new_file(target) as file:
            at = 0
            for block in blocks:
                block = block.compute()  # what lies in another file is not read within LOCK
                with LOCK:
                    if not file.variables:
                        define(file, block)
                    _write_samples(file, block, at)
                at += block.sizes.get("time", 0)
            found = attributes() if attributes else {}
            with LOCK:
                for name, value in found.items():
                    file.setncattr(name, storable(value))

    write_whole(path, write)
    return path


def _write_samples(file, block, at):
    """The samples of a Dataset, from row `at` of the file, but for patches that a wheel does not have: they are fill
    values, which take no space.

    Within LOCK.
    """
    for name, variable in block.variables.items():
        if "time" not in variable.dims:
            continue
        axis, rows = variable.dims.index("time"), slice(at, at + block.sizes["time"])
        sizes = [1 if _alone(dim, variable) else max(1, size) for dim, size in variable.sizes.items()]
        for first in np.ndindex(*np.floor_divide(variable.shape, sizes)):
            place = [slice(k, k + size) for k, size in zip(first, sizes, strict=True)]
            values = variable.values[tuple(place)]
            if not any(first) or not np.isnan(values).all():
                place[axis] = rows
                file[name][tuple(place)] = values


def _alone(dim, variable):
    """Whether each place of a dimension is a piece of the file of its own: of patches, which most wheels have not."""
    return dim != "time" and "patch" in variable.dims and np.issubdtype(variable.dtype, np.floating)


def define(file, dataset, samples=None):
    """Dimensions, coordinates and variables of a Dataset in a netCDF file, and what does not move with time.

    Within LOCK.

    samples : int or None     length of the time axis of a file whose layout never changes: uncompressed, patches first
                              so that those never used take no space; None: unlimited and compressed
    """
    kind = dataset.attrs.get("kind", KINDS.default)
    table = variables(kind) if kind in KINDS else {}
    file.setncatts({name: storable(value) for name, value in ({"Conventions": CONVENTIONS} | dataset.attrs).items()})
    for dim, length in dataset.sizes.items():
        file.createDimension(dim, samples if dim == "time" else length)
    further = [item for item in dataset.coords if item not in dataset.dims and dataset[item].dims != ("time",)]
    held = {dim for name in dataset.data_vars for dim in dataset[name].dims}
    if loose := [item for item in further if not set(dataset[item].dims) <= held]:  # beside no variable that is stored
        file.coordinates = " ".join(loose)
    for name, variable in dataset.variables.items():
        kind, dims = variable.dtype, variable.dims
        if not np.issubdtype(kind, np.number):
            kind = str
        elif name in table:
            kind = np.dtype(table[name].storage)
        elif kind == np.int64 and (
            name in table or "time" not in dims and np.abs(variable.values).max(initial=0) < 2**31
        ):
            kind = np.dtype(np.int32)  # CF-1.8 knows no longer one
        options = {}
        if samples is not None and "time" in dims:
            dims = tuple(sorted(dims, key=lambda dim: dim != "patch"))
            options = {"contiguous": True, "fill_value": False}
        elif kind is not str and dims:
            held = {dim: 1 if _alone(dim, variable) else max(1, dataset.sizes[dim]) for dim in dims}
            row = np.dtype(kind).itemsize * int(np.prod([held[dim] for dim in dims if dim != "time"]))
            held["time"] = max(1, min(dataset.sizes.get("time", 1), CHUNK // max(row, 1)))
            fill = np.nan if np.issubdtype(kind, np.floating) and name not in dataset.coords else None
            sizes = [held[dim] for dim in dims]
            options = {"chunksizes": sizes, "fill_value": fill}
            if "time" not in dims or _shrinks(variable.isel(patch=slice(1), missing_dims="ignore"), kind):
                options |= {"zlib": True, "complevel": 1, "shuffle": True}
        made = file.createVariable(name, kind, dims, **options)
        if kind is not str and samples is None and dims:
            made.set_var_chunk_cache(size=KEPT)
        made.set_auto_maskandscale(False)
        unit = {"units": "1"} if kind is not str and np.issubdtype(kind, np.integer) else {}
        made.setncatts({"long_name": name.replace("_", " ")} | unit | variable.attrs)
        beside = [item for item in further if set(dataset[item].dims) <= set(dims)]
        if name in dataset.data_vars and beside:
            made.coordinates = " ".join(beside)
        if "time" not in dims and variable.size:
            made[:] = variable.values if kind is not str else variable.values.astype(object)


def _shrinks(variable, kind):
    """Whether samples of a variable, those in its middle, are worth the time that compression takes."""
    values = variable.transpose("time", ...).values
    row = np.dtype(kind).itemsize * int(np.prod(values.shape[1:]))
    rows = max(1, TRIED // max(row, 1))
    first = max(0, (len(values) - rows) // 2)
    octets = np.ascontiguousarray(values[first : first + rows], dtype=kind).view(np.uint8)
    shuffled = octets.reshape(-1, np.dtype(kind).itemsize).T.tobytes()
    return len(zlib.compress(shuffled, 1)) < WORTH * len(shuffled)


def storable(value):
    """An attribute as netCDF takes it: truth as words, lists of lines as one text."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and (not value or isinstance(value[0], str)):
        return "\n".join(value)
    return value


def results_file(path):
    """Path of the result file that a path means; that of a killed run comes before the one of the run before it."""
    path = given = Path(path)
    if path.is_dir():
        old = [path / name for name in OLD_NAMES if (path / name).is_file()]
        found = [path / name for name in (PART_NAME, RESULTS_NAME) if (path / name).is_file()]
        path = (found or old or [path / RESULTS_NAME])[0]
    if not path.is_file():
        if given.is_dir():
            raise ScenarioError(f"{given} must be the folder of a run, but holds no {RESULTS_NAME}")
        raise ScenarioError(f"{path} must be results written by 'flexwheel run', but there is no such file")
    return path


def read_results(path, kinds=KINDS):
    """Dataset of a result file, in memory; a folder may be given.

    kinds : sequence of str     kinds of run that are wanted

    Raises
    ------
    ScenarioError   when there is no such file, or it is not a whole result file of this package; see check_results
    """
    path = results_file(path)
    dataset = _opened(path)
    dataset.encoding["source"] = str(path.resolve())  # one read from bytes has none
    if path.name.endswith(PART_NAME):
        if not dataset.sizes.get("time", 1):
            raise ScenarioError(f"{path}: the run was killed before its first sample; run the scenario again")
        with _readable(path):
            dataset = whole_part(dataset)
    kind = require_version(dataset, path)
    if not isinstance(kind, str) or kind not in kinds:
        raise ScenarioError(f"{path} must be results of kind {' or '.join(map(repr, kinds))}, got {kind!r}")
    restore(dataset, path)
    check_results(dataset, path)
    return dataset


def require_version(dataset, path):
    """Kind of results; ScenarioError where they are not of a run, or not of this version's schema."""
    if "kind" not in dataset.attrs and "schema_version" not in dataset.attrs:
        raise ScenarioError(f"{path} must be results written by 'flexwheel run', got netCDF of another program")
    version = dataset.attrs.get("schema_version", "1 (none)")
    if not isinstance(version, int | np.integer) or version != SCHEMA_VERSION:
        shown = repr(version) if isinstance(version, str) else version
        raise ScenarioError(
            f"{path}: schema_version must be {SCHEMA_VERSION}, which this version of flexwheel reads, got {shown}; run "
            "the scenario again"
        )
    return dataset.attrs.get("kind", KINDS.default)


def restore(dataset, path):
    """Attributes of a Dataset that was opened as they were before it was written."""
    for name in LINES:
        if name in dataset.attrs:
            dataset.attrs[name] = [line for line in str(dataset.attrs[name]).split("\n") if line]
    dataset.attrs["complete"] = whole_run(dataset, path)
    return dataset


def open_results(path):
    """Dataset of a result file of this version that stays on the disk: values are read as they are asked for.

    Times have no index (`.set_xindex("time")` makes one), and of a variable's pieces few are kept: netCDF would keep
    64 MB of each.
    """
    with _readable(path):
        return restore(_on_the_disk(SharedFile(path)), path)


def stored_attributes(path):
    """Attributes of a netCDF-4 file, by name."""
    with _readable(path):
        shared = SharedFile(path)
        with LOCK:
            file = shared.acquire()
            found = {name: file.getncattr(name) for name in file.ncattrs()}
        shared.close()
        return found


@contextmanager
def _readable(path):
    """What a damaged file raises as a ScenarioError that names it."""
    try:
        yield
    except _UNREADABLE as error:
        raise ScenarioError(
            f"{path} must be results written by 'flexwheel run', but cannot be read as netCDF-4: {error}"
        ) from None


def _on_the_disk(shared):
    """Dataset of a SharedFile, its times without an index."""
    options = {"create_default_indexes": False} if "create_default_indexes" in _OPTIONS else {}
    with LOCK:
        for variable in shared.acquire().variables.values():
            if variable.chunking() not in (None, "contiguous"):
                variable.set_var_chunk_cache(size=KEPT)
        dataset = xr.open_dataset(store_of(shared), engine="store", cache=False, **options)
        for name in (n for n in dataset.dims if n in dataset.coords and n not in ("time", *dataset.xindexes)):
            dataset = dataset.set_xindex(name)
        return dataset.drop_indexes([name for name in dataset.xindexes if name == "time"])


def loaded(path):
    """Dataset of any netCDF-4 file of this package (a study, a response, an envelope), in memory."""
    return _opened(Path(path))


def _opened(path):
    """Dataset of a netCDF-4 file, in memory; of the file of a killed run what was written."""
    part = path.name.endswith(PART_NAME)

    def begun(opened):
        return opened.isel(time=slice(0, written(opened.time.values))) if part and "time" in opened.coords else opened

    with _readable(path):  # a small one from its bytes, so that it may be open elsewhere: see SharedFile
        return in_memory(path, not part and path.stat().st_size <= FROM_MEMORY, begun)


def written(time):
    """Samples of a run that is not at its end: times are written last, and are zero before, the first one nan."""
    last = np.flatnonzero(time)
    return 0 if np.isnan(time[:1]).any() else int(last[-1]) + 1 if len(last) else min(1, len(time))


def whole_part(dataset, slots=None):
    """Samples of an unfinished run as those of a result file: order of dimensions, and as many patches as were used.

    slots : int, optional       patches that the run used; of these samples where not given
    """
    if "patch" not in dataset.dims:
        return dataset
    table, count = variables(dataset.attrs["kind"]), dataset.patch_count.values
    slots = min(max(1, int(count.max(initial=0))), dataset.sizes["patch"]) if slots is None else slots
    dataset = dataset.isel(patch=slice(0, slots))
    present, found = np.arange(slots) < count[..., None], {}
    for name in [name for name in dataset.data_vars if "patch" in dataset[name].dims]:
        values, there = dataset.variables[name].transpose(*table[name].dims), present
        if "flexible" in values.dims:
            flexible = np.isin(dataset.wheelset.values, dataset.flexible.values)
            there = present.reshape(len(present), len(flexible), 2, 1, slots)[:, flexible]
        found[name] = values.copy(data=np.where(there, values.values, values.dtype.type(table[name].absent)))
    return dataset.assign(found)
