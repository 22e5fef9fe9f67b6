"""Reduced bodies on disk: one .npz file each, named by the digest of mesh, options and format.

The folder is FLEXWHEEL_CACHE, else $XDG_CACHE_HOME/flexwheel, else ~/.cache/flexwheel. A file appears whole or not at
all. One that cannot be read, belongs to another key, lacks a field or does not have the contents its digest was made of
is replaced, with a message; a folder that cannot be written costs the saving, not the run. Nothing is unpickled, and
nothing is read that another user may have written (cache_root.py).
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.base.cache_root import cache_root, close_to_others, open_private, own_folder
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import read_archive, write_archive
from flexwheel.body.digest import REDUCTION_FORMAT, reduction_key
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import ControlRings, FlexibleBody, InertiaInvariants, ReducedBody, Tread, TreadField
from flexwheel.body.surface import SurfaceModes

KIND = {ReducedBody: "reduced body", SurfaceModes: "surface modes", FlexibleBody: "flexible body"}
ENDINGS = {ReducedBody: "", SurfaceModes: ".surface", FlexibleBody: ""}


class _Unreadable(FlexwheelError):
    """The file is not what its name says."""


def cached_body(
    mesh: Mesh,
    options=None,
    name: str = "wheelset",
    say: Callable[[str], None] | None = None,
    folder: Path | None = None,
) -> ReducedBody:
    """Reduced body from the cache, or made and kept there.

    Parameters
    ----------
    mesh : Mesh
    options : ReductionOptions
    name : str                    name the body carries
    say : function(str)           called with progress and with every message about the cache
    folder : Path                 default: `cache_root()`

    Raises
    ------
    MeshError, ConvergenceError   as `reduce_wheelset`; a bad cache file raises nothing

    Verified in tests/verification/test_body_cache.py.
    """
    return _cached(ReducedBody, mesh, options, name, say, folder)


def cached_surface(mesh: Mesh, options=None, name="wheelset", say=None, folder=None) -> SurfaceModes:
    """Shapes and stress of the modes on the outer surface, for pictures; as `cached_body`."""
    return _cached(SurfaceModes, mesh, options, name, say, folder)


def cached_flexible(mesh: Mesh, options, name: str, say=lambda line: None, folder=None) -> FlexibleBody:
    """Flexible body that does not spin; as `cached_body`."""
    return _cached(FlexibleBody, mesh, options, name, say, folder)


def save(value: ReducedBody | SurfaceModes | FlexibleBody, path: Path) -> None:
    """Write a file whole or not at all. Raises FlexwheelError, OSError where its folder cannot be made."""
    arrays, words = {}, {}
    _flatten("", value, arrays, words)
    words["kind"], words["format"] = KIND[type(value)], REDUCTION_FORMAT
    words = json.loads(json.dumps(words))  # as they will be read
    words["digest"] = _digest(arrays, words)
    own_folder(path.parent)
    write_archive(path, words, arrays)
    close_to_others(path)


def load(path: Path, kind: type = ReducedBody) -> ReducedBody | SurfaceModes | FlexibleBody:
    """Read what `save` wrote.

    Raises
    ------
    FlexwheelError       not a file of this kind and format, truncated or damaged
    OSError              no such file; NotOwnError: one that another user may have written
    """
    with open_private(path) as stream:
        try:
            value = _read(stream, kind)
        except _Unreadable:
            raise
        except Exception as error:
            raise _Unreadable(f"{type(error).__name__}: {error}") from error
    _check(value)
    return value


def _read(stream, kind):
    words, arrays = read_archive(stream)
    if words.get("kind") != KIND[kind] or words.get("format") != REDUCTION_FORMAT:
        raise _Unreadable(f"holds {words.get('kind')!r} of format {words.get('format')!r}")
    if words.pop("digest", "") != _digest(arrays, words):
        raise _Unreadable("its contents are not those it was written with")
    if kind is FlexibleBody:
        names = {name: tuple(words[name]) for name in ("place_name", "audit")}
        return _part(FlexibleBody, "", arrays, words, **names)
    return _body(arrays, words) if kind is ReducedBody else _surface(arrays, words)


def _digest(arrays, words):
    """Hexadecimal SHA-256 of all arrays and words."""
    digest = hashlib.sha256(json.dumps(words, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array)
    return digest.hexdigest()


def _cached(kind, mesh, options, name, say, folder):
    from flexwheel.body.flexible_body import reduce_body  # a unit that finds its bodies starts without
    from flexwheel.body.reduce import ReductionOptions, reduce_with_surface

    options = options or ReductionOptions()
    say = say or (lambda line: None)
    folder = Path(folder) if folder is not None else cache_root()
    key = reduction_key(mesh, options)
    paths = {kind: folder / f"{key}{ending}.npz" for kind, ending in ENDINGS.items()}
    try:
        value = load(paths[kind], kind)
        if value.key != key:
            raise _Unreadable("belongs to another mesh or other options")
        return replace(value, name=name)
    except FileNotFoundError:
        pass
    except (FlexwheelError, OSError) as error:
        say(f"cache file {paths[kind]} is not usable ({error}); the mesh is reduced again")
    if kind is FlexibleBody:
        made = [reduce_body(mesh, options, name, say)]
    else:
        made = reduce_with_surface(mesh, options, name, say)
    for value in made:
        try:
            save(value, paths[type(value)])
        except (FlexwheelError, OSError) as error:
            say(f"cache folder {folder} cannot be written ({error}); the reduction is not kept")
            break
    return next(value for value in made if isinstance(value, kind))


def _flatten(prefix, value, arrays, words):
    """Arrays and words of a dataclass or named tuple, by dotted name."""
    names = [f.name for f in fields(value)] if is_dataclass(value) else value._fields
    for field in names:
        item, label = getattr(value, field), f"{prefix}{field}"
        if isinstance(item, np.ndarray):
            arrays[label] = item
        elif is_dataclass(item) or hasattr(item, "_fields"):
            _flatten(label + ".", item, arrays, words)
        elif isinstance(item, tuple) and item and is_dataclass(item[0]):
            words[label] = len(item)
            for k, part in enumerate(item):
                _flatten(f"{label}.{k}.", part, arrays, words)
        elif isinstance(item, dict) and item and all(isinstance(v, np.ndarray) for v in item.values()):
            words[label] = list(item)
            for k, part in enumerate(item.values()):
                arrays[f"{label}.{k}"] = part
        else:
            words[label] = item


def _part(kind, prefix, arrays, words, **given):
    """Object of a dataclass or named tuple from its arrays and words."""
    names = [f.name for f in fields(kind)] if is_dataclass(kind) else kind._fields
    for field in names:
        label = f"{prefix}{field}"
        if field not in given:
            given[field] = arrays[label] if label in arrays else words[label]
    return kind(**given)


def _body(arrays, words):
    treads = tuple(_part(Tread, f"treads.{k}.", arrays, words) for k in range(words["treads"]))
    control = _part(ControlRings, "control.", arrays, words, name=tuple(words["control.name"]))
    invariants = _part(InertiaInvariants, "invariants.", arrays, words)
    return _part(
        ReducedBody, "", arrays, words, treads=treads, control=control, invariants=invariants,
        near=_part(TreadField, "near.", arrays, words), audit=tuple(words["audit"]),
    )  # fmt: skip


def _surface(arrays, words):
    tables = {
        label: {name: arrays[f"{label}.{k}"] for k, name in enumerate(words[label])}
        for label in ("families", "family_hz")
    }
    return _part(SurfaceModes, "", arrays, words, **tables)


def _check(value):
    """The modes of all tables must be as many as the frequencies."""
    modes = len(value.frequency_hz)
    if isinstance(value, ReducedBody):
        counts = [value.generator.shape[1], value.control.stress_rows.shape[-1], value.invariants.s_h.shape[1]]
        counts += [t.profile_rows.shape[-1] for t in value.treads]
    elif isinstance(value, FlexibleBody):
        counts = [value.place_rows.shape[-1], value.s_h.shape[1], value.p_xh.shape[-1], value.stress_rows.shape[-1]]
    else:
        counts = [value.rows.shape[-1]]
    if set(counts) != {modes}:
        raise _Unreadable(f"its tables hold {sorted(set(counts))} modes, its frequencies {modes}")
