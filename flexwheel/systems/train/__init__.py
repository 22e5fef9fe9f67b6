"""Longitudinal train dynamics: couplers, brakes, traction, resistance, and a train around one detailed vehicle."""
