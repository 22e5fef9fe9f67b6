"""Limits of EN 14363 as data: what is read has a source, what is not has no limit; ten wrong files, one line each."""

import numpy as np
import pytest

from flexwheel.assess.evaluate.en14363_limits import Circumstances, limit_of, read_limits
from flexwheel.assess.evaluate.en14363_quantities import NAMES
from flexwheel.base.errors import ScenarioError

WAGON = Circumstances("freight_wagon", 0.85, 170.0, 300.0, 200e3, 105e3)
ROW = '[[limit]]\nquantity = "q_max"\nsource = "EN 14363:2016, table 5"\n'


def test_default_has_what_was_read_and_nothing_else():
    rows = read_limits("read", NAMES)
    assert {row.quantity for row in rows} == {"sum_y_2m", "y_over_q_2m"} and all("assumed" != r.source for r in rows)
    assert limit_of(rows, "sum_y_2m", WAGON)[0] == pytest.approx(0.85 * (10e3 + 200e3 / 3.0))
    assert "freight" in limit_of(rows, "sum_y_2m", WAGON)[1] and "freight" in limit_of(rows, "sum_y_2m")[1]
    value, source = limit_of(rows, "sum_y_2m", Circumstances("railcar", axle_load=200e3))
    assert value == pytest.approx(10e3 + 200e3 / 3.0) and "freight" not in source
    value, source = limit_of(rows, "q_max", WAGON)
    assert np.isnan(value) and source == ""


def test_rows_by_kind_speed_curvature_and_load():
    rows = read_limits("assumed", NAMES)
    assert limit_of(rows, "q_max", WAGON) == (190e3, "assumed")  # 90 + 105 kN, at most 190 kN to 200 km/h
    assert limit_of(rows, "y_quasi_static", WAGON)[0] == pytest.approx(65e3)
    assert limit_of(rows, "body_lateral", WAGON)[0] == 3.0
    assert limit_of(rows, "body_lateral", Circumstances("coach"))[0] == 2.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must have \\[\\[limit\\]\\] rows"),
        ("limit = [3]\n", "limit 1 must be a table"),
        (ROW, "limit 1 must have constant"),
        (ROW + "constant = -1.0\n", "constant must be a number, 0 or more, got -1.0"),
        (ROW + "constant = true\n", "constant must be a number"),
        (ROW + "constant = nan\n", "constant must be a number"),
        (ROW.replace("q_max", "q_most") + "constant = 1.0\n", "quantity must be one of"),
        (ROW.replace("EN 14363:2016, table 5", " ") + "constant = 1.0\n", "source must be text"),
        (ROW + 'constant = 1.0\nkinds = ["tram"]\n', "kinds must be a list of locomotive"),
        (ROW + "constant = 1.0\nk1 = 1\n", "k1 must be true or false"),
        (ROW + "constant = 1.0\nper_axle = 1.0\n", "per_axle must be one of"),
    ],
)
def test_wrong_files_one_line_each(tmp_path, text, words):
    path = tmp_path / "limits.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=words) as told:
        read_limits(path, NAMES)
    assert "\n" not in str(told.value) and str(path) in str(told.value)
