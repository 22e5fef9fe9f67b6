"""Lists of rail sections along the track (.slcs), written here after the published lists of CONTACT."""

import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.extensions.sections.stations import slices_of

LIST = """% a crossing
   -0.2   1000.0   S_OFFSET [m], S_SCALE [mm/m]
   3             NSLC
   0    0    0   NFEAT, NKINK, NACCEL
   1             S_METHOD

   0.20   'a/one.prr'   % the first
   0.70   'a/two two.prr'
   1.20   'a/three.prr'
"""
BROKEN = {
    "cut": (LIST[:60], "cut off"),
    "word": (LIST.replace("1000.0", "scale"), "line 2 must begin with 2 finite numbers"),
    "scale": (LIST.replace("1000.0", "-1.0"), "S_SCALE must be above 0"),
    "few": (LIST.replace("   3  ", "   4  "), "got 4 and 3 slices"),
    "more": (LIST.replace("   3  ", "   2  "), "got 2 and 3 slices"),
    "half": (LIST.replace("   3  ", "   2.7"), "got 2.7 and 3 slices"),
    "nan": (LIST.replace("   3  ", "   nan"), "line 3 must begin with 1 finite number, got 'nan"),
    "inf": (LIST.replace("   3  ", "   inf"), "line 3 must begin with 1 finite number"),
    "place": (LIST.replace("1.20", "inf "), "line 9 must begin with 1 finite number"),
    "order": (LIST.replace("0.70", "0.10"), "line 8: places must rise"),
    "file": (LIST.replace("'a/three.prr'", ""), "line 9 must be a place and a file"),
    "quote": (LIST.replace("three.prr'", "three.prr"), "line 9: No closing quotation"),
}


def test_places_and_files(tmp_path):
    path = tmp_path / "list.slcs"
    path.write_text(LIST, encoding="utf-8")
    rows, doubts = slices_of(path)
    places, files = zip(*rows, strict=True)
    assert places == pytest.approx((0.0, 0.5, 1.0), abs=1e-12)
    assert files[1] == str(tmp_path / "a/two two.prr")
    assert slices_of("60E1") == (((0.0, "60E1"),), ()) and doubts == ()


@pytest.mark.parametrize("case", BROKEN)
def test_broken_lists_are_refused(tmp_path, case):
    text, message = BROKEN[case]
    path = tmp_path / "list.slcs"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=message):
        slices_of(path)


@pytest.mark.parametrize(
    ("old", "new"), [("0    0    0 ", "2    0    0 "), ("0    0    0 ", "0    1    3 "), ("   1       ", "   2       ")]
)
def test_what_the_list_asks_beyond_is_a_disagreement(tmp_path, old, new):
    path = tmp_path / "list.slcs"
    path.write_text(LIST.replace(old, new, 1), encoding="utf-8")
    (name, message), *more = slices_of(path)[1]
    assert name == "rail_sections" and not more and "interpolated linearly at equal y" in message
