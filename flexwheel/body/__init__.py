"""body: a finite-element mesh reduced to a body that moves and deforms.

In: a mesh, its materials, node sets, options of the reduction. Out: ReducedBody: modes, inertia, rows at treads,
journals and control nodes, static residuals, stress rows.

`mesh_format` finds who reads a file, `mesh` is the mesh. `elements`, `assembly`, `eigen`, `statics`: finite elements.
`craig_bampton`, `cyclic_modes`, `general_modes`: modes. `reduce`: the whole reduction. `invariants`: inertia of the
floating frame. `tread`, `tread_field`: motion and force at the running surface. `stress`: stress rows. `body_cache`:
reduced bodies on the disk. Begin with `reduce`.
"""
