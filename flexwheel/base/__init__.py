"""base: what every other room stands on; no physics.

In: files, words of the user, entry points of installed distributions. Out: text and tables that were read safely,
files that appear whole or not at all, errors of one line, values found by name.

`errors` what a user can meet. `input_files`, `output_files` the only doors to the disk; `cache_root` what only the
user can write. `registry` how things are added from outside; `kind` what a kind of run is, `coupled_system` what can
be coupled to a vehicle, `command` what a command is. `variables` the one table of result variables.
Begin with `registry` and `kind`.
"""
