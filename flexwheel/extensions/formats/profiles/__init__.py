"""Profiles of wheel and rail: MiniProf, lists of points, text in columns."""
