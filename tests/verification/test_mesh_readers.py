"""Readers against what was written: ranges, exceptions, replication and fields of any values (hypothesis, seeded)."""

import numpy as np
import pytest
from fuzz.mesh_cases import nastran
from hypothesis import given, settings
from hypothesis import strategies as st

from flexwheel.body.mesh import ElementBlock, Mesh
from flexwheel.body.mesh_format import read_mesh
from flexwheel.extensions.formats.id_ranges import IdRange, range_list, unfolded
from flexwheel.extensions.formats.mesh_text import parse_id
from flexwheel.extensions.formats.nastran.nastran_cards import to_real
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.mesh_writers import write_mesh

FEW = settings(max_examples=25, derandomize=True, deadline=None)
IDS = st.lists(st.integers(1, 60), min_size=1, max_size=40, unique=True)


@FEW
@given(IDS, st.integers(1, 60), st.integers(0, 60), st.integers(1, 7), st.lists(st.integers(1, 60), max_size=4))
def test_ranges_take_what_exists(known, first, length, step, excepted):
    known = np.array(known)
    inside = [i for i in excepted if first <= i <= first + length]
    words = f"{first} THRU {first + length} BY {step}" + (f" EXCEPT {' '.join(map(str, inside))}" if inside else "")
    got = unfolded(range_list(words.split(), parse_id), known)
    expected = [i for i in range(first, first + length + 1, step) if i in known and i not in inside]
    assert got.tolist() == expected


@FEW
@given(IDS, st.integers(1, 10**12), st.integers(0, 10**18))
def test_wide_ranges_cost_no_more_than_what_exists(known, first, length):
    got = unfolded([IdRange(first, first + length)], np.array(known))
    assert got.tolist() == sorted(i for i in known if first <= i <= first + length)


def test_exceptions_of_case_control(tmp_path):
    """Exceptions end at the first id outside the range, which is a member again (quick reference guide, SET)."""
    sets = "SET 7 = 1 THRU 10 EXCEPT 3, 4 THRU 5, 12\n"
    (tmp_path / "m.bdf").write_text(nastran().replace("CEND\n", "CEND\n" + sets))
    mesh, _ = read_mesh(tmp_path / "m.bdf")
    assert mesh.node_ids[mesh.node_sets["SET_7"]].tolist() == [1, 2, 6, 7, 8, 9, 10, 12]


@FEW
@given(st.integers(1, 12), st.integers(1, 9), st.floats(0.05, 0.5), st.booleans(), st.booleans())
def test_replicated_cards_are_all_there(tmp_path_factory, count, step, pitch, fixed, bare):
    """A row of count + 1 hexahedra, nodes and tetrahedra-free: GRID replicated; equal to the cards written out."""
    path = tmp_path_factory.mktemp("r") / "m.bdf"
    number = f"={count - 1}" if bare else f"=({count - 1})"
    increment = lambda v: f"*{v}" if bare else f"*({v})"  # noqa: E731
    cards = []
    for base, (y, z) in ((1000, (0, 0)), (2000, (1, 0)), (3000, (1, 1)), (4000, (0, 1))):
        cards.append(f"GRID,{base},,0.,{y}.,{z}.")
        row = ["=", increment(step), "=", increment(f"{pitch:.3f}"), "=", "="]
        cards.append("".join(f"{w:<8}" for w in row).rstrip() if fixed else ",".join([*row[:4], "=="]))
        cards += [number] if count > 1 else []
    for k in range(count):
        a, b = k * step, (k + 1) * step
        corners = [base + i for i in (a, b) for base in (1000, 2000, 3000, 4000)]
        cards.append(f"CHEXA,{k + 1},1,{','.join(map(str, corners[:6]))}\n,{corners[6]},{corners[7]}")
    path.write_text("BEGIN BULK\n" + "\n".join(cards) + "\nENDDATA\n")
    mesh, _ = read_mesh(path)
    assert len(mesh.nodes) == 4 * (count + 1) and mesh.element_count == count
    assert np.ptp(mesh.nodes[:, 0]) == pytest.approx(count * float(f"{pitch:.3f}"), rel=1e-9)


def test_replicated_elements_are_all_there(tmp_path):
    """`=, *(1)` lost elements: CTETRA 2 to 4 replicated, 8 nodes apart."""
    cards = []
    for k in range(4):
        for j, p in enumerate(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))):
            cards.append(f"GRID,{8 * k + j + 1},,{p[0]}.,{p[1]}.,{p[2] + k}.")
    cards += ["CTETRA,1,1,1,2,3,4", "=,*(1),=,*(8),*(8),*(8),*(8)", "=(2)"]
    cards += [f"CTETRA,{5 + k},1,{8 * k + 4},{8 * k + 10},{8 * k + 11},{8 * k + 12}" for k in range(3)]
    (tmp_path / "m.bdf").write_text("BEGIN BULK\n" + "\n".join(cards) + "\nENDDATA\n")
    mesh, _ = read_mesh(tmp_path / "m.bdf", ignore=())
    assert mesh.element_count == 7
    ids = {
        int(i): mesh.node_ids[row].tolist() for b in mesh.blocks for i, row in zip(b.ids, b.connectivity, strict=True)
    }
    assert ids[4] == [25, 26, 27, 28]


@FEW
@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_reals_as_nastran_writes_them(value):
    plain = f"{value:.8E}"
    mantissa, exponent = plain.split("E")
    for word in (plain, f"{mantissa}{int(exponent):+d}", f"{mantissa}D{exponent}", plain.lower()):
        assert to_real(word) == pytest.approx(value, rel=1e-7, abs=1e-44)


@FEW
@given(
    st.integers(0, 2**32 - 1), st.sampled_from([".inp", ".bdf", ".msh"]), st.sampled_from(["hex8", "wedge15", "tet10"])
)
def test_written_meshes_read_back(tmp_path_factory, seed, suffix, kind):
    """Any ids up to eight digits, any sets."""
    rng = np.random.default_rng(seed)
    box = box_mesh(kind, (2, 1, 1), (0.4, 0.3, 0.2), distortion=0.2, seed=seed % 1000)
    node_ids = rng.choice(10**7, len(box.nodes), replace=False) + 1
    ids = rng.choice(10**7, box.element_count, replace=False) + 1
    block = ElementBlock(kind, box.blocks[0].connectivity, ids)
    sets = {f"S{k}": rng.permutation(len(box.nodes))[: int(rng.integers(1, 9))] for k in range(3)}
    mesh = Mesh(box.nodes, node_ids, (block,), box.materials, sets, {})
    path = tmp_path_factory.mktemp("w") / f"m{suffix}"
    write_mesh(path, mesh)
    again, _ = read_mesh(path)
    assert np.array_equal(again.node_ids, node_ids) and np.array_equal(again.blocks[0].ids, ids)
    assert np.array_equal(again.blocks[0].connectivity, block.connectivity)
    for name, rows in sets.items():
        assert np.array_equal(again.node_sets[name], rows)
