"""Acceleration of free fall, one for all rooms."""

GRAVITY = 9.81  # [m/s2]
