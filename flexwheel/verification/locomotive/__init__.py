"""Checks of the real-time locomotive; they go where the system `locomotive` goes."""
