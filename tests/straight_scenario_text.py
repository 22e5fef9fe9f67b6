"""The AS4 with rigid wheelsets on straight smooth track, for its linear equations."""

STRAIGHT = """[run]
speed_kmh = 80.0
duration_s = 0.1
[vehicle]
file = "as4"
[track]
model = "massless"
layout = [{ kind = "straight", length_m = 100.0 }]
[irregularity]
spectrum = "none"
[contact]
friction = 0.3
"""
