"""Checks of the simplified vehicle; removed with the system `reduced`."""
