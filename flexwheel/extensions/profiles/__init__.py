"""Profiles of the library beside S1002, 60E1 and UIC60."""
