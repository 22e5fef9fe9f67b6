"""Malformed and odd inputs through every door of the command line, seeded: see __main__.py."""
