"""Every key of a train scenario and of the parts in it changes what the run is given, or is refused."""

import re

from tests.systems.train.train_walk import missing_train_keys, train_steps


def test_every_train_key_does_something(tmp_path):
    assert not missing_train_keys()
    count = 0
    for step in train_steps(tmp_path):
        count += 1
        if not step.changed:  # a part that is no longer used, and the curve that has to meet its other one
            assert step.key.split(".")[-1] in ("coupler", "pair", "traction", "cylinder", "channel", "fill"), step
            assert re.search("used by no vehicle|unknown traction|listens to channel|release table", step.refused), step
    assert count > 90
