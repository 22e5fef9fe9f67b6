"""Ansys, Gmsh, universal, MED, VTK and netCDF files."""
