"""Generators of meshes: wheelset, ballast bed, box; written in the formats of the FE codes."""
