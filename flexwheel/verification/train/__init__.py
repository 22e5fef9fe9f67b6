"""Checks of longitudinal train dynamics; removed with the system `train`."""
