"""Polygon growth in batches of runs against the linear theory of roughness growth; 5 % is the task's limit."""

from flexwheel.verification.wear_growth import batch_growth, linear_growth, polygon_scenario


def test_a_polygon_grows_as_the_linear_theory_has_it():
    """Order 20 of 1 um over two or three batches in which it grows by 30 %: amplitude and phase."""
    order = 20
    grown, exact, batches = batch_growth(order, 1e-6, linear_growth(polygon_scenario(order, 0.0), order))
    assert abs(grown - exact) < 0.05 * abs(exact) and batches in (2, 3)
    assert abs(grown - 1.0) > 0.2
