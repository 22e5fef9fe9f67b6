"""Cached objects are loaded only when they are private, of their key and unharmed."""

import os
import stat

import pytest

from flexwheel.systems.symbolic.object_cache import load_object, save_object

KEY = "k" * 64


def test_round_trip(tmp_path):
    folder = tmp_path / "objects"
    assert load_object(KEY, folder) is None
    assert save_object(KEY, {"a": [1, 2.5, "x"]}, b"\x00code\n\xff", folder)
    assert load_object(KEY, folder) == ({"a": [1, 2.5, "x"]}, b"\x00code\n\xff")
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


@pytest.mark.parametrize("where", [0, 30, -1])
def test_one_changed_byte_is_refused(tmp_path, where):
    folder = tmp_path / "objects"
    save_object(KEY, {"a": 1}, b"some machine code", folder)
    file = folder / f"{KEY}.obj"
    data = bytearray(file.read_bytes())
    data[where] ^= 1
    file.write_bytes(data)
    assert load_object(KEY, folder) is None


def test_truncated_other_key_and_link_are_refused(tmp_path):
    folder = tmp_path / "objects"
    save_object(KEY, {}, b"0123456789", folder)
    file = folder / f"{KEY}.obj"
    whole = file.read_bytes()
    (folder / f"{'m' * 64}.obj").write_bytes(whole)
    assert load_object("m" * 64, folder) is None
    file.write_bytes(whole[:-3])
    assert load_object(KEY, folder) is None
    file.unlink()
    (tmp_path / "elsewhere").write_bytes(whole)
    file.symlink_to(tmp_path / "elsewhere")
    assert load_object(KEY, folder) is None


def test_folder_open_to_others_is_not_trusted(tmp_path):
    folder = tmp_path / "objects"
    save_object(KEY, {}, b"code", folder)
    os.chmod(folder, 0o777)
    assert load_object(KEY, folder) is None
    assert not save_object(KEY, {}, b"code", folder)


def test_unwritable_folder_costs_nothing_but_the_saving(tmp_path):
    (tmp_path / "file").write_text("x")
    assert not save_object(KEY, {}, b"code", tmp_path / "file" / "objects")
