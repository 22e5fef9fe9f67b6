"""From what a scan found to a checked mesh, a step each; `mesh_import` calls them."""
