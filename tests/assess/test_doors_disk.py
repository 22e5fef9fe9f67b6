"""A full or closed disk: one typed error with the reason, the file of before untouched, no part file left."""

import os
import resource
from collections import namedtuple
from contextlib import contextmanager

import numpy as np
import pytest
import xarray as xr

from flexwheel.base import output_files
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.output_files import output_folder, require_space, write_whole
from flexwheel.results.files import write_results

Usage = namedtuple("Usage", "total used free")


@contextmanager
def files_of_at_most(size):
    """As a disk with so many bytes left: writing more fails, whoever writes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def noise():
    return xr.Dataset({"x": ("time", np.random.default_rng(1).standard_normal(200_000))}, attrs={"complete": True})


def test_results_that_do_not_fit(tmp_path):
    (tmp_path / "results.nc").write_bytes(b"of before")
    with files_of_at_most(100_000), pytest.raises(FlexwheelError, match="results.nc: cannot be written: ") as error:
        write_results(noise(), tmp_path)
    assert "\n" not in str(error.value)
    assert [p.name for p in tmp_path.iterdir()] == ["results.nc"]
    assert (tmp_path / "results.nc").read_bytes() == b"of before"


def test_the_reason_is_the_space(tmp_path, monkeypatch):
    """With no byte left netCDF says that permission is denied."""
    monkeypatch.setattr(output_files.shutil, "disk_usage", lambda folder: Usage(10, 10, 0))

    def denied(target):
        raise PermissionError(13, "Permission denied", str(target))

    with pytest.raises(FlexwheelError, match="no space left on the disk"):
        write_whole(tmp_path / "results.nc", denied)


@pytest.mark.parametrize("suffix", [".png", ".gif", ".csv"])
def test_pictures_and_tables_are_whole_or_not_at_all(suffix, tmp_path):
    from matplotlib.figure import Figure
    from PIL import Image

    from flexwheel.assess.figures import style

    picture = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300), dtype=np.uint8))
    writers = {
        ".png": lambda path: style.save_figure(Figure(), path),
        ".gif": lambda path: write_whole(path, picture.save),
        ".csv": lambda path: write_whole(path, lambda target: target.write_text(10_000 * "x")),
    }
    with files_of_at_most(500), pytest.raises(FlexwheelError, match="cannot be written"):
        writers[suffix](tmp_path / f"x{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_a_failing_removal_does_not_hide_the_error(tmp_path, monkeypatch):
    def denied(path, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    def full(target):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(output_files.Path, "unlink", denied)
    with pytest.raises(FlexwheelError, match="Read-only file system"):
        write_whole(tmp_path / "x.nc", full)


@pytest.mark.parametrize("name", ["", ".", "/", "a\0b", 300 * "a"])
def test_names_no_file_can_have(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FlexwheelError) as error:
        write_whole(name, lambda target: target.write_text("x"))
    assert len(str(error.value)) < 400 and list(tmp_path.iterdir()) == []


def test_what_is_no_file_is_not_replaced(tmp_path):
    """A device named as output was once replaced by a file of that name."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/full")
    for name in ("folder", "pipe", "device"):
        with pytest.raises(FlexwheelError, match="is no regular file"):
            write_whole(tmp_path / name, lambda target: target.write_text("x"))
    assert not os.path.isfile("/dev/full") and sorted(os.listdir(tmp_path)) == ["device", "folder", "pipe"]


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_whole(tmp_path / "link.txt", lambda target: target.write_text("after"))
    assert (tmp_path / "link.txt").is_symlink() and (tmp_path / "real.txt").read_text() == "after"


def test_other_mistakes_are_not_the_disk(tmp_path):
    def wrong(target):
        target.write_text("half")
        raise RuntimeError("something else")

    with pytest.raises(RuntimeError, match="something else"):
        write_whole(tmp_path / "x.nc", wrong)
    assert list(tmp_path.iterdir()) == []


def test_space_is_asked_for_before(tmp_path):
    require_space(tmp_path, 1e3, "the results")
    with pytest.raises(ScenarioError, match=r"MB free on the disk; the results need \d+ MB"):
        require_space(tmp_path, 1e18, "the results")


@pytest.mark.parametrize("name", ["", "~nouser/out", 300 * "a", "a\0b", "/dev/null", "/proc/nothing"])
def test_folders_that_cannot_be(name):
    with pytest.raises(ScenarioError) as error:
        output_folder(name)
    assert len(str(error.value)) < 500
    assert os.listdir("/proc")


def test_files_for_paraview_are_refused_before_a_disk_is_full(tmp_path):
    """The library of netCDF does not survive a file that may not grow."""
    from types import SimpleNamespace

    from flexwheel.assess.figures.time_series import write_time_series

    place = np.random.default_rng(1).standard_normal((4, 3))
    faces = {"quads": np.arange(4)[None], "triangles": np.empty((0, 3), dtype=int)}
    surface = SimpleNamespace(position=place, node_id=np.arange(4), rows=place[:, :, None], stress_rows=None, **faces)
    with files_of_at_most(500), pytest.raises(FlexwheelError, match="files for ParaView need"):
        write_time_series(surface, np.ones((50, 1)), np.arange(50.0), tmp_path / "x.vtkhdf")
    assert list(tmp_path.iterdir()) == []
