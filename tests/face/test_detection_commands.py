"""The commands of the contact detection: JSON keys, files, refusals."""

import csv
import json

import pytest

from flexwheel.face.cli import main

SMALL = ["--neurons", "6", "--class-neurons", "8", "--samples", "600", "--epochs", "4"]


def _json(arguments, capsys):
    main(arguments)
    return json.loads(capsys.readouterr().out)


def test_train_then_compare(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path))
    trained = _json(["detection-train", "--rail", "UIC60", "--inclination", "1:40", *SMALL, "--json"], capsys)
    assert set(trained) == {"file", "key", "classes", "classifier_epochs", "table_nodes"}
    assert trained["file"].startswith(str(tmp_path)) and trained["key"].startswith(trained["file"].split("/")[-1][:24])
    assert all(set(row) == {"points", "share", "place_error_m", "epochs"} for row in trained["classes"])
    assert 0.99 < sum(row["share"] for row in trained["classes"]) <= 1.0

    out = tmp_path / "out"
    arguments = ["detection-compare", "--configurations", "60", "--inclination", "1:40", "--out", str(out), "--json"]
    (result,) = _json(arguments, capsys)
    assert result["inclination"] == "1:40" and result["configurations"] == 60
    errors = {(row["method"], row["reference"]): row for row in result["errors"]}
    dist = errors["DIST", "GRID of the normal distance"]
    assert dist["paper_percent"] == 0.7 and dist["percent"] <= 2.0 and dist["reference_points"] >= 60
    assert {row["method"] for row in result["times"]} >= {"DIST", "DIFF", "simplex", "networks", "look-up table"}
    assert {row["classifier"] for row in result["classification"]} == {"planes", "network"}
    assert result["explained"] == result["disagreements"]
    assert sum(row["configurations"] for row in result["minima"]) == 60
    assert (out / "minima_1_40.png").stat().st_size > 10_000
    assert (out / "tables.md").read_text().startswith("S1002 on UIC60 1:40, 60 configurations")
    with open(out / "disagreements.csv", newline="") as stream:
        assert next(csv.reader(stream))[:4] == ["inclination", "method", "index", "yaw_deg"]


def test_networks_of_another_pair_are_refused_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path))
    _json(["detection-train", "--rail", "60E1", *SMALL, "--file", str(tmp_path / "60e1.npz"), "--json"], capsys)
    from flexwheel.assess.commands.detection_pair import contact_pair
    from flexwheel.contact.detection.detection_file import detection_path

    wrong = detection_path(contact_pair("S1002", "UIC60", "1:40", 0.46)[0])
    wrong.parent.mkdir(exist_ok=True)
    (tmp_path / "60e1.npz").rename(wrong)
    with pytest.raises(SystemExit) as end:
        main(["detection-compare", "--configurations", "60", "--inclination", "1:40"])
    assert end.value.code == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "made for profile pair" in line
