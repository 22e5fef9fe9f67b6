"""Reduced bodies of a unit's wheelsets from the cache, without reading their meshes: half of its start.

The unit says which bodies it was exported with, by the keys of their files in the cache (flexwheel/body/body_cache.py:
nothing is unpickled, nothing read that another user may have written). Where its scenario or a mesh is not that of the
export, or a file is not in the cache, the meshes are read and reduced as for a run.

Verified in tests/studies/test_fmu_verified.py.
"""

import hashlib
import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from flexwheel.base.cache_root import cache_root
from flexwheel.base.errors import FlexwheelError
from flexwheel.body.body_cache import load

BODIES = "bodies.json"
KEY = re.compile(r"[0-9a-f]{64}")


def bodies_said(bodies, scenario, meshes):
    """Content (str) of the file BODIES of a unit.

    bodies : dict               name -> ReducedBody
    scenario, meshes : bytes, sequence of bytes         contents of the unit's files
    """
    return json.dumps({"of": _stamp(scenario, meshes), "keys": {name: body.key for name, body in bodies.items()}})


def bodies_of(scenario, path):
    """ReducedBody of every flexible wheelset of a scenario file, by name; raises what `flexible_wheelsets` raises."""
    said = Path(path).with_name(BODIES)
    if said.is_file():
        with suppress(FlexwheelError, OSError, RuntimeError, ValueError, KeyError, TypeError):
            return _kept(scenario, Path(path), json.loads(said.read_text(encoding="utf-8")))
    from flexwheel.run.reduced_bodies import flexible_wheelsets

    return {name: item.body for name, item in flexible_wheelsets(scenario, lambda line: None).items()}


def mesh_files(scenario):
    """File of every flexible wheelset, by name."""
    sections = scenario.wheelset.items()
    return {name: Path(section.mesh) for name, section in sections if section.formulation == "flexible"}


def _kept(scenario, path, said):
    meshes = mesh_files(scenario)
    if said["of"] != _stamp(path.read_bytes(), [file.read_bytes() for file in meshes.values()]):
        raise ValueError(said["of"])
    found = {}
    for name in meshes:
        if not KEY.fullmatch(key := said["keys"][name]):
            raise ValueError(key)
        body = load(cache_root() / f"{key}.npz")
        if body.key != key:
            raise ValueError(key)
        found[name] = replace(body, name=name)
    return found


def _stamp(scenario, meshes):
    digest = hashlib.sha256()
    for content in (scenario, *meshes):
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()
