"""Symmetries of a mesh beside revolution, by which it is reduced."""
