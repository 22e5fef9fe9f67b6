"""base: what all other rooms use; no physics.

In: files, words of the user, entry points of installed distributions. Out: text and tables that were read safely,
files that appear whole or not at all, errors of one line, values found by name.

`errors`: errors a user can meet. `input_files`, `output_files`: the only places that open files. `cache_root`: folders
that only the user can write. `registry`: how an installed distribution adds to the package. `kind`, `coupled_system`,
`command`: declarations of a kind of run, of a system coupled to a vehicle, of a command. `variables`: the table of
result variables. Begin with `registry` and `kind`.
"""
