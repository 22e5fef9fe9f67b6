"""Coach with yaw dampers in series with 2 MN/m: eigenvalue against the growth of a time run of a small disturbance."""

import pytest

from flexwheel.verification.series_dampers import growth_of_run


@pytest.mark.parametrize("kmh", [312.0, 382.0], ids=["decays", "grows"])
def test_growth_of_a_time_run(kmh):
    """Without the series springs the linear model had this coach stable beyond 500 km/h."""
    value, run = growth_of_run(2e6, kmh / 3.6)
    assert value.real * (kmh - 347.0) > 0.0
    # trapezoidal rule at 0.5 ms: 1e-4 of the frequency; growth within what a critical speed of 1 % needs
    assert run.imag == pytest.approx(value.imag, rel=1e-3)
    assert run.real == pytest.approx(value.real, rel=0.02)
