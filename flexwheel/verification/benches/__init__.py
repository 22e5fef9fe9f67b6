"""Benches: models and integrators that only checks and tests use, to compare the product with."""
