"""Checks of the real-time locomotive; removed with the system `locomotive`."""
