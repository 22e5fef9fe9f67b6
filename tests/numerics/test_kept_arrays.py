"""Arrays kept on the disk are those that were made, bit by bit; what may not be read is made anew."""

import numpy as np
import pytest

from flexwheel.numerics import kept_arrays as kept
from flexwheel.track import rail_match
from flexwheel.track.track_parameters import rail_section


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Function that asks for the arrays of some values; list of the values that were made; folder."""
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    made = []

    def ask(values="a", most=200):
        def make():
            made.append(values)
            return {"x": np.array([1.0 / 3.0, -0.0, 5e-324]), "y": np.arange(6).reshape(2, 3)}

        return kept.kept_arrays("track", values, [rail_match.__file__], make, most)

    return ask, made, tmp_path / "cache" / "track"


def test_they_are_made_once_for_the_same_values(asked):
    ask, made, folder = asked
    first, again = ask(), ask()
    assert made == ["a"] and list(again) == list(first)
    assert all(again[name].tobytes() == first[name].tobytes() for name in first)
    ask("b")
    assert made == ["a", "b"] and len(list(folder.iterdir())) == 2


def test_another_program_makes_them_anew(asked, monkeypatch):
    ask, made, _ = asked
    ask()
    monkeypatch.setattr(kept, "source_stamp", lambda source: "other")
    ask()
    assert len(made) == 2


@pytest.mark.parametrize("place", [0, 60, 300, None])
def test_a_damaged_file_is_made_anew(asked, place):
    ask, made, folder = asked
    first = ask()
    (file,) = folder.iterdir()
    octets = bytearray(file.read_bytes())
    if place is None:
        octets = octets[: len(octets) // 2]
    else:
        octets[place] ^= 0x55
    file.write_bytes(octets)
    assert ask()["x"].tobytes() == first["x"].tobytes() and len(made) == 2
    ask()
    assert len(made) == 2  # and kept


@pytest.mark.parametrize("which, mode", [("file", 0o602), ("folder", 0o720)])
def test_what_others_may_write_is_not_read(asked, which, mode):
    ask, made, folder = asked
    ask()
    (folder if which == "folder" else next(folder.iterdir())).chmod(mode)
    ask()
    assert len(made) == 2


def test_the_oldest_go(asked):
    ask, made, folder = asked
    for values in "abcde":
        ask(values, most=3)
    assert len(list(folder.iterdir())) == 3
    ask("e", most=3)
    assert made == list("abcde")


def test_the_oldest_go_where_they_are_too_large(asked, monkeypatch):
    ask, made, folder = asked
    ask("a")
    size = next(folder.iterdir()).stat().st_size
    for room, left in ((2.5 * size, 2), (0.5 * size, 1)):  # the newest stays whatever it takes
        monkeypatch.setattr(kept, "MOST_BYTES", room)
        ask(f"b{left}"), ask(f"c{left}")
        assert len(list(folder.iterdir())) == left
        ask(f"c{left}")
    assert made == ["a", "b2", "c2", "b1", "c1"]


def test_where_nothing_can_be_kept_they_are_made(asked, tmp_path):
    ask, made, _ = asked
    (tmp_path / "cache").write_text("a file")
    ask(), ask()
    assert len(made) == 2


def test_a_match_is_asked_for_once(tmp_path, monkeypatch):
    """Another step is another match; what the disk gives takes the place of the plain element's."""
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path))
    made, rail = [], rail_section("uic60")

    def match(rail, bay, plain, step):
        made.append(step)
        return {"stiffness": 2.0 * plain.stiffness, "mass": 3.0 * plain.mass, "along": plain.along + 4.0}

    monkeypatch.setattr(rail_match, "_match", match)
    once, again, other = (rail_match._matched.__wrapped__(rail, 0.6, 2, dt, 0.25) for dt in (1e-4, 1e-4, 5e-5))
    assert [step.dt for step in made] == [1e-4, 5e-5]
    assert all(np.array_equal(a, b) and np.array_equal(a, c) for a, b, c in zip(once, again, other, strict=True))
