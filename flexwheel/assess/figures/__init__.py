"""Drawings: one file a subject, matplotlib for curves, pyvista for meshes, one style."""
