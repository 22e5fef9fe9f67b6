"""The response in the frequency domain: mirror symmetry, keys of the command, what is refused, bands of densities."""

import json

import numpy as np
import pytest

from flexwheel.assess.commands.response_command import _lines
from flexwheel.assess.linear.bands import band_rms, line_rms
from flexwheel.assess.linear.inputs import amplitudes
from flexwheel.assess.response import _require_speed
from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.spectra import third_octave_centres
from flexwheel.results.files import loaded
from tests import cf_rules
from tests.cli_cases import command
from tests.straight_scenario_text import STRAIGHT


def scenario(tmp_path, *changes):
    text = STRAIGHT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "s.toml"
    path.write_text(text)
    return path


def test_a_symmetric_vehicle_answers_alike_on_both_sides(tmp_path, capsys):
    """Equal independent roughness of both rails: left and right wheels have equal forces; JSON and file hold them."""
    path = scenario(tmp_path)
    keys = (
        "--highest-hz",
        "200",
        "--step-hz",
        "5",
        "--json",
        "--out",
        tmp_path / "out",
        "--mat",
        "--uff",
        "--shapes-hz",
        "50",
    )
    assert command("response", path, *keys) == 0
    out = json.loads(capsys.readouterr().out)
    assert {"bands_hz", "contact_force_n", "contact_force_lines_n", "notes", "results"} == set(out)
    assert not any("random part is zero" in note for note in out["notes"])
    for axle in ("front", "rear"):
        left, right = (np.array(out["contact_force_n"][f"{axle} {side}"]["z"]) for side in ("left", "right"))
        assert left[-1] > 10.0
        np.testing.assert_allclose(left, right, rtol=1e-3)
    files = {"response.nc", "response.mat", "response.uff", "forces.png", "receptances.png", "shapes.html"}
    assert files == {p.name for p in (tmp_path / "out").iterdir()}
    assert not cf_rules.broken(tmp_path / "out" / "response.nc")
    table = list(_lines(loaded(tmp_path / "out" / "response.nc").assign_attrs(notes=[]), None))[1:]
    assert max(map(len, table)) <= 80 and sum("front left" in line for line in table) == 1


@pytest.mark.parametrize(
    ("changes", "keys", "text"),
    [
        ((('"massless"', '"inertial"'),), (), "for a response, got 'inertial'"),
        ((), ("--step-hz", "0"), "--step-hz must be a number from 0.05 to 20"),
        ((), ("--mat",), "need --out DIR"),
        (
            (),
            ("--shapes-hz", "high", "--out", "."),
            "--shapes-hz must be frequencies [Hz] by comma, as 12.5,63, got 'high'",
        ),
        (
            (),
            ("--shapes-hz", "12.5,1e9", "--out", "."),
            "--shapes-hz must be above 0 and up to 1250 (--highest-hz), got 12.5,1e9",
        ),
    ],
)
def test_refusals(tmp_path, capsys, changes, keys, text):
    assert command("response", scenario(tmp_path, *changes), *keys) == 2
    assert text in capsys.readouterr().err


def test_bands_hold_what_is_put_in():
    """White noise of density 2: rms of a band is the root of twice its width; a line of amplitude a has a/sqrt(2)."""
    centre = third_octave_centres(100.0, 200.0)
    grid = 0.7 * np.arange(1, 1000)
    width = centre * (10.0**0.05 - 10.0**-0.05)
    np.testing.assert_allclose(band_rms(grid, np.full(len(grid), 2.0), centre), np.sqrt(2.0 * width), rtol=1e-9)
    np.testing.assert_allclose(line_rms(np.array([126.0]), np.array([3.0]), centre), [0, 3.0 / np.sqrt(2.0), 0, 0])


def test_amplitudes_make_the_density_again():
    random = np.random.default_rng(3)
    a = random.normal(size=(5, 4, 4)) + 1j * random.normal(size=(5, 4, 4))
    density = a @ a.conj().transpose(0, 2, 1)
    found = amplitudes(density)
    np.testing.assert_allclose(found @ found.conj().transpose(0, 2, 1), density, atol=1e-12)


def test_a_speed_with_too_many_sleeper_lines_is_refused():
    with pytest.raises(ScenarioError, match="run.speed_kmh must be at least 18.1, got 3.6: .* 840 lines"):
        _require_speed(1.0, 840.0, 36)
