"""A reduced body read back equals the one written; a bad file is replaced with a message, never a traceback."""

import os
import pickle
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from flexwheel.base.cache_root import cache_root
from flexwheel.body.body_cache import cached_body, cached_surface, load, save
from flexwheel.body.digest import reduction_key
from flexwheel.body.mesh import Material
from flexwheel.body.reduce import ReductionOptions, reduce_with_surface
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

MESH = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=8))
OPTIONS = ReductionOptions(fixed_interface_modes=6)


@pytest.fixture(scope="module")
def made():
    return reduce_with_surface(MESH, OPTIONS)


def assert_equal(a, b):
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    elif is_dataclass(a) or hasattr(a, "_fields"):
        for name in [f.name for f in fields(a)] if is_dataclass(a) else a._fields:
            if name != "options":  # a plain record; tuples come back as lists
                assert_equal(getattr(a, name), getattr(b, name))
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_equal(a[key], b[key])
    elif isinstance(a, tuple) and a and not isinstance(a[0], str):
        assert len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            assert_equal(left, right)
    else:
        assert a == b or (a != a and b != b)


def test_write_and_read_back(tmp_path, made):
    for value in made:
        save(value, tmp_path / "a.npz")
        assert_equal(value, load(tmp_path / "a.npz", type(value)))
    assert os.listdir(tmp_path) == ["a.npz"]  # no part of an earlier write is left


def test_second_call_reads_the_file(tmp_path, made):
    said = []
    first = cached_body(MESH, OPTIONS, "front", said.append, tmp_path)
    assert said  # progress of the reduction
    said.clear()
    again = cached_body(MESH, OPTIONS, "rear", said.append, tmp_path)
    assert not said
    assert (first.name, again.name) == ("front", "rear")
    assert_equal(replace(again, name="front"), first)
    assert cached_surface(MESH, OPTIONS, say=said.append, folder=tmp_path).key == first.key
    assert not said


def truncated(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def damaged(path):
    content = bytearray(path.read_bytes())
    for place in range(2000, len(content) - 2000, 997):
        content[place] ^= 0xFF
    path.write_bytes(bytes(content))


def empty(path):
    path.write_bytes(b"")


def foreign_text(path):
    path.write_text("radius = 0.46\n")


def foreign_archive(path):
    with open(path, "wb") as stream:
        np.savez(stream, velocity=np.ones(3))


def pickled_objects(path):
    with open(path, "wb") as stream:
        np.savez(stream, words=np.array([{"kind": "reduced body"}], dtype=object))


def bare_pickle(path):
    path.write_bytes(pickle.dumps({"frequency_hz": [1.0]}))


def other_key(path):
    value = load(path)
    save(replace(value, key="0" * 64), path)


def mode_missing(path):
    value = load(path)
    save(replace(value, frequency_hz=value.frequency_hz[:-1]), path)


def doubled_frequencies(path):
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    arrays["frequency_hz"] = 2 * arrays["frequency_hz"]
    with open(path, "wb") as stream:
        np.savez(stream, **arrays)


@pytest.mark.parametrize(
    "spoil",
    [
        doubled_frequencies,
        truncated,
        damaged,
        empty,
        foreign_text,
        foreign_archive,
        pickled_objects,
        bare_pickle,
        other_key,
        mode_missing,
    ],
)
def test_bad_file_is_made_anew_with_a_message(tmp_path, made, spoil):
    path = tmp_path / f"{reduction_key(MESH, OPTIONS)}.npz"
    save(made[0], path)
    spoil(path)
    said = []
    body = cached_body(MESH, OPTIONS, "wheelset", said.append, tmp_path)
    assert any("not usable" in line and str(path) in line for line in said)
    assert_equal(body, made[0])
    assert_equal(load(path), made[0])  # replaced on disk too


def test_folder_that_cannot_be_written_costs_only_the_saving(tmp_path, made):
    blocked = tmp_path / "file"
    blocked.write_text("")
    said = []
    body = cached_body(MESH, OPTIONS, "wheelset", said.append, blocked / "cache")
    assert_equal(body, made[0])
    assert any("cannot be written" in line for line in said)


def test_key_follows_content(made):
    key = reduction_key(MESH, OPTIONS)
    assert key == reduction_key(replace(MESH), replace(OPTIONS)) == made[0].key
    nodes = MESH.nodes.copy()
    nodes[0, 0] += 1e-12
    softer = (Material(2.0e11, 0.3, 7850.0),)
    others = [
        reduction_key(replace(MESH, nodes=nodes), OPTIONS),
        reduction_key(replace(MESH, materials=softer), OPTIONS),
        reduction_key(replace(MESH, node_sets={}), OPTIONS),
        reduction_key(MESH, replace(OPTIONS, coupling="rigid")),
        reduction_key(MESH, replace(OPTIONS, control=("tread_left",))),
    ]
    assert len({key, *others}) == 1 + len(others)


def test_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("FLEXWHEEL_CACHE", raising=False)
    assert cache_root() == tmp_path / "flexwheel"
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "mine"))
    assert cache_root() == tmp_path / "mine"
