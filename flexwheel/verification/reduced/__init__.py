"""Checks of the simplified vehicle; they go where the system `reduced` goes."""
