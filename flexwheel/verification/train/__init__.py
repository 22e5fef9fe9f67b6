"""Checks of longitudinal train dynamics; they go where the system `train` goes."""
