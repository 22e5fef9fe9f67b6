"""Friction laws beside a constant coefficient, one file each."""
