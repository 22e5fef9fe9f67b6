"""Keys at the door: a number is a number, and none so large that it overflows behind the door."""

import types
import typing

import pytest
from pydantic import BaseModel

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS
from flexwheel.run.keys.reader import parse_scenario, read_scenario_source
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from tests import rooms

SMALL = """[run]
duration_s = 1.0
[wheelset.front]
[track]
layout = [{kind = "arc", length_m = 9.0, radius_m = 300}]
"""


def number_keys(model, path=()):
    """(dotted key, type) of every key that is a number or a flag, sections and lists of sections entered."""
    for name, field in model.model_fields.items():
        yield from _numbers(field.annotation, (*path, name))


def _numbers(kind, path):
    if typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    if kind in (int, float, bool):
        yield ".".join(path), kind
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        yield from number_keys(kind, path)
    elif typing.get_origin(kind) in (typing.Union, types.UnionType):
        for part in typing.get_args(kind):
            yield from _numbers(part, path)
    elif typing.get_origin(kind) is dict:
        names, values = typing.get_args(kind)
        yield from _numbers(values, (*path, typing.get_args(names)[0] if typing.get_args(names) else "front"))
    elif typing.get_origin(kind) is tuple and typing.get_args(kind)[-1] is Ellipsis:
        yield from _numbers(typing.get_args(kind)[0], (*path, "0"))


WALK = [
    (key, kind)
    for key, kind in number_keys(VehicleScenario)
    if not key.startswith(("train.", "track.vertical", "wheelset.front.control"))
]


@pytest.mark.parametrize(("key", "kind"), WALK, ids=[key for key, _ in WALK])
def test_no_word_flag_or_absurd_number(key, kind):
    values = ["true", '"3"', "nan", "inf", "1e300", "-1e300", f"1{400 * '0'}"]
    for value in ["1", '"yes"'] if kind is bool else values:
        with pytest.raises(ScenarioError, match=key.replace(".", r"\.")) as error:
            parse_scenario(SMALL, overrides=[f"{key}={value}"])
        assert len(str(error.value)) < 500


def test_the_walk_sees_the_keys():
    keys = dict(WALK)
    assert len(keys) > 60 and keys["run.speed_kmh"] is float and keys["track.layout.0.radius_m"] is float
    assert keys["irregularity.lateral"] is bool and keys["contact.strips"] is int


@pytest.mark.parametrize("path", rooms.examples(), ids=lambda p: p.stem)
def test_whole_numbers_stay_numbers(path):
    """Every shipped example is read as it is written."""
    assert read_scenario_source(path).scenario.kind in KINDS


@pytest.mark.parametrize(
    "override",
    ["run.output_step_s=1e18", "track.fastener.vertical.stiffness_n_m=1e300", "track.layout.0.length_m=1e300",
     "run.step_s=1e-8", "run.step_s=0.1", "run.output_step_s=11", "contact.strips=401", "contact.gauge_mm=3001",
     "irregularity.ramp_m=2e6", "contact.friction=2", "irregularity.seed=-1", "run.contact_tolerance_n=2e4",
     "run.speed_kmh=true", "run.end_position_m=1e18", "contact.gauge_mm=1e300", "track.layout=[]"],
)  # fmt: skip
def test_what_fell_through_is_refused_with_its_key(override):
    with pytest.raises(ScenarioError, match=override.partition("=")[0].replace(".", r"\.")):
        parse_scenario(SMALL, overrides=[override])


def test_a_list_that_may_not_be_empty():
    with pytest.raises(ScenarioError, match=r"track.layout must have at least 1 in its list, got \[\]"):
        parse_scenario(SMALL, overrides=["track.layout=[]"])
