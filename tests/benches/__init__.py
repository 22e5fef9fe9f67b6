"""Independent computations that only tests use."""
