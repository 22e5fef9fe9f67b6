"""A train scenario that is good, for the tests of what is not."""

GOOD = """
kind = "train"
[run]
duration_s = 20.0
start_position_m = 400.0
[train]
formation = [
  { vehicle = "locomotive", count = 1 },
  { vehicle = "ore_wagon", count = 10, pair = "rigid_bar" },
]
[route]
distance_m = [0, 1000, 5000]
gradient_permille = [0, 2, 0]
curvature_1_km = [0, 1, 0]
[driving]
mode = "by_time"
at = [0, 10]
notch = [2, 6]
"""
