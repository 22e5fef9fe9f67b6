"""The version is the same in every place that names it, the changelog among them."""

import runpy

from flexwheel import __version__
from tests.rooms import ROOT


def test_version_is_the_same_everywhere(capsys):
    assert not runpy.run_path(str(ROOT / ".ci" / "check_version.py"))["main"](__version__), capsys.readouterr().out
