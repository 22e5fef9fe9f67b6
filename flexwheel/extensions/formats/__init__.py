"""formats: files of other programs, read as meshes, reduced bodies and profiles, and written.

In: a mesh or matrix file. Out: the mesh or the reduced body, and an audit of what was read, changed and left
out. The core finds a format by the suffix through the registries of `body/mesh_format` and `body/matrix_format`.

`declarations` names the formats. A mesh is scanned (`abaqus`, `nastran`, `others`) into a `raw_mesh`, which
`mesh_import` takes through `import_steps`: collapsed elements, shells, lost content, checks, ties, materials. Reduced
bodies: `finite_element_matrices`, `matrix_parts`. Wheel and rail: `profiles`. Begin with `declarations`, then
`mesh_import`.
"""
