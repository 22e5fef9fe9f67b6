"""Mutations that the fast suite has to kill, one at a time in a copy of the clone: see __main__.py."""
